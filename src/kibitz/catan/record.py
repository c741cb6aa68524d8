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

import errno
import gzip
import io
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.actions import Action, InvalidAction
from kibitz.catan.board import Board, InvalidBoard, parse_json
from kibitz.catan.engine import GAME
from kibitz.catan.game_state import IllegalAction
from kibitz.catan.position import PHASES, actor_name, points_of, position, seat_or_none
from kibitz.catan.state import Rules, new_states
from kibitz.game import OVER
from kibitz.jit import uint64
from kibitz.rng import derive_seed

VERSION = 1


class RecordError(ValueError):
    """A record that cannot be read, or does not replay; the message begins with the line."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(f"line {line}: {message}")

    def __reduce__(self) -> tuple[type[RecordError], tuple[int, str]]:
        return RecordError, (self.line, self.message)


@dataclass(frozen=True)
class Record:
    """One game: how it was set up, and every action and outcome as a code."""

    board: Board
    rules: Rules
    seats: tuple[str, ...]
    codes: tuple[int, ...]
    seed: int | None = None
    game: int = 0

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

    def end(self, states: npt.NDArray[np.void]) -> dict[str, Any]:
        """The last line, given the last position."""
        row = game.to_dict(states)
        winner = seat_or_none(row["winner"])
        return {
            "end": True,
            "termination": "unfinished" if game.actor_at(states, 0) != OVER else "turn limit" if winner is None else "victory",
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


# --- files ------------------------------------------------------------------------------------------------


def check_target(path: Path) -> None:
    """Raise an OSError where `path` is no place for a file: a folder, a device, or nothing to put it into."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a file", str(path))
    if not path.parent.is_dir():
        raise OSError(errno.ENOENT, f"there is no folder {path.parent}", str(path))


@contextmanager
def writing(path: Path) -> Iterator[Callable[[str], None]]:
    """Write lines to a temporary name beside `path` and rename it at the end: nothing is ever half-written."""
    path = path.resolve()
    check_target(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as raw, _text_stream(raw, path) as stream:
            yield lambda line: print(line, file=stream)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def _text_stream(raw: IO[bytes], path: Path) -> Iterator[IO[str]]:
    binary = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) if path.suffix == ".gz" else raw
    stream = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
    try:
        yield stream
    finally:
        stream.flush()
        stream.detach()
        if binary is not raw:
            binary.close()


def read_file(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a record file with their numbers."""
    number = 0
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as stream:
        try:
            for number, line in enumerate(stream, start=1):
                yield number, line
        except (EOFError, zlib.error, UnicodeDecodeError, OSError) as error:  # a broken gzip file is an OSError too
            raise RecordError(number + 1, f"the file is damaged here ({error})") from None


def read(path: Path) -> Iterator[Record]:
    """The games of a record file, checked for form (the rules are checked by `check`)."""
    return read_lines(line for _, line in read_file(path))


def read_lines(lines: Iterable[str]) -> Iterator[Record]:
    """The games in lines of JSON."""
    for first, entries in _games(lines):
        header = entries[0]
        codes = [_code(line, entry) for line, entry in enumerate(entries[1:-1], start=first + 1)]
        yield _record(header, tuple(codes), first)


def _games(lines: Iterable[str]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The parsed lines of each game, from its header to its end line, with the number of the first."""
    entries: list[dict[str, Any]] = []
    first = number = 1
    for number, text in enumerate(lines, start=1):
        try:
            entry = parse_json(text)
        except ValueError as error:
            raise RecordError(number, str(error)) from None
        if not isinstance(entry, dict):
            raise RecordError(number, "expected an object")
        if not entries:
            first = number
            if entry.get("record") != "catan":
                raise RecordError(number, 'expected the header of a game, with "record": "catan"')
            if type(entry.get("version")) is not int or entry["version"] != VERSION:
                raise RecordError(
                    number, f"version {entry.get('version')!r} of the format is unknown; this is version {VERSION}"
                )
        elif entry.get("record") is not None:
            raise RecordError(number, f"a new game begins, but the one of line {first} has no end line")
        entries.append(entry)
        if entry.get("end") is True:
            yield first, entries
            entries = []
    if entries:
        raise RecordError(number, f"the record breaks off: the game of line {first} has no end line")


def _get(line: int, entry: dict[str, Any], name: str, kind: type | tuple[type, ...]) -> Any:
    if name not in entry:
        raise RecordError(line, f"the field {name} is missing")
    if not isinstance(entry[name], kind) or (kind is not bool and isinstance(entry[name], bool)):
        raise RecordError(line, f"{name}: {entry[name]!r} is not what belongs there")
    return entry[name]


def _record(header: dict[str, Any], codes: tuple[int, ...], line: int) -> Record:
    seats = _get(line, header, "seats", list)
    if not 2 <= len(seats) <= GAME.seats[1] or not all(isinstance(name, str) for name in seats):
        raise RecordError(line, f"seats: expected 2 to {GAME.seats[1]} names")
    try:
        board = Board.from_json(_get(line, header, "board", dict))
    except InvalidBoard as error:
        raise RecordError(line, f"board: {error}") from None
    options = _get(line, header, "rules", dict)
    try:
        rules = Rules.from_json(options)
    except ValueError as error:
        raise RecordError(line, f"rules: {error}") from None
    for name in rules.to_json():
        if name not in options:
            raise RecordError(line, f"rules: {name} is missing")
    number, seed = _get(line, header, "game", int), _get(line, header, "seed", (int, type(None)))
    if number < 0 or (seed is not None and not 0 <= seed < 1 << 64):
        raise RecordError(line, "game and seed: expected numbers from 0 on (the seed below 2^64)")
    return Record(board, rules, tuple(seats), codes, seed, number)


def _code(line: int, entry: dict[str, Any]) -> int:
    kind, data = _get(line, entry, "kind", str), _get(line, entry, "data", dict)
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
    for first, entries in _games(lines):
        codes = [_code(line, entry) for line, entry in enumerate(entries[1:-1], start=first + 1)]
        record = _record(entries[0], tuple(codes), first)
        states = record.start()
        for step, (code, entry) in enumerate(zip(codes, entries[1:-1], strict=True)):
            line = first + 1 + step
            _check_step(line, states, step, entry)
            reason = game.why_not_at(states, 0, code)
            if reason:
                raise RecordError(line, f"step {step}: {IllegalAction(Action.from_code(code), reason, states)}")
            game.apply_at(states, 0, code)
            if "state" in entry:
                _compare(line, f"step {step}: state", entry["state"], position(states))
        line = first + len(entries) - 1
        if game.actor_at(states, 0) != OVER and entries[-1].get("termination") != "unfinished":
            raise RecordError(line, f"the game ends here, but it is not over: it waits for {PHASES[int(states['phase'][0])]}")
        _compare(line, "end", entries[-1], record.end(states))
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
        _compare(line, f"step {step}: legal", entry["legal"], sorted(_text(a) for a in game.legal_actions(states)))


def _compare(line: int, where: str, recorded: Any, actual: Any) -> None:
    """Name the first field that differs."""
    if recorded == actual and type(recorded) is type(actual):
        return
    if isinstance(recorded, dict) and isinstance(actual, dict):
        for name in {**actual, **recorded}:
            if name not in recorded or name not in actual:
                raise RecordError(line, f"{where}.{name} is {'missing' if name in actual else 'unknown'}")
            _compare(line, f"{where}.{name}", recorded[name], actual[name])
    elif isinstance(recorded, list) and isinstance(actual, list):
        for i, (a, b) in enumerate(zip(recorded, actual, strict=False)):
            _compare(line, f"{where}[{i}]", a, b)
        if len(recorded) != len(actual):
            raise RecordError(line, f"{where} has {len(recorded)} entries in the record, {len(actual)} by the rules")
    else:
        raise RecordError(line, f"{where} is {recorded!r} in the record, {actual!r} by the rules")
