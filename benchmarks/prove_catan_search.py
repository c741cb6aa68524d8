"""How strong the search is in Catan: one seat of ``ismcts`` against three builders.

    python benchmarks/prove_catan_search.py                             400 games, one second a move
    python benchmarks/prove_catan_search.py --outcomes games.txt        the same, and goes on from there after a kill
    python benchmarks/prove_catan_search.py --games 40 --iterations 300 --config '{"caution": 2, "others": null}'

The seats are taken in turn, on the same boards with the same dice. Each game is played on one core; the games are spread over
processes. By the clock (``--time``) games cannot be repeated, by iterations any number of processes plays the same ones. The
search must win more than 40 % by more than the 95 % interval (equals would win 25 %). The result is the table in
`benchmarks/results/prove_catan_search.md`; a failure makes the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from tables import RESULTS, as_markdown, machine

from kibitz.catan import GAME, Board
from kibitz.catan.bots import CONFIG, bot_named, search_bot
from kibitz.catan.core.state import new_states
from kibitz.ground.rng import derive_seed
from kibitz.play.bots import effort
from kibitz.play.match import play_game
from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

TARGET = RESULTS / "prove_catan_search.md"
SEED = 2026
SEATS = 4
OTHERS = "builder"
#: What the search must win, of games in which equals win a quarter.
GOAL = 0.40


def is_won(bot: str, changes: dict[str, Any], number: int) -> tuple[int, bool]:
    """Play a game, with the bot on the seat ``number % SEATS``; whether it won. What a worker process does."""
    round_, seat = divmod(number, SEATS)
    table = [bot_named(OTHERS)] * SEATS
    table[seat] = search_bot(bot, effort(bot.partition(":")[2]), replace(CONFIG, **changes))
    start = new_states(Board.random(derive_seed(SEED, "board", round_)), SEATS)
    played = play_game(GAME, start, table, derive_seed(SEED, "game", round_))
    return number, int(played.end["winner"][0]) == seat


def play_all(bot: str, changes: dict[str, Any], games: int, jobs: int, outcomes: Path | None, console: Console) -> list[Share]:
    """How often the bot wins on each seat. Games whose outcomes are in the file are not played again."""
    won, sat = [0] * SEATS, [0] * SEATS
    known = outcomes.read_text().split() if outcomes and outcomes.exists() else []
    done = {int(line.partition(":")[0]): line.endswith(":won") for line in known}
    done = {number: wins for number, wins in done.items() if number < games}
    for number, wins in done.items():
        won[number % SEATS] += wins
        sat[number % SEATS] += 1
    rest = [number for number in range(games) if number not in done]
    so_far = TextColumn("{task.fields[so_far]}")
    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), so_far, TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar, multiprocessing.get_context("spawn").Pool(jobs) as pool:
        task = bar.add_task("playing", total=len(rest), so_far="")
        for number, wins in pool.imap_unordered(partial(is_won, bot, changes), rest):
            won[number % SEATS] += wins
            sat[number % SEATS] += 1
            if outcomes:
                with outcomes.open("a") as file:
                    file.write(f"{number}:{'won' if wins else 'lost'}\n")
            bar.update(task, advance=1, so_far=with_interval(Share(sum(won), sum(sat))))
    return [Share(*pair) for pair in zip(won, sat, strict=True)]


def in_all(shares: Sequence[Share]) -> Share:
    """All seats together."""
    return Share(sum(share.won for share in shares), sum(share.games for share in shares))


def is_proved(shares: Sequence[Share]) -> bool:
    """Whether the search wins more than the goal by more than the interval."""
    return in_all(shares).interval[0] > GOAL


def report(bot: str, shares: Sequence[Share], minutes: float, jobs: int) -> str:
    """The table, as Markdown."""
    rows = [(f"seat {seat}", f"{one.games:,}", f"{one.won:,}", with_interval(one)) for seat, one in enumerate(shares, start=1)]
    share = in_all(shares)
    rows.append(("**all**", f"{share.games:,}", f"{share.won:,}", f"**{with_interval(share)}**"))
    verdict = f"more than {100 * GOAL:.0f} %" if is_proved(shares) else f"not proved to be more than {100 * GOAL:.0f} %"
    parts = [
        "# How strong the search is in Catan\n",
        f"One seat of `{bot}` against three of `{OTHERS}`, on the same boards with the same dice from each seat; 95 %",
        f"intervals. Equals would win 25 %. The search wins {verdict}.\n",
        as_markdown(("on", "games", "won", "share"), rows),
        f"Played in {minutes:.1f} minutes by {jobs} processes, each game on one core, on: {machine()}.\n",
    ]
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="how many games (rounded up to as many from each seat)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--time", type=float, default=1.0, metavar="SECONDS", help="how long a move takes (1.0)")
    limit.add_argument("--iterations", type=int, help="how many games a move is searched with, instead of a time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes play")
    parser.add_argument(
        "--config", type=json.loads, default={}, metavar="JSON", help="other settings of the search, to compare"
    )
    parser.add_argument("--outcomes", type=Path, metavar="FILE", help="write every outcome to this file, and go on from it")
    parser.add_argument("--keep", action="store_true", help="keep the table in benchmarks/results")
    options = parser.parse_args()
    bot = f"ismcts:{options.iterations}" if options.iterations else f"ismcts:{options.time:g}s"
    console = Console(stderr=True)
    is_won("ismcts:1", options.config, 0)  # compiles everything once, before the processes start
    began = time.monotonic()
    shares = play_all(bot, options.config, -(-options.games // SEATS) * SEATS, options.jobs, options.outcomes, console)
    name = f"{bot} {json.dumps(options.config)}" if options.config else bot
    text = report(name, shares, (time.monotonic() - began) / 60, options.jobs)
    print(text)
    if options.keep:
        TARGET.write_text(text, encoding="utf-8")
        console.print(f"written: {TARGET}")
    if not is_proved(shares):
        sys.exit(1)


if __name__ == "__main__":
    main()
