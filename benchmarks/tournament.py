"""The order of the bots of Catan: ``python benchmarks/tournament.py``.

The round-robin of `kibitz catan tournament`, and `builder` against `seed` at mixed tables in every arrangement.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import permutations

from tables import Bench, Figures

from kibitz.catan import Board
from kibitz.ground.rng import derive_seed
from kibitz.play.series import play
from kibitz.play.share import Share
from kibitz.play.tournament import Ends, as_rows, ends_of, tournament, with_interval

SEED = 2025
MIXED = {
    ("builder", "builder", "seed", "seed"): "at least 60 % for builder",
    ("builder", "seed", "seed", "seed"): "over 30 %",
    ("seed", "random", "random", "random"): "",
}


def board(number: int) -> Board:
    return Board.random(derive_seed(SEED, "board", number))


def at_table(table: Sequence[str], seed: int, games: int, first: int) -> Ends:
    return ends_of(play("catan", table, seed, games, first=first, board=board))


def arrangements(table: tuple[str, ...], games: int) -> Share:
    """How often the first bot of `table` wins, over all arrangements on the seats, each with the same boards and dice."""
    orders = sorted(set(permutations(table)))
    rounds = -(-games // len(orders))
    won = 0
    for order in orders:
        winners = play("catan", order, SEED, rounds, board=board).winners
        won += sum(int((winners == seat).sum()) for seat, bot in enumerate(order) if bot == table[0])
    return Share(won, rounds * len(orders))


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=7_800, help="of the round-robin, and at each mixed table")


def main() -> None:
    bench = Bench(__doc__, "tournament.md", options)
    games = bench.many(bench.options.games)
    standings = tournament(["builder", "seed", "random"], at_table, SEED, -(-games // 78), seats=4)
    ranks = ("bot", "rating", "won", "of seats taken", *(f"above {bot}" for bot in standings.order()))
    mixed = [
        (", ".join(table), f"{share.games:,}", f"{table[0]} {with_interval(share)}", target)
        for table, target in MIXED.items()
        for share in [arrangements(table, games)]
    ]
    title = f"{standings.games:,} games, {standings.tables} tables of 4"
    tables = [
        Figures(title, ranks, list(as_rows(standings))),
        Figures("Mixed tables", ("table, in every arrangement", "games", "games won", "target"), mixed),
    ]
    note = "Ranges are 95 % intervals; *above*: finished above, of the times when one of the two did."
    bench.publish("Catan: the bots", tables, note)


if __name__ == "__main__":
    main()
