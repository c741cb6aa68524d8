"""Which search plays best: variants of `ismcts` at equal processor time a move, alone against three of another bot.

    python benchmarks/search_variants.py --ms 30 --against net --games 80        about two hours of one core
    python benchmarks/search_variants.py --only ismcts looks1 --games 200        some of them
    python benchmarks/search_variants.py --report --write                        play nothing: the table of all games

The milliseconds are turned into iterations once for each variant, by two games, and the match is played by iterations. All
variants play the same games: game i has the same board, dice and seat. Games add up in ``--outcomes`` (build/variants.jsonl),
and a run that was stopped goes on; iterations that were found before are taken again.

A game counts with its luck taken out: what the evaluator says after each chance event, less its mean over what could have
happened, is subtracted. That leaves the mean as it is, and its variance falls by about half. Its standard error comes from the
games.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from luck import surprise
from tables import ROOT, Bench, Figures, add_jobs, kept_lines

from kibitz.catan.bots import CONFIG, Memory, bot_named
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.state import SEATS, Rules
from kibitz.catan.setup import setup
from kibitz.compute import local
from kibitz.compute.runtime import Limit, Runtime
from kibitz.game import CHANCE, States, actor_at, apply_at, copied, structs
from kibitz.game.evaluator import SURE
from kibitz.play.bots import Bot
from kibitz.play.match import Played, play_game
from kibitz.play.search_bot import SearchPlayer, Thinking
from kibitz.play.share import Share
from kibitz.play.tournament import with_interval
from kibitz.search.ismcts import SearchResult

#: What is compared, the first being what plays.
VARIANTS = {
    "ismcts": CONFIG,
    "looks1": replace(CONFIG, looks=1),
    "looks2": replace(CONFIG, looks=2),
    "looks8": replace(CONFIG, looks=8),
    "bounds": replace(CONFIG, halving=False),
    "unpaired": replace(CONFIG, halving=False, paired=False),
    "deep": replace(CONFIG, planning=False),
    "wide": replace(CONFIG, widening=0),
}
SEED = 11
#: Worlds that are drawn for a decision: fewer than usual, so that short searches are compared, not the drawing.
WORLDS = 64
#: Iterations with which the time of one is measured, and what a search takes beside them (worlds, above all), in ms.
TRIAL, BESIDE = 200, 1.5


@dataclass(frozen=True)
class Job:
    """One game of a variant, with as many iterations as take about `ms`."""

    variant: str
    ms: float
    iterations: int
    against: str
    seed: int
    number: int
    quick: bool = False

    @property
    def seat(self) -> int:
        return self.number % SEATS


@dataclass(frozen=True)
class Outcome:
    """How it ended: whether it was won, and less luck; the processor time of all decisions, and how many they were."""

    job: Job
    won: int
    fair: float
    seconds: float
    decisions: int


class Timed(SearchPlayer[Memory]):
    """A search that is timed."""

    seconds, count = 0.0, 0

    def think(self, view: States, runtime: Runtime | None = None) -> SearchResult:
        began = time.process_time()
        found = super().think(view, runtime)
        self.seconds += time.process_time() - began
        self.count += 1
        return found


def played(job: Job) -> Outcome:
    """Play a game. What a worker process does."""
    player = Timed(Thinking(VARIANTS[job.variant], Limit(iterations=job.iterations), WORLDS, Memory))
    bots = [bot_named(job.against)] * SEATS
    bots[job.seat] = Bot(job.variant, lambda: player)
    at_table = setup(rules=Rules(max_turns=6)) if job.quick else setup()
    start = at_table.starts(SEATS, job.number // SEATS, 1)[:1]
    found = play_game(GAME, start, bots, local.game_seed(job.seed, job.number // SEATS))
    won = int(found.end["winner"][0] == job.seat)
    return Outcome(job, won, won - luck_in(start, found, job.seat), player.seconds, player.count)


def luck_in(start: States, found: Played, seat: int) -> float:
    """How kind chance was to a seat."""
    state, events, happened = copied(start), [], []
    for code in found.codes:
        if actor_at(state, 0) == CHANCE:
            events.append(state[0].copy())
            happened.append(code)
        apply_at(state, 0, code)
    states = structs(GAME.state, len(events))
    for i, event in enumerate(events):
        states[i] = event
    kind = np.zeros((len(events), SEATS))
    surprise(states, np.array(happened, np.int32), structs(GAME.state), GAME.scratches(), kind)
    return float(kind[:, seat].sum()) / SURE


def iterations_in(ms: float, variant: str, against: str) -> int:
    """How many iterations of a variant take so long; what is compiled or loaded for them does not count."""
    played(Job(variant, ms, 4, against, SEED - 1, 0, quick=True))
    many = TRIAL
    for number in range(2):
        one = played(Job(variant, ms, many, against, SEED - 1, number))
        many = max(16, round(many * (ms - BESIDE) / max(0.1, 1000 * one.seconds / max(1, one.decisions) - BESIDE)))
    return many


def kept(file: Path | None) -> list[Outcome]:
    found = []
    for line in kept_lines(file):
        if line.endswith("}"):
            one = json.loads(line)
            found.append(Outcome(**{**one, "job": Job(**one["job"])}))
    return found


def mean(outcomes: Sequence[Outcome]) -> float:
    """The share of games that was won, less luck."""
    return sum(one.fair for one in outcomes) / len(outcomes)


def rows(outcomes: Sequence[Outcome]) -> list[tuple[object, ...]]:
    """One for each variant, opponent and time, the best first."""
    groups: defaultdict[tuple[str, float, str], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one.job.against, one.job.ms, one.job.variant].append(one)
    made: list[tuple[object, ...]] = []
    for (against, asked, variant), group in sorted(groups.items(), key=lambda item: (*item[0][:2], -mean(item[1]))):
        fair = np.array([one.fair for one in group])
        many = sorted({one.job.iterations for one in group})
        spread = 100 * fair.std() / len(group) ** 0.5
        ms = 1000 * sum(one.seconds for one in group) / max(1, sum(one.decisions for one in group))
        won = with_interval(Share(sum(one.won for one in group), len(group)))
        less, iterations = f"{100 * fair.mean():.1f} ± {spread:.1f}", f"{many[0]}-{many[-1]}" if many[1:] else many[0]
        made.append((f"3 {against}", f"{asked:g}", variant, iterations, f"{ms:.1f}", len(group), won, less))
    return made


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ms", type=float, default=30, help="processor time a move")
    parser.add_argument("--against", default="net", help="who sits on the other seats")
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--only", nargs="+", choices=VARIANTS, default=list(VARIANTS), metavar="VARIANT")
    parser.add_argument("--outcomes", type=Path, default=ROOT / "build" / "variants.jsonl")
    parser.add_argument("--report", action="store_true", help="play nothing: the table of all games in --outcomes")
    add_jobs(parser)


def main() -> None:
    bench = Bench(__doc__, "search_variants.md", options)
    asked = bench.options
    if bench.quick:
        outcomes = [played(Job(name, 0, 4, "builder", SEED, 0, True)) for name in ("ismcts", "bounds")]
    else:
        outcomes = kept(asked.outcomes)
        if not asked.report:
            asked.outcomes.parent.mkdir(parents=True, exist_ok=True)
            for found in bench.spread(played, due(asked, outcomes), asked.jobs, "games"):
                outcomes.append(found)
                with asked.outcomes.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(found)) + "\n")
    note = (
        "One seat of a variant against three of another bot, with offers; equals win 25 %. *Won* with its 95 % interval; *less "
        "luck* with its standard error. *ms asked* is the processor time a decision that was turned into iterations, *ms* what "
        "they took."
    )
    headings = ("against", "ms asked", "variant", "iterations", "ms", "games", "won", "less luck, %")
    bench.publish("Variants of the search", [Figures("At equal time", headings, rows(outcomes))], note)


def due(asked: argparse.Namespace, outcomes: Sequence[Outcome]) -> list[Job]:
    """The games that are still to be played, all variants side by side."""
    known = {(one.job.variant, one.job.ms, one.job.against): one.job.iterations for one in outcomes}
    done = {one.job for one in outcomes}
    ms, against = asked.ms, asked.against
    many = {name: known.get((name, ms, against)) or iterations_in(ms, name, against) for name in asked.only}
    print(", ".join(f"{name}: {n} iterations" for name, n in many.items()))
    jobs = [Job(name, ms, many[name], against, SEED, number) for number in range(asked.games) for name in asked.only]
    return [job for job in jobs if job not in done]


if __name__ == "__main__":
    main()
