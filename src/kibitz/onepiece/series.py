"""Series of One Piece games between bots with two decks, recorded or not. Both play the same games.

They are the work of one thread: plain Python gains nothing from more.

>>> from kibitz.onepiece.core.decks import starter
>>> results = play(["greedy", "random"], (starter("tide"), starter("ember")), seed=1, games=4)
>>> [state.winner for state in results.states]
[0, 0, 0, 0]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kibitz.game import States
from kibitz.ground.plain_states import PlainStates
from kibitz.loops.config import Config
from kibitz.onepiece.bots import bot_named
from kibitz.onepiece.core.decks import Deck
from kibitz.onepiece.core.engine import game_with, new
from kibitz.onepiece.core.record import Record
from kibitz.play.match import Played, Results
from kibitz.play.series import Series, play_series, write_series


def starts(decks: tuple[Deck, Deck], first: int = 0) -> States:
    """Where the games of a series begin, from its game `first` on: the seats begin in turn."""
    return PlainStates(game_with(*decks), [new(*decks, (first + i) % 2) for i in range(2)])


def series_of(
    bots: Sequence[str], decks: tuple[Deck, Deck], seed: int, games: int, first: int = 0, guard: Config | None = None
) -> Series:
    """`games` games of a series, from its game `first` on; under a loop guard, if there is one."""
    table = tuple(bot_named(name) for name in bots)
    return Series(game_with(*decks), starts(decks, first), table, seed, games, first, guard)


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
    return play_series(series_of(bots, decks, seed, games, first, guard), 1, progress)


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

    def record(series: Series, i: int, played: Played) -> Record:
        return Record(decks, first=(series.first + i) % 2, **series.heading(i, played))

    return write_series(path, [series_of(bots, decks, seed, games, guard=guard)], record, full, 1, progress)
