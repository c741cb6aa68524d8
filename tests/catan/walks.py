"""Random legal walks through games of Catan, in several styles, without the engine's own policies."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan.core.actions import Action
from kibitz.catan.core.codes import offer_code
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import new_states
from kibitz.game import to_dict

STYLES = ("any action", "any kind", "odd offers", "builds")


@dataclass(frozen=True)
class Walk:
    """One random game: the table, the options, and how actions are picked."""

    seats: int
    seed: int
    style: str
    rules: Rules

    def positions(self) -> Iterator[tuple[Any, dict[str, Any], list[int]]]:
        """Every position with its fields and its legal actions. One array is reused."""
        for states, row, actions, _ in self._steps():
            yield states, row, actions

    def record(self) -> Record:
        """The walk as the record of a game."""
        codes = [code for *_, code in self._steps() if code is not None]
        return Record(Board.random(self.seed), self.rules, seats=(self.style,) * self.seats, codes=tuple(codes))

    def _steps(self) -> Iterator[tuple[Any, dict[str, Any], list[int], int | None]]:
        chance = random.Random(self.seed)
        states = new_states(Board.random(self.seed), self.seats, self.rules)
        while actions := game.legal_actions(states):
            row = to_dict(states)
            code = self._pick(chance, row, actions)
            yield states, row, actions, code
            game.apply_at(states, 0, code)
        yield states, to_dict(states), [], None

    def _pick(self, chance: random.Random, row: dict[str, Any], actions: list[int]) -> int:
        """Any action; or any kind of action first; or often an offer that is not listed; or rather something to build.

        Outcomes of chance are all equally likely here, so that rare ones occur.
        """
        if self.style == "any action":
            return chance.choice(actions)
        kinds: dict[str, list[int]] = {}
        for a in actions:
            kinds.setdefault(Action.from_code(a).kind, []).append(a)
        if "offer_trade" in kinds and self.style == "odd offers" and chance.random() < 0.5:
            return odd_offer(chance, row["hand"][row["player"]])
        if self.style == "builds":
            for unwanted in ("offer_trade", "end_turn"):
                if len(kinds) > 1 and chance.random() < 0.7:
                    kinds.pop(unwanted, None)
        return chance.choice(kinds[chance.choice(sorted(kinds))])


def odd_offer(chance: random.Random, hand: list[int]) -> int:
    """An offer of any bundle out of `hand` (not empty) for any bundle of other kinds."""
    held = [r for r in range(5) if hand[r]]
    gives = chance.sample(held, chance.randint(1, min(4, len(held))))
    counts = [chance.randint(1, hand[r]) if r in gives else -chance.randint(0, 3) for r in range(5)]
    if min(counts) >= 0:
        counts[next(r for r in range(5) if r not in gives)] = -1
    return offer_code(counts)
