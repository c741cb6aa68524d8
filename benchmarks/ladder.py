"""One rating for all bots of a game: ``python benchmarks/ladder.py`` (Catan), ``python benchmarks/ladder.py coup``.

One bot plays alone against a table of another, from every seat equally often, on random boards with the same luck for all
pairs. Games are counted in ``--outcomes FILE`` (build/ladder-GAME.jsonl), seat by seat and batch by batch: a run that was
stopped goes on, and a later run with more games adds to them. After a bot has changed, ``--forget net ismcts`` drops the games
of these, whatever parameters they had.

From all games one rating for all is fitted (`kibitz.play.ladder`). ``--write`` keeps the tables in benchmarks/results, and the
ratings in src/kibitz/GAME/ratings.json: commands, pages and docs read them there and nowhere else.

Players of catanatron take part where ``--versus FILE`` names games that ``versus_catanatron.py --outcomes FILE`` has kept; with
``--sources PATH`` (a checkout of its repository) further ones are played, up to ``--versus-games`` for each pair.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import permutations
from pathlib import Path

from tables import ROOT, Bench, Figures, add_jobs, command, commit, kept_lines

from kibitz.play.bots import Bot
from kibitz.play.ladder import Ladder, Meeting, Rung, alone, expected, rated
from kibitz.play.registry import known
from kibitz.play.series import play
from kibitz.play.share import Share
from kibitz.play.tournament import Rating, with_interval

SEED = 2026
#: How dear a bot is: a compiled policy, one at a table in Python, one that asks a network, a search, a slow search.
CHEAP, STEPPED, DEAR, SEARCH, SLOW = range(5)
#: How many games each pair plays, by the dearer of the two; and how many on a seat are counted in the file at once.
GAMES = [2000, 400, 400, 60, 16]
BATCH = [250, 25, 25, 1, 1]


@dataclass(frozen=True)
class Field:
    """Who climbs the ladder of a game."""

    anchor: str
    seats: int
    bots: dict[str, int]
    """Each with what it costs."""
    tested: tuple[str, ...] = ()
    """Against tables of whom searches play; all others that are no searches, where nobody is named."""


FIELDS = {
    "catan": Field(
        "builder-0.1", 4,
        {
            "random": CHEAP, "seed": CHEAP, "easy": STEPPED, "builder-0.1": CHEAP, "builder": CHEAP, "net": DEAR,
            "ismcts:200": SEARCH, "ismcts:1000": SEARCH, "ismcts-0.1:1000": SLOW,
        },
        ("builder-0.1", "builder", "net"),
    ),
    "coup": Field(
        "heuristic", 4,
        {"random": CHEAP, "honest": CHEAP, "heuristic": CHEAP, "hard": DEAR, "ismcts:2000": SEARCH, "expert": SEARCH},
    ),
    "onepiece": Field(
        "greedy", 2,
        {"random": STEPPED, "easy": STEPPED, "greedy": STEPPED, "hard": SEARCH, "expert": SLOW},
    ),
}  # fmt: skip
#: Who plays against which players of catanatron; a game against its alpha-beta player takes a minute, so those are only read.
VERSUS = [("builder-0.1", "value"), ("net", "value")]


@dataclass(frozen=True)
class Batch:
    """Games `first` to ``first + games - 1`` of one bot on one seat against a table of another."""

    game: str
    one: str
    others: str
    seats: int
    seat: int
    first: int
    games: int
    seed: int


@dataclass(frozen=True)
class Outcome:
    """How the games of a batch ended: how often each seat won, and the processor time that they took."""

    batch: Batch
    won: tuple[int, ...]
    seconds: float

    @property
    def table(self) -> tuple[str, ...]:
        """Who sat where."""
        table = [self.batch.others] * self.batch.seats
        table[self.batch.seat] = self.batch.one
        return tuple(table)


@cache
def warm(game: str) -> None:
    """Compile or load what all games need, before a clock starts."""
    field = FIELDS[game]
    for name, cost in field.bots.items():
        if cost < SEARCH:
            play(game, [name] * field.seats, jobs=1)


def played(batch: Batch) -> Outcome:
    """Play the games of a batch."""
    warm(batch.game)
    table = Outcome(batch, (), 0).table
    began = time.process_time()
    winners = play(batch.game, table, batch.seed, batch.games, first=batch.first, jobs=1).winners
    seconds = time.process_time() - began
    return Outcome(batch, tuple(int((winners == seat).sum()) for seat in range(batch.seats)), round(seconds, 3))


# --- what was played before -----------------------------------------------------------------------------------


def kept(file: Path | None) -> list[Outcome]:
    """The outcomes in a file; a line that was cut off is passed over."""
    found = []
    for line in kept_lines(file):
        with suppress(ValueError, TypeError, KeyError):
            one = json.loads(line)
            found.append(Outcome(Batch(**one["batch"]), tuple(one["won"]), one["seconds"]))
    return found


def line_of(outcome: Outcome) -> str:
    """As it is kept."""
    return json.dumps(asdict(outcome)) + "\n"


def forget(file: Path | None, outcomes: Sequence[Outcome], names: Sequence[str]) -> list[Outcome]:
    """The outcomes without the games of these bots, in the file, too."""
    left = [one for one in outcomes if not any(name.partition(":")[0] in names for name in (one.batch.one, one.batch.others))]
    if file is not None and len(left) < len(outcomes):
        file.write_text("".join(map(line_of, left)), encoding="utf-8")
        print(f"{sum(one.batch.games for one in outcomes) - sum(one.batch.games for one in left):,} games forgotten")
    return left


# --- what is to be played -------------------------------------------------------------------------------------


def pairs(field: Field) -> Iterator[tuple[str, str, int]]:
    """Who plays alone against a table of whom, and how dear that is.

    Nobody plays against a table of searches: that costs too much. The anchor against itself tells how long its games take.
    """
    yield field.anchor, field.anchor, field.bots[field.anchor]
    for one, others in permutations(field.bots, 2):
        tested = field.bots[one] < SEARCH or not field.tested or others in field.tested
        if tested and field.bots[others] < SEARCH:
            yield one, others, max(field.bots[one], field.bots[others])


def due(name: str, field: Field, games: Sequence[int], before: Sequence[Outcome], seed: int, most: int | None) -> list[Batch]:
    """The batches that are still to be played: what is cheap first, all pairs together, so that a run can be stopped."""
    done: defaultdict[tuple[str, str, int], list[Batch]] = defaultdict(list)
    for batch in (outcome.batch for outcome in before):
        done[batch.one, batch.others, batch.seat].append(batch)
    found: list[tuple[int, float, Batch]] = []
    for one, others, cost in pairs(field):
        wanted = -(-games[cost] // field.seats)
        for seat in range(field.seats):
            for gap in gaps(done[one, others, seat], wanted):
                for first in range(gap.start, gap.stop, most or BATCH[cost]):
                    n = min(most or BATCH[cost], gap.stop - first)
                    found.append((cost, first / wanted, Batch(name, one, others, field.seats, seat, first, n, seed)))
    return [batch for _, _, batch in sorted(found, key=lambda item: (*item[:2], item[2].seat, item[2].one, item[2].others))]


def gaps(batches: Sequence[Batch], wanted: int) -> Iterator[range]:
    """Which of the games 0 to ``wanted - 1`` are missing: several processes leave holes where a run was killed."""
    first = 0
    for batch in sorted(batches, key=lambda batch: batch.first):
        if first < min(batch.first, wanted):
            yield range(first, min(batch.first, wanted))
        first = max(first, batch.first + batch.games)
    if first < wanted:
        yield range(first, wanted)


def versus(bench: Bench, field: Field) -> list[tuple[str, str, int, int]]:
    """Bot, player of catanatron, games won, and lost."""
    file = bench.options.versus
    if file is None and bench.options.sources is None:
        return []
    theirs = importlib.import_module("versus_catanatron")

    outcomes = theirs.kept(file)
    if bench.options.sources is not None:
        theirs.use_sources(bench.options.sources)
        done = {one.job for one in outcomes}
        jobs = [
            theirs.Job(bot, bot, name, number, 1, bench.options.sources)
            for bot, name in VERSUS
            for number in range(bench.many(bench.options.versus_games))
        ]
        for found in bench.spread(theirs.play, [job for job in jobs if job not in done], bench.options.jobs, "catanatron"):
            theirs.keep(file, found)
            outcomes.append(found)
    counts: Counter[tuple[str, str, bool]] = Counter()
    same = aliases("catan", field)
    who = {bot for bot, _ in VERSUS}
    for one in outcomes:
        if same.get(one.bot) in who:  # what searches were when their games were kept, nobody knows
            counts[same[one.bot], f"catanatron {one.opponent}", one.won] += 1
    met = dict.fromkeys((bot, name) for bot, name, _ in counts)
    return [(bot, name, counts[bot, name, True], counts[bot, name, False]) for bot, name in met]


# --- the table ------------------------------------------------------------------------------------------------


@cache
def bot_named(game: str, name: str) -> Bot:
    """A bot of a game."""
    return known(game).bot_named(name)


def aliases(game: str, field: Field) -> dict[str, str]:
    """Every name under which a bot of the field can be found, and the name that it has here: levels, and the same policy."""
    profile, found = known(game), {name: name for name in field.bots}
    policies = {bot_named(game, name).policy: name for name in field.bots if bot_named(game, name).policy is not None}
    found |= {name: policies[policy] for name in profile.bots if (policy := bot_named(game, name).policy) in policies}
    found |= {level.name: found[level.bot] for level in profile.levels if not level.slips and level.bot in found}
    return found


def meetings(outcomes: Sequence[Outcome], outside: Sequence[tuple[str, str, int, int]], seats: int) -> list[Meeting]:
    """All games; those against a table of catanatron's players as far as they are known."""
    return [*(Meeting(one.table, one.won) for one in outcomes), *(alone(a, b, seats, won, lost) for a, b, won, lost in outside)]


def rungs(
    outcomes: Sequence[Outcome], outside: Sequence[tuple[str, str, int, int]], ratings: dict[str, Rating], anchor: str
) -> dict[str, Rung]:
    """What was measured of each bot, the strongest first."""
    games: Counter[str] = Counter()
    spent: defaultdict[str, float] = defaultdict(float)
    timed: Counter[str] = Counter()
    for one in outcomes:
        games.update({one.batch.one: one.batch.games, one.batch.others: one.batch.games})
        if one.batch.others == anchor:
            spent[one.batch.one] += one.seconds
            timed[one.batch.one] += one.batch.games
    for bot, name, won, lost in outside:
        games.update({bot: won + lost, name: won + lost})
    order = sorted(ratings, key=lambda name: -ratings[name].rating)
    return {
        name: Rung(ratings[name].rating, ratings[name].margin, games[name], spent[name] / max(1, timed[name])) for name in order
    }


def matches(
    outcomes: Sequence[Outcome], outside: Sequence[tuple[str, str, int, int]], ratings: dict[str, Rating]
) -> list[list[object]]:
    """How often each bot won alone against a table of each other one, and what the ratings say."""
    won: Counter[tuple[str, str]] = Counter()
    games: Counter[tuple[str, str]] = Counter()
    seats = outcomes[0].batch.seats
    for one in outcomes:
        pair = one.batch.one, one.batch.others
        won[pair] += one.won[one.batch.seat]
        games[pair] += one.batch.games
    for bot, name, wins, lost in outside:
        won[bot, name] += wins
        games[bot, name] += wins + lost
    return [
        [one, f"{seats - 1} {others}", f"{n:,}", with_interval(Share(won[one, others], n)),
         f"{100 * expected(ratings, [one, *[others] * (seats - 1)])[0]:.1f} %"]
        for (one, others), n in games.items()
    ]  # fmt: skip


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", choices=FIELDS, default="catan")
    kinds = "compiled policies, others that are quick, those with a network, searches, slow searches"
    parser.add_argument("--games", type=int, nargs=5, default=GAMES, metavar="N", help=f"of each pair: {kinds}")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--outcomes", type=Path, help="where games are counted (build/ladder-GAME.jsonl)")
    parser.add_argument("--forget", nargs="+", default=[], metavar="BOT", help="drop the games of bots that have changed")
    parser.add_argument("--report", action="store_true", help="play nothing: the table of all games in --outcomes")
    parser.add_argument("--sources", help="a checkout of catanatron's repository, to play against its players")
    parser.add_argument("--versus", type=Path, help="games against them, as versus_catanatron.py keeps them")
    parser.add_argument("--versus-games", type=int, default=40)
    add_jobs(parser)


def climbers(bench: Bench) -> Field:
    """Who climbs: levels under the names of their bots, so that games keep their meaning where a level changes its own."""
    field = FIELDS[bench.options.game]
    levels = {level.name: level.bot for level in known(bench.options.game).levels if not level.slips}
    bots = {levels.get(bot, bot): cost for bot, cost in field.bots.items() if cost == CHEAP or not bench.quick}
    return replace(field, bots=bots)


def all_games(bench: Bench, field: Field) -> list[Outcome]:
    """The games that were counted before, and those that are still to be played."""
    asked = bench.options
    file = None if bench.quick else asked.outcomes or ROOT / "build" / f"ladder-{asked.game}.jsonl"
    before = kept(file)
    if asked.forget:
        before = forget(file, before, asked.forget)
    outcomes = [one for one in before if (one.batch.seed, one.batch.game) == (asked.seed, asked.game)]
    if asked.report:
        return outcomes
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    counts = [4] * len(GAMES) if bench.quick else asked.games
    work = due(asked.game, field, counts, outcomes, asked.seed, 1 if bench.quick else None)
    for found in bench.spread(played, work, asked.jobs, "batches"):
        outcomes.append(found)
        if file is not None:
            with file.open("a", encoding="utf-8") as out:
                out.write(line_of(found))
    return outcomes


def main() -> None:
    bench = Bench(__doc__, "ladder.md", options)
    name, field = bench.options.game, climbers(bench)
    if name != "catan":
        bench.target = f"ladder_{name}.md"
    outcomes = all_games(bench, field)
    if not outcomes:
        sys.exit("no games yet: nothing to rate")
    outside = versus(bench, field) if name == "catan" else []
    ratings = rated(meetings(outcomes, outside, field.seats), field.anchor)
    found, same = rungs(outcomes, outside, ratings, field.anchor), aliases(name, field)
    rows = [
        (bot, ", ".join(alias for alias, of in same.items() if bot == of != alias), str(rung), rung.games,
         f"{rung.seconds:.4f} s" if rung.seconds else "")
        for bot, rung in found.items()
    ]  # fmt: skip
    note = (
        f"Ratings on the scale of chess (400 points: odds of 10 to 1 between two seats), {field.anchor} set to 1000. The 95 % "
        "intervals come from the number of games or, where that makes them wider, from how much a bot's results at different "
        f"tables differ from what the ratings *expect*. *A game*: processor time of one alone against {field.anchor}."
    )
    if outside:
        note += " Players of catanatron were met in its own engine, by its rules, without trade between players."
    tables = [
        Figures("Ratings", ("bot", "also called", "rating", "games", "a game"), rows),
        Figures("One against the rest", ("alone", "against", "games", "won", "expected"), matches(outcomes, outside, ratings)),
    ]
    bench.publish(f"{known(name).title}: the ladder", tables, note)
    if bench.options.write:
        everybody = found | {alias: found[bot] for alias, bot in same.items() if bot in found}
        strongest = dict(sorted(everybody.items(), key=lambda item: -item[1].rating))
        made = Ladder(strongest, field.anchor, f"{command()} at commit {commit()}")
        (ROOT / "src" / "kibitz" / name / "ratings.json").write_text(made.to_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
