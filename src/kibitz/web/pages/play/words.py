"""Moves in words as the page says them: places by what lies around them, players by their names."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.analysis.explain import hexes_text
from kibitz.analysis.wording import say
from kibitz.catan.actions import Action
from kibitz.catan.board import Board

_PIECES = {"place_setup_settlement": "a settlement", "build_settlement": "a settlement", "build_city": "a city"}


def move_words(action: str, board: Board, names: Sequence[str]) -> str:
    """The text of a player's action in words.

    >>> move_words("build_city 41", Board.beginner(), ("You", "Bob"))
    'a city at wheat 6 · brick 5 · ore 3'
    >>> move_words("steal_resource P2", Board.beginner(), ("You", "Bob"))
    'rob Bob'
    """
    parsed = Action.from_text(action)
    if parsed.kind in _PIECES:
        return f"{_PIECES[parsed.kind]} at {hexes_text(board, parsed.data['corner'])}"
    words = say(action, board)
    for name in ("victim", "partner"):
        if name in parsed.data:
            words = words.replace(f"seat {parsed.data[name] + 1}", names[parsed.data[name]])
    return words
