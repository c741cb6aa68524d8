"""Small games in plain Python that can be searched, and compiled games behind the same protocol."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from kibitz.game import CHANCE, OVER, game_of
from tests.search.plain_games import Wrapped


class Searchable(Wrapped):
    """One state of a compiled game: its uncompiled rules, on rows."""

    def __init__(self, states: Any) -> None:
        super().__init__(states)
        game = game_of(states)
        self.stakes = game.stakes
        self.seats = int(np.asarray(states)["seats"][0]) if "seats" in states.dtype.names else game.seats[1]

    def sensible(self, x: Any) -> int:
        return self.twins.sensible(self.states[0], x)

    def moment(self) -> int:
        return self.twins.moment(self.states[0])

    def prize(self, seat: int) -> int:
        return self.twins.prize(self.states[0], seat)

    def choose(self, x: Any, policy: int) -> int:
        return self.twins.choose(self.states[0], x, policy)

    def copy(self) -> Searchable:
        return Searchable(self.states)


def wrapped(states: Any) -> list[Searchable]:
    return [Searchable(states[i : i + 1]) for i in range(len(states))]


@dataclass
class Toy(ABC):
    """Seat 0 moves first; what follows, and what it is worth, is up to the subclass. The world is hidden, all else is open."""

    world: int = 0
    done: tuple[int, ...] = ()

    seats: ClassVar[int] = 2
    stakes: ClassVar[tuple[int, int]] = (0, 10)

    @abstractmethod
    def options(self) -> list[int]: ...

    @abstractmethod
    def worth(self) -> int:
        """To seat 0; the rest of 10 goes to seat 1."""

    @abstractmethod
    def actor(self) -> int: ...

    def legal(self, x: Any) -> int:
        options = self.options()
        x.actions[: len(options)] = options
        return len(options)

    def sensible(self, x: Any) -> int:
        return self.legal(x)

    def weights(self, x: Any) -> int:
        n = self.legal(x)
        x.weights[:n] = [1] * n
        return n

    def moment(self) -> int:
        return len(self.done)

    def apply(self, a: int) -> None:
        self.done = (*self.done, a)

    def prize(self, seat: int) -> int:
        return 10 - self.worth() if seat else self.worth()

    def score(self, seat: int) -> int:
        return self.prize(seat)

    def seen(self, a: int, seat: int) -> int:
        return a

    def copy(self) -> Any:
        return replace(self)


class Choice(Toy):
    """One decision; the codes of the actions say what they are worth."""

    def actor(self) -> int:
        return OVER if self.done else 0

    def options(self) -> list[int]:
        return [3, 5, 6]

    def worth(self) -> int:
        return self.done[0]

    def choose(self, x: Any, policy: int) -> int:
        return 5


class Renamed(Choice):
    """What is perceived of the actions is in another order than they are."""

    def seen(self, a: int, seat: int) -> int:
        return {3: 9, 5: -2, 6: 4}[a]


SAFE, RISK = 0, 1


class Guess(Toy):
    """Seat 0 takes 6 for sure, or guesses the world (0 or 1) for all or nothing. To look into the worlds makes it look easy."""

    guesser = 0

    def actor(self) -> int:
        if not self.done:
            return 0
        return OVER if self.done[0] == SAFE or len(self.done) == 2 else self.guesser

    def options(self) -> list[int]:
        return [0, 1]

    def worth(self) -> int:
        if self.done[0] == SAFE:
            return 6
        return 10 if self.done[1] == self.world else 0


class TheirGuess(Guess):
    """Seat 0 takes 2 for sure, or lets seat 1 guess the world, which gets everything if it is right."""

    guesser = 1

    def worth(self) -> int:
        if self.done[0] == SAFE:
            return 2
        return 0 if self.done[1] == self.world else 10


class Differing(Toy):
    """After seat 0 has passed, seat 1 has one action in all worlds and one (1, 2 ...) that only its world allows."""

    def actor(self) -> int:
        return OVER if len(self.done) == 2 else len(self.done)

    def options(self) -> list[int]:
        return [0, 1 + self.world] if self.done else [0]

    def worth(self) -> int:
        return 5


class Secret(Toy):
    """Seat 1 answers with one of five cards face down; seat 0 sees only that it did. One of the five is good for seat 0."""

    def actor(self) -> int:
        return OVER if len(self.done) == 2 else len(self.done)

    def options(self) -> list[int]:
        return [0, 1, 2, 3, 4] if self.done else [0]

    def seen(self, a: int, seat: int) -> int:
        return -1 if self.actor() == 1 and seat == 0 else a

    def worth(self) -> int:
        return 10 if self.done[1] == 4 else 0


class Dice(Toy):
    """Seat 0 moves, chance flips a hundred coins, seat 1 moves."""

    def actor(self) -> int:
        return [0, *[CHANCE] * 100, 1, OVER][len(self.done)]

    def options(self) -> list[int]:
        return [0, 1]

    def worth(self) -> int:
        return self.done[-1] * 10
