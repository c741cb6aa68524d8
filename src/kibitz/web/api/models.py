"""What the API is asked and what it answers, as far as no dataclass says it. Seats count from 0."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

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
