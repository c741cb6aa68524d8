r"""The island as text, 80 columns wide: terrain, tokens with their pips, harbours, pieces, and the name of every place.

A corner is its number, an edge the numbers of its two ends, a hex ``h`` and its number. ``2s41`` is a settlement of player 2 on
corner 41, ``2c41`` a city, ``/2/`` a road; a harbour stands beside the coast that it serves.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.state import new_states
>>> chart = draw_chart(new_states(Board.beginner(), 4))
>>> print("\n".join(line.text for line in chart[:7]))
                    (3:1)   1           3  (wheat)  5
                         /     \     /     \     /     \
                      0    ore    2   sheep   4   wood    6
                      |  10 ***   |    2 *    |  9 ****   |
                      8    h0    10    h1    12    h2    14  (ore)
                   /     \     /     \     /     \     /     \
                7   wheat   9   brick  11   sheep  13   brick  15
"""

from itertools import groupby
from typing import Any, NamedTuple

from kibitz.catan.core.board import Harbour, PortType
from kibitz.catan.core.position import members
from kibitz.catan.core.rules.production import DICE
from kibitz.catan.core.state import board_of
from kibitz.catan.core.topology import CORNERS, EDGE_ENDS, HALF, corner_position, hex_position
from kibitz.game import States, to_dict

#: Columns between two neighbouring corners, and left of the westernmost: a harbour has room there.
STEP, MARGIN = 6, 10
#: The line and the column of the island's centre.
CENTRE = 11, MARGIN + 5 * STEP
#: The tokens that are rolled most often.
RED = (6, 8)
_HALF_WIDTH = 3**0.5 / 2


class Run(NamedTuple):
    """Some characters of one ink: a resource, ``desert``, ``red``, ``robber``, ``seat 1``, ``corner``, ``place``, or none."""

    text: str
    ink: str


class Line(NamedTuple):
    """One line of the drawing."""

    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        """Without ink."""
        return "".join(run.text for run in self.runs)


def draw_chart(states: States) -> list[Line]:
    """A position, from the top."""
    row = to_dict(states)
    canvas = _Canvas()
    board = board_of(states)
    for e, ends in enumerate(EDGE_ENDS):
        canvas.edge(ends, _owner(row, e))
    for corner in range(CORNERS):
        canvas.corner(corner, row)
    for h, hex in enumerate(board.hexes):
        canvas.hex(h, str(hex.resource or "desert"), hex.number or 0, row["robber"] == h)
    for harbour in board.harbours:
        canvas.harbour(harbour)
    return canvas.lines()


def _owner(row: dict[str, Any], edge: int) -> int | None:
    half, bit = divmod(edge, HALF)
    return next((seat for seat in range(row["seats"]) if row["roads"][seat][half] >> bit & 1), None)


class _Canvas:
    """Characters by line and column. A zigzag of corners takes three lines; upright edges have one more between two zigzags."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], tuple[str, str]] = {}

    def write(self, line: int, column: int, text: str, ink: str = "") -> None:
        """Write, beginning at a column."""
        for i, letter in enumerate(text):
            self._cells[line, column + i] = letter, ink

    def middle(self, line: int, column: int, text: str, ink: str = "") -> None:
        """Write around a column."""
        self.write(line, column - len(text) // 2, text, ink)

    def edge(self, ends: tuple[int, int], owner: int | None) -> None:
        (line, column), (other_line, other_column) = (_place(corner) for corner in ends)
        bar = "|" if column == other_column else "/" if (line < other_line) == (column > other_column) else "\\"
        text, ink = (bar, "place") if owner is None else (f"{bar}{owner + 1}{bar}", f"seat {owner + 1}")
        self.middle((line + other_line) // 2, (column + other_column) // 2, text, ink)

    def corner(self, corner: int, row: dict[str, Any]) -> None:
        for seat in range(row["seats"]):
            for kind, mark in (("settlements", "s"), ("cities", "c")):
                if corner in members(row[kind][seat]):
                    self.middle(*_place(corner), f"{seat + 1}{mark}{corner}", f"seat {seat + 1}")
                    return
        self.middle(*_place(corner), str(corner), "corner")

    def hex(self, hex: int, terrain: str, number: int, robbed: bool) -> None:
        x, y = hex_position(hex)
        line, column = _grid(x, y - 1)
        self.middle(line + 2, column, terrain, terrain)
        pips = "robber" if robbed else "*" * int(DICE[number - 2]) if number else ""
        token = str(number) if number else ""
        start = column - len(f"{token} {pips}".strip()) // 2
        ink = "red" if number in RED else terrain
        self.write(line + 3, start, token, ink)
        self.write(line + 3, start + len(token) + bool(token), pips, "robber" if robbed else ink)
        self.middle(line + 4, column, f"h{hex}", "place")

    def harbour(self, harbour: Harbour) -> None:
        """Beside the end of the edge that lies further out, or beside an upright edge."""
        text = f"({harbour.kind})"
        ends = sorted(_place(corner) for corner in EDGE_ENDS[harbour.edge])
        (top, column), (bottom, other) = ends
        if column == other:
            line, west = (top + bottom) // 2, column < CENTRE[1]
        else:
            line, column, other = (top, column, other) if bottom < CENTRE[0] else (bottom, other, column)
            west = column > other
        ink = "" if harbour.kind is PortType.ANY_3TO1 else str(harbour.kind)
        self.write(line, column - 3 - len(text) if west else column + 3, text, ink)

    def lines(self) -> list[Line]:
        found = []
        for line in range(1 + max(line for line, _ in self._cells)):
            width = 1 + max(column for at, column in self._cells if at == line)
            cells = [self._cells.get((line, column), (" ", "")) for column in range(width)]
            runs = groupby(cells, key=lambda cell: cell[1])
            found.append(Line(tuple(Run("".join(letter for letter, _ in same), ink) for ink, same in runs)))
        return found


def _grid(x: float, y: float) -> tuple[int, int]:
    """Line and column of a corner that lies there (see `kibitz.catan.core.topology.corner_position`)."""
    zigzag, low = divmod(round(2 * y) + 8, 3)
    return 4 * zigzag + 2 * low, MARGIN + STEP * (round(x / _HALF_WIDTH) + 5)


def _place(corner: int) -> tuple[int, int]:
    return _grid(*corner_position(corner))
