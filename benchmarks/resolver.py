"""How good the bot `resolver` of Coup is, and what beats it.

    python benchmarks/resolver.py               an hour on two cores
    python benchmarks/resolver.py --games 2000  longer matches

The first table pits it against every other bot, two at a table, from either seat.

The second is a bound from below on what an opponent can win: an exploiter (`kibitz.coup.resolving.exploiter`), who knows how
the resolver plays every turn with every hand, and gives the best answers to it, by networks that learn in rounds what these are
worth later on. Beside it stands the same exploiter against a resolver with a planted fault, whose network takes everything that
comes after a turn to be even: what it wins there shows that it finds a weakness where there is one. They play without a turn
limit, where the bot plays its last turns as `equilibrium`, and both return cards as that does. It learns for minutes only;
`benchmarks/exploiter.py` lets it learn for longer. This table needs PyTorch (``pip
install 'kibitz[train]'``), and is left out without it.

The third table says, for turns in games of the resolver with itself, how long one core takes to solve one, and what a player
would then gain on average by the best answers within it (a win counts 1, a loss -1).

Intervals are 95 %: Wilson's for matches; for the exploiter, whose games have the luck taken out, two standard errors.
"""

from __future__ import annotations

import argparse
import random
import time
from importlib.util import find_spec
from math import fsum, hypot
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from tables import Bench, Figures, add_jobs, timed

from kibitz.coup.bots import bot_named
from kibitz.coup.core.state import new_states
from kibitz.coup.resolving.network import Network, shipped
from kibitz.coup.resolving.table import WALKS, Start, Table, public_start
from kibitz.coup.setup import setup
from kibitz.ground.rng import derive_seed
from kibitz.play.series import Plan, play_plan
from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

if TYPE_CHECKING:
    from collections.abc import Iterator

OTHERS = ("random", "honest", "heuristic", "equilibrium", "ismcts:500", "solver:500")
SEED = 23
#: Games of a match that are played by one process at a time.
PART = 25
#: Games of the exploiter that are played side by side, and how often; the rounds in which it learns.
AT_ONCE, PLAYS, ROUNDS = 512, 2, 20


class Part(NamedTuple):
    """Some games of a match."""

    other: str
    seat: int
    first: int
    games: int


def play_part(part: Part) -> tuple[str, int, int]:
    """Against whom, how many games the resolver won, and how many there were."""
    pair = bot_named("resolver"), bot_named(part.other)
    seed = derive_seed(SEED, part.other, part.seat)
    plan = Plan(setup(), pair if part.seat == 0 else pair[::-1], seed, part.games, part.first)
    return part.other, int((play_plan(plan, jobs=1).winners == part.seat).sum()), part.games


def match_rows(bench: Bench) -> Iterator[list[object]]:
    """What it wins against each of the others."""
    half = bench.many(bench.options.games // 2)
    parts = [
        Part(other, seat, first, min(PART, half - first))
        for other in OTHERS
        for seat in range(2)
        for first in range(0, half, PART)
    ]
    found = list(bench.spread(play_part, parts, bench.options.jobs, "games"))
    for other in OTHERS:
        won, played = (sum(part[i] for part in found if part[0] == other) for i in (1, 2))
        yield [other, played, with_interval(Share(won, played))]


def even(network: Network) -> Network:
    """The planted fault: a network that takes everything that comes after a turn to be even."""
    return network._replace(heads=np.zeros_like(network.heads), heads_bias=np.zeros_like(network.heads_bias))


def exploiter_rows(bench: Bench) -> Iterator[list[object]]:
    """What an exploiter wins, before it has learned and after."""
    from kibitz.coup.resolving.exploiter import Exploiter

    cases = [("as it is", shipped(), AT_ONCE, PLAYS), ("a planted fault", even(shipped()), AT_ONCE // 2, 1)]
    for name, network, at_once, plays in cases:
        side_by_side, most = bench.many(at_once, 4), bench.many(ROUNDS)
        exploiter = Exploiter(network, side_by_side, jobs=bench.options.jobs, seed=SEED)
        for number in range(most + 1):
            if number:
                exploiter.learn()
            if number in (0, most):
                shares = [exploiter.play() for _ in range(bench.many(plays))]
                share, error = fmean(one.share for one in shares), hypot(*(one.error for one in shares)) / len(shares)
                interval = f"{100 * share:.1f} % ({100 * (share - 2 * error):.1f}-{100 * (share + 2 * error):.1f})"
                yield [name, number, side_by_side * len(shares), interval]


def turns_of_games(games: int) -> list[Start]:
    """How the turns of some games of the resolver with itself begin, as both see it."""
    table, chance, found = Table(shipped()), random.Random(SEED), []
    for _ in range(games):
        start: Start | None = public_start(new_states(2))
        while start is not None:
            found.append(start)
            table.solve(start)
            ends = table.ends()
            over = max(0.0, 1 - fsum(ends.values()))
            path = chance.choices([*ends, None], [*ends.values(), over])[0]
            start = None if path is None else table.after(path)
    return found


def turn_rows(bench: Bench) -> Iterator[list[object]]:
    """How well turns are solved, the more often they are walked."""
    table, turns = Table(shipped()), turns_of_games(bench.many(30))
    for walks in (32, 64, 128, WALKS, 2 * WALKS)[: bench.many(5, 2)]:
        gains, spent = [], 0.0
        for start in turns:
            spent += timed(lambda start=start, walks=walks: table.solve(start, walks), time.process_time)
            gains.append(table.gains())
        mover, other = (fmean(part) for part in zip(*gains, strict=True))
        yield [walks, len(turns), f"{mover:.4f}", f"{other:.4f}", f"{1000 * spent / len(turns):.0f} ms"]


def main() -> None:
    """Measure all of it."""

    def options(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=400, help="of each match")
        add_jobs(parser)

    bench = Bench(__doc__, "resolver.md", options)
    learns = find_spec("torch") is not None
    tables = [
        Figures("Against the others", ["against", "games", "resolver wins"], list(match_rows(bench))),
        *(
            [Figures("An exploiter", ["resolver", "rounds", "games", "exploiter wins"], list(exploiter_rows(bench)))]
            if learns
            else []
        ),
        Figures(
            "How well a turn is solved",
            ["walks", "turns", "who moves gains", "the other gains", "a turn"],
            list(turn_rows(bench)),
        ),
    ]
    note = "" if learns else "No exploiter: that needs PyTorch (pip install 'kibitz[train]')."
    bench.publish("The resolver of Coup", tables, note)


if __name__ == "__main__":
    main()
