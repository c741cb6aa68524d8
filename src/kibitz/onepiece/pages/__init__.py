"""The pages of the One Piece card game: a game against a bot, and the loop lab."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from fastapi import Request

from kibitz.onepiece.pages.lab import LabPage
from kibitz.onepiece.pages.matches import OnePieceKind
from kibitz.onepiece.pages.pieces import onepiece_frame
from kibitz.onepiece.pages.play import OnePieceView
from kibitz.onepiece.pages.start import StartForm
from kibitz.web.layout import Link, page_at
from kibitz.web.pages.newgame import GamePage
from kibitz.web.services import Services

LINK: Link | None = Link(
    "/onepiece",
    "One Piece",
    "sailing",
    "Play the card game with starter decks, and see how endless loops are judged and broken.",
    begin="Play One Piece",
)


def register(services: Services) -> None:
    """Make the pages known."""
    services.games.add(OnePieceKind())

    @page_at("/onepiece")
    async def play(request: Request) -> None:
        with onepiece_frame("/onepiece"):
            page = GamePage(services, "onepiece", StartForm, OnePieceView)
        await page.begin(dict(request.query_params))

    @page_at("/onepiece/loops")
    async def loops(request: Request) -> None:
        with onepiece_frame("/onepiece/loops"):
            page = LabPage(services)
        await page.begin(dict(request.query_params))


def pages() -> Sequence[Any]:
    """This package is one page, with parts."""
    return (sys.modules[__name__],)
