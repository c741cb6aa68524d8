"""Values of colonist.io's JSON, checked where they come in: any of them may be missing or of the wrong type.

>>> cards_of([1, 1, 5]), cards_of([1, 0])
(Cards(wood=2, ore=1), None)
>>> merge({"a": {"b": 1, "c": 2}}, {"a": {"b": None, "d": [3]}})
{'a': {'c': 2, 'd': [3]}}

Where things lie on a board is told by coordinates. A hex has axial ones (x, y); a corner is the north (z = 0) or the south
(z = 1) corner of a hex; an edge is the north-west (z = 0), west (z = 1) or south-west (z = 2) edge of a hex. The hex may lie
in the sea. The keys under which a game lists its hexes, corners and edges are arbitrary: only the coordinates count.

>>> HEX_AT[0, 0], CORNER_AT[0, 0, 0], EDGE_AT[0, 0, 1]
(9, 21, 30)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias

from kibitz.catan.core.board import PORT_TYPES, RESOURCES, Board, Harbour, Hex, InvalidBoard
from kibitz.catan.core.events import Cards
from kibitz.catan.core.topology import AXIAL, COAST_EDGES, HEX_OUTLINES, HEXES
from kibitz.catan.logs.island import HEX_EDGES

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

#: More cards than any hand or pile can hold: a longer list does not hold cards.
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


Spot: TypeAlias = tuple[int, int, int]

#: The number of the hex at (x, y).
HEX_AT = {place: h for h, place in enumerate(AXIAL)}
#: From a hex to its corners, clockwise from the north, and to its edges, clockwise from the north-east.
_TO_CORNERS = ((0, 0, 0), (1, -1, 1), (0, 1, 0), (0, 0, 1), (-1, 1, 0), (0, -1, 1))
_TO_EDGES = ((1, -1, 2), (1, 0, 1), (0, 1, 0), (0, 0, 2), (0, 0, 1), (0, 0, 0))
#: The number of the corner, and of the edge, at (x, y, z).
CORNER_AT, EDGE_AT = (
    {
        (x + dx, y + dy, z): part
        for (x, y), around in zip(AXIAL, parts, strict=True)
        for (dx, dy, z), part in zip(steps, around, strict=True)
    }
    for steps, parts in ((_TO_CORNERS, HEX_OUTLINES), (_TO_EDGES, HEX_EDGES))
)


@dataclass(frozen=True)
class Places:
    """Our numbers for the keys under which one game lists its hexes, corners and edges."""

    hexes: Mapping[str, int] = field(default_factory=dict)
    corners: Mapping[str, int] = field(default_factory=dict)
    edges: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, map_state: Mapping[str, Any]) -> Self:
        """From a `mapState`. A map of another shape than the base game's has none of our places."""
        tiles = as_dict(map_state.get("tileHexStates"))
        hexes = {key: HEX_AT[place] for key, tile in tiles.items() if (place := _place(tile)) in HEX_AT}
        if len(tiles) != HEXES or len(set(hexes.values())) != HEXES:
            return cls()
        corners = as_dict(map_state.get("tileCornerStates"))
        edges = as_dict(map_state.get("tileEdgeStates"))
        return cls(
            hexes,
            {key: CORNER_AT[spot] for key, value in corners.items() if (spot := _spot(value)) in CORNER_AT},
            {key: EDGE_AT[spot] for key, value in edges.items() if (spot := _spot(value)) in EDGE_AT},
        )


def _place(value: Any) -> Any:
    data = as_dict(value)
    return as_int(data.get("x")), as_int(data.get("y"))


def _spot(value: Any) -> Any:
    return *_place(value), as_int(as_dict(value).get("z"))


def board_of(map_state: Mapping[str, Any]) -> Board:
    """The board of a `mapState`. Raises `InvalidBoard` if the box of the base game cannot make it."""
    tiles = as_dict(map_state.get("tileHexStates"))
    places = Places.of(map_state).hexes
    if not places:
        raise InvalidBoard(f"the map has {len(tiles)} hexes, not the {HEXES} of the base game in their places")
    by_number = {number: as_dict(tiles[key]) for key, number in places.items()}
    ports = [as_dict(port) for port in as_dict(map_state.get("portEdgeStates")).values()]
    return Board(tuple(_hex(h, by_number[h]) for h in range(HEXES)), _harbours(ports))


def _hex(h: int, tile: Mapping[str, Any]) -> Hex:
    kind, number = as_int(tile.get("type")), as_int(tile.get("diceNumber"))
    if kind == 0:
        return Hex(None, None)
    if kind is None or not 1 <= kind <= len(RESOURCES):
        raise InvalidBoard(f"hex {h}: terrain that the base game does not have")
    if number is None or not 2 <= number <= 12:
        raise InvalidBoard(f"hex {h}: no number token from 2 to 12")
    return Hex(RESOURCES[kind - 1], number)


def _harbours(ports: list[dict[str, Any]]) -> tuple[Harbour, ...]:
    coast = {edge: place for place, edge in enumerate(COAST_EDGES.tolist())}
    harbours = []
    for port in ports:
        edge, kind = EDGE_AT.get(_spot(port)), as_int(port.get("type"))
        if edge not in coast:
            raise InvalidBoard("a harbour does not lie on the coast")
        if kind is None or not 1 <= kind <= len(PORT_TYPES):
            raise InvalidBoard("a harbour of a kind that the base game does not have")
        harbours.append(Harbour(edge, PORT_TYPES[kind - 1]))
    return tuple(sorted(harbours, key=lambda harbour: coast[harbour.edge]))
