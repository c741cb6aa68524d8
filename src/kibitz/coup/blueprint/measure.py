"""How far a bot is from an equilibrium, in endgames whose whole tree fits into memory.

>>> from kibitz.coup.endgames.solve import Endgame
>>> tree = EndgameTree(Endgame((6, 6), turns=2))
>>> round(tree.exploitability("uniform"), 2)
0.65
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.coup.core.engine import GAME
from kibitz.coup.core.equilibrium import mixture
from kibitz.coup.core.policy import BOTS, EQUILIBRIUM
from kibitz.coup.core.rules import actor
from kibitz.coup.endgames.solve import UNIT, Endgame
from kibitz.game import States
from kibitz.game.doors import reseed_at
from kibitz.game.verbs import choose
from kibitz.ground.jit import jit, uint64
from kibitz.search.flat import Flat, Floats
from kibitz.search.response import exploitability, uniform
from kibitz.search.walk import node_states, prune

#: How often a bot that is not asked for its mixture is asked what it does.
DRAWS = 400
UNIFORM = "uniform"


class EndgameTree:
    """An endgame as a tree, with the position at each node.

    A bot that would do something that the tree leaves out (an exchange, or less than a coup that wins) is asked again.
    """

    def __init__(self, endgame: Endgame) -> None:
        self.endgame = endgame
        self.flat: Flat = endgame.tree()

    @cached_property
    def _deciding(self) -> tuple[States, npt.NDArray[np.int32]]:
        """The first position of each information set, and its node."""
        sets, nodes = np.unique(self.flat.infoset, return_index=True)
        first = nodes[sets >= 0].astype(np.int32)
        positions = node_states(self.endgame.states, prune(**self.endgame.pruning))
        return positions[first], first

    def strategy(self, bot: str, draws: int = DRAWS, seed: int = 0) -> Floats:
        """[slots] how often a bot (a policy of the game, or ``uniform``) does what; by so many draws unless it tells."""
        if bot == UNIFORM:
            return uniform(self.flat)
        states, nodes = self._deciding
        xs: Any = GAME.scratches()
        reseed_at(xs, 0, uint64(seed))
        found = np.zeros(len(self.flat.slot_action))
        fill(states, xs, self.flat, nodes, BOTS[bot], draws, found)
        counts = np.diff(self.flat.set_slot)
        sums = np.repeat(np.add.reduceat(found, self.flat.set_slot[:-1]), counts)
        return np.where(sums > 0, found / np.where(sums > 0, sums, 1.0), uniform(self.flat))

    def exploitability(self, bot: str, draws: int = DRAWS) -> float:
        """What a perfect opponent gains on average over the two seats (NashConv / 2), where a win is 1 and a loss -1."""
        return exploitability(self.flat, self.strategy(bot, draws)) / UNIT


@jit
def fill(states: Any, xs: Any, flat: Flat, nodes: Any, policy: int, draws: int, found: Floats) -> None:
    """Write to `found` [slots] how often a policy does what in each of `states`, which belong to these `nodes`."""
    x = xs[0]
    for i in range(len(nodes)):
        begin = flat.slot[nodes[i]]
        end = begin + flat.children[nodes[i]]
        if policy == EQUILIBRIUM:
            n = mixture(states[i], x, actor(states[i]))
            for j in range(n):
                for slot in range(begin, end):
                    if flat.slot_action[slot] == x.actions[j]:
                        found[slot] += x.weights[j]
        else:
            for _ in range(draws):
                a = choose(states[i], x, policy)
                for slot in range(begin, end):
                    if flat.slot_action[slot] == a:
                        found[slot] += 1.0
