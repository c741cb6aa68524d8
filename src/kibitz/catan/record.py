"""The file of a game: JSON Lines, as described field by field in ``docs/record.md``.

>>> from kibitz.catan import Board, Rules
>>> record = simulate(Board.beginner(), ["random"] * 4, seed=3, rules=Rules(domestic_trade=False))
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
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.actions import Action, InvalidAction
from kibitz.catan.board import Board, InvalidBoard
from kibitz.catan.engine import GAME
from kibitz.catan.game_state import IllegalAction
from kibitz.catan.position import PHASES, actor_name, points_of, position, seat_or_none
from kibitz.catan.state import Rules, new_states
from kibitz.game import OVER
from kibitz.jit import uint64
from kibitz.records import LOOP, RecordError, check_target, compare, games, get, loop_rule, read_file, writing
from kibitz.rng import derive_seed

__all__ = ["Record", "RecordError", "check", "check_target", "read", "read_file", "read_lines", "simulate", "writing"]

VERSION = 1


@dataclass(frozen=True)
class Record:
    """One game: how it was set up, and every action and outcome as a code."""

    board: Board
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
        """The position before the first step."""
        return new_states(self.board, len(self.seats), self.rules)

    def states(self) -> Iterator[npt.NDArray[np.void]]:
        """The position before each step, and the last one. One array is reused: copy what is to be kept.

        The steps are trusted (`check` does not trust them).
        """
        states = self.start()
        for code in self.codes:
            yield states
            game.apply_at(states, 0, code)
        yield states

    def at_turn(self, turn: int) -> npt.NDArray[np.void]:
        """The position at the end of a turn (0: after set-up)."""
        states = self.start()
        for code in self.codes:
            before = states.copy()
            game.apply_at(states, 0, code)
            if int(states["turn"][0]) > turn:
                return before if turn else states
        return states

    def header(self) -> dict[str, Any]:
        """The first line."""
        return {
            "record": "catan",
            "version": VERSION,
            "game": self.game,
            "seed": self.seed,
            "rules": self.rules.to_json(),
            "seats": list(self.seats),
            "board": self.board.to_json(),
            **({} if self.guard is None else {"guard": dict(self.guard)}),
        }

    def lines(self, full: bool = False) -> Iterator[str]:
        """The game as lines of JSON; with `full`, each step with its legal actions and the position after it."""
        yield json.dumps(self.header())
        states = self.start()
        phases, turns = states["phase"], states["turn"]
        for step, code in enumerate(self.codes):
            actor = actor_name(game.actor_at(states, 0))
            when = f'"step": {step}, "turn": {turns[0]}, "phase": "{PHASES[phases[0]]}", "actor": {json.dumps(actor)}'
            line = f"{{{when}, {_fragment(code)}"
            legal = sorted(_text(a) for a in game.legal_actions(states)) if full else []
            game.apply_at(states, 0, code)
            yield f'{line}, "legal": {json.dumps(legal)}, "state": {json.dumps(position(states))}}}' if full else line + "}"
        yield json.dumps(self.end(states))

    @property
    def _unfinished(self) -> str:
        return LOOP if self.drawn else "unfinished"

    def end(self, states: npt.NDArray[np.void]) -> dict[str, Any]:
        """The last line, given the last position."""
        row = game.to_dict(states)
        over = game.actor_at(states, 0) == OVER
        winner = seat_or_none(row["winner"])
        return {
            "end": True,
            "termination": self._unfinished if not over else "turn limit" if winner is None else "victory",
            "winner": winner,
            "turns": row["turn"],
            "steps": len(self.codes),
            "points": [points_of(row, seat)[1] for seat in range(row["seats"])],
        }


@lru_cache(4096)
def _fragment(code: int) -> str:
    return json.dumps(Action.from_code(code).to_json())[1:-1]


@lru_cache(4096)
def _text(code: int) -> str:
    return Action.from_code(code).to_text()


def simulate(board: Board, bots: Sequence[str], seed: int, rules: Rules = Rules(), number: int = 0) -> Record:  # noqa: B008
    """Play one game between policies and keep every step. `seed` (64 bits of it) is the seed of this very game."""
    seed = derive_seed(seed)
    states = new_states(board, len(bots), rules)
    xs = GAME.scratches()
    xs["policy"][0, : len(bots)] = [GAME.policies[name] for name in bots]
    game.reseed_at(xs, 0, uint64(seed))
    codes = []
    while game.actor_at(states, 0) != OVER:
        code = game.decide_at(states, 0, xs, 0)
        codes.append(code)
        game.apply_at(states, 0, code)
    return Record(board, rules, tuple(bots), tuple(codes), seed, number)


# --- reading --------------------------------------------------------------------------------------------


def read(path: Path) -> Iterator[Record]:
    """The games of a record file, checked for form (the rules are checked by `check`)."""
    return read_lines(line for _, line in read_file(path))


def read_lines(lines: Iterable[str]) -> Iterator[Record]:
    """The games in lines of JSON."""
    for first, entries in games("catan", VERSION, lines):
        codes = [_code(line, entry) for line, entry in enumerate(entries[1:-1], start=first + 1)]
        yield _record(entries, tuple(codes), first)


def _record(entries: list[dict[str, Any]], codes: tuple[int, ...], line: int) -> Record:
    header = entries[0]
    seats = get(line, header, "seats", list)
    if not 2 <= len(seats) <= GAME.seats[1] or not all(isinstance(name, str) for name in seats):
        raise RecordError(line, f"seats: expected 2 to {GAME.seats[1]} names")
    try:
        board = Board.from_json(get(line, header, "board", dict))
    except InvalidBoard as error:
        raise RecordError(line, f"board: {error}") from None
    options = get(line, header, "rules", dict)
    try:
        rules = Rules.from_json(options)
    except ValueError as error:
        raise RecordError(line, f"rules: {error}") from None
    for name in rules.to_json():
        if name not in options:
            raise RecordError(line, f"rules: {name} is missing")
    number, seed = get(line, header, "game", int), get(line, header, "seed", (int, type(None)))
    if number < 0 or (seed is not None and not 0 <= seed < 1 << 64):
        raise RecordError(line, "game and seed: expected numbers from 0 on (the seed below 2^64)")
    return Record(board, rules, tuple(seats), codes, seed, number, *loop_rule(line, entries))


def _code(line: int, entry: dict[str, Any]) -> int:
    kind, data = get(line, entry, "kind", str), get(line, entry, "data", dict)
    try:
        return _code_of(kind, json.dumps(data))
    except InvalidAction as error:
        raise RecordError(line, str(error)) from None


@lru_cache(4096)
def _code_of(kind: str, data: str) -> int:
    """A game repeats a few hundred different actions."""
    return Action(kind, json.loads(data)).code


# --- verification -----------------------------------------------------------------------------------------


def check(lines: Iterable[str], progress: Callable[[int], None] = lambda steps: None) -> Iterator[Record]:
    """Replay every game under the rules and compare every field that is present; yields each game that holds.

    The first difference raises a `RecordError` that names it.
    """
    for first, entries in games("catan", VERSION, lines):
        codes = [_code(line, entry) for line, entry in enumerate(entries[1:-1], start=first + 1)]
        record = _record(entries, tuple(codes), first)
        states = record.start()
        for step, (code, entry) in enumerate(zip(codes, entries[1:-1], strict=True)):
            line = first + 1 + step
            _check_step(line, states, step, entry)
            reason = game.why_not_at(states, 0, code)
            if reason:
                raise RecordError(line, f"step {step}: {IllegalAction(Action.from_code(code), reason, states)}")
            game.apply_at(states, 0, code)
            if "state" in entry:
                compare(line, f"step {step}: state", entry["state"], position(states))
        line = first + len(entries) - 1
        if game.actor_at(states, 0) != OVER and entries[-1].get("termination") not in ("unfinished", LOOP):
            raise RecordError(line, f"the game ends here, but it is not over: it waits for {PHASES[int(states['phase'][0])]}")
        compare(line, "end", entries[-1], record.end(states))
        progress(len(codes))
        yield record


def _check_step(line: int, states: npt.NDArray[np.void], step: int, entry: dict[str, Any]) -> None:
    actual = {
        "step": step,
        "turn": int(states["turn"][0]),
        "phase": PHASES[int(states["phase"][0])],
        "actor": actor_name(game.actor_at(states, 0)),
    }
    for name, value in actual.items():
        if name in entry and entry[name] != value:
            raise RecordError(line, f"step {step}: {name} is {entry[name]!r} in the record, {value!r} by the rules")
    if "legal" in entry:
        compare(line, f"step {step}: legal", entry["legal"], sorted(_text(a) for a in game.legal_actions(states)))
