"""The group of Coup's own commands, and what they are given: situations in words, recorded games."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.cli.common import LONGEST_NAME, UserError, readable
from kibitz.cli.records import game_of_file

if TYPE_CHECKING:
    from kibitz.coup.belief import InfluenceBelief
    from kibitz.coup.core.record import Record
    from kibitz.coup.core.situation import Situation
    from kibitz.coup.core.state import Rules


def find_game(file: Path, game: int | None) -> Record:
    """One game of a record file (the first by default), verified."""
    from kibitz.coup.core.record import check

    return game_of_file(file, game, check)


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
    from kibitz.coup.core.setup import SetupError
    from kibitz.coup.core.situation import read_situation

    try:
        with no_contradiction():
            told = read_situation(_text(text), None if seat is None else seat - 1, rules, to_observer=to_observer)
            return told, belief_of(told, bluff)
    except SetupError as error:
        raise UserError(str(error)) from None


@contextmanager
def no_contradiction() -> Iterator[None]:
    """What cannot all be true is a mistake of whoever told it, or of the likelihood of bluffing."""
    from kibitz.coup.belief import Contradiction

    try:
        yield
    except Contradiction as error:
        raise UserError(f"{error.event.text()}: that cannot be, {error.reason}") from None


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
