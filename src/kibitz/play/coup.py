"""Series of Coup games between bots: on all cores, or recorded step by step. Both play the same games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from kibitz.compute.local import game_seed
from kibitz.coup import reasons
from kibitz.coup.actions import Action
from kibitz.coup.engine import GAME
from kibitz.coup.game_state import IllegalAction
from kibitz.coup.record import Record
from kibitz.coup.state import Rules, new_states
from kibitz.game import States
from kibitz.loops.config import Config
from kibitz.play.conduct import Conducts, together
from kibitz.play.coup_bots import bot_named
from kibitz.play.match import Loops, Results, play_series, recorded_games
from kibitz.play.tournament import Ends, ends_of
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
    guard: Config | None = None,
) -> Results:
    """Play `games` games of a series, from its game `first` on, with all cores; under a loop guard, if there is one."""
    table = [bot_named(name) for name in bots]
    return play_series(GAME, new_states(len(table), rules), table, seed, games, first, jobs, progress, explain, guard)


def ends(
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    guard: Config | None = None,
) -> Ends:
    """How the same games end, for a tournament. Who is not the winner has no place: who fell first the end does not tell."""
    results = play(bots, seed, rules, games, jobs, progress, guard=guard)
    return ends_of(results, np.asarray(results.states["winner"]))


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
    ends, steps, loops = GAME.room(games), 0, Loops.none(games)
    table, start, header = [bot_named(name) for name in bots], new_states(len(bots), rules), guard.to_json() if guard else None
    conducts: list[Conducts] = []
    with writing(path) as write_line:
        for i, played in recorded_games(GAME, start, table, seed, games, jobs, explain, guard):
            record = Record(rules, tuple(bots), played.codes, game_seed(seed, i), i, header, played.drawn)
            for line in record.lines(full):
                write_line(line)
            ends[i] = played.end[0]
            steps += len(played.codes)
            loops.found[i], loops.drawn[i] = played.looped, played.drawn
            conducts.append(played.conduct)
            progress(1)
    return Results(ends, steps, loops if guard else None, together(conducts))
