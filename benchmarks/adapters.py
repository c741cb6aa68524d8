"""How fast the environments step, beside catanatron's in the same run: ``python benchmarks/adapters.py``.

A step is one decision of the seat, with all that the others and chance do until its next one, the observation and the mask; at
a table of PettingZoo, or in the batched environment of all seats, the decision of whoever is to move.
Actions are random legal ones; to choose them does not count. One core, and seconds of processor time, unless a row says
otherwise; the median of five measurements. catanatron's environment (``catanatron_gym``, two players, random opponent, no
offers) is measured where it is installed (``pip install --no-deps catanatron-gym catanatron networkx``: it asks for an old
Gymnasium, and takes a new one in the place of ``gym``).

``--gpu-only`` measures a GPU instead, by the clock: there a step also draws the random actions.
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
from typing import Any, Literal

import numpy as np
from tables import Bench, Figures, gpu_name, timed

from kibitz.adapters.gpu_table import GpuTableEnv
from kibitz.adapters.gym import SeatEnv
from kibitz.adapters.vector import VectorSeatEnv
from kibitz.adapters.vector_table import VectorTableEnv
from kibitz.adapters.zoo import TableEnv
from kibitz.catan.core.state import Rules
from kibitz.compute import cuda

PLACES, STEPS = 4096, 40
GPU_PLACES, GPU_STEPS, GPU_GOAL = (16384, 131072, 524288), 50, 20_000_000
SINGLE_STEPS = 5000
PEER_STEPS = 1500
#: How many times as fast as catanatron's.
GOAL = 100
#: The speed of all seats, beside that of one.
SHARE = 0.6
NO_OFFERS = Rules(domestic_trade=False)
Row = tuple[str, str, str]


class Speeds:
    """Steps a second of every kind of environment, the median of five measurements."""

    def __init__(self, bench: Bench) -> None:
        self.places, self.steps = bench.many(PLACES, 64), bench.many(STEPS, 2)
        self.single_steps, self.peer_steps = bench.many(SINGLE_STEPS, 50), bench.many(PEER_STEPS, 50)
        self.repeats = bench.repeats

    def median(self, measure: Callable[[], float]) -> float:
        return median(measure() for _ in range(self.repeats))

    def vector(self, jobs: int, seats: int, opponents: str, game: str = "catan", **options: Any) -> float:
        envs = VectorSeatEnv(self.places, game, seats, opponents=opponents, jobs=jobs, **options)
        _, infos = envs.reset(seed=1)
        dice = np.random.default_rng(1)
        clock = time.process_time if jobs == 1 else time.perf_counter

        def measure() -> float:
            nonlocal infos
            spent = 0.0
            for _ in range(self.steps):
                mask = infos["action_mask"]
                actions = np.argmax(mask * dice.random(mask.shape, np.float32), axis=1)
                began = clock()
                infos = envs.step(actions)[4]
                spent += clock() - began
            return self.places * self.steps / spent

        measure()  # out of the set-up, where nobody has anything to decide but places
        return self.median(measure)

    def tables(self, game: str, seats: int, observe: Literal["actor", "all"], **options: Any) -> float:
        """The batched environment of all seats: a step is a decision of whoever is to move."""
        tables = VectorTableEnv(self.places, game, seats, observe=observe, jobs=1, reuse=True, **options)
        step = tables.reset(seed=1)
        dice = np.random.default_rng(1)

        def measure() -> float:
            nonlocal step
            spent = 0.0
            for _ in range(self.steps):
                masks = tables.action_masks()
                actions = np.argmax(masks * dice.random(masks.shape, np.float32), axis=1)
                began = time.process_time()
                step = tables.step(actions)
                spent += time.process_time() - began
            return self.places * self.steps / spent

        measure()
        return self.median(measure)

    def single(self, seats: int, opponents: str, **options: Any) -> float:
        env = SeatEnv("catan", seats, opponents=opponents, **options)
        _, info = env.reset(seed=1)
        dice = np.random.default_rng(1)

        def measure() -> float:
            nonlocal info
            spent = 0.0
            for _ in range(self.single_steps):
                action = dice.choice(info["action_mask"].nonzero()[0])
                began = time.process_time()
                _, _, over, _, info = env.step(action)
                if over:
                    _, info = env.reset()
                spent += time.process_time() - began
            return self.single_steps / spent

        return self.median(measure)

    def table(self) -> float:
        env = TableEnv("catan", 2, rules=NO_OFFERS)
        env.reset(seed=1)
        dice = np.random.default_rng(1)

        def measure() -> float:
            mask = env.last()[0]["action_mask"]
            spent = 0.0
            for _ in range(self.single_steps):
                action = dice.choice(mask.nonzero()[0])
                began = time.process_time()
                env.step(action)
                observation, _, over, _, _ = env.last()
                if over:
                    env.reset()
                    observation = env.last()[0]
                spent += time.process_time() - began
                mask = observation["action_mask"]
            return self.single_steps / spent

        return self.median(measure)

    def peer(self) -> float | None:
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
            for _ in range(self.peer_steps):
                action = random.choice(env.get_valid_actions())
                began = time.process_time()
                if env.step(action)[2]:
                    env.reset()
                spent += time.process_time() - began
            return self.peer_steps / spent

        return self.median(measure)


def all_seats(speeds: Speeds, what: str, one: float, game: str, seats: int, **options: Any) -> list[tuple[str, float, str]]:
    """The rows of the batched environment of all seats, beside that of one seat among random players."""
    asked = speeds.tables(game, seats, "actor", **options)
    every = speeds.tables(game, seats, "all", **options)
    return [
        (f"{what}: all seats, who is to move observes", asked, f"{asked / one:.0%} of one seat's; target {SHARE:.0%}"),
        (
            f"{what}: all seats, everybody observes",
            every,
            f"{every / one:.0%} of one seat's, {every * seats:,.0f} observations/s",
        ),
    ]


def rows(speeds: Speeds) -> list[Row]:
    peer, cores = speeds.peer(), os.cpu_count() or 1
    alike = speeds.vector(1, 2, "random", rules=NO_OFFERS)
    single = speeds.single(2, "random", rules=NO_OFFERS)
    together = f"{speeds.places:,} games at once"
    times = f"{alike / peer:,.0f} times catanatron's; target over {GOAL}" if peer else "catanatron_gym is not installed"
    found = [
        (f"{together}, 2 players, random, no offers", alike, times),
        ("the same, all cores", speeds.vector(cores, 2, "random", rules=NO_OFFERS), f"{cores} cores, by the clock"),
        (f"{together}, 4 players, random, offers", speeds.vector(1, 4, "random"), ""),
        (f"{together}, 4 players, builder", speeds.vector(1, 4, "builder"), ""),
        ("one game, 2 players, random, no offers", single, f"{single / peer:,.0f} times catanatron's" if peer else ""),
        ("one game, 4 players, builder", speeds.single(4, "builder"), ""),
        ("one table of PettingZoo, 2 players, no offers", speeds.table(), "steps of both seats"),
    ]
    found += all_seats(speeds, "catan, 2 players, no offers", alike, "catan", 2, rules=NO_OFFERS)
    found += all_seats(speeds, "catan, 4 players, offers", found[2][1], "catan", 4)
    for seats in (2, 4):
        one = speeds.vector(1, seats, "random", "coup")
        found.append((f"coup, {seats} players, random: one seat", one, ""))
        found += all_seats(speeds, f"coup, {seats} players", one, "coup", seats)
    if peer:
        found.append(("catanatron's environment, 2 players, random, no offers", peer, "one game at a time"))
    return [(name, f"{speed:,.0f}", note) for name, speed, note in found]


# --- a GPU --------------------------------------------------------------------------------------------------------------


def gpu_speed(bench: Bench, places: int, game: str, seats: int, **options: Any) -> float:
    """Decisions a second on the GPU, the best of five: everything from the draw of an action to what is seen after it."""
    from numba import cuda as numba_cuda

    tables = GpuTableEnv(places, game, seats, **options)
    tables.reset(seed=1)
    steps = bench.many(GPU_STEPS, 2)

    def work() -> None:
        for _ in range(steps):
            tables.step(tables.draw())
        numba_cuda.synchronize()

    work()  # out of the set-up
    return places * steps / min(timed(work) for _ in range(bench.repeats))


def same_games(bench: Bench, game: str, seats: int, **options: Any) -> str:
    """Whether the GPU and the CPU see and play the same; random actions, and some illegal ones."""
    places, steps = bench.many(256, 8), bench.many(500, 5)
    gpu, cpu = GpuTableEnv(places, game, seats, **options), VectorTableEnv(places, game, seats, **options)
    there, here = gpu.reset(seed=5), cpu.reset(seed=5)
    dice = np.random.default_rng(1)
    for _ in range(steps):
        for name, mine, other in zip(here._fields, there, here, strict=True):
            if mine is not None and other is not None and not np.array_equal(np.asarray(mine), other):
                raise SystemExit(f"{game}: {name} differs between the GPU and the CPU")
        wanted = np.asarray(gpu.draw()).copy()
        wanted[dice.random(places) < 0.02] = -1
        there, here = gpu.step(wanted), cpu.step(wanted)
    if gpu.states.tobytes() != np.asarray(cpu.states).tobytes():
        raise SystemExit(f"{game}: the states differ between the GPU and the CPU")
    return f"the same as on the CPU ({places} places, {steps} steps)"


def gpu_rows(bench: Bench) -> list[Row]:
    try:
        cuda.require_gpu()
    except cuda.NoGpu as error:
        return [("decisions on one GPU", "not measured", str(error))]
    found: list[Row] = []

    def add(what: str, places: int, game: str, seats: int, note: str = "", **options: Any) -> None:
        speed = gpu_speed(bench, bench.many(places, 256), game, seats, **options)
        found.append((f"{what}, {places:,} games at once", f"{speed:,.0f}", note))

    two = "catan, 2 players, no offers"
    for places in GPU_PLACES:
        add(two, places, "catan", 2, f"target {GPU_GOAL:,}; {gpu_name()}", rules=NO_OFFERS)
    add(f"{two}, everybody observes", 131072, "catan", 2, rules=NO_OFFERS, observe="all")
    add("catan, 4 players, offers", 131072, "catan", 4)
    for seats in (2, 4):
        add(f"coup, {seats} players", 131072, "coup", seats)
    add(f"{two}, with the evaluator's inputs and shaping", 131072, "catan", 2, rules=NO_OFFERS, inputs=True, shaping=1.0)
    for game, seats, options in (("catan", 2, {"rules": NO_OFFERS, "inputs": True, "shaping": 0.5}), ("coup", 3, {})):
        found.append((f"{game}, {seats} players", "", same_games(bench, game, seats, **options)))
    return found


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--gpu-only", action="store_true", help="only the rows of a GPU (adapters_gpu.md)")


def main() -> None:
    bench = Bench(__doc__, "adapters.md", options)
    if bench.options.gpu_only or bench.quick:
        how = "By the clock, with everything: random actions are drawn, games step and begin, what is seen is written."
        table = Figures("Decisions on one GPU", ("what", "decisions/s", "note"), gpu_rows(bench))
        if not bench.quick:
            bench.target = "adapters_gpu.md"
            bench.publish("Environments on a GPU", [table], how)
            return
        table.show()
    how = "One core and processor time, unless a row says otherwise."
    bench.publish("Environments", [Figures("Steps of one core", ("what", "steps/s", "note"), rows(Speeds(bench)))], how)


if __name__ == "__main__":
    main()
