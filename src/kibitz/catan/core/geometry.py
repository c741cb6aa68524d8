"""What lies next to what, on the objects that a player is handed: corners and edges of a board with all that is around them.

>>> from kibitz.catan import Board
>>> board = Board.beginner()
>>> board.hexes[0].corners, board.hexes[0].neighbours
((1, 2, 10, 9, 8, 0), (1, 4, 3))
>>> corner = board.corners[10]
>>> corner.neighbours, corner.edges, [hex.resource.value for hex in corner.hexes], corner.pips
((2, 9, 11), ((2, 10), (9, 10), (10, 11)), ['ore', 'sheep', 'brick'], 9)
>>> board.edge(11, 10).corners, board.edge(11, 10).neighbours
((10, 11), ((2, 10), (9, 10), (11, 12), (11, 21)))
>>> board.harbours[0].corners, board.corners[0].harbour.kind.value
((0, 1), '3:1')

Hexes and corners are known by their numbers, an edge by its two corners in ascending order: as in actions and in the state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kibitz.catan.core.topology import (
    CORNER_EDGES, CORNER_HEXES, CORNER_NEIGHBOURS, CORNERS, EDGE_BETWEEN, EDGE_ENDS, HEX_NEIGHBOURS, HEX_OUTLINES, NONE,
)  # fmt: skip
from kibitz.ground.jit import Grid

if TYPE_CHECKING:
    from kibitz.catan.core.board import Board, Harbour, Hex

Ends = tuple[int, int]


@dataclass(frozen=True)
class Corner:
    """Where a settlement can stand."""

    id: int
    hexes: tuple[Hex, ...]
    """The hexes that it touches, by their numbers: three inland, fewer at the coast."""
    neighbours: tuple[int, ...]
    """The corners at the other ends of its edges: nobody builds next to a building."""
    edges: tuple[Ends, ...]
    """Where roads lead, in the order of the neighbours."""
    harbour: Harbour | None

    @property
    def pips(self) -> int:
        """In how many of 36 rolls one of its hexes yields something, the robber aside."""
        return sum(hex.pips for hex in self.hexes)


@dataclass(frozen=True)
class Edge:
    """Where a road can lie."""

    corners: Ends
    neighbours: tuple[Ends, ...]
    """The edges that it meets at its two corners."""
    hexes: tuple[Hex, ...]
    """The hexes on its two sides; at the coast, one."""
    harbour: Harbour | None


def corners_of(board: Board) -> tuple[Corner, ...]:
    """All corners of a board."""
    served = {corner: harbour for harbour in board.harbours for corner in harbour.corners}
    return tuple(
        Corner(
            corner,
            tuple(board.hexes[hex] for hex in _row(CORNER_HEXES, corner)),
            _row(CORNER_NEIGHBOURS, corner),
            tuple(EDGE_ENDS[edge] for edge in _row(CORNER_EDGES, corner)),
            served.get(corner),
        )
        for corner in range(CORNERS)
    )


def edges_of(board: Board) -> tuple[Edge, ...]:
    """All edges of a board."""
    harbours = {harbour.edge: harbour for harbour in board.harbours}
    found = []
    for number, ends in enumerate(EDGE_ENDS):
        near = {edge for corner in ends for edge in _row(CORNER_EDGES, corner)} - {number}
        hexes = tuple(hex for hex in board.hexes if set(ends) <= set(hex.corners))
        found.append(Edge(ends, tuple(EDGE_ENDS[edge] for edge in sorted(near)), hexes, harbours.get(number)))
    return tuple(found)


def hex_edges(hex: int) -> tuple[Ends, ...]:
    """The six sides of a hex, clockwise from the north-east."""
    corners = HEX_OUTLINES[hex]
    return tuple(EDGE_ENDS[EDGE_BETWEEN[pair]] for pair in zip(corners, [*corners[1:], corners[0]], strict=True))


def hex_neighbours(hex: int) -> tuple[int, ...]:
    """The hexes around a hex, clockwise from the north-east; the sea is left out."""
    return _row(HEX_NEIGHBOURS, hex)


def _row(table: Grid, row: int) -> tuple[int, ...]:
    """What a row of a table names; NONE is left out."""
    return tuple(number for number in table.tolist()[row] if number != NONE)
