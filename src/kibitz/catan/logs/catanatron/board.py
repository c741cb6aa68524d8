"""The board in a file of catanatron: tiles with cube coordinates, and numbered nodes that say where they lie."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, TypeAlias

from kibitz.catan.core.board import Harbour, PortType
from kibitz.catan.core.events import Cards
from kibitz.catan.core.topology import AXIAL, EDGE_BETWEEN, HEX_OUTLINES
from kibitz.catan.logs.base import LogError
from kibitz.catan.logs.island import Island

#: Our names by theirs.
RESOURCES = {name.upper(): name for name in Cards._fields}

#: Tiles of land and sea, by their place.
Tiles: TypeAlias = Mapping[tuple[int, int], Mapping[str, Any]]

#: The corners of a hex clockwise from the north, on a grid where a hex is 2 wide and 4 high and rows are 3 apart.
_CORNERS = {
    "NORTH": (0, -2),
    "NORTHEAST": (1, -1),
    "SOUTHEAST": (1, 1),
    "SOUTH": (0, 2),
    "SOUTHWEST": (-1, 1),
    "NORTHWEST": (-1, -1),
}
#: The two corners of each side of a hex.
_SIDES = dict(
    zip(("NORTHEAST", "EAST", "SOUTHEAST", "SOUTHWEST", "WEST", "NORTHWEST"), pairwise([*_CORNERS, "NORTH"]), strict=True)
)


def axial(value: Any) -> tuple[int, int] | None:
    """Cube coordinates as our axial ones."""
    if not isinstance(value, list) or len(value) != 3 or not all(type(n) is int for n in value) or sum(value):
        return None
    return value[0], value[2]


def tiles_of(value: Any) -> Tiles:
    """The tiles of land and sea by their place."""
    tiles = {}
    for entry in value if isinstance(value, list) else []:
        at = axial(entry.get("coordinate")) if isinstance(entry, dict) else None
        if at is not None and isinstance(entry.get("tile"), dict):
            tiles[at] = entry["tile"]
    if not tiles:
        raise LogError(1, "tiles: expected a list of objects with coordinate and tile")
    return tiles


def island_of(tiles: Tiles) -> Island:
    """The land; where it is not the whole island (catanatron has a small map too), the rest is empty."""
    hexes, desert = {}, None
    for hex, at in enumerate(AXIAL):
        tile = tiles.get(at, {})
        resource, number = tile.get("resource"), tile.get("number")
        if tile.get("type") == "DESERT":
            desert = hex
        elif isinstance(resource, str) and resource in RESOURCES and type(number) is int:
            hexes[hex] = RESOURCES[resource], number
    return Island(hexes, desert)


def harbours_of(tiles: Tiles) -> list[Harbour]:
    """A harbour lies on a sea tile, at the side that it points to."""
    harbours = []
    for at, tile in tiles.items():
        edge = _side(at, tile.get("direction")) if tile.get("type") == "PORT" else None
        if edge is not None:
            kind = RESOURCES.get(str(tile.get("resource")), PortType.ANY_3TO1)
            harbours.append(Harbour(edge, PortType(kind)))
    return harbours


def _corner(at: tuple[int, int], direction: Any) -> int | None:
    """The corner of ours in a direction of a hex, which may be a sea hex."""
    if not isinstance(direction, str) or direction not in _CORNERS:
        return None
    (q, r), (dx, dy) = at, _CORNERS[direction]
    return _CORNER_AT.get((2 * q + r + dx, 3 * r + dy))


_CORNER_AT = {
    (2 * q + r + dx, 3 * r + dy): HEX_OUTLINES[hex][k]
    for hex, (q, r) in enumerate(AXIAL)
    for k, (dx, dy) in enumerate(_CORNERS.values())
}


def _side(at: tuple[int, int], direction: Any) -> int | None:
    """The edge of ours at a side of a hex."""
    if not isinstance(direction, str) or direction not in _SIDES:
        return None
    a, b = (_corner(at, end) for end in _SIDES[direction])
    return EDGE_BETWEEN.get((a, b)) if a is not None and b is not None else None


def corners_of(value: Any) -> dict[int, int]:
    """Our corner for each number of a node."""
    corners = {}
    for node in value.values() if isinstance(value, dict) else []:
        at = axial(node.get("tile_coordinate")) if isinstance(node, dict) else None
        corner = None if at is None else _corner(at, node.get("direction"))
        if corner is not None and type(node.get("id")) is int:
            corners[node["id"]] = corner
    if not corners:
        raise LogError(1, "nodes: expected objects with id, tile_coordinate and direction")
    return corners
