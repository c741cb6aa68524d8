"""Places of the board as people name them: a corner by what lies around it, an edge by what it lies between.

>>> board = Board.beginner()
>>> corner_words(board, 41), corner_words(board, 1)
('wheat 6, brick 5, ore 3', 'ore 10, 3:1 harbour')
>>> edge_words(board, (17, 18)), edge_words(board, (0, 1))
('between wheat 12 and wheat 9', 'on the coast of ore 10')
>>> in_words("V41 wins more often than V1", board)
'wheat 6, brick 5, ore 3 wins more often than ore 10, 3:1 harbour'
>>> in_words("a road V17-V18, then the robber to hex 4 (brick 6)", board)
'a road between wheat 12 and wheat 9, then the robber to brick 6'
"""

import re
from collections.abc import Callable, Sequence

from kibitz.catan.core.board import Board, Hex, PortType
from kibitz.catan.core.sketch import Sketch
from kibitz.catan.core.topology import CORNER_HEXES, CORNERS, EDGE_BETWEEN, EDGE_ENDS, NONE

#: An edge, a corner or a hex by its number, as texts of the analysis name it.
_CODE = re.compile(r"\bV(?P<a>\d{1,2})-V(?P<b>\d{1,2})\b|\bV(?P<corner>\d{1,2})\b|\bhex (?P<hex>\d{1,2}) \((?P<named>[^)]+)\)")


def hexes_at(board: Board | Sketch, corner: int) -> list[Hex]:
    """The hexes around a corner, the most productive first, the desert last."""
    found = [board.hexes[hex] for hex in CORNER_HEXES.tolist()[corner] if hex != NONE]
    return sorted(found, key=lambda hex: (-hex.pips, hex.number or 0))


def hex_name(hex: Hex) -> str:
    """What lies there: ``wheat 6``, ``desert``."""
    if hex.resource is None:
        return "desert"
    return f"{hex.resource} {hex.number}" if hex.number else str(hex.resource)


def the_hex(hex: Hex) -> str:
    """The same within a sentence: ``wheat 6``, ``the desert``."""
    return "the desert" if hex.resource is None else hex_name(hex)


def harbour_at(board: Board | Sketch, corner: int) -> PortType | None:
    """The harbour of a corner."""
    return next((harbour.kind for harbour in board.harbours if corner in EDGE_ENDS[harbour.edge]), None)


def harbour_name(kind: PortType) -> str:
    """What it is called: ``3:1 harbour``, ``2:1 ore harbour``."""
    return "3:1 harbour" if kind is PortType.ANY_3TO1 else f"2:1 {kind.value} harbour"


def corner_words(board: Board | Sketch, corner: int, between: str = ", ") -> str:
    """A corner by its hexes and its harbour."""
    kind = harbour_at(board, corner)
    return between.join([*map(hex_name, hexes_at(board, corner)), *([harbour_name(kind)] if kind else [])])


def edge_words(board: Board | Sketch, edge: Sequence[int]) -> str:
    """Where an edge (by its two corners) lies: between two hexes, or on the coast of one, and beside which others."""
    here, there = ({h for h in CORNER_HEXES.tolist()[corner] if h != NONE} for corner in edge)

    def named(hex: int) -> str:
        return the_hex(board.hexes[hex])

    first, *second = sorted(here & there)
    if second:
        return f"between {named(first)} and {named(second[0])}"
    beside = " and ".join(named(h) for h in sorted((here | there) - {first}))
    return f"on the coast of {named(first)}{f', beside {beside}' if beside else ''}"


def in_words(
    text: str, board: Board | Sketch, marked: Callable[[str, str, str], str] = lambda words, code, element: words
) -> str:
    """A text in which places are named by their numbers, with words for them.

    `marked` is asked how a place is written: in words, by its code, and which element of a picture it is.
    """

    def worded(found: re.Match[str]) -> str:
        if found["hex"]:
            return marked(found["named"], f"hex {found['hex']}", f"hex-{found['hex']}")
        corners = [int(n) for n in (found["a"], found["b"], found["corner"]) if n is not None]
        if max(corners) >= CORNERS or (len(corners) == 2 and (corners[0], corners[1]) not in EDGE_BETWEEN):
            return found[0]
        if len(corners) == 2:
            return marked(edge_words(board, corners), found[0], f"edge-{EDGE_BETWEEN[corners[0], corners[1]]}")
        return marked(corner_words(board, corners[0]), found[0], f"corner-{corners[0]}")

    return _CODE.sub(worded, text)
