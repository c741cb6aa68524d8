"""How fast Catan is, beside the peers that are installed, in one run: ``python benchmarks/catan_speed.py``.

Random games are played as in the peers' own loops: four players, uniformly random legal actions, no domestic trade.
Every figure is the median of five measurements, in processor time of one core, except those of two threads and of whole
commands. ``--gpu-only`` measures a GPU alone.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tables import Bench, Figures, gpu_name, timed

from kibitz.catan import GAME, Board, Rules
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.state import STATE, new_states
from kibitz.compute import cuda, local
from kibitz.compute.local import series
from kibitz.game import verbs
from kibitz.ground.jit import jit
from kibitz.play.series import play

NO_TRADE = Rules(domestic_trade=False)
Row = tuple[str, str, str, str]


def rate(bench: Bench, play: Callable[[int], object], games: int, clock: Callable[[], float] = time.process_time) -> float:
    """Games a second, median of five."""
    return games / bench.seconds(lambda: play(games), clock)


def kibitz(bot: str, rules: Rules, jobs: int) -> Callable[[int], object]:
    starts = new_states([Board.random(i) for i in range(64)], 4, rules)
    return lambda games: local.play(series(GAME, starts, games, 1, [BOTS[bot]] * 4), jobs)


def catanatron(games: int) -> None:
    from catanatron import Color, Game, RandomPlayer

    for i in range(games):
        Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)], seed=i).play()


def fastcatan(games: int) -> None:
    import fastcatan as peer

    rng = random.Random(0)
    codes = peer.action
    domestic = range(codes.TRADE_ADD_GIVE_BASE, codes.TRADE_CANCEL + 1)
    for i in range(games):
        env = peer.Env()
        env.reset(seed=i)
        while not env.done:
            env.step(rng.choice([a for a in env.legal_actions() if a not in domestic]))


def run(command: list[str], cache: str | None = None) -> None:
    """Run a command from start to end."""
    environment = {**os.environ, **({"KIBITZ_CACHE": cache} if cache else {})}
    subprocess.run(command, check=True, capture_output=True, env=environment)


@jit
def copy_many(states: Any, n: int) -> None:
    """Copy states within an array, as a search does all the time."""
    for i in range(n):
        verbs.copy(states, i % len(states), (i + 1) % len(states))


def copy_ns(bench: Bench) -> float:
    """The cost of copying one state inside compiled code."""
    states, times = new_states([Board.beginner()] * 1024), bench.many(1_000_000, 1000)
    return 1e9 * bench.seconds(lambda: copy_many(states, times)) / times


def cpu_rows(bench: Bench) -> list[Row]:
    few = bench.many(2_000, 4)
    one = rate(bench, kibitz("random", NO_TRADE, 1), bench.many(10_000, 4))
    two = rate(bench, kibitz("random", NO_TRADE, 2), bench.many(20_000, 4), time.perf_counter)
    steps = local.play(series(GAME, new_states(Board.beginner(), 4, NO_TRADE), few, 1, [0] * 4), 1).steps / few
    offers, builders = (rate(bench, kibitz(bot, Rules(), 1), few) for bot in ("random", "builder"))
    rows = [
        ("random games, one core", f"{one:,.0f} games/s", "at least 5,000", f"about {steps:,.0f} steps a game"),
        ("a step", f"{1e9 / one / steps:.0f} ns", "", "legal actions, a choice and its effect"),
        ("two threads", f"{two:,.0f} games/s", "at least 1.7 times", f"{two / one:.2f} times one thread"),
        ("random games with trade offers, one core", f"{offers:,.0f} games/s", "", ""),
        ("builder games with trade offers, one core", f"{builders:,.0f} games/s", "", ""),
    ]
    for name, peer, games, target in (("catanatron", catanatron, 20, 200), ("fastcatan, its Python loop", fastcatan, 200, 8)):
        try:
            speed = rate(bench, peer, bench.many(games))
        except ImportError:
            needs = "pip install 'kibitz[bench]' (fastcatan: Python 3.12 or newer)"
            rows.append((name, "not installed", f"over {target} times", needs))
        else:
            rows.append((name, f"{speed:,.1f} games/s", f"over {target} times", f"Kibitz is {one / speed:,.0f} times as fast"))
    return rows


def size_rows(bench: Bench) -> list[Row]:
    return [
        ("state", f"{STATE.itemsize} bytes", "under 512", ""),
        ("copy of a state", f"{copy_ns(bench):.0f} ns", "under 100", ""),
    ]


def record_rows(bench: Bench) -> list[Row]:
    """What it costs to write games down."""
    games = bench.many(500, 2)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.jsonl"
        speed = rate(bench, lambda n: play("catan", ["builder"] * 4, seed=1, games=n, record=file), games)
    return [("builder games, recorded", f"{speed:,.0f} games/s", "at least 150", "every step as a line of JSON, one thread")]


def start_rows(bench: Bench) -> list[Row]:
    command = [sys.executable, "-m", "kibitz.cli"]
    simulate = [*command, "catan", "simulate", "--games", "1"]
    with tempfile.TemporaryDirectory() as cache:
        cold = timed(lambda: run(simulate, cache))
    later = bench.seconds(lambda: run(simulate), time.perf_counter)
    helped = bench.seconds(lambda: run([*command, "--help"]), time.perf_counter)
    return [
        ("first start (compiles the rules)", f"{cold:.1f} s", "under 30", "kibitz catan simulate --games 1, empty cache"),
        ("later starts", f"{later:.2f} s", "under 1.2", "the same from the cache"),
        ("kibitz --help", f"{helped:.2f} s", "under 0.25", ""),
    ]


def gpu_rows(bench: Bench, games: int) -> list[Row]:
    try:
        cuda.require_gpu()
    except cuda.NoGpu as error:
        return [("random games, one GPU", "not measured", "at least 500,000", str(error))]
    starts = new_states([Board.random(i) for i in range(64)], 4, NO_TRADE)
    speed = rate(bench, lambda n: cuda.play(series(GAME, starts, n, 1, [0] * 4)), games, time.perf_counter)
    sample = 20_000
    here = local.play(series(GAME, starts, sample, 1, [0] * 4)).states
    there = cuda.play(series(GAME, starts, sample, 1, [0] * 4)).states
    equal = "states equal to the CPU's" if np.array_equal(here, there) else "STATES DIFFER FROM THE CPU'S"
    note = f"{gpu_name()}, {games:,} games; {equal} ({sample:,} games)"
    return [("random games, one GPU", f"{speed:,.0f} games/s", "at least 500,000", note)]


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--gpu-only", action="store_true", help="only the row of the GPU (catan_gpu.md)")
    parser.add_argument("--gpu-games", type=int, default=2_000_000)


def main() -> None:
    bench, title = Bench(__doc__, "catan_speed.md", options), "Catan: speed"
    if bench.options.gpu_only:
        bench.target, title, rows = "catan_gpu.md", "Catan: speed on a GPU", gpu_rows(bench, bench.options.gpu_games)
    else:
        # to start with an empty cache takes half a minute
        rows = [*cpu_rows(bench), *record_rows(bench), *size_rows(bench), *([] if bench.quick else start_rows(bench))]
    bench.publish(title, [Figures("Random games", ("what", "measured", "target", "note"), rows)])


if __name__ == "__main__":
    main()
