"""The kernels of `kibitz.adapters.gpu_table`: a thread for each place, or a block of threads for each row that is shown."""

from __future__ import annotations

from functools import cache
from typing import Any

from kibitz.adapters.device_steps import drawn_id, is_legal, judge_place, shown, stepper
from kibitz.adapters.places import ACTOR, let_chance_play, look_closer, play_on
from kibitz.game import Game
from kibitz.game.evaluator import SURE

#: Threads of a block that steps, and of one that writes a row.
THREADS, ROW_THREADS = 128, 128
#: Registers of a thread that steps. With 64 twice as many threads share a multiprocessor, and steps are a tenth slower.
REGISTERS = 128


@cache
def step_kernel(game: Game, with_policies: bool) -> Any:
    """A step in every place. Where policies sit at the tables they are in it, else only chance is, which is far smaller."""
    from numba import cuda, from_dtype

    scratch = from_dtype(game.scratch)
    step = cuda.jit(device=True)(stepper(play_on if with_policies else let_chance_play))

    @cuda.jit(max_registers=REGISTERS)  # type: ignore[untyped-decorator]
    def kernel(
        blank: Any, states: Any, places: Any, bits: Any, views: Any, starts: Any, ids: Any, eyes: Any, wanted: Any, low: int,
        high: int, fresh: int, actors: Any, rewards: Any, over: Any, actions: Any, illegal: Any,
    ) -> None:  # fmt: skip
        own_scratch = cuda.local.array(1, scratch)
        own_scratch[0] = blank[0]
        x = own_scratch[0]
        for i in range(cuda.grid(1), len(places), cuda.gridsize(1)):
            step(
                states, places, bits, views, starts, ids, eyes, wanted, low, high, fresh, actors, rewards, over, actions,
                illegal, i, x,
            )  # fmt: skip

    return kernel


@cache
def show_kernel() -> Any:
    """Observations and masks, a block for each row of an eye."""
    from numba import cuda

    @cuda.jit  # type: ignore[untyped-decorator]
    def kernel(octets: Any, bits: Any, actors: Any, eyes: Any, sources: Any, observations: Any, masks: Any) -> None:
        me = cuda.threadIdx.x
        for row in range(cuda.blockIdx.x, len(octets), cuda.gridDim.x):
            i = row // len(eyes)
            eye = eyes[row % len(eyes)]
            actor = actors[i]
            seat = actor if eye == ACTOR else eye
            for j in range(me, observations.shape[1], ROW_THREADS):
                observations[row, j] = shown(octets, row, sources[seat, j], seat)
            for j in range(me, masks.shape[1], ROW_THREADS):
                masks[row, j] = is_legal(bits, i, j) if seat == actor else 0

    return kernel


@cache
def inputs_kernel(game: Game) -> Any:
    """What the evaluator looks at, in every view."""
    from numba import cuda, from_dtype

    scratch = from_dtype(game.scratch)

    @cuda.jit(max_registers=REGISTERS)  # type: ignore[untyped-decorator]
    def kernel(blank: Any, views: Any, actors: Any, eyes: Any, out: Any) -> None:
        own_scratch = cuda.local.array(1, scratch)
        own_scratch[0] = blank[0]
        x = own_scratch[0]
        for row in range(cuda.grid(1), len(views), cuda.gridsize(1)):
            eye = eyes[row % len(eyes)]
            look_closer(views, row, actors[row // len(eyes)] if eye == ACTOR else eye, x, out, row)

    return kernel


@cache
def judge_kernel(game: Game) -> Any:
    """What the evaluator gives every seat, into ``potentials``; with a `weight`, the difference is added to the rewards."""
    from numba import cuda, from_dtype
    from numba.cuda import libdevice

    scratch = from_dtype(game.scratch)

    @cuda.jit(max_registers=REGISTERS)  # type: ignore[untyped-decorator]
    def kernel(
        blank: Any, states: Any, over: Any, discount: float, weight: float, judged: Any, potentials: Any, rewards: Any
    ) -> None:
        own_scratch = cuda.local.array(1, scratch)
        own_scratch[0] = blank[0]
        x = own_scratch[0]
        for i in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            judge_place(states, i, x, judged)
            for seat in range(potentials.shape[1]):
                if weight != 0:
                    # rounded after every operation, as a CPU does it: nothing is fused
                    after = 0.0 if over[i] else libdevice.dmul_rn(discount, float(judged[i, seat]))
                    gain = libdevice.dmul_rn(after - potentials[i, seat], weight / SURE)
                    rewards[i, seat] = libdevice.dadd_rn(float(rewards[i, seat]), gain)
                potentials[i, seat] = judged[i, seat]

    return kernel


@cache
def draw_kernel() -> Any:
    """A random legal id for every place, each from a stream of its own."""
    from numba import cuda

    @cuda.jit  # type: ignore[untyped-decorator]
    def kernel(sources: Any, bits: Any, chosen: Any) -> None:
        for i in range(cuda.grid(1), len(chosen), cuda.gridsize(1)):
            chosen[i] = drawn_id(bits, i, sources[i])

    return kernel


@cache
def copy_kernel() -> Any:
    """Numbers of another width, or with gaps between them, as they are wanted."""
    from numba import cuda

    @cuda.jit  # type: ignore[untyped-decorator]
    def kernel(source: Any, target: Any) -> None:
        for i in range(cuda.grid(1), len(target), cuda.gridsize(1)):
            target[i] = source[i]

    return kernel
