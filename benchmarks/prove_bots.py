"""Which bot beats which: the proof that each is stronger than the next, in all three games.

    python benchmarks/prove_bots.py coup --write        1,000 games a row
    python benchmarks/prove_bots.py onepiece            200 games a row
    python benchmarks/prove_bots.py catan               400 games, one second a move: hours
    python benchmarks/prove_bots.py catan --outcomes games.txt        the same, and goes on from there after a kill

One seat of the stronger bot against the weaker one on all others, the seats in turn, each with the same dice. The stronger one
must win more than its share (in Catan: more than 40 %, where equals win 25 %) by more than the 95 % interval; a row that
fails makes the exit code 1. The games are spread over processes, each on one core; searches that think by the clock cannot be
repeated, all others play the same games in any number of processes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tables import Bench, Figures, add_jobs

from kibitz.ground.rng import derive_seed
from kibitz.play.series import play
from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

SEED = 2026


@dataclass(frozen=True)
class Row:
    """A claim: one seat of `bot` against `others` wins more than `goal`."""

    game: str
    bot: str
    others: str
    players: int
    goal: float


@dataclass(frozen=True)
class Piece:
    """One game of a row, with the bot on one seat."""

    row: Row
    number: int

    @property
    def seat(self) -> int:
        return self.number % self.row.players

    @property
    def table(self) -> list[str]:
        table = [self.row.others] * self.row.players
        table[self.seat] = self.row.bot
        return table

    def __str__(self) -> str:
        return f"{self.row.bot}:{self.row.others}:{self.row.players}:{self.number}"


#: By game: how many games make a row.
GAMES = {"coup": 1000, "onepiece": 200, "catan": 400}
#: By number of players: the iterations of a search of Coup for each decision.
ITERATIONS = {2: 2000, 4: 1000, 6: 500}


def rows(game: str, effort: str | None) -> Iterator[Row]:
    """Each bot against the next weaker one, at every number of players; `effort` is another limit for searches."""
    match game:
        case "catan":
            yield Row(game, f"ismcts:{effort or '1s'}", "builder", 4, 0.40)
        case "onepiece":
            yield Row(game, "greedy", "random", 2, 0.5)
            yield Row(game, f"ismcts:{effort}" if effort else "ismcts", "greedy", 2, 0.5)
        case "coup":
            for bot, others in (("honest", "random"), ("heuristic", "honest")):
                yield from (Row(game, bot, others, n, 1 / n) for n in ITERATIONS)
            yield from (Row(game, f"ismcts:{effort or usual}", "heuristic", n, 1 / n) for n, usual in ITERATIONS.items())
            # the solver is another bot only where two are left
            yield Row(game, f"solver:{effort or ITERATIONS[2]}", "heuristic", 2, 1 / 2)


def is_won(piece: Piece) -> tuple[Piece, bool]:
    """Play a game: whether the one bot wins. What a worker process does."""
    row = piece.row
    seed = derive_seed(SEED, row.bot, row.others, row.players)
    results = play(row.game, piece.table, seed, jobs=1, first=piece.number // row.players)
    return piece, int(results.winners[0]) == piece.seat


def play_all(bench: Bench, claims: list[Row], games: int, outcomes: Path | None) -> dict[Row, Share]:
    """How often the bots win. Games whose outcomes are in the file are not played again."""
    pieces = [Piece(row, n) for row in claims[::-1] for n in range(-(-games // row.players) * row.players)]
    known = dict(line.rsplit(" ", 1) for line in outcomes.read_text().splitlines()) if outcomes and outcomes.exists() else {}
    won = {piece: known[str(piece)] == "won" for piece in pieces if str(piece) in known}
    rest = [piece for piece in pieces if piece not in won]
    if rest and not bench.quick:
        is_won(rest[0])  # compiles everything once, before the processes start
    for piece, wins in bench.spread(is_won, rest, bench.options.jobs, "playing"):
        won[piece] = wins
        if outcomes:
            with outcomes.open("a") as file:
                file.write(f"{piece} {'won' if wins else 'lost'}\n")
    played = {row: [wins for piece, wins in won.items() if piece.row == row] for row in claims}
    return {row: Share(sum(found), len(found)) for row, found in played.items()}


def table(shares: dict[Row, Share]) -> list[tuple[str, ...]]:
    """A line for each row."""
    lines: list[tuple[str, ...]] = []
    for row, share in shares.items():
        verdict = "more" if is_proved(row, share) else "**not proved**"
        against, goal = f"{row.players - 1} x {row.others}", f"{100 * row.goal:.1f} %"
        lines.append((row.bot, against, f"{share.games:,}", with_interval(share), goal, verdict))
    return lines


def is_proved(row: Row, share: Share) -> bool:
    """Whether the bot wins more than the goal by more than the interval."""
    return share.interval[0] > row.goal


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", choices=list(GAMES), default="coup")
    parser.add_argument("--games", type=int, help="how many games a row is made of, at least")
    parser.add_argument("--effort", help="how long a search thinks about each decision, such as 300 or 0.5s")
    parser.add_argument("--outcomes", type=Path, metavar="FILE", help="write every outcome to this file, and go on from it")
    add_jobs(parser)


def main() -> None:
    bench = Bench(__doc__, "prove_bots.md", options)
    asked = bench.options
    bench.target = f"prove_bots_{asked.game}.md"
    began = time.monotonic()
    claims = [*rows(asked.game, asked.effort)]
    if bench.quick:  # all games; of Coup with two players only
        claims = [row for game in GAMES for row in rows(game, "1") if row.players == 2 or game == "catan"]
    shares = play_all(bench, claims, bench.many(asked.games or GAMES[asked.game], 2), asked.outcomes)
    headings = ("one seat of", "against", "games", "won", "must be more than", "")
    note = f"95 % intervals. Played in {(time.monotonic() - began) / 60:.1f} minutes by {asked.jobs} processes."
    failures = [f"{row}: {share}" for row, share in shares.items() if not is_proved(row, share) and not bench.quick]
    bench.publish(f"Which bot beats which: {asked.game}", [Figures("Rows", headings, table(shares))], note, failures)


if __name__ == "__main__":
    main()
