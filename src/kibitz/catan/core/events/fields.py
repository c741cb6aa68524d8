"""What the fields of events hold, and how each is checked and put into its normal form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeAlias

from kibitz.catan.core.notation import CARDS
from kibitz.catan.core.topology import CORNERS, EDGE_BETWEEN, HEXES

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
                raise InvalidEvent(f"{unknown[0]!r}: no resource; these are {', '.join(cls._fields)}")
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


# --- how a value is checked -------------------------------------------------------------------------------


def _number(low: int, high: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise InvalidEvent(f"{value!r}: expected a whole number from {low} to {high}")
        return value

    return check


def _one_of(names: Sequence[str]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in names:
            raise InvalidEvent(f"{value!r}: expected one of {', '.join(names)}")
        return str(value)

    return check


_seat = _number(0, MOST_PLAYERS - 1)
_SEAT_NAMES = [str(seat) for seat in range(MOST_PLAYERS)]
_count = _number(0, _MOST_CARDS)


def _cards(value: Any, low: int = 0) -> Cards:
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
        raise InvalidEvent(f"{value!r}: no two neighbouring corners")
    return min(pair), max(pair)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidEvent(f"{value!r}: expected true or false")
    return value


def _by_seat(check: Callable[[Any], Any]) -> Callable[[Any], Mapping[int, Any]]:
    def check_all(value: Any) -> Mapping[int, Any]:
        if not isinstance(value, Mapping):
            raise InvalidEvent(f"{value!r}: expected an object by seat")
        found = {_seat(int(s) if isinstance(s, str) and s in _SEAT_NAMES else s): check(v) for s, v in value.items()}
        return {seat: found[seat] for seat in sorted(found) if found[seat] and found[seat] != Cards()}

    return check_all


def _by_name(value: Any) -> Mapping[str, int]:
    if not isinstance(value, Mapping):
        raise InvalidEvent(f"{value!r}: expected counts by resource, as in {{'wood': 19}}")
    for name in value:
        _one_of(Cards._fields)(name)
    return {name: _count(value[name]) for name in Cards._fields if name in value}


# --- the types of fields, each with its check -------------------------------------------------------------

Seat: TypeAlias = Annotated[int, _seat]
Count: TypeAlias = Annotated[int, _count]
Total: TypeAlias = Annotated[int, _number(2, 12)]
Hex: TypeAlias = Annotated[int, _number(0, HEXES - 1)]
Corner: TypeAlias = Annotated[int, _number(0, CORNERS - 1)]
Edge: TypeAlias = Annotated[tuple[int, int], _edge]
Held: TypeAlias = Annotated[Cards, _cards]
Change: TypeAlias = Annotated[Cards, lambda value: _cards(value, -_MOST_CARDS)]
Piece: TypeAlias = Annotated[str, _one_of(PIECES)]
AwardName: TypeAlias = Annotated[str, _one_of(AWARDS)]
DevCard: TypeAlias = Annotated[str, _one_of([card.value for card in CARDS])]
Resource: TypeAlias = Annotated[str, _one_of(Cards._fields)]
Flag: TypeAlias = Annotated[bool, _flag]
Gains: TypeAlias = Annotated[Mapping[int, Cards], _by_seat(_cards)]
Losses: TypeAlias = Annotated[Mapping[int, int], _by_seat(_count)]
Counts: TypeAlias = Annotated[Mapping[str, int], _by_name]
