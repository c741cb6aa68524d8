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
reset with ``s + i``, as Gymnasium's own ``SyncVectorEnv`` would have it. Only where games do not all begin alike (on
random boards, say) the starts come out of a pool, since to make one takes longer than to play from it. The opponents are
compiled policies.
"""

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
from kibitz.adapters.observations import Observations
from kibitz.adapters.places import Numbers, Places, compiled_policies
from kibitz.adapters.setting import Setting, setting
from kibitz.compute.runtime import Threads
from kibitz.game.definition import concatenated
from kibitz.ground.jit import integers
from kibitz.ground.rng import derive_seed

Booleans = npt.NDArray[np.bool_]
Steps = tuple[Observations, npt.NDArray[np.float64], Booleans, Booleans, Info]
#: Positions where games begin, by default.
STARTS = 256


class VectorSeatEnv(gymnasium.vector.VectorEnv[Observations, Numbers, npt.NDArray[Any]]):  # type: ignore[misc]
    """One seat in each of `num_envs` games of a compiled game against compiled policies.

    `starts` is the size of the pool of positions where games begin (boards, say). What happens in a place depends on the
    seeds, its number and its actions alone, however many threads (`jobs`) do the work. An illegal id is replaced as in
    `SeatEnv`; ``infos`` has arrays: ``action_mask``, ``action`` and ``illegal``, each with its ``_mask`` as Gymnasium has it.

    `autoreset_mode` says when the next game begins in a place: with the step after the end, whatever the action
    (``NEXT_STEP``); at once, and ``final_obs`` and ``final_info`` show the end (``SAME_STEP``); or by a `reset` with a
    ``reset_mask`` (``DISABLED``).
    """

    def __init__(
        self,
        num_envs: int,
        game: str,
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
            raise ValueError(f"{here.game.name}: its rules are not compiled; kibitz.adapters.gym has it")
        policies = compiled_policies(here, here.table(seat, opponents))
        if policies is None:
            raise ValueError(f"opponents {opponents!r}: expected compiled policies: {', '.join(here.game.policies)}")
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode(autoreset_mode)}
        self.seat, self.num_envs, self._pool = seat, num_envs, starts
        self._threads, self._jobs = Threads(jobs), jobs or os.cpu_count() or 1
        self.single_observation_space = observation_box(here.layout)
        self.single_action_space = spaces.Discrete(len(table))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._places = Places(here, seat, policies, num_envs, self._jobs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """Begin a game in every place, or in those of ``options["reset_mask"]``.

        A seed is that of the first place, the next place has the next number; or there is one for each. A place without a seed
        goes on with its series of games.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        n, here = self.num_envs, self._places
        wanted = np.array((options or {}).get("reset_mask", np.ones(n)), np.bool_)
        seeds = [None] * n if seed is None else range(seed, seed + n) if isinstance(seed, int) else seed
        if wanted.shape != (n,) or len(seeds) != n:
            raise ValueError(f"{len(seeds)} seeds, a reset_mask of shape {wanted.shape}: there are {n} places")
        for i in np.flatnonzero(wanted).tolist():
            if seeds[i] is not None or here.games[i] == 0:
                here.begin_series(i, series_seed(seeding.np_random(seeds[i])[0]))
        if not len(here.starts) or here.games[0] == 0:
            seeds_of_starts = (derive_seed(here.series(0), "start", i) for i in range(self._pool))
            here.starts = concatenated([self.setting.start(start) for start in seeds_of_starts])
        here.over[wanted] = True
        self._advance(np.flatnonzero(wanted))
        observations = np.empty((n, self.setting.layout.size), np.int16)
        self.setting.layout.read(here.views, self.seat, observations)
        return observations, _masked("action_mask", here.masks.copy(), wanted)

    def step(self, actions: npt.ArrayLike) -> Steps:
        """Do something in every place, and let the others play until it is the seat's move again or the game is over."""
        n, here, mode = self.num_envs, self._places, self.metadata["autoreset_mode"]
        if not here.games.all() or (mode == AutoresetMode.DISABLED and here.over.any()):
            raise gymnasium.error.ResetNeeded("there are places without a game under way: call reset")
        acted, here.ids[:] = ~here.over, _ids(actions, n)
        observations = self._advance(np.arange(n))
        over, illegal, ids = here.over.copy(), here.illegal.copy(), here.ids.copy()
        low, high = self.setting.game.stakes
        rewards = np.where(over, (here.prizes - low) / (high - low), 0.0)
        infos: Info = {}
        if mode == AutoresetMode.SAME_STEP and over.any():
            acted = ~over
            infos = {"final_obs": np.full(n, None), "_final_obs": over, "_final_info": over}
            for i in np.flatnonzero(over):
                infos["final_obs"][i] = observations[i].copy()
            infos["final_info"] = {**_masked("action_mask", np.zeros_like(here.masks), over), **_done(ids, illegal, over)}
            observations[over] = self._advance(np.flatnonzero(over))
        infos |= _masked("action_mask", here.masks.copy(), np.ones(n, np.bool_)) | _done(ids, illegal, acted)
        return observations, rewards, over, np.zeros(n, np.bool_), infos

    def _advance(self, places: Numbers) -> Observations:
        """A step in these places: ``[place of them, number]`` what is seen then."""
        n = len(places)
        observations = np.empty((n, self.setting.layout.size), np.int16)
        size = max(1, -(-n // self._jobs))

        def step(some: range) -> None:
            part = slice(some.start, some.stop)
            self._places.step(integers(places[part]), observations[part], some.start // size)

        for _ in self._threads.map(step, [range(at, min(at + size, n)) for at in range(0, n, size)]):
            pass
        return observations


def _ids(actions: npt.ArrayLike, n: int) -> Numbers:
    """What is wanted in each place; -1 where it is not a whole number, and so not an id."""
    given = np.asarray(actions).reshape(n)
    return given.astype(np.int64) if given.dtype.kind in "iu" else np.full(n, -1)


def _masked(name: str, values: npt.NDArray[Any], where: Booleans) -> Info:
    """A part of ``infos``, and where it means something, as Gymnasium wants it."""
    return {name: values, f"_{name}": where.copy()}


def _done(ids: Numbers, illegal: Booleans, where: Booleans) -> Info:
    """What was done in some places."""
    return _masked("action", np.where(where, ids, 0), where) | _masked("illegal", illegal & where, where)
