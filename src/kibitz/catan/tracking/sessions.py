"""The sessions of the API, kept in the library: each step is in its file before it is answered, and outlives the server.

>>> from pathlib import Path
>>> store = Store(Path(":memory:"))
>>> told = TrackingSessions(store, Room(1 << 20)).open({"players": ["Ann", "Bob"]})
>>> TrackingSessions(store, Room(1 << 20)).ask(told["id"]) == told
True
"""

import json
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from kibitz.catan.core.events import Event
from kibitz.catan.logs import MOST_BYTES
from kibitz.catan.logs.base import Doubts
from kibitz.catan.tracking.reading import Session, begun
from kibitz.catan.tracking.session import EventSession, Moment, SessionStep
from kibitz.web.services import Room
from kibitz.web.store import Store

#: Sessions that are kept, characters of all of them, and of one; those that were not changed for longest make room.
MOST, MOST_IN_ALL, MOST_EACH = 1_000, 512 << 20, 2 * MOST_BYTES
#: Steps of one session.
MOST_STEPS = 50_000
#: Sessions with different numbers do not wait for each other.
_LOCKS = 64
#: What else is written together with a step, or not at all.
Also = Callable[[sqlite3.Connection], None]


class NoSession(LookupError):
    """There is no such session, or it had to make room for others."""


class Journal:
    """What was done in all sessions: one that is not in memory is built again from it.

    What `open`, `add` or `replace` took a kill of the server does not lose; else `NotSaved`.
    """

    def __init__(self, store: Store, most: int = MOST, most_in_all: int = MOST_IN_ALL) -> None:
        self._store, self._most, self._most_in_all = store, most, most_in_all

    def open(self, opening: SessionStep, title: str = "", also: Also | None = None, id: str = "") -> str:
        """Note a new session, in the library too if it has a title; its id."""
        id = id or secrets.token_urlsafe(9)
        self._write(id, 0, opening, also)
        if title:
            self._store.save("log", title, {"session": id}, id)
        return id

    def add(self, id: str, step: SessionStep, also: Also | None = None) -> None:
        """One more step. Raises `NoSession`, and a ValueError where a session has grown too long."""
        with self._store.reading() as connection:
            found = connection.execute(
                "SELECT size, (SELECT MAX(number) FROM steps WHERE session = id) FROM sessions WHERE id = ?", (id,)
            ).fetchone()
        if found is None:
            raise NoSession
        size, last = found
        if last + 1 >= MOST_STEPS or size > MOST_EACH:
            raise ValueError(f"a session takes at most {MOST_STEPS:,} requests and {MOST_EACH >> 20} MB: open another")
        self._write(id, last + 1, step, also)

    def replace(self, id: str, opening: SessionStep) -> None:
        """Forget all steps for one that tells the same as all of them."""
        self._write(id, 0, opening)

    def _write(self, id: str, number: int, step: SessionStep, also: Also | None = None) -> None:
        data = json.dumps(step)
        now = datetime.now(UTC).isoformat()
        with self._store.writing(flushed=False) as connection:
            if number == 0:
                _delete(connection, id, listed=False)
                connection.execute("INSERT INTO sessions VALUES (?, ?, 0)", (id, now))
            grown = connection.execute("UPDATE sessions SET changed = ?, size = size + ? WHERE id = ?", (now, len(data), id))
            if not grown.rowcount:  # it made room for another since it was looked for
                raise NoSession
            connection.execute("INSERT INTO steps VALUES (?, ?, ?)", (id, number, data))
            if also is not None:
                also(connection)
            self._make_room(connection, id)

    def _make_room(self, connection: sqlite3.Connection, latest: str) -> None:
        rows = connection.execute("SELECT id, size FROM sessions ORDER BY changed").fetchall()
        taken = sum(size for _, size in rows)
        for number, (id, size) in enumerate(rows):
            if id == latest or (len(rows) - number <= self._most and taken <= self._most_in_all):
                return
            _delete(connection, id)
            taken -= size

    def knows(self, id: str) -> bool:
        """Whether there is such a session."""
        with self._store.reading() as connection:
            return connection.execute("SELECT 1 FROM sessions WHERE id = ?", (id,)).fetchone() is not None

    def steps(self, id: str) -> list[SessionStep]:
        """All steps, the opening first; none if there is no such session."""
        with self._store.reading() as connection:
            rows = connection.execute("SELECT data FROM steps WHERE session = ? ORDER BY number", (id,)).fetchall()
        return [json.loads(data) for (data,) in rows]

    def close(self, id: str) -> bool:
        """Forget a session; whether there was one."""
        with self._store.writing() as connection:
            return _delete(connection, id)


@dataclass(frozen=True)
class Look:
    """What a page shows of a session: who plays, what is known now, why it may be wrong, and what happened last."""

    id: str
    players: tuple[str, ...]
    observer: int | None
    moment: Moment
    doubts: Doubts
    over: bool
    latest: tuple[Event, ...]


class TrackingSessions:
    """All sessions. Answers are those of `TrackingSession.summary` with the ``id``; an unknown id raises `NoSession`."""

    def __init__(self, store: Store, room: Room) -> None:
        self._journal = Journal(store)
        self._room = room
        self._awake: dict[str, Session] = {}
        self._locks = [threading.Lock() for _ in range(_LOCKS)]
        self._watching: dict[int, Callable[[str], None]] = {}

    def open(self, opening: SessionStep, also: Callable[[str], Also] | None = None) -> dict[str, Any]:
        """Begin a session, as `begun` describes. Raises a ValueError for what cannot be, or `NotSaved`.

        `also` is given the id, and says what is written together with the session.
        """
        session = begun(opening)
        id = secrets.token_urlsafe(9)
        self._journal.open(opening, f"Followed: {', '.join(session.players)}", also and also(id), id)
        with self._alone(id):
            return self._changed(id, session)

    def ask(self, id: str) -> dict[str, Any]:
        """Who holds what now."""
        with self.using(id) as session:
            return {"id": id, **session.summary()}

    def worlds(self, id: str, limit: int) -> dict[str, Any]:
        """The likeliest worlds of a session, and after how many events they are."""
        with self.using(id) as session:
            return {"id": id, "events": len(session), **session.worlds(len(session), limit)}

    def look(self, id: str, latest: int = 40) -> Look:
        """What a page shows of it."""
        with self.using(id) as session:
            told, events = session.moment(len(session)), session.events[-latest:]
            return Look(id, session.players, session.observer, told, session.doubts, session.over, events)

    def tell(self, id: str, step: SessionStep, also: Also | None = None) -> dict[str, Any]:
        """Do something in a session. Raises a ValueError for what cannot be, or `NotSaved`; then nothing is done."""
        with self._alone(id):
            session = self._session(id)
            session.take(step)
            self._awake.pop(id, None)  # until the disk knows as much
            if "undo" in step and isinstance(session, EventSession):
                self._journal.replace(id, session.snapshot())
            else:
                self._journal.add(id, step, also)
            return self._changed(id, session)

    def close(self, id: str) -> bool:
        """End a session; whether there was one. Raises `NotSaved`."""
        with self._alone(id):
            self._forget(id)
            found = self._journal.close(id)
        self.announce(id)
        return found

    def knows(self, id: str) -> bool:
        """Whether there is such a session."""
        return self._journal.knows(id)

    def steps(self, id: str) -> list[SessionStep]:
        """All that was said in it, the opening first."""
        return self._journal.steps(id)

    @contextmanager
    def using(self, id: str) -> Iterator[Session]:
        """A session, for as long as nobody else changes it."""
        with self._alone(id):
            session = self._session(id)
            yield session
            self._stay(id, session)

    @contextmanager
    def watched(self, told: Callable[[str], None]) -> Iterator[None]:
        """Be told the id of each session that changes, in whatever thread changes it."""
        self._watching[id(told)] = told
        try:
            yield
        finally:
            del self._watching[id(told)]

    def announce(self, id: str) -> None:
        """Tell those who watch that something about a session has changed."""
        for tell in [*self._watching.values()]:
            tell(id)

    def _alone(self, id: str) -> threading.Lock:
        """One thing at a time in a session: what is on the disk and what is in memory go together."""
        return self._locks[hash(id) % _LOCKS]

    def _session(self, id: str) -> Session:
        session = self._awake.get(id)
        if session is not None and self._journal.knows(id):
            return session
        steps = self._journal.steps(id)
        if not steps:
            self._forget(id)
            raise NoSession(id)
        return _rebuilt(steps)

    def _changed(self, id: str, session: Session) -> dict[str, Any]:
        told = session.summary()
        self._stay(id, session)
        self.announce(id)
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


def _rebuilt(steps: Sequence[SessionStep]) -> Session:
    """A session from its steps. What was appended piece by piece is appended in one."""
    opening, *rest = steps
    session = begun(opening)
    for kind, group in groupby(rest, key=lambda step: next(iter(step))):
        if kind in ("events", "frames", "rows"):
            session.take({kind: [item for step in group for item in step[kind]]})
        else:
            for step in group:
                session.take(step)
    return session


def _delete(connection: sqlite3.Connection, id: str, listed: bool = True) -> bool:
    """Forget a session and, if it is `listed` there, what the library says of it; a game that was kept at its end stays."""
    connection.execute("DELETE FROM steps WHERE session = ?", (id,))
    if listed:
        connection.execute("DELETE FROM items WHERE id = ? AND data = ?", (id, json.dumps({"session": id})))
    return connection.execute("DELETE FROM sessions WHERE id = ?", (id,)).rowcount > 0
