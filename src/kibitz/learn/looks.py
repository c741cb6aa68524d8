"""What positions are worth by looks ahead: everybody plays on for a round, and networks judge at the end of each turn.

The mean of several looks errs less than one, and so does the mean of several networks. A network can learn to say at once what
they say after a round (`kibitz.learn.fit`): what several know, at the price of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.game import CHANCE, OVER, Game, States, seats_of
from kibitz.game.doors import door, number_seeds
from kibitz.game.drivers import begin, decide_by
from kibitz.game.evaluator import SURE
from kibitz.game.nets import NoNetwork
from kibitz.game.verbs import actor, apply, inputs, value
from kibitz.ground.jit import integers, jit, uint64
from kibitz.ground.rng import below, derive_seed
from kibitz.learn.measure import Floats


@jit
def play_until(s: Any, x: Any, policy: int, turn: int) -> None:
    """Let everybody play by a policy until this turn begins, or the game is over."""
    seat = actor(s)
    while seat != OVER and s.turn < turn:
        apply(s, decide_by(s, x, seat, policy))
        seat = actor(s)


@door
def look_ahead(states: Any, xs: Any, room: Any, policy: int, seeds: Any, books: Any, sums: Any) -> int:
    """Add up in ``sums[state, seat]`` what networks say in ``len(seeds) // len(states)`` rounds after each state.

    How many looks there were in all: a round has one for each seat and book. Where the game ends within the round, the looks
    that are left see who has won.
    """
    x, looks = xs[0], 0
    rounds = len(seeds) // len(states)
    for i in range(len(seeds)):
        room[0] = states[i // rounds]
        s = room[0]
        begin(x, seeds[i])
        turn = s.turn
        for ahead in range(sums.shape[1]):
            play_until(s, x, policy, turn + ahead + 1)
            for j in range(len(books)):
                x.book = books[j]
                looks += value(s, x)
                for seat in range(sums.shape[1]):
                    sums[i // rounds, seat] += x.values[seat]
    return looks


def looked(game: Game, states: States, books: Sequence[int], policy: int, rounds: int, seed: int = 0) -> Floats:
    """[position, seat] the mean of what the networks of some books say while everybody plays a round by a policy, many times.

    The game must count its turns. Raises `NoNetwork` where a book has no network for these rules.
    """
    xs, seats = game.scratches(), seats_of(states)
    seeds = integers(np.zeros(len(states) * rounds, np.uint64))
    number_seeds(seeds, uint64(derive_seed(seed, "looks")), 0)
    sums = np.zeros((len(states), seats), np.int64)
    wanted = len(seeds) * seats * len(books)
    if look_ahead(states, xs, game.room(1), policy, seeds, np.array(books, np.int64), sums) < wanted:
        raise NoNetwork(f"{game.name}: there is no network for these rules")
    found: Floats = sums / (SURE * rounds * seats * len(books))
    return found


@door
def wander(states: Any, xs: Any, room: Any, policy: int, seeds: Any, seats: int, found: Any, kept: Any) -> None:
    """Play a round on after each state, ``len(seeds) // len(states)`` times, and keep one decision of each such round.

    All decisions of a round are equally likely. They go into ``found[i]``, and what the evaluator is told of them into
    ``kept[i, seat * inputs + j]``.
    """
    x, many = xs[0], len(seeds) // len(states)
    for i in range(len(seeds)):
        room[0] = states[i // many]
        s = room[0]
        begin(x, seeds[i])
        end, seen = s.turn + seats, 0
        found[i] = s
        seat = actor(s)
        while seat != OVER and s.turn < end:
            if seat != CHANCE:
                seen += 1
                if below(x, seen) == 0:
                    found[i] = s
            apply(s, decide_by(s, x, seat, policy))
            seat = actor(s)
        inputs(found[i], x)
        for j in range(kept.shape[1]):
            kept[i, j] = x.inputs[j]


def onward(game: Game, states: States, many: int, policy: int, seed: int = 0) -> tuple[States, npt.NDArray[np.int8]]:
    """So many positions up to a round after each, everybody playing by a policy; and [position, seat, input] their inputs."""
    seats = seats_of(states)
    seeds = integers(np.zeros(len(states) * many, np.uint64))
    number_seeds(seeds, uint64(derive_seed(seed, "onward")), 0)
    found, kept = game.room(len(seeds)), np.zeros((len(seeds), seats * game.nets.inputs), np.int8)
    wander(states, game.scratches(), game.room(1), policy, seeds, seats, found, kept)
    return found, kept.reshape(len(seeds), seats, game.nets.inputs)
