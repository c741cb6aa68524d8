"""Series of Coup games between bots: on all cores, or recorded step by step. Both play the same games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz.compute.local import game_seed, play_games
from kibitz.coup.engine import GAME
from kibitz.coup.record import simulate
from kibitz.coup.state import Rules, new_states
from kibitz.game import as_structs
from kibitz.records import writing


@dataclass(frozen=True)
class Results:
    """How a series of games ended: the last states, and the steps of all games."""

    states: npt.NDArray[np.void]
    steps: int


def play(
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Play `games` games with all cores."""
    policies = [GAME.policies[name] for name in bots]
    played = play_games(GAME, new_states(len(bots), rules), games, seed, policies, jobs, progress)
    return Results(played.states, played.steps)


def write(
    path: Path,
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
            record = simulate(bots, game_seed(seed, i), rules, number=i)
            for line in record.lines(full):
                write_line(line)
            *_, last = record.states()
            ends.append(last.copy())
            steps += len(record.codes)
            progress(1)
    return Results(as_structs(np.concatenate(ends)), steps)
