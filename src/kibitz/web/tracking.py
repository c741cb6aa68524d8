"""Sessions that follow a game: events are appended, and each answer tells who can hold what.

>>> tracks = Tracks()
>>> session = tracks.open(HandTracker(["Ann", "Bob"]))
>>> session.append([{"event": "roll", "player": 0, "total": 8, "gains": {"1": {"wood": 2}}}])
>>> session.summary()["players"][1]["hand"]["wood"]["expected"]
2.0
>>> tracks.get(session.id) is session, tracks.get("another") is None
(True, True)
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from kibitz.belief.hands import HandTracker
from kibitz.belief.summary import summary
from kibitz.catan.events import Event, InvalidEvent

#: Bytes that the worlds of one session may take; what had to be dropped is told as the bound on the error.
MEMORY = 1 << 26
#: Events in one session.
MOST_EVENTS = 20_000


class Session:
    """One game that is followed. Its methods may be called from any thread."""

    def __init__(self, id: str, tracker: HandTracker) -> None:
        self.id = id
        self._tracker = tracker
        self._lock = threading.Lock()

    def append(self, events: Sequence[Any]) -> None:
        """Take in events (as JSON values), all or none of them. Raises `InvalidEvent` or `Contradiction`."""
        parsed = [Event.from_json(event) for event in events]
        with self._lock:
            before = len(self._tracker.events)
            if before + len(parsed) > MOST_EVENTS:
                raise InvalidEvent(f"a session takes at most {MOST_EVENTS:,} events")
            try:
                self._tracker.process_all(parsed)
            except ValueError:
                self._go_back(before)
                raise

    def undo(self, events: int) -> None:
        """Take so many events back (all, if there are fewer)."""
        with self._lock:
            self._go_back(max(0, len(self._tracker.events) - events))

    def _go_back(self, events: int) -> None:
        """To the moment after so many events: one replay, however many are taken back."""
        snapshot = self._tracker.snapshot()
        self._tracker = HandTracker.restore({**snapshot, "events": snapshot["events"][:events]})

    def resolve(self, steal: str, resource: str | None) -> None:
        """Say by hand which card a steal took, or (None) take that back. Raises a ValueError where it cannot be."""
        with self._lock:
            if resource is None:
                self._tracker.unresolve(steal)
            else:
                self._tracker.resolve(steal, resource)

    def summary(self) -> dict[str, Any]:
        """All that is known, as ``kibitz track --json`` tells it."""
        with self._lock:
            return summary(self._tracker)


class Tracks:
    """The open sessions; the one that was not used for longest makes room for another."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, tracker: HandTracker) -> Session:
        """A new session."""
        session = Session(secrets.token_urlsafe(9), tracker)
        with self._lock:
            self._sessions[session.id] = session
            while len(self._sessions) > self._most:
                self._sessions.popitem(last=False)
        return session

    def get(self, id: str) -> Session | None:
        """A session that is still open."""
        with self._lock:
            if id in self._sessions:
                self._sessions.move_to_end(id)
            return self._sessions.get(id)

    def close(self, id: str) -> bool:
        """End a session; whether there was one."""
        with self._lock:
            return self._sessions.pop(id, None) is not None
