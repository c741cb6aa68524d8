"""Tiny games for the guard: a walk on a graph that is written down, with good and bad fingerprints, and hidden cards."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.game import OVER
from kibitz.loops.lap import Streak
from kibitz.loops.memory import History
from kibitz.loops.protocol import OMNISCIENT, PlainGame


def array_bytes(*parts: History | Streak) -> int:
    """The memory that the arrays of some parts of a guard's memory take."""
    fields = [getattr(part, name) for part in parts for name in part.__slots__]
    return sum(len(field) * field.itemsize for field in fields if isinstance(field, array))


def good(node: int) -> int:
    return (node + 1) * 0x9E3779B97F4A7C15 & (1 << 64) - 1


def constant(node: int) -> int:
    """The worst fingerprint there is."""
    return 7


def coarse(node: int) -> int:
    return node % 3


@dataclass
class Walk:
    """A token on a graph: from node n one may go to ``edges[n]``; the action is the place in that list. Nowhere to go: over."""

    edges: tuple[tuple[int, ...], ...]
    owners: tuple[int, ...] = ()
    node: int = 0
    hashed: Callable[[int], int] = good
    clock: int = 0
    turn_length: int = 1

    def actor(self) -> int:
        if not self.edges[self.node]:
            return OVER
        return self.owners[self.node] if self.owners else 0

    def turn(self) -> int:
        return self.clock // self.turn_length

    def legal(self, x: Any) -> int:
        n = len(self.edges[self.node])
        x.actions[:n] = range(n)
        return n

    def weights(self, x: Any) -> int:
        n = self.legal(x)
        x.weights[:n] = [1] * n
        return n

    def apply(self, a: int) -> None:
        self.node = self.edges[self.node][a]
        self.clock += 1

    def copy(self) -> Walk:
        return replace(self)

    def key(self, view: int | str) -> Hashable:
        return self.node

    def fingerprint(self) -> int:
        return self.hashed(self.node)


def walk(edges: Any, owners: Any = (), **more: Any) -> PlainGame:
    return PlainGame(Walk(tuple(map(tuple, edges)), tuple(owners), **more))


@dataclass
class Cards:
    """Two players swap their hidden cards with the deck, in turn; how many they hold is public. No fingerprint of its own."""

    hands: list[tuple[str, ...]] = field(default_factory=lambda: [("a", "b"), ("c", "d")])
    deck: tuple[str, ...] = ("e", "f", "g")
    player: int = 0

    def actor(self) -> int:
        return self.player

    def legal(self, x: Any) -> int:
        x.actions[:2] = [0, 1]
        return 2

    def apply(self, a: int) -> None:
        """Put the first (0) card under the deck and draw the top one, or (1) only turn the hand over."""
        hand = self.hands[self.player]
        if a == 0:
            self.deck, hand = (*self.deck[1:], hand[0]), (*hand[1:], self.deck[0])
        self.hands[self.player] = hand
        self.player = 1 - self.player

    def copy(self) -> Cards:
        return replace(self, hands=list(self.hands))

    def key(self, view: int | str) -> Hashable:
        """Hands are unordered, the deck is not."""
        hands = tuple(tuple(sorted(hand)) if view in (OMNISCIENT, seat) else len(hand) for seat, hand in enumerate(self.hands))
        return (self.player, hands, self.deck if view == OMNISCIENT else len(self.deck))


def run(guard: Any, position: Any, actions: Any) -> list[Any]:
    """The results of observing the start and the states after some actions."""
    results = [guard.observe(position)]
    for action in actions:
        position.apply(action)
        results.append(guard.observe(position, action))
    return results
