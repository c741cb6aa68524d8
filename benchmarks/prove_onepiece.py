"""Which bot of One Piece beats which: the proof that each is stronger than the next.

    python benchmarks/prove_onepiece.py               200 games a row; --jobs as many processes as there are cores
    python benchmarks/prove_onepiece.py --quick       8 games a row

Each bot plays both starter decks equally often, and begins equally often. The stronger one must win more than half by more
than the 95 % interval. The games are spread over processes; any number of them plays the same games. The result is the table
in `benchmarks/results/prove_onepiece.md`; a row that fails makes the exit code 1.
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

TARGET = RESULTS / "prove_onepiece.md"
SEED = 2026
ROWS = (("greedy", "random"), ("ismcts", "greedy"))


@dataclass(frozen=True)
class Piece:
    """One game of a bot on one seat against another."""

    bot: str
    other: str
    seat: int
    number: int


def won(piece: Piece) -> tuple[Piece, bool]:
    """Whether the one bot wins; what a worker process does."""
    bots = (piece.bot, piece.other) if piece.seat == 0 else (piece.other, piece.bot)
    seed = derive_seed(SEED, piece.bot, piece.other)
    results = play("onepiece", bots, seed, 1, first=piece.number)
    return piece, results.states[0].winner == piece.seat


def play_all(games: int, jobs: int, console: Console) -> dict[tuple[str, str], Share]:
    """Play all rows, the long games first. Half of the games from each seat: with each deck."""
    pieces = [Piece(*row, i % 2, i // 2) for row in ROWS[::-1] for i in range(games)]
    wins = dict.fromkeys(ROWS, 0)
    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar, multiprocessing.get_context("spawn").Pool(jobs) as pool:
        task = bar.add_task("playing", total=len(pieces))
        for piece, victory in pool.imap_unordered(won, pieces):
            wins[piece.bot, piece.other] += victory
            bar.advance(task)
    return {row: Share(wins[row], games) for row in ROWS}


def report(shares: dict[tuple[str, str], Share], minutes: float, jobs: int) -> str:
    """The table, as Markdown."""
    rows = []
    for (bot, other), share in shares.items():
        verdict = "more than half" if share.interval[0] > 0.5 else "**not proved**"
        rows.append((bot, other, f"{share.games:,}", with_interval(share), verdict))
    parts = [
        "# Which bot of One Piece beats which\n",
        "Both starter decks and both orders of play equally often; 95 % intervals. `ismcts` thinks as long as it does by",
        "default.\n",
        as_markdown(("bot", "against", "games", "won", ""), rows),
        f"Played in {minutes:.1f} minutes by {jobs} processes on: {machine()}.\n",
    ]
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="8 games a row, and do not keep the table")
    parser.add_argument("--games", type=int, default=200, help="how many games a row is made of (a multiple of 4)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes play")
    options = parser.parse_args()
    console = Console(stderr=True)
    began = time.monotonic()
    shares = play_all(8 if options.quick else options.games, options.jobs, console)
    text = report(shares, (time.monotonic() - began) / 60, options.jobs)
    print(text)
    if not options.quick:
        TARGET.write_text(text, encoding="utf-8")
        console.print(f"written: {TARGET}")
    if not all(share.interval[0] > 0.5 for share in shares.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
