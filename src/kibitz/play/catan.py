"""Series of Catan games between bots: on all cores, on a GPU, or recorded step by step. All play the same games."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
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
#: Recorded games that a process takes at once, and for how many it is worth starting.
CHUNK, WORTH_A_PROCESS = 8, 250
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
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Play the same games and record them in a file, which appears only when it is complete.

    Writing down is Python's work, so `jobs` are processes here (one for few games: starting another takes a second).
    The file does not depend on their number.
    """
    chunks = (
        ([board(i) for i in range(first, min(first + CHUNK, games))], list(bots), seed, rules, first, full)
        for first in range(0, games, CHUNK)
    )
    jobs = min(jobs or os.cpu_count() or 1, games // WORTH_A_PROCESS) if games >= WORTH_A_PROCESS else 1
    ends, steps = [], 0
    with ExitStack() as stack:
        write_line = stack.enter_context(writing(path))
        if jobs > 1:
            pool = stack.enter_context(ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")))
            written: Iterable[tuple[list[str], npt.NDArray[np.void], int]] = pool.map(_record_chunk, chunks)
        else:
            written = map(_record_chunk, chunks)
        for lines, last, taken in written:
            for line in lines:
                write_line(line)
            ends.append(last)
            steps += taken
            progress(len(last))
    return Results(game.as_structs(np.concatenate(ends)), steps)


def _record_chunk(
    work: tuple[list[Board], list[str], int, Rules, int, bool],
) -> tuple[list[str], npt.NDArray[np.void], int]:
    """The lines, the last states and the steps of a few games."""
    boards, bots, seed, rules, first, full = work
    lines: list[str] = []
    ends, steps = [], 0
    for i, board in enumerate(boards, start=first):
        record = simulate(board, bots, game_seed(seed, i), rules, number=i)
        lines += record.lines(full)
        *_, last = record.states()
        ends.append(np.array(last))
        steps += len(record.codes)
    return lines, np.concatenate(ends), steps
