"""Small compiled functions for `tests/ground/test_jit.py`: a named twin, calls by name and by module, writes to a struct."""

from typing import Any

import numpy as np

from kibitz.ground import rng
from kibitz.ground.bits import count
from kibitz.ground.jit import jit, struct, table
from kibitz.ground.rng import Source, below

PAIR = struct("pair", [("seed", np.uint64), ("random", np.uint64), ("big", np.int64), ("small", np.int8, (3,))])
PRIMES = table([2, 3, 5, 7])


def _word(n: int) -> str:
    return "plain"


@jit(twin=_word)
def word(n: int) -> str:
    return "compiled"


@jit
def by_name(s: Source, n: int) -> int:
    return below(s, n) + count(PRIMES[n % 4])


@jit
def by_module(s: Source, n: int) -> int:
    return rng.below(s, n) + count(PRIMES[n % 4])


@jit
def add(s: Any, k: int, n: int) -> int:
    s.small[k] += n
    s.big = s.small[k] * 1_000_000_000
    return s.big * 9
