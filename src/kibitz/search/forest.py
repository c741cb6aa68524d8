"""The question that information-set MCTS is asked, and the trees that grow while it looks for the answer.

`kibitz.search.ismcts` is the usual way in; `kibitz.search.grow` holds the compiled walk.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from kibitz.game import RANDOM, Game, States, game_of, scratch_fields, seats_of, structs
from kibitz.game.definition import as_structs, seat_policies
from kibitz.game.doors import reseed_at
from kibitz.game.evaluator import SURE
from kibitz.game.verbs import choose
from kibitz.ground.jit import plain, rows, uint64
from kibitz.ground.plain_states import PlainScratches, PlainStates
from kibitz.search.flat import PLAIN_ACTIONS, PlainState, hidden_views
from kibitz.search.grow import (
    DEEPER, NODE, Floats, Numbers, Openings, WorldDraws, find_stranger, grow, list_openings, list_sensible, walk_struct,
)  # fmt: skip

if TYPE_CHECKING:
    from kibitz.search.ismcts import SearchConfig

#: Weights of worlds are counted in parts of this.
FINE = 1 << 30
#: For so many nodes a forest first has room; it grows as they do.
FIRST_ROOM = 1024


class PlainGame(PlainState, Protocol):
    """A game written in plain Python that can be searched: some verbs more (`choose` where it has policies), and two facts."""

    @property
    def seats(self) -> int:
        """How many play."""

    @property
    def stakes(self) -> tuple[int, int]:
        """The least and the most that the end can be worth to a seat."""

    def sensible(self, x: Any) -> int: ...  # noqa: D102
    def moment(self) -> int: ...  # noqa: D102
    def prize(self, seat: int) -> int: ...  # noqa: D102


# An array of states, or a list of plain ones that belong to no `Game`.
WorldStates: TypeAlias = "States | Sequence[PlainGame]"


class Question:
    """The worlds as compiled or plain code takes them, and what their game declares. Refuses what cannot be searched."""

    def __init__(
        self,
        worlds: WorldStates,
        seat: int,
        single: bool,
        weights: Sequence[float] | None = None,
        views: Sequence[Sequence[int]] | None = None,
        doubts: WorldStates | None = None,
        shares: int = 1,
        judged: bool = False,
    ) -> None:
        """`judged`: the evaluator is asked, and all prizes are counted as finely as it judges."""
        if not len(worlds):
            raise ValueError("no worlds: expected at least one")
        if doubts is not None and not len(doubts):
            raise ValueError("no doubts: expected at least one, or None")
        if doubts is not None and single:
            raise ValueError("doubts are what others learn from: with a single observer nobody else has a tree")
        self.seat = seat
        self.game: Game | None = game_of(worlds) if isinstance(worlds, np.ndarray) else None
        self.compiled = self.game is not None and not self.game.is_plain
        given = [worlds] if doubts is None else [worlds, doubts]
        self.states: States
        """The worlds, then the doubts, then room for the one that is played."""
        if self.compiled:
            everything = as_structs(np.concatenate([np.asarray(states) for states in given]))
            self.states = structs(everything.dtype, len(everything) + 1)
        else:
            everything = PlainStates(self.game, [state for states in given for state in states])
            self.states = PlainStates(self.game, [None] * (len(everything) + 1))
        self.states[:-1] = everything
        declared: Any = self.game or worlds[0]
        low, high = declared.stakes
        self.unit = max(1, SURE // (high - low)) if judged else 1
        """What a prize is multiplied by."""
        self.stakes: tuple[int, int] = (low * self.unit, high * self.unit)
        self.seats: int = seats_of(everything) if self.game else declared.seats
        if not 0 <= seat < self.seats:
            raise ValueError(f"seat={seat!r}: expected a number from 0 to {self.seats - 1}")
        self.viewer = np.array([seat] if single else range(self.seats), np.int64)
        self.tree = 0 if single else seat
        """The tree of the seat that asks."""
        self.actions, self.labels = self._openings(len(worlds))
        self.worlds = WorldDraws(
            _sums_of(weights, len(worlds)), self._views(everything, len(worlds), views), shares if doubts is not None else 1
        )

    @property
    def room(self) -> int:
        """How many legal actions there may be."""
        return int(self.game.scratch["actions"].shape[0]) if self.game else PLAIN_ACTIONS

    def scratches(self, policy: int = RANDOM) -> Any:
        """One scratch struct, or what stands for it in plain Python, with this policy for all seats."""
        room = np.dtype(scratch_fields(self.seats, PLAIN_ACTIONS, PLAIN_ACTIONS))
        xs = self.game.scratches() if self.game else PlainScratches(room, 1)
        seat_policies(xs, [policy] * self.seats)
        return xs

    def check_policy(self, name: str, number: int) -> None:
        """Refuse a policy that the game does not have."""
        if self.game and number not in {RANDOM, *self.game.policies.values()}:
            raise ValueError(f"{name}={number!r}: {self.game.name} has the policies {sorted(self.game.policies.values())}")

    def habit(self, policy: int, seed: int) -> int:
        """What a policy does for the seat that asks."""
        xs = self.scratches(policy)
        reseed_at(xs, 0, uint64(seed))
        return choose(self.states[0], xs[0], policy)

    def sensible(self, xs: Any) -> Numbers:
        """The places, among the legal actions of the seat that asks, of those that make sense."""
        places = np.zeros(self.room, np.int64)
        lister = list_sensible if self.compiled else plain(list_sensible)
        return places[: int(lister(self.states, xs, places, self.actions))]

    def _openings(self, worlds: int) -> tuple[Numbers, Numbers]:
        """The legal actions of the seat that asks, and what it perceives of them itself."""
        xs = self.scratches()
        room = np.zeros((2, self.room), np.int64)
        lister, finder = (list_openings, find_stranger) if self.compiled else (plain(list_openings), plain(find_stranger))
        n = lister(self.states, xs, self.seat, room[0], room[1])
        if n < 0:
            raise ValueError(f"player {self.seat + 1} is not to move")
        stranger = finder(self.states, xs, worlds, self.seat, room[0, :n])
        if stranger >= worlds:
            raise ValueError(f"player {self.seat + 1} is not to move in doubt {stranger - worlds}")
        if stranger >= 0:
            raise ValueError(f"player {self.seat + 1} does not have the same legal actions in world {stranger} as in world 0")
        return room[0, :n], room[1, :n]

    def _views(self, worlds: States, own: int, views: Sequence[Sequence[int]] | None) -> Numbers:
        """[worlds, trees] what the viewer of each tree knows of each world; the first `own` ones are alike to who asks."""
        known: Numbers
        if views is not None:
            known = np.array(views, np.int64)
            if known.shape != (len(worlds), self.seats):
                raise ValueError(f"views of shape {known.shape}: expected {(len(worlds), self.seats)}, worlds and seats")
            # Small numbers in place of any: a node has no room for more.
            known = np.column_stack([np.unique(known[:, seat], return_inverse=True)[1] for seat in self.viewer])
        elif self.game:
            known = np.array(hidden_views(worlds, self.viewer.tolist()), np.int64)
        elif len(worlds) == 1 or len(self.viewer) == 1:
            known = np.zeros((len(worlds), len(self.viewer)), np.int64)
        else:
            raise ValueError("several plain worlds need `views`: what each seat knows of each of them")
        others = np.flatnonzero(known[:own, self.tree] != known[0, self.tree])
        if len(others):
            raise ValueError(f"world {others[0]} is not what player {self.seat + 1} sees in world 0")
        return known


def _sums_of(weights: Sequence[float] | None, n: int) -> Numbers:
    """[worlds] the integer weights up to each world."""
    if weights is None:
        return np.arange(1, n + 1, dtype=np.int64)
    given = np.array(weights, np.float64)
    if given.shape != (n,) or not (np.isfinite(given).all() and (given >= 0).all() and given.sum() > 0):
        raise ValueError(f"weights: expected {n} numbers of at least 0, one for each world, and one above 0")
    until = np.cumsum(given)
    return np.array(np.round(until / until[-1] * FINE), np.int64)


class Forest:
    """The trees of all viewers (or of one) that grow together, and what came of the actions of the seat that asks."""

    def __init__(self, question: Question, config: SearchConfig, seed: int) -> None:
        self.question = question
        self.seed = uint64(seed) if question.compiled else seed
        self.done = 0
        self.states = question.states.copy()
        self.xs = question.scratches(config.policy)
        if config.horizon is not None:
            self.xs["book"] = config.book
        low, high = question.stakes
        trees, legal = len(question.viewer), len(question.actions)
        self.walks = self._structs(walk_struct(question.game.seats[1] if question.game else question.seats, question.room), 1)
        for name, value in {
            "spread": config.exploration * (high - low),
            "guide": config.guide or RANDOM,
            "others": config.others or RANDOM,
            "horizon": -1 if config.horizon is None else config.horizon,
            "looks": config.looks,
            "paired": int(config.paired),
            "halving": int(config.halving),
            "widening": config.widening,
            "planning": int(config.planning),
            "unit": question.unit,
            "least": low,
            "span": high - low,
            "asks": question.seat,
            "trees": trees,
            "nodes": 1 + trees,
        }.items():
            self.walks[name] = value
        self.walks["viewer"][0, :trees] = question.viewer
        if config.paired:
            order = question.sensible(self.xs)
            self.walks["order"][0, : len(order)] = order
            self.walks["width"] = self.walks["many"] = len(order)
            self.walks["times"] = 1
        self.nodes = self._structs(NODE, FIRST_ROOM)
        sums = np.zeros((2, legal, question.seats), np.int64)
        self.openings = Openings(question.actions, np.zeros(legal, np.int64), sums[0], sums[1])

    def _structs(self, dtype: np.dtype[np.void], n: int) -> Any:
        return structs(dtype, n) if self.question.compiled else rows(np.zeros(n, dtype))

    def grow(self, iterations: int, logs: Floats) -> None:
        """So many iterations more; `logs` are the logarithms of 0 (which is not used), 1, 2 ... up to what is then done."""
        last = self.done + iterations
        walk = grow if self.question.compiled else plain(grow)
        while True:
            trees = self.xs, self.walks, self.nodes, self.question.worlds, self.openings
            self.done = int(walk(self.states, *trees, logs, self.seed, self.done, last))
            if self.done == last:
                return
            self._lengthen()

    def _lengthen(self) -> None:
        """Twice the room, and more where a single walk might need it."""
        before = len(self.nodes)
        longer = self._structs(NODE, 2 * before + int(self.walks["trees"][0] * (self.walks["depth"][0] + DEEPER)))
        longer[:before] = self.nodes
        self.nodes = longer

    @property
    def size(self) -> int:
        """How many nodes there are in all trees."""
        return int(self.walks["nodes"][0]) - 1

    @property
    def root(self) -> int:
        """The node of the seat that asks at which it decides."""
        tree = self.question.tree
        return self.children(1 + tree)[int(self.question.worlds.views[0, tree])]

    def children(self, node: int) -> dict[int, int]:
        """The nodes below one, by their labels in ascending order."""
        found = {}
        below = int(self.nodes["first"][node])
        while below:
            found[int(self.nodes["label"][below])] = below
            below = int(self.nodes["next"][below])
        return found


@dataclass(frozen=True)
class Piece:
    """A piece of work: some more iterations of a forest."""

    forest: Forest
    iterations: int
    logs: Floats


def grow_piece(piece: Piece) -> Forest:
    """Do a piece of work. A worker in this process lets the forest itself grow, another one a copy of it."""
    piece.forest.grow(piece.iterations, piece.logs)
    return piece.forest


def logarithms(n: int) -> Floats:
    """[n] the logarithms of the numbers below n (0 for 0), one by one: not as the vector units of a machine round them."""
    logs = np.zeros(n)
    logs[1:] = np.fromiter(map(math.log, range(1, n)), np.float64, n - 1)
    return logs
