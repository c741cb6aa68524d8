"""What all events have in common: they check their fields, are written as JSON and said in one line.

The type of a field says what it holds, how that is checked, and its normal form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache, partial
from types import NoneType
from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias, dataclass_transform, get_args, get_type_hints

from kibitz.catan.core.notation import CARDS
from kibitz.catan.core.topology import CORNERS, EDGE_BETWEEN, HEXES
from kibitz.ground.texts import counted

#: The largest table that a log can come from (the extension for 5 and 6 players).
MOST_PLAYERS = 6
_MOST_CARDS = 200

PIECES = ("road", "settlement", "city")
AWARDS = ("longest_road", "largest_army")


class InvalidEvent(ValueError):
    """Not an event: the kind is unknown, or one of its fields makes no sense."""


class Cards(NamedTuple):
    """Numbers of cards by resource.

    >>> Cards(wood=2, ore=1)
    Cards(wood=2, ore=1)
    >>> Cards.of({"ore": 1}).size, Cards(1, 0, 2).text()
    (1, '1 wood, 2 sheep')
    """

    wood: int = 0
    brick: int = 0
    sheep: int = 0
    wheat: int = 0
    ore: int = 0

    @classmethod
    def of(cls, cards: Mapping[str, int] | Iterable[int] | Sequence[str]) -> Cards:
        """From counts by name, five counts in order, or the names of single cards."""
        if isinstance(cards, Cards):
            return cards
        if isinstance(cards, Mapping):
            unknown = [name for name in cards if name not in cls._fields]
            if unknown:
                raise InvalidEvent(f"{unknown[0]!r}: not a resource; these are {', '.join(cls._fields)}")
            return cls(**{str(name): n for name, n in cards.items()})
        items: list[Any] = list(cards)
        if all(isinstance(name, str) for name in items) and not isinstance(cards, str):
            return cls.of(Counter(items))
        if len(items) != len(cls._fields) or not all(isinstance(n, int) for n in items):
            raise InvalidEvent(f"{cards!r}: expected cards by resource, as in {{'wood': 1}}")
        return cls(*items)

    @property
    def size(self) -> int:
        """How many cards there are."""
        return sum(self)

    def plus(self, other: Cards) -> Cards:
        """Both together."""
        return Cards(*(a + b for a, b in zip(self, other, strict=True)))

    def minus(self, other: Cards) -> Cards:
        """What is left without the others; negative where there are fewer."""
        return Cards(*(a - b for a, b in zip(self, other, strict=True)))

    def as_dict(self) -> dict[str, int]:
        """By name, without zeros."""
        return {name: n for name, n in zip(self._fields, self, strict=True) if n}

    def names(self) -> list[str]:
        """Each card by name."""
        return [name for name, n in zip(self._fields, self, strict=True) for _ in range(n)]

    def text(self) -> str:
        """As a person writes it."""
        return ", ".join(f"{n} {name}" for name, n in self.as_dict().items()) or "nothing"

    def __repr__(self) -> str:
        return f"Cards({', '.join(f'{name}={n}' for name, n in self.as_dict().items())})"


def _number(low: int, high: int, value: Any) -> int:
    if type(value) is not int or not low <= value <= high:
        raise InvalidEvent(f"{value!r}: expected a whole number from {low} to {high}")
    return value


def _one_of(names: Sequence[str], value: Any) -> str:
    if value not in names:
        raise InvalidEvent(f"{value!r}: expected one of {', '.join(names)}")
    return str(value)


_seat = partial(_number, 0, MOST_PLAYERS - 1)
_SEAT_NAMES = [str(seat) for seat in range(MOST_PLAYERS)]
_count = partial(_number, 0, _MOST_CARDS)


def _cards(low: int, value: Any) -> Cards:
    if not isinstance(value, (Mapping, tuple, list)):
        raise InvalidEvent(f"{value!r}: expected cards by resource, as in {{'wood': 1}}")
    cards = Cards.of(value)
    for n in cards:
        if type(n) is not int or not low <= n <= _MOST_CARDS:
            raise InvalidEvent(f"{n!r}: expected a number of cards from {low} to {_MOST_CARDS}")
    return cards


def _edge(value: Any) -> tuple[int, int]:
    pair = tuple(value) if isinstance(value, (tuple, list)) else ()
    if len(pair) != 2 or not all(type(corner) is int for corner in pair) or pair not in EDGE_BETWEEN:
        raise InvalidEvent(f"{value!r}: not two neighbouring corners")
    return min(pair), max(pair)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidEvent(f"{value!r}: expected true or false")
    return value


def _by_seat(check: Callable[[Any], Any], value: Any) -> Mapping[int, Any]:
    if not isinstance(value, Mapping):
        raise InvalidEvent(f"{value!r}: expected an object by seat")
    found = {_seat(int(s) if isinstance(s, str) and s in _SEAT_NAMES else s): check(v) for s, v in value.items()}
    return {seat: found[seat] for seat in sorted(found) if found[seat] and found[seat] != Cards()}


def _by_name(value: Any) -> Mapping[str, int]:
    if not isinstance(value, Mapping):
        raise InvalidEvent(f"{value!r}: expected counts by resource, as in {{'wood': 19}}")
    for name in value:
        _one_of(Cards._fields, name)
    return {name: _count(value[name]) for name in Cards._fields if name in value}


Seat: TypeAlias = Annotated[int, _seat]
Count: TypeAlias = Annotated[int, _count]
Total: TypeAlias = Annotated[int, partial(_number, 2, 12)]
Hex: TypeAlias = Annotated[int, partial(_number, 0, HEXES - 1)]
Corner: TypeAlias = Annotated[int, partial(_number, 0, CORNERS - 1)]
Edge: TypeAlias = Annotated[tuple[int, int], _edge]
Held: TypeAlias = Annotated[Cards, partial(_cards, 0)]
Change: TypeAlias = Annotated[Cards, partial(_cards, -_MOST_CARDS)]
Piece: TypeAlias = Annotated[str, partial(_one_of, PIECES)]
AwardName: TypeAlias = Annotated[str, partial(_one_of, AWARDS)]
DevCard: TypeAlias = Annotated[str, partial(_one_of, [card.value for card in CARDS])]
Resource: TypeAlias = Annotated[str, partial(_one_of, Cards._fields)]
Flag: TypeAlias = Annotated[bool, _flag]
Gains: TypeAlias = Annotated[Mapping[int, Cards], partial(_by_seat, partial(_cards, 0))]
Losses: TypeAlias = Annotated[Mapping[int, int], partial(_by_seat, _count)]
Counts: TypeAlias = Annotated[Mapping[str, int], _by_name]


#: All kinds of events by their names.
EVENTS: dict[str, type[Event]] = {}


class _Field(NamedTuple):
    """How one field of an event is checked and written."""

    name: str
    check: Callable[[Any], Any]
    optional: bool
    default: Any


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True)
class Event:
    """One line of the log: who did what. Seats count from 0. All fields are checked and put into normal form.

    A kind of event is a subclass, which becomes a frozen dataclass by itself.
    """

    kind: ClassVar[str] = ""
    #: How `text` says it; `{names}` are the fields.
    words: ClassVar[str] = ""

    def __init_subclass__(cls, kind: str = "", words: str = "") -> None:
        cls.kind, cls.words = kind, words
        dataclass(frozen=True)(cls)
        if kind:
            EVENTS[kind] = cls

    def __post_init__(self) -> None:
        for name, check, optional, _ in _fields_of(self.kind):
            value = getattr(self, name)
            if value is None and optional:
                continue
            try:
                object.__setattr__(self, name, check(value))
            except InvalidEvent as error:
                raise InvalidEvent(f"{self.kind}: {name} {error}") from None

    def to_json(self) -> dict[str, Any]:
        """An object with the kind as `event`; fields that say nothing are left out."""
        data = {"event": self.kind}
        for name, _, _, default in _fields_of(self.kind):
            value = getattr(self, name)
            if default is MISSING or value != default:
                data[name] = _plain(value)
        return data

    @staticmethod
    def from_json(data: Any) -> Event:
        """Read what `to_json` wrote."""
        if not isinstance(data, Mapping) or not isinstance(data.get("event"), str):
            raise InvalidEvent("expected an object with the field event")
        cls = EVENTS.get(data["event"])
        if cls is None:
            raise InvalidEvent(f"{data['event']!r}: no such event; these are {', '.join(EVENTS)}")
        known = _fields_of(cls.kind)
        for name in data:
            if name != "event" and name not in [known_name for known_name, *_ in known]:
                raise InvalidEvent(f"{cls.kind}: {name} does not belong there")
        for name, _, _, default in known:
            if name not in data and default is MISSING:
                raise InvalidEvent(f"{cls.kind}: {name} is missing")
        return cls(**{name: value for name, value in data.items() if name != "event"})

    def text(self, names: Sequence[str] = ()) -> str:
        """One line for people, with the players' names (P1, P2 ... without them)."""
        values = {name: _spoken(self.kind, name, getattr(self, name), names) for name, *_ in _fields_of(self.kind)}
        return self.words.format(**values)


@cache
def _fields_of(kind: str) -> list[_Field]:
    hints = get_type_hints(EVENTS[kind], include_extras=True)
    found = []
    for f in fields(EVENTS[kind]):
        optional = NoneType in get_args(hints[f.name])
        annotated = get_args(hints[f.name])[0] if optional else hints[f.name]
        default = f.default_factory() if f.default_factory is not MISSING else f.default
        found.append(_Field(f.name, annotated.__metadata__[0], optional, default))
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Cards):
        return value.as_dict()
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


def name_of(seat: int, names: Sequence[str]) -> str:
    """A player's name, or P1, P2 ... without names."""
    return names[seat] if seat < len(names) else f"P{seat + 1}"


def _spoken(kind: str, field_name: str, value: Any, names: Sequence[str]) -> str:
    if field_name in ("player", "partner", "victim"):
        return "nobody" if value is None else name_of(value, names)
    if isinstance(value, Cards):
        return value.text()
    if isinstance(value, Mapping):
        if not value:
            return ""
        if field_name == "counts":
            return ", ".join(f"{n} {name}" for name, n in value.items())
        verb, cards = ("got", Cards.text) if field_name == "gains" else ("gave", str)
        return ": " + ", ".join(f"{name_of(seat, names)} {verb} {cards(held)}" for seat, held in value.items())
    if field_name == "most" and value is not None:
        return f" (or more, up to {value})"
    if field_name == "count":
        return counted(value, "card")
    if field_name == "total" and isinstance(value, int):
        return str(value) if kind == "roll" else ", " + counted(value, "card")
    if field_name == "hex" and value is not None:
        return f"hex {value}"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return _SPOKEN.get((field_name, value), str(value).replace("_", " "))


#: How missing values and flags are said.
_SPOKEN = {
    ("resource", None): "a card",
    ("card", None): "development card",
    ("cards", None): "",
    ("free", True): " for free",
    ("free", False): "",
    ("hex", None): "another hex",
    ("total", None): "",
    ("losses", None): "",
    ("most", None): "",
    ("corner", None): "",
    ("edge", None): "",
}


class PlayerEvent(Event):
    """What one player did."""

    player: Seat
