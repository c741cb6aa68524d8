"""Stable-Baselines3's `VecEnv`: thousands of games of one seat, for its algorithms and for MaskablePPO of sb3-contrib.

>>> envs = SeatVecEnv(4, "coup", seats=2, opponents="heuristic", floats="scaled")
>>> envs.reset().shape, envs.action_masks().shape
((4, 64), (4, 54))

The games are those of `kibitz.adapters.vector.VectorSeatEnv`, whose options these are. ``env_method("action_masks")`` has the
masks, as MaskablePPO asks for them; an algorithm without masks may choose illegal ids, which are replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.ground.extras import missing

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise missing(error, "sb3") from None

from gymnasium.vector import AutoresetMode

from kibitz.adapters.vector import VectorSeatEnv

Indices = int | Iterable[int] | None
Infos = list[dict[str, Any]]


class SeatVecEnv(VecEnv):  # type: ignore[misc]
    """`VectorSeatEnv` as Stable-Baselines3 knows vector environments: a new game begins with the step that ends the last."""

    def __init__(self, num_envs: int, game: str, **options: Any) -> None:
        self.envs = VectorSeatEnv(num_envs, game, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        self.render_mode = None
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> npt.NDArray[Any]:
        """Begin a game in every place; `seed` says beforehand which."""
        seed = next((seed for seed in self._seeds if seed is not None), None)
        observations, _ = self.envs.reset(seed=seed)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """What is to be done in each place."""
        self._wanted = actions

    def step_wait(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.float32], npt.NDArray[np.bool_], Infos]:
        """Do it. The last observation of a game is in the `terminal_observation` of its info."""
        observations, rewards, over, _, infos = self.envs.step(self._wanted)
        each: Infos = [{"illegal": True} if illegal else {} for illegal in infos["illegal"]]
        for i in np.flatnonzero(over):
            each[i] |= {"terminal_observation": infos["final_obs"][i], "TimeLimit.truncated": False}
        return observations, rewards.astype(np.float32), over, each

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """``[place, id]`` whether it is legal now."""
        return self.envs.action_masks()

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        """Call a method of each place: only `action_masks` is there."""
        if method_name != "action_masks":
            raise AttributeError(f"{method_name}: expected action_masks")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether `get_attr` or `env_method` knows it."""
        return attr_name == "action_masks" or hasattr(self.envs, attr_name)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of all games, once for each place."""
        value = self.action_masks if attr_name == "action_masks" else getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Nothing can be set for a single place."""
        raise AttributeError(f"{attr_name}: the places of a batch cannot be changed one by one")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> Sequence[bool]:
        """No place is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing is left open."""
