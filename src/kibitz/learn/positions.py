"""Positions to learn from, picked inside compiled games.

A game begins with some random moves among the players' own (whoever never sees a mistake cannot learn what it costs). From some
moment on everybody plays as well as they can, and only positions from then on are kept: what comes of them tells what they are
worth. Of each game a few positions are kept, all equally likely, in the order in which they came.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.compute.runtime import Threads
from kibitz.game import CHANCE, OVER, Game, States, seats_of
from kibitz.game.definition import as_structs, seat_policies
from kibitz.game.doors import door, number_seeds
from kibitz.game.drivers import begin, decide, draw
from kibitz.game.verbs import actor, apply, inputs, legal, prize
from kibitz.ground.jit import integers, uint64
from kibitz.ground.rng import below, derive_seed

#: Games that one thread plays before it reports.
CHUNK = 32
#: Nobody has won.
NOBODY = -1


@dataclass(frozen=True)
class Sampling:
    """How positions are picked."""

    keep: int = 10
    """Positions of a game."""
    deviations: int = 7
    """Of a hundred decisions in the first part of a game, how many are random."""
    switch: int = 160
    """In the first part each decision may be the last, once in so many."""


@dataclass(frozen=True)
class Positions:
    """What the evaluator is told of positions, and what came of them; those of a game follow each other."""

    inputs: npt.NDArray[np.int8]
    """[position, seat, input]"""
    winner: npt.NDArray[np.int8]
    """[position] the seat that won in the end."""
    game: npt.NDArray[np.int64]
    """[position] the number of the game."""
    states: States | None = None
    """[position] the whole states, where somebody asked for them."""

    def __len__(self) -> int:
        return len(self.winner)

    @staticmethod
    def joined(parts: Sequence[Positions]) -> Positions:
        """Those of all parts, whose games have different numbers."""
        return Positions(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("inputs", "winner", "game")))


@door
def sample_range(
    starts: Any, seeds: Any, states: Any, xs: Any, first: int, last: int, keep: int, deviations: int, switch: int, kept: Any,
    winners: Any, times: Any, seats: int, copies: Any,
) -> None:  # fmt: skip
    """Play games `first` to `last - 1` and keep positions of them: ``kept[game * keep + i, seat * inputs + j]``.

    `times` tells their order. Where a game had fewer positions, or no winner, `winners` is `NOBODY`. The states themselves are
    kept in `copies`, unless it is empty.
    """
    x = xs[0]
    for number in range(first, last):
        states[0] = starts[number % len(starts)]
        s = states[0]
        begin(x, seeds[number])
        clean, seen = False, 0
        seat = actor(s)
        while seat != OVER:
            if seat == CHANCE:
                a = draw(s, x)
            else:
                clean = clean or below(x, switch) == 0
                if clean:
                    at = seen if seen < keep else below(x, seen + 1)
                    if at < keep:
                        inputs(s, x)
                        for i in range(kept.shape[1]):
                            kept[number * keep + at, i] = x.inputs[i]
                        times[number * keep + at] = seen
                        if len(copies):
                            copies[number * keep + at] = s
                    seen += 1
                errs = not clean and below(x, 100) < deviations
                a = x.actions[below(x, legal(s, x))] if errs else decide(s, x, seat)
            apply(s, a)
            seat = actor(s)
        winner = NOBODY
        for seat in range(seats):
            if prize(s, seat) > 0:
                winner = seat
        for i in range(keep):
            winners[number * keep + i] = winner if i < seen else NOBODY


def sample(
    game: Game,
    starts: States,
    tables: Sequence[Sequence[int]],
    games: int,
    seed: int,
    sampling: Sampling = Sampling(),  # noqa: B008
    *,
    states: bool = False,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Positions:
    """Positions of so many games; the seats are taken by the policies of `tables` in turn.

    Any number of threads gives the same. With `states` the states themselves are kept, too.
    """
    seats, many = seats_of(starts), games * sampling.keep
    kept = np.zeros((many, seats * game.nets.inputs), np.int8)
    winners, times = np.zeros(many, np.int8), np.zeros(many, np.int32)
    copies = game.room(many if states else 0)
    seeds = integers(np.zeros(games, np.uint64))
    number_seeds(seeds, uint64(derive_seed(seed, "positions")), 0)

    def chunk(part: range) -> None:
        xs, room = game.scratches(), game.room(1)
        seat_policies(xs, tables[part.start // CHUNK % len(tables)])
        numbers = part.start, part.stop, sampling.keep, sampling.deviations, sampling.switch
        sample_range(starts, seeds, room, xs, *numbers, kept, winners, times, seats, copies)

    parts = [range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]
    for number, _ in Threads(jobs).map(chunk, parts):
        progress(len(parts[number]))
    numbers = np.repeat(np.arange(games, dtype=np.int64), sampling.keep)
    order = np.lexsort((times, numbers))
    order = order[winners[order] != NOBODY]
    kept_states = as_structs(np.asarray(copies)[order]) if states else None
    return Positions(kept[order].reshape(len(order), seats, game.nets.inputs), winners[order], numbers[order], kept_states)
