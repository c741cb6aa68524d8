"""What a position is worth, judged by what came later in its game.

Who won in the end is an honest answer, but a noisy one. What the evaluator says of a later position of the same game is less
noisy, and wrong where the evaluator is. The *lambda-return* (Sutton 1988) mixes them: a share of what the next kept position is
taken to be worth, and the rest from what lies beyond it; the last position of a game is worth its end.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def outcomes(winner: npt.NDArray[np.int8], seats: int) -> npt.NDArray[np.float32]:
    """[position, seat] 1 for the seat that won.

    >>> outcomes(np.array([1, 0], np.int8), 3).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    """
    return np.eye(seats, dtype=np.float32)[winner]


def lambda_returns(
    values: npt.NDArray[np.float32], winner: npt.NDArray[np.int8], game: npt.NDArray[np.int64], share: float
) -> npt.NDArray[np.float32]:
    """[position, seat] what each position is worth; `share` (lambda) of it comes from beyond the next position.

    Positions of a game follow each other, in the order in which they came.

    >>> values = np.array([[0.5, 0.5], [0.6, 0.4], [0.9, 0.1]], np.float32)
    >>> lambda_returns(values, np.array([0, 0, 1], np.int8), np.array([7, 7, 8]), 0.5).tolist()
    [[0.800000011920929, 0.20000000298023224], [1.0, 0.0], [0.0, 1.0]]
    """
    found = outcomes(winner, values.shape[1])
    is_last = np.append(game[1:] != game[:-1], True)
    ends = np.flatnonzero(is_last)
    places = np.arange(len(game))
    left = ends[np.searchsorted(ends, places)] - places  # how many positions of the same game follow
    for distance in range(1, int(left.max(initial=0)) + 1):
        here = np.flatnonzero(left == distance)
        found[here] = (1 - share) * values[here + 1] + share * found[here + 1]
    return found
