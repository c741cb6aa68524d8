"""Routes that follow a game of Catan: open a session, append events or frames, ask who holds what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import APIRouter

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

    @routes.post("", status_code=201, responses=errors(400, 413, 422))
    def open_session(ask: Open) -> Tracked:
        """Follow a game from its beginning."""
        with _refusing():
            tracker = HandTracker(
                ask.players,
                ask.observer,
                victory_points=ask.victory_points,
                on_contradiction=ask.on_contradiction,
                memory=MEMORY,
            )
        return _tracked(services.tracks.open(EventSession(tracker)))

    @routes.post("/frames", status_code=201, responses=errors(400, 413, 422))
    def open_frames(ask: OpenFrames) -> Tracked:
        """Follow a game from captured messages of colonist.io, among them the full state."""
        with _refusing():
            opened = FrameSession(ask.frames, ask.me)
        return _tracked(services.tracks.open(opened))

    @routes.get("/{id}", responses=errors(404, 422))
    def ask_session(id: Id) -> Tracked:
        """Who holds what now."""
        return _tracked(session(id))

    @routes.post("/{id}/events", responses=errors(400, 404, 413, 422))
    def append(id: Id, ask: Append) -> Tracked:
        """What happened next, as events."""
        found = session(id)
        with _refusing():
            found.append(ask.events)
        return _tracked(found)

    @routes.post("/{id}/frames", responses=errors(400, 404, 413, 422))
    def append_frames(id: Id, ask: Frames) -> Tracked:
        """What happened next, as captured messages."""
        found = session(id)
        with _refusing():
            found.append_frames(ask.frames)
        return _tracked(found)

    @routes.post("/{id}/undo", responses=errors(400, 404, 413, 422))
    def undo(id: Id, ask: Undo) -> Tracked:
        """Take events back."""
        found = session(id)
        with _refusing():
            found.undo(ask.events)
        return _tracked(found)

    @routes.post("/{id}/steals/{steal}", responses=errors(400, 404, 413, 422))
    def resolve(id: Id, steal: Id, ask: Resolve) -> Tracked:
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


def _tracked(session: Session) -> Tracked:
    return Tracked(id=session.id, **session.summary())


@contextmanager
def _refusing() -> Iterator[None]:
    """What is wrong with events or frames becomes an answer of one line."""
    try:
        yield
    except ValueError as error:
        raise InvalidQuestion(str(error)) from None
