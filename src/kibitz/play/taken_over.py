"""What a killed run has left of its record: whole games of the same series are taken over, anything else is refused.

A record appears under its name when it is complete; until then it grows in a hidden file beside it. Games depend on the seed
and their number alone, so the games that are whole there are those that would be played again.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.compute.local import game_seed
from kibitz.game import apply_at
from kibitz.game.actions import InvalidAction
from kibitz.game.files import LOOP, left_behind
from kibitz.play.match import Results

if TYPE_CHECKING:
    from kibitz.game.record import GameRecord
    from kibitz.play.series import Plan


class LeftBehind(ValueError):
    """A killed run has left something that is not the beginning of this one; the message is one line for people."""


@dataclass(frozen=True)
class Taken:
    """The games that are there already: their lines, how many they are, and how they ended."""

    lines: tuple[str, ...] = ()
    games: int = 0
    results: tuple[Results, ...] = ()


def taken_over(plan: Plan, path: Path, full: bool) -> Taken:
    """What a killed run has finished of these games. Raises `LeftBehind` where it played others."""
    path = path.resolve()
    best = Taken()
    for left in left_behind(path):
        if plan.guard is not None:  # what it found on the way is not in the record
            raise LeftBehind(
                f"{path}: a run under a loop guard was killed while writing this file; use --force to start it again"
            )
        found = _games_in(plan, left, full)
        if found is None:
            raise LeftBehind(
                f"{path}: a different run was killed while writing this file; {left} holds what it had (--force discards it)"
            )
        best = max(best, found, key=lambda taken: taken.games)
    return best


def _games_in(plan: Plan, left: Path, full: bool) -> Taken | None:
    """The whole games of a file that breaks off, or is damaged from some line on; None if they are not those of the plan."""
    lines: list[str] = []
    ends: list[GameRecord] = []
    game: list[str] = []
    for line in _whole_lines(left):
        game.append(line)
        if not game[1:]:
            if ends and not line.startswith('{"record": "'):
                break
            if line != json.dumps(_begun(plan, len(ends)).header()):
                return None
        elif line.startswith('{"end": true'):
            try:
                record = _ended(_begun(plan, len(ends)), game, full)
            except (ValueError, LookupError, TypeError):  # a line in it is none of ours
                break
            if record is None or len(ends) == plan.games:
                return None
            ends.append(record)
            lines += game
            game = []
    if not ends:
        return Taken()
    states = plan.setup.game.room(len(ends))
    for i, record in enumerate(ends):
        states[i] = record.start()[0]
        for code in record.codes:
            apply_at(states, i, code)
    return Taken(tuple(lines), len(ends), (Results(states, sum(len(record.codes) for record in ends)),))


def _begun(plan: Plan, number: int) -> GameRecord:
    """A game of the plan before its first step."""
    number += plan.first
    heading = {"seats": tuple(bot.name for bot in plan.bots), "codes": (), "seed": game_seed(plan.seed, number), "game": number}
    return plan.setup.record(number, {**heading, "guard": None, "drawn": False})


def _ended(begun: GameRecord, lines: list[str], full: bool) -> GameRecord | None:
    """The game of these lines, from its header to its end line; None if they are not written as is asked for now."""
    codes = []
    for line in lines[1:-1]:
        step = json.loads(line)
        if ("legal" in step) != full:
            return None
        try:
            codes.append(begun.code_of(step["kind"], step["data"]))
        except InvalidAction:
            return None
    return replace(begun, codes=tuple(codes), drawn=json.loads(lines[-1])["termination"] == LOOP)


def _whole_lines(path: Path) -> Iterator[str]:
    """The lines of a file, packed or not, up to where it breaks off."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with gzip.open(path) if packed else path.open("rb") as raw:
        try:
            for line in raw:
                if not line.endswith(b"\n"):
                    return
                yield line.decode()[:-1]
        except (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError):  # where it was cut off, or is damaged
            return
