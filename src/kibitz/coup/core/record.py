"""The file of a game of Coup: JSON Lines, as described field by field in ``docs/coup.md``.

>>> record = simulate(["honest", "heuristic"], seed=3)
>>> lines = list(record.lines())
>>> len(lines) == len(record.codes) + 2
True
>>> read = next(read_lines(lines))
>>> read == record
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.coup.core.actions import Action
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.game_state import position
from kibitz.coup.core.state import PHASES, Rules, new_states
from kibitz.game import States
from kibitz.game.definition import seat_or_none
from kibitz.game.files import games, read_file
from kibitz.game.record import Entries, GameRecord, checked, codes_in, heading_of, play_line, rules_in
from kibitz.ground.rng import derive_seed


@dataclass(frozen=True)
class Record(GameRecord):
    """One game: how it was set up, and every action and outcome as a code."""

    NAME = "coup"

    rules: Rules
    seats: tuple[str, ...]
    codes: tuple[int, ...]
    seed: int | None = None
    game: int = 0
    guard: Mapping[str, Any] | None = None
    """The rules of the loop guard under which it was played, if there was one."""
    drawn: bool = False
    """Whether it was a draw by these rules."""

    def start(self) -> States:
        """The position before the deal."""
        return new_states(len(self.seats), self.rules)

    def setting(self) -> dict[str, Any]:
        """The rules."""
        return {"rules": self.rules.to_json()}

    def action(self, code: int) -> Action:
        """The action of a code."""
        return Action.from_code(code)

    def moment(self, states: States) -> tuple[int, str]:
        """The turn and the phase."""
        return int(states["turn"][0]), PHASES[int(states["phase"][0])]

    def position(self, states: States) -> dict[str, Any]:
        """Everything true in a position, by name."""
        return position(states)

    def result(self, states: States) -> dict[str, Any]:
        """How the game ended."""
        winner = seat_or_none(int(states["winner"][0]))
        return {"termination": "turn limit" if winner is None else "victory", "winner": winner}


def simulate(bots: Sequence[str], seed: int, rules: Rules = Rules(), number: int = 0) -> Record:  # noqa: B008
    """Play one game between policies and keep every step. `seed` (64 bits of it) is the seed of this very game."""
    seed = derive_seed(seed)
    codes, _ = play_line(new_states(len(bots), rules), [GAME.policies[bot] for bot in bots], seed)
    return Record(rules, tuple(bots), codes, seed, number)


# --- reading and checking ---------------------------------------------------------------------------------


def read(path: Path) -> Iterator[Record]:
    """The games of a record file, checked for form (the rules are checked by `check`)."""
    return read_lines(line for _, line in read_file(path))


def read_lines(lines: Iterable[str]) -> Iterator[Record]:
    """The games in lines of JSON."""
    return (record for record, _, _ in _records(lines))


def check(lines: Iterable[str], progress: Callable[[int], None] = lambda steps: None) -> Iterator[Record]:
    """Replay every game under the rules and compare every field that is present; yields each game that holds.

    The first difference raises a `RecordError` that names it.
    """
    return checked(_records(lines), progress)


def _records(lines: Iterable[str]) -> Iterator[tuple[Record, int, Entries]]:
    for first, entries in games(Record.NAME, Record.VERSION, lines):
        heading = heading_of(first, entries, GAME.seats)
        rules = rules_in(first, entries[0], Rules)
        codes = codes_in(first, entries, lambda kind, data: Action.from_json({"kind": kind, "data": data}).code)
        yield Record(rules, heading.seats, codes, heading.seed, heading.game, heading.guard, heading.drawn), first, entries
