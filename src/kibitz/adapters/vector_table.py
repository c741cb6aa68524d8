"""Thousands of games at once, all seats of them: what self-play learns from, stepped in compiled code on all cores.

>>> import numpy as np
>>> tables = VectorTableEnv(4, "coup", seats=3)
>>> step = tables.reset(seed=1)
>>> step.observations.shape, step.masks.shape, step.actors
((4, 64), (4, 54), array([0, 0, 0, 0]))
>>> step = tables.step(step.masks.argmax(axis=1))  # everybody takes income
>>> step.actors, step.rewards.shape, step.over
(array([1, 1, 1, 1]), (4, 3), array([False, False, False, False]))

In every place there is always somebody to move. A step takes one action for each place, that of ``actors[place]``, and lets
chance play until somebody is to move again. Rewards are those of all seats. When a game ends the next one begins in the same
step: ``over`` and ``rewards`` tell of the end, everything else of the new game. NumPy is all that this needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.adapters.floats import Floats
from kibitz.adapters.places import ACTOR, Numbers, Places, compiled_policies, wanted_ids
from kibitz.adapters.places import Table as Policies
from kibitz.adapters.setting import ActionTable, Mask, Setting, setting
from kibitz.game import States
from kibitz.game.evaluator import SURE
from kibitz.game.verbs import uncompiled
from kibitz.ground.jit import rows
from kibitz.ground.rng import derive_seed

Booleans = npt.NDArray[np.bool_]
#: ``[seat]`` the name of the bot that plays it; None: it is asked from outside.
Players: TypeAlias = "Sequence[str | None]"
#: Positions where games begin, by default.
STARTS = 256


class Step(NamedTuple):
    """Where all places stand after a step."""

    observations: npt.NDArray[Any]
    """``[place, number]`` what the player to move sees; of all seats, ``[place, seat, number]``."""
    masks: Mask
    """``[place, id]`` 1 for what the player to move may do; of all seats, ``[place, seat, id]``, 0 for the others."""
    actors: Numbers
    """``[place]`` the seat that is to move."""
    rewards: npt.NDArray[np.float32]
    """``[place, seat]`` at the end of a game what it was worth, from 0 to 1, else 0; and the shaping, if there is any."""
    over: Booleans
    """``[place]`` whether a game ended with this step."""
    actions: Numbers
    """``[place]`` the id of what was done."""
    illegal: Booleans
    """``[place]`` whether something else had been wanted, which is not legal."""
    inputs: npt.NDArray[np.int16] | None = None
    """``[place, seat, number]`` what the evaluator looks at, as far as the player to move can know it; its own first. As far as
    each seat can know it, ``[place, seat, seat, number]``, where all are observed."""


class _Room(NamedTuple):
    """Where a step is written."""

    observations: npt.NDArray[np.int16]
    masks: Mask
    actors: Numbers
    """Whose rows of the masks are not empty."""
    floats: npt.NDArray[np.float32] | None


class VectorTableEnv:
    """`num_envs` games of a compiled game, all of whose seats are asked from outside.

    `players` lets compiled policies play some seats: ``[None, "builder"]``, or a list of such tables, which the places
    take in turn. `observe` is ``"actor"`` for the observation and the mask of who is to move, or ``"all"`` for those of
    every seat. `floats` makes floats of the observations (``"scaled"``, ``"standardised"``, ``"one-hot"``: see
    `kibitz.adapters.floats`); `starts`, `jobs` and the other options are those of `kibitz.adapters.vector.VectorSeatEnv`.
    With `inputs` a step also tells what the evaluator looks at (the verb `inputs`), in the view of whoever observes: a few
    hundred numbers that say what matters. With `reuse` the observations and masks of a step are overwritten by the step after
    the next one: faster, and enough for whoever copies them into a buffer.

    `shaping` adds to the rewards of every step how much better the position has become for each seat, times so much:
    ``shaping * (discount * after - before)``, where a position is worth what the evaluator says, and 0 after the end. What is
    best to play stays the same (Ng, Harada and Russell 1999); for that, `discount` has to be the learner's own, for one step
    of this environment.
    """

    def __init__(
        self,
        num_envs: int,
        game: str,
        seats: int | None = None,
        *,
        players: Players | Sequence[Players] | None = None,
        observe: Literal["actor", "all"] = "actor",
        floats: str | None = None,
        inputs: bool = False,
        shaping: float = 0.0,
        discount: float = 1.0,
        starts: int = STARTS,
        jobs: int | None = None,
        reuse: bool = False,
        **options: Any,
    ) -> None:
        check_room(num_envs, starts, observe)
        self.setting: Setting = compiled_setting(game, seats, **options)
        here = self.setting
        self.num_envs, self.shaping, self.discount = num_envs, shaping, discount
        self.floats = Floats.of(here.layout, floats) if floats else None
        self._all, self._pool = observe == "all", starts
        eyes = range(here.seats) if self._all else [ACTOR]
        self._places = Places(here, tables_of(here, players), list(eyes), num_envs, jobs)
        self._every = np.arange(num_envs)
        self._reuse, self._rooms = reuse, [self._room() for _ in range(2 * reuse)]
        self._potentials = np.zeros((num_envs, here.seats), np.int64)
        self._inputs = inputs_of(here) if inputs else 0
        if shaping:
            check_judged(here)

    @property
    def seats(self) -> int:
        """How many play in each game."""
        return self.setting.seats

    @property
    def actions(self) -> ActionTable:
        """What the ids mean."""
        return self.setting.actions

    @property
    def states(self) -> States:
        """``[place]`` the games themselves, with everything that is hidden: to look at, not to learn from."""
        return self._places.states

    def action_masks(self) -> Mask:
        """``[place, id]`` 1 for what the player to move may do."""
        return self._places.masks.copy()

    def reset(self, seed: int = 0) -> Step:
        """Begin a series of games in every place."""
        here = self._places
        for i in range(self.num_envs):
            here.begin_series(i, derive_seed(seed, "place", i))
        here.make_starts(self._pool)
        room = self._next_room()
        here.step(self._every, room.observations)
        if self.shaping:
            here.judge(self._every, self._potentials)
        nothing = np.zeros(self.num_envs, np.bool_)
        rewards = np.zeros((self.num_envs, self.seats), np.float32)
        return self._step(room, rewards, nothing, np.zeros(self.num_envs, np.int64), nothing.copy())

    def step(self, actions: npt.ArrayLike) -> Step:
        """Do something in every place; an illegal id is replaced as in `kibitz.adapters.gym.SeatEnv`."""
        here = self._places
        if not here.games.all():
            raise RuntimeError("no games are under way: call reset")
        here.ids[:] = wanted_ids(actions, self.num_envs)
        room = self._next_room()
        here.step(self._every, room.observations)
        over, ids, illegal = here.over.copy(), here.ids.copy(), here.illegal.copy()
        low, high = self.setting.game.stakes
        rewards = np.zeros((self.num_envs, self.seats), np.float32)
        rewards[over] = (here.prizes[over] - low) / (high - low)
        if self.shaping:
            rewards += self._shaped()
        if over.any():
            ended = np.flatnonzero(over)
            room.observations[ended] = here.step(ended)
            if self.shaping:
                here.judge(ended, self._potentials)
        return self._step(room, rewards, over, ids, illegal)

    def _step(self, room: _Room, rewards: npt.NDArray[np.float32], over: Booleans, ids: Numbers, illegal: Booleans) -> Step:
        actors = self._places.actors.copy()
        if self._all:
            room.masks[self._every, room.actors] = 0
            room.masks[self._every, actors] = self._places.masks
            room.actors[:] = actors
        else:
            room.masks[:, 0] = self._places.masks
        observations, masks = (room.observations, room.masks) if self._all else (room.observations[:, 0], room.masks[:, 0])
        shown = observations if self.floats is None else self.floats(observations, room.floats)
        return Step(shown, masks, actors, rewards, over, ids, illegal, self._described())

    def _described(self) -> npt.NDArray[np.int16] | None:
        if not self._inputs:
            return None
        eyes = self.seats if self._all else 1
        out = np.empty((self.num_envs, eyes, self.seats, self._inputs), np.int16)
        self._places.describe(self._every, out)
        return out if self._all else out[:, 0]

    def _room(self) -> _Room:
        rows = self.seats if self._all else 1
        masks = np.zeros((self.num_envs, rows, len(self.actions)), np.int8)
        shape = (self.num_envs, rows) if self._all else (self.num_envs,)
        floats = None if self.floats is None else np.empty((*shape, self.floats.size), np.float32)
        return _Room(self._places.room(self.num_envs), masks, np.zeros(self.num_envs, np.int64), floats)

    def _next_room(self) -> _Room:
        """Where the next step is written: in turn to one of two rooms, or to a new one."""
        if not self._reuse:
            return self._room()
        self._rooms.reverse()
        return self._rooms[0]

    def _shaped(self) -> npt.NDArray[np.floating[Any]]:
        before = self._potentials.copy()
        self._places.judge(self._every, self._potentials)
        return (self.discount * self._potentials - before) * (self.shaping / SURE)


def check_room(num_envs: int, starts: int, observe: str) -> None:
    """Raise a ValueError where there would be no place, or nowhere to begin, or nobody to look."""
    if num_envs < 1 or starts < 1:
        raise ValueError(f"num_envs={num_envs}, starts={starts}: expected at least 1")
    if observe not in ("actor", "all"):
        raise ValueError(f"observe={observe!r}: expected 'actor' or 'all'")


def compiled_setting(game: str, seats: int | None, **options: Any) -> Setting:
    """`setting`, for a game whose rules are compiled; raises a ValueError for any other."""
    found = setting(game, seats, **options)
    if found.game.is_plain:
        raise ValueError(f"{found.game.name}: its rules are not compiled; kibitz.adapters.zoo has it")
    return found


def check_judged(here: Setting) -> None:
    """Raise a ValueError where no evaluator judges the game."""
    if not uncompiled(here.game).value(*_beginning(here)):
        raise ValueError(f"shaping: {here.game.name} has no evaluator for these rules")


def _beginning(here: Setting) -> tuple[Any, Any]:
    """A state where a game begins, and a scratch struct, for plain functions."""
    state, x = (rows(np.asarray(one))[0] for one in (here.start(0), here.game.scratches()))
    return state, x


def inputs_of(here: Setting) -> int:
    """How many numbers the evaluator looks at for each seat. Raises a ValueError where there is none."""
    n: int = uncompiled(here.game).inputs(*_beginning(here))
    if not n:
        raise ValueError(f"inputs=True: {here.game.name} has no evaluator for these rules")
    return n


def tables_of(here: Setting, players: Players | Sequence[Players] | None) -> list[Policies]:
    """The policies of all tables; None where somebody outside is asked."""
    given: list[Any] = [None] * here.seats if players is None else list(players)
    tables = [given] if all(one is None or isinstance(one, str) for one in given) else [list(table) for table in given]
    found: list[Policies] = []
    for table in tables:
        if len(table) != here.seats:
            raise ValueError(f"{len(table)} players at a table: expected {here.seats}, with None for who is asked from outside")
        if None not in table:
            raise ValueError(f"players {', '.join(map(str, table))}: nobody is asked from outside")
        bots = [here.profile.bot_named(name) for name in table if name is not None]
        policies = compiled_policies(here, bots)
        if policies is None:
            raise ValueError(f"players {table!r}: expected compiled policies: {', '.join(here.game.policies)}")
        rest = iter(policies)
        found.append([None if name is None else next(rest) for name in table])
    return found
