"""The Track page: who can hold what, at every moment of a game."""

from __future__ import annotations

from fastapi import Request

from kibitz.catan.pages.track.page import TrackPage
from kibitz.web.layout import Link, frame, page_at
from kibitz.web.services import Services

LINK: Link | None = Link(
    "/track",
    "Track",
    "style",
    "Who holds which cards: exact odds for every hand, from a log or from what you click.",
    begin="Track a game",
    opens={"log": "/track?saved="},
)


def register(services: Services) -> None:
    """Make the page known."""

    @page_at("/track")
    async def track(request: Request) -> None:
        with frame("Track", "/track"):
            page = TrackPage(services)
        await page.begin(dict(request.query_params))
