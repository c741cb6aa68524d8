"""The matches that Catan's players are judged by: ``python benchmarks/matches.py``.

One bot plays alone against a table of three of another, from every seat equally often, on random boards, with offers. A time a
move is turned into iterations once, and printed; the games are then played by iterations, so that they are the same on every
machine and other work on it weakens nobody.

    python benchmarks/matches.py                   every match, cheap ones first: hours of one core
    python benchmarks/matches.py --only ismcts:0.1s --games 400

Every game is counted in ``benchmarks/results/matches.jsonl`` (`counted`), which is kept with the sources: a run that was
stopped can be continued, one with more games adds to them, and so does another machine with the same bots. Games that were
played before a bot or its weights changed are not counted; ``--forget`` drops them. ``--most SECONDS`` begins no further game
after that time.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from counted import Counted, Stretch, version
from ladder import Batch, Outcome, gaps, played
from tables import RESULTS, Bench, Figures, add_jobs
from versus_catanatron import in_iterations

from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

SEED, SEATS, NETWORK = 18, 4, "4-players-offers"


@dataclass(frozen=True)
class Match:
    """One alone against three of another, and the share of wins that is asked for."""

    one: str
    others: str
    games: int
    asked: float
    batch: int = 1
    """How many games are counted at once."""


MATCHES = (
    Match("builder", "builder-0.1", 4000, 0.35, 250),
    Match("net", "builder-0.1", 800, 0.65, 25),
    Match("ismcts:0.1s", "builder-0.1", 400, 0.72),
    Match("ismcts:0.1s", "net", 200, 0.40),
    Match("ismcts:1s", "net", 200, 0.40),
    Match("ismcts:1s", "builder-0.1", 200, 0.80),
    Match("ismcts:0.5s", "ismcts-0.1:1s", 200, 0.45),
)
QUICK = (Match("builder", "builder-0.1", 4, 0.35),)


def iterations(known: Counted, names: Sequence[str], *, measure: bool) -> dict[str, str]:
    """Every bot as it is called here, with iterations in place of a time: as they are known, or else measured and kept."""
    for name in names if measure else ():
        if name not in known.iterations and (found := in_iterations(name, ())) != name:
            known.turn(name, found)
    return {name: known.iterations.get(name, name) for name in names}


def due(match: Match, bots: Mapping[str, str], before: Sequence[Stretch]) -> list[Batch]:
    """What is still to be played of a match, the seats in turn."""
    done: defaultdict[int, list[Batch]] = defaultdict(list)
    for one in before:
        if (one.one, one.others) == (bots[match.one], bots[match.others]):
            done[one.seat].append(Batch("catan", one.one, one.others, SEATS, one.seat, one.first, one.games, SEED))
    wanted = -(-match.games // SEATS)
    found = [
        Batch("catan", bots[match.one], bots[match.others], SEATS, seat, first, min(match.batch, gap.stop - first), SEED)
        for seat in range(SEATS)
        for gap in gaps(done[seat], wanted)
        for first in range(gap.start, gap.stop, match.batch)
    ]
    return sorted(found, key=lambda batch: (batch.first, batch.seat))


def stretch_of(outcome: Outcome) -> Stretch:
    """A batch as it is counted."""
    batch = outcome.batch
    return Stretch(batch.one, batch.others, batch.seat, batch.first, batch.games, outcome.won[batch.seat], outcome.seconds)


def row(match: Match, bots: Mapping[str, str], stretches: Sequence[Stretch]) -> list[object] | None:
    """What came of a match."""
    pair = bots[match.one], bots[match.others]
    found = [one for one in stretches if (one.one, one.others) == pair]
    games = sum(one.games for one in found)
    if not games:
        return None
    share = Share(sum(one.won for one in found), games)
    names = [name if name == bot else f"{name} ({bot})" for name, bot in zip((match.one, match.others), pair, strict=True)]
    return [
        names[0],
        f"3 {names[1]}",
        with_interval(share),
        f"{100 * match.asked:.0f} %",
        f"{games:,} of {match.games:,}",
        f"{sum(one.seconds for one in found) / games:.2f} s",
    ]


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--outcomes", type=Path, help="where games are counted (benchmarks/results/matches.jsonl)")
    parser.add_argument("--forget", action="store_true", help="drop the games of bots that have changed since")
    parser.add_argument("--only", nargs="+", metavar="BOT", help="only matches of these")
    parser.add_argument("--against", nargs="+", metavar="BOT", help="only matches against tables of these")
    parser.add_argument("--games", type=int, help="of each match, instead of its own number")
    parser.add_argument("--most", type=float, metavar="SECONDS", help="begin no further game after that time")
    parser.add_argument("--report", action="store_true", help="play nothing: the table of all games that were counted")
    add_jobs(parser)


def chosen(bench: Bench) -> list[Match]:
    """The matches that were asked for."""
    asked = bench.options
    return [
        replace(match, games=asked.games or match.games)
        for match in (QUICK if bench.quick else MATCHES)
        if (not asked.only or match.one in asked.only) and (not asked.against or match.others in asked.against)
    ]


def series(bench: Bench, matches: Sequence[Match], bots: Mapping[str, str], known: Counted) -> None:
    """Play what is missing, and count it."""
    asked, began = bench.options, time.monotonic()
    work = [batch for match in matches for batch in due(match, bots, known.stretches)]
    for found in bench.spread(played, work, asked.jobs, "batches"):
        known.add(stretch_of(found))
        if asked.most is not None and time.monotonic() - began > asked.most:
            break


def main() -> None:
    bench = Bench(__doc__, "matches.md", options)
    asked, matches = bench.options, chosen(bench)
    names = list(dict.fromkeys(name for match in matches for name in (match.one, match.others)))
    known = Counted(None if bench.quick else asked.outcomes or RESULTS / "matches.jsonl", f"{version(NETWORK)}-{SEED}")
    if known.other:
        told = "forgotten" if asked.forget else "not counted (--forget drops them)"
        print(f"{known.other:,} games were played by bots that have changed since: {told}")
    if asked.forget:
        known.tidy(forget=True)
    bots = iterations(known, names, measure=not asked.report)
    if not asked.report:
        try:
            series(bench, matches, bots, known)
        finally:
            known.tidy()
    rows = [found for match in matches if (found := row(match, bots, known.stretches)) is not None]
    note = "Equals would win 25 %. Ranges are 95 % intervals (Wilson). *A game*: processor time."
    headings = ("alone", "against", "won", "asked", "games", "a game")
    bench.publish("Catan: matches", [Figures("One against three", headings, rows)], note)


if __name__ == "__main__":
    main()
