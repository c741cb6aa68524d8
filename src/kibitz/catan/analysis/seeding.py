"""The seeds of an analysis: the same board, seed and purpose give the same numbers, whatever else is analysed."""

from __future__ import annotations

from kibitz.catan.core.board import Board
from kibitz.ground.rng import derive_seed


def analysis_seed(board: Board, mc_seed: int, salt: str) -> int:
    """The seed of everything random in one analysis of a board; `salt` names the kind of analysis.

    >>> analysis_seed(Board.beginner(), 1, "monte_carlo") == analysis_seed(Board.beginner(), 1, "full_game_rollout")
    False
    """
    return derive_seed(mc_seed, board.to_text(), salt)
