"""Series of games between the same bots: what is played, to its ends, step by step, or into a file.

What becomes of a game depends on its start, on the seed of the series and its number in it, and on its players alone (unless
one of them plays by the clock): any number of threads and any split into series give the same games.

>>> from kibitz.coup.core.engine import GAME
>>> from kibitz.play.bots import policy_bot
>>> table = tuple(policy_bot(name, GAME.policies[name]) for name in ("heuristic", "honest"))
>>> results = play_series(Series(GAME, GAME.new(2, 0), table, seed=7, games=100))
>>> len(results.states), bool(results.scores().sum() > 0)
(100, True)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.compute.local import game_seed, play_games, series
from kibitz.compute.workers import Threads
from kibitz.game import Game, States
from kibitz.game.files import writing
from kibitz.game.record import GameRecord
from kibitz.loops import watch
from kibitz.loops.config import Config
from kibitz.play.bots import Bot
from kibitz.play.conduct import Conducts, together
from kibitz.play.match import Loops, Played, Results, play_game, play_policies

#: Is told how many games more are finished.
Progress = Callable[[int], None]


def _silent(done: int) -> None:
    pass


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
        """The players, where all are compiled policies."""
        policies = [bot.policy for bot in self.bots if bot.policy is not None]
        return policies if len(policies) == len(self.bots) else None

    def start(self, i: int) -> States:
        """Where game ``first + i`` begins."""
        at = i % len(self.starts)
        return self.starts[at : at + 1]

    def seed_of(self, i: int) -> int:
        """The seed of game ``first + i``."""
        return game_seed(self.seed, self.first + i)

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


def play_series(what: Series, jobs: int | None = None, progress: Progress = _silent) -> Results:
    """How the games end. Compiled policies among themselves play without a step in Python, thousands of times as fast."""
    if what.policies is None:
        return _results(what, _at_tables(what, jobs), progress)
    if what.guard:
        games = series(what.game, what.starts, what.games, what.seed, what.policies, what.first)
        watched = watch.play(games, what.guard, jobs, progress)
        return Results(watched.batch.states, watched.batch.steps, Loops(watched.looped, watched.drawn))
    batch = play_games(what.game, what.starts, what.games, what.seed, what.policies, jobs, progress, what.first)
    return Results(batch.states, batch.steps)


def recorded_games(what: Series, jobs: int | None = None) -> Iterator[tuple[int, Played]]:
    """The same games step by step and in their order, each with its number less ``first``.

    Policies alone are the work of one thread.
    """
    if what.policies is not None:
        for i in range(what.games):
            yield i, play_policies(what.game, what.start(i), what.policies, what.seed_of(i), what.guard)
        return
    waiting: dict[int, Played] = {}
    due = 0
    for i, played in _at_tables(what, jobs):
        waiting[i] = played
        while due in waiting:
            yield due, waiting.pop(due)
            due += 1


def write_series(
    path: Path,
    parts: Iterable[Series],
    record: Callable[[Series, int, Played], GameRecord],
    full: bool = False,
    jobs: int | None = None,
    progress: Progress = _silent,
) -> Results:
    """Play series after series and record them in a file, which appears only when it is complete."""
    with writing(path) as write_line:

        def written(what: Series) -> Iterator[tuple[int, Played]]:
            for i, played in recorded_games(what, jobs):
                for line in record(what, i, played).lines(full):
                    write_line(line)
                yield i, played

        return Results.joined([_results(what, written(what), progress) for what in parts])


def _at_tables(what: Series, jobs: int | None) -> Generator[tuple[int, Played], None, None]:
    """All games step by step, on threads, in the order in which they are finished."""

    def one(i: int) -> Played:
        return play_game(what.game, what.start(i), what.bots, what.seed_of(i), what.guard)

    return Threads(jobs).map(one, range(what.games))


def _results(what: Series, games: Iterable[tuple[int, Played]], progress: Progress) -> Results:
    """How these games ended."""
    ends, steps, loops = what.game.room(what.games), 0, Loops.none(what.games)
    conducts: list[Conducts] = [{}] * what.games
    for i, played in games:
        ends[i] = played.end[0]
        steps += len(played.codes)
        loops.found[i], loops.drawn[i] = played.looped, played.drawn
        conducts[i] = played.conduct
        progress(1)
    return Results(ends, steps, loops if what.guard else None, together(conducts))
