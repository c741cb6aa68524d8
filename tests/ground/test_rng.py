"""Randomness: splitmix64 by its published values, compiled as in plain Python, and draws that follow seed and moment alone."""

import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from kibitz.examples import kuhn
from kibitz.game import structs
from kibitz.game.doors import reseed_at
from kibitz.ground.jit import plain, rows, uint64
from kibitz.ground.rng import _mix, below, chance, child, derive_seed, reseed

#: The first outputs of splitmix64 from the state 1234567, as published with many implementations.
SPLITMIX = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821)
STEP = 0x9E3779B97F4A7C15
WORD = 2**64
EDGES = (0, 1, 2, 1234567, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1)


def source(seed: int = 0, stream: int = 0):
    xs = structs(kuhn.SCRATCH)
    xs["seed"], xs["random"] = seed, stream
    return xs


def twin_of(xs):
    return rows(np.asarray(xs).copy())


def chi_square(counts: Counter, weights: dict) -> float:
    total, scale = sum(counts.values()), sum(weights.values())
    assert set(counts) <= set(weights)
    return sum((counts[k] - total * w / scale) ** 2 / (total * w / scale) for k, w in weights.items())


# --- splitmix64 -----------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_mixer_gives_the_published_values():
    states = [(1234567 + STEP * i) % WORD for i in range(1, 6)]
    assert tuple(int(_mix(uint64(s))) for s in states) == SPLITMIX
    assert tuple(plain(_mix)(s) for s in states) == SPLITMIX


@pytest.mark.plain
def test_children_are_the_outputs_of_the_stream():
    assert tuple(int(child(uint64(1234567), i)) for i in range(5)) == SPLITMIX
    assert tuple(plain(child)(1234567, i) for i in range(5)) == SPLITMIX


@pytest.mark.plain
@pytest.mark.parametrize("n", [1, 2, 6, 36, 1000, 2**31])
def test_a_draw_scales_the_upper_half_of_the_output(n):
    xs = source(stream=1234567)
    assert [below(xs[0], n) for _ in SPLITMIX] == [(word >> 32) * n >> 32 for word in SPLITMIX]
    assert int(xs["random"][0]) == (1234567 + 5 * STEP) % WORD


# --- compiled and plain ---------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize("seed", EDGES)
def test_compiled_equals_plain(seed):
    for number in (-2, -1, 0, 1, 63, 64 * 30000):
        assert int(child(uint64(seed), number)) == plain(child)(seed, number)
    xs = source(seed, seed)
    twin = twin_of(xs)
    for n in (1, 2, 7, 36, 2**31 - 1):
        assert below(xs[0], n) == plain(below)(twin[0], n)
        assert chance(xs[0], 64 * n % 30000, n) == plain(chance)(twin[0], 64 * n % 30000, n)
    reseed_at(xs, 0, uint64(seed))
    plain(reseed)(twin[0], seed)
    assert xs.tobytes() == twin.tobytes()


# --- seeds ----------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_derived_seeds_never_change():
    assert derive_seed(0) == 0
    assert derive_seed(-1) == WORD - 1
    assert derive_seed(1234567, 0) == SPLITMIX[0]
    assert derive_seed(1234567, 4) == SPLITMIX[4]
    assert derive_seed(42, "games") == 16821818673365688840
    assert derive_seed(42, "games", 0) == 5500533034368331845
    assert derive_seed(42, "games", 1) == 16773520060909338506
    assert derive_seed(42, "board", "spiral", "shuffled") == 313328896513455058


@pytest.mark.plain
def test_derived_seeds_depend_on_every_part_and_their_order():
    parts = [(), (0,), (1,), ("a",), ("b",), ("a", 0), (0, "a"), ("a", "b"), ("b", "a"), ("ab",), (0, 0), (-2,)]
    assert len({derive_seed(base, *p) for base in (0, 1, 2**63) for p in parts}) == 3 * len(parts)


def test_derived_seeds_are_the_same_in_another_process():
    code = "from kibitz.ground.rng import derive_seed; print(derive_seed(7, 'games', 3, 'x'))"
    env = {**os.environ, "PYTHONHASHSEED": "1", "KIBITZ_JIT": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert int(done.stdout) == derive_seed(7, "games", 3, "x")


@pytest.mark.plain
def test_a_new_game_splits_the_stream_of_the_policies_from_chance():
    xs = source()
    reseed_at(xs, 0, uint64(99))
    assert int(xs["seed"][0]) == 99
    assert int(xs["random"][0]) == plain(child)(99, -2)
    words = [plain(child)(99, i) for i in range(200)]
    assert int(xs["random"][0]) not in words


# --- draws ----------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize("n", [2, 5, 36])
def test_draws_are_uniform(n):
    draws = 400 * n
    limit = n - 1 + 6 * (2 * (n - 1)) ** 0.5  # six standard deviations: loose, and the seeds are fixed
    stream = source(stream=5)
    assert chi_square(Counter(below(stream[0], n) for _ in range(draws)), dict.fromkeys(range(n), 1)) < limit
    named = source(seed=5)
    assert chi_square(Counter(chance(named[0], 64 * i, n) for i in range(draws)), dict.fromkeys(range(n), 1)) < limit


@pytest.mark.plain
def test_draws_in_a_row_are_independent():
    stream = source(stream=11)
    draws = [below(stream[0], 4) for _ in range(6401)]
    pairs = Counter(pairwise(draws))
    assert chi_square(pairs, {(a, b): 1 for a in range(4) for b in range(4)}) < 15 + 6 * 30**0.5


@pytest.mark.plain
def test_chance_depends_on_seed_and_moment_alone():
    xs = source(seed=77, stream=1)
    first = [chance(xs[0], moment, 36) for moment in range(300)]
    assert first == [(plain(child)(77, moment) >> 32) * 36 >> 32 for moment in range(300)]
    xs["random"] = 123456
    below(xs[0], 6)
    stream = int(xs["random"][0])
    assert [chance(xs[0], moment, 36) for moment in reversed(range(300))] == first[::-1]
    assert int(xs["random"][0]) == stream
    xs["seed"] = 78
    assert [chance(xs[0], moment, 36) for moment in range(300)] != first
    assert len(set(first)) == 36
