"""Games between players of any kind. Each is told what its seat sees, and every decision is judged by the rules.

What becomes of a game depends on its start, its seed and its players alone (unless one of them plays by the clock): any number
of threads gives the same games.

>>> from kibitz.coup.engine import GAME
>>> from kibitz.play.bots import policy_bot
>>> table = [policy_bot(name, GAME.policies[name]) for name in ("heuristic", "honest", "random")]
>>> played = play_game(GAME, GAME.new(3, 0), table, seed=7)
>>> [GAME.describe(code) for code in played.codes[:4]]
['drawn assassin assassin', 'drawn duke duke', 'drawn ambassador contessa', 'steal 2']
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np

from kibitz import game as verbs
from kibitz.compute.local import game_seed, play_games
from kibitz.compute.workers import Threads
from kibitz.game import CHANCE, OVER, Game, States
from kibitz.jit import uint64
from kibitz.play.bots import Bot
from kibitz.rng import derive_seed

#: Says in words why an action is illegal: of the state, the action and the number of the broken rule.
Explain = Callable[[States, int, int], str]


class IllegalDecision(ValueError):
    """A bot wanted to do what the rules forbid: the message names the bot, the step and the rule."""


@dataclass(frozen=True)
class Played:
    """A game that was played: every action and outcome of chance, and the last state."""

    codes: tuple[int, ...]
    end: States


@dataclass(frozen=True)
class Results:
    """How a series of games ended: the last states, and the steps of all games."""

    states: States
    steps: int

    def scores(self) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """``[game, seat]`` what each seat scored."""
        scores = np.zeros((len(self.states), int(self.states["seats"][0])), np.int64)
        verbs.score_all(self.states, scores)
        return scores


def _number(states: States, code: int, reason: int) -> str:
    return f"action {code} breaks rule {reason}"


class Table:
    """A game under way: the true state, what was done, the players, and what each of them sees.

    Chance follows `seed`, and each player draws from a stream of its own. `explain` puts a broken rule into words.
    """

    def __init__(self, game: Game, start: States, bots: Sequence[Bot], seed: int, explain: Explain = _number) -> None:
        self.states = start[:1].copy()
        self.codes: list[int] = []
        self._names, self._players = [bot.name for bot in bots], [bot.player() for bot in bots]
        self._explain = explain
        self._xs = game.scratches()
        self._xs["seed"] = uint64(derive_seed(seed))
        self._views = [self._view(seat) for seat in range(len(bots))]
        for seat, player in enumerate(self._players):
            player.begin(game, seat, self._views[seat].copy(), derive_seed(seed, "player", seat))

    @property
    def actor(self) -> int:
        """Whose move it is: a seat, `CHANCE` or `OVER`."""
        return int(verbs.actor_at(self.states, 0))

    def step(self) -> None:
        """Let chance or the player who is to move go on, and tell everybody what they perceive of it.

        Raises `IllegalDecision` if a player wants what the rules forbid.
        """
        code = self._next()
        perceived = [int(verbs.seen_at(self.states, 0, code, seat)) for seat in range(len(self._players))]
        verbs.apply_at(self.states, 0, code)
        self.codes.append(code)
        for seat, player in enumerate(self._players):
            before, self._views[seat] = self._views[seat], self._view(seat)
            player.saw(before, perceived[seat], self._views[seat].copy())

    def _next(self) -> int:
        seat = self.actor
        if seat == CHANCE:
            return int(verbs.decide_at(self.states, 0, self._xs, 0))
        code = self._players[seat].decide(self._views[seat].copy())
        if reason := int(verbs.why_not_at(self.states, 0, code)):
            where = f"{self._names[seat]} (seat {seat}), step {len(self.codes)}"
            raise IllegalDecision(f"{where}: {self._explain(self.states, code, reason)}")
        return code

    def _view(self, seat: int) -> States:
        """What a seat may know of the state."""
        view: States = self.states.copy()
        verbs.hide_at(view, 0, seat)
        return view


def play_game(game: Game, start: States, bots: Sequence[Bot], seed: int, explain: Explain = _number) -> Played:
    """One game to its end (see `Table`)."""
    table = Table(game, start, bots, seed, explain)
    while table.actor != OVER:
        table.step()
    return Played(tuple(table.codes), table.states)


def play_games_of(
    game: Game,
    starts: States,
    bots: Sequence[Bot],
    seed: int,
    games: int,
    first: int = 0,
    jobs: int | None = None,
    explain: Explain = _number,
) -> Generator[tuple[int, Played], None, None]:
    """Games `first` to ``first + games - 1`` of a series step by step, on threads, each with its number less `first`.

    They come in the order in which they are finished. Game ``first + i`` begins at ``starts[i % len(starts)]``.
    """

    def one(i: int) -> Played:
        at = i % len(starts)
        return play_game(game, starts[at : at + 1], bots, game_seed(seed, first + i), explain)

    return Threads(jobs).map(one, range(games))


def play_series(
    game: Game,
    starts: States,
    bots: Sequence[Bot],
    seed: int,
    games: int,
    first: int = 0,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    explain: Explain = _number,
) -> Results:
    """How the same games end. Compiled policies among themselves play without a step in Python, thousands of times as fast.

    (Those games are others than `play_games_of` plays: the policies at such a table share one stream.)
    """
    if is_compiled(bots):
        batch = play_games(game, starts, games, seed, [bot.policy or 0 for bot in bots], jobs, progress, first)
        return Results(batch.states, batch.steps)
    ends = verbs.structs(game.state, games)
    steps = 0
    for i, played in play_games_of(game, starts, bots, seed, games, first, jobs, explain):
        ends[i] = np.asarray(played.end)[0]
        steps += len(played.codes)
        progress(1)
    return Results(ends, steps)


def is_compiled(bots: Sequence[Bot]) -> bool:
    """Whether all of them are compiled policies."""
    return all(bot.policy is not None for bot in bots)
