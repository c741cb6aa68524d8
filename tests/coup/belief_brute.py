"""What an observer can know of the cards in Coup, by trying everything: all positions that agree with what was seen, each
with its probability as a fraction. The rules say what can happen in each of them; only the likelihoods are stated here."""

from fractions import Fraction
from math import comb, prod
from typing import Any

import numpy as np

from kibitz import game
from kibitz.coup.core.actions import Action
from kibitz.coup.core.state import ACTION, BLOCK, CHARACTERS, LOSE, RETURN, SHOW, STATE, cards_of
from kibitz.game import CHANCE

SPECTATOR = -1
CLAIMS = {"tax": "duke", "exchange": "ambassador", "assassinate": "assassin", "steal": "captain"}


class Brute:
    """All that can be true, as `observer` sees it; nothing if what was seen cannot be."""

    def __init__(self, states: Any, observer: int | None, bluff: Fraction, decline: Fraction) -> None:
        self.observer = SPECTATOR if observer is None else observer
        self.bluff, self.decline = bluff, decline
        self.worlds = {states.tobytes(): Fraction(1)}

    def see(self, seen: int) -> None:
        """A step of which the observer perceives this."""
        after: dict[bytes, Fraction] = {}
        for world, weight in self.worlds.items():
            states = np.frombuffer(world, STATE).copy()
            for code, likelihood in self.choices(states):
                if likelihood and game.seen_at(states, 0, code, self.observer) == seen:
                    next_states = states.copy()
                    game.apply_at(next_states, 0, code)
                    key = next_states.tobytes()
                    after[key] = after.get(key, Fraction(0)) + weight * likelihood
        total = sum(after.values())
        self.worlds = {world: weight / total for world, weight in after.items()} if total else {}

    def choices(self, states: Any) -> list[tuple[int, Fraction]]:
        """What can happen in a position, and how likely each of it is (for claims: in proportion)."""
        if game.actor_at(states, 0) == CHANCE:
            return game.outcomes(states)
        codes = game.legal_actions(states)
        if int(states["active"][0]) == self.observer:
            return [(code, Fraction(1)) for code in codes]
        hand = states["hand"][0, int(states["active"][0])].tolist()
        return [(code, self.likelihood(states, hand, Action.from_code(code))) for code in codes]

    def likelihood(self, states: Any, hand: list[int], action: Action) -> Fraction:
        phase, claim = int(states["phase"][0]), int(states["claim"][0])
        named = [CHARACTERS.index(name) for name in action.cards]
        if phase == ACTION and action.kind in CLAIMS:
            return Fraction(1) if hand[CHARACTERS.index(CLAIMS[action.kind])] else self.bluff
        if phase == BLOCK and action.kind == "block":
            return Fraction(1) if hand[named[0]] else self.bluff
        if phase == SHOW:
            others = sum(hand) - hand[claim]
            if action.kind == "show":
                return 1 - self.decline if others else Fraction(1)
            return (self.decline if hand[claim] else 1) * Fraction(hand[named[0]], others)
        if phase == LOSE:
            return Fraction(hand[named[0]], sum(hand))
        if phase == RETURN:
            gone = [named.count(card) for card in range(5)]
            return Fraction(prod(comb(n, r) for n, r in zip(hand, gone, strict=True)), comb(sum(hand), 2))
        return Fraction(1)

    def hands(self, seat: int) -> dict[tuple[str, ...], Fraction]:
        """What a seat can hold."""
        found: dict[tuple[str, ...], Fraction] = {}
        for world, weight in self.worlds.items():
            hand = tuple(cards_of(np.frombuffer(world, STATE)["hand"][0, seat].tolist()))
            found[hand] = found.get(hand, Fraction(0)) + weight
        return found
