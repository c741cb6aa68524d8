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

The observation is that of `kibitz.adapters.observations`, the ids are those of `kibitz.adapters.setting`. The reward is 0 until
the game ends, and then what the end is worth to the seat: 1 for a win, 0 for a loss. The games are played at tables with bots
of any kind or, far faster, among compiled policies.

Importing this module registers every game; with ``make_vec`` it is the environment of `kibitz.adapters.vector`, where the game
is compiled.

>>> gymnasium.make("kibitz/Coup-v0", seats=2).action_space
Discrete(54)
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from kibitz.ground.extras import missing

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise missing(error, "adapters") from None

from kibitz.adapters.floats import Floats
from kibitz.adapters.observations import Layout, Observations
from kibitz.adapters.places import Places, compiled_policies
from kibitz.adapters.setting import ActionTable, Mask, Setting, setting
from kibitz.game import OVER, Game, States
from kibitz.ground.rng import derive_seed
from kibitz.play.bots import Bot, Conducts, about_conduct, together
from kibitz.play.match import Table
from kibitz.play.registry import profiles

Info = dict[str, Any]


def observation_box(layout: Layout, floats: Floats | None = None) -> spaces.Box:
    """The space of a layout's observations, or of the floats that are made of them."""
    if floats is not None:
        return spaces.Box(*floats.bounds, (floats.size,), np.float32)
    low, high = layout.bounds()
    return spaces.Box(low, high, dtype=np.int16)


def series_seed(random: np.random.Generator) -> int:
    """The seed of a series of games, from Gymnasium's source of randomness."""
    return int(random.integers(1 << 63))


class SeatEnv(gymnasium.Env[npt.NDArray[Any], np.int64]):  # type: ignore[misc]
    """One seat of a game, by its name or its file; the others are bots by name (options: see `kibitz.adapters.setting`).

    An illegal id, or what is not an id at all (a float, NaN, None), never raises. A stated default is done instead: the first
    of ``actions.defaults`` that is legal, else the lowest legal id. `info` says so: ``illegal``, and in ``action`` the id of
    what was done; ``action_mask`` has a 1 for every legal id of the next decision (none at the end). Where a bot from outside
    plays, ``lost_decisions[seat]`` counts by why what it has lost in this game (see `kibitz.play.outside`), and `close` warns.

    A seed for `reset` is that of a series of games: every later `reset` without one begins the next game of the series.

    `floats` makes floats of the observations: ``"scaled"``, ``"standardised"``, ``"one-hot"`` (see `kibitz.adapters.floats`).
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
        floats: str | None = None,
        **options: Any,
    ) -> None:
        self.setting: Setting = setting(game, seats, **options)
        self.seat = seat
        self.floats = Floats.of(self.setting.layout, floats) if floats else None
        self._mask: Mask = np.zeros(len(self.actions), np.int8)
        self._games = games_of(self.setting, seat, self.setting.table(seat, opponents))
        self.observation_space = observation_box(self.setting.layout, self.floats)
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

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[npt.NDArray[Any], Info]:
        """Begin a game, and let the others play until it is the seat's move."""
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            self._games.begin_series(series_seed(self.np_random))
            self._begun = True
        self._under_way = True
        observation, info = self._games.begin_game()
        return self._shown(observation, info), info

    def step(self, action: object) -> tuple[npt.NDArray[Any], float, bool, bool, Info]:
        """Do something, and let the others play until it is the seat's move again or the game is over."""
        if not self._under_way:
            raise gymnasium.error.ResetNeeded("no game is under way: call reset")
        observation, worth, over, info = self._games.step(action)
        self._under_way = not over
        return self._shown(observation, info), worth, over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """``[id]`` whether it is legal now, under the name that MaskablePPO of sb3-contrib asks for."""
        return self._mask.astype(np.bool_)

    def _shown(self, observation: Observations, info: Info) -> npt.NDArray[Any]:
        self._mask = info["action_mask"]
        return observation if self.floats is None else self.floats(observation)

    def close(self) -> None:
        """Warn, if bots from outside lost decisions: how many, why, and what was wrong the first time."""
        if text := about_conduct(self.conduct):
            warnings.warn(text, stacklevel=2)


def games_of(here: Setting, seat: int, bots: Sequence[Bot]) -> CompiledGames | TableGames:
    """The games of a seat with these bots at the other seats, in their order."""
    policies = compiled_policies(here, bots)
    return TableGames(here, seat, bots) if policies is None else CompiledGames(here, seat, policies)


class CompiledGames:
    """A series of games against compiled policies, given by its seed; each step is one compiled call."""

    def __init__(self, here: Setting, seat: int, policies: Sequence[int]) -> None:
        self.conduct: Conducts = {}
        table = [*policies[:seat], None, *policies[seat:]]
        self._here, self._seat, self._places = here, seat, Places(here, [table], [seat], 1, jobs=1)
        self._first = np.zeros(1, np.int64)

    def begin_series(self, seed: int) -> None:
        """Let the next game be the first of this series."""
        self._places.begin_series(0, seed)

    def begin_game(self) -> tuple[Observations, Info]:
        """Begin the next game in which the seat has a move."""
        places = self._places
        # If the others end a game before the seat has a move, the next one begins at the same start.
        places.starts = self._here.start(derive_seed(places.series(0), int(places.games[0])))
        places.over[0] = True
        return self._advance()

    def step(self, action: object) -> tuple[Observations, float, bool, Info]:
        """Do this id, if it is a legal one, else the default: what is seen then, what an end is worth, whether it is one."""
        places = self._places
        places.ids[0] = self._here.actions.wanted(action)
        (observation, info), over = self._advance(), bool(places.over[0])
        worth = self._here.share(int(places.prizes[0, self._seat])) if over else 0.0
        return observation, worth, over, {**info, "action": int(places.ids[0]), "illegal": bool(places.illegal[0])}

    def _advance(self) -> tuple[Observations, Info]:
        return self._places.step(self._first)[0, 0], {"action_mask": self._places.masks[0].copy()}


class Outsider:
    """A player who does what somebody outside of the table says."""

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Nothing to prepare."""

    def saw(self, before: States, code: int, after: States) -> None:
        """Whoever is outside looks at the table."""

    def decide(self, view: States) -> int:
        """The table is told by whoever is outside."""
        raise AssertionError("the outside player is not asked like a bot")


class TableGames:
    """The same at tables with bots of any kind, which are told all that they may see."""

    def __init__(self, here: Setting, seat: int, bots: Sequence[Bot]) -> None:
        self._lost: list[dict[str, int]] = []
        """``[seat]`` the decisions that its bot lost in this game, by why; empty where no bot of the table can lose any."""
        self.conduct: Conducts = {}
        """How the bots that can lose decisions have behaved in all games."""
        self._here, self._seat = here, seat
        self._bots = [*bots[:seat], Bot("outside", Outsider), *bots[seat:]]

    def begin_series(self, seed: int) -> None:
        """Let the next game be the first of this series."""
        self._series, self._games = seed, 0

    def begin_game(self) -> tuple[Observations, Info]:
        """Begin the next game in which the seat has a move."""
        self._legal: list[int] = []
        while not self._legal:  # the others may end a game before the seat has had a move
            seed = derive_seed(self._series, self._games)
            self._games += 1
            self._before = self.conduct
            self._table = Table(self._here.game, self._here.start(seed), self._bots, seed)
            self._go_on()
        return self._shown()

    def step(self, action: object) -> tuple[Observations, float, bool, Info]:
        """The same."""
        done, illegal = self._here.actions.judged(action, self._legal)
        self._table.step(self._here.actions.codes[done])
        self._go_on()
        over = self._table.actor == OVER
        worth = self._here.worth(self._table.states, self._seat) if over else 0.0
        observation, info = self._shown()
        return observation, worth, over, {**info, "action": done, "illegal": illegal}

    def _go_on(self) -> None:
        table = self._table
        while table.actor not in (self._seat, OVER):
            table.step()
        self._legal = [] if table.actor == OVER else self._here.actions.legal(table.states)
        if watched := table.watched:
            self._lost = [dict(watched[seat].lost) if seat in watched else {} for seat in range(self._here.seats)]
            self.conduct = together([self._before, table.conduct])

    def _shown(self) -> tuple[Observations, Info]:
        observation: Observations = self._here.layout.observe(self._table.states, self._seat)[0]
        lost = {"lost_decisions": self._lost} if self._lost else {}
        return observation, {"action_mask": self._here.actions.mask(self._legal), **lost}


def register() -> None:
    """Make all games known to Gymnasium, those that were loaded from files included: ``kibitz/Name-v0``."""
    for known in profiles():
        name = f"kibitz/{known.name.capitalize()}-v0"
        if name not in gymnasium.registry:
            vector = "kibitz.adapters.vector:VectorSeatEnv" if known.compiled else None
            gymnasium.register(name, f"{__name__}:SeatEnv", vector_entry_point=vector, kwargs={"game": known.name})


register()
