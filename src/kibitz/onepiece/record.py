"""The file of a game: JSON Lines, as described field by field in ``docs/onepiece.md``.

>>> record = simulate(["greedy", "random"], seed=3)
>>> lines = list(record.lines())
>>> len(lines) == len(record.codes) + 2
True
>>> next(read_lines(lines)).codes == record.codes
True
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from kibitz.game import OVER
from kibitz.onepiece.actions import Action, InvalidAction
from kibitz.onepiece.cards import Card
from kibitz.onepiece.decks import STARTERS, Deck, deck_from_json, starter
from kibitz.onepiece.engine import POLICIES, State, decide, new, scratch
from kibitz.onepiece.game_state import IllegalAction
from kibitz.onepiece.position import actor_name, position
from kibitz.onepiece.reading import CardError
from kibitz.onepiece.schema import builtin_text, read_cards
from kibitz.onepiece.table import table_of
from kibitz.records import LOOP, RecordError, compare, games, get, loop_rule, read_file
from kibitz.rng import derive_seed

VERSION = 1


@dataclass(frozen=True)
class Record:
    """One game: the decks, who sat where, who began, and every action and outcome as a code."""

    decks: tuple[Deck, Deck]
    seats: tuple[str, ...]
    codes: tuple[int, ...]
    first: int = 0
    seed: int | None = None
    game: int = 0
    guard: Mapping[str, Any] | None = None
    """The rules of the loop guard under which it was played, if there was one."""
    drawn: bool = False
    """Whether it was a draw by these rules."""

    def start(self) -> State:
        """The position before the deal."""
        return new(*self.decks, self.first)

    def states(self) -> Iterator[State]:
        """The position before each step, and the last one. One state is reused: copy what is to be kept."""
        state = self.start()
        for code in self.codes:
            yield state
            state.apply(code)
        yield state

    def after_turn(self, turn: int) -> State:
        """The position when a turn is over (0: after set-up), or the last one."""
        for state in self.states():
            if state.turn > turn:
                break
        return state

    def action(self, code: int) -> Action:
        """The action of a code in this match."""
        return Action.from_code(code, table_of(*self.decks))

    def header(self) -> dict[str, Any]:
        """The first line."""
        return {
            "record": "onepiece",
            "version": VERSION,
            "game": self.game,
            "seed": self.seed,
            "first": self.first,
            "decks": [deck.to_json() for deck in self.decks],
            "seats": list(self.seats),
            **({} if self.guard is None else {"guard": dict(self.guard)}),
        }

    def lines(self, full: bool = False) -> Iterator[str]:
        """The game as lines of JSON; with `full`, each step with its legal actions and the position after it."""
        yield json.dumps(self.header())
        state = self.start()
        for step, code in enumerate(self.codes):
            line = _when(state, step) | self.action(code).to_json()
            legal = self._legal(state) if full else []
            state.apply(code)
            yield json.dumps(line | {"legal": legal, "state": position(state)} if full else line)
        yield json.dumps(self.end(state))

    def _legal(self, state: State) -> list[str]:
        return sorted(self.action(a).to_text() for a in state.actions())

    def end(self, state: State) -> dict[str, Any]:
        """The last line, given the last position."""
        return {
            "end": True,
            "termination": state.ending if state.actor() == OVER else LOOP if self.drawn else "unfinished",
            "winner": None if state.winner < 0 else state.winner,
            "turns": state.turn,
            "steps": len(self.codes),
        }


def _when(state: State, step: int) -> dict[str, Any]:
    """What a step's line says before the action."""
    return {"step": step, "turn": state.turn, "phase": state.waiting.name, "actor": actor_name(state)}


def simulate(bots: Sequence[str], seed: int, decks: tuple[Deck, Deck] | None = None, first: int = 0, number: int = 0) -> Record:
    """Play one game between bots and keep every step. `seed` (64 bits of it) is the seed of this very game."""
    seed = derive_seed(seed)
    pair = decks or (starter("tide"), starter("ember"))
    state = new(*pair, first)
    x = scratch(seed)
    x.policy = [POLICIES[name] for name in bots]
    codes = []
    while state.actor() != OVER:
        code = decide(state, x)
        codes.append(code)
        state.apply(code)
    return Record(pair, tuple(bots), tuple(codes), first, seed, number)


# --- reading and checking ---------------------------------------------------------------------------------------------


@cache
def builtin_cards() -> Mapping[str, Card]:
    """All cards that come with Kibitz, by id."""
    files = (*STARTERS.values(), "loop_lab.json")
    return {card.id: card for file in files for card in read_cards(builtin_text(file), file).values()}


@lru_cache(maxsize=64)  # decks of strangers must not stay for ever
def _deck_of(text: str) -> Deck:
    """A deck of cards that come with Kibitz; the same object for the same deck."""
    value = json.loads(text)
    for name in STARTERS:
        if starter(name).to_json() == value:
            return starter(name)
    return deck_from_json(value, builtin_cards())


def read(path: Path, cards: Mapping[str, Card] | None = None) -> Iterator[Record]:
    """The games of a record file, checked for form (the rules are checked by `check`)."""
    return read_lines((line for _, line in read_file(path)), cards)


def read_lines(lines: Iterable[str], cards: Mapping[str, Card] | None = None) -> Iterator[Record]:
    """The games in lines of JSON; `cards` are those of decks that do not come with Kibitz."""
    for first, entries in games("onepiece", VERSION, lines):
        yield _record(first, entries, cards)


def _record(line: int, entries: list[dict[str, Any]], cards: Mapping[str, Card] | None) -> Record:
    header = entries[0]
    seats = get(line, header, "seats", list)
    if len(seats) != 2 or not all(isinstance(name, str) for name in seats):
        raise RecordError(line, "seats: expected 2 names")
    listed = get(line, header, "decks", list)
    if len(listed) != 2:
        raise RecordError(line, "decks: expected 2 decks")
    try:
        if cards is None:
            one, two = (_deck_of(json.dumps(deck)) for deck in listed)
        else:
            known = {**builtin_cards(), **cards}
            one, two = (deck_from_json(deck, known) for deck in listed)
        table = table_of(one, two)
    except CardError as error:
        raise RecordError(line, f"decks: {error}") from None
    number, seed, first = (get(line, header, name, (int, type(None))) for name in ("game", "seed", "first"))
    if number is None or number < 0 or (seed is not None and not 0 <= seed < 1 << 64):
        raise RecordError(line, "game and seed: expected numbers from 0 on (the seed below 2^64)")
    if first not in (0, 1):
        raise RecordError(line, "first: expected seat 0 or 1")
    codes = []
    for at, entry in enumerate(entries[1:-1], start=line + 1):
        try:
            action = Action.from_json({"kind": get(at, entry, "kind", str), "data": get(at, entry, "data", dict)})
            codes.append(action.code(table))
        except InvalidAction as error:
            raise RecordError(at, str(error)) from None
    return Record((one, two), tuple(seats), tuple(codes), first, seed, number, *loop_rule(line, entries))


def check(
    lines: Iterable[str],
    progress: Callable[[int], None] = lambda steps: None,
    cards: Mapping[str, Card] | None = None,
) -> Iterator[Record]:
    """Replay every game under the rules and compare every field that is present; yields each game that holds.

    The first difference raises a `RecordError` that names it.
    """
    for first, entries in games("onepiece", VERSION, lines):
        record = _record(first, entries, cards)
        state = record.start()
        for step, (code, entry) in enumerate(zip(record.codes, entries[1:-1], strict=True)):
            line = first + 1 + step
            actual = _when(state, step) | ({"legal": record._legal(state)} if "legal" in entry else {})
            for name, value in actual.items():
                if name in entry:
                    compare(line, f"step {step}: {name}", entry[name], value)
            if reason := state.why_not(code):
                text = record.action(code).to_text()
                raise RecordError(line, f"step {step}: {IllegalAction(text, reason, state.waiting.name, state.actor())}")
            state.apply(code)
            if "state" in entry:
                compare(line, f"step {step}: state", entry["state"], json.loads(json.dumps(position(state))))
        line = first + len(entries) - 1
        if state.actor() != OVER and entries[-1].get("termination") not in ("unfinished", LOOP):
            raise RecordError(line, f"the game ends here, but it is not over: it waits for {state.waiting.name}")
        compare(line, "end", entries[-1], record.end(state))
        progress(len(record.codes))
        yield record
