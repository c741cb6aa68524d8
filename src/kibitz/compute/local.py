"""Whole games on all cores of this machine: threads over compiled code that releases Python's lock."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.compute.runtime import Threads
from kibitz.game import Game
from kibitz.game.definition import seat_policies
from kibitz.game.doors import number_seeds, play_range
from kibitz.ground.jit import integers, uint64
from kibitz.ground.rng import derive_seed

#: Whether to stop; asked between parts of the work.
Until = Callable[[], bool]
NEVER: Until = lambda: False  # noqa: E731
#: Games that one thread plays before it reports: long enough to be free, short enough for a live progress bar.
CHUNK = 64


@dataclass(frozen=True)
class Games:
    """Games to be played: game i begins at ``starts[which[i]]`` with the seed ``seeds[i]``; each seat has a policy.

    What becomes of game i depends on these alone: threads, cluster and GPU play it to the same end.
    """

    game: Game
    starts: npt.NDArray[np.void]
    which: npt.NDArray[np.int32]
    seeds: npt.NDArray[np.uint64]
    policies: tuple[int, ...]
    given: Mapping[str, Any] = field(default_factory=dict)
    """Numbers that are written into the scratch structs beforehand, by field: the weights of a candidate, for instance."""

    def __len__(self) -> int:
        return len(self.seeds)

    def scratches(self) -> Any:
        """A scratch struct for these games: who sits where, and what is given."""
        xs = self.game.scratches()
        seat_policies(xs, self.policies)
        for name, numbers in self.given.items():
            xs[name] = numbers
        return xs


@dataclass(frozen=True)
class Batch:
    """The ends of many games, what was tallied on the way ``[game, seat]``, and how many steps they took in all."""

    states: npt.NDArray[np.void]
    tallies: npt.NDArray[np.int32]
    steps: int
    lucks: npt.NDArray[np.int32] | None = None
    """``[game, seat]`` what the verb `luck` counted, in parts of `Game.luck`; all 0 unless ``weighing`` was given."""


def game_seed(seed: int, number: int) -> int:
    """The seed of one game of a series."""
    return derive_seed(seed, "games", number)


def series_seed(seed: int) -> int:
    """What the seeds of all games of a series are derived from."""
    return derive_seed(seed, "games")


def series(game: Game, starts: npt.NDArray[np.void], n: int, seed: int, policies: Sequence[int], number: int = 0) -> Games:
    """`n` games of the series with this `seed`, beginning with its game `number`, which starts at ``starts[0]``.

    Any split of a series gives the same games.
    """
    seeds = integers(np.zeros(n, np.uint64))
    number_seeds(seeds, uint64(series_seed(seed)), number)
    return Games(game, starts, np.arange(n, dtype=np.int32) % len(starts), seeds, tuple(policies))


def in_chunks(
    games: Games, chunk: Callable[[range], int], jobs: int | None, progress: Callable[[int], None], until: Until = NEVER
) -> tuple[int, npt.NDArray[np.bool_]]:
    """Let threads play the games in parts, after each of which they report; the steps of all, and ``[game]`` what was played.

    Where Python plays the games, each is a part by itself.
    """
    n, size, steps = len(games), 1 if games.game.is_plain else CHUNK, 0
    parts = [range(first, min(first + size, n)) for first in range(0, n, size)]
    played = np.zeros(n, np.bool_)
    with closing(Threads(jobs).map(chunk, parts)) as done:
        for number, taken in done:
            steps += taken
            played[parts[number]] = True
            progress(len(parts[number]))
            if until():
                break
    return steps, played


def play(
    games: Games,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    until: Until = NEVER,
) -> Batch:
    """Play all games to their ends; any number of `jobs` (threads; all cores by default) gives the same.

    `progress` hears how many games have been finished since it was last told. Where `until` says stop, only what has been
    finished is returned.
    """
    n = len(games)
    states = games.game.room(n)
    tallies, lucks = (np.zeros((n, games.game.seats[1]), np.int32) for _ in range(2))

    def chunk(part: range) -> int:
        room = states, tallies, lucks, games.scratches()
        return play_range(games.starts, games.which, games.seeds, *room, 0, part.start, part.stop)

    steps, played = in_chunks(games, chunk, jobs, progress, until)
    if not played.all():
        states, tallies, lucks = states[played], tallies[played], lucks[played]
    return Batch(states, tallies, steps, lucks)
