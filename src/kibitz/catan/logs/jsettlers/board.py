"""The board of a JSettlers log: the messages that lay it out, and where things are on it.

The classic board has the grid of `kibitz.catan.logs.island`. The board of the sea expansion uses rows and columns instead
(0x0305 is row 3, column 5).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kibitz.catan.core.board import Board, Harbour, PortType
from kibitz.catan.core.events import Cards
from kibitz.catan.core.topology import EDGE_BETWEEN, EDGE_ENDS, HEX_OUTLINES
from kibitz.catan.logs.island import CORNER_AT, EDGE_AT, HEX_AT, LAND, TO_CORNERS, Island
from kibitz.catan.logs.jsettlers.messages import RESOURCES, Message

#: The 37 hexes of the classic board with the sea around it, row by row from the top left.
_ROWS = ((0x17, 4), (0x15, 5), (0x13, 6), (0x11, 7), (0x31, 6), (0x51, 5), (0x71, 4))
GRID = tuple(first + 0x22 * i for first, width in _ROWS for i in range(width))
#: From a hex to its neighbours, clockwise from the north-east.
TO_NEIGHBOURS = (0x02, 0x22, 0x20, -0x02, -0x22, -0x20)

#: What the numbers of a layout mean. Desert and water are 0 and 6; a 3:1 harbour is 6 and the side to which it faces
#: (1 to 6, clockwise from the north-east); another harbour has its side in the upper four bits and the resource below.
DESERT, WATER = 0, 6
TOKENS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
#: On the board of the sea expansion water is 0 and the desert 6.
_LAND_TYPES = range(1, 6)


@dataclass(frozen=True)
class Layout:
    """The terrain that a log shows: enough to know what a settlement brings, and our board where it is one."""

    #: Resources by coordinate (hexes under fog are not among them: what they bring is told when they are revealed).
    terrain: dict[int, str]
    classic: bool
    board: Board | None = None

    def resources_at(self, coordinate: int) -> Cards:
        """One card from each hex at a corner."""
        if self.classic:
            around = [coordinate - step for step in TO_CORNERS]
        else:
            around = [coordinate + row + column for row in (-0x100, 0x100) for column in (-1, 0, 1)]
        return Cards.of([self.terrain[hex] for hex in around if hex in self.terrain])

    def corner(self, coordinate: int) -> int | None:
        """Our number of a corner, on our board."""
        return CORNER_AT.get(coordinate) if self.board else None

    def edge(self, coordinate: int) -> tuple[int, int] | None:
        """Our edge, on our board."""
        return EDGE_ENDS[EDGE_AT[coordinate]] if self.board and coordinate in EDGE_AT else None

    def hex(self, coordinate: int) -> int | None:
        """Our number of a hex, on our board."""
        return HEX_AT.get(coordinate) if self.board else None


def read_layout(message: Message) -> Layout | None:
    """The layout that a message holds; None where it is empty (before the game) or of a kind that we do not know."""
    hexes = _numbers(message, "hexLayout", "HL")
    tokens = _numbers(message, "numberLayout", "NL")
    if len(hexes) == len(GRID):
        terrain = {at: RESOURCES[kind - 1] for at, kind in zip(GRID, hexes, strict=True) if kind in _LAND_TYPES}
        return Layout(terrain, True, _board(hexes, tokens)) if terrain else None
    land = _numbers(message, "LH", base=16)
    triples = zip(land[::3], land[1::3], strict=False)
    terrain = {at: RESOURCES[kind - 1] for at, kind in triples if kind in _LAND_TYPES}
    return Layout(terrain, False) if terrain else None


def _numbers(message: Message, *names: str, base: int = 10) -> list[int]:
    """The numbers of a list such as `{ 6 51 -1 }`."""
    text = message.get(*names) or ""
    digits = "0-9a-fA-F" if base == 16 else "0-9"
    return [int(word, base) for word in text.strip("{} ").split() if re.fullmatch(rf"-?[{digits}]{{1,8}}", word)]


def _board(hexes: list[int], tokens: list[int]) -> Board | None:
    """Our board, if the layout is one: the box holds no other, as when a game is played with house rules."""
    kinds = dict(zip(GRID, hexes, strict=True))
    numbers = dict(zip(GRID, tokens, strict=False))
    harbours = []
    for at, kind in kinds.items():
        side, goods = (kind - WATER, 0) if kind < 16 else divmod(kind, 16)
        if kind > WATER and 1 <= side <= 6 and goods <= 5:
            land = HEX_AT.get(at + TO_NEIGHBOURS[side - 1])
            if land is None:
                return None
            outline, back = HEX_OUTLINES[land], (side + 2) % 6
            edge = EDGE_BETWEEN[outline[back], outline[(back + 1) % 6]]
            harbours.append(Harbour(edge, PortType(RESOURCES[goods - 1]) if goods else PortType.ANY_3TO1))
    hexes_of_land = {
        h: (RESOURCES[kinds[at] - 1], TOKENS[number])
        for h, at in enumerate(LAND)
        if kinds[at] in _LAND_TYPES and 0 <= (number := numbers.get(at, -1)) < len(TOKENS)
    }
    return Island(hexes_of_land, None).board(harbours)
