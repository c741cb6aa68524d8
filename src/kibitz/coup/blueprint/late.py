"""The last turns before the limit, from solved endgames: the trees are small enough, and sampling them would take far longer.

Every endgame of two players with some coins, cards and turns left is solved as a tree (`kibitz.search.cfr`), and what its
solution does at each decision enters the cell of that decision, by how likely play comes there. Different ways into one cell
are therefore mixed, as in self-play.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.coup.core.engine import GAME
from kibitz.coup.core.rules import FORCED_COUP
from kibitz.coup.core.sets import COARSE, FINE, SLOTS, answers, coarse_cell, fine_cell, question
from kibitz.coup.core.state import CHARACTERS, COST, COUP, INFLUENCES, SHOW, CoupState
from kibitz.coup.endgames.solve import Endgame
from kibitz.game import CHANCE, structs
from kibitz.game.files import replacing
from kibitz.game.verbs import apply, copy
from kibitz.ground.jit import jit
from kibitz.search.cfr import Solver
from kibitz.search.flat import Flat, Floats, Indices
from kibitz.search.walk import Pruning, prune, run_out

Floats32: TypeAlias = npt.NDArray[np.float32]
Counts: TypeAlias = npt.NDArray[np.uint8]
Tables: TypeAlias = tuple[Floats32, Counts]
#: Where the slots of the coarse cells begin among all, and where those end.
COARSE_AT = FINE * SLOTS
RETURN_AT = COARSE_AT + COARSE * SLOTS
#: How many turns are solved, by the cards of the mover and of the other.
TURNS = {(1, 1): 4, (2, 1): 3, (1, 2): 3, (2, 2): 2}
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
    """Every standing with as many turns as `TURNS` says, and with all lost cards that may be in sight."""
    cards = [str(character) for character in CHARACTERS]
    return [
        Batch(influence, turns, gone)
        for influence, most in TURNS.items()
        for lost in range(2 * INFLUENCES - sum(influence) + 1)
        for gone in combinations_with_replacement(cards, lost)
        for turns in range(1, most + 1)
    ]


def learn_batch(batch: Batch, iterations: int = ITERATIONS) -> tuple[Floats32, Counts]:
    """Solve endgames; what they add to the sums of strategies [slots] of a learner, and which of its questions they answer."""
    sums, seen = np.zeros(RETURN_AT, np.float32), np.zeros(RETURN_AT, np.uint8)
    for endgame in batch.endgames():
        flat = endgame.tree()
        solver = Solver(flat, "pdcfr+")
        solver.run(iterations)
        depths = len(flat.level) + 2
        states, path = structs(GAME.state, depths), np.zeros((depths, 2), np.int32)
        states[0] = endgame.states[0]
        reach = np.zeros((len(flat.actor), 3))
        pour(states, GAME.scratches(), path, flat, solver.average(), reach, prune(**endgame.pruning), sums, seen)
    return sums, seen


def learn_late(folder: Path, todo: Sequence[Batch], jobs: int | None = None) -> Tables:
    """All of it, from files of a folder; what is missing there is solved first."""
    total, answered = np.zeros(RETURN_AT, np.float32), np.zeros(RETURN_AT, np.uint8)
    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        for path in pool.map(lambda batch: solved(folder, batch), todo):
            with np.load(path) as kept:
                total[kept["at"]] += kept["sums"]
                answered[kept["answered"]] = 255
    return total, answered


def solved(folder: Path, batch: Batch) -> Path:
    """The file of a batch, which is solved if there is none."""
    path = folder / batch.name
    if not path.exists():
        sums, seen = learn_batch(batch)
        at = np.flatnonzero(sums)
        with replacing(path) as partial, partial.open("wb") as file:
            np.savez(file, at=at, sums=sums[at], answered=np.flatnonzero(seen))
    return path


@jit
def pour(
    states: Any, xs: Any, path: Indices, flat: Flat, strategy: Floats, reach: Floats, pruning: Pruning, sums: Any, seen: Any
) -> None:
    """Add a strategy [slots] to the cells of its decisions.

    ``states[0]`` is the position of the root. The others, `path` [depths, 2] and `reach` [nodes, 3] are room.
    """
    for k in range(3):
        reach[0, k] = 1.0
    path[0, 0], path[0, 1], depth = 0, 0, 0
    while depth >= 0:
        node = path[depth, 0]
        if path[depth, 1] == 0:
            come(flat, strategy, reach, node)
            if flat.actor[node] >= 0 and flat.children[node] > 1:
                add(states[depth], xs[0], flat, strategy, reach, sums, seen, node)
        while path[depth, 1] < flat.children[node] and flat.children[flat.first[node] + path[depth, 1]] == 0:
            path[depth, 1] += 1
        if path[depth, 1] == flat.children[node]:
            depth -= 1
            continue
        child = flat.first[node] + path[depth, 1]
        path[depth, 1] += 1
        copy(states, depth + 1, depth)
        apply(states[depth + 1], int(flat.action[child]))
        run_out(states, depth + 1, depth + 2, xs[0], pruning)
        depth += 1
        path[depth, 0], path[depth, 1] = child, 0


@jit
def come(flat: Flat, strategy: Floats, reach: Floats, node: int) -> None:
    """How likely both players and chance lead to the children of a node."""
    who, first, slot = flat.actor[node], flat.first[node], flat.slot[node]
    for child in range(first, first + flat.children[node]):
        for k in range(3):
            reach[child, k] = reach[node, k]
        if who == CHANCE:
            reach[child, 2] *= flat.probability[child]
        else:
            reach[child, who] *= strategy[slot + child - first]


@jit
def add(s: CoupState, x: Any, flat: Flat, strategy: Floats, reach: Floats, sums: Any, seen: Any, node: int) -> None:
    """Add what is done at a node to its cell."""
    seat, slot = int(flat.actor[node]), flat.slot[node]
    if s.phase == SHOW and s.hand[seat, s.claim] > 0:
        return
    weight = reach[node, seat] * reach[node, 2] * (reach[node, 1 - seat] + TREMBLE)
    n, asked = answers(s, x, seat, 1 - seat, 1 - seat), question(s)
    fine, coarse = fine_cell(s, seat, 1 - seat), coarse_cell(s, seat, 1 - seat)
    for j in range(n):
        for k in range(slot, slot + flat.children[node]):
            if flat.slot_action[k] == x.actions[j]:
                often = weight * strategy[k]
                sums[fine * SLOTS + asked + j] += often
                seen[fine * SLOTS + asked] = 255
                sums[COARSE_AT + coarse * SLOTS + asked + j] += often
                seen[COARSE_AT + coarse * SLOTS + asked] = 255
