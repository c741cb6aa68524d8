"""What an observer believes of the hidden things: worlds with weights, and what becomes of them step by step.

A *world* is what the verb `peek` takes out of a state; together with what the observer sees it is a whole state. Steps that
move no hidden thing therefore leave a belief as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.game import CHANCE, OVER, Game, States
from kibitz.game.definition import repeated
from kibitz.game.doors import door, redeal_all
from kibitz.game.drivers import perceived
from kibitz.game.verbs import actor, legal, weights
from kibitz.search.shelf import Floats, Numbers, play_all, shelf_of

#: How likely each of some actions is, each in its own state: ``odds(states, codes)``.
Odds: TypeAlias = Callable[[States, Numbers], Floats]

#: Weights that differ by less count as equal: what is left of rounding when the same belief comes about in two ways.
SAME_WEIGHT = 1e-12


@door
def list_moves(states: Any, xs: Any, observer: int, source: Numbers, codes: Numbers, labels: Numbers, odds: Floats) -> int:
    """Everything that may be done next in any of the states; how much that is.

    Each move has its state, its code, what `observer` sees of it, and how likely it is in that state: chance by its weights.
    A player's choice that the observer sees says nothing (1); those that look alike share that.
    """
    x = xs[0]
    n = 0
    for i in range(len(states)):
        s = states[i]
        seat = actor(s)
        if seat == OVER:
            continue
        first = n
        count = weights(s, x) if seat == CHANCE else legal(s, x)
        total = 0
        for j in range(count):
            source[n], codes[n], labels[n] = i, x.actions[j], perceived(s, x.actions[j], observer)
            if seat == CHANCE:
                total += x.weights[j]
            n += 1
        for k in range(first, n):
            if seat == CHANCE:
                odds[k] = x.weights[k - first] / total
            else:
                alike = 1
                if labels[k] != codes[k]:
                    alike = 0
                    for m in range(first, n):
                        if labels[m] == labels[k]:
                            alike += 1
                odds[k] = 1.0 / alike
    return n


class Seen(NamedTuple):
    """One thing that the observer may see next."""

    label: int
    """What the observer perceives of it (see `kibitz.game.drivers.perceived`)."""
    world: int
    """A world (its place in the belief) in which that can happen."""
    code: int
    """What may have been done there."""
    probability: float
    """How likely it is, over all worlds; where somebody chooses: in how many it is possible."""
    in_all: bool
    """Whether it is as likely in every world."""


class Moves(NamedTuple):
    """Everything that may be done next in the worlds of a belief."""

    game: Game
    observer: int
    states: States
    """[worlds] The whole states."""
    world: Numbers
    """[moves] In which of them it is done."""
    codes: Numbers
    """[moves] What is done."""
    labels: Numbers
    """[moves] What the observer sees of it."""
    shares: Floats
    """[moves] How likely it is."""
    draws: int
    """As in `BelievedWorlds`."""

    def seen(self) -> list[Seen]:
        """What the observer may see, in the order of the actions."""
        found = []
        weights = np.bincount(self.world, self.shares, len(self.states))
        for label in dict.fromkeys(self.labels[np.argsort(self.codes, kind="stable")].tolist()):
            those = np.flatnonzero((self.labels == label) & (self.shares > 0))
            if len(those):
                first, likely = those[0], np.bincount(self.world[those], self.shares[those], len(self.states))
                in_all = np.abs(likely - weights * likely.sum() / weights.sum()).max() < SAME_WEIGHT
                found.append(Seen(label, int(self.world[first]), int(self.codes[first]), float(likely.sum()), bool(in_all)))
        return found

    def can(self, label: int | None) -> npt.NDArray[np.bool_]:
        """[worlds] Where the observer may see `label`."""
        found = np.zeros(len(self.states), bool)
        found[self.world[(self.labels == label) & (self.shares > 0)]] = True
        return found

    def after(self, label: int | None) -> BelievedWorlds:
        """What the observer believes when it has seen `label`."""
        those = np.flatnonzero((self.labels == label) & (self.shares > 0))
        states = shelf_of(self.game).picked(self.states, self.world[those])
        play_all(states, self.codes[those], np.zeros(len(those), np.int64), self.observer, False)
        return BelievedWorlds(self.game, states, self.shares[those], draws=self.draws)


class BelievedWorlds:
    """The worlds that an observer holds possible, each with its weight (together 1), in an order of their own.

    `worlds` are the game's worlds, or whole states; equal ones are put together. `draws` says how many were drawn to stand
    for all that there are (0: these are all), `fitted` that they are weighed so that each player's cards are as likely as
    they are among all.
    """

    __slots__ = ("_shelf", "draws", "fitted", "game", "weights", "worlds")

    def __init__(
        self, game: Game, worlds: Any, weights: npt.ArrayLike | None = None, *, draws: int = 0, fitted: bool = False
    ) -> None:
        self.game = game
        self.draws, self.fitted = draws, fitted
        self._shelf = shelf_of(game)
        worlds = self._shelf.worlds(worlds)
        given = np.ones(len(worlds)) if weights is None else np.asarray(weights, np.float64)
        if given.shape != (len(worlds),):
            raise ValueError(f"{len(worlds)} worlds and {given.size} weights: expected as many of each")
        if len(given) and not (given.min() >= 0 and 0 < given.sum() < np.inf):
            raise ValueError("weights: expected numbers of at least 0, and one above 0")
        those = np.flatnonzero(given > 0)
        self.worlds, self.weights = self._shelf.merged(self._shelf.picked(worlds, those), given[those])

    @classmethod
    def drawn(cls, game: Game, view: States, observer: int, draws: int, seed: int = 0) -> BelievedWorlds:
        """Worlds drawn at random by the verb `redeal`: all that agree with a view are equally likely to be drawn."""
        states = repeated(view, draws)
        redeal_all(states, game.scratches(), observer, seed)
        found = cls(game, states, draws=draws)
        if found.key == cls(game, view).key:  # nothing was dealt, since nothing is hidden
            found.draws = 0
        return found

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"<BelievedWorlds: {len(self):,} of {self.game.name}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BelievedWorlds):
            return NotImplemented
        same = self.game is other.game and self.key == other.key
        return same and bool((np.abs(self.weights - other.weights) < SAME_WEIGHT).all())

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> Hashable:
        """What the worlds are known by, whatever their weights."""
        return self._shelf.worlds_key(self.worlds)

    def states(self, view: States) -> States:
        """The whole states: what the observer sees, completed by each of the worlds."""
        return self._shelf.whole(view, self.worlds)

    def thinned(self, limit: int) -> BelievedWorlds:
        """At most `limit` worlds in place of more, each taken about as often as its weight says; the same ones every time."""
        if len(self) <= limit:
            return self
        places = np.searchsorted(np.cumsum(self.weights), (np.arange(limit) + 0.5) / limit)
        return BelievedWorlds(self.game, self._shelf.picked(self.worlds, np.minimum(places, len(self) - 1)), draws=limit)

    def moves(self, view: States, observer: int, odds: Odds | None = None) -> Moves:
        """Everything that may be done next.

        `odds` says how likely a player's hidden choice is in a given world; otherwise all that look alike are equally likely.
        """
        states, xs = self.states(view), self.game.scratches()
        room = len(self) * len(xs["actions"][0])
        world, codes, labels = np.empty((3, room), np.int64)
        likely = np.empty(room)
        n = list_moves(states, xs, observer, world, codes, labels, likely)
        world, codes, labels, likely = world[:n], codes[:n], labels[:n], likely[:n]
        if odds is not None and n:
            likely = odds(self._shelf.picked(states, world), codes)
        return Moves(self.game, observer, states, world, codes, labels, self.weights[world] * likely, self.draws)
