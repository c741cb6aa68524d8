"""The sessions of the API: each step is in the library before it is answered, and after a restart everything is there.

>>> from pathlib import Path
>>> store = Store(Path(":memory:"))
>>> told = Tracks(store, Room(1 << 20)).open({"players": ["Ann", "Bob"]})
>>> Tracks(store, Room(1 << 20)).ask(told["id"]) == told
True
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from kibitz.catan.tracking.journal import Journal, NoSession
from kibitz.catan.tracking.tracking import EventSession, Session, Step, begun
from kibitz.web.room import Room
from kibitz.web.store import Store

#: Sessions with different numbers do not wait for each other.
_LOCKS = 64


class Tracks:
    """All sessions. Answers are those of `Session.summary` with the ``id``; an id that is none raises `NoSession`."""

    def __init__(self, store: Store, room: Room) -> None:
        self._journal = Journal(store)
        self._room = room
        self._awake: dict[str, Session] = {}
        self._locks = [threading.Lock() for _ in range(_LOCKS)]

    def open(self, opening: Step) -> dict[str, Any]:
        """Begin a session, as `begun` describes. Raises a ValueError for what cannot be, or `NotSaved`."""
        session = begun(opening)
        id = self._journal.open(opening)
        with self._alone(id):
            return self._told(id, session)

    def ask(self, id: str) -> dict[str, Any]:
        """Who holds what now."""
        with self._alone(id):
            return self._told(id, self._session(id))

    def worlds(self, id: str, limit: int) -> dict[str, Any]:
        """The likeliest worlds of a session, as `Session.worlds` tells them."""
        with self._alone(id):
            session = self._session(id)
            told = session.worlds(limit)
            self._stay(id, session)
            return {"id": id, **told}

    def tell(self, id: str, step: Step) -> dict[str, Any]:
        """Do something in a session. Raises a ValueError for what cannot be, or `NotSaved`; then nothing is done."""
        with self._alone(id):
            session = self._session(id)
            session.take(step)
            self._awake.pop(id, None)  # until the disk knows as much
            if "undo" in step and isinstance(session, EventSession):
                self._journal.replace(id, session.snapshot())
            else:
                self._journal.add(id, step)
            return self._told(id, session)

    def close(self, id: str) -> bool:
        """End a session; whether there was one. Raises `NotSaved`."""
        with self._alone(id):
            self._forget(id)
            return self._journal.close(id)

    @contextmanager
    def _alone(self, id: str) -> Iterator[None]:
        """One thing at a time in a session: what is on the disk and what is in memory go together."""
        with self._locks[hash(id) % _LOCKS]:
            yield

    def _session(self, id: str) -> Session:
        session = self._awake.get(id)
        if session is not None and self._journal.knows(id):
            return session
        steps = self._journal.steps(id)
        if not steps:
            self._forget(id)
            raise NoSession(id)
        return _rebuilt(steps)

    def _told(self, id: str, session: Session) -> dict[str, Any]:
        told = session.summary()
        self._stay(id, session)
        return {"id": id, **told}

    def _stay(self, id: str, session: Session) -> None:
        """Keep a session in memory, as long as there is room."""
        self._awake[id] = session
        self._room.take(("session", id), session.nbytes, lambda: self._rest(id))

    def _rest(self, id: str) -> bool:
        """Keep a session on the disk alone. Somebody who is using it puts it back."""
        self._awake.pop(id, None)
        return True

    def _forget(self, id: str) -> None:
        self._awake.pop(id, None)
        self._room.leave(("session", id))


def _rebuilt(steps: Sequence[Step]) -> Session:
    """A session from its steps. What was appended piece by piece is appended in one."""
    opening, *rest = steps
    session = begun(opening)
    for kind, group in groupby(rest, key=lambda step: next(iter(step))):
        if kind in ("events", "frames"):
            session.take({kind: [item for step in group for item in step[kind]]})
        else:
            for step in group:
                session.take(step)
    return session
