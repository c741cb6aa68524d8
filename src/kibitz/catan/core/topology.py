"""The island without terrain: 19 hexes, 54 corners, 72 edges, and who is next to whom.

Everything is computed from the axial coordinates of the hexes (pointy top, centre ``(0, 0)``, east ``(1, 0)``,
south-east ``(0, 1)``). Hexes and corners are numbered row by row from the top, each row from the left; edges by
their two corners in ascending order; the 30 edges of the coast also clockwise from the north-west edge of hex 0.

Every edge of the grid runs in one of three directions, and each corner has at most one edge in each. The three
*slots* of `CORNER_EDGES` and `CORNER_NEIGHBOURS` are these directions: the edge in slot k leads to a neighbour
whose slot k leads back. `kibitz.catan.core.rules.awards` walks roads that way without remembering where it came from.

Sets of corners are bit masks in one integer (``*_MASK``). The 72 edges do not fit into 64 bits, so a set of edges
is a pair: edges 0-35 in the first integer, 36-71 in the second.
"""

from functools import cache
from typing import Any

import numpy as np

from kibitz.ground.jit import Grid, Vector, table

HEXES, CORNERS, EDGES = 19, 54, 72
HALF = EDGES // 2
NONE = -1

#: Axial coordinates of the hexes.
AXIAL = [(q, r) for r in range(-2, 3) for q in range(-2, 3) if abs(q + r) <= 2]

#: Steps to the six neighbours, clockwise from the north-east; side k of a hex faces neighbour k.
_SIDES = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]

# Positions on a fine integer grid: a hex is 2 wide and 4 high, rows are 3 apart, so that corners shared by
# neighbouring hexes get the same coordinates exactly.
_CENTRE = [(2 * q + r, 3 * r) for q, r in AXIAL]
#: The corners of a hex, clockwise from the north; side k lies between corners k and k + 1.
_OUTLINE = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]


def _row(point: tuple[int, int]) -> int:
    """The zigzag line that a corner lies on: between two rows of hexes run 7 to 11 corners."""
    return (point[1] + 8) // 3


_points = sorted({(x + dx, y + dy) for x, y in _CENTRE for dx, dy in _OUTLINE}, key=lambda p: (_row(p), p[0]))
_number = {point: i for i, point in enumerate(_points)}
_hex_corners = [[_number[x + dx, y + dy] for dx, dy in _OUTLINE] for x, y in _CENTRE]
_edges = sorted({(min(a, b), max(a, b)) for c in _hex_corners for a, b in zip(c, c[1:] + c[:1], strict=True)})
#: The number of the edge between two corners, by either order.
EDGE_BETWEEN = {pair: e for e, (a, b) in enumerate(_edges) for pair in ((a, b), (b, a))}


def _direction(a: int, b: int) -> int:
    """0 for the upright edges, 1 and 2 for the two slants."""
    dx = _points[a][0] - _points[b][0]
    dy = _points[a][1] - _points[b][1]
    return 0 if dx == 0 else 1 if dx * dy < 0 else 2


def _slots() -> tuple[list[list[int]], list[list[int]]]:
    edges = [[NONE] * 3 for _ in range(CORNERS)]
    neighbours = [[NONE] * 3 for _ in range(CORNERS)]
    for e, (a, b) in enumerate(_edges):
        k = _direction(a, b)
        edges[a][k] = edges[b][k] = e
        neighbours[a][k], neighbours[b][k] = b, a
    return edges, neighbours


def _mask(numbers: Any) -> int:
    return sum(1 << n for n in numbers)


def _padded(lists: list[list[int]], width: int) -> list[list[int]]:
    return [row + [NONE] * (width - len(row)) for row in lists]


def _coast() -> list[int]:
    """The edges of only one hex, clockwise from the north-west edge of hex 0."""
    owners = [[h for h in range(HEXES) if {a, b} <= set(_hex_corners[h])] for a, b in _edges]
    sides = {e: h[0] for e, h in enumerate(owners) if len(h) == 1}
    first = EDGE_BETWEEN[_hex_corners[0][5], _hex_corners[0][0]]
    order, corner = [first], _hex_corners[0][0]
    while len(order) < len(sides):
        step = next(e for e in sides if corner in _edges[e] and e != order[-1])
        order.append(step)
        corner = sum(_edges[step]) - corner
    return order


_corner_edges, _corner_neighbours = _slots()
_hex_neighbours = [[AXIAL.index(n) if (n := (q + dq, r + dr)) in AXIAL else NONE for dq, dr in _SIDES] for q, r in AXIAL]
_corner_hexes = [[h for h in range(HEXES) if c in _hex_corners[h]] for c in range(CORNERS)]

# For Python, as plain lists; for compiled code, as tables.
HEX_OUTLINES: list[list[int]] = _hex_corners
EDGE_ENDS: list[tuple[int, int]] = _edges

HEX_CORNERS: Grid = table(_hex_corners)  # [19, 6] clockwise from the north
HEX_NEIGHBOURS: Grid = table(_hex_neighbours)  # [19, 6] clockwise from the north-east, NONE at the coast
CORNER_HEXES: Grid = table(_padded(_corner_hexes, 3))  # [54, 3] the land hexes around a corner, NONE at the end
CORNER_EDGES: Grid = table(_corner_edges)  # [54, 3] by direction, NONE where there is no edge
CORNER_NEIGHBOURS: Grid = table(_corner_neighbours)  # [54, 3] by direction
EDGE_CORNERS: Grid = table(_edges)  # [72, 2]
COAST_EDGES: Vector = table(_coast())  # [30] clockwise

HEX_MASK: Vector = table([_mask(c) for c in _hex_corners], np.int64)  # [19] its six corners
#: [54] a corner and its neighbours: where the distance rule forbids a second building
NEAR_MASK: Vector = table([_mask({c, *n} - {NONE}) for c, n in enumerate(_corner_neighbours)], np.int64)
EDGE_MASK: Vector = table([_mask(pair) for pair in _edges], np.int64)  # [72] its two corners
#: [54, 2] the edges at a corner
EDGES_AT: Grid = table([[_mask(e - HALF * half for e in row if e != NONE and e // HALF == half) for half in (0, 1)]
                  for row in _corner_edges], np.int64)  # fmt: skip
ALL_CORNERS = (1 << CORNERS) - 1

#: The six corner hexes of the island, clockwise from the north-west: where the spiral of tokens may begin.
ISLAND_CORNERS = [AXIAL.index(a) for a in ((0, -2), (2, -2), (2, 0), (0, 2), (-2, 2), (-2, 0))]


@cache
def spiral(start: int) -> tuple[int, ...]:
    """All hexes counter-clockwise from a corner of the island inward, as the rule book lays the tokens A to R.

    >>> spiral(0)
    (0, 3, 7, 12, 16, 17, 18, 15, 11, 6, 2, 1, 4, 8, 13, 14, 10, 5, 9)
    """
    if start not in ISLAND_CORNERS:
        raise ValueError(f"hex {start} is not a corner of the island; these are {sorted(ISLAND_CORNERS)}")
    turns = ISLAND_CORNERS.index(start)
    # from the north-west corner of a ring the walk runs south-west first, then on counter-clockwise
    steps = [_SIDES[(k + turns) % 6] for k in (3, 2, 1, 0, 5, 4)]
    path = []
    q, r = AXIAL[start]
    for ring in (2, 1):
        for dq, dr in steps:
            for _ in range(ring):
                path.append(AXIAL.index((q, r)))
                q, r = q + dq, r + dr
        q, r = q + steps[1][0], r + steps[1][1]  # back at the start; the corner of the next ring
    return (*path, AXIAL.index((0, 0)))


def corner_position(corner: int) -> tuple[float, float]:
    """Where a corner lies in a drawing whose hexes have side 1 (x to the right, y down, the island's centre at 0)."""
    x, y = _points[corner]
    return x * 3**0.5 / 2, y / 2


def hex_position(hex: int) -> tuple[float, float]:
    """Where the centre of a hex lies, as in `corner_position`."""
    x, y = _CENTRE[hex]
    return x * 3**0.5 / 2, y / 2
