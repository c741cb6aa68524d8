"""Tracking a game of Catan through the API: sessions that take events, captured messages or rows of a chat."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, Field

from kibitz.catan.analysis.question import InvalidQuestion
from kibitz.catan.belief.posterior import TrackerConfig
from kibitz.catan.tracking.live import tracking
from kibitz.catan.tracking.session import MEMORY, SessionStep
from kibitz.catan.tracking.sessions import NoSession, TrackingSessions
from kibitz.ground.codec import docstrings
from kibitz.web.api import models
from kibitz.web.services import Services

#: The longest row of a chat.
LONGEST_ROW = 20_000
#: Seconds between two signs of life of a stream.
BREATH = 15.0
_LIVE = {"cache-control": "no-store", "x-accel-buffering": "no"}
TrackerSettings: Any = models.options_model(TrackerConfig, "TrackerSettings")
Memory = Annotated[int, Field(ge=1, le=MEMORY, description=docstrings(TrackerConfig)["memory"])]
Limit = Annotated[int, Query(ge=1, le=100, description="How many worlds at most.")]
#: What can be wrong with what a session is told.
_OPENED, _TOLD = models.errors(400, 413, 422, 507), models.errors(400, 404, 413, 422, 507)


class Open(TrackerSettings):  # type: ignore[misc] # made from a dataclass
    """A new session: who plays, whose point of view it is (null: a spectator's), and the tracker's settings."""

    players: Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(min_length=2, max_length=6)]
    observer: models.SeatNumber | None = None
    memory: Memory = MEMORY


class Append(models.Strict):
    """Events in their order (docs/events.md); all of them are taken in, or none."""

    events: Annotated[
        list[dict[str, Any]],
        Field(max_length=500, examples=[[{"event": "roll", "player": 0, "total": 8, "gains": {"1": {"wood": 2}}}]]),
    ]


class Frames(models.Strict):
    """Captured messages in their order; those that are not about the game are ignored."""

    frames: Annotated[list[Any], Field(max_length=1_000)]


class OpenFrames(Frames):
    """A new session from captured messages; the full state of the game must be among them."""

    me: Annotated[str, Field(max_length=100)] | None = None


class Rows(models.Strict):
    """Rows of the site's chat in their order, as text or as elements of the page; a repeat is recognised by its number."""

    rows: Annotated[list[Annotated[str, Field(max_length=LONGEST_ROW)]], Field(max_length=1_000)]
    first: Annotated[
        int | None,
        Field(ge=0, lt=1_000_000, description="The number of the first row; null: the next (a page's rows say it themselves)."),
    ] = None

    def numbered(self) -> list[list[Any]]:
        """Each with its number."""
        return [[None if self.first is None else self.first + n, row] for n, row in enumerate(self.rows)]


class OpenRows(Rows):
    """A new session from rows of the chat, at least one of which must name a player."""

    format: Annotated[Literal["text", "html"], Field(description="Lines of text, or elements of the page.")] = "text"
    me: Annotated[str, Field(max_length=100)] | None = None


class Undo(models.Strict):
    """How many events to take back."""

    events: Annotated[int, Field(ge=1, le=20_000)] = 1


class Resolve(models.Strict):
    """Which card a steal took, as you say; null takes that back."""

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
    """A contradiction that was repaired."""

    event: int
    cards: int | None
    reason: str


class ProblemModel(BaseModel):
    """Something that could not be read and was skipped, and how often it occurred."""

    line: Annotated[int, Field(description="Where it first occurred: the line of a text, or the number of a message.")]
    reason: str
    text: str
    count: int


class WorldModel(BaseModel):
    """One way in which the cards can lie."""

    probability: float
    hands: Annotated[list[dict[str, int]], Field(description="The cards of each seat, without zeros.")]
    steals: Annotated[
        dict[str, dict[str, float]],
        Field(description="What each steal that the log has not settled took, if this is the true world."),
    ]


class CarrierModel(BaseModel):
    """A card that a steal can have taken, and who can hold one of that kind now."""

    steal: str
    thief: int
    victim: int
    resource: str
    probability: Annotated[float, Field(description="The chance that the steal took it.")]
    holders: Annotated[list[float], Field(description="If so, for each seat the chance to hold a card of that kind now.")]


class WorldsAnswer(BaseModel):
    """What is possible after the events so far."""

    id: str
    events: int
    worlds: Annotated[int, Field(description="How many are possible.")]
    likeliest: list[WorldModel]
    carriers: list[CarrierModel]


class Tracked(BaseModel):
    """Everything that is known after the events so far."""

    id: str
    events: int
    turn: int
    observer: int | None
    worlds: int
    players: list[PlayerModel]
    bank: dict[str, MarginalModel]
    steals: list[StealModel]
    dice: dict[str, int]
    dev_cards_left: Annotated[int, Field(description="Development cards that nobody has bought.")]
    approximate: Annotated[bool, Field(description="Whether the figures may be wrong, for whatever reason.")]
    error_bound: float
    repairs: list[RepairModel]
    incomplete: Annotated[
        bool, Field(description="Whether part of the game is known to be missing, for example its beginning.")
    ]
    missing: Annotated[str, Field(description="What is missing, as a sentence; empty if nothing is known to be.")]
    problems: Annotated[list[ProblemModel], Field(description="What was not understood, or is missing.")]
    gaps: Annotated[list[tuple[int, int]], Field(description="Messages or rows that are missing, by number: first and last.")]
    over: Annotated[bool, Field(description="Whether somebody has won.")]


def tracked(services: Services) -> APIRouter:
    """The routes that follow a game: open a session, append events or frames, ask who holds what."""
    routes = APIRouter(prefix="/track", tags=["track"])
    sessions = services.one(tracking)

    def opened(opening: SessionStep) -> JSONResponse:
        return _answer(201, sessions.open, opening)

    def told(id: str, step: SessionStep) -> JSONResponse:
        return _answer(200, sessions.tell, id, step)

    @routes.post("", status_code=201, response_model=Tracked, responses=_OPENED)
    def open_session(ask: Open) -> JSONResponse:
        """Follow a game from its beginning."""
        return opened(ask.model_dump())

    @routes.post("/frames", status_code=201, response_model=Tracked, responses=_OPENED)
    def open_frames(ask: OpenFrames) -> JSONResponse:
        """Follow a game from captured messages of colonist.io, among them the full state."""
        return opened(ask.model_dump())

    @routes.post("/rows", status_code=201, response_model=Tracked, responses=_OPENED)
    def open_rows(ask: OpenRows) -> JSONResponse:
        """Follow a game from rows of the chat of colonist.io."""
        return opened({"rows": ask.numbered(), "format": ask.format, "me": ask.me})

    @routes.get("/{id}", response_model=Tracked, responses=models.errors(404, 422))
    def ask_session(id: models.Id) -> JSONResponse:
        """Who holds what now."""
        return _answer(200, sessions.ask, id)

    @routes.get("/{id}/worlds", response_model=WorldsAnswer, responses=models.errors(404, 422))
    def worlds(id: models.Id, limit: Limit = 20) -> JSONResponse:
        """The most likely worlds now, the steals that led to each, and who can hold the stolen cards."""
        return _answer(200, sessions.worlds, id, limit)

    @routes.post("/{id}/events", response_model=Tracked, responses=_TOLD)
    def append(id: models.Id, ask: Append) -> JSONResponse:
        """What happened next, as events."""
        return told(id, {"events": ask.events})

    @routes.post("/{id}/frames", response_model=Tracked, responses=_TOLD)
    def append_frames(id: models.Id, ask: Frames) -> JSONResponse:
        """What happened next, as captured messages."""
        return told(id, {"frames": ask.frames})

    @routes.post("/{id}/rows", response_model=Tracked, responses=_TOLD)
    def append_rows(id: models.Id, ask: Rows) -> JSONResponse:
        """What happened next, as rows of the chat."""
        return told(id, {"rows": ask.numbered()})

    @routes.get("/{id}/stream", include_in_schema=False)
    async def stream(id: models.Id, request: Request) -> StreamingResponse:
        """Who holds what now, and again after every change, as server-sent events; `gone` when the session has ended."""
        first = await run_in_threadpool(_answer, 200, sessions.ask, id)
        return StreamingResponse(_changes(sessions, id, bytes(first.body)), media_type="text/event-stream", headers=_LIVE)

    @routes.post("/{id}/undo", response_model=Tracked, responses=_TOLD)
    def undo(id: models.Id, ask: Undo) -> JSONResponse:
        """Take events back."""
        return told(id, {"undo": ask.events})

    @routes.post("/{id}/steals/{steal}", response_model=Tracked, responses=_TOLD)
    def resolve(id: models.Id, steal: models.Id, ask: Resolve) -> JSONResponse:
        """Say which card a steal took."""
        return told(id, {"steal": steal, "resource": ask.resource})

    @routes.delete("/{id}", status_code=204, responses=models.errors(404, 422, 507))
    def close(id: models.Id) -> None:
        """End the session."""
        if not sessions.close(id):
            raise models.missing("session")

    return routes


def _answer(status: int, ask: Callable[..., dict[str, Any]], *about: Any) -> JSONResponse:
    """What a session says, as its model describes it; what is wrong with the request becomes an answer of one line.

    Tests compare it with the model: to check every number again would take longer than to find it.
    """
    try:
        return JSONResponse(ask(*about), status)
    except NoSession:
        raise models.missing("session") from None
    except ValueError as error:
        raise InvalidQuestion(str(error)) from None


async def _changes(sessions: TrackingSessions, id: str, first: bytes) -> AsyncIterator[bytes]:
    """What a session says now and after each change. Several changes in a moment are told as one."""
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def heard(other: str) -> None:
        if other == id:
            loop.call_soon_threadsafe(changed.set)

    with sessions.watched(heard):
        told: bytes | None = first
        while told is not None:
            yield b"data: " + told + b"\n\n"
            while not changed.is_set():
                try:
                    await asyncio.wait_for(changed.wait(), BREATH)
                except TimeoutError:
                    yield b": still here\n\n"
            changed.clear()
            told = await run_in_threadpool(_told, sessions, id)
    yield b"event: gone\ndata: {}\n\n"


def _told(sessions: TrackingSessions, id: str) -> bytes | None:
    try:
        return json.dumps(sessions.ask(id)).encode()
    except NoSession:
        return None
