"""A PettingZoo environment: all seats of a game, one after the other (AEC).

>>> env = TableEnv("coup", seats=3)
>>> env.reset(seed=1)
>>> env.agent_selection, sorted(env.observe(env.agent_selection))
('player_1', ['action_mask', 'observation'])
>>> env.step(0)
>>> env.agent_selection, env.infos["player_1"]
('player_2', {'action': 0, 'illegal': False})

Agents are named as people count the seats, from 1; ids and observations are those of `kibitz.adapters.setting` and
`kibitz.adapters.observations`. Whoever is not to move has an empty mask. Rewards come at the end: what it is worth to each
seat.
"""

from typing import Any, ClassVar

import numpy as np

from kibitz.ground.extras import missing

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
except ImportError as error:
    raise missing(error, "adapters") from None

from kibitz.adapters.gym import observation_box, series_seed
from kibitz.adapters.setting import ActionTable, Setting, setting
from kibitz.game import CHANCE, OVER, actor_at, apply_at
from kibitz.game.doors import decide_at, reseed_at
from kibitz.ground.jit import uint64
from kibitz.ground.rng import derive_seed


class TableEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A whole table (see `kibitz.adapters.setting.setting` for the options).

    An illegal id never raises: the default of `kibitz.adapters.gym.SeatEnv` is done instead, and the ``infos`` of who chose say
    so.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "name": "kibitz_v0", "is_parallelizable": True}
    render_mode = None

    def __init__(self, game: str, seats: int | None = None, **options: Any) -> None:
        self.setting: Setting = setting(game, seats, **options)
        self.possible_agents = [f"player_{seat + 1}" for seat in range(self.setting.seats)]
        box, ids = observation_box(self.setting.layout), len(self.actions)
        self._observation_spaces = {
            agent: spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (ids,), np.int8)})
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(ids) for agent in self.possible_agents}
        self._random, _ = seeding.np_random()

    @property
    def actions(self) -> ActionTable:
        """What the ids mean."""
        return self.setting.actions

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object every time."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same object every time."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. Without a seed it is another one each time."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        own_seed = series_seed(self._random)
        self._states = self.setting.start(own_seed)
        self._xs = self.setting.game.scratches()
        reseed_at(self._xs, 0, uint64(derive_seed(own_seed)))
        self.agents = self.possible_agents[:]
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0.0), dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: object) -> None:
        """The selected agent does something; after the end everybody steps once with None."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        done, illegal = self.actions.judged(action, self._legal)
        apply_at(self._states, 0, self.actions.codes[done])
        self.infos[agent] = {"action": done, "illegal": illegal}
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat may know, and what it may do now."""
        legal = self._legal if agent == self.agent_selection else []
        observation = self.setting.layout.observe(self._states, self.possible_agents.index(agent))[0]
        return {"observation": observation, "action_mask": self.actions.mask(legal)}

    def _go_on(self) -> None:
        """Let chance play; then somebody is to move, or the game is over."""
        while actor_at(self._states, 0) == CHANCE:
            apply_at(self._states, 0, int(decide_at(self._states, 0, self._xs, 0)))
        seat = actor_at(self._states, 0)
        if seat != OVER:
            self.agent_selection = self.possible_agents[seat]
            self._legal = self.actions.legal(self._states)
            return
        self._legal = []
        for number, agent in enumerate(self.possible_agents):
            self.terminations[agent] = True
            self.rewards[agent] = self.setting.worth(self._states, number)
