"""Series of games between the same bots: to their ends, step by step, or into a file.

What becomes of a game depends on its start, on the seed of the series and its number in it, and on its players alone (unless
one of them plays by the clock): any number of threads and any split into series give the same games.

>>> results = play("coup", ["heuristic", "honest"], seed=7, games=100)
>>> len(results.states), bool(results.scores().sum() > 0)
(100, True)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.compute import local
from kibitz.compute.local import NEVER, Until
from kibitz.compute.runtime import Threads
from kibitz.game import RANDOM, Game, States
from kibitz.game.files import writing
from kibitz.ground.jit import COMPILED
from kibitz.play.bots import Bot, Conducts, served, together
from kibitz.play.match import Loops, Played, Results, play_game, play_policies
from kibitz.play.profile import Profile, Setup
from kibitz.play.registry import profile
from kibitz.play.taken_over import taken_over

if TYPE_CHECKING:
    from kibitz.loops.config import Config

#: Is told how many more games are finished.
Progress = Callable[[int], None]
SILENT: Progress = lambda done: None  # noqa: E731
#: Starts that are made at once: enough to keep all cores busy, few enough for a live progress bar.
BATCH = 2048
GPU_BATCH = 1 << 20


@dataclass(frozen=True, eq=False)
class Series:
    """What is played: game ``first + i`` of the series with this `seed` begins at ``starts[i % len(starts)]``."""

    game: Game
    starts: States
    bots: tuple[Bot, ...]
    seed: int
    games: int
    first: int = 0
    guard: Config | None = None
    """The rules of the loop guard under which all of them are played, if there is one."""

    @property
    def policies(self) -> list[int] | None:
        """The players, where all are compiled policies. Raises `NoNetwork` where one asks an evaluator that there is not."""
        found = [served(self.game, self.starts, bot.policy, bot.spare) for bot in self.bots if bot.policy is not None]
        return found if len(found) == len(self.bots) else None

    def compiled(self, policies: Sequence[int]) -> local.Games:
        """The games of these policies, as they are played without a step in Python."""
        return local.series(self.game, self.starts, self.games, self.seed, policies, self.first)

    def start(self, i: int) -> States:
        """Where game ``first + i`` begins."""
        at = i % len(self.starts)
        return self.starts[at : at + 1]

    def seed_of(self, i: int) -> int:
        """The seed of game ``first + i``."""
        return local.game_seed(self.seed, self.first + i)

    def heading(self, i: int, played: Played) -> dict[str, Any]:
        """What the record of game ``first + i`` says beside its set-up."""
        return {
            "seats": tuple(bot.name for bot in self.bots),
            "codes": played.codes,
            "seed": self.seed_of(i),
            "game": self.first + i,
            "guard": self.guard.to_json() if self.guard else None,
            "drawn": played.drawn,
        }


@dataclass(frozen=True, eq=False)
class Plan:
    """What is to be played: games `first` to ``first + games - 1`` of the series with this `seed`, set up by a game."""

    setup: Setup
    bots: tuple[Bot, ...]
    seed: int
    games: int
    first: int = 0
    guard: Config | None = None

    def parts(self, size: int = BATCH) -> Iterator[Series]:
        """The games in series that follow each other, with at most `size` starts each."""
        at, end = self.first, self.first + self.games
        while at < end:
            n = min(size, end - at)
            starts = self.setup.starts(len(self.bots), at, n)
            if len(starts) < n:  # they come round
                n = end - at
            yield Series(self.setup.game, starts, self.bots, self.seed, n, at, self.guard)
            at += n


def play(
    game: str | Profile,
    bots: Sequence[str],
    seed: int = 0,
    games: int = 1,
    *,
    first: int = 0,
    guard: Config | None = None,
    jobs: int | None = None,
    record: Path | None = None,
    full: bool = False,
    progress: Progress = SILENT,
    **chosen: Any,
) -> Results:
    """Play games of one kind between bots, all by their names; a `record` is written where one is named.

    What else is given (rules, a board, decks) is what the game's own setup takes.
    """
    known = profile(game) if isinstance(game, str) else game
    table = tuple(known.bot_named(name) for name in bots)
    plan = Plan(known.setup(seed=seed, **chosen), table, seed, games, first, guard)
    return play_plan(plan, jobs=jobs, record=record, full=full, progress=progress)


def play_plan(
    plan: Plan,
    *,
    jobs: int | None = None,
    device: str = "cpu",
    record: Path | None = None,
    full: bool = False,
    progress: Progress = SILENT,
    until: Until = NEVER,
) -> Results:
    """Play what is planned, on all cores or on a GPU (``cuda``), and record it where a file is named.

    The file appears only when it is complete; with `full` it holds every position. Games of compiled policies alone are
    recorded by one thread, and games of plain Python gain nothing from more. Where `until` says stop, the games that are over
    by then are returned and recorded.
    """
    jobs = jobs or (1 if plan.setup.game.is_plain else None)
    if record is not None:
        return _write(plan, record, full, jobs, progress, until)
    if device == "cuda":
        parts = (_play_on_gpu(part, progress) for part in _ahead(plan.parts(GPU_BATCH), until))
    else:
        parts = (play_series(part, jobs, progress, until) for part in _ahead(plan.parts(), until))
    return Results.joined([*parts] or [Results.nothing(plan.setup.game)])


def warm_up(setup: Setup, seats: int) -> None:
    """Compile or load the rules, before a clock starts or somebody waits."""
    if COMPILED and not setup.game.is_plain:
        batch = local.play(local.series(setup.game, setup.starts(seats, 0, 1), 1, 0, [RANDOM] * seats), jobs=1)
        Results(batch.states, batch.steps).scores()


def play_series(what: Series, jobs: int | None = None, progress: Progress = SILENT, until: Until = NEVER) -> Results:
    """How the games end. Compiled policies among themselves play without a step in Python, thousands of times as fast."""
    if what.policies is None:
        return _results(what, _at_tables(what, jobs), progress, until)
    if what.guard:
        from kibitz.loops import watch

        watched = watch.play(what.compiled(what.policies), what.guard, jobs, progress, until)
        return Results(watched.batch.states, watched.batch.steps, Loops(watched.looped, watched.drawn))
    batch = local.play(what.compiled(what.policies), jobs, progress, until)
    return Results(batch.states, batch.steps)


def _play_on_gpu(what: Series, progress: Progress) -> Results:
    from kibitz.compute import cuda

    if what.policies is None or what.guard:
        raise ValueError("on a GPU compiled policies play, and without a loop guard")
    batch = cuda.play(what.compiled(what.policies))
    progress(what.games)
    return Results(batch.states, batch.steps)


def _ahead(parts: Iterator[Series], until: Until) -> Generator[Series, None, None]:
    """The same until it is time to stop, but the starts of the next are made in a thread while one is played."""
    with ThreadPoolExecutor(1) as maker:
        make = partial(next, parts, None)
        due = maker.submit(make)
        while (part := due.result()) is not None and not until():
            due = maker.submit(make)
            yield part


def recorded_games(what: Series, jobs: int | None = None) -> Iterator[tuple[int, Played]]:
    """The same games step by step and in their order, each with its number less ``first``.

    Policies alone are the work of one thread.
    """
    if what.policies is not None:
        for i in range(what.games):
            yield i, play_policies(what.start(i), what.policies, what.seed_of(i), what.guard)
        return
    waiting: dict[int, Played] = {}
    due = 0
    for i, played in _at_tables(what, jobs):
        waiting[i] = played
        while due in waiting:
            yield due, waiting.pop(due)
            due += 1


def _write(plan: Plan, path: Path, full: bool, jobs: int | None, progress: Progress, until: Until) -> Results:
    """Play what is planned and record it; what a killed run has finished of it is taken over."""
    taken = taken_over(plan, path, full)
    with suppress(_NothingPlayed), writing(path) as write_line:
        for line in taken.lines:
            write_line(line)
        if taken.games:
            progress(taken.games)

        def written(what: Series) -> Iterator[tuple[int, Played]]:
            for i, played in recorded_games(what, jobs):
                for line in plan.setup.record(what.first + i, what.heading(i, played)).lines(full):
                    write_line(line)
                yield i, played
                if until():
                    return

        rest = replace(plan, first=plan.first + taken.games, games=plan.games - taken.games)
        parts = [_results(what, written(what), progress) for what in _ahead(rest.parts(), until)]
        if results := [*taken.results, *parts]:
            return Results.joined(results)
        raise _NothingPlayed  # there is no file, then
    return Results.nothing(plan.setup.game)


class _NothingPlayed(Exception):
    """It was stopped before the first game was finished."""


def _at_tables(what: Series, jobs: int | None) -> Generator[tuple[int, Played], None, None]:
    """All games step by step, on threads, in the order in which they are finished."""

    def one(i: int) -> Played:
        return play_game(what.game, what.start(i), what.bots, what.seed_of(i), what.guard)

    return Threads(jobs).map(one, range(what.games))


def _results(what: Series, games: Iterable[tuple[int, Played]], progress: Progress, until: Until = NEVER) -> Results:
    """How these games ended: all of them, or those that were over when it was time to stop."""
    ends, steps, loops = what.game.room(what.games), 0, Loops.none(what.games)
    conducts: list[Conducts] = [{}] * what.games
    over = np.zeros(what.games, np.bool_)
    for i, played in games:
        ends[i] = played.end[0]
        over[i] = True
        steps += len(played.codes)
        loops.found[i], loops.drawn[i] = played.looped, played.drawn
        conducts[i] = played.conduct
        progress(1)
        if until():
            break
    if not over.all():
        ends, loops = ends[over], Loops(loops.found[over], loops.drawn[over])
    return Results(ends, steps, loops if what.guard else None, together(conducts))
