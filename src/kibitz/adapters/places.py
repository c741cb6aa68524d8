"""Many games at once, one seat of each against compiled policies: the arrays that `kibitz.adapters.kernels` steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.adapters.kernels import GAMES, PLAYERS, SERIES, step_places
from kibitz.adapters.observations import octets_of, plan_of
from kibitz.adapters.parts import Observations
from kibitz.adapters.setting import Setting
from kibitz.game import States
from kibitz.ground.jit import integers
from kibitz.play.bots import Bot

Numbers = npt.NDArray[np.int64]


def compiled_policies(here: Setting, bots: Sequence[Bot]) -> list[int] | None:
    """The policies of these bots, or None where the rules or one of the bots are not compiled."""
    policies = [bot.policy for bot in bots if bot.policy is not None]
    return None if here.game.is_plain or len(policies) < len(bots) else policies


class Places:
    """`n` places with a game each, or none yet; `jobs` threads may step some of them at once.

    After a step, ``[place]`` tells of it in `over`, `illegal`, `prizes` (what the end is worth) and `masks` (of legal ids).
    """

    def __init__(self, here: Setting, seat: int, policies: Sequence[int], n: int, jobs: int = 1) -> None:
        """`policies` are those of the other seats, in their order."""
        game, table = here.game, here.actions
        self.starts: States = game.room(0)
        """Where games begin: at any of these."""
        self.over = np.ones(n, np.bool_)
        self.illegal = np.zeros(n, np.bool_)
        self.prizes: Numbers = integers(np.zeros(n, np.int64))
        self.masks = np.zeros((n, len(table)), np.int8)
        self.views = game.room(n)
        self._states = game.room(n)
        self._streams = integers(np.zeros((n, PLAYERS + here.seats), np.uint64))
        self._seat, self._plan = seat, integers(plan_of(here.layout, game.state, seat))
        self._xs = game.scratches(jobs)
        self._xs["policy"][:, : here.seats] = [*policies[:seat], 0, *policies[seat:]]
        self._codes = integers(np.array(table.codes, np.int64))
        self._ascending = integers(np.sort(self._codes))
        self._ids = integers(np.argsort(self._codes))
        self._defaults = integers(np.array(table.defaults, np.int64))

    @property
    def games(self) -> npt.NDArray[np.uint64]:
        """``[place]`` how many games of its series have begun."""
        return np.asarray(self._streams)[:, GAMES]

    def series(self, place: int) -> int:
        """The seed of a place's series of games."""
        return int(self._streams[place, SERIES])

    def begin_series(self, place: int, seed: int) -> None:
        """Let the next game of a place be the first of this series."""
        self._streams[place, SERIES] = seed
        self._streams[place, GAMES] = 0
        self.over[place] = True

    def step(self, places: Numbers, some: range, ids: Numbers, out: Observations, job: int = 0) -> None:
        """A step in ``places[some]``: what is seen then comes to ``out[some]``, and `ids` become those of what was done.

        `ids` are by place. Where the game is over, the next one begins.
        """
        octets = integers(octets_of(self.views))  # made here: in a deep copy of this object they would be other bytes
        step_places(
            self._states, self.starts, self.views, octets, self._streams, self._xs, job, self._seat, self._codes,
            self._ascending, self._ids, self._defaults, self._plan, ids, self.masks, self.prizes, self.over, self.illegal, out,
            places, some.start, some.stop,
        )  # fmt: skip
