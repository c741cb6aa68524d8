"""How large a game tree is, before it is made.

Many lines of play lead to the same position, and below equal positions the trees are equal. So each depth is counted with
every position once, and how often it occurs:

>>> from kibitz.examples import kuhn, leduc
>>> count_nodes(kuhn.GAME.new(2, 0)), count_nodes(leduc.GAME.new(2, 0))
(58, 1939)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.game import OVER, game_of, structs
from kibitz.game.definition import as_structs
from kibitz.game.verbs import actor, apply
from kibitz.ground.jit import jit
from kibitz.search.flat import Floats, Indices, prune
from kibitz.search.walk import Pruning, choices, run_out

#: How many positions are looked at in one go.
BATCH = 4096


def count_nodes(
    start: npt.NDArray[np.void],
    *,
    without: Sequence[int] = (),
    decisive: Sequence[int] = (),
    short: bool = False,
    enough: float = 1e15,
) -> int:
    """How many nodes `kibitz.search.flat.flatten` would make of these states of a compiled game.

    Counting ends once there are more than `enough`: then there are at least as many as it says.
    """
    pruning = prune(without, decisive, short)
    states, often = start, np.ones(len(start))
    total = float(len(start) + (len(start) > 1))
    while len(states) and total <= enough:
        states, parent, _ = children(states, pruning)
        often = often[parent]
        total += often.sum()
        states, often = _distinct(states, often)
    return int(total)


def children(states: npt.NDArray[np.void], pruning: Pruning) -> tuple[npt.NDArray[np.void], Indices, Indices]:
    """What can come after each of these positions, in order; for each of those, which one it comes after and by what."""
    xs = game_of(states).scratches()
    room = len(xs["actions"][0]) * BATCH
    found, parents, actions = [], [], []
    for first in range(0, len(states), BATCH):
        below, parent, action = structs(states.dtype, room + 1), np.zeros(room, np.int32), np.zeros(room, np.int32)
        n = expand(states[first : first + BATCH], xs, pruning, below, parent, action)
        found.append(np.asarray(below[:n]).copy())
        parents.append(parent[:n] + first)
        actions.append(action[:n])
    return as_structs(np.concatenate(found)), np.concatenate(parents), np.concatenate(actions)


def node_states(start: npt.NDArray[np.void], pruning: Pruning) -> npt.NDArray[np.void]:
    """The position at every node of the tree that `flatten` makes of these states, in its order.

    (With several states the root above them has none: the first position is then that of node 1.)
    """
    levels = [np.asarray(start)]
    while len(levels[-1]):
        below, _, _ = children(as_structs(levels[-1]), pruning)
        levels.append(np.asarray(below))
    return as_structs(np.concatenate(levels))


def _distinct(states: npt.NDArray[np.void], often: Floats) -> tuple[npt.NDArray[np.void], Floats]:
    """Each of these positions once, and how often it occurs."""
    raw = np.frombuffer(states.tobytes(), f"S{states.dtype.itemsize}")
    _, first, which = np.unique(raw, return_index=True, return_inverse=True)
    distinct = structs(states.dtype, len(first))
    distinct[:] = states[first]
    return distinct, np.asarray(np.bincount(which, often, len(first)), np.float64)


@jit
def expand(states: Any, xs: Any, pruning: Pruning, below: Any, parent: Indices, action: Indices) -> int:
    """Write what comes after each of `states` to `below` [room + 1]; how many that are.

    `parent` and `action` [room] say after which state, and by which action.
    """
    n = 0
    for i in range(len(states)):
        seat = int(actor(states[i]))
        if seat != OVER:
            count = int(choices(states[i], xs[0], seat, pruning))
            for j in range(count):
                parent[n + j], action[n + j] = i, xs[0].actions[j]
                below[n + j] = states[i]
                apply(below[n + j], int(xs[0].actions[j]))
            if pruning.short == 1:
                for j in range(count):
                    run_out(below, n + j, n + count, xs[0], pruning)
            n += count
    return n
