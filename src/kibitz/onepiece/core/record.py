"""The file of a game: JSON Lines, as described field by field in ``docs/onepiece.md``.

>>> record = simulate(["greedy", "random"], seed=3)
>>> lines = list(record.lines())
>>> len(lines) == len(record.codes) + 2
True
>>> next(read_lines(lines)).codes == record.codes
True
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kibitz.game import States
from kibitz.game.files import RecordError, get
from kibitz.game.record import GameRecord, RecordFiles, play_line
from kibitz.ground.rng import derive_seed
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.cards import Card, table_of
from kibitz.onepiece.core.decks import STARTERS, Deck, builtin_cards, deck_from_json, starter
from kibitz.onepiece.core.engine import POLICIES, OnePieceState, game_with
from kibitz.onepiece.core.game_state import GameState
from kibitz.onepiece.core.keys import position
from kibitz.onepiece.core.reading import CardError


@dataclass(frozen=True)
class Record(GameRecord):
    """One game: the decks, who sat where, who began, and every action and outcome as a code."""

    NAME = "onepiece"
    STATE = GameState

    decks: tuple[Deck, Deck]
    first: int = 0

    def start(self) -> States:
        """The position before the deal."""
        return game_with(*self.decks).new(2, self.first)

    def setting(self) -> dict[str, Any]:
        """The decks, and who begins."""
        return {"decks": [deck.to_json() for deck in self.decks], "first": self.first}

    def action(self, code: int) -> Action:
        """The action of a code in this match."""
        return Action.from_code(code, table_of(*self.decks))

    def code_of(self, kind: str, data: dict[str, Any]) -> int:
        """The code of an action in this match."""
        return Action.from_json({"kind": kind, "data": data}).code(table_of(*self.decks))

    def moment(self, states: States) -> tuple[int, str]:
        """The turn, and what the game waits for."""
        state: OnePieceState = states[0]
        return state.turn, state.waiting.name

    def position(self, states: States) -> dict[str, Any]:
        """Everything true in a position, by name."""
        found: dict[str, Any] = json.loads(json.dumps(position(states[0])))  # as it stands in the file: with lists, not tuples
        return found


def simulate(bots: Sequence[str], seed: int, decks: tuple[Deck, Deck] | None = None, first: int = 0, number: int = 0) -> Record:
    """Play one game between bots and keep every step. `seed` (64 bits of it) is the seed of this very game."""
    seed = derive_seed(seed)
    pair = decks or (starter("tide"), starter("ember"))
    codes, _ = play_line(game_with(*pair).new(2, first), [POLICIES[bot] for bot in bots], seed)
    return Record(pair, first, seats=tuple(bots), codes=codes, seed=seed, game=number)


@lru_cache(maxsize=64)  # decks of strangers must not stay for ever
def _deck_of(text: str) -> Deck:
    """A deck of cards that come with Kibitz; the same object for the same deck."""
    value = json.loads(text)
    for name in STARTERS:
        if starter(name).to_json() == value:
            return starter(name)
    return deck_from_json(value, builtin_cards())


def _decks_in(line: int, header: dict[str, Any], cards: Mapping[str, Card] | None) -> tuple[Deck, Deck]:
    listed = get(line, header, "decks", list)
    if len(listed) != 2:
        raise RecordError(line, "decks: expected 2 decks")
    try:
        if cards is None:
            one, two = (_deck_of(json.dumps(deck)) for deck in listed)
        else:
            known = {**builtin_cards(), **cards}
            one, two = (deck_from_json(deck, known) for deck in listed)
        table_of(one, two)  # which refuses two cards with one id
    except CardError as error:
        raise RecordError(line, f"decks: {error}") from None
    return one, two


def records(cards: Mapping[str, Card] | None = None) -> RecordFiles[Record]:
    """How records are read; `cards` are those of decks that do not come with Kibitz."""

    def begun(line: int, header: dict[str, Any], common: dict[str, Any]) -> Record:
        decks = _decks_in(line, header, cards)
        first = get(line, header, "first", int)
        if first not in (0, 1):
            raise RecordError(line, "first: expected seat 0 or 1")
        return Record(decks, first, **common)

    return RecordFiles(Record.NAME, (2, 2), begun)


RECORDS = records()
read, read_lines, check = RECORDS.read, RECORDS.read_lines, RECORDS.check
