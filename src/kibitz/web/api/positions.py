"""Positions that come with a request, in all games: moves as texts, what follows from them, what may be done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, Self, TypeVar

from kibitz.game.actions import InvalidAction
from kibitz.game.files import RecordError
from kibitz.game.record import GameRecord
from kibitz.game.state import FriendlyState
from kibitz.ground.messages import Mistake
from kibitz.web.api.models import LegalAnswer

S = TypeVar("S", bound=FriendlyState[Any])
R = TypeVar("R", bound=GameRecord)


class FromText(Protocol):
    """An action of some game, which can be read."""

    @classmethod
    def from_text(cls, text: str) -> Self: ...  # noqa: D102


A = TypeVar("A", bound=FromText)


def read_moves(moves: Sequence[str], kind: type[A]) -> list[A]:
    """The actions that some texts say. Raises `Mistake`."""
    found = []
    for number, move in enumerate(moves, start=1):
        try:
            found.append(kind.from_text(move))
        except InvalidAction as error:
            raise Mistake(f"move {number}: {error}") from None
    return found


def played(state: S, actions: Sequence[Any], by_seed: bool = True) -> S:
    """A state after some actions; where chance decides by the seed, they are those of the players alone."""
    state = state.resolve() if by_seed else state
    for number, action in enumerate(actions, start=1):
        if reason := "the game is over" if state.actor is None else state.why_not(action):
            raise Mistake(f"move {number}: {reason}")
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


def read_record(text: str, step: int | None, check: Callable[[Iterable[str]], Iterator[R]]) -> tuple[R, int]:
    """The first game of a record, which holds under the rules, and a step of it (the end by default). Raises `Mistake`."""
    try:
        record = next(check(text.splitlines()), None)
    except RecordError as error:
        raise Mistake(f"record: {error}") from None
    if record is None:
        raise Mistake("record: there is no game in it")
    last = len(record.codes)
    if step is not None and step > last:
        raise Mistake(f"step {step}: the game has steps 0 to {last}")
    return record, last if step is None else step
