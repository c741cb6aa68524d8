"""The evaluator of Catan: ``python benchmarks/evaluator.py``.

How good each network that comes with Kibitz is (against games played on from positions that it has not seen, the noise of those
games taken out, beside what 1, 10 and 100 games from each position would give), by phase of the game; whether it is calibrated,
by what it says, by phase and by seat; how long an evaluation takes; and what the player that asks it wins alone against others.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import numpy as np
from tables import Bench, Figures, timed

from kibitz.catan import Rules
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.evaluator import VARIANTS, phase_of
from kibitz.catan.core.habits import BUILDER
from kibitz.catan.setup import setup
from kibitz.game import States
from kibitz.game.doors import turns_of
from kibitz.learn.measure import Floats, calibration, error_of, error_of_games, evaluated, value_all, win_rates
from kibitz.learn.positions import one_a_game
from kibitz.play.series import play
from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

SEED = 4242
#: So many games from each position are what an evaluation is compared with.
BESIDE = (1, 10, 100)
#: One seat of the first against the second on all others, and what is aimed at.
MATCHES = {
    ("net", "builder-0.1"): "at least 65 %",
    ("net", "builder"): "",
    ("builder", "builder-0.1"): "",
    ("net", "seed"): "",
}


def rules_of(variant: str) -> tuple[int, Rules]:
    """How many players a network is for, and by which rules."""
    return int(variant[0]), Rules(domestic_trade=variant.endswith("offers"))


def held_out(variant: str, positions: int) -> tuple[States, list[int]]:
    """Positions of games of builders that no network has learned from, and who plays on."""
    seats, rules = rules_of(variant)
    boards, table = setup(seed=SEED, rules=rules), [BUILDER] * seats
    return one_a_game(GAME, lambda first, n: boards.starts(seats, first, n), table, positions, SEED), table


def errors(bench: Bench) -> Iterator[tuple[str, States, Floats, Floats]]:
    """Each network: positions, what it says of them, and how often they are won."""
    games = bench.many(bench.options.games, 4)
    for variant in VARIANTS:
        if GAME.nets.has(variant):
            states, table = held_out(variant, bench.many(bench.options.positions, 20))
            yield variant, states, evaluated(GAME, states), win_rates(GAME, states, games, table, SEED)


def held(values: Floats, rates: Floats) -> tuple[int, int, float, float]:
    """How many tenths of the scale some seats are spread over, in how many what is said is seen, and both means."""
    bins = calibration(values, rates)
    return len(bins), sum(one.holds for one in bins), float(values.mean()), float(rates.mean())


def alone(bot: str, others: str, games: int, seats: int = 4) -> Share:
    """How often one seat of a bot wins, on all seats in turn, on the same boards with the same dice."""
    won, rounds = 0, -(-games // seats)
    for seat in range(seats):
        table = [others] * seats
        table[seat] = bot
        won += int(np.count_nonzero(play("catan", table, SEED, rounds).winners == seat))
    return Share(won, rounds * seats)


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--positions", type=int, default=2000, help="that are played on")
    parser.add_argument("--games", type=int, default=400, help="from each of them")
    parser.add_argument("--matches", type=int, default=400, help="games of each match")


def main() -> None:
    bench = Bench(__doc__, "evaluator.md", options)
    games = bench.many(bench.options.games, 4)
    rows, by_phase, said, parts = [], [], [], []
    states = None
    for variant, states, values, rates in errors(bench):
        beside = [error_of_games(rates, games, n) for n in BESIDE]
        rows.append((variant, len(states), error_of(values, rates, games), *beside))
        phases = phase_of(states)
        turns = turns_of(states)
        for phase in sorted(set(phases.tolist()), key=lambda phase: float(turns[phases == phase].mean())):
            here = phases == phase
            error = error_of(values[here], rates[here], games)
            by_phase.append((variant, phase, int(here.sum()), error, *(error_of_games(rates[here], games, n) for n in BESIDE)))
            parts.append((variant, phase, *held(values[here], rates[here])))
        seats = range(values.shape[1])
        parts += [(variant, f"seat {seat + 1}", *held(values[:, [seat]], rates[:, [seat]])) for seat in seats]
        said += [
            (variant, one.positions, one.said, one.seen, 1.96 * one.error, "yes" if one.holds else "no")
            for one in calibration(values, rates)
        ]
    assert states is not None
    xs, found = GAME.scratches(), np.zeros((len(states), 4), np.int32)
    value_all(states, xs, found)
    seconds = min(timed(lambda: value_all(states, xs, found), time.process_time) for _ in range(bench.many(200, 2))) / len(
        states
    )
    shares = {pair: alone(*pair, bench.many(bench.options.matches, 4)) for pair in MATCHES}
    tables = [
        Figures(
            "Error",
            ("network", "positions", "error", "1 game", "10 games", "100 games"),
            rows,
            "Root mean square over all seats, against games from each position; beside it what so many games would give.",
        ),
        Figures("Error by phase", ("network", "phase", "positions", "error", "1 game", "10 games", "100 games"), by_phase),
        Figures("Calibration", ("network", "seats", "said", "seen", "95 % +-", "within"), said),
        Figures(
            "Calibration by phase and by seat",
            ("network", "of", "tenths of the scale", "within 95 %", "said", "seen"),
            parts,
            "In how many tenths of the scale what is said agrees with what is seen; about one in twenty does not by chance.",
        ),
        Figures(
            "Strength",
            ("alone", "against three", "games", "won", "aim"),
            [(bot, others, share.games, with_interval(share), MATCHES[bot, others]) for (bot, others), share in shares.items()],
        ),
    ]
    note = f"One evaluation of a game for {values.shape[1]}: {1e6 * seconds:.2f} us of one core, the best of many."
    bench.publish("The evaluator of Catan", tables, note)


if __name__ == "__main__":
    main()
