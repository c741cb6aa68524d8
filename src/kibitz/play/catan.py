"""Series of Catan games between bots: on all cores, on a GPU, or recorded step by step. All play the same games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from kibitz import game
from kibitz.catan import reasons
from kibitz.catan.actions import Action
from kibitz.catan.board import Board
from kibitz.catan.engine import GAME
from kibitz.catan.game_state import IllegalAction
from kibitz.catan.record import Record, writing
from kibitz.catan.state import Rules, new_states
from kibitz.compute import cuda
from kibitz.compute.local import game_seed
from kibitz.game import States
from kibitz.loops.config import Config
from kibitz.play.catan_bots import bot_named
from kibitz.play.conduct import Conducts, together
from kibitz.play.match import Loops, Results, is_compiled, play_game, play_policies, play_series

#: Boards made at once: enough to keep all cores busy, few enough for a live progress bar.
BATCH = 2048
GPU_BATCH = 1 << 20
Boards = Callable[[int], Board]


def explain(states: States, code: int, reason: int) -> str:
    """Why an action is illegal, in words."""
    if reason == reasons.UNKNOWN_ACTION:
        return f"{code} is no action"
    return str(IllegalAction(Action.from_code(code), reason, states))


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
    table = [bot_named(name) for name in bots]

    def batch(starts: States, first: int) -> Results:
        return play_series(GAME, starts, table, seed, len(starts), first, jobs, progress, explain, guard)

    return _in_batches(board, len(bots), rules, games, batch)


def play_on_gpu(
    board: Boards, bots: Sequence[str], seed: int, rules: Rules, games: int, progress: Callable[[int], None] = lambda done: None
) -> Results:
    """The same games on a GPU; only compiled policies can play there."""
    policies = [GAME.policies[name] for name in bots]

    def batch(starts: States, first: int) -> Results:
        played = cuda.play_games(GAME, starts, len(starts), seed, policies, first)
        progress(len(starts))
        return Results(played.states, played.steps)

    return _in_batches(board, len(bots), rules, games, batch, size=GPU_BATCH)


def _in_batches(
    board: Boards,
    seats: int,
    rules: Rules,
    games: int,
    run: Callable[[States, int], Results],
    size: int = BATCH,
) -> Results:
    """Batch after batch; the boards of the next are made while one is played."""
    batches: list[Future[Results]] = []
    with ThreadPoolExecutor(1) as player:
        for first in range(0, games, size):
            starts = new_states([board(i) for i in range(first, min(first + size, games))], seats, rules)
            if batches:
                batches[-1].result()
            batches.append(player.submit(run, starts, first))
    played = [batch.result() for batch in batches]
    found = [batch.loops for batch in played if batch.loops is not None]
    states = game.as_structs(np.concatenate([batch.states for batch in played]))
    conduct = together(batch.conduct for batch in played)
    return Results(states, sum(batch.steps for batch in played), Loops.joined(found) if found else None, conduct)


def write(
    path: Path,
    board: Boards,
    bots: Sequence[str],
    seed: int,
    rules: Rules,
    games: int,
    full: bool = False,
    progress: Callable[[int], None] = lambda done: None,
    guard: Config | None = None,
) -> Results:
    """Play the same games and record them in a file, which appears only when it is complete."""
    ends, steps, loops = GAME.room(games), 0, Loops.none(games)
    table, header = [bot_named(name) for name in bots], guard.to_json() if guard else None
    conducts: list[Conducts] = []
    with writing(path) as write_line:
        for i in range(games):
            played_on, own_seed = board(i), game_seed(seed, i)
            start = new_states(played_on, len(table), rules)
            if is_compiled(table):
                played = play_policies(GAME, start, table, own_seed, guard)
            else:
                played = play_game(GAME, start, table, own_seed, explain, guard)
            record = Record(played_on, rules, tuple(bots), played.codes, own_seed, i, header, played.drawn)
            for line in record.lines(full):
                write_line(line)
            ends[i] = played.end[0]
            steps += len(played.codes)
            loops.found[i], loops.drawn[i] = played.looped, played.drawn
            conducts.append(played.conduct)
            progress(1)
    return Results(ends, steps, loops if guard else None, together(conducts))
