"""How fast the analysis is, and what adaptive spending saves: ``python benchmarks/analysis.py``.

Whole four-player games of the bots on one core (CPU time, so that other work on the machine counts little) beside games of
catanatron's value-function player in the same run, the whole call of an analysis on one and on two threads, and the top
choice of adaptive spending beside that of four times as many games spent evenly (``--boards 0`` leaves that out: it plays
almost two million games). Speeds are medians of five. ``--gpu-only`` measures a GPU beside one core of its machine instead.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np
from tables import Bench, Figures, gpu_name

from kibitz.catan import Board
from kibitz.catan.analysis import AnalysisConfig, AnalysisResult, Position, create_analyzer
from kibitz.catan.analysis.rollouts import Outcomes, Unit, play_units, split
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.state import new_states
from kibitz.compute import cuda
from kibitz.compute.runtime import Threads, Workers
from kibitz.ground.rng import derive_seed

SEED = 2025
ROLLOUTS, CANDIDATES = 1000, 10
#: On how many boards the games are played whose speed is measured.
SERIES = 16
#: Games of each speed measurement on one core, and for the comparison of a GPU with the CPU.
GAMES, SAMPLE = 2_000, 20_000
#: Where catanatron's sources hold the player; its releases on PyPI do not.
VALUE_PLAYERS = ("catanatron.players.value", "catanatron_experimental.machine_learning.players.value")
PUBLISHED = 0.8
Row = tuple[str, str, str, str]


def board(number: int) -> Board:
    return Board.random(derive_seed(SEED, "board", number))


def units(bot: str, games: int) -> list[Unit]:
    """Whole games on several boards as an analysis plays them."""
    each = -(-games // SERIES)
    policies = (BOTS[bot],) * 4
    return [unit for i in range(SERIES) for unit in split(new_states(board(i)), derive_seed(SEED, i), 0, each, policies)]


def outcomes(work: Sequence[Unit], workers: Workers | cuda.Gpu) -> Outcomes:
    """What became of the games of all units, in their order."""
    found = dict(play_units(work, workers))
    return np.concatenate([found[number] for number in range(len(work))])


def rate(bench: Bench, play: Callable[[], object], games: int, clock: Callable[[], float]) -> float:
    """Games a second, median of five."""
    return games / bench.seconds(play, clock)


def one_core(bench: Bench, bot: str) -> float:
    """Games a second of CPU time."""
    work = units(bot, bench.many(GAMES, SERIES))
    return rate(bench, lambda: outcomes(work, Threads(1)), sum(unit.count for unit in work), time.process_time)


# --- games --------------------------------------------------------------------------------------------------------


def value_function_games(games: int) -> Callable[[], None]:
    """Games of four of catanatron's value-function players; an ImportError where they are not installed."""
    from catanatron import Color, Game

    for place in VALUE_PLAYERS:
        try:
            player: Any = import_module(place).ValueFunctionPlayer
            break
        except ModuleNotFoundError:
            if place == VALUE_PLAYERS[-1]:
                raise

    def play() -> None:
        for i in range(games):
            Game([player(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)], seed=i).play()

    return play


def game_rows(bench: Bench, peer_games: int = 4) -> list[Row]:
    builder = one_core(bench, "builder")
    rows = [
        ("games of four builders, one core", f"{builder:,.0f} games/s", "at least 1,500", "trade offers on, CPU time"),
        ("games of four seeds, one core", f"{one_core(bench, 'seed'):,.0f} games/s", "at least 1,500", "the same"),
    ]
    name = "catanatron, four value-function players"
    try:
        peer = rate(bench, value_function_games(peer_games), peer_games, time.process_time)
    except ImportError:
        return [
            *rows,
            (name, "not installed", "", f"its sources are needed, not the release; {PUBLISHED} games/s are published"),
        ]
    note = f"in this run, CPU time; builders are {builder / peer:,.0f} times as fast"
    return [*rows, (name, f"{peer:.2f} games/s", "", note)]


# --- a whole analysis -----------------------------------------------------------------------------------------------


def analyse(number: int, workers: Workers | None = None, **settings: Any) -> AnalysisResult:
    """The first settlement on a board, by whole games."""
    config = AnalysisConfig(full_game_candidate_vertices=CANDIDATES, **settings)
    return create_analyzer("full_game").analyze(Position.opening(board(number)), config, workers=workers)


def analysis_rows(bench: Bench) -> list[Row]:
    rollouts = bench.many(ROLLOUTS, 4)
    times: dict[int, list[float]] = {1: [], 2: []}
    results = []
    analyse(0, full_game_rollouts=bench.many(10, 1))
    for _ in range(bench.repeats):
        for jobs, taken in times.items():
            began = time.perf_counter()
            results.append(analyse(0, Threads(jobs), full_game_rollouts=rollouts))
            taken.append(time.perf_counter() - began)
    equal = "equal results" if all(result == results[0] for result in results) else "RESULTS DIFFER"
    two = median(times[2])
    ratio = median(one / both for one, both in zip(times[1], times[2], strict=True))
    return [
        (
            f"an analysis: {CANDIDATES} candidates x {rollouts:,} rollouts, two threads, warm",
            f"{two:.2f} s",
            "under 5",
            f"{results[0].games / two:,.0f} games/s, with static scores, draft and lines",
        ),
        ("two threads", f"{ratio:.2f} times one", "at least 1.7 times", f"the same analysis; {equal}"),
    ]


# --- adaptive spending ------------------------------------------------------------------------------------------------


def spending_rows(boards: int, rollouts: int) -> list[Row]:
    """Whether a quarter of the games finds what all of them do.

    The fair comparison is with other dice, beside a quarter spent evenly: with the same dice the quarter is a part of the
    whole. There are boards on which two corners are so near to each other that four times as many games would not settle
    it: how much is lost then says more than how often.
    """
    plenty, quarter = 5 * rollouts, 5 * rollouts // 4
    ways: dict[str, tuple[str, dict[str, Any]]] = {
        "adaptive, other dice": ("", {"mc_seed": 1}),
        "evenly, other dice": ("", {"mc_seed": 1, "adaptive": False}),
        "adaptive, the same dice": (f"at least {0.9 * boards:.0f}", {}),
    }
    same = dict.fromkeys(ways, 0)
    lost: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(boards):
        whole = analyse(number, full_game_rollouts=plenty, adaptive=False).global_ranking
        totals = {score.vertex_id: score.total for score in whole}
        for way, (_, settings) in ways.items():
            choice = analyse(number, full_game_rollouts=quarter, **settings).global_ranking[0].vertex_id
            same[way] += choice == whole[0].vertex_id
            lost[way].append(whole[0].total - totals[choice])
    return [
        (
            f"top choice with a quarter of the games, {way}",
            f"{same[way]} of {boards} boards",
            target,
            f"as evenly {CANDIDATES} x {plenty:,}; score lost: mean {np.mean(lost[way]):.3f}, most {max(lost[way]):.3f}",
        )
        for way, (target, _) in ways.items()
    ]


# --- a GPU --------------------------------------------------------------------------------------------------------------


def gpu_rows(bench: Bench, games: int) -> list[Row]:
    name = "games of four builders, one GPU"
    try:
        gpu = cuda.Gpu()
    except cuda.NoGpu as error:
        return [(name, "not measured", "at least 100 times one core", str(error))]
    core = one_core(bench, "builder")
    sample = units("builder", SAMPLE)
    equal = np.array_equal(outcomes(sample, Threads()), outcomes(sample, gpu))
    work = units("builder", games)
    played = sum(unit.count for unit in work)
    speed = rate(bench, lambda: outcomes(work, gpu), played, time.perf_counter)
    says = "outcomes equal to the CPU's" if equal else "OUTCOMES DIFFER FROM THE CPU'S"
    note = f"{speed / core:,.0f} times one core; {gpu_name()}, {played:,} games"
    return [
        ("games of four builders, one core", f"{core:,.0f} games/s", "", "of the same machine, CPU time"),
        (name, f"{speed:,.0f} games/s", "at least 100 times", note),
        ("the same games on both", f"{SAMPLE:,} games", "equal", says),
    ]


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--boards", type=int, default=20, help="for adaptive spending")
    parser.add_argument("--gpu-only", action="store_true", help="only the rows of the GPU (analysis_gpu.md)")
    parser.add_argument("--gpu-games", type=int, default=1 << 20)


def main() -> None:
    bench, title = Bench(__doc__, "analysis.md", options), "The analysis"
    if bench.options.gpu_only:
        bench.target, title, rows = "analysis_gpu.md", "The analysis on a GPU", gpu_rows(bench, bench.options.gpu_games)
    else:
        rows = [*game_rows(bench), *analysis_rows(bench)]
        boards = min(bench.options.boards, bench.many(20, 1))
        rows += spending_rows(boards, bench.many(ROLLOUTS, 4)) if boards else []
    bench.publish(title, [Figures("Speed", ("what", "measured", "target", "note"), rows)])


if __name__ == "__main__":
    main()
