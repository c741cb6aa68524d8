"""Whole games on all cores of this machine: threads over compiled code that releases Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.game import Game, play_range, structs
from kibitz.jit import uint64
from kibitz.rng import derive_seed

#: Games that one thread plays before it reports: long enough to be free, short enough for a live progress bar.
CHUNK = 64


@dataclass(frozen=True)
class Batch:
    """The ends of many games, and how many steps they took in all."""

    states: npt.NDArray[np.void]
    steps: int


def game_seed(seed: int, number: int) -> int:
    """The seed of one game of a series."""
    return derive_seed(seed, "games", number)


def play_games(
    game: Game,
    starts: npt.NDArray[np.void],
    n: int,
    seed: int,
    policies: Sequence[int],
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    number: int = 0,
) -> Batch:
    """Play `n` games from `starts` (one position for all, or one each) to their ends.

    Game i is number ``number + i`` of the series with this `seed` and depends on these two alone: any number of `jobs`
    (threads; all cores by default) and any split into batches gives the same states.
    `policies` holds one policy per seat; `progress` hears how many games have been finished since it was last told.
    """
    states = structs(game.state, n)
    base = uint64(derive_seed(seed, "games"))
    jobs = jobs or os.cpu_count() or 1

    def chunk(first: int) -> tuple[int, int]:
        last = min(first + CHUNK, n)
        xs = game.scratches()
        xs["policy"][0, : len(policies)] = policies
        return last - first, play_range(starts, states, xs, 0, base, number, first, last)

    steps = 0
    pool = ThreadPoolExecutor(jobs)
    try:
        for future in as_completed([pool.submit(chunk, first) for first in range(0, n, CHUNK)]):
            played, taken = future.result()
            steps += taken
            progress(played)
    finally:
        pool.shutdown(cancel_futures=True)  # on Ctrl-C: the chunks under way end, no other begins
    return Batch(states, steps)
