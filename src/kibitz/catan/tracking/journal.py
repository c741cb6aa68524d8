"""What was done in the sessions of the API, in the library's file: a session that is not in memory is built again from it.

>>> from pathlib import Path
>>> journal = Journal(Store(Path(":memory:")))
>>> id = journal.open({"players": ["Ann", "Bob"]})
>>> journal.add(id, {"undo": 1})
>>> journal.steps(id)
[{'players': ['Ann', 'Bob']}, {'undo': 1}]
>>> journal.close(id), journal.steps(id)
(True, [])
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from datetime import UTC, datetime

from kibitz.catan.tracking.tracking import Step
from kibitz.web.store import Store

#: Sessions that are kept, characters of all of them, and of one; those that were not changed for longest make room.
MOST, MOST_IN_ALL, MOST_EACH = 1_000, 512 << 20, 32 << 20
#: Steps of one session.
MOST_STEPS = 50_000


class NoSession(LookupError):
    """There is no such session, or it had to make room for others."""


class Journal:
    """The steps of all sessions. What `open`, `add` or `replace` took a kill of the server does not lose; else `NotSaved`."""

    def __init__(self, store: Store, most: int = MOST, most_in_all: int = MOST_IN_ALL) -> None:
        self._store, self._most, self._most_in_all = store, most, most_in_all

    def open(self, opening: Step) -> str:
        """Note a new session; its id."""
        id = secrets.token_urlsafe(9)
        self._write(id, 0, opening)
        return id

    def add(self, id: str, step: Step) -> None:
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
        self._write(id, last + 1, step)

    def replace(self, id: str, opening: Step) -> None:
        """Forget all steps for one that tells the same as all of them."""
        self._write(id, 0, opening)

    def _write(self, id: str, number: int, step: Step) -> None:
        data = json.dumps(step)
        now = datetime.now(UTC).isoformat()
        with self._store.writing(flushed=False) as connection:
            if number == 0:
                _delete(connection, id)
                connection.execute("INSERT INTO sessions VALUES (?, ?, 0)", (id, now))
            grown = connection.execute("UPDATE sessions SET changed = ?, size = size + ? WHERE id = ?", (now, len(data), id))
            if not grown.rowcount:  # it made room for another since it was looked for
                raise NoSession
            connection.execute("INSERT INTO steps VALUES (?, ?, ?)", (id, number, data))
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

    def steps(self, id: str) -> list[Step]:
        """All steps, the opening first; none if there is no such session."""
        with self._store.reading() as connection:
            rows = connection.execute("SELECT data FROM steps WHERE session = ? ORDER BY number", (id,)).fetchall()
        return [json.loads(data) for (data,) in rows]

    def close(self, id: str) -> bool:
        """Forget a session; whether there was one."""
        with self._store.writing() as connection:
            return _delete(connection, id)


def _delete(connection: sqlite3.Connection, id: str) -> bool:
    connection.execute("DELETE FROM steps WHERE session = ?", (id,))
    return connection.execute("DELETE FROM sessions WHERE id = ?", (id,)).rowcount > 0
