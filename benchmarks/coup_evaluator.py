"""The evaluator of Coup: ``python benchmarks/coup_evaluator.py``.

How good the network for two players is (against games played on from positions that it has not seen, the noise of those games
taken out, beside what 1, 10 and 100 games from each position would give), by the cards that are left; and whether the search is
stronger with it than without, at the same processor time: a time a decision is turned into iterations once, which are printed,
and the match is played by iterations.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from tables import Bench, Figures

from kibitz.compute.runtime import Limit
from kibitz.coup.bots import CONFIG, TO_THE_END, Cards, thinking
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.evaluator import phase_of
from kibitz.coup.core.policy import EQUILIBRIUM
from kibitz.coup.core.state import new_states
from kibitz.ground.rng import derive_seed
from kibitz.learn.measure import error_of, error_of_games, evaluated, win_rates
from kibitz.learn.positions import one_a_game
from kibitz.play.bots import Bot
from kibitz.play.match import play_game
from kibitz.play.search_bot import SearchPlayer
from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

if TYPE_CHECKING:
    from kibitz.compute.runtime import Runtime
    from kibitz.game import States
    from kibitz.search.ismcts import SearchConfig, SearchResult

SEED = 4242
#: So many games from each position are what an evaluation is compared with.
BESIDE = (1, 10, 100)
TABLE = [EQUILIBRIUM] * 2
#: Iterations a decision while their time is measured.
WARM = 1000


class Timed(SearchPlayer[Cards]):
    """Knows how long it has thought."""

    seconds, iterations = 0.0, 0

    def think(self, view: States, runtime: Runtime | None = None) -> SearchResult:
        """Look at the clock before and after."""
        began = time.process_time()
        found = super().think(view, runtime)
        Timed.seconds += time.process_time() - began
        Timed.iterations += found.iterations
        return found


def searcher(config: SearchConfig, iterations: int) -> Bot:
    """`ismcts`, with the evaluator or without."""
    how = replace(thinking(Limit(iterations=iterations)), config=config)
    return Bot("ismcts", lambda: Timed(how))


def seconds_each(config: SearchConfig, games: int) -> float:
    """Processor time of an iteration, in games of the search with itself."""
    bots = [searcher(config, WARM)] * 2
    play_game(GAME, new_states(2), bots, SEED)
    Timed.seconds, Timed.iterations = 0.0, 0
    for number in range(games):
        play_game(GAME, new_states(2), bots, derive_seed(SEED, "clock", number))
    return Timed.seconds / Timed.iterations


def errors(positions: int, games: int) -> list[tuple[object, ...]]:
    """The error of the network, in all positions and by the cards that are left."""
    states = one_a_game(GAME, lambda first, n: new_states(2), TABLE, positions, SEED, GAME.school.switch)
    values, rates = evaluated(GAME, states), win_rates(GAME, states, games, TABLE, SEED)
    phases = phase_of(states)
    parts = {"all": np.ones(len(states), bool)} | {name: phases == name for name in sorted(set(phases.tolist()))}
    rows: list[tuple[object, ...]] = []
    for name, here in parts.items():
        beside = [error_of_games(rates[here], games, n) for n in BESIDE]
        rows.append((name, int(here.sum()), error_of(values[here], rates[here], games), *beside))
    return rows


def match(ours: Bot, theirs: Bot, games: int) -> Share:
    """How often the first wins, on both seats in turn with the same deals; a game without a winner is nobody's."""
    won = 0
    for number in range(games):
        seat = number % 2
        table = [ours, theirs] if seat == 0 else [theirs, ours]
        end = play_game(GAME, new_states(2), table, derive_seed(SEED, "match", number // 2)).end
        won += int(end["winner"][0]) == seat
    return Share(won, games)


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--positions", type=int, default=2000, help="that are played on")
    parser.add_argument("--games", type=int, default=400, help="from each of them")
    parser.add_argument("--matches", type=int, default=1000, help="games of each match")
    parser.add_argument("--times", default="1,2", help="milliseconds a decision, one match each")


def main() -> None:
    bench = Bench(__doc__, "coup_evaluator.md", options)
    rows = errors(bench.many(bench.options.positions, 20), bench.many(bench.options.games, 4))
    each = {config: seconds_each(config, bench.many(20, 1)) for config in (CONFIG, TO_THE_END)}
    matches = []
    for text in bench.options.times.split(","):
        seconds = float(text) / 1000
        counts = [max(10, round(seconds / each[config], -1)) for config in (CONFIG, TO_THE_END)]
        if bench.options.quick:
            counts = [10, 10]
        ours, theirs = (searcher(config, int(n)) for config, n in zip((CONFIG, TO_THE_END), counts, strict=True))
        share = match(ours, theirs, bench.many(bench.options.matches, 2))
        matches.append((f"{text} ms", *(f"{int(n):,}" for n in counts), share.games, with_interval(share)))
    tables = [
        Figures(
            "Error",
            ("cards left", "positions", "error", "1 game", "10 games", "100 games"),
            rows,
            "Root mean square over both seats, against games from each position; beside it what so many games would give.",
        ),
        Figures(
            "The search with the evaluator against the search without",
            ("a decision", "iterations with", "iterations without", "games", "won"),
            matches,
            "Two players, both seats in turn. With the evaluator a turn is played to its end; without, the game is.",
        ),
    ]
    note = f"An iteration takes {1e6 * each[CONFIG]:.1f} us with the evaluator and {1e6 * each[TO_THE_END]:.1f} us without."
    bench.publish("The evaluator of Coup", tables, note)


if __name__ == "__main__":
    main()
