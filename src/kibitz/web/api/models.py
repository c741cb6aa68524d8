"""What the API is asked and what it answers, in all games. Seats count from 0.

Where a dataclass holds the truth, the model is made from it: names, types, bounds and meanings are the dataclass's.
"""

import types
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, Protocol, Self, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from fastapi import HTTPException, Path, Request
from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, create_model, model_serializer

from kibitz.game.actions import InvalidAction
from kibitz.game.files import RecordError
from kibitz.game.record import GameRecord
from kibitz.game.state import FriendlyState
from kibitz.ground.codec import docstrings
from kibitz.ground.texts import Mistake
from kibitz.play.advice import Advice
from kibitz.play.share import Share
from kibitz.web.jobs import JobState

#: Moves of one game.
MOST_MOVES = 5_000

ActionText = Annotated[str, Field(max_length=200)]
Moves = Annotated[
    list[ActionText], Field(max_length=MOST_MOVES, description="Every action and outcome of chance so far, as texts.")
]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
StepNumber = Annotated[int, Field(ge=0, description="Of a record: before which step; the last by default.")]
SeatNumber = Annotated[int, Field(ge=0, le=5)]
Save = Annotated[bool, Field(description="Whether the answer is to be kept in the library.")]
Seconds = Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]
#: Of a job or a session.
Id = Annotated[str, Path(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
_MEANINGS = {
    400: "The request cannot be read.",
    403: "Whoever asks may not.",
    404: "There is no such thing.",
    409: "It cannot be told yet.",
    413: "The request is too large.",
    422: "Something in the request is wrong; the message names it.",
    429: "The queue is full.",
    507: "The disk did not take it; nothing is changed.",
}


class Strict(BaseModel):
    """A request: what it does not know it refuses."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(BaseModel):
    """What is wrong, in one line."""

    error: str


class Standing(BaseModel):
    """What leads, while an analysis runs."""

    name: str
    value: float
    win_rate: float | None = None
    games: int = 0


class Progress(BaseModel):
    """How far a job is."""

    done: int
    total: int
    elapsed: float
    eta: float | None = Field(None, description="Seconds that are left at this speed.")
    ranking: list[Standing] = []


class JobModel(BaseModel):
    """A piece of work in the queue. `place` is 1 for the next one, 0 once it has begun."""

    id: str
    state: JobState
    place: int
    progress: Progress | None = None
    error: str | None = None
    saved: str | None = Field(None, description="The answer's name in the library, if it was to be kept.")
    result: dict[str, Any] | None = Field(None, description="What came of it, once it is done.")


class ActionModel(BaseModel):
    """Something that may be done, or (with a probability) happen."""

    action: str
    kind: str
    data: dict[str, Any] = {}
    probability: float | None = None


class LegalAnswer(BaseModel):
    """What may be done now."""

    phase: str
    actor: int | Literal["chance"] | None = Field(description="A seat, chance, or null when the game is over.")
    turn: int
    legal: list[ActionModel] = Field(description="Where there are very many, only the plain ones: `legality` judges any.")
    legality: str | None = Field(None, description="Of the `action` that was asked about: null, or why it is not allowed.")


class Health(BaseModel):
    """That the server is there."""

    version: str
    running: int
    waiting: int


class ItemModel(BaseModel):
    """One thing in the library."""

    id: str
    kind: str
    title: str
    over: bool | None = Field(None, description="Of a game that is played here: whether it has ended.")
    created: str
    changed: str
    size: int


class LoadedModel(ItemModel):
    """One thing with its content."""

    data: Any


def errors(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The errors of a route, for its description."""
    return {code: {"model": Problem, "description": _MEANINGS[code]} for code in codes}


def missing(what: str) -> HTTPException:
    """There is no such thing."""
    return HTTPException(404, f"there is no such {what}")


def owner_of(request: Request) -> str:
    """Who asks, as far as the queue is concerned."""
    return request.client.host if request.client is not None else ""


class ShareModel(BaseModel):
    """A share of games with its 95 % interval."""

    won: int
    games: int
    rate: float
    interval: tuple[float, float]
    fair: float | None = None
    as_good_as: float | None = None

    @model_serializer(mode="wrap")
    def _without_luck(self, usual: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """What luck has to do with it, only where that was weighed."""
        return {name: value for name, value in usual(self).items() if value is not None}


@cache
def answer_model(kind: type[Any]) -> type[BaseModel]:
    """A model of what `kibitz.ground.codec.encode` makes of a dataclass."""
    if kind is Share:
        return ShareModel
    hints, meanings = get_type_hints(kind), docstrings(cast("Hashable", kind))
    made: dict[str, Any] = {f.name: (_type(hints[f.name]), Field(..., description=meanings.get(f.name))) for f in fields(kind)}
    if issubclass(kind, Advice):
        made = {"advice": (Literal[kind.NAME], ...), "version": (Literal[kind.VERSION], ...), **made}
    return create_model(kind.__name__, __doc__=kind.__doc__, __config__=ConfigDict(extra="forbid"), **made)


def _type(hint: Any) -> Any:
    """A type with every dataclass in it replaced by its model."""
    if is_dataclass(hint):
        return answer_model(hint)  # type: ignore[arg-type]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None or not arguments:
        return hint
    inner = tuple(argument if argument is ... else _type(argument) for argument in arguments)
    if origin is types.UnionType:
        return Union[inner]  # noqa: UP007 - of types that are not known before
    return origin[inner] if origin in (tuple, dict, list) else hint


def options_model(kind: type[Any], name: str) -> type[BaseModel]:
    """A request model of a dataclass of options: everything has its default, numbers have their bounds."""
    hints, meanings, bounds = get_type_hints(kind), docstrings(cast("Hashable", kind)), kind._BOUNDS
    made: dict[str, Any] = {}
    for f in fields(kind):
        assert f.default is not MISSING
        low, high = bounds.get(f.name, (None, None))
        field = Field(f.default, ge=low, le=high, description=meanings.get(f.name))
        made[f.name] = (Annotated[hints[f.name], field], f.default)
    return create_model(name, __base__=Strict, __doc__=kind.__doc__, **made)


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
