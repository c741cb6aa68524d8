"""Tens of thousands of games at once on an NVIDIA GPU, all seats of them; what they show stays there (extra ``cuda``).

    tables = GpuTableEnv(65536, game, seats=2)
    step = tables.reset(seed=1)
    seen, masks = torch.from_dlpack(step.observations), torch.from_dlpack(step.masks)
    step = tables.step(actions)  # a tensor of integers on the GPU

It is `kibitz.adapters.vector_table.VectorTableEnv`, to the bit: the same seeds and actions give the same games, observations,
masks and rewards. Everything in a step is a `kibitz.adapters.device_arrays.Lent`, which PyTorch, CuPy and JAX read where it
lies. There is one set of arrays: the next step writes over them, so what is to be kept has to be copied.

A step is one kernel that acts, lets chance and the policies play on, begins the next game and finds what is legal, a thread
for each place; and one that writes observations and masks, a block of threads for each row. Who is to move is all that is
written by default: the observations of all seats halve the speed. The first step compiles, for half a minute
where rules are rich, or several where policies sit at the tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.adapters.device_arrays import Lent
from kibitz.adapters.device_steps import Told, sources_of, words_for
from kibitz.adapters.gpu_kernels import (
    ROW_THREADS,
    THREADS,
    copy_kernel,
    draw_kernel,
    inputs_kernel,
    judge_kernel,
    show_kernel,
    step_kernel,
)  # fmt: skip
from kibitz.adapters.places import ACTOR, SERIES, looked_up, seated, starts_of, wanted_ids
from kibitz.adapters.setting import ActionTable, Setting
from kibitz.adapters.vector_table import STARTS, Players, check_judged, check_room, compiled_setting, inputs_of, tables_of
from kibitz.compute.cuda import learned, require_gpu
from kibitz.game.doors import number_seeds
from kibitz.ground.jit import integers, struct, uint64
from kibitz.ground.rng import derive_seed

#: A stream of random numbers, for `GpuTableEnv.draw`.
SOURCE = struct("adapter_source", [("seed", np.uint64), ("random", np.uint64)])
#: Threads that a multiprocessor has at once, at most.
RESIDENT = 1024


def seeds_of(base: int, word: str, n: int) -> npt.NDArray[np.uint64]:
    """``derive_seed(base, word, i)`` for all i below n.

    >>> seeds_of(7, "place", 3).tolist() == [derive_seed(7, "place", i) for i in range(3)]
    True
    """
    seeds = integers(np.zeros(n, np.uint64))
    number_seeds(seeds, uint64(derive_seed(base, word)), 0)
    return np.asarray(seeds, np.uint64)


class GpuStep(NamedTuple):
    """Where all places stand after a step: as `kibitz.adapters.vector_table.Step`, on the GPU."""

    observations: Lent
    """``[place, number]`` what the player to move sees, 16 bits each; of all seats, ``[place, seat, number]``."""
    masks: Lent
    """``[place, id]`` 1 for what the player to move may do, 8 bits each; of all seats, ``[place, seat, id]``."""
    actors: Lent
    rewards: Lent
    over: Lent
    actions: Lent
    illegal: Lent
    inputs: Lent | None
    """``[place, seat, number]`` what the evaluator looks at, as far as the player to move can know it; its own first. As far as
    each seat can know it, ``[place, seat, seat, number]``, where all are observed."""


class GpuTableEnv:
    """`num_envs` games of a compiled game on a GPU, all of whose seats are asked from outside.

    The options are those of `VectorTableEnv` but for `floats`, `reuse` and `jobs`: observations are always integers, and there
    is one set of arrays. Raises `kibitz.compute.cuda.NoGpu` where there is no GPU.
    """

    def __init__(
        self,
        num_envs: int,
        game: str,
        seats: int | None = None,
        *,
        players: Players | Sequence[Players] | None = None,
        observe: Literal["actor", "all"] = "actor",
        inputs: bool = False,
        shaping: float = 0.0,
        discount: float = 1.0,
        starts: int = STARTS,
        **options: Any,
    ) -> None:
        require_gpu()
        from numba import cuda

        check_room(num_envs, starts, observe)
        self.setting: Setting = compiled_setting(game, seats, **options)
        here = self.setting
        self.num_envs, self.shaping, self.discount = num_envs, shaping, discount
        self._pool, self._shapes = starts, bool(shaping)
        if shaping:
            check_judged(here)
        tables = tables_of(here, players)
        self._places = seated(here, tables, num_envs)
        self._with_policies = any(policy is not None for table in tables for policy in table)
        eyes = np.array(range(here.seats) if observe == "all" else [ACTOR], np.int64)
        xs, n, rows = here.game.scratches(), num_envs, num_envs * len(eyes)
        self._learned = learned(here.game, xs)
        self._blank, self._ids, self._eyes = (cuda.to_device(np.asarray(one)) for one in (xs, looked_up(here.actions), eyes))
        self._sources = cuda.to_device(sources_of(here))
        self._states = cuda.device_array(n, here.game.state)
        self._bits = cuda.device_array((words_for(len(here.actions)), n), np.uint32)
        self._octets = cuda.device_array(rows * here.game.state.itemsize, np.uint8)
        self._views = self._octets.view(here.game.state)
        self._octets = self._octets.reshape(rows, here.game.state.itemsize)
        self._seen = cuda.device_array((rows, here.layout.size), np.int16)
        self._masks = cuda.device_array((rows, len(here.actions)), np.int8)
        self._told = Told(
            cuda.device_array(n, np.int64), cuda.device_array((n, here.seats), np.float32), cuda.device_array(n, np.bool_),
            cuda.device_array(n, np.int64), cuda.device_array(n, np.bool_),
        )  # fmt: skip
        self._potentials, self._judged = (cuda.device_array((n, here.seats), np.int64) for _ in range(2))
        self._inputs = None
        if inputs:
            self._inputs = cuda.device_array((rows, here.seats, inputs_of(here)), np.int16)
        self._chosen = cuda.device_array(n, np.int64)
        self._streams = self._device_places = self._device_starts = None
        device = cuda.get_current_device()
        self._processors, self._gpu = int(device.MULTIPROCESSOR_COUNT), int(device.id)
        self._shape: tuple[int, ...] = (n, here.seats) if observe == "all" else (n,)

    @property
    def seats(self) -> int:
        """How many play in each game."""
        return self.setting.seats

    @property
    def actions(self) -> ActionTable:
        """What the ids mean."""
        return self.setting.actions

    @property
    def states(self) -> Any:
        """``[place]`` a copy of the games themselves, with everything that is hidden: to look at, not to learn from."""
        return self._states.copy_to_host()

    def reset(self, seed: int = 0) -> GpuStep:
        """Begin a series of games in every place."""
        from numba import cuda

        rows = np.asarray(self._places)
        rows["streams"] = 0
        rows["streams"][:, SERIES] = seeds_of(seed, "place", self.num_envs)
        self._device_places = cuda.to_device(rows)
        self._device_starts = cuda.to_device(np.asarray(starts_of(self.setting, int(rows["streams"][0, SERIES]), self._pool)))
        sources = np.zeros(self.num_envs, SOURCE)
        sources["random"] = seeds_of(seed, "draw", self.num_envs)
        self._streams = cuda.to_device(sources)
        for array in self._told:
            array.copy_to_device(np.zeros(array.shape, array.dtype))
        return self._step(self._chosen, 1)

    def step(self, actions: Any) -> GpuStep:
        """Do something in every place: an array of integers on the GPU, or on the host; an illegal id is replaced.

        Raises a RuntimeError before the first `reset`, a ValueError for an array of another shape.
        """
        from numba import cuda

        if self._device_places is None:
            raise RuntimeError("no games are under way: call reset")
        if isinstance(actions, Lent):
            actions = actions.array
        if hasattr(actions, "__cuda_array_interface__"):
            wanted = cuda.as_cuda_array(actions)
        else:
            wanted = cuda.to_device(wanted_ids(actions, self.num_envs))
        if wanted.shape != (self.num_envs,) or wanted.dtype.kind not in "iu":
            raise ValueError(f"actions {wanted.dtype}{list(wanted.shape)}: expected integers, one for each of {self.num_envs}")
        if wanted.dtype != np.int64 or not wanted.is_c_contiguous():  # the large kernel is compiled for one kind alone
            copy_kernel()[self._blocks(self.num_envs), THREADS](wanted, self._chosen)
            wanted = self._chosen
        return self._step(wanted, 0)

    def draw(self) -> Lent:
        """A random legal action for every place, drawn on the GPU; the next draw or step may write over the array."""
        if self._device_places is None:
            raise RuntimeError("no games are under way: call reset")
        draw_kernel()[self._blocks(self.num_envs), THREADS](self._streams, self._bits, self._chosen)
        return Lent(self._chosen, self._gpu)

    def _blocks(self, rows: int) -> int:
        """As many blocks as there is work for, but no more than fit at once, and no fewer than keep the GPU from being idle."""
        return max(min(-(-rows // THREADS), self._processors * RESIDENT // THREADS), 2 * self._processors)

    def _step(self, wanted: Any, fresh: int) -> GpuStep:
        here, (low, high) = self.setting, self.setting.game.stakes
        blocks, rows, told = self._blocks(self.num_envs), len(self._views), self._told
        step_kernel(here.game, self._with_policies)[blocks, THREADS](
            self._blank, self._states, self._device_places, self._bits, self._views, self._device_starts, self._ids, self._eyes,
            wanted, low, high, fresh, *told,
        )  # fmt: skip
        if self._shapes:
            judge_kernel(here.game)[blocks, THREADS](
                self._blank, self._states, told.over, float(self.discount), 0.0 if fresh else float(self.shaping), self._judged,
                self._potentials, told.rewards,
            )  # fmt: skip
        if self._inputs is not None:
            inputs_kernel(here.game)[self._blocks(rows), THREADS](
                self._blank, self._views, told.actors, self._eyes, self._inputs
            )
        show_kernel()[max(rows, 2 * self._processors), ROW_THREADS](
            self._octets, self._bits, told.actors, self._eyes, self._sources, self._seen, self._masks
        )
        shown = (one.reshape(*self._shape, one.shape[1]) for one in (self._seen, self._masks))
        seen, masks, actors, rewards, ended, actions, illegal = (Lent(one, self._gpu) for one in (*shown, *told))
        inputs = None if self._inputs is None else Lent(self._inputs.reshape(*self._shape, *self._inputs.shape[1:]), self._gpu)
        return GpuStep(seen, masks, actors, rewards, ended, actions, illegal, inputs)
