"""The matches that Catan's players are judged by: ``python benchmarks/matches.py``.

One bot plays alone against a table of three of another, from every seat equally often, on random boards, with offers. A time a
move is turned into iterations once, and printed; the games are then played by iterations, so that they are the same on every
machine and other work on it weakens nobody.

    python benchmarks/matches.py --outcomes matches.jsonl                   every match, cheap ones first: hours of one core
    python benchmarks/matches.py --outcomes matches.jsonl --only ismcts:0.1s --games 400

``--outcomes FILE`` counts every game: a run that was stopped goes on, and one with more games adds to them. ``--most SECONDS``
begins no further game after that time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ladder import Batch, Outcome, gaps, kept, line_of, played
from tables import Bench, Figures, add_jobs, kept_lines
from versus_catanatron import in_iterations

from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

SEED, SEATS = 18, 4


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


def counted(file: Path | None) -> dict[str, str]:
    """Bots that were given a time a move before, with iterations in its place."""
    known: dict[str, str] = {}
    for line in kept_lines(file):
        with suppress(ValueError, KeyError):
            known |= json.loads(line)["iterations"]
    return known


def iterations(file: Path | None, names: Sequence[str]) -> dict[str, str]:
    """Every bot as it is called here, with iterations in place of a time: as in the file, or else measured and kept there."""
    known = counted(file)
    for name in names:
        if name not in known:
            known[name] = in_iterations(name, ())
            if file is not None and known[name] != name:
                with file.open("a", encoding="utf-8") as out:
                    out.write(json.dumps({"iterations": {name: known[name]}}) + "\n")
    return known


def due(match: Match, bots: dict[str, str], before: Sequence[Outcome]) -> list[Batch]:
    """What is still to be played of a match, the seats in turn."""
    done: defaultdict[int, list[Batch]] = defaultdict(list)
    for batch in (outcome.batch for outcome in before):
        if (batch.one, batch.others) == (bots[match.one], bots[match.others]):
            done[batch.seat].append(batch)
    wanted = -(-match.games // SEATS)
    found = [
        Batch("catan", bots[match.one], bots[match.others], SEATS, seat, first, min(match.batch, gap.stop - first), SEED)
        for seat in range(SEATS)
        for gap in gaps(done[seat], wanted)
        for first in range(gap.start, gap.stop, match.batch)
    ]
    return sorted(found, key=lambda batch: (batch.first, batch.seat))


def row(match: Match, bots: dict[str, str], outcomes: Sequence[Outcome]) -> list[object] | None:
    """What came of a match."""
    pair = bots[match.one], bots[match.others]
    found = [one for one in outcomes if (one.batch.one, one.batch.others) == pair]
    games = sum(one.batch.games for one in found)
    if not games:
        return None
    share = Share(sum(one.won[one.batch.seat] for one in found), games)
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
    parser.add_argument("--outcomes", type=Path, help="where games are counted, and go on from")
    parser.add_argument("--only", nargs="+", metavar="BOT", help="only matches of these")
    parser.add_argument("--against", nargs="+", metavar="BOT", help="only matches against tables of these")
    parser.add_argument("--games", type=int, help="of each match, instead of its own number")
    parser.add_argument("--most", type=float, metavar="SECONDS", help="begin no further game after that time")
    parser.add_argument("--report", action="store_true", help="play nothing: the table of all games in --outcomes")
    add_jobs(parser)


def chosen(bench: Bench) -> list[Match]:
    """The matches that were asked for."""
    asked = bench.options
    return [
        replace(match, games=asked.games or match.games)
        for match in (QUICK if bench.quick else MATCHES)
        if (not asked.only or match.one in asked.only) and (not asked.against or match.others in asked.against)
    ]


def series(bench: Bench, matches: Sequence[Match], bots: dict[str, str]) -> list[Outcome]:
    """All games of earlier runs, and those that this one adds."""
    asked, began = bench.options, time.monotonic()
    outcomes = [one for one in kept(asked.outcomes) if one.batch.seed == SEED]
    if asked.report:
        return outcomes
    work = [batch for match in matches for batch in due(match, bots, outcomes)]
    for found in bench.spread(played, work, asked.jobs, "batches"):
        outcomes.append(found)
        if asked.outcomes is not None:
            with asked.outcomes.open("a", encoding="utf-8") as out:
                out.write(line_of(found))
        if asked.most is not None and time.monotonic() - began > asked.most:
            break
    return outcomes


def main() -> None:
    bench = Bench(__doc__, "matches.md", options)
    matches = chosen(bench)
    names = dict.fromkeys(name for match in matches for name in (match.one, match.others))
    file = bench.options.outcomes
    bots = {name: name for name in names} | counted(file) if bench.options.report else iterations(file, list(names))
    outcomes = series(bench, matches, bots)
    rows = [found for match in matches if (found := row(match, bots, outcomes)) is not None]
    note = "Equals would win 25 %. Ranges are 95 % intervals (Wilson). *A game*: processor time."
    headings = ("alone", "against", "won", "asked", "games", "a game")
    bench.publish("Catan: matches", [Figures("One against three", headings, rows)], note)


if __name__ == "__main__":
    main()
