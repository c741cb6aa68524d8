"""The Analyse page: where to settle or what to play on any board, and why."""

from __future__ import annotations

from fastapi import Request

from kibitz.catan.core.board import Board
from kibitz.catan.core.svg import draw_board
from kibitz.catan.pages.analyse.page import AnalysePage
from kibitz.web.layout import Link, frame, page_at
from kibitz.web.services import Services

LINK: Link | None = Link(
    "/analyse",
    "Analyse",
    "insights",
    "Where to settle and what to do next: win rates from thousands of whole games, and why.",
    begin="Analyse a board",
    opens={"analysis": "/analyse?saved=", "record": "/analyse?game="},
    picture=lambda: draw_board(Board.beginner()),
)


def register(services: Services) -> None:
    """Make the page known."""

    @page_at("/analyse")
    async def analyse(request: Request) -> None:
        with frame("Analyse", "/analyse"):
            page = AnalysePage(services)
        await page.begin(dict(request.query_params))
