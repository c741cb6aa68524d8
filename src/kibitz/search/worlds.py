"""What an observer believes of the hidden things: worlds with weights, and what becomes of them step by step.

A *world* is what the verb `peek` takes out of a state; together with what the observer sees it is a whole state. Steps that
move no hidden thing therefore leave a belief as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.game import (
    CHANCE,
    OVER,
    Game,
    actor,
    apply,
    as_structs,
    deal_all,
    game_of,
    hide,
    hide_at,
    legal,
    peek,
    redeal_all,
    seen,
    structs,
    weights,
)
from kibitz.jit import jit

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[np.int64]
#: How likely each of some actions is, each in its own state: ``odds(states, codes)``.
Odds: TypeAlias = Callable[[npt.NDArray[np.void], Numbers], Floats]

#: Weights that differ by less count as equal: what is left of rounding when the same belief comes about in two ways.
SAME_WEIGHT = 1e-12


@jit
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
            source[n], codes[n], labels[n] = i, x.actions[j], seen(s, x.actions[j], observer)
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


@jit
def play_all(states: Any, codes: Numbers, labels: Numbers, observer: int, blank: bool) -> None:
    """Do ``codes[i]`` in ``states[i]``, for all; ``labels[i]`` is what `observer` sees of it.

    Then what is hidden from the observer can be made blank. (One function for all this, since every one that reaches the
    rules takes seconds to compile.)
    """
    for i in range(len(codes)):
        action = int(codes[i])
        labels[i] = seen(states[i], action, observer)
        apply(states[i], action)
        if blank:
            hide(states[i], observer)


@jit
def peek_all(states: Any, worlds: Any) -> None:
    """`peek` of ``states[i]`` into ``worlds[i]``, for all."""
    for i in range(len(states)):
        peek(states[i], worlds[i])


class Seen(NamedTuple):
    """One thing that the observer may see next."""

    label: int
    """What the verb `seen` gives."""
    world: int
    """A world (its place in the belief) in which that can happen."""
    code: int
    """What may have been done there."""
    probability: float
    """How likely it is, over all worlds; where somebody chooses: in how many it is possible."""


class Moves(NamedTuple):
    """Everything that may be done next in the worlds of a belief. All have shape [moves]."""

    game: Game
    observer: int
    states: npt.NDArray[np.void]
    """The whole state in which it is done."""
    world: Numbers
    """Its place in the belief."""
    codes: Numbers
    """What is done."""
    labels: Numbers
    """What the observer sees of it."""
    shares: Floats
    """How likely it is."""

    def seen(self) -> list[Seen]:
        """What the observer may see, in the order of the actions."""
        found = []
        for label in dict.fromkeys(self.labels[np.argsort(self.codes, kind="stable")].tolist()):
            those = np.flatnonzero((self.labels == label) & (self.shares > 0))
            if len(those):
                first = those[0]
                found.append(Seen(label, int(self.world[first]), int(self.codes[first]), float(self.shares[those].sum())))
        return found

    def after(self, label: int | None) -> Worlds:
        """What the observer believes when it has seen `label`."""
        those = np.flatnonzero((self.labels == label) & (self.shares > 0))
        states, worlds = as_structs(picked(self.states, those)), structs(self.game.world, len(those))
        play_all(states, self.codes[those], np.zeros(len(those), np.int64), self.observer, False)
        peek_all(states, worlds)
        return Worlds(self.game, worlds, self.shares[those])


class Worlds:
    """The worlds that an observer holds possible, each with its weight (together 1), in the order of their bytes.

    `worlds` are the game's world structs, or whole states; equal ones are put together.
    """

    __slots__ = ("game", "weights", "worlds")

    def __init__(self, game: Game, worlds: npt.NDArray[np.void], weights: npt.ArrayLike | None = None) -> None:
        if worlds.dtype == game.state:
            states, worlds = as_structs(np.asarray(worlds)), structs(game.world, len(worlds))
            peek_all(states, worlds)
        if worlds.dtype != game.world:
            raise TypeError(f"worlds of {game.name}: expected an array of its states or of its worlds")
        given = np.ones(len(worlds)) if weights is None else np.asarray(weights, np.float64)
        if given.shape != (len(worlds),):
            raise ValueError(f"{len(worlds)} worlds and {given.size} weights: expected as many of each")
        if len(given) and not (given.min() >= 0 and 0 < given.sum() < np.inf):
            raise ValueError("weights: expected numbers of at least 0, and one above 0")
        self.game = game
        those = np.flatnonzero(given > 0)
        self.worlds, self.weights = _merged(picked(worlds, those), given[those])

    @classmethod
    def drawn(cls, game: Game, view: npt.NDArray[np.void], observer: int, draws: int, seed: int = 0) -> Worlds:
        """Worlds drawn at random by the verb `redeal`: all that agree with a view are equally likely to be drawn."""
        states = as_structs(np.repeat(np.asarray(view), draws))
        redeal_all(states, game.scratches(), observer, seed)
        return cls(game, states)

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"<Worlds: {len(self):,} of {self.game.name}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Worlds):
            return NotImplemented
        same = self.game is other.game and self.worlds.tobytes() == other.worlds.tobytes()
        return same and bool((np.abs(self.weights - other.weights) < SAME_WEIGHT).all())

    def __hash__(self) -> int:
        return hash(self.worlds.tobytes())

    def states(self, view: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
        """The whole states: what the observer sees, completed by each of the worlds."""
        states = as_structs(np.repeat(np.asarray(view), len(self)))
        deal_all(states, as_structs(self.worlds))
        return states

    def views(self, view: npt.NDArray[np.void], observer: int) -> Iterator[bytes]:
        """What the observer would see in each of the whole states, as bytes."""
        states = self.states(view)
        for i in range(len(self)):
            hide_at(states, i, observer)
            yield np.asarray(states)[i].tobytes()

    def thinned(self, limit: int) -> Worlds:
        """At most `limit` worlds in place of more, each taken about as often as its weight says; the same ones every time."""
        if len(self) <= limit:
            return self
        places = np.searchsorted(np.cumsum(self.weights), (np.arange(limit) + 0.5) / limit)
        return Worlds(self.game, picked(self.worlds, np.minimum(places, len(self) - 1)))

    def moves(self, view: npt.NDArray[np.void], observer: int, odds: Odds | None = None) -> Moves:
        """Everything that may be done next.

        `odds` says how likely a player's hidden choice is in a given world; otherwise all that look alike are equally likely.
        """
        states, xs = self.states(view), self.game.scratches()
        room = len(self) * xs["actions"].shape[1]
        world, codes, labels = np.empty((3, room), np.int64)
        likely = np.empty(room)
        n = list_moves(states, xs, observer, world, codes, labels, likely)
        world, codes, labels, likely = world[:n], codes[:n], labels[:n], likely[:n]
        states = as_structs(picked(states, world))
        if odds is not None and n:
            likely = odds(states, codes)
        return Moves(self.game, observer, states, world, codes, labels, self.weights[world] * likely)


def seats_of(states: npt.NDArray[np.void]) -> int:
    """How many play: what the states say, where the number is not always the same."""
    return int(states["seats"][0]) if "seats" in (states.dtype.names or ()) else game_of(states).seats[1]


def picked(array: npt.NDArray[np.void], places: Numbers) -> npt.NDArray[np.void]:
    """Some structs of an array, copied as bytes: field by field it would take ten times as long."""
    return _as_bytes(array)[places].view(array.dtype)


def _as_bytes(array: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    return np.ascontiguousarray(array).view(np.ndarray).view(np.dtype((np.void, array.dtype.itemsize)))


def _merged(worlds: npt.NDArray[np.void], weights: Floats) -> tuple[npt.NDArray[np.void], Floats]:
    """Each world once, with the sum of its weights, which together make 1."""
    _, first, which = np.unique(_as_bytes(worlds), return_index=True, return_inverse=True)
    sums = np.bincount(which, weights, minlength=len(first))
    return picked(worlds, first), sums / sums.sum()
