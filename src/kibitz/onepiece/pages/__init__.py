"""The pages of the One Piece card game: a game against a bot, and the loop lab."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from fastapi import Request

from kibitz.onepiece.pages.lab import LabPage
from kibitz.onepiece.pages.matches import OnePieceKind
from kibitz.onepiece.pages.play import OnePieceView
from kibitz.onepiece.pages.start import StartForm
from kibitz.web.layout import Link, family, page_at
from kibitz.web.pages.newgame import GamePage
from kibitz.web.services import Services

LINK: Link | None = Link(
    "/onepiece",
    "One Piece",
    "sailing",
    "Play the card game with starter decks, and see how endless loops are judged and broken.",
    begin="Play One Piece",
)
#: The pages: address, name, one sentence.
PAGES = {
    "/onepiece": ("Play", "A game with the starter decks against a bot, by the full rules."),
    "/onepiece/loops": ("Loop lab", "What goes round for ever, what the rules say about it, and the way out."),
}


def register(services: Services) -> None:
    """Make the pages known."""
    services.games.add(OnePieceKind())

    @page_at("/onepiece")
    async def play(request: Request) -> None:
        with family("One Piece", "/onepiece", PAGES, "op-page"):
            page = GamePage(services, "onepiece", StartForm, OnePieceView)
        await page.begin(dict(request.query_params))

    @page_at("/onepiece/loops")
    async def loops(request: Request) -> None:
        with family("One Piece", "/onepiece/loops", PAGES, "op-page"):
            page = LabPage(services)
        await page.begin(dict(request.query_params))


def pages() -> Sequence[Any]:
    """This package is one page, with parts."""
    return (sys.modules[__name__],)
