"""Series of Coup games between bots: on all cores, or recorded step by step. Both play the same games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kibitz.coup.bots import bot_named
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.record import Record
from kibitz.coup.core.state import Rules, new_states
from kibitz.loops.config import Config
from kibitz.play.match import Results
from kibitz.play.series import Series, play_series, write_series


def series_of(bots: Sequence[str], seed: int, rules: Rules, games: int, first: int = 0, guard: Config | None = None) -> Series:
    """`games` games of a series, from its game `first` on; under a loop guard, if there is one."""
    table = tuple(bot_named(name) for name in bots)
    return Series(GAME, new_states(len(table), rules), table, seed, games, first, guard)


def play(
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    first: int = 0,
    guard: Config | None = None,
) -> Results:
    """Play `games` games of a series, from its game `first` on, with all cores; under a loop guard, if there is one."""
    return play_series(series_of(bots, seed, rules, games, first, guard), jobs, progress)


def write(
    path: Path,
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
    return write_series(
        path,
        [series_of(bots, seed, rules, games, guard=guard)],
        lambda series, i, played: Record(rules, **series.heading(i, played)),
        full,
        jobs,
        progress,
    )
