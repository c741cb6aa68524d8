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
from kibitz.adapters.parts import Observations
from kibitz.adapters.setting import Setting, setting
from kibitz.compute.workers import Threads
from kibitz.game import OVER, Scratch, actor, apply, as_structs, decide, door, hide, legal, number_seeds, prize, seat_policies
from kibitz.jit import Grid, Vector, integers, jit, uint64
from kibitz.rng import below, child, derive_seed, reseed

Booleans = npt.NDArray[np.bool_]
#: Positions where games begin, by default.
STARTS = 256


@jit
def play_on(s: Any, x: Scratch, seat: int) -> int:
    """Let chance and the others play until it is the move of `seat` or the game is over."""
    at = actor(s)
    while at != OVER and at != seat:
        apply(s, decide(s, x, at))
        at = actor(s)
    return at


@jit
def id_of(codes: Vector, ids: Vector, code: int) -> int:
    """The id of a code: `codes` are in ascending order, `ids` in the same."""
    low, high = 0, len(codes) - 1
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return ids[low]


@jit
def default_id(masks: Grid, i: int, defaults: Vector) -> int:
    """What place i does instead of an illegal action (see `kibitz.adapters.actions.ActionTable.default`)."""
    for j in range(len(defaults)):
        if masks[i, defaults[j]]:
            return defaults[j]
    a = 0
    while not masks[i, a]:
        a += 1
    return a


@jit
def begin_game(states: Any, i: int, starts: Any, streams: Any, x: Scratch, seat: int) -> None:
    """The next game of place i: its seed hangs on the place's own, ``streams[i]``, and on its number."""
    streams[i, 1] += uint64(1)
    at = OVER
    while at == OVER:  # the others may end a game before the seat has had a move
        reseed(x, child(streams[i, 0], streams[i, 1]))
        states[i] = starts[below(x, len(starts))]
        at = play_on(states[i], x, seat)
        if at == OVER:
            streams[i, 1] += uint64(1)


@door
def step_range(
    states: Any, starts: Any, views: Any, streams: Any, xs: Any, j: int, seat: int, codes: Any, ascending: Any, ids: Any,
    defaults: Any, actions: Any, masks: Any, prizes: Any, over: Any, illegal: Any, first: int, last: int,
) -> None:  # fmt: skip
    """One step in the places `first` to ``last - 1``. Where the game is over, the next one begins.

    ``streams[i]`` are the seed of the place, the number of its game, and the random state of that game's policies and chance.
    """
    x = xs[j]
    for i in range(first, last):
        illegal[i] = 0
        prizes[i] = 0
        if over[i]:
            over[i] = 0
            begin_game(states, i, starts, streams, x, seat)
        else:
            x.seed, x.random = streams[i, 2], streams[i, 3]
            a = actions[i]
            if a < 0 or a >= len(codes) or not masks[i, a]:
                illegal[i] = 1
                a = default_id(masks, i, defaults)
                actions[i] = a
            apply(states[i], codes[a])
            if play_on(states[i], x, seat) == OVER:
                over[i] = 1
                prizes[i] = prize(states[i], seat)
        streams[i, 2], streams[i, 3] = x.seed, x.random
        for a in range(len(codes)):
            masks[i, a] = 0
        if not over[i]:
            for k in range(legal(states[i], x)):
                masks[i, id_of(ascending, ids, x.actions[k])] = 1
        views[i] = states[i]
        hide(views[i], seat)


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
