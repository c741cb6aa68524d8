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

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.ground.extras import missing

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing(error, "adapters") from None

from kibitz.adapters.floats import Floats
from kibitz.adapters.gym import Info, observation_box, series_seed
from kibitz.adapters.observations import Observations
from kibitz.adapters.places import Numbers, Places, compiled_policies, wanted_ids
from kibitz.adapters.setting import Setting, setting

Booleans = npt.NDArray[np.bool_]
Steps = tuple[npt.NDArray[Any], npt.NDArray[np.float64], Booleans, Booleans, Info]
#: Positions where games begin, by default.
STARTS = 256


class VectorSeatEnv(gymnasium.vector.VectorEnv[npt.NDArray[Any], Numbers, npt.NDArray[Any]]):  # type: ignore[misc]
    """One seat in each of `num_envs` games of a compiled game against compiled policies.

    `starts` is the size of the pool of positions where games begin (boards, say). What happens in a place depends on the
    seeds, its number and its actions alone, however many threads (`jobs`) do the work. An illegal id is replaced as in
    `SeatEnv`; ``infos`` has arrays: ``action_mask``, ``action`` and ``illegal``, each with its ``_mask`` as Gymnasium has it.

    `autoreset_mode` says when the next game begins in a place: with the step after the end, whatever the action
    (``NEXT_STEP``); at once, and ``final_obs`` and ``final_info`` show the end (``SAME_STEP``); or by a `reset` with a
    ``reset_mask`` (``DISABLED``). `floats` is that of `SeatEnv`.
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
        floats: str | None = None,
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
        self.floats = Floats.of(here.layout, floats) if floats else None
        self.single_observation_space = observation_box(here.layout, self.floats)
        self.single_action_space = spaces.Discrete(len(table))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._places = Places(here, [[*policies[:seat], None, *policies[seat:]]], [seat], num_envs, jobs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], Info]:
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
            here.make_starts(self._pool)
        here.over[wanted] = True
        self._advance(np.flatnonzero(wanted))
        return self._shown(here.seen()[:, 0]), _masked("action_mask", here.masks.copy(), wanted)

    def step(self, actions: npt.ArrayLike) -> Steps:
        """Do something in every place, and let the others play until it is the seat's move again or the game is over."""
        n, here, mode = self.num_envs, self._places, self.metadata["autoreset_mode"]
        if not here.games.all() or (mode == AutoresetMode.DISABLED and here.over.any()):
            raise gymnasium.error.ResetNeeded("there are places without a game under way: call reset")
        acted, here.ids[:] = ~here.over, wanted_ids(actions, n)
        observations = self._advance(np.arange(n))
        over, illegal, ids = here.over.copy(), here.illegal.copy(), here.ids.copy()
        low, high = self.setting.game.stakes
        rewards = np.where(over, (here.prizes[:, self.seat] - low) / (high - low), 0.0)
        infos: Info = {}
        if mode == AutoresetMode.SAME_STEP and over.any():
            acted = ~over
            infos = {"final_obs": np.full(n, None), "_final_obs": over, "_final_info": over}
            for i in np.flatnonzero(over):
                infos["final_obs"][i] = self._shown(observations[i])
            infos["final_info"] = {**_masked("action_mask", np.zeros_like(here.masks), over), **_done(ids, illegal, over)}
            observations[over] = self._advance(np.flatnonzero(over))
        infos |= _masked("action_mask", here.masks.copy(), np.ones(n, np.bool_)) | _done(ids, illegal, acted)
        return self._shown(observations), rewards, over, np.zeros(n, np.bool_), infos

    def action_masks(self) -> Booleans:
        """``[place, id]`` whether it is legal now, under the name that MaskablePPO of sb3-contrib asks for."""
        return self._places.masks.astype(np.bool_)

    def _shown(self, observations: Observations) -> npt.NDArray[Any]:
        return observations.copy() if self.floats is None else self.floats(observations)

    def _advance(self, places: Numbers) -> Observations:
        """A step in these places: ``[place of them, number]`` what is seen then."""
        return self._places.step(places)[:, 0]


def _masked(name: str, values: npt.NDArray[Any], where: Booleans) -> Info:
    """A part of ``infos``, and where it means something, as Gymnasium wants it."""
    return {name: values, f"_{name}": where.copy()}


def _done(ids: Numbers, illegal: Booleans, where: Booleans) -> Info:
    """What was done in some places."""
    return _masked("action", np.where(where, ids, 0), where) | _masked("illegal", illegal & where, where)
