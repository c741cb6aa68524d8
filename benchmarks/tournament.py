"""The order of the bots, and how fast they play: ``python benchmarks/tournament.py [--write]``.

The round-robin of `kibitz catan tournament`, `builder` against `seed` at mixed tables in every arrangement, and whole
four-player games a second on one core (CPU time, so that other work on the machine counts little), trade offers on.
``--write`` keeps the tables in ``benchmarks/results/tournament.md``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import permutations
from statistics import median

from tables import RESULTS, as_markdown, machine, show

from kibitz.catan import GAME, Board, Rules
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.state import new_states
from kibitz.compute.local import play_games
from kibitz.ground.rng import derive_seed
from kibitz.play.series import play
from kibitz.play.share import Share
from kibitz.play.tournament import Ends, as_rows, ends_of, tournament, with_interval

TARGET = RESULTS / "tournament.md"
SEED = 2025
MIXED = {
    ("builder", "builder", "seed", "seed"): "at least 60 % for builder",
    ("builder", "seed", "seed", "seed"): "over 30 %",
    ("seed", "random", "random", "random"): "",
}


def board(number: int) -> Board:
    return Board.random(derive_seed(SEED, "board", number))


def at_table(table: Sequence[str], seed: int, games: int) -> Ends:
    return ends_of(play("catan", table, seed, games, board=board))


def arrangements(table: tuple[str, ...], games: int) -> Share:
    """How often the first bot of `table` wins, over all arrangements on the seats, each with the same boards and dice."""
    orders = sorted(set(permutations(table)))
    rounds = -(-games // len(orders))
    won = 0
    for order in orders:
        winners = play("catan", order, SEED, rounds, board=board).winners
        won += sum(int((winners == seat).sum()) for seat, bot in enumerate(order) if bot == table[0])
    return Share(won, rounds * len(orders))


def speed(bot: str, games: int = 1000, repeats: int = 5) -> float:
    """Games a second of CPU time on one core, the median of several measurements."""
    starts = new_states([board(i) for i in range(64)], 4, Rules())
    policies = [BOTS[bot]] * 4
    play_games(GAME, starts, 2, 0, policies, jobs=1)
    speeds = []
    for _ in range(repeats):
        began = time.process_time()
        play_games(GAME, starts, games, 1, policies, jobs=1)
        speeds.append(games / (time.process_time() - began))
    return median(speeds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep the tables in {TARGET.name}")
    parser.add_argument("--games", type=int, default=7_800, help="of the round-robin, and at each mixed table")
    options = parser.parse_args()

    standings = tournament(["builder", "seed", "random"], at_table, SEED, -(-options.games // 78), seats=4)
    order = standings.order()
    ranks = (("bot", "rating", "won", "of seats taken", *(f"above {bot}" for bot in order)), list(as_rows(standings)))
    mixed = [
        (", ".join(table), f"{share.games:,}", f"{table[0]} {with_interval(share)}", target)
        for table, target in MIXED.items()
        for share in [arrangements(table, options.games)]
    ]
    tables = (("table, in every arrangement", "games", "games won", "target"), mixed)
    rates = [(f"four {bot}s", f"{speed(bot):,.0f} games/s", "at least 1,500") for bot in ("builder", "seed")]
    speeds = (("table, one core, trade offers on", "measured", "target"), rates)

    title = f"{standings.games:,} games, {standings.tables} tables of 4"
    for name, (headings, rows) in ((title, ranks), ("mixed tables", tables), ("speed", speeds)):
        show(name, headings, rows)
    if options.write:
        parts = [
            "# Catan: the bots\n",
            f"{title}; ranges are 95 % intervals; *above*: finished above, of the times when one of the two did.\n",
            as_markdown(*ranks),
            as_markdown(*tables),
            as_markdown(*speeds),
            f"Measured on: {machine()}.\n",
        ]
        TARGET.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
