"""Thousands of games at once as one vectorised Gymnasium environment, stepped in compiled code on all cores.

>>> import numpy as np
>>> envs = VectorSeatEnv(4, "coup", seats=2, opponents="heuristic")
>>> observations, infos = envs.reset(seed=1)
>>> observations.shape, infos["action_mask"].shape
((4, 64), (4, 54))
>>> observations, rewards, terminations, truncations, infos = envs.step(np.zeros(4, np.int64))  # everybody takes income
>>> infos["illegal"]
array([False, False, False, False])

It is the environment of `kibitz.adapters.gym` many times, but the opponents are compiled policies, and the positions where
games begin come out of a pool, since to make a random board takes longer than to play on it. Game after game is played in each
place: the step after the end of a game begins the next one, whatever the action (Gymnasium's ``NEXT_STEP``).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from kibitz.adapters.gym import Info, observation_box
from kibitz.adapters.kernels import step_range
from kibitz.adapters.parts import Observations
from kibitz.adapters.setting import Setting, setting
from kibitz.compute.workers import Threads
from kibitz.game import as_structs, number_seeds, seat_policies
from kibitz.jit import integers, uint64
from kibitz.rng import derive_seed

Booleans = npt.NDArray[np.bool_]
#: Positions where games begin, by default.
STARTS = 256


class VectorSeatEnv(gymnasium.vector.VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):  # type: ignore[misc]
    """One seat in each of `num_envs` games (of Catan or Coup) against compiled policies.

    `starts` is the size of the pool of positions where games begin (of Catan: boards). What happens in a place depends on the
    seed, its number and its actions alone, however many threads (`jobs`) do the work. An illegal id is replaced as in
    `SeatEnv`; ``infos`` has arrays: ``action_mask``, ``action`` and ``illegal``.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int,
        game: str = "catan",
        seats: int | None = None,
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
        starts: int = STARTS,
        jobs: int | None = None,
        **options: Any,
    ) -> None:
        if num_envs < 1 or starts < 1:
            raise ValueError(f"num_envs={num_envs}, starts={starts}: expected at least 1")
        self.setting: Setting = setting(game, seats, **options)
        here, table = self.setting, self.setting.actions
        if here.game.is_plain:
            raise ValueError(f"{game}: its rules are not compiled; kibitz.adapters.gym has it")
        policies = [bot.policy for bot in here.table(seat, opponents)]
        if None in policies:
            raise ValueError(f"opponents {opponents!r}: expected compiled policies: {', '.join(here.game.policies)}")
        self._policies = [policy or 0 for policy in (*policies[:seat], 0, *policies[seat:])]
        self.seat, self.num_envs, self._pool = seat, num_envs, starts
        self._jobs = jobs or os.cpu_count() or 1
        self.single_observation_space = observation_box(here.layout)
        self.single_action_space = spaces.Discrete(len(table))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._codes = integers(np.array(table.codes, np.int64))
        self._ascending = integers(np.sort(self._codes))
        self._ids = integers(np.argsort(self._codes))
        self._defaults = integers(np.array(table.defaults, np.int64))
        self._states, self._views = here.game.room(num_envs), here.game.room(num_envs)
        self._streams = integers(np.zeros((num_envs, 4), np.uint64))
        self._over = np.ones(num_envs, np.bool_)
        self._masks = np.zeros((num_envs, len(table)), np.int8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Info]:
        """Begin a game in every place."""
        super().reset(seed=seed)
        own_seed = int(self.np_random.integers(1 << 63))
        first = [self.setting.start(derive_seed(own_seed, "start", i)) for i in range(self._pool)]
        self._starts = as_structs(np.concatenate([np.asarray(states) for states in first]))
        self._streams[:] = 0
        number_seeds(self._streams[:, 0], uint64(derive_seed(own_seed, "places")), 0)
        self._over[:] = True
        observations, _, _, _, infos = self.step(np.zeros(self.num_envs, np.int64))
        return observations, {"action_mask": infos["action_mask"]}

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Observations, npt.NDArray[np.float64], Booleans, Booleans, Info]:
        """Do something in every place, and let the others play until it is the seat's move again or the game is over."""
        n, here = self.num_envs, self.setting
        done = integers(np.array(actions, np.int64).reshape(n))
        prizes, illegal = integers(np.zeros(n, np.int64)), np.zeros(n, np.bool_)
        observations = np.empty((n, here.layout.size), np.int16)

        def part(places: range) -> None:
            xs = here.game.scratches()
            seat_policies(xs, self._policies)
            step_range(
                self._states, self._starts, self._views, self._streams, xs, 0, self.seat, self._codes, self._ascending,
                self._ids, self._defaults, done, self._masks, prizes, self._over, illegal, places.start, places.stop,
            )  # fmt: skip
            rows = slice(places.start, places.stop)
            here.layout.read(self._views[rows], self.seat, observations[rows])

        size = -(-n // self._jobs)
        for _ in Threads(self._jobs).map(part, [range(at, min(at + size, n)) for at in range(0, n, size)]):
            pass
        low, high = here.game.stakes
        rewards = np.where(self._over, (np.asarray(prizes) - low) / (high - low), 0.0)
        infos = {"action_mask": self._masks.copy(), "action": np.asarray(done), "illegal": illegal}
        return observations, rewards, self._over.copy(), np.zeros(n, np.bool_), infos
