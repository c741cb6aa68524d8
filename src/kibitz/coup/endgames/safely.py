"""Endgames solved again where a turn begins, without giving away what the blueprint was good for.

>>> from kibitz.coup.endgames.solve import Endgame
>>> whole = WholeEndgame(Endgame((6, 6), turns=2))
>>> trunk = whole.blueprint()
>>> refined = whole.resolved(trunk, seat=1, turn=2)
>>> whole.conceded(refined, 1) <= whole.conceded(trunk, 1) + 1e-6
True
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint.measure import DRAWS, EndgameTree, fill
from kibitz.coup.core.blueprint import BLUEPRINT, TWO
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.policy import EQUILIBRIUM
from kibitz.coup.core.state import ACTION, DO_RETURN
from kibitz.coup.endgames.solve import UNIT, Endgame
from kibitz.game import CHANCE, States, seen_at
from kibitz.search.cfr import solve
from kibitz.search.flat import Flat, Floats, Indices
from kibitz.search.resolving import Resolved, resolve, subgame
from kibitz.search.response import best_response, exploitability, normalised
from kibitz.search.walk import node_states, prune

#: How accurately parts are solved, where a win is 1, and with how many iterations at most.
TARGET, ITERATIONS = 1e-7, 20_000
#: What an answer may concede more than the blueprint: errors of rounding and of the solver.
TOLERANCE = 1e-6
#: A label for what not everybody sees.
HIDDEN = -1


def blueprint_strategy(flat: Flat, positions: States) -> Floats | None:
    """[slots] what the blueprint does on a tree; None where there is no blueprint.

    `positions` are those of its nodes, without the root above several states. What the tree leaves out (exchanges) it does not
    do: the rest is done more often instead.
    """
    if not any(file.variant == TWO for file in BLUEPRINT.files):
        return None
    sets, nodes = np.unique(flat.infoset, return_index=True)
    first = nodes[sets >= 0].astype(np.int32)
    found = np.zeros(len(flat.slot_action))
    fill(positions[first - (len(flat.actor) - len(positions))], GAME.scratches(), flat, first, EQUILIBRIUM, 0, found)
    return normalised(flat, found)


class WholeEndgame(EndgameTree):
    """The tree of an endgame with all that is known at each node: parts of it can be solved again, and the whole measured."""

    def __init__(self, endgame: Endgame) -> None:
        super().__init__(endgame)
        self.positions = node_states(endgame.states, prune(**endgame.pruning))

    def blueprint(self) -> Floats:
        """The blueprint's strategy."""
        found = blueprint_strategy(self.flat, self.positions)
        assert found is not None, "a blueprint for two players comes with Kibitz"
        return found

    def solved(self) -> Floats:
        """An equilibrium, near enough."""
        return solve(self.flat, "pdcfr+", ITERATIONS, target=TARGET * UNIT).strategy

    def exploitability(self, bot: str | Floats, draws: int = DRAWS) -> float:
        """What a perfect opponent gains on average against a bot or a strategy (NashConv / 2), where a win is 1."""
        return super().exploitability(bot, draws) if isinstance(bot, str) else exploitability(self.flat, bot) / UNIT

    def conceded(self, strategy: Floats, seat: int) -> float:
        """What the opponent of `seat` wins at best against its strategy."""
        return best_response(self.flat, strategy, 1 - seat)[0] / UNIT

    @cached_property
    def known(self) -> npt.NDArray[np.int64]:
        """[nodes, 3] a number for what seat 0, seat 1 and the public know at a node."""
        flat = self.flat
        labels = np.tile(flat.action[:, None].astype(np.int64), (1, 3))
        for node in np.flatnonzero((flat.actor[flat.parent] == CHANCE) & (flat.parent >= 0)).tolist():
            above = int(flat.parent[node])
            for seat in range(2):
                labels[node, seat] = seen_at(self.positions, above, int(flat.action[node]), seat)
            labels[node, 2] = HIDDEN
        labels[flat.action >= DO_RETURN, 2] = HIDDEN
        found = np.zeros((len(flat.actor), 3), np.int64)
        for depth in range(1, len(flat.level) - 1):
            level = slice(flat.level[depth], flat.level[depth + 1])
            for who in range(3):
                both = np.column_stack([found[flat.parent[level], who], labels[level, who]])
                found[level, who] = np.unique(both, axis=0, return_inverse=True)[1].ravel()
        return found

    def turn_starts(self, turn: int) -> list[Indices]:
        """The nodes at which a turn begins, by what the public knows."""
        rows = np.asarray(self.positions)
        starts = np.flatnonzero((rows["phase"] == ACTION) & (rows["turn"] == turn) & (self.flat.actor >= 0))
        depths = np.searchsorted(self.flat.level, starts, side="right")
        _, which = np.unique(np.column_stack([depths, self.known[starts, 2]]), axis=0, return_inverse=True)
        return [starts[which.ravel() == number].astype(np.int32) for number in range(int(which.max(initial=-1)) + 1)]

    def resolved(self, trunk: Floats, seat: int, turn: int, safely: bool = True, told: Any = None) -> Floats:
        """A trunk in which `seat` solves the rest of the game again wherever a turn of that number begins.

        The past of the opponent is not guessed at: all its cards are as likely as they are dealt. `told`, a list, is given how
        each part was answered.
        """
        reach = self._reach(trunk, seat)
        strategy = trunk.copy()
        for nodes in self.turn_starts(turn):
            if not reach[nodes].sum() > 0:
                continue
            part, slots = subgame(self.flat, nodes, reach[nodes])
            theirs = np.unique(self.known[nodes, 1 - seat], return_inverse=True)[1].ravel().astype(np.int32)
            limits: dict[str, Any] = {"iterations": ITERATIONS, "target": TARGET * UNIT}
            if safely:
                found = resolve(part, trunk[slots], seat, theirs, tolerance=TOLERANCE * UNIT, **limits)
            else:
                found = Resolved(solve(part, "pdcfr+", **limits).strategy, 0.0, "unsafe")
            own = np.repeat(part.set_seat == seat, np.diff(part.set_slot))
            strategy[slots[own]] = found.strategy[own]
            if told is not None:
                told.append(found.how)
        return strategy

    def _reach(self, strategy: Floats, seat: int) -> Floats:
        """[nodes] how likely chance and `seat` come to a node."""
        flat = self.flat
        reach = np.ones(len(flat.actor))
        for depth in range(1, len(flat.level) - 1):
            nodes = np.arange(flat.level[depth], flat.level[depth + 1])
            above = flat.parent[nodes]
            decides = flat.actor[above] == seat
            step = np.where(flat.actor[above] == CHANCE, flat.probability[nodes], 1.0)
            slots = flat.slot[above[decides]] + nodes[decides] - flat.first[above[decides]]
            step[decides] = strategy[slots]
            reach[nodes] = reach[above] * step
        return reach
