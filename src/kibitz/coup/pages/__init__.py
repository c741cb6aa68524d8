"""The pages of Coup: a game against bots, advice about a situation, solved endgames."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from fastapi import Request

from kibitz.coup.pages.ask import AskPage
from kibitz.coup.pages.endgames import EndgamePage
from kibitz.coup.pages.matches import CoupKind
from kibitz.coup.pages.pieces import coup_frame
from kibitz.coup.pages.play import CoupView, StartForm
from kibitz.web.layout import Link, page_at
from kibitz.web.pages.newgame import GamePage
from kibitz.web.services import Services

LINK: Link | None = Link(
    "/coup",
    "Coup",
    "theater_comedy",
    "Bluff against bots, see who may hold what, and how endgames are played exactly.",
    begin="Play Coup",
)


def register(services: Services) -> None:
    """Make the pages known."""
    services.games.add(CoupKind())
    _page("/coup", lambda: GamePage(services, "coup", StartForm, CoupView))
    _page("/coup/advise", lambda: AskPage(services))
    _page("/coup/endgames", lambda: EndgamePage(services))


def _page(path: str, made: Callable[[], GamePage | AskPage | EndgamePage]) -> None:
    @page_at(path)
    async def shown(request: Request) -> None:
        with coup_frame(path):
            page = made()
        await page.begin(dict(request.query_params))


def pages() -> Sequence[Any]:
    """This package is one page, with parts."""
    return (sys.modules[__name__],)
