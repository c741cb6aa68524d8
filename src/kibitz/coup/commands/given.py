"""What several of Coup's own commands are given: cards, situations in words, how often others bluff."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import LONGEST_NAME, UserError, readable

if TYPE_CHECKING:
    from kibitz.coup.belief import InfluenceBelief
    from kibitz.coup.core.situation import Situation
    from kibitz.coup.core.state import Rules

#: A test compares them with the game.
CARDS = ("duke", "assassin", "captain", "ambassador", "contessa")

BluffOption = Annotated[
    float | None,
    typer.Option(
        metavar="P", help="How often a claim is made without the card, for one made with it: 0 to 1.", show_default="0.5"
    ),
]


def check_bluff(bluff: float | None) -> None:
    """A likelihood of bluffing, if one was typed."""
    if bluff is not None and not 0 <= bluff <= 1:
        raise UserError(f"--bluff {bluff}: expected a number from 0 to 1")


def read_told(
    text: str, seat: int | None, rules: Rules, bluff: float, *, to_observer: bool = True
) -> tuple[Situation, InfluenceBelief]:
    """A situation as it was typed (text, the name of a file, or ``-``), and what its teller can know; `seat` counts from 1.

    Without `to_observer` the position is the one right after what is told, whoever decides there.
    """
    from kibitz.coup.advise import belief_of
    from kibitz.coup.core.situation import read_situation

    told = read_situation(_text(text), None if seat is None else seat - 1, rules, to_observer=to_observer)
    return told, belief_of(told, bluff)


def _text(situation: str) -> str:
    """What was typed, or what stands in a file."""
    if situation == "-":
        return sys.stdin.read()
    if not situation.strip():
        raise UserError("the text is empty; one looks like 'cards duke captain; coins 3 5'")
    path = Path(situation)
    if "\n" in situation or len(situation) > LONGEST_NAME or not path.exists():
        if " " not in situation.strip():
            raise UserError(f"{situation}: no such file; a text looks like 'cards duke captain; coins 3 5'")
        return situation
    try:
        return readable(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{situation}: not a text in UTF-8") from None
