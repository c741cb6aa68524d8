"""Whole games on an NVIDIA GPU: the same compiled rules, unchanged, a step of one game a thread (extra ``cuda``).

What limits a GPU here is not arithmetic but code: a rule book is far larger than the instruction cache, and threads
whose games wait for different things run different parts of it one after the other. So a block of threads has several
times as many games under way as threads. In each round the kind of step (`kibitz.game.verbs.kind`) is played that most of
them wait for, by each thread in one of these games; the others wait until theirs has the majority. Where a game is
over, the next one begins.

Measured on an H200, games of four builders a second in the kernel alone: 130,000 where each thread kept to games of its
own and waited with them, 205,000 where the games of a round are dealt out to the threads anew, so that whole warps are
busy or idle, 285,000 with twice as many games under way as threads, 340,000 with four times as many.

So what a table does not need is not in its kernel: random play has one of its own, luck is in it only where it is weighed, and
the player that asks the evaluator only where it sits at the table (with all of that in one kernel, random games were four times
slower and those of builders a third).

Registers are the other limit: with 64 for a thread twice as many threads share a multiprocessor as with 128, which is
worth more than what is spilled (340,000 instead of 300,000); with 40 more is lost by spilling than won (220,000). Random
play, whose steps are short, has smaller blocks. What had not
helped while each thread kept to its own games: to vote again before an action is applied, and a kernel for one bot alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.compute.local import Batch, Games
from kibitz.game import OVER, RANDOM, Game, States, seats_of
from kibitz.game.drivers import begin, decide_by, do, do_unweighed
from kibitz.game.evaluator import SURE
from kibitz.game.nets import NoNetwork
from kibitz.game.verbs import actor, kind, value

WARP = 0xFFFFFFFF  # all 32 threads of a warp
REGISTERS = 64  # of a thread
RESIDENT = 1024  # threads that fit on a multiprocessor with so many registers
#: A block: how many threads it has, and how many games it can have under way.
BLOCK, BLOCK_OF_RANDOM_PLAY = (1024, 4096), (512, 2048)
KINDS = 64  # of steps; the last stands for a place without a game: the next one is to begin there
EMPTY = KINDS - 1
CLOSED = -1  # what a place waits for when no game is left to begin
BEGUN, STEPS = range(2)  # what all blocks count together
JUDGES = 128  # threads of a block that judges positions


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


#: More than the number of any policy.
ANY = 1 << 30


@dataclass(frozen=True)
class _Table:
    """What the kernel of a table can do."""

    most: int
    """No seat has a policy with a higher number."""
    weighing: bool
    """Whether luck is weighed."""

    @classmethod
    def of(cls, games: Games, xs: Any) -> _Table:
        """Of some games with their scratch struct."""
        highest, school = max(games.policies), games.game.school
        most = RANDOM if highest == RANDOM else school.player - 1 if school and highest < school.player else ANY
        return cls(most, bool(xs["weighing"][0]))


@cache
def _kernel(game: Game, table: _Table) -> Any:
    """The kernel for one game at such a table.

    A game is played in ``states``, where its end is wanted. The scratch belongs to the thread; what of it outlives a step,
    the tally, the luck and the stream of random numbers, is kept for each game.
    """
    from numba import cuda, from_dtype, int8, int32

    scratch, highest = from_dtype(game.scratch), table.most
    threads, room = BLOCK_OF_RANDOM_PLAY if highest == RANDOM else BLOCK
    take_step = do if table.weighing else do_unweighed

    @cuda.jit(max_registers=REGISTERS)  # type: ignore[untyped-decorator]
    def kernel(
        starts: Any, which: Any, seeds: Any, blank: Any, places: int, states: Any, tallies: Any, lucks: Any, streams: Any,
        counts: Any,
    ) -> None:  # fmt: skip
        me, lane = cuda.threadIdx.x, cuda.laneid
        own_scratch = cuda.local.array(1, scratch)
        own_scratch[0] = blank[0]
        x = own_scratch[0]
        games = cuda.shared.array(room, int32)  # [place] the game that is played there
        waits_for = cuda.shared.array(room, int8)  # [place] the kind of step that is next there
        waiting = cuda.shared.array(KINDS, int32)  # [kind] how many places wait for it
        chosen = cuda.shared.array(threads, int32)  # [thread] the place where it plays in this round
        listed = cuda.shared.array(1, int32)  # how many places have been found for this round
        for place in range(me, places, threads):
            waits_for[place] = EMPTY
        if me < KINDS:
            waiting[me] = places if me == EMPTY else 0
        if me == 0:
            listed[0] = 0
        taken = 0
        while True:
            cuda.syncthreads()
            most = max(waiting[lane] * KINDS + lane, waiting[lane + 32] * KINDS + lane + 32)
            for distance in (16, 8, 4, 2, 1):
                most = max(most, cuda.shfl_xor_sync(WARP, most, distance))
            if most < KINDS:
                break
            step = most % KINDS
            for place in range(me, places, threads):
                if waits_for[place] == step:
                    number = cuda.atomic.add(listed, 0, 1)
                    if number < threads:
                        chosen[number] = place
            cuda.syncthreads()
            if me == 0:
                listed[0] = 0
            if me < most // KINDS:
                place = chosen[me]
                if step == EMPTY:
                    i = cuda.atomic.add(counts, BEGUN, 1)
                    games[place] = i
                    if i < len(seeds):
                        states[i] = starts[which[i]]
                        begin(x, seeds[i])
                else:
                    i = games[place]
                    s = states[i]
                    x.seed, x.random = seeds[i], streams[i]
                    for seat in range(len(x.tally)):
                        x.tally[seat], x.luck[seat] = tallies[i, seat], lucks[i, seat]
                    seat = actor(s)
                    take_step(
                        s, x, decide_by(s, x, seat, RANDOM if highest == RANDOM else min(x.policy[max(seat, 0)], highest))
                    )
                    taken += 1
                follows = CLOSED
                if i < len(seeds):
                    streams[i] = x.random
                    for seat in range(len(x.tally)):
                        tallies[i, seat], lucks[i, seat] = x.tally[seat], x.luck[seat]
                    follows = EMPTY if actor(states[i]) == OVER else kind(states[i])
                    cuda.atomic.add(waiting, follows, 1)
                waits_for[place] = follows
                cuda.atomic.add(waiting, step, -1)
        cuda.atomic.add(counts, STEPS, taken)

    return kernel


@cache
def _evaluation(game: Game) -> Any:
    """The kernel that judges positions of a game, one a thread."""
    from numba import cuda, from_dtype

    scratch = from_dtype(game.scratch)

    @cuda.jit  # type: ignore[untyped-decorator]
    def kernel(states: Any, blank: Any, values: Any, judged: Any) -> None:
        i = cuda.grid(1)
        if i < len(states):
            own_scratch = cuda.local.array(1, scratch)
            own_scratch[0] = blank[0]
            x = own_scratch[0]
            judged[i] = value(states[i], x)
            for seat in range(values.shape[1]):
                values[i, seat] = x.values[seat]

    return kernel


def learned(game: Game, xs: Any) -> list[Any]:
    """Let compiled code read the networks and tables of a game from the memory of the GPU; they stay there while this is kept.

    They are copied for every call, a few megabytes: a book may have been added, or replaced, since the last one.
    """
    from numba import cuda

    there = []
    if game.nets:
        there.append(cuda.to_device(game.nets.numbers.reshape(-1)))
        xs["net"] = there[-1].device_ctypes_pointer.value
    if game.tables:
        there.append(cuda.to_device(game.tables.bytes))
        xs["tables"] = there[-1].device_ctypes_pointer.value
    return there


def evaluated(game: Game, states: States, book: int = 0) -> npt.NDArray[np.float64]:
    """As `kibitz.learn.measure.evaluated`, on the GPU: the same numbers."""
    require_gpu()
    from numba import cuda

    xs = game.scratches()
    xs["book"] = book
    there = learned(game, xs)
    values, judged = cuda.device_array((len(states), seats_of(states)), np.int32), cuda.device_array(len(states), np.int8)
    lists = [cuda.to_device(np.asarray(array)) for array in (states, xs)]
    blocks = max(-(-len(states) // JUDGES), 2 * cuda.get_current_device().MULTIPROCESSOR_COUNT)  # few would be warned of
    _evaluation(game)[blocks, JUDGES](*lists, values, judged)
    found = values.copy_to_host() / SURE
    del there
    if not judged.copy_to_host().all():
        raise NoNetwork(f"{game.name}: there is no network for these rules")
    return np.asarray(found)


def play(games: Games) -> Batch:
    """As `kibitz.compute.local.play`, on the GPU; states, tallies and luck are equal to the CPU's."""
    require_gpu()
    from numba import cuda

    n = len(games)
    xs = games.scratches()
    table = _Table.of(games, xs)
    threads, room = BLOCK_OF_RANDOM_PLAY if table.most == RANDOM else BLOCK
    blocks = cuda.get_current_device().MULTIPROCESSOR_COUNT * RESIDENT // threads
    states = cuda.device_array(n, games.game.state)
    tallies, lucks = (cuda.device_array((n, games.game.seats[1]), np.int32) for _ in range(2))
    streams = cuda.device_array(n, np.uint64)
    counts = cuda.to_device(np.zeros(2, np.int64))
    there = learned(games.game, xs)
    lists = [cuda.to_device(np.asarray(array)) for array in (games.starts, games.which, games.seeds, xs)]
    places = min(room, -(-n // blocks))
    _kernel(games.game, table)[blocks, threads](*lists, places, states, tallies, lucks, streams, counts)
    steps = int(counts.copy_to_host()[STEPS])
    del there
    return Batch(states.copy_to_host(), tallies.copy_to_host(), steps, lucks.copy_to_host())
