"""How fast the environments step, beside catanatron's in the same run: ``python benchmarks/adapters.py [--write]``.

A step is one decision of the seat, with all that the others and chance do until its next one, the observation and the mask; at
a table of PettingZoo, where all seats are asked, the decision of whoever is to move.
Actions are random legal ones; to choose them does not count. One core, and seconds of processor time, unless a row says
otherwise; the median of five measurements. catanatron's environment (``catanatron_gym``, two players, random opponent, no
offers) is measured where it is installed (``pip install --no-deps catanatron-gym catanatron networkx``: it asks for an old
Gymnasium, and takes a new one in the place of ``gym``). ``--write`` keeps the table in ``benchmarks/results/adapters.md``.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np
from tables import RESULTS, as_markdown, machine, show

from kibitz.adapters.gym import SeatEnv
from kibitz.adapters.vector import VectorSeatEnv
from kibitz.adapters.zoo import TableEnv
from kibitz.catan.core.state import Rules

TARGET = RESULTS / "adapters.md"
REPEATS = 5
PLACES, STEPS = 4096, 40
SINGLE_STEPS = 5000
PEER_STEPS = 1500
#: How many times as fast as catanatron's.
GOAL = 100
Row = tuple[str, str, str]


def median_speed(measure: Callable[[], float]) -> float:
    """Steps a second, median of five."""
    return median(measure() for _ in range(REPEATS))


def vector_speed(jobs: int, seats: int, opponents: str, **options: Any) -> float:
    envs = VectorSeatEnv(PLACES, "catan", seats, opponents=opponents, jobs=jobs, **options)
    _, infos = envs.reset(seed=1)
    dice = np.random.default_rng(1)
    clock = time.process_time if jobs == 1 else time.perf_counter

    def measure() -> float:
        nonlocal infos
        spent = 0.0
        for _ in range(STEPS):
            mask = infos["action_mask"]
            actions = np.argmax(mask * dice.random(mask.shape, np.float32), axis=1)
            began = clock()
            infos = envs.step(actions)[4]
            spent += clock() - began
        return PLACES * STEPS / spent

    measure()  # out of the set-up, where nobody has anything to decide but places
    return median_speed(measure)


def single_speed(seats: int, opponents: str, **options: Any) -> float:
    env = SeatEnv("catan", seats, opponents=opponents, **options)
    _, info = env.reset(seed=1)
    dice = np.random.default_rng(1)

    def measure() -> float:
        nonlocal info
        spent = 0.0
        for _ in range(SINGLE_STEPS):
            action = dice.choice(info["action_mask"].nonzero()[0])
            began = time.process_time()
            _, _, over, _, info = env.step(action)
            if over:
                _, info = env.reset()
            spent += time.process_time() - began
        return SINGLE_STEPS / spent

    return median_speed(measure)


def table_speed() -> float:
    env = TableEnv("catan", 2, rules=Rules(domestic_trade=False))
    env.reset(seed=1)
    dice = np.random.default_rng(1)

    def measure() -> float:
        mask = env.last()[0]["action_mask"]
        spent = 0.0
        for _ in range(SINGLE_STEPS):
            action = dice.choice(mask.nonzero()[0])
            began = time.process_time()
            env.step(action)
            observation, _, over, _, _ = env.last()
            if over:
                env.reset()
                observation = env.last()[0]
            spent += time.process_time() - began
            mask = observation["action_mask"]
        return SINGLE_STEPS / spent

    return median_speed(measure)


def peer_speed() -> float | None:
    """Steps a second of catanatron's environment, or None where it is not installed."""
    for name in ("", ".spaces", ".envs", ".envs.registration"):
        sys.modules.setdefault(f"gym{name}", import_module(f"gymnasium{name}"))
    try:
        from catanatron_gym.envs.catanatron_env import CatanatronEnv
    except ImportError:
        return None
    random.seed(1)  # it has no seed of its own
    env = CatanatronEnv()
    env.reset()

    def measure() -> float:
        spent = 0.0
        for _ in range(PEER_STEPS):
            action = random.choice(env.get_valid_actions())
            began = time.process_time()
            if env.step(action)[2]:
                env.reset()
            spent += time.process_time() - began
        return PEER_STEPS / spent

    return median_speed(measure)


def rows() -> list[Row]:
    peer = peer_speed()
    alike = vector_speed(1, 2, "random", rules=Rules(domestic_trade=False))
    single = single_speed(2, "random", rules=Rules(domestic_trade=False))
    times = f"{alike / peer:,.0f} times catanatron's; target over {GOAL}" if peer else "catanatron_gym is not installed"
    cores = os.cpu_count() or 1
    found = [
        (f"{PLACES:,} games at once, 2 players, random, no offers", f"{alike:,.0f}", times),
        (
            "the same, all cores",
            f"{vector_speed(cores, 2, 'random', rules=Rules(domestic_trade=False)):,.0f}",
            f"{cores} cores, by the clock",
        ),
        (f"{PLACES:,} games at once, 4 players, random, offers", f"{vector_speed(1, 4, 'random'):,.0f}", ""),
        (f"{PLACES:,} games at once, 4 players, builder", f"{vector_speed(1, 4, 'builder'):,.0f}", ""),
        (
            "one game, 2 players, random, no offers",
            f"{single:,.0f}",
            f"{single / peer:,.0f} times catanatron's" if peer else "",
        ),
        ("one game, 4 players, builder", f"{single_speed(4, 'builder'):,.0f}", ""),
        ("one table of PettingZoo, 2 players, no offers", f"{table_speed():,.0f}", "steps of both seats"),
    ]
    if peer:
        found.append(("catanatron's environment, 2 players, random, no offers", f"{peer:,.0f}", ""))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {TARGET.name}")
    write = parser.parse_args().write
    headings, found = ("Catan", "steps/s", "note"), rows()
    show(f"Environments on {machine()}", headings, found)
    if write:
        how = "One core and processor time, unless a row says otherwise; catanatron's environment is one game at a time."
        TARGET.write_text(f"# Environments\n\n{machine()}. {how}\n\n{as_markdown(headings, found)}", encoding="utf-8")


if __name__ == "__main__":
    main()
