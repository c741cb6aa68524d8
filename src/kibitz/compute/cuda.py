"""Whole games on an NVIDIA GPU: the same compiled rules, unchanged, one game a thread (extra ``cuda``).

The 32 threads of a warp run in step: where their games wait for different things, the hardware runs one after the
other and fetches all their code. So a warp looks in each round which kind of step (`kibitz.game.kind`) most of its
games wait for, and plays only those; the rest wait until they are the majority. A thread whose game is over takes the
next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.compute.local import Batch
from kibitz.game import OVER, Game, actor, apply, decide, kind
from kibitz.rng import child, derive_seed, reseed

WARP = 0xFFFFFFFF  # all 32 threads of a warp
THREADS = 128  # a block
GAMES_AT_ONCE = 132 * 1024  # threads in all: as many as an H200 keeps resident at the registers that the rules need


class NoGpu(RuntimeError):
    """There is no usable GPU; the message says what is missing."""


def require_gpu() -> None:
    """Raise `NoGpu` with the reason where games cannot be played on a GPU."""
    try:
        from numba import cuda
    except ImportError:
        raise NoGpu("no GPU support: the package numba-cuda is not installed (pip install 'kibitz[cuda]')") from None
    if not cuda.is_available():
        raise NoGpu("no GPU: CUDA finds no device on this machine")


@cache
def _kernel(game: Game) -> Any:
    """The kernel for one game.

    State and scratch live in local memory, which the hardware interleaves: the threads of a warp that read the same
    field then read one line of memory, not thirty-two.
    """
    from numba import cuda, from_dtype

    state, scratch = from_dtype(game.state), from_dtype(game.scratch)

    @cuda.jit  # type: ignore[untyped-decorator]
    def kernel(starts: Any, states: Any, seed: Any, n: Any, policies: Any, steps: Any) -> None:
        thread = cuda.grid(1)
        threads = cuda.gridsize(1)
        own_state = cuda.local.array(1, state)
        own_scratch = cuda.local.array(1, scratch)
        s = own_state[0]
        x = own_scratch[0]
        for seat in range(len(policies)):
            x.policy[seat] = policies[seat]
        taken = 0
        i = thread
        if i < n:
            own_state[0] = starts[i % len(starts)]
            reseed(x, child(seed, i))
        while cuda.any_sync(WARP, i < n):
            waits_for = kind(s) if i < n else -1
            alike = cuda.popc(cuda.match_any_sync(WARP, waits_for))
            most = alike * 64 + waits_for if i < n else 0
            for distance in (16, 8, 4, 2, 1):
                most = max(most, cuda.shfl_xor_sync(WARP, most, distance))
            if i < n and most % 64 == waits_for:
                seat = actor(s)
                if seat == OVER:
                    states[i] = own_state[0]
                    i += threads
                    if i < n:
                        own_state[0] = starts[i % len(starts)]
                        reseed(x, child(seed, i))
                else:
                    apply(s, decide(s, x, seat))
                    taken += 1
            cuda.syncwarp(WARP)
        steps[thread] = taken

    return kernel


def play_games(game: Game, starts: npt.NDArray[np.void], n: int, seed: int, policies: Sequence[int]) -> Batch:
    """As `kibitz.compute.local.play_games`, on the GPU; the states are equal to the CPU's for the same seed."""
    require_gpu()
    from numba import cuda

    threads = -(-min(n, GAMES_AT_ONCE) // THREADS) * THREADS
    states = cuda.device_array(n, game.state)
    steps = cuda.to_device(np.zeros(threads, np.int64))
    base = np.uint64(derive_seed(seed, "games"))
    _kernel(game)[threads // THREADS, THREADS](
        cuda.to_device(np.asarray(starts)), states, base, n, cuda.to_device(np.array(policies, np.int32)), steps
    )
    return Batch(states.copy_to_host(), int(steps.copy_to_host().sum()))
