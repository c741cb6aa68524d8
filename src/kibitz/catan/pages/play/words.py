"""Moves in words as the page says them: places by what lies around them, players by their names."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.catan.analysis.explain import hexes_text
from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import Board
from kibitz.catan.core.topology import CORNER_HEXES, NONE
from kibitz.catan.words import say

_PIECES = {"place_setup_settlement": "a settlement", "build_settlement": "a settlement", "build_city": "a city"}


def move_words(action: str, board: Board, names: Sequence[str]) -> str:
    """The text of a player's action in words.

    >>> move_words("build_city 41", Board.beginner(), ("You", "Bob"))
    'a city at wheat 6 · brick 5 · ore 3'
    >>> move_words("build_road 17-18", Board.beginner(), ("You", "Bob"))
    'a road between wheat 12 and wheat 9'
    >>> move_words("steal_resource P2", Board.beginner(), ("You", "Bob"))
    'rob Bob'
    """
    parsed = Action.from_text(action)
    if parsed.kind in _PIECES:
        return f"{_PIECES[parsed.kind]} at {hexes_text(board, parsed.data['corner'])}"
    if "edge" in parsed.data:
        return f"a road {_along(board, parsed.data['edge'])}"
    words = say(action, board)
    for name in ("victim", "partner"):
        if name in parsed.data:
            words = words.replace(f"seat {parsed.data[name] + 1}", names[parsed.data[name]])
    return words


def _along(board: Board, edge: tuple[int, int]) -> str:
    """Where an edge lies: between two hexes, or at the coast of one."""
    around = CORNER_HEXES.tolist()
    here, there = (around[corner] for corner in edge)
    hexes = [board.hexes[h] for h in here if h in there and h != NONE]
    names = [f"{hex.resource} {hex.number}" if hex.resource else "the desert" for hex in hexes]
    return f"between {' and '.join(names)}" if len(names) == 2 else f"on the coast of {names[0]}"
