"""Decks that people bring: pasted or dropped, as a deck or with the cards of it, and kept with the game as they came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.ground.codec import parse_json
from kibitz.onepiece.core.cards import Card
from kibitz.onepiece.core.decks import STARTERS, Deck, read_deck, starter
from kibitz.onepiece.core.importing.cards import read_any
from kibitz.onepiece.core.reading import CardError
from kibitz.web.games import InvalidSetup

#: Bytes of a deck or of a card file.
LARGEST = 1 << 20
#: What such files are called where something is wrong in them.
DECK, CARDS = "deck", "cards"

#: A deck in a setup: the name of a starter deck, or the texts of a deck and of its cards.
Entry = str | dict[str, str]


@dataclass(frozen=True)
class Brought:
    """What a text holds: a deck, or (None) cards for decks that come after it."""

    deck: Deck | None
    entry: dict[str, str]
    """The texts of both, as a setup keeps them."""
    cards: int
    """How many cards are known besides those of the starter decks."""


def read_brought(data: bytes, cards: str = "") -> Brought:
    """A deck, or a card file; `cards` is the card file that was brought before. Raises `CardError`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CardError("this is not text in UTF-8") from None
    if _is_cards(text):
        return Brought(None, {DECK: "", CARDS: text}, len(_known(text)))
    known = _known(cards)
    return Brought(read_deck(text, DECK, known), {DECK: text, CARDS: cards}, len(known))


def deck_of(entry: Any) -> Deck:
    """The deck that a setup means. Raises `InvalidSetup`."""
    if isinstance(entry, str) and entry in STARTERS:
        return starter(entry)
    if not isinstance(entry, Mapping) or not all(isinstance(entry.get(name), str) for name in (DECK, CARDS)):
        raise InvalidSetup(f"expected a deck: {', '.join(STARTERS)}, or the texts of a deck and its cards")
    if len(entry[DECK]) + len(entry[CARDS]) > 2 * LARGEST:
        raise InvalidSetup(f"this deck is too large: at most {LARGEST >> 20} MB")
    try:
        return read_deck(entry[DECK], DECK, _known(entry[CARDS]))
    except CardError as error:
        raise InvalidSetup(str(error)) from None


def _known(cards: str) -> Mapping[str, Card]:
    return read_any(cards, CARDS, csv_file=not _is_json(cards)) if cards else {}


def _is_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "["))


def _is_cards(text: str) -> bool:
    """Whether a text is a card file without a deck: a table with a heading line, or JSON that names no Leader of a deck.

    >>> _is_cards("id,name,kind"), _is_cards("4x TW-002"), _is_cards('{"leader": "TW-001", "cards": {}}')
    (True, False, False)
    """
    if not _is_json(text):
        return "," in text.lstrip().partition("\n")[0]
    try:
        value = parse_json(text)
    except ValueError as error:
        raise CardError(f"this text: {error}") from None
    return not (isinstance(value, dict) and ("leader" in value or "decks" in value))
