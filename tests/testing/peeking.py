"""Peek, a game of a few lines with everything that a promise can be about; each test breaks one thing in it.

Two players hold one of four cards each, face down. In turn, each may *look* at the other's card once, or *stop*: then the
higher card wins.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.game import CHANCE, OVER, Game, scratch_fields
from kibitz.ground.jit import plain
from kibitz.ground.plain_states import OBJECT, PlainStates
from kibitz.ground.rng import below

LOOK, STOP, DEAL = 0, 1, 2  # dealing card c is the outcome DEAL + c - 1
CARDS = (1, 2, 3, 4)
NAMES = ("look", "stop", *(f"deal {card}" for card in CARDS))
UNSEEN = -1


class World(SimpleNamespace):
    def __init__(self) -> None:
        super().__init__(cards=(0, 0))

    def exact(self) -> Any:
        return tuple(self.cards)


class Peek:
    """One game at one moment."""

    def __init__(self) -> None:
        self.cards = [0, 0]
        self.known = [False, False]  # whether a player has looked at the other's card
        self.turn = 0
        self.stopped = False

    def actor(self) -> int:
        return CHANCE if 0 in self.cards else OVER if self.stopped else self.turn % 2

    def _choices(self) -> list[int]:
        return [STOP] if self.known[self.turn % 2] else [LOOK, STOP]

    def legal(self, x: Any) -> int:
        choices = self._choices()
        x.actions[: len(choices)] = choices
        return len(choices)

    def _left(self) -> list[int]:
        return [card for card in CARDS if card not in self.cards]

    def weights(self, x: Any) -> int:
        left = self._left()
        x.actions[: len(left)], x.weights[: len(left)] = [DEAL + card - 1 for card in left], [1] * len(left)
        return len(left)

    def moment(self) -> int:
        return self.cards.index(0)

    def why_not(self, a: int) -> int:
        if self.actor() == CHANCE:
            return int(a - DEAL + 1 not in self._left())
        return int(self.actor() == OVER or a not in self._choices())

    def apply(self, a: int) -> None:
        if a >= DEAL:
            self.cards[self.cards.index(0)] = a - DEAL + 1
            return
        if a == LOOK:
            self.known[self.turn % 2] = True
        else:
            self.stopped = True
        self.turn += 1

    def score(self, seat: int) -> int:
        return 1 if self.cards[seat] > self.cards[1 - seat] else -1

    def seen(self, a: int, seat: int) -> int:
        return UNSEEN if a >= DEAL and self.moment() != seat else a

    def news(self, a: int, seat: int) -> int:
        return self.cards[1 - seat] if a == LOOK and self.turn % 2 == seat else 0

    def hide(self, seat: int) -> None:
        for other in {0, 1} - {seat}:
            if self.cards[other] and not (seat >= 0 and self.known[seat]):
                self.cards[other] = UNSEEN

    def peek(self, w: World) -> None:
        w.cards = tuple(self.cards)

    def deal(self, w: World) -> None:
        self.cards[:] = w.cards

    def redeal(self, x: Any, seat: int) -> None:
        if self.cards[1 - seat] and not self.known[seat]:
            self.cards[1 - seat] = UNSEEN
            left = self._left()
            self.cards[1 - seat] = left[plain(below)(x, len(left))]

    def copy(self) -> Any:
        twin = type(self)()
        twin.cards, twin.known, twin.turn, twin.stopped = [*self.cards], [*self.known], self.turn, self.stopped
        return twin

    def exact(self) -> Any:
        return (*self.cards, *self.known, self.turn, self.stopped)


def peek_game(rules: type[Peek] = Peek, **facts: Any) -> Game:
    """The game with these rules and declared facts."""
    game = Game(
        **{
            "name": "peek",
            "seats": (2, 2),
            "scores": (-1, 1),
            "max_turns": 4,
            "state": OBJECT,
            "scratch": np.dtype(scratch_fields(seats=2, actions=2, outcomes=len(CARDS))),
            "world": World,
            "rules": rules,
            "describe": NAMES.__getitem__,
            "parse": NAMES.index,
            "new": lambda seats, seed: PlainStates(game, [rules()]),
            **facts,
        }
    )
    return game
