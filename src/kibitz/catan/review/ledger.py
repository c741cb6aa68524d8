"""Luck and decisions of a game in the evaluator's integers: where every change of everybody's chances comes from, exactly.

A position is worth what the evaluator says, and a chance event the mean over what may happen. Every step then changes what the
position is worth: a roll or a card by luck, a decision by what it was worth beyond what was expected of it. All changes
together lead from the start to the result, to the last unit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.core.actions import Action
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import SETUP_SETTLEMENT
from kibitz.catan.review.kernels import worth_all
from kibitz.catan.review.types import DICE, DRAWN, STOLEN, Account, Fortune, Moment
from kibitz.game import CHANCE, States
from kibitz.game.definition import as_structs
from kibitz.ground.jit import integers

_KINDS = {"rolled": DICE, "stolen": STOLEN, "drawn": DRAWN}


@dataclass(frozen=True, eq=False)
class Ledger:
    """All positions of a game, and what each is worth to each seat."""

    record: Record
    states: States
    """[position] before every step, and the last one."""
    actors: tuple[int, ...]
    worth: npt.NDArray[np.int64]
    """[position, seat]"""

    @classmethod
    def of(cls, record: Record) -> "Ledger":
        """Go through a game."""
        positions = [np.asarray(states).copy() for states in record.states()]
        states = as_structs(np.concatenate(positions))
        worth = integers(np.zeros((len(states), len(record.seats)), np.int64))
        worth_all(states, GAME.room(1), GAME.scratches(), worth)
        actors = tuple(game.actor_at(states, i) for i in range(len(states)))
        return cls(record, states, actors, np.asarray(worth))

    @cached_property
    def turns(self) -> list[int]:
        """[position] the turn."""
        return [int(turn) for turn in np.asarray(self.states)["turn"]]

    @cached_property
    def changes(self) -> npt.NDArray[np.int64]:
        """[step, seat] by how much each step changes what the position is worth."""
        return np.diff(self.worth, axis=0)

    @cached_property
    def fortunes(self) -> tuple[Fortune, ...]:
        """Everything that happened by chance."""
        return tuple(self._fortune(step) for step in range(len(self.record.codes)) if self.actors[step] == CHANCE)

    def _fortune(self, step: int) -> Fortune:
        action = Action.from_code(self.record.codes[step])
        (what,) = action.data.values()
        worth = tuple(int(change) for change in self.changes[step])
        return Fortune(step, self.turns[step], int(self._of("player", step)), _KINDS[action.kind], str(what), worth)

    def _of(self, name: str, step: int) -> int:
        return int(np.asarray(self.states)[name][step])

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The settlements of the draft, the beginnings of turns, and the end."""
        found, turn, last = [], 0, len(self.record.codes)
        by_chance = np.array([[actor == CHANCE] for actor in self.actors[:-1]], bool).reshape(last, 1)
        luck = np.concatenate([np.zeros_like(self.worth[:1]), np.cumsum(self.changes * by_chance, axis=0)])
        for step, now in enumerate(self.turns):
            drafting = self._of("phase", step) == SETUP_SETTLEMENT
            if drafting or now != turn or step == last:
                turn = now
                pick = self._of("placed", step) + 1 if drafting else 0
                found.append(Moment(step, now, pick, tuple(map(int, self.worth[step])), tuple(map(int, luck[step]))))
        return tuple(found)

    def account(self, seat: int, losses: Mapping[int, int]) -> Account:
        """What the game came to for a seat; `losses` are those of its own decisions by step, as they were judged."""
        luck = dict.fromkeys(_KINDS.values(), 0)
        for fortune in self.fortunes:
            luck[fortune.kind] += fortune.worth[seat]
        own, others = (self._changed(seat, mine) for mine in (True, False))
        lost = sum(losses.values())
        return Account(
            start=int(self.worth[0, seat]), dice=luck[DICE], stolen=luck[STOLEN], drawn=luck[DRAWN], own=own, others=others,
            result=int(self.worth[-1, seat]), losses=lost, correction=own + lost,
        )  # fmt: skip

    def _changed(self, seat: int, mine: bool) -> int:
        """By how much a seat's own decisions, or those of others, changed what the game was worth to it."""
        steps = [step for step, actor in self._decided() if (actor == seat) == mine]
        return int(self.changes[steps, seat].sum()) if steps else 0

    def _decided(self) -> Sequence[tuple[int, int]]:
        return [(step, actor) for step, actor in enumerate(self.actors[:-1]) if actor >= 0]
