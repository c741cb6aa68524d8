"""Routes that follow a game of Catan: open a session, append events or frames, ask who holds what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from kibitz.catan.analysis.question import InvalidQuestion
from kibitz.catan.api.track_models import Append, Frames, Open, OpenFrames, Resolve, Tracked, Undo, WorldsAnswer
from kibitz.catan.tracking.session import SessionStep
from kibitz.catan.tracking.sessions import NoSession, TrackingSessions
from kibitz.web.api.answers import Id, errors, missing
from kibitz.web.services import Services

#: WorldsAnswer in one answer.
Limit = Annotated[int, Query(ge=1, le=100, description="How many worlds at most.")]


def router(services: Services) -> APIRouter:
    """The routes. What is wrong with an event is a ValueError with one line."""
    routes = APIRouter(prefix="/track", tags=["track"])
    sessions = services.own(_sessions)

    def opened(opening: SessionStep) -> JSONResponse:
        with _refusing():
            return _answer(sessions.open(opening), 201)

    def told(id: str, step: SessionStep) -> JSONResponse:
        with _refusing():
            return _answer(sessions.tell(id, step))

    @routes.post("", status_code=201, response_model=Tracked, responses=errors(400, 413, 422, 507))
    def open_session(ask: Open) -> JSONResponse:
        """Follow a game from its beginning."""
        return opened(ask.model_dump())

    @routes.post("/frames", status_code=201, response_model=Tracked, responses=errors(400, 413, 422, 507))
    def open_frames(ask: OpenFrames) -> JSONResponse:
        """Follow a game from captured messages of colonist.io, among them the full state."""
        return opened(ask.model_dump())

    @routes.get("/{id}", response_model=Tracked, responses=errors(404, 422))
    def ask_session(id: Id) -> JSONResponse:
        """Who holds what now."""
        with _refusing():
            return _answer(sessions.ask(id))

    @routes.get("/{id}/worlds", response_model=WorldsAnswer, responses=errors(404, 422))
    def worlds(id: Id, limit: Limit = 20) -> JSONResponse:
        """The likeliest worlds now, the steals that led to each, and who can hold the stolen cards."""
        with _refusing():
            return _answer(sessions.worlds(id, limit))

    @routes.post("/{id}/events", response_model=Tracked, responses=errors(400, 404, 413, 422, 507))
    def append(id: Id, ask: Append) -> JSONResponse:
        """What happened next, as events."""
        return told(id, {"events": ask.events})

    @routes.post("/{id}/frames", response_model=Tracked, responses=errors(400, 404, 413, 422, 507))
    def append_frames(id: Id, ask: Frames) -> JSONResponse:
        """What happened next, as captured messages."""
        return told(id, {"frames": ask.frames})

    @routes.post("/{id}/undo", response_model=Tracked, responses=errors(400, 404, 413, 422, 507))
    def undo(id: Id, ask: Undo) -> JSONResponse:
        """Take events back."""
        return told(id, {"undo": ask.events})

    @routes.post("/{id}/steals/{steal}", response_model=Tracked, responses=errors(400, 404, 413, 422, 507))
    def resolve(id: Id, steal: Id, ask: Resolve) -> JSONResponse:
        """Say which card a steal took."""
        return told(id, {"steal": steal, "resource": ask.resource})

    @routes.delete("/{id}", status_code=204, responses=errors(404, 422, 507))
    def close(id: Id) -> None:
        """End the session."""
        if not sessions.close(id):
            raise missing("session")

    return routes


def _sessions(services: Services) -> TrackingSessions:
    """The sessions that are followed."""
    return TrackingSessions(services.store, services.room)


def _answer(told: dict[str, Any], status: int = 200) -> JSONResponse:
    """As its model describes it, which tests compare: to check every number again would take longer than to find it."""
    return JSONResponse(told, status)


@contextmanager
def _refusing() -> Iterator[None]:
    """What is wrong with events or frames becomes an answer of one line."""
    try:
        yield
    except NoSession:
        raise missing("session") from None
    except ValueError as error:
        raise InvalidQuestion(str(error)) from None
