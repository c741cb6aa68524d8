"""Counterfactual regret minimisation: near-equilibria of two-player games with hidden information.

>>> from kibitz.examples import kuhn
>>> from kibitz.search.flat import flatten
>>> solution = solve(flatten(kuhn.GAME.new(2, 0)), "cfr+", iterations=1000)
>>> round(solution.value, 4), solution.exploitability < 1e-4
(-0.0556, True)

Every information set keeps a regret for each action, and plays in proportion to the positive ones (regret matching). In
a zero-sum game with perfect recall the *average* of all strategies played converges to an equilibrium; the last one need
not. The methods differ in how they weigh what was long ago:

========== ============================================================================================================
``cfr``    nothing is forgotten (Zinkevich et al. 2007); exploitability falls at least as fast as 1 / sqrt(iterations)
``cfr+``   negative regrets become 0 at once; strategies count in proportion to their iteration (Tammelin 2014)
``dcfr``   discounts old regrets, and old strategies (Brown and Sandholm 2019): alpha 1.5, beta 0, gamma 2
``pdcfr+`` as ``cfr+`` with discounts, alpha 2.3 and gamma 10, and expects the next regrets to be like the last ones
           (Farina et al. 2021, Xu et al. 2024): of these the fastest by far where much accuracy is wanted
``mccfr``  follows chance and the opponent along one sampled line only (external sampling, Lanctot et al. 2009)
========== ============================================================================================================

In each iteration seat 0 is updated first, then seat 1 against the new strategy of seat 0. The first strategies are uniform.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kibitz.compute.runtime import Runtime
from kibitz.game import CHANCE, OVER, structs
from kibitz.game.doors import reseed_at
from kibitz.ground.jit import jit, struct, uint64
from kibitz.ground.rng import Source, below, derive_seed
from kibitz.search.flat import Flat, Floats, Indices
from kibitz.search.response import normalised, uniform
from kibitz.search.sweep import course, gained, iterate, match

#: About how much is looked at between two looks at the clock.
CHUNK = 10_000_000
#: To measure how good a strategy is takes about as long as so many iterations.
MEASURING = 2
#: A probability is drawn as one of so many numbers.
FINE = 1 << 30

STREAM = struct("cfr_stream", [("seed", np.uint64), ("random", np.uint64)])


@dataclass(frozen=True)
class Method:
    """How the past is weighed (Brown and Sandholm 2019), whether the future is predicted, and whether lines are sampled.

    After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1), negative ones by t^beta / (t^beta + 1), and
    the strategy of iteration t enters the average with weight t^gamma. A predictive method plays as if the regrets of the
    last iteration had come a second time.
    """

    alpha: float = math.inf
    beta: float = math.inf
    gamma: float = 0.0
    predictive: bool = False
    sampled: bool = False

    def __post_init__(self) -> None:
        if self.sampled and replace(self, sampled=False) != Method():
            raise ValueError("sampled lines all count alike: alpha, beta, gamma and predictions cannot be given")

    def schedule(self, done: int, n: int) -> Floats:
        """[n, 3] for the `n` iterations after the first `done`: what positive and negative regrets keep, the weight."""
        t = np.arange(done + 1, done + n + 1, dtype=np.float64)
        return np.column_stack([_kept(t, self.alpha), _kept(t, self.beta), power(t, self.gamma)])


def _kept(t: Floats, exponent: float) -> Floats:
    if math.isinf(exponent):
        return np.full_like(t, exponent > 0)
    return power(t, exponent) / (power(t, exponent) + 1)


def power(t: Floats, exponent: float) -> Floats:
    """``t**exponent`` by roots and products alone, if there is a way: NumPy's power has other last digits in other versions.

    >>> power(np.array([4.0, 9.0]), 1.5)
    array([ 8., 27.])
    """
    halves = round(2 * exponent)
    if halves != 2 * exponent or halves < 0:
        return np.array([float(number) ** exponent for number in t])
    found = np.sqrt(t) if halves % 2 else np.ones_like(t)
    for _ in range(halves // 2):
        found = found * t
    return found


METHODS = {
    "cfr": Method(),
    "cfr+": Method(beta=-math.inf, gamma=1.0),
    "dcfr": Method(alpha=1.5, beta=0.0, gamma=2.0),
    "mccfr": Method(sampled=True),
    "pdcfr+": Method(alpha=2.3, beta=-math.inf, gamma=10.0, predictive=True),
}


@dataclass(frozen=True)
class Quality:
    """How good the average strategy is: its value for seat 0, and what a perfect opponent gains against it."""

    value: float
    exploitability: float


@dataclass(frozen=True, eq=False)
class Solution(Quality):
    """The average strategy [slots] after so many iterations; `stopped` says what ended the work before it was done."""

    flat: Flat
    strategy: Floats = field(repr=False)
    iterations: int
    stopped: str | None

    def probabilities(self, node: int) -> dict[int, float]:
        """How often each action is taken at a decision node (and everywhere else in its information set)."""
        if self.flat.infoset[node] < 0:
            raise ValueError(f"nobody decides after {self.flat.path(node)}")
        slots = slice(self.flat.slot[node], self.flat.slot[node] + self.flat.children[node])
        return dict(zip(self.flat.slot_action[slots].tolist(), self.strategy[slots].tolist(), strict=True))


def solve(
    flat: Flat,
    method: str | Method = "cfr+",
    iterations: int = 1000,
    *,
    target: float = 0.0,
    enough: Callable[[Floats], bool] | None = None,
    seed: int = 0,
    runtime: Runtime | None = None,
) -> Solution:
    """Iterate until `iterations` are done, exploitability is at most `target`, or `runtime` says stop.

    At the target `enough`, if it is given, may ask for more: it is shown the average strategy. The result depends on the
    number of iterations (and with ``mccfr`` on the seed) alone. From time to time the strategy is measured: `runtime` then
    hears an `Info` with a `Quality` as its ranking, and `target` is looked at.
    """
    if iterations < 1:
        raise ValueError(f"iterations={iterations!r}: expected a whole number of at least 1")
    runtime = runtime or Runtime()
    total = runtime.limit.of(iterations)
    solver = Solver(flat, method, seed)
    solver.run(0)  # compiles, before the clock starts
    runtime.begin()
    solver.run(1)
    due = solver.visits
    while True:
        stopped = runtime.stopped if solver.iterations < total else None
        if solver.iterations == total or stopped or solver.visits >= due:
            quality = solver.quality()
            runtime.report(solver.iterations, total, quality)
            done = quality.exploitability <= target and (enough is None or enough(solver.average()))
            if solver.iterations == total or stopped or done:
                return Solution(quality.value, quality.exploitability, flat, solver.average(), solver.iterations, stopped)
            due = solver.visits + solver.visits // 4 + MEASURING * solver.visits // solver.iterations
        room = min(CHUNK, due - solver.visits) * solver.iterations // max(solver.visits, 1)
        solver.run(min(max(room, 1), total - solver.iterations))


class Solver:
    """The running state of one method on one tree, for those who want to look in between; `solve` is the usual way.

    `regret`, `current` and `total` are arrays of shape [slots]: cumulative regrets, the strategy that is played next, and the
    sum of all strategies played so far, weighed by how likely their own player was to get there.
    """

    def __init__(self, flat: Flat, method: str | Method = "cfr+", seed: int = 0) -> None:
        if isinstance(method, str):
            if method not in METHODS:
                raise ValueError(f"method {method!r}: expected one of {', '.join(METHODS)}")
            method = METHODS[method]
        self.flat = flat
        self.method = method
        self.iterations = 0
        self.visits = 0
        """How much was looked at, for both seats together: entries of the matrix and sets, or nodes where lines are sampled."""
        nodes, slots = len(flat.actor) if method.sampled else 0, len(flat.slot_action)
        self.regret, self.total, self.current = np.zeros(slots), np.zeros(slots), uniform(flat)
        self._course = course(flat)
        self._worth, self._queue = flat.value[:nodes].copy(), np.zeros(nodes, np.int32)
        self._sampled = np.zeros(nodes, np.int32)
        self._stream: Any = structs(STREAM)
        reseed_at(self._stream, 0, uint64(derive_seed(seed, "mccfr")))

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        flat = self.flat
        if self.method.sampled:
            lists = self._worth, self._queue, self._sampled
            self.visits += sample(flat, self.regret, self.current, self.total, *lists, self._stream, iterations)
        else:
            schedule = self.method.schedule(self.iterations, iterations)
            sums = self.regret, self.current, self.total
            self.visits += iterate(self._course, *sums, schedule, self.iterations, self.method.predictive)
        self.iterations += iterations

    def average(self) -> Floats:
        """The average strategy; uniform where its player never went."""
        return normalised(self.flat, self.total)

    def quality(self) -> Quality:
        """How good the average strategy is."""
        average, c = self.average(), self._course
        responses = gained(c, average, 0, True), gained(c, average, 1, True)
        return Quality(gained(c, average, 0, False), (responses[0] + responses[1]) / 2)


# --- sampled lines ----------------------------------------------------------------------------------------


@jit
def sample(
    flat: Flat, regret: Floats, current: Floats, total: Floats, worth: Floats, queue: Indices, sampled: Indices, xs: Any, n: int
) -> int:
    """`n` iterations of external sampling; how many nodes were visited.

    `queue` [nodes] lists the nodes that are visited, parents before children, `sampled` [nodes] the child that was drawn.
    """
    visits = 0
    for _ in range(n):
        for seat in range(2):
            length = draw_nodes(flat, regret, current, total, queue, sampled, xs[0], seat)
            learn(flat, regret, current, worth, queue, sampled, length, seat)
            visits += length
    return visits


@jit
def draw_nodes(
    flat: Flat, regret: Floats, current: Floats, total: Floats, queue: Indices, sampled: Indices, x: Source, seat: int
) -> int:
    """List the nodes to visit: below a decision of `seat` all children, elsewhere one; how many they are.

    The strategies of the opponent enter its average here: it comes to a node as often as its strategy leads there.
    """
    queue[0] = 0
    length, at = 1, 0
    while at < length:
        node = queue[at]
        at += 1
        actor, first, slot, n = flat.actor[node], flat.first[node], flat.slot[node], flat.children[node]
        if actor >= 0:
            match(regret, current, slot, slot + n)
        if actor == seat:
            for j in range(n):
                queue[length + j] = first + j
            length += n
        elif actor != OVER:
            u = below(x, FINE) / FINE
            j = 0
            while j < n - 1:
                u -= flat.probability[first + j] if actor == CHANCE else current[slot + j]
                if u < 0.0:
                    break
                j += 1
            if actor != CHANCE:
                for k in range(slot, slot + n):
                    total[k] += current[k]
            sampled[node] = first + j
            queue[length] = first + j
            length += 1
    return length


@jit
def learn(
    flat: Flat, regret: Floats, current: Floats, worth: Floats, queue: Indices, sampled: Indices, length: int, seat: int
) -> None:
    """The values of the listed nodes, from below, and what `seat` regrets there."""
    sign = 1.0 if seat == 0 else -1.0
    for at in range(length - 1, -1, -1):
        node = queue[at]
        actor = flat.actor[node]
        if actor == seat:
            first, slot = flat.first[node], flat.slot[node]
            mean = 0.0
            for j in range(flat.children[node]):
                mean += current[slot + j] * worth[first + j]
            for j in range(flat.children[node]):
                regret[slot + j] += sign * (worth[first + j] - mean)
            worth[node] = mean
        elif actor != OVER:
            worth[node] = worth[sampled[node]]
