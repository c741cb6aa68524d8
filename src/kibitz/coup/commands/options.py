"""The names and options that several commands of Coup have; a test compares the names with the game."""

from __future__ import annotations

from typing import Annotated

import typer

CARDS = ("duke", "assassin", "captain", "ambassador", "contessa")

BluffOption = Annotated[
    float | None,
    typer.Option(
        metavar="P", help="How often a claim is made without the card, for one made with it: 0 to 1.", show_default="0.5"
    ),
]
