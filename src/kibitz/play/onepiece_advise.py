"""Advice for the player who is to decide in a game of One Piece: how likely each option wins.

>>> from kibitz.onepiece.record import simulate
>>> record = simulate(["greedy", "greedy"], seed=3)
>>> state = next(state for (state,) in record.states() if state.turn == 3 and state.actor() >= 0)
>>> advice = advise(record.decks, state, Limit(iterations=20))
>>> advice.phase, advice.iterations, len(advice.options) > 1
('MAIN', 20, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.compute.runtime import Limit, Runtime
from kibitz.game import hide_at
from kibitz.onepiece.actions import Action
from kibitz.onepiece.decks import Deck
from kibitz.onepiece.engine import State, game_with
from kibitz.plain_states import PlainStates
from kibitz.play.onepiece_bots import DEFAULT, thinking
from kibitz.play.search_bot import AnyDeal


@dataclass(frozen=True)
class Option:
    """Something that the seat may do."""

    action: Action
    value: float
    """The chance to win with it."""
    error: float
    """The standard error of that, as if the tries had been independent."""
    visits: int
    """How often the search tried it."""

    def to_json(self) -> dict[str, Any]:
        """The option by the names of the fields."""
        numbers = {"value": self.value, "error": self.error, "visits": self.visits}
        return {"action": self.action.to_text(), **self.action.to_json(), **numbers}


@dataclass(frozen=True)
class Advice:
    """What there is to say about a position."""

    seat: int
    phase: str
    """What the game waits for."""
    options: tuple[Option, ...]
    """The best first."""
    iterations: int
    stopped: str | None
    """What ended the search before its time: ``"time"`` or ``"cancelled"``."""

    def to_json(self) -> dict[str, Any]:
        """Everything, for files; seats are numbered from 0."""
        return {
            "advice": "onepiece",
            "version": 1,
            "seat": self.seat,
            "phase": self.phase,
            "options": [option.to_json() for option in self.options],
            "iterations": self.iterations,
            "stopped": self.stopped,
        }


def advise(
    decks: tuple[Deck, Deck], state: State, limit: Limit = DEFAULT, seed: int = 0, runtime: Runtime | None = None
) -> Advice:
    """What the player who is to move should do, as the search bot finds out; only what that seat sees is used.

    Raises a ValueError where no player is to decide.
    """
    seat = state.actor()
    if seat < 0:
        raise ValueError("advice is for the player who is to decide")
    game = game_with(*decks)
    view = PlainStates(game, [state.copy()])
    hide_at(view, 0, seat)
    result = thinking(limit).search(AnyDeal(game, seat, view), view, seat, seed, runtime)
    ranked = sorted(result.actions, key=lambda found: found is not result.best)
    options = tuple(
        Option(Action.from_code(found.action, state.table), found.values[seat], found.errors[seat], found.visits)
        for found in ranked
    )
    return Advice(seat, state.waiting.name, options, result.iterations, result.stopped)
