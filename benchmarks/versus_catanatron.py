"""Our bots in catanatron's own engine, one alone against three of its players: ``python benchmarks/versus_catanatron.py``.

The bot takes every seat equally often, on random boards, without domestic trade, and is told only what its seat may know
(`kibitz.catan.versus`). Equals win 25 %. The stronger players of catanatron are not in its release, only in its repository:

    git clone https://github.com/bcollazo/catanatron
    python benchmarks/versus_catanatron.py --sources catanatron --bot builder ismcts:1000 --opponent value alphabeta

``--outcomes FILE`` keeps every game as a line of JSON, and games that are in it already are not played again: a long series
can be stopped and taken up. A time a move (``ismcts:0.5s``) is turned into iterations once, so that other work on the machine
does not weaken the bot.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from tables import Bench, Figures, add_jobs, kept_lines

from kibitz.catan import GAME, Board
from kibitz.catan.bots import bot_named
from kibitz.catan.core.record import simulate
from kibitz.catan.versus import KibitzPlayer
from kibitz.game.doors import actor_at, hidden_from, sensible_actions
from kibitz.ground.rng import derive_seed
from kibitz.play.search_bot import AnyDeal, SearchPlayer
from kibitz.play.share import Share
from kibitz.play.tournament import with_interval

SEATS = 4
#: Who can be played against: a module and a class of catanatron, and whether a number may follow the name.
OPPONENTS = {
    "random": ("catanatron.models.player", "RandomPlayer"),
    "weighted": ("catanatron.players.weighted_random", "WeightedRandomPlayer"),
    "value": ("catanatron.players.value", "ValueFunctionPlayer"),
    "alphabeta": ("catanatron.players.minimax", "AlphaBetaPlayer"),
}
#: Decisions of a game of builders at which a time a move is measured in iterations.
MEASURED = (150, 300, 450)
MISSING = "catanatron is not installed: pip install 'kibitz[bench]', or give a checkout of its repository with --sources"


@dataclass(frozen=True)
class Job:
    """One game that is to be played; `asked` is what the bot was called on the command line."""

    asked: str
    bot: str
    opponent: str
    number: int
    seed: int
    sources: str | None = field(default=None, compare=False)

    @property
    def seat(self) -> int:
        """The bot goes around the table."""
        return self.number % SEATS


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    asked: str
    bot: str
    opponent: str
    number: int
    seed: int
    seat: int
    won: bool
    over: bool
    turns: int
    seconds: float
    thought: float
    decisions: int
    resynchronisations: dict[str, int]
    differences: dict[str, int]
    refused: int

    @property
    def job(self) -> Job:
        """The game that it was."""
        return Job(self.asked, self.bot, self.opponent, self.number, self.seed)


class Timed(KibitzPlayer):
    """A player who looks at the clock."""

    thought = 0.0

    def decide(self, game: Any, playable_actions: Iterable[Any]) -> Any:
        began = time.perf_counter()
        action = super().decide(game, playable_actions)
        self.thought += time.perf_counter() - began
        return action


# --- catanatron -----------------------------------------------------------------------------------------------


def use_sources(sources: str | None) -> None:
    """Let catanatron be found in a checkout of its repository, or in the folder that holds the package."""
    if sources is None:
        return
    roots = [Path(sources), Path(sources) / "catanatron"]
    root = next((str(root.resolve()) for root in roots if (root / "catanatron" / "game.py").exists()), None)
    if root is None:
        sys.exit(f"--sources {sources}: no checkout of catanatron")
    if root not in sys.path:
        sys.path.insert(0, root)


def opponent_class(name: str) -> Any:
    """The class that a name stands for, None where this catanatron has none."""
    module, found = OPPONENTS[name.partition(":")[0]]
    try:
        return getattr(importlib.import_module(module), found)
    except ImportError:
        return None


def opponent(name: str, colour: Any) -> Any:
    """A player of theirs: ``value``, ``alphabeta``, ``alphabeta:3`` (its depth)."""
    return opponent_class(name)(colour, *name.split(":")[1:])


def play(job: Job) -> Outcome:
    """One game of one bot against three of theirs."""
    use_sources(job.sources)
    game_of, colours = importlib.import_module("catanatron").Game, list(importlib.import_module("catanatron").Color)
    seed = derive_seed(job.seed, "versus catanatron", job.number) % 2**31
    # it shuffles the players first of all
    random.seed(seed)
    at = random.sample(range(SEATS), SEATS)[job.seat]
    ours = Timed(colours[at], job.bot, seed=seed)
    began = time.perf_counter()
    game = game_of([ours if i == at else opponent(job.opponent, colours[i]) for i in range(SEATS)], seed=seed)
    if game.state.colors[job.seat] != ours.color:
        raise RuntimeError("catanatron seats its players in another way than it used to")
    winner = game.play()
    return Outcome(
        **{name: value for name, value in asdict(job).items() if name != "sources"},
        seat=job.seat,
        won=winner == ours.color,
        over=winner is not None,
        turns=game.state.num_turns,
        seconds=round(time.perf_counter() - began, 3),
        thought=round(ours.thought, 3),
        decisions=ours.decisions,
        resynchronisations=dict(ours.resynchronisations),
        differences=dict(ours.differences),
        refused=ours.refused,
    )


# --- what was played before -----------------------------------------------------------------------------------


def kept(file: Path | None) -> list[Outcome]:
    """The outcomes in a file; a line that was cut off, because the series was stopped, is passed over."""
    found = []
    for line in kept_lines(file):
        with suppress(ValueError):
            found.append(Outcome(**json.loads(line)))
    return found


def keep(file: Path | None, outcome: Outcome) -> None:
    """Add a line."""
    if file is not None:
        with file.open("a", encoding="utf-8") as out:
            out.write(f"{json.dumps(asdict(outcome))}\n")


# --- iterations -----------------------------------------------------------------------------------------------


def in_iterations(name: str, before: Sequence[Outcome]) -> str:
    """The name of a bot with iterations in place of a time a move: those of earlier outcomes, or measured now."""
    player = bot_named(name).player()
    if not isinstance(player, SearchPlayer) or player.thinking.limit.time is None:
        return name
    earlier = [outcome.bot for outcome in before if outcome.asked == name]
    if earlier:
        return earlier[-1]
    found: list[int] = []
    record = simulate(Board.random(1), ["builder"] * SEATS, seed=1)
    for number, states in enumerate(record.states()):
        if number >= MEASURED[len(found)] and (seat := actor_at(states, 0)) >= 0:
            view = hidden_from(states, seat)
            if len(sensible_actions(view)) > 1:
                player.thinking.search(AnyDeal(GAME, seat, view), view, seat, 1)  # a first time may compile
                found.append(player.thinking.search(AnyDeal(GAME, seat, view), view, seat, 1).iterations)
                if len(found) == len(MEASURED):
                    break
    counted = f"{name.partition(':')[0]}:{int(median(found))}"
    print(f"{name} is {counted} on this machine")
    return counted


# --- the table ------------------------------------------------------------------------------------------------


def row(bot: str, name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """What the games of one bot against one opponent were like."""
    corrected, differences = Counter[str](), Counter[str]()
    for one in outcomes:
        corrected.update(one.resynchronisations)
        differences.update(one.differences)
    games = len(outcomes)
    return (
        bot,
        f"3 {name}",
        with_interval(Share(sum(one.won for one in outcomes), games)),
        f"{games:,}",
        f"{sum(one.seconds for one in outcomes) / games:.2f} s",
        f"{1000 * sum(one.thought for one in outcomes) / max(1, sum(one.decisions for one in outcomes)):.1f} ms",
        counted(corrected),
        counted(differences),
        f"{sum(one.refused for one in outcomes)} of {sum(one.decisions for one in outcomes):,}",
    )


def counted(found: Counter[str]) -> str:
    """``12 (road_holder 12)``."""
    names = ", ".join(f"{name} {n}" for name, n in found.most_common())
    return f"{found.total()} ({names})" if found else "0"


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sources", help="a checkout of catanatron's repository, for its stronger players")
    parser.add_argument("--bot", nargs="+", default=["builder"], help="bots of ours, by their names")
    parser.add_argument("--opponent", nargs="+", help="value, alphabeta, alphabeta:3, weighted, random")
    parser.add_argument("--games", type=int, default=200, help="for each bot and opponent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--outcomes", type=Path, help="a file of games: they are added, and not played again")
    parser.add_argument("--report", action="store_true", help="play nothing: the table of all games in --outcomes")
    add_jobs(parser)


def opponents(bench: Bench) -> list[str]:
    """Who was asked for, or else the strongest of those that are quick."""
    names: list[str] = bench.options.opponent or ["weighted" if bench.quick or opponent_class("value") is None else "value"]
    for name in names:
        if name.partition(":")[0] not in OPPONENTS or opponent_class(name) is None:
            sys.exit(f"--opponent {name}: this catanatron has no such player (see --sources)")
    return names


def series(bench: Bench, before: Sequence[Outcome]) -> list[Outcome]:
    """All games that were asked for, those of an earlier series and those that are still to be played."""
    asked = bench.options
    bots = {bot: in_iterations(bot, before) for bot in asked.bot}
    jobs = [
        Job(bot, bots[bot], name, number, asked.seed, asked.sources)
        for name in opponents(bench)
        for bot in asked.bot
        for number in range(bench.many(asked.games))
    ]
    done = {outcome.job: outcome for outcome in before}
    for outcome in bench.spread(play, [job for job in jobs if job not in done], asked.jobs, "games"):
        keep(asked.outcomes, outcome)
        done[outcome.job] = outcome
    return [done[job] for job in jobs]


def main() -> None:
    bench = Bench(__doc__, "versus_catanatron.md", options)
    use_sources(bench.options.sources)
    outcomes = kept(bench.options.outcomes)
    if not bench.options.report:
        if opponent_class("random") is None:
            print(MISSING)
            return
        outcomes = series(bench, outcomes)
    pairs = dict.fromkeys((one.bot, one.opponent) for one in outcomes)
    rows = [row(*pair, [one for one in outcomes if (one.bot, one.opponent) == pair]) for pair in pairs]
    headings = ("bot", "against", "games won", "games", "a game", "a decision", "corrected", "other rules", "refused")
    note = (
        "Ranges are 95 % intervals (Wilson). *Corrected*: fields of a view that catanatron showed otherwise; *other rules*: "
        "wishes that its rules do not know; *refused*: decisions that it did not list, which must be none."
    )
    wrong = [f"{one.bot}, game {one.number}: {one.refused} decisions refused" for one in outcomes if one.refused]
    bench.publish("Catan: against catanatron", [Figures("One against three", headings, rows)], note, wrong)


if __name__ == "__main__":
    main()
