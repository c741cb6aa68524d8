"""Series of One Piece games between bots with two decks, recorded or not. Both play the same games.

They are the work of one thread: plain Python gains nothing from more.

>>> from kibitz.onepiece.decks import starter
>>> results = play(["greedy", "random"], (starter("tide"), starter("ember")), seed=1, games=4)
>>> [state.winner for state in results.states]
[0, 0, 0, 0]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from kibitz.compute.local import game_seed
from kibitz.game import States
from kibitz.loops.config import Config
from kibitz.onepiece import reasons
from kibitz.onepiece.decks import Deck
from kibitz.onepiece.engine import game_with, new
from kibitz.onepiece.game_state import IllegalAction
from kibitz.onepiece.record import Record
from kibitz.plain_states import PlainStates
from kibitz.play.conduct import Conducts, together
from kibitz.play.match import Loops, Results, play_series, recorded_games
from kibitz.play.onepiece_bots import bot_named
from kibitz.play.tournament import Ends, ends_of
from kibitz.records import writing


def starts(decks: tuple[Deck, Deck], first: int = 0) -> States:
    """Where the games of a series begin, from its game `first` on: the seats begin in turn."""
    return PlainStates(game_with(*decks), [new(*decks, (first + i) % 2) for i in range(2)])


def explain(states: States, code: int, reason: int) -> str:
    """Why an action is illegal, in words."""
    state = states[0]
    if reason == reasons.UNKNOWN_ACTION:
        return f"{code} is no action"
    return str(IllegalAction(state.describe(code), reason, state.waiting.name, state.actor()))


def play(
    bots: Sequence[str],
    decks: tuple[Deck, Deck],
    seed: int,
    games: int,
    progress: Callable[[int], None] = lambda done: None,
    first: int = 0,
    guard: Config | None = None,
) -> Results:
    """Play `games` games of a series, from its game `first` on; under a loop guard, if there is one."""
    table = [bot_named(name) for name in bots]
    return play_series(game_with(*decks), starts(decks, first), table, seed, games, first, 1, progress, explain, guard)


def ends(results: Results) -> Ends:
    """How games ended, for a tournament."""
    return ends_of(results, np.array([state.winner for state in results.states]))


def write(
    path: Path,
    bots: Sequence[str],
    decks: tuple[Deck, Deck],
    seed: int,
    games: int,
    full: bool = False,
    progress: Callable[[int], None] = lambda done: None,
    guard: Config | None = None,
) -> Results:
    """Play the same games and record them in a file, which appears only when it is complete."""
    match = game_with(*decks)
    ends, steps, loops = match.room(games), 0, Loops.none(games)
    table, header = [bot_named(name) for name in bots], guard.to_json() if guard else None
    conducts: list[Conducts] = []
    with writing(path) as write_line:
        for i, played in recorded_games(match, starts(decks), table, seed, games, 1, explain, guard):
            record = Record(decks, tuple(bots), played.codes, i % 2, game_seed(seed, i), i, header, played.drawn)
            for line in record.lines(full):
                write_line(line)
            ends[i] = played.end[0]
            steps += len(played.codes)
            loops.found[i], loops.drawn[i] = played.looped, played.drawn
            conducts.append(played.conduct)
            progress(1)
    return Results(ends, steps, loops if guard else None, together(conducts))
