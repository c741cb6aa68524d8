"""Information-set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012) for any game and any number of players.

>>> from kibitz.examples import kuhn
>>> from kibitz.game import structs
>>> worlds = structs(kuhn.STATE, 2)  # a king, against a jack or a queen, after a bet
>>> worlds["card"], worlds["moves"][:, 0], worlds["done"] = [(1, 3), (2, 3)], kuhn.BET, 1
>>> result = search(worlds, seat=1, config=SearchConfig(iterations=2000))
>>> kuhn.NAMES[result.best.action], result.value > 0.9
('bet', True)

An iteration takes a *world*, a whole state that agrees with what the seat that asks has seen, walks down the trees, adds a
node, plays the game to its end by a policy, and counts the end in every node on the way. A node of a tree is what one viewer
has perceived so far, whatever the world: so nobody decides by what it cannot know. With *multiple* observers each seat has a
tree of its own and decides there; with a *single* one all decide in the tree of the seat that asks, and actions that it
cannot tell apart are one.

A fixed number of independent forests grows, and their counts are added up: any number of threads gives the same result.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import numpy as np

from kibitz.compute.runtime import Runtime, Threads, Workers
from kibitz.game import RANDOM
from kibitz.ground.rng import derive_seed
from kibitz.search.forest import Forest, Piece, Question, WorldStates, grow_piece, logarithms
from kibitz.search.grow import NO_NEWS

OBSERVERS = ("multiple", "single")
#: After about so many seconds the search looks at the clock, and reports.
LOOK = 0.05
#: So many iterations of each forest come before the first look; how long they take says how many follow.
FIRST_LOOK = 8


@dataclass(frozen=True)
class SearchConfig:
    """How to search.

    >>> SearchConfig(observers="two")
    Traceback (most recent call last):
        ...
    ValueError: observers='two': expected one of multiple, single
    """

    iterations: int = 10_000
    """How many, in all forests together; a `Limit` may end the search sooner."""
    trees: int = 4
    """How many independent forests grow: at most so many threads are of use. Another number gives another result."""
    exploration: float = 0.7
    """How much weight what is uncertain has, for values from 0 to 1: more tries more, less looks deeper."""
    observers: str = "multiple"
    """``multiple``: everybody decides by what it knows itself; ``single``: by what the seat that asks can see."""
    policy: int = RANDOM
    """Who plays the rest of a game, for all seats: the number of one of the game's policies."""
    guide: int | None = None
    """The policy whose choice is the first to be tried in a new node; without one the order is random."""
    others: int | None = None
    """A model of the opponents: the policy that all other seats follow in the trees, too; ``single`` then does as well as
    ``multiple``. Without one they try what is best for themselves. The seat that asks holds the same cards in all worlds, and
    opponents who learn from these alone see through its every bluff."""
    caution: float = 0.0
    """With a guide: its choice is the best unless another is better by so many standard errors. 0: the most visited is."""
    doubts: int = 1
    """How many iterations take doubts (see `search`) for each that takes a world; without doubts all take worlds."""
    horizon: int | None = None
    """After so many settled positions beyond the trees (all are, where a game does not say which) the game's evaluator is
    asked; by default games are played to their ends."""
    looks: int = 1
    """At how many settled positions it is asked, one after the other: what counts is the mean."""
    paired: bool = False
    """Whether the actions of the seat that asks are compared in the same worlds with the same luck: the tenth game of one has
    those of the tenth game of another."""
    halving: bool = False
    """Whether these actions are chosen by sequential halving: all, then the better half of them twice as often, and so on,
    again and again. Needs `paired`. Otherwise they are chosen by upper confidence bounds, like all others."""
    widening: int = 0
    """In all later nodes another action is tried only after so many visits for each that was tried before, what the guide would
    do first; 0: each is tried once before any is tried again."""
    planning: bool = False
    """Whether the trees end at the first settled position: only the rest of a turn is planned."""
    book: int = 0
    """Which networks the evaluator asks (see `kibitz.game.nets`)."""
    seed: int = 0
    """The same seed and the same number of iterations give the same result."""

    def __post_init__(self) -> None:
        least_of = {
            "iterations": 1,
            "trees": 1,
            "policy": RANDOM,
            "guide": 1,
            "others": 1,
            "doubts": 1,
            "horizon": 0,
            "looks": 1,
            "widening": 0,
            "book": 0,
        }
        for name, least in least_of.items():
            value = getattr(self, name)
            if not (value is None and name in ("guide", "others", "horizon")) and (type(value) is not int or value < least):
                raise ValueError(f"{name}={value!r}: expected a whole number of at least {least}")
        if type(self.seed) is not int:
            raise ValueError(f"seed={self.seed!r}: expected a whole number")
        for name in ("exploration", "caution"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name}={getattr(self, name)!r}: expected a number of at least 0")
        if self.caution and self.guide is None:
            raise ValueError("caution needs a guide, whose choice it prefers")
        if self.halving and not self.paired:
            raise ValueError("halving compares actions in the same worlds: it needs paired")
        if self.observers not in OBSERVERS:
            raise ValueError(f"observers={self.observers!r}: expected one of {', '.join(OBSERVERS)}")


@dataclass(frozen=True)
class ActionStatistics:
    """What the search found out about one action of the seat that asks."""

    action: int
    visits: int
    available: int
    """How many iterations could have taken it, counted from the first one that did."""
    values: tuple[float, ...]
    """What the games that began with it were worth to each seat on average: 0 is the least that the game knows, 1 the most."""
    errors: tuple[float, ...]
    """The standard errors of the values, as if the visits were independent (they are not quite: the trees learn). One result
    of 0 and one of 1 are added, so that a few equal results do not look like certainty."""


@dataclass(frozen=True)
class SearchStep:
    """One step of a line: what the seat that asks perceives of it (an action, or a label that stands for several)."""

    label: int
    seat: int
    """Who takes it, or `CHANCE`."""
    visits: int
    value: float
    """To the seat that asks."""


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found."""

    seat: int
    """Who asked."""
    iterations: int
    nodes: int
    """Of all trees together."""
    stopped: str | None
    """What ended the search before all iterations were done: ``"time"`` (not reproducible) or ``"cancelled"``."""
    actions: tuple[ActionStatistics, ...]
    """Those that were tried: the most visited first, of equally visited ones the better, then the lower code."""
    _forests: Sequence[Forest] = field(repr=False)
    habit: int | None = None
    """What the guide would do, if there is one."""
    caution: float = 0.0
    halving: bool = False

    @property
    def best(self) -> ActionStatistics:
        """The most visited action; with caution the habit, unless another one is better beyond doubt.

        After halving, the best of those that were compared to the end, which were visited about equally often.
        """
        first, seat = self.actions[0], self.seat
        if self.halving:
            last = [one for one in self.actions if 2 * one.visits > first.visits]
            first = max(last, key=lambda one: (one.values[seat], one.action == self.habit))
        habit = next((one for one in self.actions if one.action == self.habit), None)
        if habit is None or not self.caution:
            return first
        better = [one for one in self.actions if self._exceeds(one, habit)]
        return max(better, key=lambda one: one.values[self.seat], default=habit)

    def _exceeds(self, one: ActionStatistics, habit: ActionStatistics) -> bool:
        """Whether an action is better than another by more than chance."""
        seat = self.seat
        return one.values[seat] - habit.values[seat] > self.caution * math.hypot(one.errors[seat], habit.errors[seat])

    @property
    def value(self) -> float:
        """What the best action is worth to the seat that asks, from 0 to 1."""
        return self.best.values[self.seat]

    def lines(self, n: int = 3, depth: int = 8) -> tuple[tuple[SearchStep, ...], ...]:
        """The first `n` of the actions, each with the most visited steps after it, as the seat that asks perceives them.

        Iterations with doubts in which the seat sees the same count in the steps, too.
        """
        question = self._forests[0].question
        labels = dict(zip(question.actions.tolist(), question.labels.tolist(), strict=True))
        found = {step.label: (step, places) for step, places in _steps([(forest, forest.root) for forest in self._forests])}
        first = [found[label] for label in dict.fromkeys(labels[one.action] for one in self.actions)][:n]
        return tuple((step, *_line(places, depth - 1)) for step, places in first)

    def to_json(self) -> dict[str, Any]:
        """The statistics and the principal lines, for files."""
        return {
            "seat": self.seat,
            "iterations": self.iterations,
            "nodes": self.nodes,
            "stopped": self.stopped,
            "actions": [asdict(action) for action in self.actions],
            "lines": [[asdict(step) for step in line] for line in self.lines()],
        }


def search(
    worlds: WorldStates,
    seat: int,
    config: SearchConfig = SearchConfig(),  # noqa: B008
    *,
    weights: Sequence[float] | None = None,
    views: Sequence[Sequence[int]] | None = None,
    doubts: WorldStates | None = None,
    runtime: Runtime | None = None,
    workers: Workers | None = None,
) -> SearchResult:
    """Search for the best action of `seat`, whose move it is, over worlds drawn from what it believes.

    `worlds` are states of a game that are all alike to `seat`; each iteration takes one of them, by its weight (all have the
    same by default). ``views[i][j]`` names what seat j knows of world i: it cannot tell worlds with equal numbers apart. By
    default that is what `hide` leaves of a world (a list of `kibitz.search.forest.PlainGame` has no such default).

    In all worlds `seat` holds the same, and opponents who learn from them see through its every bluff. `doubts` are worlds as
    everybody at the table may imagine them, in which `seat`, too, may hold this or that (their views come after those of
    the worlds). Some iterations (`SearchConfig.doubts`) then take one of these, and the others learn from no other. They should
    be as likely as what `seat` has done so far makes them: drawn by counting, they teach the others that it tells nothing.

    `runtime` may limit iterations or time, hears of the actions so far, and cancels; a few iterations are done even if it
    says stop at once. The result depends on the worlds, the config and the number of iterations alone, not on the workers.
    """
    runtime = runtime or Runtime()
    workers = workers or Threads()
    single, judged = config.observers == "single", config.horizon is not None
    question = Question(worlds, seat, single, weights, views, doubts, 1 + config.doubts, judged)
    guide, others = config.guide or RANDOM, config.others or RANDOM
    for name, number in (("policy", config.policy), ("guide", guide), ("others", others)):
        question.check_policy(name, number)
    habit = question.habit(guide, config.seed) if guide else None
    total = runtime.limit.of(config.iterations)
    shares = [total // config.trees + (number < total % config.trees) for number in range(min(config.trees, total))]
    seeds = [derive_seed(config.seed, "ismcts", number) for number in range(len(shares))]
    forests = [Forest(question, config, seed) for seed in seeds]
    logs = logarithms(2)
    forests[0].grow(0, logs)  # compiles, before the clock starts
    runtime.begin()
    look = FIRST_LOOK
    while forests[0].done == 0 or (forests[0].done < shares[0] and runtime.stopped is None):
        began = time.perf_counter()
        goal = forests[0].done + look
        if goal >= len(logs):
            logs = logarithms(2 * goal)
        pieces = [Piece(forest, min(goal, share) - forest.done, logs) for forest, share in zip(forests, shares, strict=True)]
        for number, forest in workers.map(grow_piece, pieces):
            forests[number] = forest
        runtime.report(sum(forest.done for forest in forests), total, statistics(forests))
        look = max(1, min(8 * look, int(look * LOOK / (time.perf_counter() - began))))
    done = sum(forest.done for forest in forests)
    nodes = sum(forest.size for forest in forests)
    stopped = runtime.stopped if done < total else None
    found = statistics(forests)
    return SearchResult(seat, done, nodes, stopped, found, forests, habit, config.caution, config.halving)


def statistics(forests: Sequence[Forest]) -> tuple[ActionStatistics, ...]:
    """What all forests together found out about each action that was tried."""
    question = forests[0].question
    low, high = question.stakes
    visits = np.sum([forest.openings.visits for forest in forests], axis=0)
    sums = np.sum([forest.openings.sums for forest in forests], axis=0)
    squares = np.sum([forest.openings.squares for forest in forests], axis=0)
    available = dict.fromkeys(question.labels.tolist(), 0)
    for forest in forests:
        for label, node in forest.children(forest.root).items():
            available[label] += int(forest.nodes["available"][node])
    found = []
    for i in np.flatnonzero(visits):
        n = int(visits[i])
        values = (sums[i] / n - low) / (high - low)
        # One imagined result at each end of the scale.
        mean = (sums[i] + low + high) / (n + 2)
        spread = (squares[i] + low * low + high * high) / (n + 2) - mean * mean
        errors = np.sqrt(spread / (n + 2)) / (high - low)
        at = available[int(question.labels[i])]
        found.append(ActionStatistics(int(question.actions[i]), n, at, tuple(values.tolist()), tuple(errors.tolist())))
    return tuple(sorted(found, key=lambda one: (-one.visits, -one.values[question.seat], one.action)))


#: Nodes that are the same place in several forests.
Places: TypeAlias = "list[tuple[Forest, int]]"


def _steps(places: Places) -> list[tuple[SearchStep, Places]]:
    """The steps from a place and where they lead, in ascending order of their labels."""
    found: dict[int, Places] = {}
    places = [*places]
    for forest, node in places:
        for label, child in forest.children(node).items():
            if label < NO_NEWS:  # what a step told is part of it: what came then is looked at, too
                places.append((forest, child))
            else:
                found.setdefault(label, []).append((forest, child))
    return [(_step(label, found[label]), found[label]) for label in sorted(found)]


def _step(label: int, places: Places) -> SearchStep:
    forest, node = places[0]
    low, high = forest.question.stakes
    visits = sum(int(forest.nodes["visits"][node]) for forest, node in places)
    won = sum(int(forest.nodes["worth"][node]) for forest, node in places)
    return SearchStep(label, int(forest.nodes["mover"][node]), visits, (won / visits - low) / (high - low))


def _rank(found: tuple[SearchStep, Places]) -> tuple[int, float]:
    """The most visited first, of equally visited ones the better."""
    return -found[0].visits, -found[0].value


def _line(places: Places, depth: int) -> Iterator[SearchStep]:
    """The most visited steps from a place."""
    for _ in range(depth):
        found = _steps(places)
        if not found:
            return
        step, places = min(found, key=_rank)
        yield step
