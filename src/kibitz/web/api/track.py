"""Routes that follow a game of Catan: open a session, append events or frames, ask who holds what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from kibitz.analysis.question import InvalidQuestion
from kibitz.belief.hands import HandTracker
from kibitz.web.api.answers import Id, errors, missing
from kibitz.web.api.models import Append, Frames, Open, OpenFrames, Resolve, Tracked, Undo
from kibitz.web.services import Services
from kibitz.web.tracking import MEMORY, EventSession, FrameSession, Session


def router(services: Services) -> APIRouter:
    """The routes. What is wrong with an event is a ValueError with one line."""
    routes = APIRouter(prefix="/track", tags=["track"])

    def session(id: str) -> Session:
        found = services.tracks.get(id)
        if found is None:
            raise missing("session")
        return found

    @routes.post("", status_code=201, response_model=Tracked, responses=errors(400, 413, 422))
    def open_session(ask: Open) -> JSONResponse:
        """Follow a game from its beginning."""
        with _refusing():
            tracker = HandTracker(
                ask.players,
                ask.observer,
                victory_points=ask.victory_points,
                on_contradiction=ask.on_contradiction,
                memory=MEMORY,
            )
        return _tracked(services.tracks.open(EventSession(tracker)), 201)

    @routes.post("/frames", status_code=201, response_model=Tracked, responses=errors(400, 413, 422))
    def open_frames(ask: OpenFrames) -> JSONResponse:
        """Follow a game from captured messages of colonist.io, among them the full state."""
        with _refusing():
            opened = FrameSession(ask.frames, ask.me)
        return _tracked(services.tracks.open(opened), 201)

    @routes.get("/{id}", response_model=Tracked, responses=errors(404, 422))
    def ask_session(id: Id) -> JSONResponse:
        """Who holds what now."""
        return _tracked(session(id))

    @routes.post("/{id}/events", response_model=Tracked, responses=errors(400, 404, 413, 422))
    def append(id: Id, ask: Append) -> JSONResponse:
        """What happened next, as events."""
        found = session(id)
        with _refusing():
            found.append(ask.events)
        return _tracked(found)

    @routes.post("/{id}/frames", response_model=Tracked, responses=errors(400, 404, 413, 422))
    def append_frames(id: Id, ask: Frames) -> JSONResponse:
        """What happened next, as captured messages."""
        found = session(id)
        with _refusing():
            found.append_frames(ask.frames)
        return _tracked(found)

    @routes.post("/{id}/undo", response_model=Tracked, responses=errors(400, 404, 413, 422))
    def undo(id: Id, ask: Undo) -> JSONResponse:
        """Take events back."""
        found = session(id)
        with _refusing():
            found.undo(ask.events)
        return _tracked(found)

    @routes.post("/{id}/steals/{steal}", response_model=Tracked, responses=errors(400, 404, 413, 422))
    def resolve(id: Id, steal: Id, ask: Resolve) -> JSONResponse:
        """Say which card a steal took."""
        found = session(id)
        with _refusing():
            found.resolve(steal, ask.resource)
        return _tracked(found)

    @routes.delete("/{id}", status_code=204, responses=errors(404, 422))
    def close(id: Id) -> None:
        """End the session."""
        if not services.tracks.close(id):
            raise missing("session")

    return routes


def _tracked(session: Session, status: int = 200) -> JSONResponse:
    """As `Tracked` describes it, which tests compare: to check every number again would take longer than to find it."""
    return JSONResponse({"id": session.id, **session.summary()}, status)


@contextmanager
def _refusing() -> Iterator[None]:
    """What is wrong with events or frames becomes an answer of one line."""
    try:
        yield
    except ValueError as error:
        raise InvalidQuestion(str(error)) from None
