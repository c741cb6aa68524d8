"""Whole games on an NVIDIA GPU: the same compiled rules, unchanged, one game a thread (extra ``cuda``).

What limits a GPU here is not arithmetic but code: a rule book is far larger than the instruction cache, and threads
whose games wait for different things run different parts of it one after the other. So the threads of a block vote
in each round: the kind of step (`kibitz.game.kind`) that most of their games wait for is played, by all that wait for
it; the others wait until theirs has the majority. A thread whose game is over takes the next one. Measured on an
H200, random play: 300,000 games a second without the vote, 430,000 when each warp votes for itself, 700,000 when 16 warps
vote together.

Registers are the other limit: with 64 for a thread twice as many threads share a multiprocessor as with 128, which is
worth more than what is spilled (random play 850,000 instead of 600,000 games a second, bots a tenth more); with 40 more is
lost by spilling than won. Random play has a kernel of its own without the code of the bots (340,000 instead of 290,000 with
trade offers on). What did not help: to vote again before an action is applied, and a kernel for one bot alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.compute.local import Batch, Games, series
from kibitz.game import OVER, RANDOM, Game, actor, begin, decide, decide_by, do, kind

WARP = 0xFFFFFFFF  # all 32 threads of a warp
#: A block: the threads that vote together. The more code, the more of them have to agree.
THREADS, THREADS_OF_RANDOM_PLAY = 1024, 512
REGISTERS = 64  # of a thread: as many as a multiprocessor has for 1,024 of them
KINDS = 64  # of steps; the last stands for a thread without a game
NOTHING = KINDS - 1
GAMES_AT_ONCE = 132 * 1024  # threads in all: as many as fit on the multiprocessors of an H200


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


@dataclass(frozen=True)
class Gpu:
    """One NVIDIA GPU as the place where games are played."""

    def __post_init__(self) -> None:
        require_gpu()


@cache
def _kernel(game: Game, random_play: bool) -> Any:
    """The kernel for one game, or the one for random play of it.

    State and scratch live in local memory, which the hardware interleaves: the threads of a warp that read the same
    field then read one line of memory, not thirty-two.
    """
    from numba import cuda, from_dtype, int32

    state, scratch = from_dtype(game.state), from_dtype(game.scratch)

    @cuda.jit(max_registers=REGISTERS)  # type: ignore[untyped-decorator]
    def kernel(starts: Any, which: Any, seeds: Any, policies: Any, states: Any, tallies: Any, steps: Any) -> None:
        n = len(seeds)
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
            own_state[0] = starts[which[i]]
            begin(x, seeds[i])
        votes = cuda.shared.array((2, KINDS), int32)
        if cuda.threadIdx.x < KINDS:
            votes[0, cuda.threadIdx.x] = 0
        ballot = 0
        cuda.syncthreads()
        while True:
            waits_for = kind(s) if i < n else NOTHING
            alike = cuda.match_any_sync(WARP, waits_for)
            if waits_for != NOTHING and cuda.ffs(alike) == cuda.laneid + 1:
                cuda.atomic.add(votes, (ballot, waits_for), cuda.popc(alike))
            cuda.syncthreads()
            lane = cuda.laneid
            most = max(votes[ballot, lane] * KINDS + lane, votes[ballot, lane + 32] * KINDS + lane + 32)
            for distance in (16, 8, 4, 2, 1):
                most = max(most, cuda.shfl_xor_sync(WARP, most, distance))
            ballot = 1 - ballot
            if cuda.threadIdx.x < KINDS:
                votes[ballot, cuda.threadIdx.x] = 0
            cuda.syncthreads()
            if most < KINDS:
                break
            if most % KINDS == waits_for:
                seat = actor(s)
                if seat == OVER:
                    states[i] = own_state[0]
                    for k in range(len(x.tally)):
                        tallies[i, k] = x.tally[k]
                    i += threads
                    if i < n:
                        own_state[0] = starts[which[i]]
                        begin(x, seeds[i])
                else:
                    do(s, x, decide_by(s, x, seat, RANDOM) if random_play else decide(s, x, seat))
                    taken += 1
        steps[thread] = taken

    return kernel


def play(games: Games) -> Batch:
    """As `kibitz.compute.local.play`, on the GPU; the states and tallies are equal to the CPU's."""
    require_gpu()
    from numba import cuda

    n = len(games)
    random_play = set(games.policies) == {RANDOM}
    block = THREADS_OF_RANDOM_PLAY if random_play else THREADS
    threads = -(-min(n, GAMES_AT_ONCE) // block) * block
    states = cuda.device_array(n, games.game.state)
    tallies = cuda.device_array((n, games.game.seats[1]), np.int32)
    steps = cuda.to_device(np.zeros(threads, np.int64))
    policies = np.array(games.policies, np.int32)
    lists = [cuda.to_device(np.asarray(array)) for array in (games.starts, games.which, games.seeds, policies)]
    _kernel(games.game, random_play)[threads // block, block](*lists, states, tallies, steps)
    return Batch(states.copy_to_host(), tallies.copy_to_host(), int(steps.copy_to_host().sum()))


def play_games(game: Game, starts: npt.NDArray[np.void], n: int, seed: int, policies: Sequence[int], number: int = 0) -> Batch:
    """As `kibitz.compute.local.play_games`, on the GPU."""
    return play(series(game, starts, n, seed, policies, number))
