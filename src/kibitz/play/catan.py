"""Series of Catan games between bots: on all cores, on a GPU, or recorded step by step. All play the same games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.board import Board
from kibitz.catan.engine import GAME
from kibitz.catan.record import simulate, writing
from kibitz.catan.state import Rules, new_states
from kibitz.compute import cuda
from kibitz.compute.local import Batch, game_seed, play_games

#: Boards made at once: enough to keep all cores busy, few enough for a live progress bar.
BATCH = 2048
GPU_BATCH = 1 << 20
Boards = Callable[[int], Board]


@dataclass(frozen=True)
class Results:
    """How a series of games ended: the last states, and the steps of all games."""

    states: npt.NDArray[np.void]
    steps: int

    def points(self) -> npt.NDArray[np.int64]:
        """``[game, seat]`` victory points, hidden ones included."""
        points = np.zeros((len(self.states), int(self.states["seats"][0])), np.int64)
        game.score_all(self.states, points)
        return points


def play(
    board: Boards,
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Play game i on ``board(i)``, for `games` of them, with all cores."""

    def batch(starts: npt.NDArray[np.void], first: int, policies: list[int]) -> Batch:
        return play_games(GAME, starts, len(starts), seed, policies, jobs, progress, first)

    return _in_batches(board, bots, rules, games, batch)


def play_on_gpu(
    board: Boards, bots: Sequence[str], seed: int, rules: Rules, games: int, progress: Callable[[int], None] = lambda done: None
) -> Results:
    """The same games on a GPU."""

    def batch(starts: npt.NDArray[np.void], first: int, policies: list[int]) -> Batch:
        played = cuda.play_games(GAME, starts, len(starts), seed, policies, first)
        progress(len(starts))
        return played

    return _in_batches(board, bots, rules, games, batch, size=GPU_BATCH)


def _in_batches(
    board: Boards,
    bots: Sequence[str],
    rules: Rules,
    games: int,
    run: Callable[[npt.NDArray[np.void], int, list[int]], Batch],
    size: int = BATCH,
) -> Results:
    """Batch after batch; the boards of the next are made while one is played."""
    policies = [GAME.policies[name] for name in bots]
    batches: list[Future[Batch]] = []
    with ThreadPoolExecutor(1) as player:
        for first in range(0, games, size):
            starts = new_states([board(i) for i in range(first, min(first + size, games))], len(bots), rules)
            if batches:
                batches[-1].result()
            batches.append(player.submit(run, starts, first, policies))
    played = [batch.result() for batch in batches]
    return Results(game.as_structs(np.concatenate([batch.states for batch in played])), sum(batch.steps for batch in played))


def write(
    path: Path,
    board: Boards,
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int,
    full: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Play the same games and record them in a file, which appears only when it is complete."""
    ends, steps = [], 0
    with writing(path) as write_line:
        for i in range(games):
            record = simulate(board(i), bots, game_seed(seed, i), rules, number=i)
            for line in record.lines(full):
                write_line(line)
            *_, last = record.states()
            ends.append(last.copy())
            steps += len(record.codes)
            progress(1)
    return Results(game.as_structs(np.concatenate(ends)), steps)
