"""The games of one seat, one after the other: at tables with bots of any kind or, far faster, among compiled policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from kibitz.adapters.actions import Mask
from kibitz.adapters.observations import Observations
from kibitz.adapters.places import Places, compiled_policies
from kibitz.adapters.setting import Setting
from kibitz.game import OVER, Game, States
from kibitz.ground.jit import integers
from kibitz.ground.rng import derive_seed
from kibitz.play.bots import Bot
from kibitz.play.conduct import Conducts, together
from kibitz.play.match import Table


class Shown(NamedTuple):
    """What the seat is shown at its move, or at the end."""

    observation: Observations
    mask: Mask
    """``[id]`` 1 for what is legal; at the end nothing is."""


class Done(NamedTuple):
    """What came of a decision."""

    shown: Shown
    over: bool
    worth: float
    """What the end is worth to the seat; 0 before."""
    action: int
    """The id of what was done."""
    illegal: bool
    """Whether something else was wanted."""


class SeatGames(Protocol):
    """A series of games, given by its seed; in each the others play until it is the seat's move, or to the end."""

    lost: list[dict[str, int]]
    """``[seat]`` the decisions that its bot lost in this game, by why; empty where no bot of the table can lose any."""
    conduct: Conducts
    """How the bots that can lose decisions have behaved in all games."""

    def begin_series(self, seed: int) -> None:
        """Let the next game be the first of this series."""

    def begin_game(self) -> Shown:
        """Begin the next game in which the seat has a move."""

    def step(self, action: object) -> Done:
        """Do this id, if it is a legal one, else the default."""


def games_of(here: Setting, seat: int, bots: Sequence[Bot]) -> SeatGames:
    """The games of a seat with these bots at the other seats, in their order."""
    policies = compiled_policies(here, bots)
    return TableGames(here, seat, bots) if policies is None else CompiledGames(here, seat, policies)


class CompiledGames:
    """Games against compiled policies; each step is one compiled call."""

    def __init__(self, here: Setting, seat: int, policies: Sequence[int]) -> None:
        self.lost: list[dict[str, int]] = []
        self.conduct: Conducts = {}
        self._here, self._places = here, Places(here, seat, policies, 1)
        self._first = integers(np.zeros(1, np.int64))

    def begin_series(self, seed: int) -> None:
        """Let the next game be the first of this series."""
        self._places.begin_series(0, seed)

    def begin_game(self) -> Shown:
        """Begin the next game in which the seat has a move."""
        places = self._places
        # If the others end a game before the seat has a move, the next one begins at the same start.
        places.starts = self._here.start(derive_seed(places.series(0), int(places.games[0])))
        places.over[0] = True
        return self._advance()

    def step(self, action: object) -> Done:
        """Do this id, if it is a legal one, else the default."""
        places = self._places
        places.ids[0] = self._here.actions.wanted(action)
        shown, over = self._advance(), bool(places.over[0])
        worth = self._here.share(int(places.prizes[0])) if over else 0.0
        return Done(shown, over, worth, int(places.ids[0]), bool(places.illegal[0]))

    def _advance(self) -> Shown:
        out = np.empty((1, self._here.layout.size), np.int16)
        self._places.step(self._first, out)
        return Shown(out[0], self._places.masks[0].copy())


class Outsider:
    """A player who does what somebody outside of the table says."""

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Nothing to prepare."""

    def saw(self, before: States, code: int, after: States) -> None:
        """Whoever is outside looks at the table."""

    def decide(self, view: States) -> int:
        """The table is told by whoever is outside."""
        raise AssertionError("who is outside is not asked like a bot")


class TableGames:
    """Games at tables with bots of any kind, which are told all that they may see."""

    def __init__(self, here: Setting, seat: int, bots: Sequence[Bot]) -> None:
        self.lost: list[dict[str, int]] = []
        self.conduct: Conducts = {}
        self._here, self._seat = here, seat
        self._bots = [*bots[:seat], Bot("outside", Outsider), *bots[seat:]]

    def begin_series(self, seed: int) -> None:
        """Let the next game be the first of this series."""
        self._series, self._games = seed, 0

    def begin_game(self) -> Shown:
        """Begin the next game in which the seat has a move."""
        self._legal: list[int] = []
        while not self._legal:  # the others may end a game before the seat has had a move
            seed = derive_seed(self._series, self._games)
            self._games += 1
            self._before = self.conduct
            self._table = Table(self._here.game, self._here.start(seed), self._bots, seed)
            self._go_on()
        return self._shown()

    def step(self, action: object) -> Done:
        """Do this id, if it is a legal one, else the default."""
        done, illegal = self._here.actions.judged(action, self._legal)
        self._table.step(self._here.actions.codes[done])
        self._go_on()
        over = self._table.actor == OVER
        worth = self._here.worth(self._table.states, self._seat) if over else 0.0
        return Done(self._shown(), over, worth, done, illegal)

    def _go_on(self) -> None:
        table = self._table
        while table.actor not in (self._seat, OVER):
            table.step()
        self._legal = [] if table.actor == OVER else self._here.actions.legal(table.states)
        if watched := table.watched:
            self.lost = [dict(watched[seat].lost) if seat in watched else {} for seat in range(self._here.seats)]
            self.conduct = together([self._before, table.conduct])

    def _shown(self) -> Shown:
        observation: Observations = self._here.layout.observe(self._table.states, self._seat)[0]
        return Shown(observation, self._here.actions.mask(self._legal))
