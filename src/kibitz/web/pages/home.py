"""The start page: what there is. And what is shown where there is no page, or where one failed."""

from __future__ import annotations

import asyncio
from html import escape

from fastapi import Request
from fastapi.responses import PlainTextResponse, Response
from nicegui import Client, core, ui

from kibitz.web import layout
from kibitz.web.layout import Link, frame, page_at
from kibitz.web.pages.library import offer
from kibitz.web.parts import box, text
from kibitz.web.services import Services

LINK: Link | None = None

#: Things of the library that are offered to go on with.
LATEST = 4
NOT_FOUND = "There is no such page"
#: For those who want to go on from here in a program.
API = Link("/api/", "API", "api", "The same answers for programs: a JSON API with its description.")


def register(services: Services) -> None:
    """Make the pages known."""
    shown = layout.links()
    front = next((link for link in shown if link.picture), None)
    picture = front.picture() if front and front.picture else ""

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
                        for link in _beginnings(shown, front):
                            look = " primary" if link is front else ""
                            text("a", link.begin, f"q-btn k-btn big{look}").props(f'href="{link.path}"')
                ui.html(picture, sanitize=False).classes("board").props('aria-hidden="true"')
            if latest:
                offer("Where you were", latest)
            large = [title for title in dict.fromkeys(link.game for link in shown) if title and _size(shown, title) > 1]
            for title in large:
                _tiles(title, [link for link in shown if link.game == title])
            _tiles("Other games, and what you keep", [*(link for link in shown if link.game not in large), API])

    @core.app.exception_handler(404)
    async def missing(request: Request, error: Exception) -> Response:
        if "text/html" not in request.headers.get("accept", ""):  # a program, or the browser itself
            return PlainTextResponse(NOT_FOUND, 404)
        with Client(ui.page(""), request=request) as client:
            _explain(NOT_FOUND, "The address may be misspelt, or what it led to was deleted.")
        return client.build_response(request, 404)

    core.app.on_page_exception(
        lambda: _explain("Something went wrong in Kibitz itself", "Its log, in the terminal, says what.")
    )


def _size(links: list[Link], title: str) -> int:
    """How many pages a game has."""
    return sum(link.game == title for link in links)


def _beginnings(links: list[Link], front: Link | None) -> list[Link]:
    """What the start page offers first: all that can be begun in the game whose picture it shows."""
    return [link for link in links if link.begin and (front is None or link.game == front.game)]


def _tiles(title: str, links: list[Link]) -> None:
    text("h2", title)
    ui.html("".join(map(_tile, links)), sanitize=False).classes("home-tiles")


def _tile(link: Link) -> str:
    return (
        f'<a class="home-tile" href="{link.path}"><i class="q-icon material-icons" aria-hidden="true">{link.icon}</i>'
        f'<h3>{escape(link.name)}</h3><p class="muted">{escape(link.about)}</p></a>'
    )


def _explain(title: str, about: str) -> None:
    with frame(title, ""), box("stack narrow"):
        text("h1", title)
        text("p", about, "muted")
        with box("line"):
            text("a", "To the start page", "q-btn k-btn primary").props('href="/"')
            text("a", "To the library", "q-btn k-btn").props('href="/library"')
