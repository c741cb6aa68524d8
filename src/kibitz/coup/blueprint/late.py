"""The last turns before the limit, from solved endgames: the trees are small enough, and sampling them would take far longer.

Every endgame of two players with some coins, cards and turns left is solved as a tree (`kibitz.search.cfr`), and what its
solution does at each decision enters the cell of that decision, by how likely play comes there. Different ways into one cell
are therefore mixed, as in self-play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.coup.core.engine import GAME
from kibitz.coup.core.rules import FORCED_COUP, actor
from kibitz.coup.core.sets import COARSE, FINE, SLOTS, answers, coarse_cell, fine_cell, question
from kibitz.coup.core.state import CHARACTERS, COST, COUP, INFLUENCES, KINDS, SHOW
from kibitz.coup.endgames.solve import Endgame
from kibitz.game import CHANCE
from kibitz.game.files import replacing
from kibitz.ground.jit import jit
from kibitz.search.cfr import Solver
from kibitz.search.flat import Flat, Floats
from kibitz.search.walk import node_states, prune

Floats32: TypeAlias = npt.NDArray[np.float32]
Counts: TypeAlias = npt.NDArray[np.uint8]
Tables: TypeAlias = tuple[Floats32, Counts]
#: Where the slots of the coarse cells begin among all, and where those end.
COARSE_AT = FINE * SLOTS
RETURN_AT = COARSE_AT + COARSE * SLOTS
#: How many iterations of the solver each tree gets.
ITERATIONS = 100
#: How likely a deviation of the opponent is taken to be, for what to do after it.
TREMBLE = 0.01


class Batch(NamedTuple):
    """Endgames that are solved together: all purses, with these cards."""

    influence: tuple[int, int]
    turns: int
    lost: tuple[str, ...]
    """The lost cards that are in sight."""

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"late-{self.influence[0]}{self.influence[1]}-{self.turns}-{'-'.join(self.lost) or 'none'}.npz"

    def endgames(self) -> Iterator[Endgame]:
        """Whoever moves against a single card with seven coins has won: those are left out."""
        for mine in range(COST[COUP] if self.influence[1] == 1 else FORCED_COUP):
            for theirs in range(FORCED_COUP):
                yield Endgame((mine, theirs), self.turns, revealed=self.lost, influence=self.influence)


def batches() -> list[Batch]:
    """Single cards: up to three turns with all lost cards, four with none in sight. With a second card: two turns, or one."""
    cards = [str(character) for character in CHARACTERS]
    lost = [gone for n in range(INFLUENCES + 1) for gone in combinations_with_replacement(cards, n)]
    singles = [Batch((1, 1), turns, gone) for gone in lost for turns in (1, 2, 3)]
    others = [Batch(influence, turns, ()) for influence in ((2, 1), (1, 2)) for turns in (1, 2)]
    few = 3 * (1 + KINDS)  # with none in sight, or one
    return [*singles[:few], *others, Batch((2, 2), 1, ()), Batch((1, 1), 4, ()), *singles[few:]]


def learn_batch(batch: Batch, iterations: int = ITERATIONS) -> tuple[Floats32, Counts]:
    """Solve endgames; what they add to the sums of strategies [slots] of a learner, and which of its questions they answer."""
    sums, seen = np.zeros(RETURN_AT, np.float32), np.zeros(RETURN_AT, np.uint8)
    for endgame in batch.endgames():
        flat = endgame.tree()
        solver = Solver(flat, "pdcfr+")
        solver.run(iterations)
        positions = node_states(endgame.states, prune(**endgame.pruning))
        pour(positions, GAME.scratches(), flat, solver.average(), np.zeros((len(flat.actor), 3)), sums, seen)
    return sums, seen


def learn_late(folder: Path, todo: Sequence[Batch], progress: Callable[[int], None] = lambda done: None) -> Tables:
    """All of it, from files of a folder; what is missing there is solved first."""
    total, answered = np.zeros(RETURN_AT, np.float32), np.zeros(RETURN_AT, np.uint8)
    for batch in todo:
        path = folder / batch.name
        if not path.exists():
            sums, seen = learn_batch(batch)
            at = np.flatnonzero(seen)
            with replacing(path) as partial, partial.open("wb") as file:
                np.savez(file, at=np.flatnonzero(sums), sums=sums[np.flatnonzero(sums)], answered=at)
        with np.load(path) as kept:
            total[kept["at"]] += kept["sums"]
            answered[kept["answered"]] = 255
        progress(1)
    return total, answered


@jit
def pour(positions: Any, xs: Any, flat: Flat, strategy: Floats, reach: Floats, sums: Any, seen: Any) -> None:
    """Add a strategy [slots] to the cells of its decisions; `reach` [nodes, 3] is room."""
    x = xs[0]
    for k in range(3):
        reach[0, k] = 1.0
    for node in range(len(flat.actor)):
        who, first, slot = flat.actor[node], flat.first[node], flat.slot[node]
        for j in range(flat.children[node]):
            for k in range(3):
                reach[first + j, k] = reach[node, k]
            if who == CHANCE:
                reach[first + j, 2] *= flat.probability[first + j]
            elif who >= 0:
                reach[first + j, who] *= strategy[slot + j]
        if who < 0 or flat.children[node] < 2:
            continue
        s = positions[node]
        if s.phase == SHOW and s.hand[who, s.claim] > 0:
            continue
        weight = reach[node, who] * reach[node, 2] * (reach[node, 1 - who] + TREMBLE)
        seat = int(actor(s))
        n, asked = answers(s, x, seat, 1 - seat, 1 - seat), question(s)
        fine, coarse = fine_cell(s, seat, 1 - seat), coarse_cell(s, seat, 1 - seat)
        for j in range(n):
            for k in range(flat.children[node]):
                if flat.slot_action[slot + k] == x.actions[j]:
                    often = weight * strategy[slot + k]
                    if fine >= 0:
                        sums[fine * SLOTS + asked + j] += often
                        seen[fine * SLOTS + asked] = 255
                    sums[COARSE_AT + coarse * SLOTS + asked + j] += often
                    seen[COARSE_AT + coarse * SLOTS + asked] = 255
