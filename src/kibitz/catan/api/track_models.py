"""What the routes are asked and answer that follow a game of Catan. Seats and events count from 0."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from kibitz.catan.belief.types import TrackerConfig
from kibitz.catan.tracking.session import MEMORY
from kibitz.ground.codec import docstrings
from kibitz.web.api.models import SeatNumber
from kibitz.web.api.schema import Strict, options_model

TrackerSettings: Any = options_model(TrackerConfig, "TrackerSettings")
Memory = Annotated[int, Field(ge=1, le=MEMORY, description=docstrings(TrackerConfig)["memory"])]


class Open(TrackerSettings):  # type: ignore[misc] # made from a dataclass
    """A new session: who plays, through whose eyes (null: a spectator's), and how the game is followed."""

    players: Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(min_length=2, max_length=6)]
    observer: SeatNumber | None = None
    memory: Memory = MEMORY


class Append(Strict):
    """Events in their order (docs/events.md); all of them are taken in, or none."""

    events: Annotated[
        list[dict[str, Any]],
        Field(max_length=500, examples=[[{"event": "roll", "player": 0, "total": 8, "gains": {"1": {"wood": 2}}}]]),
    ]


class Frames(Strict):
    """Captured messages in their order; those that are not about the game are passed over."""

    frames: Annotated[list[Any], Field(max_length=1_000)]


class OpenFrames(Frames):
    """A new session from captured messages; the full state of the game must be among them."""

    me: Annotated[str, Field(max_length=100)] | None = None


class Undo(Strict):
    """How many events to take back."""

    events: Annotated[int, Field(ge=1, le=20_000)] = 1


class Resolve(Strict):
    """Which card a steal took, said by hand; null takes that back."""

    resource: Literal["wood", "brick", "sheep", "wheat", "ore"] | None


class MarginalModel(BaseModel):
    """The distribution of one number."""

    expected: float
    min: int
    max: int
    most_likely: int
    distribution: dict[str, float]
    at_least: list[float]


class PlayerModel(BaseModel):
    """What a player can hold."""

    name: str
    cards: MarginalModel
    hand: dict[str, MarginalModel]
    confidence: float
    can_afford: dict[str, float]
    dev_card_count: int
    dev_cards: dict[str, MarginalModel]
    visible_points: int
    hidden_points: list[float]
    wins_now: float


class StealModel(BaseModel):
    """A steal that nobody saw. Events count from 0, like seats; an id counts as people do, from 1: `s12` has event 11."""

    id: str
    thief: int
    victim: int
    turn: int
    event: int
    odds: dict[str, float]
    resolved: str | None
    resolved_by: int | None
    by_hand: bool


class RepairModel(BaseModel):
    """A contradiction that was mended."""

    event: int
    cards: int | None
    reason: str


class WorldModel(BaseModel):
    """One way in which the cards can lie."""

    probability: float
    hands: Annotated[list[dict[str, int]], Field(description="The cards of each seat, without zeros.")]
    steals: Annotated[
        dict[str, dict[str, float]],
        Field(description="For each steal that the log has not settled what it took, if this is the true world."),
    ]


class CarrierModel(BaseModel):
    """A card that a steal can have taken, and who can hold one of that kind now."""

    steal: str
    thief: int
    victim: int
    resource: str
    probability: Annotated[float, Field(description="That the steal took it.")]
    holders: Annotated[list[float], Field(description="If so, for each seat the chance to hold a card of that kind now.")]


class WorldsAnswer(BaseModel):
    """What is possible after the events so far."""

    id: str
    events: int
    worlds: Annotated[int, Field(description="How many are possible.")]
    likeliest: list[WorldModel]
    carriers: list[CarrierModel]


class Tracked(BaseModel):
    """All that is known after the events so far."""

    id: str
    events: int
    turn: int
    observer: int | None
    worlds: int
    players: list[PlayerModel]
    bank: dict[str, MarginalModel]
    steals: list[StealModel]
    dice: dict[str, int]
    approximate: bool
    error_bound: float
    repairs: list[RepairModel]
