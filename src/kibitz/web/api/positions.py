"""Positions that come with a request, in all games: moves as texts, what follows from them, what may be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self, TypeVar

from kibitz.catan.analysis.question import InvalidQuestion
from kibitz.game.actions import InvalidAction
from kibitz.game.state import FriendlyState
from kibitz.web.api.models import LegalAnswer

S = TypeVar("S", bound=FriendlyState[Any])


class FromText(Protocol):
    """An action of some game, which can be read."""

    @classmethod
    def from_text(cls, text: str) -> Self: ...  # noqa: D102


A = TypeVar("A", bound=FromText)


def read_moves(moves: Sequence[str], kind: type[A]) -> list[A]:
    """The actions that some texts say. Raises `InvalidQuestion`."""
    found = []
    for number, move in enumerate(moves, start=1):
        try:
            found.append(kind.from_text(move))
        except InvalidAction as error:
            raise InvalidQuestion(f"move {number}: {error}") from None
    return found


def played(state: S, actions: Sequence[Any], by_seed: bool = True) -> S:
    """A state after some actions; where chance decides by the seed, they are those of the players alone."""
    state = state.resolve() if by_seed else state
    for number, action in enumerate(actions, start=1):
        if reason := "the game is over" if state.actor is None else state.why_not(action):
            raise InvalidQuestion(f"move {number}: {reason}")
        state = state.apply(action)
        state = state.resolve() if by_seed else state
    return state


def legal_answer(state: FriendlyState[Any], action: str | None, kind: type[FromText]) -> LegalAnswer:
    """What may be done in a state, and whether one action is among it."""
    legality = None
    if action is not None:
        try:
            legality = "the game is over" if state.actor is None else state.why_not(kind.from_text(action))
        except ValueError as error:
            legality = str(error)
    return LegalAnswer(**state.to_json(), legality=legality)
