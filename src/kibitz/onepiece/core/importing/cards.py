"""Card files that a user supplies: JSON or CSV with printed numbers and effect texts, turned into playable cards.

Files differ in what they call things: ``Card Number`` is an id, ``category`` a kind, ``feature`` a type. `NAMES` holds the
names that are known; `Imported.fields` says which field of the file was taken for what. Lists are JSON lists, or separated by
``/``, ``;`` or ``,``. What `kibitz.onepiece.core.importing.phrases` cannot read is listed, and the card plays without it.
"""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.ground.codec import parse_json
from kibitz.ground.folders import text_in
from kibitz.onepiece.core.cards import CHARACTER, COLOURS, EVENT, KINDS, LEADER, STAGE, Card
from kibitz.onepiece.core.importing.phrases import read_text
from kibitz.onepiece.core.reading import CardError
from kibitz.onepiece.core.schema import read_card, read_cards

#: What the fields are called elsewhere, in small letters and without spaces and signs; the first that a file has counts.
NAMES = {
    "id": ("id", "cardid", "cardsetid", "cardnumber", "cardno", "cardcode", "number", "code", "no"),
    "name": ("name", "cardname", "title"),
    "kind": ("kind", "category", "cardtype", "cardkind", "cardcategory"),
    "colours": ("colours", "colors", "colour", "color", "cardcolor", "cardcolour"),
    "cost": ("cost", "cardcost", "playcost"),
    "power": ("power", "cardpower"),
    "counter": ("counter", "counteramount", "counterpower", "countervalue"),
    "life": ("life", "lifepoints"),
    "attribute": ("attribute", "attributes"),
    "types": ("types", "type", "feature", "features", "trait", "traits", "subtypes", "subtype", "families", "family"),
    "effect": ("effect", "effects", "text", "cardtext", "effecttext", "cardeffect", "ability", "abilities"),
    "trigger": ("trigger", "triggertext", "triggereffect"),
}
_NUMBERS_OF = {CHARACTER: ("cost", "power", "counter"), LEADER: ("power", "life"), EVENT: ("cost",), STAGE: ("cost",)}
_NOTHING = ("", "-", "—", "?", "null", "none", "n/a")


@dataclass(frozen=True)
class Unread:
    """A part of an effect text that could not be encoded."""

    card: str
    text: str


@dataclass(frozen=True)
class Imported:
    """The cards of a file by id, their JSON (for a card file of Kibitz), and what could not be encoded.

    `fields` says which field of the file was taken for what; `ignored` are the others, `repeated` the ids of cards that are
    there more than once.
    """

    cards: dict[str, Card]
    data: list[dict[str, Any]]
    unread: list[Unread]
    fields: dict[str, str]
    ignored: list[str]
    repeated: list[str]

    def to_json(self, name: str) -> dict[str, Any]:
        """A card file of Kibitz, without decks."""
        return {"set": name, "cards": self.data}


def import_cards(path: Path) -> Imported:
    """Read a card file: CSV with a heading line, or JSON (a list of objects, or an object with a list `cards` or `data`)."""
    text = text_in(path)
    return import_text(text, path.name, csv_file=path.suffix.lower() == ".csv")


def import_text(text: str, file: str, csv_file: bool = False) -> Imported:
    """The same for a text that was read already."""
    rows = _rows(text, file, csv_file)
    fields = _fields(rows)
    cards: dict[str, Card] = {}
    data: list[dict[str, Any]] = []
    unread: list[Unread] = []
    repeated: list[str] = []
    for number, row in enumerate(rows, start=1):
        given = {meaning: row[name] for name, meaning in fields.items() if name in row}
        value, lost = _translate(given, f"{file}: card {number}")
        card = read_card(value, file)
        if card.id not in cards:
            cards[card.id] = card
            data.append(value)
            unread += [Unread(card.id, part) for part in lost]
        elif value == next(other for other in data if other["id"] == card.id):
            repeated.append(card.id)
        else:
            raise CardError(f"{file}: {card.id}: id: there is another card with this id")
    ignored = sorted({name for row in rows for name in row} - set(fields))
    return Imported(cards, data, unread, fields, ignored, repeated)


def load_any(path: Path) -> dict[str, Card]:
    """The cards of any card file: one of Kibitz, or one to import."""
    return read_any(text_in(path), path.name, path.suffix.lower() == ".csv")


def read_any(text: str, file: str, csv_file: bool = False) -> dict[str, Card]:
    """The same for a text that was read already."""
    if not csv_file:
        rows = _rows(text, file, csv_file=False)
        if rows and all(row.get("kind") in KINDS and isinstance(row.get("colours"), list) for row in rows):
            return read_cards(text, file)
    return import_text(text, file, csv_file).cards


def _rows(text: str, file: str, csv_file: bool) -> list[dict[str, Any]]:
    if csv_file:
        heading, *lines = [*csv.reader(io.StringIO(text))] or [[]]
        for number, line in enumerate(lines, start=1):
            if len(line) > len(heading):
                raise CardError(f"{file}: card {number}: {len(line)} fields, but the heading line names {len(heading)}")
        names = [name.strip() for name in heading]
        return [dict(zip(names, line, strict=False)) for line in lines if any(value.strip() for value in line)]
    try:
        value = parse_json(text)
    except ValueError as error:
        raise CardError(f"{file}: {error}") from None
    rows = value.get("cards", value.get("data")) if isinstance(value, dict) else value
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise CardError(f"{file}: expected a list of cards")
    return rows


def _fields(rows: list[dict[str, Any]]) -> dict[str, str]:
    """What each field of a file means; a field that means nothing here is left out."""
    plain = {name: re.sub(r"[^a-z]", "", str(name).lower()) for row in rows for name in row}
    found: dict[str, str] = {}
    for meaning, names in NAMES.items():
        fields = [name for known in names for name, word in plain.items() if word == known and name not in found]
        found |= dict.fromkeys(fields[:1], meaning)
    if "kind" not in found.values():
        # "type" is the kind in some files, and {Crew} in others: the values tell.
        for field, meaning in found.items():
            if meaning == "types" and rows and all(_kind(row.get(field)) in KINDS for row in rows):
                others = [{name: value for name, value in row.items() if name != field} for row in rows]
                return _fields(others) | {field: "kind"}
    return found


def _kind(value: Any) -> str:
    return re.sub(r" card$", "", str(value or "").strip().lower())


def _translate(given: dict[str, Any], where: str) -> tuple[dict[str, Any], list[str]]:
    """A row as a card in the format of Kibitz, and the parts of its text that were lost."""
    kind = _kind(given.get("kind"))
    if kind not in KINDS:
        raise CardError(f"{where}: kind: expected one of {', '.join(KINDS)}, found {given.get('kind')!r:.60}")
    card: dict[str, Any] = {
        "id": _text(given.get("id")),
        "name": _text(given.get("name")) or _text(given.get("id")),
        "kind": kind,
        "colours": [word.lower() for word in _list(given.get("colours"), r"[/;,\s]+")],
    }
    unknown = [word for word in card["colours"] if word not in COLOURS]
    if unknown:
        raise CardError(f"{where}: colours: {unknown[0]!r}: expected one of {', '.join(COLOURS)}")
    for name in _NUMBERS_OF[kind]:
        number = _number(given.get(name), f"{where}: {name}")
        if name == "life" and number is None:
            number = _number(given.get("cost"), f"{where}: cost")  # files list a Leader's life as its cost
        if number is not None:
            card[name] = number
    card["types"] = _list(given.get("types"), "[/;,]")
    if attribute := "/".join(_list(given.get("attribute"), "[/;,]")):
        card["attribute"] = attribute
    text, trigger = _text(given.get("effect")), _text(given.get("trigger"))
    if trigger and "[trigger]" not in text.lower():
        text = f"{text}\n{trigger if trigger.lower().startswith('[trigger]') else f'[Trigger] {trigger}'}".strip()
    if text:
        card["text"] = " ".join(text.split())
    return card, _encode(card, text)


def _encode(card: dict[str, Any], text: str) -> list[str]:
    """Give a card the effects that its text says, as far as they can be read and played; the parts that cannot."""
    reading = read_text(text)
    lost = list(reading.unread)
    if reading.keywords:
        if card["kind"] == CHARACTER:
            card["keywords"] = sorted(set(reading.keywords))
        else:
            lost += [f"[{word}]" for word in reading.keywords]
    for ability, part in zip(reading.abilities, reading.parts, strict=True):
        abilities = [*card.get("abilities", []), {**ability, "text": part} if ability["on"] != "permanent" else ability]
        if part not in lost and _can_be_played({"name": "?", **card, "id": "?", "abilities": abilities}):
            card["abilities"] = abilities
        elif part not in lost:
            lost.append(part)
    return lost


def _can_be_played(card: dict[str, Any]) -> bool:
    """Whether the effect language takes the last ability; the printed numbers are judged elsewhere."""
    numbers = {"cost": 1, "power": 0, "life": 5, "counter": 0}
    whole = {k: v for k, v in card.items() if k not in numbers} | {k: numbers[k] for k in _NUMBERS_OF[card["kind"]]}
    try:
        read_card({**whole, "colours": ["red"]}, "")
    except CardError:
        return False
    return True


def _text(value: Any) -> str:
    """A text; lists of texts are joined line by line."""
    text = "\n".join(map(str, value)) if isinstance(value, list) else str(value if value is not None else "")
    return "" if text.strip().lower() in _NOTHING else text.strip()


def _list(value: Any, separators: str) -> list[str]:
    words = value if isinstance(value, list) else [value]
    parts = [part.strip() for word in words for part in re.split(separators, _text(word))]
    return [part for part in parts if part]


def _number(value: Any, where: str) -> int | None:
    """A whole number, also as text; None for nothing."""
    text = _text(value).lstrip("+").replace(",", "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise CardError(f"{where}: expected a whole number, found {value!r:.60}")
    return int(text)
