"""Thousands of games at once as one vectorised Gymnasium environment, stepped in compiled code on all cores.

>>> import numpy as np
>>> envs = VectorSeatEnv(4, "coup", seats=2, opponents="heuristic")
>>> observations, infos = envs.reset(seed=1)
>>> observations.shape, infos["action_mask"].shape
((4, 64), (4, 54))
>>> observations, rewards, terminations, truncations, infos = envs.step(np.zeros(4, np.int64))  # everybody takes income
>>> infos["illegal"]
array([False, False, False, False])

It is the environment of `kibitz.adapters.gym` many times. Place i with the seed s plays the very games of a `SeatEnv` that is
reset with ``s + i``, as Gymnasium's own ``SyncVectorEnv`` would have it, but in Catan without a given board: there the boards
come out of a pool, since to make one takes longer than to play on it. The opponents are compiled policies.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from kibitz.adapters.gym import Info, observation_box, series_seed
from kibitz.adapters.kernels import GAMES, PLAYERS, SERIES, step_places
from kibitz.adapters.parts import Observations
from kibitz.adapters.setting import Setting, setting
from kibitz.compute.workers import Threads
from kibitz.game import States, as_structs, seat_policies
from kibitz.jit import integers
from kibitz.rng import derive_seed

Booleans = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
Steps = tuple[Observations, npt.NDArray[np.float64], Booleans, Booleans, Info]
#: Positions where games begin, by default.
STARTS = 256


class VectorSeatEnv(gymnasium.vector.VectorEnv[Observations, Places, npt.NDArray[Any]]):  # type: ignore[misc]
    """One seat in each of `num_envs` games (of Catan or Coup) against compiled policies.

    `starts` is the size of the pool of positions where games begin (of Catan: boards). What happens in a place depends on the
    seeds, its number and its actions alone, however many threads (`jobs`) do the work. An illegal id is replaced as in
    `SeatEnv`; ``infos`` has arrays: ``action_mask``, ``action`` and ``illegal``, each with its ``_mask`` as Gymnasium has it.

    `autoreset_mode` says when the next game begins in a place: with the step after the end, whatever the action
    (``NEXT_STEP``); at once, and ``final_obs`` and ``final_info`` show the end (``SAME_STEP``); or by a `reset` with a
    ``reset_mask`` (``DISABLED``).
    """

    def __init__(
        self,
        num_envs: int,
        game: str = "catan",
        seats: int | None = None,
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
        starts: int = STARTS,
        jobs: int | None = None,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
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
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode(autoreset_mode)}
        self.seat, self.num_envs, self._pool = seat, num_envs, starts
        self._threads, self._jobs = Threads(jobs), jobs or os.cpu_count() or 1
        self.single_observation_space = observation_box(here.layout)
        self.single_action_space = spaces.Discrete(len(table))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._codes = integers(np.array(table.codes, np.int64))
        self._ascending = integers(np.sort(self._codes))
        self._ids = integers(np.argsort(self._codes))
        self._defaults = integers(np.array(table.defaults, np.int64))
        self._states, self._views = here.game.room(num_envs), here.game.room(num_envs)
        self._streams = integers(np.zeros((num_envs, PLAYERS + here.seats), np.uint64))
        self._starts: States | None = None
        self._over = np.ones(num_envs, np.bool_)
        self._masks = np.zeros((num_envs, len(table)), np.int8)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """Begin a game in every place, or in those of ``options["reset_mask"]``.

        A seed is that of the first place, the next place has the next number; or there is one for each. A place without a seed
        goes on with its series of games.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        n = self.num_envs
        wanted = np.array((options or {}).get("reset_mask", np.ones(n)), np.bool_)
        seeds = [None] * n if seed is None else range(seed, seed + n) if isinstance(seed, int) else seed
        if wanted.shape != (n,) or len(seeds) != n:
            raise ValueError(f"{len(seeds)} seeds, a reset_mask of shape {wanted.shape}: there are {n} places")
        for i in np.flatnonzero(wanted).tolist():
            if seeds[i] is not None or self._streams[i, GAMES] == 0:
                self._streams[i, SERIES] = series_seed(seeding.np_random(seeds[i])[0])
                self._streams[i, GAMES] = 0
        if self._starts is None or self._streams[0, GAMES] == 0:
            self._starts = self._new_starts(int(self._streams[0, SERIES]))
        self._over |= wanted
        self._advance(np.flatnonzero(wanted), np.zeros(n, np.int64))
        observations = np.empty((n, self.setting.layout.size), np.int16)
        self.setting.layout.read(self._views, self.seat, observations)
        return observations, _masked("action_mask", self._masks.copy(), wanted)

    def step(self, actions: npt.ArrayLike) -> Steps:
        """Do something in every place, and let the others play until it is the seat's move again or the game is over."""
        n, mode = self.num_envs, self.metadata["autoreset_mode"]
        if not np.asarray(self._streams)[:, GAMES].all() or (mode == AutoresetMode.DISABLED and self._over.any()):
            raise gymnasium.error.ResetNeeded("there are places without a game under way: call reset")
        acted, ids = ~self._over, _ids(actions, n)
        observations, prizes, illegal = self._advance(np.arange(n), ids)
        over = self._over.copy()
        low, high = self.setting.game.stakes
        rewards = np.where(over, (prizes - low) / (high - low), 0.0)
        infos: Info = {}
        if mode == AutoresetMode.SAME_STEP and over.any():
            acted = ~over
            infos = {"final_obs": np.full(n, None), "_final_obs": over, "_final_info": over}
            for i in np.flatnonzero(over):
                infos["final_obs"][i] = observations[i].copy()
            infos["final_info"] = {**_masked("action_mask", np.zeros_like(self._masks), over), **_done(ids, illegal, over)}
            observations[over] = self._advance(np.flatnonzero(over), ids)[0]
        infos |= _masked("action_mask", self._masks.copy(), np.ones(n, np.bool_)) | _done(ids, illegal, acted)
        return observations, rewards, over, np.zeros(n, np.bool_), infos

    def _advance(self, places: Places, ids: Places) -> tuple[Observations, Places, Booleans]:
        """A step in these places: ``[place of them, number]`` what is seen then, and by place the prizes and what was illegal.

        `ids` become those of what was done.
        """
        n = len(places)
        prizes, illegal = integers(np.zeros(self.num_envs, np.int64)), np.zeros(self.num_envs, np.bool_)
        observations = np.empty((n, self.setting.layout.size), np.int16)

        def part(some: range) -> None:
            xs = self.setting.game.scratches()
            seat_policies(xs, self._policies)
            step_places(
                self._states, self._starts, self._views, self._streams, xs, 0, self.seat, self._codes, self._ascending,
                self._ids, self._defaults, integers(ids), self._masks, prizes, self._over, illegal, integers(places),
                some.start, some.stop,
            )  # fmt: skip
            rows = slice(some.start, some.stop)
            views = np.asarray(self._views)[rows if n == self.num_envs else places[rows]]  # to gather structs is slow
            self.setting.layout.read(views, self.seat, observations[rows])

        size = max(1, -(-n // self._jobs))
        for _ in self._threads.map(part, [range(at, min(at + size, n)) for at in range(0, n, size)]):
            pass
        return observations, np.asarray(prizes), illegal

    def _new_starts(self, seed: int) -> States:
        first = [self.setting.start(derive_seed(seed, "start", i)) for i in range(self._pool)]
        return as_structs(np.concatenate([np.asarray(states) for states in first]))


def _ids(actions: npt.ArrayLike, n: int) -> Places:
    """What is wanted in each place; -1 where it is no whole number, so no id."""
    given = np.asarray(actions).reshape(n)
    return given.astype(np.int64) if given.dtype.kind in "iu" else np.full(n, -1)


def _masked(name: str, values: npt.NDArray[Any], where: Booleans) -> Info:
    """A part of ``infos``, and where it means something, as Gymnasium wants it."""
    return {name: values, f"_{name}": where.copy()}


def _done(ids: Places, illegal: Booleans, where: Booleans) -> Info:
    """What was done in some places."""
    return _masked("action", np.where(where, ids, 0), where) | _masked("illegal", illegal & where, where)
