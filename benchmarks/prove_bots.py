"""Which bot beats which: every bot alone against a table of every other, in all three games.

    python benchmarks/prove_bots.py coup --write        with 2, 3, 4 and 6 players
    python benchmarks/prove_bots.py onepiece
    python benchmarks/prove_bots.py catan
    python benchmarks/prove_bots.py catan --full        more games, and searches that think longer: hours
    python benchmarks/prove_bots.py catan --outcomes games.txt        goes on from this file after a kill

Each takes about ten minutes of one core. The bots are ordered by the strength that is claimed for them. One seat of the one
plays against the other on all other seats, the seats in turn and with the same luck on each. All pairs meet, not only
neighbours: a bot that beats the next one may still lose to the one below. A stronger bot that wins *less* than its share
against a weaker one, by more than the 95 % interval, makes the exit code 1; where the interval contains the share of equals,
nothing is shown.

The games are spread over processes, each on one core, and are the same in any number of them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tables import Bench, Figures, add_full, add_jobs, kept_lines

from kibitz.ground.rng import derive_seed
from kibitz.play.series import play
from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

SEED = 2026
#: So many games of compiled policies are played at once.
CHUNK = 250


@dataclass(frozen=True)
class Entrant:
    """A bot, how many games each of its pairings has, and how many in full; `effort` is a search's, by number of players."""

    name: str
    games: int
    full: int
    effort: tuple[str, ...] = ()
    full_effort: tuple[str, ...] = ()

    def bot(self, table: int, full: bool, effort: str | None) -> str:
        """What it is called at the table with that number in the list of the game's tables."""
        if not self.effort:
            return self.name
        return f"{self.name}:{effort or (self.full_effort if full and self.full_effort else self.effort)[table]}"


#: By game: the numbers of players, and the bots, the weakest first.
FIELDS: dict[str, tuple[tuple[int, ...], tuple[Entrant, ...]]] = {
    "coup": ((2, 3, 4, 6), (
        Entrant("random", 1000, 4000),
        Entrant("honest", 1000, 4000),
        Entrant("heuristic", 1000, 4000),
        Entrant("equilibrium", 1000, 4000),
        Entrant("ismcts", 60, 1000, ("500", "330", "250", "125"), ("2000", "1300", "1000", "500")),
        Entrant("solver", 60, 1000, ("500", "330", "250", "125"), ("2000", "1300", "1000", "500")),
    )),
    "onepiece": ((2,), (
        Entrant("random", 200, 1000),
        Entrant("greedy", 200, 1000),
        Entrant("ismcts", 40, 200, ("30",), ("100",)),
    )),
    "catan": ((4,), (
        Entrant("random", 1000, 4000),
        Entrant("easy", 400, 4000),
        Entrant("seed", 1000, 4000),
        Entrant("builder-0.1", 1000, 4000),
        Entrant("builder", 1000, 4000),
        Entrant("net", 200, 2000),
        Entrant("ismcts", 20, 200, ("200",), ("1000",)),
    )),
}  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """A pairing: one seat of `bot` against `others` on all other seats."""

    game: str
    bot: str
    others: str
    players: int
    claimed: bool
    """Whether `bot` is said to be the stronger."""

    @property
    def parity(self) -> float:
        """What equals would win."""
        return 1 / self.players

    def verdict(self, share: Share) -> str:
        """Whether the one wins more or less than its share, by more than the interval."""
        low, high = share.interval
        return "more" if low > self.parity else "less" if high < self.parity else "not shown"


@dataclass(frozen=True)
class Piece:
    """Some games of a pairing, with the one on the same seat."""

    cell: Cell
    seat: int
    first: int
    games: int

    @property
    def table(self) -> list[str]:
        table = [self.cell.others] * self.cell.players
        table[self.seat] = self.cell.bot
        return table

    def __str__(self) -> str:
        cell = self.cell
        return f"{cell.bot} {cell.others} {cell.players} {self.seat} {self.first} {self.games}"


def cells(game: str, full: bool, effort: str | None) -> Iterator[tuple[Cell, int]]:
    """Every pairing, with its number of games. With two players one order of each pair is enough."""
    tables, entrants = FIELDS[game]
    for table, players in enumerate(tables):
        for i, one in enumerate(entrants):
            for j, other in enumerate(entrants):
                if i == j or (players == 2 and i < j):
                    continue
                bot, others = one.bot(table, full, effort), other.bot(table, full, effort)
                games = min(one.full, other.full) if full else min(one.games, other.games)
                yield Cell(game, bot, others, players, i > j), games


def neighbours(game: str) -> list[Cell]:
    """Each bot against the next weaker one at the smallest table, with searches that hardly think."""
    players = FIELDS[game][0][0]
    claimed = [cell for cell, _ in cells(game, False, "1") if cell.claimed and cell.players == players]
    return list({cell.bot: cell for cell in claimed}.values())


def pieces(cell: Cell, games: int, searched: bool) -> Iterator[Piece]:
    """The games of a pairing: each seat has equally many; those of searches come one by one."""
    rounds, chunk = -(-games // cell.players), 1 if searched else CHUNK
    for first in range(0, rounds, chunk):
        yield from (Piece(cell, seat, first, min(chunk, rounds - first)) for seat in range(cell.players))


def wins(piece: Piece) -> tuple[Piece, int]:
    """Play some games: how many the one wins. What a worker process does."""
    cell = piece.cell
    seed = derive_seed(SEED, cell.bot, cell.others, cell.players)
    results = play(cell.game, piece.table, seed, piece.games, jobs=1, first=piece.first)
    return piece, int((results.winners == piece.seat).sum())


def play_all(bench: Bench, wanted: list[tuple[Cell, int]], outcomes: Path | None) -> dict[Cell, Share]:
    """How often the bots win. Games whose outcomes are in the file are not played again."""
    work = [piece for cell, games in wanted for piece in pieces(cell, games, ":" in cell.bot + cell.others)]
    lines = (line.rsplit(" ", 1) for line in kept_lines(outcomes))
    known = {line[0]: int(line[1]) for line in lines if len(line) == 2 and line[1].isdigit()}
    won = {piece: known[str(piece)] for piece in work if str(piece) in known}
    # the long ones first, so that no process is left alone with one at the end
    rest = sorted((piece for piece in work if piece not in won), key=lambda piece: piece.games)
    if rest and not bench.quick:
        wins(rest[0])  # compiles everything once, before the processes start
    for piece, count in bench.spread(wins, rest, bench.options.jobs, "playing"):
        won[piece] = count
        if outcomes:
            with outcomes.open("a", encoding="utf-8") as file:
                file.write(f"{piece} {count}\n")
    totals = {cell: [(count, piece.games) for piece, count in won.items() if piece.cell == cell] for cell, _ in wanted}
    return {cell: Share(sum(w for w, _ in found), sum(n for _, n in found)) for cell, found in totals.items()}


def cross_table(players: int, shares: dict[Cell, Share]) -> Figures:
    """What each bot won alone against each other, the strongest first; with two players one order of a pair tells the other."""
    own = {cell: share for cell, share in shares.items() if cell.players == players}
    bots = list(dict.fromkeys(name for cell in own for name in (cell.others, cell.bot)))[::-1]
    found = {(cell.bot, cell.others): share for cell, share in own.items()}
    rows = [(bot, *("-" if bot == other else shown(bot, other, found) for other in bots)) for bot in bots]
    opponents = f"against {players - 1} of" if players > 2 else "against"
    said = f"{players} players: equals win {100 / players:.1f} %. 95 % intervals (Wilson)."
    return Figures(f"{players} players", ("one seat of", *(f"{opponents} {bot}" for bot in bots)), rows, said)


def shown(bot: str, other: str, found: dict[tuple[str, str], Share]) -> str:
    share = found.get((bot, other))
    if share is None:
        back = found[other, bot]
        share = Share(back.games - back.won, back.games)
    return f"{with_interval(share)} of {share.games:,}"


def claims(shares: dict[Cell, Share]) -> Figures:
    """What is claimed: each bot wins more than its share against every weaker one."""
    rows = []
    for cell, share in shares.items():
        if cell.claimed:
            against, equals = f"{cell.players - 1} x {cell.others}", f"{100 * cell.parity:.1f} %"
            rows.append((cell.bot, against, share.games, with_interval(share), equals, cell.verdict(share)))
    return Figures("Every bot against every weaker one", ("one seat of", "against", "games", "won", "equals", "wins"), rows)


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", choices=list(FIELDS), default="coup")
    parser.add_argument("--games", type=int, help="at least so many games for every pairing")
    parser.add_argument("--effort", help="how long searches think about each decision, such as 300 or 0.5s")
    parser.add_argument("--outcomes", type=Path, metavar="FILE", help="write every outcome to this file, and go on from it")
    add_full(parser)
    add_jobs(parser)


def main() -> None:
    bench = Bench(__doc__, "prove_bots.md", options)
    asked = bench.options
    bench.target = f"prove_bots_{asked.game}.md"
    began = time.monotonic()
    wanted = [(cell, asked.games or games) for cell, games in cells(asked.game, asked.full, asked.effort)]
    if bench.quick:
        assert all(neighbours(game) for game in FIELDS)
        wanted = [(cell, 1) for cell in neighbours(asked.game)]
    shares = play_all(bench, wanted, asked.outcomes)
    verdicts = [(cell, share, cell.verdict(share)) for cell, share in shares.items() if cell.claimed]
    shows = sum(verdict == "more" for _, _, verdict in verdicts)
    failures = [f"{cell}: {with_interval(share)}" for cell, share, verdict in verdicts if verdict == "less" and not bench.quick]
    minutes = (time.monotonic() - began) / 60
    note = (
        f"In {shows} of {len(verdicts)} pairings the stronger bot is shown to win more than its share, in {len(failures)} to"
        f" win less. Played in {minutes:.1f} minutes by {asked.jobs} {'process' if asked.jobs == 1 else 'processes'}."
    )
    tables = [claims(shares)]
    if not bench.quick:
        tables = [*(cross_table(players, shares) for players in FIELDS[asked.game][0]), *tables]
    bench.publish(f"Which bot beats which: {asked.game}", tables, note, failures)


if __name__ == "__main__":
    main()
