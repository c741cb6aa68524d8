"""The pages of Coup: a game against bots, advice about a situation, solved endgames."""

from __future__ import annotations

from fastapi import Request

from kibitz.web.layout import Link, page_at
from kibitz.web.pages.coup.ask import AskPage
from kibitz.web.pages.coup.endgames import EndgamePage
from kibitz.web.pages.coup.matches import CoupKind
from kibitz.web.pages.coup.pieces import coup_frame
from kibitz.web.pages.coup.play import TableView
from kibitz.web.pages.coup.start import StartForm
from kibitz.web.pages.newgame import GamePage
from kibitz.web.services import Services

LINK: Link | None = Link(
    "/coup", "Coup", "theater_comedy", "Bluff against bots, see who may hold what, and how endgames are played exactly."
)


def register(services: Services) -> None:
    """Make the pages known."""
    services.games.add(CoupKind())

    @page_at("/coup")
    async def play(request: Request) -> None:
        with coup_frame("/coup"):
            page = GamePage(services, "coup", StartForm, TableView)
        await page.begin(dict(request.query_params))

    @page_at("/coup/advise")
    async def advise(request: Request) -> None:
        with coup_frame("/coup/advise"):
            page = AskPage(services)
        await page.begin(dict(request.query_params))

    @page_at("/coup/endgames")
    async def endgames(request: Request) -> None:
        with coup_frame("/coup/endgames"):
            page = EndgamePage(services)
        await page.begin(dict(request.query_params))
