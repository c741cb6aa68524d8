"""The twelve symmetries of the hexagon, and boards turned and mirrored by them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin

from kibitz.catan import Board
from kibitz.catan.core.board import Harbour
from kibitz.catan.core.topology import (
    COAST_EDGES,
    CORNERS,
    EDGE_BETWEEN,
    EDGE_ENDS,
    HEXES,
    corner_position,
    hex_position,
)

Place = Callable[[int], tuple[float, float]]


@dataclass(frozen=True)
class Symmetry:
    """Mirror the island at its vertical axis, or do not; then turn it clockwise by so many sixths."""

    sixths: int
    mirrored: bool

    def corner(self, corner: int) -> int:
        """Where a corner goes."""
        return _mapped(self, corner_position, CORNERS)[corner]

    def hex(self, hex: int) -> int:
        """Where a hex goes."""
        return _mapped(self, hex_position, HEXES)[hex]

    def edge(self, edge: int) -> int:
        """Where an edge goes."""
        a, b = EDGE_ENDS[edge]
        return EDGE_BETWEEN[self.corner(a), self.corner(b)]

    def board(self, board: Board) -> Board:
        """The board, turned and mirrored with its harbours."""
        hexes = {self.hex(h): hex for h, hex in enumerate(board.hexes)}
        coast = COAST_EDGES.tolist()
        harbours = [Harbour(self.edge(harbour.edge), harbour.kind) for harbour in board.harbours]
        return Board(tuple(hexes[h] for h in range(HEXES)), tuple(sorted(harbours, key=lambda h: coast.index(h.edge))))


SYMMETRIES = [Symmetry(sixths, mirrored) for mirrored in (False, True) for sixths in range(6)]


@cache
def _mapped(symmetry: Symmetry, place: Place, count: int) -> list[int]:
    """By number: which of `count` places lies where this one goes."""
    angle = symmetry.sixths * pi / 3
    numbers = {_rounded(*place(n)): n for n in range(count)}
    found = []
    for n in range(count):
        x, y = place(n)
        x = -x if symmetry.mirrored else x
        found.append(numbers[_rounded(x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle))])
    return found


def _rounded(x: float, y: float) -> tuple[float, float]:
    return round(x, 6) + 0.0, round(y, 6) + 0.0
