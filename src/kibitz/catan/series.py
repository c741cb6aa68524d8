"""Series of Catan games between bots: on all cores, on a GPU, or recorded step by step. All play the same games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from kibitz.catan.bots import bot_named
from kibitz.catan.core.board import Board
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import Rules, new_states
from kibitz.compute import cuda
from kibitz.loops.config import Config
from kibitz.play.match import Played, Results
from kibitz.play.series import Series, play_series, write_series

#: Boards made at once: enough to keep all cores busy, few enough for a live progress bar.
BATCH = 2048
GPU_BATCH = 1 << 20
Boards = Callable[[int], Board]


def warm_up() -> None:
    """Compile or load the rules, before a clock starts or somebody waits."""
    play(lambda number: Board.beginner(), ["random"] * 2, 0, Rules(max_turns=1), games=1, jobs=1).scores()


def play(
    board: Boards,
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    guard: Config | None = None,
) -> Results:
    """Play game i on ``board(i)``, for `games` of them, with all cores; under a loop guard, if there is one."""
    return _one_after_another(batches(board, bots, seed, rules, games, guard), lambda batch: play_series(batch, jobs, progress))


def play_on_gpu(
    board: Boards, bots: Sequence[str], seed: int, rules: Rules, games: int, progress: Callable[[int], None] = lambda done: None
) -> Results:
    """The same games on a GPU; only compiled policies can play there."""
    policies = [GAME.policies[name] for name in bots]

    def run(batch: Series) -> Results:
        played = cuda.play_games(GAME, batch.starts, batch.games, seed, policies, batch.first)
        progress(batch.games)
        return Results(played.states, played.steps)

    return _one_after_another(batches(board, bots, seed, rules, games, size=GPU_BATCH), run)


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
    guard: Config | None = None,
) -> Results:
    """Play the same games and record them in a file, which appears only when it is complete.

    Games of compiled policies alone are the work of one thread.
    """

    def record(batch: Series, i: int, played: Played) -> Record:
        return Record(board(batch.first + i), rules, **batch.heading(i, played))

    return write_series(path, batches(board, bots, seed, rules, games, guard), record, full, jobs, progress)


def batches(
    board: Boards, bots: Sequence[str], seed: int, rules: Rules, games: int, guard: Config | None = None, size: int = BATCH
) -> Iterator[Series]:
    """The series in parts, each with the boards of its games."""
    table = tuple(bot_named(name) for name in bots)
    for first in range(0, games, size):
        starts = new_states([board(i) for i in range(first, min(first + size, games))], len(table), rules)
        yield Series(GAME, starts, table, seed, len(starts), first, guard)


def _one_after_another(parts: Iterable[Series], run: Callable[[Series], Results]) -> Results:
    """Batch after batch; the boards of the next are made while one is played."""
    played: list[Future[Results]] = []
    with ThreadPoolExecutor(1) as player:
        for batch in parts:
            if played:
                played[-1].result()
            played.append(player.submit(run, batch))
    return Results.joined([batch.result() for batch in played])
