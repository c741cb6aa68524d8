"""How fast Catan is, beside the peers that are installed, in one run: ``python benchmarks/catan_speed.py [--write]``.

Random games are played as in the peers' own loops: four players, uniformly random legal actions, no domestic trade.
Every figure is the median of five measurements. ``--write`` keeps the table in ``benchmarks/results/catan_speed.md``.
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
from statistics import median
from typing import Any

import numpy as np
from tables import RESULTS, as_markdown, machine, show

from kibitz import game
from kibitz.catan import GAME, Board, Rules
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.state import STATE, new_states
from kibitz.compute import cuda
from kibitz.compute.local import play_games
from kibitz.ground.jit import jit

TARGET = RESULTS / "catan_speed.md"
REPEATS = 5
NO_TRADE = Rules(domestic_trade=False)
Row = tuple[str, str, str, str]


def rate(play: Callable[[int], object], games: int) -> float:
    """Games a second, median of five; the first call, which may compile, does not count."""
    play(2)
    speeds = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        play(games)
        speeds.append(games / (time.perf_counter() - began))
    return median(speeds)


def kibitz(bot: str, rules: Rules, jobs: int) -> Callable[[int], object]:
    starts = new_states([Board.random(i) for i in range(64)], 4, rules)
    return lambda games: play_games(GAME, starts, games, 1, [BOTS[bot]] * 4, jobs)


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


def seconds(command: list[str], cache: str | None = None) -> float:
    """How long a command takes, from start to end."""
    environment = {**os.environ, **({"KIBITZ_CACHE": cache} if cache else {})}
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - began


@jit
def copy_many(states: Any, n: int) -> None:
    """Copy states within an array, as a search does all the time."""
    for i in range(n):
        game.copy(states, i % len(states), (i + 1) % len(states))


def copy_ns() -> float:
    """The cost of copying one state inside compiled code."""
    states = new_states([Board.beginner()] * 1024)
    copy_many(states, 10)
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        copy_many(states, 1_000_000)
        times.append((time.perf_counter() - began) * 1000)
    return median(times)


def cpu_rows() -> list[Row]:
    one = rate(kibitz("random", NO_TRADE, 1), 10_000)
    steps = play_games(GAME, new_states(Board.beginner(), 4, NO_TRADE), 2_000, 1, [0] * 4, 1).steps / 2_000
    two = rate(kibitz("random", NO_TRADE, 2), 20_000)
    rows = [
        ("random games, one core", f"{one:,.0f} games/s", "at least 5,000", f"about {steps:,.0f} steps a game"),
        ("a step", f"{1e9 / one / steps:.0f} ns", "", "legal actions, a choice and its effect"),
        ("two threads", f"{two:,.0f} games/s", "at least 1.7 times", f"{two / one:.2f} times one thread"),
        ("random games with trade offers, one core", f"{rate(kibitz('random', Rules(), 1), 2_000):,.0f} games/s", "", ""),
        ("builder games with trade offers, one core", f"{rate(kibitz('builder', Rules(), 1), 2_000):,.0f} games/s", "", ""),
    ]
    for name, peer, games, target in (("catanatron", catanatron, 20, 200), ("fastcatan, its Python loop", fastcatan, 200, 8)):
        try:
            speed = rate(peer, games)
        except ImportError:
            rows.append(
                (name, "not installed", f"over {target} times", "pip install 'kibitz[bench]' (fastcatan: Python 3.12 or newer)")
            )
        else:
            rows.append((name, f"{speed:,.1f} games/s", f"over {target} times", f"Kibitz is {one / speed:,.0f} times as fast"))
    return rows


def size_and_start_rows() -> list[Row]:
    command = [sys.executable, "-m", "kibitz.cli"]
    simulate = [*command, "catan", "simulate", "--games", "1"]
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds(simulate, cache)
    seconds(simulate)
    return [
        ("state", f"{STATE.itemsize} bytes", "under 512", ""),
        ("copy of a state", f"{copy_ns():.0f} ns", "under 100", ""),
        ("first start (compiles the rules)", f"{cold:.1f} s", "under 30", "kibitz catan simulate --games 1, empty cache"),
        ("later starts", f"{median(seconds(simulate) for _ in range(REPEATS)):.2f} s", "under 1.5", "the same from the cache"),
        ("kibitz --help", f"{median(seconds([*command, '--help']) for _ in range(REPEATS)):.2f} s", "under 0.4", ""),
    ]


def gpu_rows(games: int) -> list[Row]:
    try:
        cuda.require_gpu()
    except cuda.NoGpu as error:
        return [("random games, one GPU", "not measured", "at least 500,000", str(error))]
    from numba import cuda as device

    starts = new_states([Board.random(i) for i in range(64)], 4, NO_TRADE)
    speed = rate(lambda n: cuda.play_games(GAME, starts, n, 1, [0] * 4), games)
    sample = 20_000
    here = play_games(GAME, starts, sample, 1, [0] * 4).states
    there = cuda.play_games(GAME, starts, sample, 1, [0] * 4).states
    equal = "states equal to the CPU's" if np.array_equal(here, there) else "STATES DIFFER FROM THE CPU'S"
    name = device.get_current_device().name
    name = name.decode() if isinstance(name, bytes) else name
    return [
        (
            "random games, one GPU",
            f"{speed:,.0f} games/s",
            "at least 500,000",
            f"{name}, {games:,} games; {equal} ({sample:,} games)",
        )
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {TARGET.name}")
    parser.add_argument("--gpu-only", action="store_true", help="only the row of the GPU")
    parser.add_argument("--gpu-games", type=int, default=2_000_000)
    options = parser.parse_args()
    rows = (
        gpu_rows(options.gpu_games) if options.gpu_only else [*cpu_rows(), *size_and_start_rows(), *gpu_rows(options.gpu_games)]
    )
    headings = ("what", "measured", "target", "note")
    show("Catan", headings, rows)
    if options.write:
        text = f"# Catan: speed\n\n{as_markdown(headings, rows)}\nMeasured on: {machine()}.\n"
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
