"""Series of Coup games between bots: on all cores, or recorded step by step. Both play the same games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from kibitz.compute.local import game_seed
from kibitz.coup import reasons
from kibitz.coup.actions import Action
from kibitz.coup.engine import GAME
from kibitz.coup.game_state import IllegalAction
from kibitz.coup.record import Record, simulate
from kibitz.coup.state import Rules, new_states
from kibitz.game import States, as_structs
from kibitz.play.bots import Bot
from kibitz.play.coup_bots import bot_named
from kibitz.play.match import Results, is_compiled, play_games_of, play_series
from kibitz.play.tournament import Ends
from kibitz.records import writing


def explain(states: States, code: int, reason: int) -> str:
    """Why an action is illegal, in words."""
    if reason == reasons.UNKNOWN_ACTION:
        return f"{code} is no action"
    return str(IllegalAction(Action.from_code(code), reason, states))


def play(
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    first: int = 0,
) -> Results:
    """Play `games` games of a series, from its game `first` on, with all cores."""
    table = [bot_named(name) for name in bots]
    return play_series(GAME, new_states(len(table), rules), table, seed, games, first, jobs, progress, explain)


def ends(
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Ends:
    """How the same games end, for a tournament. Who is not the winner has no place: who fell first the end does not tell."""
    results = play(bots, seed, rules, games, jobs, progress)
    return Ends(np.asarray(results.states["winner"]), results.scores())


def write(
    path: Path,
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int,
    full: bool = False,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Play the same games and record them in a file, which appears only when it is complete.

    Games of compiled policies alone are the work of one thread.
    """
    last, steps = [], 0
    table = [bot_named(name) for name in bots]
    with writing(path) as write_line:
        for record in _recorded(table, seed, rules, games, jobs):
            for line in record.lines(full):
                write_line(line)
            *_, end = record.states()
            last.append(end.copy())
            steps += len(record.codes)
            progress(1)
    return Results(as_structs(np.concatenate(last)), steps)


def _recorded(table: Sequence[Bot], seed: int, rules: Rules, games: int, jobs: int | None) -> Iterator[Record]:
    """The games of a series in their order."""
    names = tuple(bot.name for bot in table)
    if is_compiled(table):
        for i in range(games):
            yield simulate(names, game_seed(seed, i), rules, number=i)
        return
    waiting: dict[int, Record] = {}
    due = 0
    for i, played in play_games_of(GAME, new_states(len(table), rules), table, seed, games, jobs=jobs, explain=explain):
        waiting[i] = Record(rules, names, played.codes, game_seed(seed, i), i)
        while due in waiting:
            yield waiting.pop(due)
            due += 1
