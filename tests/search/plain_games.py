"""Games in plain Python: the verbs as methods of ordinary objects, as `kibitz.search.flat.PlainState` wants them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kibitz.game import CHANCE, OVER, game_of
from kibitz.game.verbs import uncompiled
from kibitz.ground.jit import rows


class Wrapped:
    """One state of a compiled game behind the plain protocol: its uncompiled rules, on rows."""

    def __init__(self, states: Any) -> None:
        self.states = rows(np.asarray(states).copy())
        self.twins = uncompiled(game_of(states))

    def actor(self) -> int:
        return self.twins.actor(self.states[0])

    def legal(self, x: Any) -> int:
        return self.twins.legal(self.states[0], x)

    def weights(self, x: Any) -> int:
        return self.twins.weights(self.states[0], x)

    def apply(self, a: int) -> None:
        self.twins.apply(self.states[0], a)

    def score(self, seat: int) -> int:
        return self.twins.score(self.states[0], seat)

    def seen(self, a: int, seat: int) -> int:
        return self.twins.seen(self.states[0], a, seat)

    def copy(self) -> Wrapped:
        return Wrapped(self.states)


ASSASSIN, CONTESSA, CIVILIAN = 0, 1, 2
DEAL = 10
INCOME, ASSASSINATE, COUP, ACCEPT, CHALLENGE, BLOCK = range(6)


@dataclass
class KuhnCoup:
    """Coup with three cards, of which each player holds one, and one coin each; the first influence lost decides.

    Income earns a coin. An assassination costs one and may be accepted, challenged or blocked (and a block is always
    challenged). A coup costs two and is forced with three or more.
    """

    cards: list[int] = field(default_factory=list)
    coins: list[int] = field(default_factory=lambda: [1, 1])
    turn: int = 0
    assassin: int = -1
    loser: int = -1

    def actor(self) -> int:
        if self.loser >= 0:
            return OVER
        if len(self.cards) < 2:
            return CHANCE
        return self.turn if self.assassin < 0 else 1 - self.assassin

    def legal(self, x: Any) -> int:
        if self.assassin >= 0:
            actions = [ACCEPT, CHALLENGE, BLOCK]
        elif self.coins[self.turn] >= 3:
            actions = [COUP]
        else:
            actions = [INCOME] + [ASSASSINATE] * (self.coins[self.turn] >= 1) + [COUP] * (self.coins[self.turn] >= 2)
        x.actions[: len(actions)] = actions
        return len(actions)

    def weights(self, x: Any) -> int:
        left = [card for card in (ASSASSIN, CONTESSA, CIVILIAN) if card not in self.cards]
        x.actions[: len(left)] = [DEAL + card for card in left]
        x.weights[: len(left)] = [1] * len(left)
        return len(left)

    def apply(self, a: int) -> None:
        if a >= DEAL:
            self.cards.append(a - DEAL)
        elif a == INCOME:
            self.coins[self.turn] += 1
            self.turn = 1 - self.turn
        elif a == ASSASSINATE:
            self.coins[self.turn] -= 1
            self.assassin = self.turn
        elif a == COUP:
            self.loser = 1 - self.turn
        elif a == CHALLENGE:
            self.loser = 1 - self.assassin if self.cards[self.assassin] == ASSASSIN else self.assassin
        else:
            blocked = a == BLOCK and self.cards[1 - self.assassin] == CONTESSA
            self.loser = self.assassin if blocked else 1 - self.assassin

    def score(self, seat: int) -> int:
        return -1 if seat == self.loser else 1

    def seen(self, a: int, seat: int) -> int:
        return a if a < DEAL or len(self.cards) == seat else -1

    def copy(self) -> KuhnCoup:
        return replace(self, cards=list(self.cards), coins=list(self.coins))


@dataclass
class Rounds:
    """Players move in this order, each choosing 0 or 1, and see everything; seat 0 wins the number of ones.

    Subclasses break one rule each.
    """

    order: tuple[int, ...] = (0, 1, 0)
    done: tuple[int, ...] = ()

    def actor(self) -> int:
        return self.order[len(self.done)] if len(self.done) < len(self.order) else OVER

    def legal(self, x: Any) -> int:
        x.actions[:2] = [0, 1]
        return 2

    def weights(self, x: Any) -> int:
        x.weights[:2] = [1, 3]
        return self.legal(x)

    def apply(self, a: int) -> None:
        self.done = (*self.done, a)

    def score(self, seat: int) -> int:
        return sum(self.done) if seat == 0 else -sum(self.done)

    def seen(self, a: int, seat: int) -> int:
        return a

    def copy(self) -> Any:
        return replace(self)


class Forgetful(Rounds):
    """Nobody remembers anything."""

    def seen(self, a: int, seat: int) -> int:
        return 0


class Confused(Rounds):
    """Seat 1 does not see what seat 0 did, but has another choice."""

    def legal(self, x: Any) -> int:
        x.actions[:2] = [0, 1 + sum(self.done)]
        return 2

    def seen(self, a: int, seat: int) -> int:
        return a if self.actor() == seat else 0


class Generous(Rounds):
    """Both win."""

    def score(self, seat: int) -> int:
        return sum(self.done)


class Stuck(Rounds):
    """Nobody can move."""

    def legal(self, x: Any) -> int:
        return 0
