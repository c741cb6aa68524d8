"""The start page: what there is."""

from __future__ import annotations

import asyncio
from html import escape

from nicegui import ui

from kibitz.catan.core.board import Board
from kibitz.catan.core.svg import draw_board
from kibitz.web import layout
from kibitz.web.layout import Link, frame, page_at
from kibitz.web.pages.offers import offer
from kibitz.web.parts import box, text
from kibitz.web.services import Services

LINK: Link | None = None

#: The pages that are about Catan; all others stand below them.
CATAN = ("/analyse", "/track", "/play", "/review")
#: Things of the library that are offered to go on with.
LATEST = 4
#: For those who want to go on from here in a program.
API = Link("/api/", "API", "api", "The same answers for programs: a JSON API with its description.")


def register(services: Services) -> None:
    """Make the page known."""
    picture = draw_board(Board.beginner())

    @page_at("/")
    async def home() -> None:
        latest = await asyncio.to_thread(services.store.items, None, LATEST)
        with frame("Start", "/"), box("home-page"):
            with box("home-hero"):
                with box("stack"):
                    text("h1", "Somebody at your shoulder who has played it a thousand times.")
                    text("p", "Kibitz knows the rules exactly, works out what the others can be holding, plays thousands of "
                         "futures a second, and says what to do and why. All of it on this machine.")  # fmt: skip
                    with box("line"):
                        text("a", "Analyse a board", "q-btn k-btn primary big").props('href="/analyse"')
                        text("a", "Play a game", "q-btn k-btn big").props('href="/play"')
                ui.html(picture, sanitize=False).classes("board").props('aria-hidden="true"')
            if latest:
                offer("Where you were", latest)
            links = layout.links()
            _tiles("Catan", [link for link in links if link.path in CATAN])
            _tiles("Other games, and what you keep", [*(link for link in links if link.path not in CATAN), API])


def _tiles(title: str, links: list[Link]) -> None:
    text("h2", title)
    ui.html("".join(map(_tile, links)), sanitize=False).classes("home-tiles")


def _tile(link: Link) -> str:
    return (
        f'<a class="home-tile" href="{link.path}"><i class="q-icon material-icons" aria-hidden="true">{link.icon}</i>'
        f'<h3>{escape(link.name)}</h3><p class="muted">{escape(link.about)}</p></a>'
    )
