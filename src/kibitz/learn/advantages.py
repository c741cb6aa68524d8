"""How much better than expected each decision turned out, where several seats decide in turn: the lesson of self-play.

A seat meets the consequences of a decision when it is to move again, or at the end. What it was rewarded with meanwhile belongs
to that decision, and what it then expects is the value at its next one. Along these chains, one for each seat of each game, the
advantages are those of generalised advantage estimation (Schulman et al. 2016).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class Lessons(NamedTuple):
    """``[step, place]`` what the decisions of a batch of games have taught."""

    advantages: Floats
    returns: Floats
    """What the value should have been."""
    known: npt.NDArray[np.bool_]
    """Whether the seat's next decision, or the end of the game, lies in the batch; of the others nothing is known yet."""


def advantages(
    values: Floats,
    rewards: Floats,
    actors: npt.NDArray[np.int64],
    over: npt.NDArray[np.bool_],
    discount: float = 1.0,
    share: float = 0.95,
) -> Lessons:
    """The lessons of ``[step, place]`` decisions; `share` (lambda) of each comes from beyond the seat's next decision.

    ``values[step + 1, place]`` and ``actors[step + 1, place]`` have one step more than the others, the one at which the batch
    ends: what the player to move expects, and who that is. ``rewards[step, place, seat]`` and ``over[step, place]`` are what
    came of each step.

    >>> values = np.array([[0.5], [0.4], [0.7]], np.float32)  # seat 0, seat 1, and seat 0 again
    >>> rewards = np.array([[[0, 0]], [[0, 1]]], np.float32)  # with its move seat 1 has won
    >>> lessons = advantages(values, rewards, np.array([[0], [1], [0]]), np.array([[False], [True]]))
    >>> lessons.returns[:, 0].tolist()  # nothing for seat 0, all for seat 1
    [0.0, 1.0]
    """
    steps, places, seats = rewards.shape
    every = np.arange(places)
    found, known = np.zeros((steps, places), np.float32), np.zeros((steps, places), np.bool_)
    reward = np.zeros((places, seats), np.float32)  # what each seat has got since its last decision
    value, gain, is_known = reward.copy(), reward.copy(), np.zeros((places, seats), np.bool_)  # at its next decision
    value[every, actors[steps]], is_known[every, actors[steps]] = values[steps], True
    for t in range(steps - 1, -1, -1):
        reward[over[t]] = value[over[t]] = gain[over[t]] = 0
        is_known[over[t]] = True
        reward += rewards[t]
        who = every, actors[t]
        wrong = reward[who] + discount * value[who] - values[t]
        found[t], known[t] = wrong + discount * share * gain[who], is_known[who]
        reward[who], value[who], is_known[who] = 0, values[t], True
        gain[who] = np.where(known[t], found[t], 0)
    return Lessons(found, found + values[:steps], known)
