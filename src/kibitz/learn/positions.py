"""Positions to learn from, picked inside compiled games.

A game begins with some random moves among the players' own (whoever never sees a mistake cannot learn what it costs). From some
moment on everybody plays as well as they can, and only positions from then on are kept: what comes of them tells what they are
worth. Of each game a few positions are kept, all equally likely, in the order in which they came.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.compute.cuda import ANY, highest_policy, learned, require_gpu
from kibitz.compute.runtime import Threads
from kibitz.game import CHANCE, OVER, Game, States, seats_of
from kibitz.game.definition import as_structs, seat_policies
from kibitz.game.doors import door, number_seeds
from kibitz.game.drivers import begin, decide_by, draw
from kibitz.game.verbs import actor, apply, inputs, legal, prize
from kibitz.ground.jit import integers, jit, uint64
from kibitz.ground.rng import below, derive_seed
from kibitz.ground.texts import Mistake

#: Games that one thread plays before it reports.
CHUNK = 32
#: Games that a GPU plays before it reports, and threads of a block.
AT_ONCE, THREADS = 1 << 17, 64
#: Nobody has won.
NOBODY = -1
#: How many times as many games are played as positions are wanted, until it is clear that there are none.
TRIES = 50


class NoPositions(Mistake):
    """Games that are over too soon, or that nobody wins; the message is one line for people."""


@dataclass(frozen=True)
class Sampling:
    """How positions are picked."""

    keep: int = 10
    """Positions of a game."""
    deviations: int = 7
    """Of a hundred decisions in the first part of a game, how many are random."""
    switch: int = 160
    """In the first part each decision may be the last, once in so many."""

    @property
    def numbers(self) -> tuple[int, int, int]:
        """As compiled code takes them."""
        return self.keep, self.deviations, self.switch


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


class Room(NamedTuple):
    """Where the positions of games are kept, so many of each game."""

    kept: npt.NDArray[np.int8]
    """[position, seat * input]"""
    winners: npt.NDArray[np.int8]
    times: npt.NDArray[np.int32]
    copies: States


@jit
def sample_game(
    states: Any, x: Any, number: int, place: int, starts: Any, seeds: Any, how: tuple[int, int, int], most: int, kept: Any,
    winners: Any, times: Any, copies: Any, seats: int,
) -> None:  # fmt: skip
    """Play game `number` in ``states[0]`` and keep positions of it: ``kept[place + i, seat * inputs + j]``.

    `times` tells their order. Where the game had fewer positions, or no winner, `winners` is `NOBODY`. The whole states
    are kept in `copies`, unless it is empty. `how` is a `Sampling`; no policy has a number above `most`.
    """
    keep, deviations, switch = how
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
                        kept[place + at, i] = x.inputs[i]
                    times[place + at] = seen
                    if len(copies):
                        copies[place + at] = s
                seen += 1
            errs = not clean and below(x, 100) < deviations
            a = x.actions[below(x, legal(s, x))] if errs else decide_by(s, x, seat, min(x.policy[seat], most))
        apply(s, a)
        seat = actor(s)
    winner = NOBODY
    for seat in range(seats):
        if prize(s, seat) > 0:
            winner = seat
    for i in range(keep):
        winners[place + i] = winner if i < seen else NOBODY


@door
def sample_range(
    states: Any, xs: Any, first: int, last: int, starts: Any, seeds: Any, how: tuple[int, int, int], kept: Any, winners: Any,
    times: Any, copies: Any, seats: int,
) -> None:  # fmt: skip
    """Play games `first` to `last - 1` and keep positions of them."""
    for number in range(first, last):
        sample_game(
            states, xs[0], number, number * how[0], starts, seeds, how, ANY, kept, winners, times, copies, seats
        )  # fmt: skip


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
    gpu: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Positions:
    """Positions of so many games; the seats are taken by the policies of `tables` in turn.

    Any number of threads gives the same, and so does a GPU. With `states` the states themselves are kept, too.
    """
    seats, many = seats_of(starts), games * sampling.keep
    seeds = integers(np.zeros(games, np.uint64))
    number_seeds(seeds, uint64(derive_seed(seed, "positions")), 0)
    room = Room(
        np.zeros((many, seats * game.nets.inputs), np.int8),
        np.zeros(many, np.int8),
        np.zeros(many, np.int32),
        game.room(many if states else 0),
    )
    if gpu:
        _on_gpu(game, starts, tables, seeds, sampling, room, progress)
    else:
        _on_cores(game, starts, tables, seeds, sampling, room, jobs, progress)
    numbers = np.repeat(np.arange(games, dtype=np.int64), sampling.keep)
    order = np.lexsort((room.times, numbers))
    order = order[room.winners[order] != NOBODY]
    kept_states = as_structs(np.asarray(room.copies)[order]) if states else None
    inputs_of_seats = room.kept[order].reshape(len(order), seats, game.nets.inputs)
    return Positions(inputs_of_seats, room.winners[order], numbers[order], kept_states)


def _on_cores(
    game: Game, starts: States, tables: Sequence[Sequence[int]], seeds: Any, sampling: Sampling, room: Room, jobs: int | None,
    progress: Callable[[int], None],
) -> None:  # fmt: skip
    """Fill the room by threads."""

    def chunk(part: range) -> None:
        xs, states = game.scratches(), game.room(1)
        seat_policies(xs, tables[part.start // CHUNK % len(tables)])
        sample_range(states, xs, part.start, part.stop, starts, seeds, sampling.numbers, *room, seats_of(starts))

    parts = [range(first, min(first + CHUNK, len(seeds))) for first in range(0, len(seeds), CHUNK)]
    for number, _ in Threads(jobs).map(chunk, parts):
        progress(len(parts[number]))


def one_a_game(
    game: Game, starts: Callable[[int, int], States], table: Sequence[int], wanted: int, seed: int,
    switch: int = Sampling.switch, jobs: int | None = None, progress: Callable[[int], None] = lambda done: None,
) -> States:  # fmt: skip
    """So many positions, each of another game; `starts` gives where games begin, by the number of the first and how many.

    A game that is over too soon has none, and another one is played. Raises `NoPositions` where nearly all are.
    """
    found: list[npt.NDArray[np.void]] = []
    for first in range(0, TRIES * wanted, wanted):
        missing = wanted - sum(map(len, found))
        played = sample(
            game, starts(first, missing), [table], missing, derive_seed(seed, first), Sampling(1, switch=switch), states=True,
            jobs=jobs,
        )  # fmt: skip
        found.append(np.asarray(played.states))
        progress(len(played))
        if len(played) == missing:
            return as_structs(np.concatenate(found))
    raise NoPositions(f"nearly all games of {game.name} are over too soon to keep {wanted:,} positions of them")


# --- on a GPU -------------------------------------------------------------------------------------------------


@cache
def _kernel(game: Game, most: int) -> Any:
    """The kernel that samples games, one a thread: `CHUNK` neighbours have the same table."""
    from numba import cuda, from_dtype

    scratch, state = from_dtype(game.scratch), from_dtype(game.state)

    @cuda.jit  # type: ignore[untyped-decorator]
    def kernel(
        first: int, last: int, tables: Any, blank: Any, starts: Any, seeds: Any, how: tuple[int, int, int], kept: Any,
        winners: Any, times: Any, copies: Any, seats: int,
    ) -> None:  # fmt: skip
        number = first + cuda.grid(1)
        if number < last:
            own_scratch, own_state = cuda.local.array(1, scratch), cuda.local.array(1, state)
            own_scratch[0] = blank[0]
            x = own_scratch[0]
            table = number // CHUNK % tables.shape[0]
            for seat in range(seats):
                x.policy[seat] = tables[table, seat]
            sample_game(
                own_state, x, number, (number - first) * how[0], starts, seeds, how, most, kept, winners, times, copies, seats
            )  # fmt: skip

    return kernel


def _on_gpu(
    game: Game, starts: States, tables: Sequence[Sequence[int]], seeds: Any, sampling: Sampling, room: Room,
    progress: Callable[[int], None],
) -> None:  # fmt: skip
    """Fill the room by a GPU, so many games at a time that they fit there. Raises `NoGpu` where there is none."""
    require_gpu()
    from numba import cuda

    xs, seats, keep = game.scratches(), seats_of(starts), sampling.keep
    networks = learned(game, xs)  # which stay there while this is kept
    kernel = _kernel(game, highest_policy(game, [policy for table in tables for policy in table]))
    lists = [cuda.to_device(np.asarray(array)) for array in (np.array(tables, np.int64), xs, starts, seeds)]
    for first in range(0, len(seeds), AT_ONCE):
        last = min(first + AT_ONCE, len(seeds))
        part = slice(first * keep, last * keep)
        there = [cuda.to_device(np.asarray(array[part])) for array in room]
        kernel[AT_ONCE // THREADS, THREADS](first, last, *lists, sampling.numbers, *there, seats)
        for array, found in zip(room, there, strict=True):
            np.asarray(array)[part] = found.copy_to_host()
        progress(last - first)
    del networks
