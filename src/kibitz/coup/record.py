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

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.coup.actions import Action, InvalidAction
from kibitz.coup.engine import GAME
from kibitz.coup.game_state import IllegalAction
from kibitz.coup.position import PHASES, actor_name, position, seat_or_none
from kibitz.coup.state import Rules, new_states
from kibitz.game import OVER
from kibitz.jit import uint64
from kibitz.records import LOOP, RecordError, compare, games, get, loop_rule, read_file
from kibitz.rng import derive_seed

VERSION = 1


@dataclass(frozen=True)
class Record:
    """One game: how it was set up, and every action and outcome as a code."""

    rules: Rules
    seats: tuple[str, ...]
    codes: tuple[int, ...]
    seed: int | None = None
    game: int = 0
    guard: Mapping[str, Any] | None = None
    """The rules of the loop guard under which it was played, if there was one."""
    drawn: bool = False
    """Whether it was a draw by these rules."""

    def start(self) -> npt.NDArray[np.void]:
        """The position before the deal."""
        return new_states(len(self.seats), self.rules)

    def states(self) -> Iterator[npt.NDArray[np.void]]:
        """The position before each step, and the last one. One array is reused: copy what is to be kept.

        The steps are trusted (`check` does not trust them).
        """
        states = self.start()
        for code in self.codes:
            yield states
            game.apply_at(states, 0, code)
        yield states

    def header(self) -> dict[str, Any]:
        """The first line."""
        return {
            "record": "coup",
            "version": VERSION,
            "game": self.game,
            "seed": self.seed,
            "rules": self.rules.to_json(),
            "seats": list(self.seats),
            **({} if self.guard is None else {"guard": dict(self.guard)}),
        }

    def lines(self, full: bool = False) -> Iterator[str]:
        """The game as lines of JSON; with `full`, each step with its legal actions and the position after it."""
        yield json.dumps(self.header())
        states = self.start()
        for step, code in enumerate(self.codes):
            line = _when(states, step) | Action.from_code(code).to_json()
            legal = _legal(states) if full else []
            game.apply_at(states, 0, code)
            yield json.dumps(line | {"legal": legal, "state": position(states)} if full else line)
        yield json.dumps(self.end(states))

    @property
    def _unfinished(self) -> str:
        return LOOP if self.drawn else "unfinished"

    def end(self, states: npt.NDArray[np.void]) -> dict[str, Any]:
        """The last line, given the last position."""
        over = game.actor_at(states, 0) == OVER
        winner = seat_or_none(int(states["winner"][0]))
        return {
            "end": True,
            "termination": self._unfinished if not over else "turn limit" if winner is None else "victory",
            "winner": winner,
            "turns": int(states["turn"][0]),
            "steps": len(self.codes),
        }


def _when(states: npt.NDArray[np.void], step: int) -> dict[str, Any]:
    """What a step's line says before the action."""
    return {
        "step": step,
        "turn": int(states["turn"][0]),
        "phase": PHASES[int(states["phase"][0])],
        "actor": actor_name(game.actor_at(states, 0)),
    }


def _legal(states: npt.NDArray[np.void]) -> list[str]:
    return sorted(Action.from_code(a).to_text() for a in game.legal_actions(states))


def simulate(bots: Sequence[str], seed: int, rules: Rules = Rules(), number: int = 0) -> Record:  # noqa: B008
    """Play one game between policies and keep every step. `seed` (64 bits of it) is the seed of this very game."""
    seed = derive_seed(seed)
    states = new_states(len(bots), rules)
    xs = GAME.scratches()
    xs["policy"][0, : len(bots)] = [GAME.policies[name] for name in bots]
    game.reseed_at(xs, 0, uint64(seed))
    codes = []
    while game.actor_at(states, 0) != OVER:
        code = game.decide_at(states, 0, xs, 0)
        codes.append(code)
        game.apply_at(states, 0, code)
    return Record(rules, tuple(bots), tuple(codes), seed, number)


# --- reading and checking ---------------------------------------------------------------------------------


def read(path: Path) -> Iterator[Record]:
    """The games of a record file, checked for form (the rules are checked by `check`)."""
    return read_lines(line for _, line in read_file(path))


def read_lines(lines: Iterable[str]) -> Iterator[Record]:
    """The games in lines of JSON."""
    for first, entries in games("coup", VERSION, lines):
        yield _record(first, entries)


def _record(first: int, entries: list[dict[str, Any]]) -> Record:
    header = entries[0]
    seats = get(first, header, "seats", list)
    low, high = GAME.seats
    if not low <= len(seats) <= high or not all(isinstance(name, str) for name in seats):
        raise RecordError(first, f"seats: expected {low} to {high} names")
    options = get(first, header, "rules", dict)
    try:
        rules = Rules.from_json(options)
    except ValueError as error:
        raise RecordError(first, f"rules: {error}") from None
    for name in rules.to_json():
        if name not in options:
            raise RecordError(first, f"rules: {name} is missing")
    number, seed = get(first, header, "game", int), get(first, header, "seed", (int, type(None)))
    if number < 0 or (seed is not None and not 0 <= seed < 1 << 64):
        raise RecordError(first, "game and seed: expected numbers from 0 on (the seed below 2^64)")
    codes = [_code(line, entry) for line, entry in enumerate(entries[1:-1], start=first + 1)]
    return Record(rules, tuple(seats), tuple(codes), seed, number, *loop_rule(first, entries))


def _code(line: int, entry: dict[str, Any]) -> int:
    try:
        return Action.from_json({"kind": get(line, entry, "kind", str), "data": get(line, entry, "data", dict)}).code
    except InvalidAction as error:
        raise RecordError(line, str(error)) from None


def check(lines: Iterable[str], progress: Callable[[int], None] = lambda steps: None) -> Iterator[Record]:
    """Replay every game under the rules and compare every field that is present; yields each game that holds.

    The first difference raises a `RecordError` that names it.
    """
    for first, entries in games("coup", VERSION, lines):
        record = _record(first, entries)
        states = record.start()
        for step, (code, entry) in enumerate(zip(record.codes, entries[1:-1], strict=True)):
            line = first + 1 + step
            actual = _when(states, step) | ({"legal": _legal(states)} if "legal" in entry else {})
            for name, value in actual.items():
                if name in entry:
                    compare(line, f"step {step}: {name}", entry[name], value)
            if reason := game.why_not_at(states, 0, code):
                raise RecordError(line, f"step {step}: {IllegalAction(Action.from_code(code), reason, states)}")
            game.apply_at(states, 0, code)
            if "state" in entry:
                compare(line, f"step {step}: state", entry["state"], position(states))
        line = first + len(entries) - 1
        if game.actor_at(states, 0) != OVER and entries[-1].get("termination") not in ("unfinished", LOOP):
            raise RecordError(line, f"the game ends here, but it is not over: it waits for {PHASES[int(states['phase'][0])]}")
        compare(line, "end", entries[-1], record.end(states))
        progress(len(record.codes))
        yield record
