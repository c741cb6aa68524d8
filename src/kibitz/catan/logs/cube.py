"""The island as catanatron describes it: tiles at cube coordinates, whose corners and sides have the names of directions.

>>> at = axial((0, 0, 0))
>>> corner(at, "NORTH"), edge(at, "EAST")
(21, 33)
"""

from kibitz.catan.core.topology import AXIAL, EDGE_BETWEEN, HEX_OUTLINES

#: The corners of a hex clockwise from the north, and its sides, clockwise from the north-east.
CORNERS = ("NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST")
SIDES = ("NORTHEAST", "EAST", "SOUTHEAST", "SOUTHWEST", "WEST", "NORTHWEST")

# The way to the corners on a grid where a hex is 2 wide and 4 high and rows are 3 apart.
_TO_CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
_CORNER_AT = {
    (2 * q + r + dx, 3 * r + dy): HEX_OUTLINES[hex][k]
    for hex, (q, r) in enumerate(AXIAL)
    for k, (dx, dy) in enumerate(_TO_CORNERS)
}


def axial(cube: tuple[int, int, int]) -> tuple[int, int]:
    """Cube coordinates as our axial ones."""
    return cube[0], cube[2]


def corner(at: tuple[int, int], direction: str) -> int | None:
    """Our corner in a direction of a hex, which may be a sea hex."""
    return _corner(at, CORNERS.index(direction))


def edge(at: tuple[int, int], direction: str) -> int | None:
    """Our edge at a side of a hex, which may be a sea hex."""
    k = SIDES.index(direction)
    return EDGE_BETWEEN.get((_corner(at, k), _corner(at, k + 1)))  # type: ignore[arg-type]  # what is no corner ends no edge


def _corner(at: tuple[int, int], k: int) -> int | None:
    (q, r), (dx, dy) = at, _TO_CORNERS[k % 6]
    return _CORNER_AT.get((2 * q + r + dx, 3 * r + dy))
