"""Card files that a user supplies: JSON or CSV with printed numbers and effect texts, turned into playable cards.

The fields are id, name, kind (or category), cost, power, counter, life, colours (or color), types, effect (or text) and
trigger; others are ignored. Lists are JSON lists, or separated by / or ;. What the phrases of `kibitz.onepiece.phrases` cannot
read is listed, and the card plays without it.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.jsontext import parse_json
from kibitz.onepiece.cards import CHARACTER, COLOURS, EVENT, KINDS, LEADER, STAGE, Card
from kibitz.onepiece.phrases import read_text
from kibitz.onepiece.reading import CardError
from kibitz.onepiece.schema import read_card

_OTHER_NAMES = {
    "category": "kind",
    "color": "colours",
    "colors": "colours",
    "colour": "colours",
    "type": "types",
    "feature": "types",
    "text": "effect",
}
_NUMBERS_OF = {CHARACTER: ("cost", "power", "counter"), LEADER: ("power", "life"), EVENT: ("cost",), STAGE: ("cost",)}
_NOTHING = ("", "-", "null", "none")


@dataclass(frozen=True)
class Unread:
    """A part of an effect text that could not be encoded."""

    card: str
    text: str


@dataclass(frozen=True)
class Imported:
    """The cards of a file by id, their JSON (for a card file of Kibitz), and what could not be encoded."""

    cards: dict[str, Card]
    data: list[dict[str, Any]]
    unread: list[Unread]

    def to_json(self, name: str) -> dict[str, Any]:
        """A card file of Kibitz, without decks."""
        return {"set": name, "cards": self.data}


def import_cards(path: Path) -> Imported:
    """Read a card file: CSV with a heading line, or JSON (a list of objects, or an object with a list ``cards``)."""
    text = path.read_text(encoding="utf-8-sig")
    return import_text(text, path.name, csv_file=path.suffix.lower() == ".csv")


def import_text(text: str, file: str, csv_file: bool = False) -> Imported:
    """The same for a text that was read already."""
    cards: dict[str, Card] = {}
    data: list[dict[str, Any]] = []
    unread: list[Unread] = []
    for number, row in enumerate(_rows(text, file, csv_file), start=1):
        value, lost = _translate(row, f"{file}: card {number}")
        card = read_card(value, file)
        if card.id in cards:
            raise CardError(f"{file}: {card.id}: id: there is another card with this id")
        cards[card.id] = card
        data.append(value)
        unread += [Unread(card.id, part) for part in lost]
    return Imported(cards, data, unread)


def _rows(text: str, file: str, csv_file: bool) -> list[dict[str, Any]]:
    if csv_file:
        return [dict(row) for row in csv.DictReader(io.StringIO(text))]
    try:
        value = parse_json(text)
    except ValueError as error:
        raise CardError(f"{file}: {error}") from None
    rows = value.get("cards") if isinstance(value, dict) else value
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise CardError(f"{file}: expected a list of cards")
    return rows


def _translate(row: dict[str, Any], where: str) -> tuple[dict[str, Any], list[str]]:
    """A row as a card in the format of Kibitz, and the sentences that were lost."""
    given = {}
    for name, value in row.items():
        key = str(name).strip().lower()
        given[_OTHER_NAMES.get(key, key)] = value
    kind = str(given.get("kind") or "").strip().lower()
    if kind not in KINDS:
        raise CardError(f"{where}: kind: expected one of {', '.join(KINDS)}, found {given.get('kind')!r:.60}")
    card: dict[str, Any] = {
        "id": str(given.get("id") or "").strip(),
        "name": str(given.get("name") or given.get("id") or "").strip(),
        "kind": kind,
        "colours": [word.lower() for word in _list(given.get("colours"))],
    }
    unknown = [word for word in card["colours"] if word not in COLOURS]
    if unknown:
        raise CardError(f"{where}: colours: {unknown[0]!r}: expected one of {', '.join(COLOURS)}")
    for name in ("cost", "power", "counter", "life"):
        number = _number(given.get(name), f"{where}: {name}")
        if number is not None and not (name == "cost" and kind == LEADER):
            card[name] = number
    if kind == LEADER and "life" not in card:
        card["life"] = _number(given.get("cost"), f"{where}: cost") or 5  # files list a Leader's life as its cost
    card["types"] = _list(given.get("types"))
    text = " ".join(str(given.get("effect") or "").split())
    trigger = " ".join(str(given.get("trigger") or "").split())
    if trigger.lower() not in _NOTHING and "[trigger]" not in text.lower():
        text += f" {trigger}" if trigger.lower().startswith("[trigger]") else f" [Trigger] {trigger}"
    reading = read_text(text if text.strip().lower() not in _NOTHING else "")
    for name in ("cost", "power", "counter", "life"):
        if name not in _NUMBERS_OF[kind]:
            card.pop(name, None)
    if reading.keywords and kind == CHARACTER:
        card["keywords"] = sorted(set(reading.keywords))
    if reading.abilities:
        card["abilities"] = reading.abilities
    if text.strip():
        card["text"] = text.strip()
    return card, reading.unread


def _list(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(word).strip() for word in value]
    text = str(value or "").replace(";", "/")
    return [word.strip() for word in text.split("/") if word.strip()]


def _number(value: Any, where: str) -> int | None:
    """A whole number, also as text; None for nothing."""
    if value is None or (isinstance(value, str) and value.strip().lower() in _NOTHING):
        return None
    text = str(value).strip().lstrip("+")
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise CardError(f"{where}: expected a whole number, found {value!r:.60}")
    return int(text)
