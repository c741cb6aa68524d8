"""Decks: a Leader and exactly 50 cards of the Leader's colours, at most four of each number; and the two starter decks.

>>> deck = starter("tide")
>>> deck.leader, deck.size
(<leader TW-001 Maris Veil, Keeper of the Lock>, 50)
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kibitz.ground.codec import parse_json
from kibitz.ground.folders import text_in
from kibitz.onepiece.core.cards import LEADER, Card
from kibitz.onepiece.core.reading import CardError, FieldReader
from kibitz.onepiece.core.schema import builtin_text, read_cards

DECK_SIZE = 50
MOST_COPIES = 4
#: The starter decks by name, and the files of their cards.
STARTERS = {"tide": "tidewatch.json", "ember": "emberline.json"}


class DeckError(CardError):
    """A deck that the rules do not allow; `rule` names the rule."""

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        super().__init__(f"{message} ({rule})")

    def __reduce__(self) -> tuple[Any, ...]:
        return CardError, (str(self),)


@dataclass(frozen=True, eq=False)
class Deck:
    """A Leader and cards with their numbers of copies. `check_deck` applies the rules of deck building."""

    name: str
    leader: Card
    cards: Mapping[Card, int]

    @property
    def size(self) -> int:
        """How many cards, the Leader not counted."""
        return sum(self.cards.values())

    def to_json(self) -> dict[str, Any]:
        """Name, Leader and cards by id."""
        return {
            "name": self.name,
            "leader": self.leader.id,
            "cards": {card.id: n for card, n in sorted(self.cards.items(), key=lambda item: item[0].id)},
        }


def check_deck(deck: Deck) -> Deck:
    """The deck itself; raises `DeckError` if a rule of deck building is broken."""
    if deck.leader.kind != LEADER:
        raise DeckError("one Leader", f"{deck.leader.id} {deck.leader.name} is not a Leader")
    for card, n in deck.cards.items():
        if card.kind == LEADER:
            raise DeckError("one Leader", f"{card.id} {card.name} is a second Leader")
        if not set(card.colours) & set(deck.leader.colours):
            has, wants = " and ".join(card.colours), " or ".join(deck.leader.colours)
            raise DeckError("cards of the Leader's colours", f"{card.id} {card.name} is {has}, not {wants}")
        if not 1 <= n <= MOST_COPIES:
            raise DeckError("at most 4 cards of one number", f"{card.id} {card.name}: {n} copies")
    if deck.size != DECK_SIZE:
        raise DeckError("exactly 50 cards", f"{deck.name}: {deck.size} cards")
    return deck


def deck_from_json(value: Any, cards: Mapping[str, Card], where: str = "deck") -> Deck:
    """A deck from ``{"name": ..., "leader": id, "cards": {id: copies}}``, checked against the rules."""
    r = FieldReader(value, where)
    name = r.text("name", where)
    leader = _known(r.text("leader"), cards)
    listed = r.raw("cards")
    if not isinstance(listed, dict):
        raise r.fail("cards", "expected card ids with their numbers of copies")
    copies: dict[Card, int] = {}
    for identity, n in listed.items():
        if type(n) is not int:
            raise r.fail("cards", f"{identity}: expected a number of copies, found {n!r:.60}")
        copies[_known(identity, cards)] = n
    r.finish()
    return check_deck(Deck(name, leader, copies))


def _known(identity: str, cards: Mapping[str, Card]) -> Card:
    if identity not in cards:
        raise DeckError("known cards only", f"{identity!r}: no such card")
    return cards[identity]


@cache
def builtin_cards() -> Mapping[str, Card]:
    """All cards that come with Kibitz, by id."""
    files = (*STARTERS.values(), "loop_lab.json")
    return {card.id: card for file in files for card in read_cards(builtin_text(file), file).values()}


@cache
def starter(name: str) -> Deck:
    """One of the two starter decks: ``tide`` or ``ember``."""
    if name not in STARTERS:
        raise DeckError("known decks only", f"{name!r}: no such deck; these are {', '.join(STARTERS)}")
    value = parse_json(builtin_text(STARTERS[name]))["decks"][0]
    return deck_from_json({"name": name, **value}, builtin_cards(), STARTERS[name])


def load_deck(path: Path, cards: Mapping[str, Card] | None = None) -> Deck:
    """A deck from a file, as `read_deck` reads it."""
    return read_deck(text_in(path), path.name, cards)


def read_deck(text: str, file: str, cards: Mapping[str, Card] | None = None) -> Deck:
    """A deck from the text of a file: a card file with one deck in it, a deck alone, or a plain list.

    A deck alone is ``{"leader": id, "cards": {id: copies}}``; a list has a line for each card, ``4 TW-002`` or ``4x TW-002``,
    the Leader among them. Their cards are `cards`, and those that come with Kibitz.
    """
    known, name = {**builtin_cards(), **(cards or {})}, Path(file).stem
    if not text.lstrip().startswith(("{", "[")):
        return check_deck(_listed(text, known, file))
    try:
        value = parse_json(text)
    except ValueError as error:
        raise CardError(f"{file}: {error}") from None
    if isinstance(value, dict) and "leader" in value:
        return deck_from_json({"name": name, **value}, known, file)
    own = read_cards(text, file)
    decks = value.get("decks")
    if not isinstance(decks, list) or len(decks) != 1:
        raise CardError(f"{file}: decks: expected a list with one deck")
    named = {"name": name, **decks[0]} if isinstance(decks[0], dict) else decks[0]
    return deck_from_json(named, {**known, **own}, file)


def _listed(text: str, cards: Mapping[str, Card], file: str) -> Deck:
    """A deck from lines such as ``4x TW-002 Lock Apprentice``; empty lines and those that begin with # or // are skipped."""
    leaders: list[Card] = []
    copies: dict[Card, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.strip().startswith(("#", "//")):
            continue
        found = re.match(r"\s*(?:(\d{1,3})\s*x?\s+|(\d{1,3})x)?(\S+)", line, re.IGNORECASE)
        if found is None or found[3] not in cards:
            raise DeckError("known cards only", f"{file}: line {number}: {line.strip()[:40]!r}: no such card")
        card, n = cards[found[3]], int(found[1] or found[2] or 1)
        if card.kind == LEADER:
            leaders += [card] * n
        else:
            copies[card] = copies.get(card, 0) + n
    if len(leaders) != 1:
        raise DeckError("one Leader", f"{file}: {len(leaders)} Leaders")
    return Deck(Path(file).stem, leaders[0], copies)
