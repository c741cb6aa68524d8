"""Where things lie on a board of colonist.io, in our numbers.

There a hex has axial coordinates (x, y); a corner is the north (z = 0) or the south (z = 1) corner of a hex; an edge is the
north-west (z = 0), west (z = 1) or south-west (z = 2) edge of a hex. The hex may lie in the sea. The keys under which a
game lists its hexes, corners and edges are arbitrary: only the coordinates count.

>>> HEX_AT[0, 0], CORNER_AT[0, 0, 0], EDGE_AT[0, 0, 1]
(9, 21, 30)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from kibitz.catan.core.board import PORT_TYPES, RESOURCES, Board, Harbour, Hex, InvalidBoard
from kibitz.catan.core.topology import AXIAL, COAST_EDGES, EDGE_BETWEEN, HEX_OUTLINES, HEXES
from kibitz.catan.logs.colonist.values import as_dict, as_int

Spot: TypeAlias = tuple[int, int, int]

#: The number of the hex at (x, y).
HEX_AT = {place: h for h, place in enumerate(AXIAL)}


def _corners() -> dict[Spot, int]:
    found: dict[Spot, int] = {}
    for (x, y), (north, north_east, south_east, south, south_west, north_west) in zip(AXIAL, HEX_OUTLINES, strict=True):
        found |= {(x, y, 0): north, (x, y, 1): south}
        found |= {(x + 1, y - 1, 1): north_east, (x, y - 1, 1): north_west}
        found |= {(x, y + 1, 0): south_east, (x - 1, y + 1, 0): south_west}
    return found


def _edges() -> dict[Spot, int]:
    found = {}
    for (x, y), outline in zip(AXIAL, HEX_OUTLINES, strict=True):
        spots = [(x + 1, y - 1, 2), (x + 1, y, 1), (x, y + 1, 0), (x, y, 2), (x, y, 1), (x, y, 0)]  # from the north-east on
        for spot, a, b in zip(spots, outline, outline[1:] + outline[:1], strict=True):
            found[spot] = EDGE_BETWEEN[a, b]
    return found


#: The number of the corner, and of the edge, at (x, y, z).
CORNER_AT = _corners()
EDGE_AT = _edges()


@dataclass(frozen=True)
class Places:
    """Our numbers for the keys under which one game lists its hexes, corners and edges."""

    hexes: Mapping[str, int] = field(default_factory=dict)
    corners: Mapping[str, int] = field(default_factory=dict)
    edges: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, map_state: Mapping[str, Any]) -> Places:
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
    """The board of a `mapState`. Raises `InvalidBoard` where it is none that the box of the base game can make."""
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
