"""The evaluator of Catan: ``python benchmarks/evaluator.py``.

How good each network that comes with Kibitz is (against games played on from positions that it has not seen, the noise of those
games taken out, beside what 1, 10 and 100 games from each position would give), by phase of the game, and once more in games of
the player that it learned from last; whether it is calibrated, by what it says, by phase and by seat; how long an evaluation
takes; and what the player that asks it wins alone against others.
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
from kibitz.catan.core.policy import HASTY
from kibitz.catan.setup import setup
from kibitz.game import States
from kibitz.game.doors import turns_of
from kibitz.ground.texts import counted
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


def held_out(variant: str, positions: int, policy: int = BUILDER) -> tuple[States, list[int]]:
    """Positions of games of a policy, which no network has learned from, and who plays on."""
    seats, rules = rules_of(variant)
    boards, table = setup(seed=SEED, rules=rules), [policy] * seats
    return one_a_game(GAME, lambda first, n: boards.starts(seats, first, n), table, positions, SEED), table


def errors(positions: int, games: int, policy: int = BUILDER) -> Iterator[tuple[str, States, Floats, Floats]]:
    """Each network: positions, what it says of them, and how often they are won when they are played on so many times."""
    for variant in VARIANTS:
        if GAME.nets.has(variant):
            states, table = held_out(variant, positions, policy)
            yield variant, states, evaluated(GAME, states), win_rates(GAME, states, games, table, SEED)


def row(variant: str, values: Floats, rates: Floats, games: int) -> tuple[object, ...]:
    """The error of a network, and what so many games from each position would give."""
    return variant, len(values), error_of(values, rates, games), *(error_of_games(rates, games, n) for n in BESIDE)


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
    parser.add_argument("--own-positions", type=int, default=300, help="of games of the player that networks learned from")
    parser.add_argument("--own-games", type=int, default=200, help="from each of those")
    parser.add_argument("--matches", type=int, default=400, help="games of each match")


def main() -> None:
    bench = Bench(__doc__, "evaluator.md", options)
    games = bench.many(bench.options.games, 4)
    rows, by_phase, said, parts = [], [], [], []
    states = None
    for variant, states, values, rates in errors(bench.many(bench.options.positions, 20), games):
        rows.append(row(variant, values, rates, games))
        phases = phase_of(states)
        turns = turns_of(states)
        for phase in sorted(set(phases.tolist()), key=lambda phase: float(turns[phases == phase].mean())):
            here = phases == phase
            by_phase.append((variant, phase, *row(variant, values[here], rates[here], games)[1:]))
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
    own_games = bench.many(bench.options.own_games, 4)
    own = [
        row(variant, values, rates, own_games)
        for variant, _, values, rates in errors(bench.many(bench.options.own_positions, 4), own_games, HASTY)
    ]
    shares = {pair: alone(*pair, bench.many(bench.options.matches, 4)) for pair in MATCHES}
    columns = ("network", "positions", "error", *(counted(n, "game") for n in BESIDE))
    tables = [
        Figures(
            "Error",
            columns,
            rows,
            "Root mean square over all seats, against games of `builder` from each position; then that of so many games.",
        ),
        Figures(
            "Error in games of the player that it learned from last",
            columns,
            own,
            f"The same, against {own_games} games of `hasty` from each position.",
        ),
        Figures("Error by phase", ("network", "phase", *columns[1:]), by_phase),
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
