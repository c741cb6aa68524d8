"""Series of games between bots: played on all cores, or recorded step by step. Both play the same games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.board import Board
from kibitz.catan.bots import BOTS
from kibitz.catan.engine import GAME
from kibitz.catan.record import simulate, writing
from kibitz.catan.state import Rules, new_states
from kibitz.compute import cuda
from kibitz.compute.local import game_seed, play_games


@dataclass(frozen=True)
class Results:
    """How a series of games ended."""

    states: npt.NDArray[np.void]
    steps: int

    @property
    def points(self) -> npt.NDArray[np.int64]:
        """``[game, seat]`` victory points, hidden ones included."""
        seats = int(self.states["seats"][0])
        return np.array([[game.score_at(self.states, i, seat) for seat in range(seats)] for i in range(len(self.states))])


def play(
    boards: Sequence[Board],
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Play a game on each board (or `games` on one) with all cores."""
    starts = new_states(boards, len(bots), rules)
    batch = play_games(GAME, starts, games or len(boards), seed, [BOTS[name] for name in bots], jobs, progress)
    return Results(batch.states, batch.steps)


def play_on_gpu(boards: Sequence[Board], bots: Sequence[str], seed: int, rules: Rules, games: int | None = None) -> Results:
    """The same games on a GPU."""
    starts = new_states(boards, len(bots), rules)
    batch = cuda.play_games(GAME, starts, games or len(boards), seed, [BOTS[name] for name in bots])
    return Results(batch.states, batch.steps)


def write(
    path: Path,
    boards: Sequence[Board],
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int | None = None,
    full: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Play the same games and record them in a file, which appears only when it is complete."""
    ends, steps = [], 0
    with writing(path) as write_line:
        for i in range(games or len(boards)):
            record = simulate(boards[i % len(boards)], bots, game_seed(seed, i), rules, number=i)
            for line in record.lines(full):
                write_line(line)
            *_, last = record.states()
            ends.append(last.copy())
            steps += len(record.codes)
            progress(1)
    return Results(np.concatenate(ends), steps)
