"""Which bot of Coup beats which: the proof that each is stronger than the next.

    python benchmarks/prove_coup.py                   1,000 games a row; --jobs as many processes as there are cores
    python benchmarks/prove_coup.py --quick           60 games a row

One seat of the stronger bot against the weaker one on all others, the seats in turn, with 2, 4 and 6 players. The stronger
one must win more than its share by more than the 95 % interval. The games are spread over processes; any number of them
plays the same games. The result is the table in `benchmarks/results/prove_coup.md`; a row that fails makes the exit code 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from tables import RESULTS, as_markdown, machine

from kibitz.ground.rng import derive_seed
from kibitz.play.series import play
from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

TARGET = RESULTS / "prove_coup.md"
SEED = 2026
#: By number of players: the iterations of a search for each decision.
ITERATIONS = {2: 2000, 4: 1000, 6: 500}
#: Games that a process plays before it reports.
PIECE = 4

Row = tuple[str, str, int]
"""The one bot, the others, and how many play."""


@dataclass(frozen=True)
class Piece:
    """Some games of one bot on one seat against others of another kind."""

    bot: str
    others: str
    players: int
    seat: int
    first: int
    games: int


def all_rows(iterations: int | None = None) -> list[Row]:
    """Each bot against the next weaker one; the solver, which is another bot only where two are left, at its own table."""
    policies: list[Row] = [(*pair, n) for pair in (("honest", "random"), ("heuristic", "honest")) for n in ITERATIONS]
    searches: list[Row] = [(f"ismcts:{iterations or usual}", "heuristic", n) for n, usual in ITERATIONS.items()]
    return [*policies, *searches, (f"solver:{iterations or ITERATIONS[2]}", "heuristic", 2)]


def pieces_of(bot: str, others: str, players: int, games: int) -> list[Piece]:
    """All games of a row, so many from each seat that they are at least `games`."""
    rounds = -(-games // players)
    return [
        Piece(bot, others, players, seat, first, min(PIECE, rounds - first))
        for first in range(0, rounds, PIECE)
        for seat in range(players)
    ]


def won(piece: Piece) -> tuple[Piece, int]:
    """How many of these games the one bot wins; what a worker process does."""
    table = [piece.others] * piece.players
    table[piece.seat] = piece.bot
    seed = derive_seed(SEED, piece.bot, piece.others, piece.players)
    results = play("coup", table, seed, piece.games, jobs=1, first=piece.first)
    return piece, int((results.winners == piece.seat).sum())


def play_all(rows: list[Row], games: int, jobs: int, console: Console) -> dict[Row, Share]:
    """Play all rows; the longest games first, so that no process is left alone with them at the end."""
    pieces = [piece for row in rows[::-1] for piece in pieces_of(*row, games)]
    wins, played = dict.fromkeys(rows, 0), dict.fromkeys(rows, 0)
    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar, multiprocessing.get_context("spawn").Pool(jobs) as pool:
        task = bar.add_task("playing", total=sum(piece.games for piece in pieces))
        for piece, count in pool.imap_unordered(won, pieces):
            row = piece.bot, piece.others, piece.players
            wins[row] += count
            played[row] += piece.games
            bar.advance(task, piece.games)
    return {row: Share(wins[row], played[row]) for row in rows}


def is_proved(row: Row, share: Share) -> bool:
    """Whether the bot wins more than its share by more than the interval."""
    return share.interval[0] > 1 / row[2]


def report(shares: dict[Row, Share], minutes: float, jobs: int) -> str:
    """The table, as Markdown."""
    headings = ("one seat of", "against", "players", "games", "won", "parity", "")
    rows = []
    for row, share in shares.items():
        bot, others, players = row
        verdict = "more" if is_proved(row, share) else "**not proved**"
        parity = f"{100 / players:.1f} %"
        rows.append((bot, f"{players - 1} x {others}", str(players), f"{share.games:,}", with_interval(share), parity, verdict))
    parts = [
        "# Which bot of Coup beats which\n",
        "One seat of the stronger bot against the weaker one on all others, the seats in turn; 95 % intervals. The number",
        "after the name of a search is its iterations for each decision.\n",
        as_markdown(headings, rows),
        f"Played in {minutes:.1f} minutes by {jobs} processes on: {machine()}.\n",
    ]
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="60 games a row, and do not keep the table")
    parser.add_argument("--games", type=int, default=1000, help="how many games a row is made of, at least")
    parser.add_argument(
        "--iterations", type=int, help="how many iterations a decision of a search takes, for any number of players"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes play")
    options = parser.parse_args()
    console = Console(stderr=True)
    rows = all_rows(options.iterations)
    for bot, _, _ in rows:
        won(Piece(bot, "random", 2, 0, 0, 1))  # compiles everything once, before the processes start
    began = time.monotonic()
    shares = play_all(rows, 60 if options.quick else options.games, options.jobs, console)
    text = report(shares, (time.monotonic() - began) / 60, options.jobs)
    print(text)
    if not options.quick:
        TARGET.write_text(text, encoding="utf-8")
        console.print(f"written: {TARGET}")
    if not all(is_proved(row, share) for row, share in shares.items()):
        sys.exit(1)


if __name__ == "__main__":
    main()
