"""The Play page: Catan against bots, with a kibitzer at the shoulder."""

from __future__ import annotations

from fastapi import Request

from kibitz.catan.pages.play.game import CatanKind
from kibitz.catan.pages.play.page import PlayPage
from kibitz.web.layout import Link, frame, page_at
from kibitz.web.services import Services

LINK: Link | None = Link(
    "/play",
    "Play",
    "extension",
    "Play Catan against bots, with a kibitzer at your shoulder if you like.",
    begin="Play Catan",
)


def register(services: Services) -> None:
    """Make the page and its game known."""
    services.games.add(CatanKind())

    @page_at("/play")
    async def play(request: Request) -> None:
        with frame("Play", "/play"):
            page = PlayPage(services)
        await page.begin(dict(request.query_params))
