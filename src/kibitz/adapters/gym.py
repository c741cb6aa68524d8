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

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from kibitz.adapters.actions import ActionTable
from kibitz.adapters.observations import Layout
from kibitz.adapters.parts import Observations
from kibitz.adapters.setting import Setting, setting
from kibitz.game import OVER, Game, States
from kibitz.play.bots import Bot
from kibitz.play.match import Table
from kibitz.rng import derive_seed

Info = dict[str, Any]


class Outsider:
    """A player who does what somebody outside of the table has said."""

    code: int

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Nothing to prepare."""

    def saw(self, before: States, code: int, after: States) -> None:
        """Whoever is outside looks at the table."""

    def decide(self, view: States) -> int:
        """What was said."""
        return self.code


def observation_box(layout: Layout) -> spaces.Box:
    """The space of a layout's observations."""
    low, high = layout.bounds()
    return spaces.Box(low, high, dtype=np.int16)


def series_seed(random: np.random.Generator) -> int:
    """The seed of a series of games, from Gymnasium's source of randomness."""
    return int(random.integers(1 << 63))


class SeatEnv(gymnasium.Env[Observations, np.int64]):  # type: ignore[misc]
    """One seat of a game, the others are bots by name (see `kibitz.adapters.setting.setting` for the options).

    An illegal id, or what is no id at all (a float, NaN, None), never raises. A stated default is done instead: the first of
    ``actions.defaults`` that is legal, else the lowest legal id. `info` says so: ``illegal``, and in ``action`` the id of what
    was done; ``action_mask`` has a 1 for every legal id of the next decision (none at the end).

    A seed for `reset` is that of a series of games: every later `reset` without one begins the next game of the series.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        game: str = "catan",
        seats: int | None = None,
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
        **options: Any,
    ) -> None:
        self.setting: Setting = setting(game, seats, **options)
        self.seat = seat
        self._outsider = Outsider()
        bots = self.setting.table(seat, opponents)
        self._bots = [*bots[:seat], Bot("outside", lambda: self._outsider), *bots[seat:]]
        self.observation_space = observation_box(self.setting.layout)
        self.action_space = spaces.Discrete(len(self.actions))
        self._legal: list[int] = []
        self._games = 0

    @property
    def actions(self) -> ActionTable:
        """What the ids mean."""
        return self.setting.actions

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Info]:
        """Begin a game, and let the others play until it is the seat's move."""
        super().reset(seed=seed)
        if seed is not None or self._games == 0:
            self._series, self._games = series_seed(self.np_random), 0
        self._legal = []
        while not self._legal:  # the others may end a game before the seat has had a move
            own_seed = derive_seed(self._series, self._games)
            self._games += 1
            self._table = Table(self.setting.game, self.setting.start(own_seed), self._bots, own_seed)
            self._go_on()
        return self._observation(), self._info()

    def step(self, action: object) -> tuple[Observations, float, bool, bool, Info]:
        """Do something, and let the others play until it is the seat's move again or the game is over."""
        if not self._legal:
            raise gymnasium.error.ResetNeeded("no game is under way: call reset")
        done, illegal = self.actions.judged(action, self._legal)
        self._outsider.code = self.actions.codes[done]
        self._table.step()
        self._go_on()
        over = self._table.actor == OVER
        reward = self.setting.worth(self._table.states, self.seat) if over else 0.0
        return self._observation(), reward, over, False, {**self._info(), "action": done, "illegal": illegal}

    def _go_on(self) -> None:
        while self._table.actor not in (self.seat, OVER):
            self._table.step()
        self._legal = [] if self._table.actor == OVER else self.actions.legal(self._table.states)

    def _observation(self) -> Observations:
        observation: Observations = self.setting.layout.observe(self._table.states, self.seat)[0]
        return observation

    def _info(self) -> Info:
        return {"action_mask": self.actions.mask(self._legal)}
