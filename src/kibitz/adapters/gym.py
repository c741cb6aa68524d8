"""A Gymnasium environment: one seat of a game against chosen bots.

>>> env = SeatEnv("coup", seats=3, opponents="heuristic")
>>> observation, info = env.reset(seed=1)
>>> env.action_space, observation.shape
(Discrete(54), (64,))
>>> legal = info["action_mask"].nonzero()[0]
>>> env.actions.describe(legal[0])
'income'
>>> observation, reward, terminated, truncated, info = env.step(legal[0])
>>> info["action"], info["illegal"]
(0, False)

The observation is that of `kibitz.adapters.observations`, the ids are those of `kibitz.adapters.actions`. The reward is 0 until
the game ends, and then what the end is worth to the seat: 1 for a win, 0 for a loss.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from kibitz.adapters.actions import ActionTable
from kibitz.adapters.observations import Layout, Observations
from kibitz.adapters.seat_games import Shown, games_of
from kibitz.adapters.setting import Setting, setting
from kibitz.play.conduct import Conducts, about_conduct

Info = dict[str, Any]


def observation_box(layout: Layout) -> spaces.Box:
    """The space of a layout's observations."""
    low, high = layout.bounds()
    return spaces.Box(low, high, dtype=np.int16)


def series_seed(random: np.random.Generator) -> int:
    """The seed of a series of games, from Gymnasium's source of randomness."""
    return int(random.integers(1 << 63))


class SeatEnv(gymnasium.Env[Observations, np.int64]):  # type: ignore[misc]
    """One seat of a game, by its name or its file; the others are bots by name (options: see `kibitz.adapters.setting`).

    An illegal id, or what is no id at all (a float, NaN, None), never raises. A stated default is done instead: the first of
    ``actions.defaults`` that is legal, else the lowest legal id. `info` says so: ``illegal``, and in ``action`` the id of what
    was done; ``action_mask`` has a 1 for every legal id of the next decision (none at the end). Where a bot from outside plays,
    ``lost_decisions[seat]`` counts by why what it has lost in this game (see `kibitz.play.outside`), and `close` warns.

    A seed for `reset` is that of a series of games: every later `reset` without one begins the next game of the series.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
        **options: Any,
    ) -> None:
        self.setting: Setting = setting(game, seats, **options)
        self.seat = seat
        self._games = games_of(self.setting, seat, self.setting.table(seat, opponents))
        self.observation_space = observation_box(self.setting.layout)
        self.action_space = spaces.Discrete(len(self.actions))
        self._begun = self._under_way = False

    @property
    def actions(self) -> ActionTable:
        """What the ids mean."""
        return self.setting.actions

    @property
    def conduct(self) -> Conducts:
        """How the bots from outside among the opponents have behaved in all games so far, by name."""
        return self._games.conduct

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Info]:
        """Begin a game, and let the others play until it is the seat's move."""
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            self._games.begin_series(series_seed(self.np_random))
            self._begun = True
        shown = self._games.begin_game()
        self._under_way = True
        return shown.observation, self._info(shown)

    def step(self, action: object) -> tuple[Observations, float, bool, bool, Info]:
        """Do something, and let the others play until it is the seat's move again or the game is over."""
        if not self._under_way:
            raise gymnasium.error.ResetNeeded("no game is under way: call reset")
        shown, over, worth, done, illegal = self._games.step(action)
        self._under_way = not over
        return shown.observation, worth, over, False, {**self._info(shown), "action": done, "illegal": illegal}

    def close(self) -> None:
        """Warn, if bots from outside lost decisions: how many, why, and what was wrong the first time."""
        if text := about_conduct(self.conduct):
            warnings.warn(text, stacklevel=2)

    def _info(self, shown: Shown) -> Info:
        lost = self._games.lost
        return {"action_mask": shown.mask, **({"lost_decisions": lost} if lost else {})}
