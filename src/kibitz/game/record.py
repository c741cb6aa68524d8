"""What the `Record` of every game can do: the game as lines of JSON, its positions, and the proof that it holds.

The format is described in ``docs/record.md``; a game's own `record` module says what its lines hold.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from kibitz import game
from kibitz.game import CHANCE, OVER, States, copied, game_of
from kibitz.game.actions import AnyAction, InvalidAction
from kibitz.game.definition import actor_name, seat_policies
from kibitz.game.doors import door, reseed_at
from kibitz.game.drivers import decide
from kibitz.game.files import LOOP, UNFINISHED, Part, RecordError, compare, get, parsed, read_file
from kibitz.game.options import RuleOptions
from kibitz.game.state import FriendlyState, Outcome
from kibitz.game.verbs import actor, apply
from kibitz.ground.jit import integers, uint64

#: What the line of a step holds, and what it holds besides where `--full` was asked for.
STEP_FIELDS = frozenset({"step", "turn", "phase", "actor", "kind", "data"})
FULL_FIELDS = frozenset({"legal", "state"})


@dataclass(frozen=True, kw_only=True)
class GameRecord(ABC):
    """One game: how it was set up, and every action and outcome as a code.

    A game's own record is a dataclass that adds what its set-up needs.
    """

    #: The game, as the header names it.
    NAME: ClassVar[str]
    VERSION: ClassVar[int] = 1
    #: The friendly object of its positions.
    STATE: ClassVar[type[FriendlyState[Any]]]

    seats: tuple[str, ...]
    codes: tuple[int, ...]
    seed: int | None = None
    game: int = 0
    guard: Mapping[str, Any] | None = None
    """The rules of the loop guard under which it was played, if there was one."""
    drawn: bool = False
    """Whether it was a draw by these rules."""

    @property
    def name(self) -> str:
        """The name of the game, for the header."""
        return self.NAME

    @abstractmethod
    def start(self) -> States:
        """The position before the first step."""

    @abstractmethod
    def setting(self) -> dict[str, Any]:
        """What the header says about this game alone: its rules, its board, its decks."""

    @abstractmethod
    def action(self, code: int) -> AnyAction:
        """The action of a code."""

    @abstractmethod
    def code_of(self, kind: str, data: dict[str, Any]) -> int:
        """The code of an action, as the line of a step names it. Raises `InvalidAction`."""

    @abstractmethod
    def moment(self, states: States) -> tuple[int, str]:
        """The turn and the phase: what the game waits for."""

    def position(self, states: States) -> dict[str, Any]:
        """Everything true in a position, by name."""
        return self.STATE(states).position()

    def result(self, states: States) -> dict[str, Any]:
        """How the game ended, for the last line: at least its `termination` and its `winner`."""
        outcome = self.STATE(states).outcome or Outcome(LOOP if self.drawn else UNFINISHED, None)
        return outcome._asdict()

    def action_json(self, code: int) -> str:
        """The part of a step's line that names the action."""
        return json.dumps(self.action(code).to_json())[1:-1]

    def action_text(self, code: int) -> str:
        """An action as people write it."""
        return self.action(code).to_text()

    def states(self) -> Iterator[States]:
        """The position before each step, and the last one. One array is reused: copy what is to be kept.

        The steps are trusted (a check does not trust them).
        """
        states = self.start()
        for code in self.codes:
            yield states
            game.apply_at(states, 0, code)
        yield states

    def before(self, step: int) -> States:
        """The position before a step; after the last one, the last position."""
        return next(islice(self.states(), step, None))

    def header(self) -> dict[str, Any]:
        """The first line."""
        return {
            "record": self.name,
            "version": self.VERSION,
            "game": self.game,
            "seed": self.seed,
            "seats": list(self.seats),
            **self.setting(),
            **({} if self.guard is None else {"guard": dict(self.guard)}),
        }

    def lines(self, full: bool = False) -> Iterator[str]:
        """The game as lines of JSON; with `full`, each step with its legal actions and the position after it."""
        yield json.dumps(self.header())
        states = self.start()
        for step, code in enumerate(self.codes):
            turn, phase = self.moment(states)
            # by hand: half of the time of a long series would be spent in json.dumps
            seat = int(game.actor_at(states, 0))
            who = seat if seat >= 0 else _NOBODY[seat]
            line = f'{{"step": {step}, "turn": {turn}, "phase": "{phase}", "actor": {who}, {self.action_json(code)}'
            legal = self._legal(states) if full else []
            game.apply_at(states, 0, code)
            after = f', "legal": {json.dumps(legal)}, "state": {json.dumps(self.position(states))}' if full else ""
            yield f"{line}{after}}}"
        yield json.dumps(self.end(states))

    def end(self, states: States) -> dict[str, Any]:
        """The last line, given the last position."""
        found = self.result(states)
        how = {"end": True, "termination": found.pop("termination"), "winner": found.pop("winner")}
        return {**how, "turns": self.moment(states)[0], "steps": len(self.codes), **found}

    def _legal(self, states: States) -> list[str]:
        return sorted(self.action_text(code) for code in game.legal_actions(states))


class _Replay:
    """A recorded game, played again line by line: the first difference raises a `RecordError` that names it."""

    def __init__(self, record: GameRecord) -> None:
        self._record = record
        self._states = record.start()
        self._step = 0
        self._full: bool | None = None

    def step(self, line: int, entry: dict[str, Any]) -> int:
        """Check the line of a step and take it; what was done."""
        self._check_names(line, entry)
        record, states, where = self._record, self._states, f"step {self._step}"
        turn, phase = record.moment(states)
        now = {"step": self._step, "turn": turn, "phase": phase, "actor": actor_name(int(game.actor_at(states, 0)))}
        for name, value in now.items():
            compare(line, f"{where}: {name}", entry[name], value)
        code = _code(record, line, entry)
        compare(line, f"{where}: data", entry["data"], json.loads(f"{{{record.action_json(code)}}}")["data"])
        if self._full:
            compare(line, f"{where}: legal", entry["legal"], record._legal(states))
        if reason := int(game.why_not_at(states, 0, code)):
            raise RecordError(line, f"{where}: {game_of(states).refuse(states, code, reason)}")
        game.apply_at(states, 0, code)
        if self._full:
            compare(line, f"{where}: state", entry["state"], record.position(states))
        self._step += 1
        return code

    def _check_names(self, line: int, entry: dict[str, Any]) -> None:
        """Every step has the same fields: with `--full` more, but then all steps of the game have them."""
        if self._full is None:
            self._full = not FULL_FIELDS.isdisjoint(entry)
        expected = STEP_FIELDS | FULL_FIELDS if self._full else STEP_FIELDS
        for name in sorted(expected - set(entry)):
            raise RecordError(line, f"the field {name} is missing")
        for name in entry:
            if name not in expected:
                elsewhere = ", which the steps before it do not have" if name in FULL_FIELDS else ""
                raise RecordError(line, f"the field {name} is unknown{elsewhere}")

    def end(self, line: int, entry: dict[str, Any], record: GameRecord) -> None:
        """Check the last line of the whole game."""
        if game.actor_at(self._states, 0) != OVER and entry.get("termination") not in (UNFINISHED, LOOP):
            waiting = record.moment(self._states)[1]
            raise RecordError(line, f"the game ends here, but it is not over: it waits for {waiting}")
        compare(line, "end", entry, record.end(self._states))


def _code(record: GameRecord, line: int, entry: dict[str, Any]) -> int:
    """The action that the line of a step names."""
    kind, data = get(line, entry, "kind", str), get(line, entry, "data", dict)
    try:
        return record.code_of(kind, data)
    except InvalidAction as error:
        raise RecordError(line, str(error)) from None


R_co = TypeVar("R_co", bound=GameRecord, covariant=True)


@dataclass(frozen=True)
class RecordFiles(Generic[R_co]):
    """How the records of a game are read and checked."""

    name: str
    seats: tuple[int, int]
    """How many can play, at least and at most."""
    begun: Callable[[int, dict[str, Any], dict[str, Any]], R_co]
    """``begun(line, header, common)``: the record that begins with this header, still without steps; `common` are the
    fields that every record has."""

    def read(self, path: Path) -> Iterator[R_co]:
        """The games of a record file, checked for form (the rules are checked by `check`)."""
        return self.read_lines(line for _, line in read_file(path))

    def read_lines(self, lines: Iterable[str]) -> Iterator[R_co]:
        """The games in lines of JSON."""
        return self._records(lines)

    def check(self, lines: Iterable[str], progress: Callable[[int], None] = lambda steps: None) -> Iterator[R_co]:
        """Replay every game under the rules and compare every field; yields each game that holds.

        The first difference in the file, of form or of rule, raises a `RecordError` that names it. `progress` is told how many
        more steps have been checked.
        """
        for record in self._records(lines, replayed=True):
            progress(len(record.codes))
            yield record

    def _records(self, lines: Iterable[str], replayed: bool = False) -> Iterator[R_co]:
        record: R_co | None = None
        codes: list[int] = []
        try:
            for line, part, entry in parsed(self.name, GameRecord.VERSION, lines):
                if record is None:  # the header
                    record, codes = self.begun(line, entry, self._common(line, entry)), []
                    if replayed:
                        named = {name: value for name, value in entry.items() if name != "guard" or value is not None}
                        compare(line, "header", named, record.header())
                        replay = _Replay(record)
                elif part is Part.STEP:
                    codes.append(replay.step(line, entry) if replayed else _code(record, line, entry))
                else:
                    drawn = entry.get("termination") == LOOP
                    if drawn and record.guard is None:
                        raise RecordError(line, "a draw by a loop rule, but the header names no guard")
                    ended = replace(record, codes=tuple(codes), drawn=drawn)
                    if replayed:
                        replay.end(line, entry, ended)
                    record = None
                    yield ended
        except RecordError as error:
            if record is not None:
                error.begun = replace(record, codes=tuple(codes))
            raise

    def _common(self, line: int, header: dict[str, Any]) -> dict[str, Any]:
        """The fields of every record. Whether the guard agrees is another question (`kibitz.play.guarded`)."""
        names = get(line, header, "seats", list)
        low, high = self.seats
        if not low <= len(names) <= high or not all(isinstance(name, str) for name in names):
            raise RecordError(line, f"seats: expected {low if low == high else f'{low} to {high}'} names")
        number, seed = get(line, header, "game", int), get(line, header, "seed", (int, type(None)))
        if number < 0 or (seed is not None and not 0 <= seed < 1 << 64):
            raise RecordError(line, "game and seed: expected numbers of at least 0 (the seed below 2^64)")
        guard = header.get("guard")
        if guard is not None and not isinstance(guard, dict):
            raise RecordError(line, "guard: expected an object")
        return {"seats": tuple(names), "codes": (), "seed": seed, "game": number, "guard": guard}


O = TypeVar("O", bound=RuleOptions)  # noqa: E741


def rules_in(line: int, header: dict[str, Any], kind: type[O]) -> O:
    """The rule options that a header names, all of them."""
    options = get(line, header, "rules", dict)
    try:
        rules = kind.from_json(options)
    except ValueError as error:
        raise RecordError(line, f"rules: {error}") from None
    for name in rules.to_json():
        if name not in options:
            raise RecordError(line, f"rules: {name} is missing")
    return rules


#: Who is to move where nobody is, in JSON.
_NOBODY = {seat: json.dumps(actor_name(seat)) for seat in (CHANCE, OVER)}
#: How many steps of a game are played at once before Python takes them over.
STRETCH = 4096


@door
def play_on(states: Any, i: int, xs: Any, j: int, codes: Any) -> int:
    """Play ``states[i]`` on until it is over or `codes` is full, and write there what is done; how many steps that took."""
    s, x = states[i], xs[j]
    steps = 0
    seat = actor(s)
    while seat != OVER and steps < len(codes):
        codes[steps] = decide(s, x, seat)
        apply(s, codes[steps])
        steps += 1
        seat = actor(s)
    return steps


def play_line(start: States, policies: Sequence[int], seed: int) -> tuple[tuple[int, ...], States]:
    """Every action and outcome of one game between policies, and the last state. `seed` is the seed of this very game."""
    states, xs = copied(start[:1]), game_of(start).scratches()
    seat_policies(xs, policies)
    reseed_at(xs, 0, uint64(seed))
    stretch, codes = integers(np.zeros(STRETCH, np.int64)), []
    while steps := play_on(states, 0, xs, 0, stretch):
        codes += stretch[:steps].tolist()
    return tuple(codes), states
