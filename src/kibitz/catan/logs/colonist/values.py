"""Values of colonist.io's JSON, checked where they come in: any of them may be missing or of the wrong type.

>>> cards_of([1, 1, 5]), cards_of([1, 0])
(Cards(wood=2, ore=1), None)
>>> merge({"a": {"b": 1, "c": 2}}, {"a": {"b": None, "d": [3]}})
{'a': {'c': 2, 'd': [3]}}
"""

from __future__ import annotations

from typing import Any

from kibitz.catan.core.events import Cards

#: Card numbers: 1 to 5 are the resources in our order.
BACK, ANY = 0, 9
DEV_BACK = 10
DEV_CARDS = {11: "knight", 12: "victory_point", 13: "monopoly", 14: "road_building", 15: "year_of_plenty"}
PIECES = {0: "road", 2: "settlement", 3: "city"}
#: Cards and pieces that only expansions have.
COMMODITIES = (6, 7, 8)
EXPANSION_PIECES = {1: "Seafarers", 4: "Cities & Knights", 6: "Seafarers"}
BUILDINGS = {1: "settlement", 2: "city"}
COLOUR_NAMES = {
    1: "Red", 2: "Blue", 3: "Orange", 4: "Green", 5: "Black", 6: "Bronze", 7: "Silver", 8: "Gold", 9: "White", 10: "Purple",
    11: "Mystic Blue", 12: "Pink",
}  # fmt: skip

#: More cards than any hand or pile can hold: a longer list is no list of cards.
_MOST_CARDS = 200
_KEY_DIGITS = 9


def as_dict(value: Any) -> dict[str, Any]:
    """An object, empty for anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """A list, empty for anything else."""
    return value if isinstance(value, list) else []


def as_int(value: Any) -> int | None:
    """A whole number of a sensible size, None for anything else."""
    return value if type(value) is int and abs(value) < 10**_KEY_DIGITS else None


def key_number(key: str) -> int | None:
    """The number that a key is written as, None for other keys."""
    return int(key) if key.isascii() and key.isdigit() and len(key) <= _KEY_DIGITS else None


def pile_of(value: Any) -> list[int] | None:
    """A list of card numbers of any kind, None for anything else."""
    if not isinstance(value, list) or len(value) > _MOST_CARDS:
        return None
    return value if all(type(card) is int and 0 <= card < 100 for card in value) else None


def cards_of(value: Any, ignore: int | None = None) -> Cards | None:
    """The resources in a list of card numbers, None if it holds anything else (but `ignore`)."""
    pile = pile_of(value)
    if pile is None:
        return None
    pile = [card for card in pile if card != ignore]
    if not all(1 <= card <= 5 for card in pile):
        return None
    return Cards(*(pile.count(card) for card in range(1, 6)))


def merge(target: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """Apply a JSON merge patch in place: objects merge at every depth, null deletes, anything else replaces."""
    todo = [(target, patch)]
    while todo:
        into, changes = todo.pop()
        for key, value in changes.items():
            if value is None:
                into.pop(key, None)
            elif isinstance(value, dict):
                if not isinstance(into.get(key), dict):
                    into[key] = {}
                todo.append((into[key], value))
            else:
                into[key] = value
    return target
