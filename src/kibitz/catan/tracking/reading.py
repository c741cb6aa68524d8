"""Sessions that are told by what a reader of logs understands: captured messages, or rows of a chat."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.belief.timeline import Timeline
from kibitz.catan.core.events import InvalidEvent
from kibitz.catan.logs import MOST_BYTES, ImportedLog, LogError, read
from kibitz.catan.logs.base import Doubts
from kibitz.catan.logs.colonist.frames import Capture
from kibitz.catan.tracking.session import (
    CHARACTER,
    KEPT,
    MEMORY,
    EventSession,
    SessionStep,
    TrackingSession,
    refused,
    start_of,
)

#: Characters of all captured messages of one session: as many as a file may have.
MOST_CAPTURED = MOST_BYTES
#: Gaps that are told, at most.
_PROBLEMS = 50
#: The number that a row of the page has among all rows of its chat.
_INDEX = re.compile(r'\bdata-index="(\d{1,6})"')


class ReadSession(TrackingSession):
    """A game that is told by what a reader of logs understands; what comes later may complete events that it told before."""

    def __init__(self, imported: ImportedLog) -> None:
        super().__init__(start_of(imported.log))
        self._imported = imported
        self._catch_up(imported)

    @property
    def imported(self) -> ImportedLog:
        """All that was read."""
        return self._imported

    @property
    def doubts(self) -> Doubts:
        """What the reader says is missing, or could not be read."""
        return self._imported.doubts

    def _catch_up(self, imported: ImportedLog) -> None:
        """Follow a log to its end, from the first event that differs; with other players or another goal from the beginning."""
        before, log, known = self._timeline, imported.log, self._imported.log
        if (log.players, log.observer, log.victory_points) != (known.players, known.observer, known.victory_points):
            self._timeline = Timeline(start_of(log), kept=KEPT)
        taken = self.events
        same = next((n for n, (old, new) in enumerate(zip(taken, log.events, strict=False)) if old != new), len(taken))
        try:
            self._replace(min(same, len(log.events)), log.events[same:], answers_hold=False)
        except ValueError:
            self._timeline = before
            raise
        self._imported = imported


class CapturedSession(ReadSession):
    """A game that is told by captured messages; they may complete events of the turn that is under way."""

    def __init__(self, frames: Sequence[Any], me: str | None = None) -> None:
        self._capture = Capture(me)
        self._captured = _take(self._capture, frames, 0)
        super().__init__(self._capture.imported)

    def take(self, step: SessionStep) -> None:
        """Do one step, whole or not at all."""
        with self._lock:
            match step:
                case {"frames": frames}:
                    capture = self._capture.copy()
                    captured = _take(capture, frames, self._captured)
                    self._catch_up(capture.imported)
                    self._capture, self._captured = capture, captured
                case {"steal": steal, "resource": resource}:
                    self.resolve(steal, resource)
                case _:
                    captures = "what was captured cannot be taken back"
                    takes = "this session takes frames, not"
                    raise refused(step, {"events": f"{takes} events", "rows": f"{takes} rows", "undo": captures})

    @property
    def replay(self) -> Mapping[str, Any] | None:
        """The game with nothing hidden, if the site has sent that at its end."""
        return self._capture.replay

    @property
    def left_out(self) -> list[tuple[int, int]]:
        """Of the numbers of the messages."""
        return self._capture.gaps[:_PROBLEMS]

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        return super().nbytes + CHARACTER * self._captured


class RowsSession(ReadSession):
    """A game that is told by rows of its chat: lines of text, or elements of the page.

    A row has a number, by which one that comes again is known; where none is given, it is the next. The page tells the
    numbers of its rows itself.
    """

    def __init__(self, rows: Sequence[Sequence[Any]], format: str, me: str | None = None) -> None:
        self._format, self._me = format, me
        self._rows = self._numbered(rows, {})
        super().__init__(self._read(self._rows))

    def take(self, step: SessionStep) -> None:
        """Do one step, whole or not at all."""
        with self._lock:
            match step:
                case {"rows": more}:
                    rows = self._numbered(more, self._rows)
                    self._catch_up(self._read(rows))
                    self._rows = rows
                case {"steal": steal, "resource": resource}:
                    self.resolve(steal, resource)
                case _:
                    said = "what was said cannot be taken back"
                    takes = "this session takes rows, not"
                    raise refused(step, {"events": f"{takes} events", "frames": f"{takes} frames", "undo": said})

    def _numbered(self, rows: Sequence[Sequence[Any]], known: Mapping[int, str]) -> dict[int, str]:
        found = dict(known)
        for number, row in rows:
            if number is None and self._format == "html" and (index := _INDEX.search(row)):
                found[int(index[1])] = row
            else:
                found[max(found, default=-1) + 1 if number is None else number] = row
        if sum(map(len, found.values())) > MOST_CAPTURED:
            raise InvalidEvent(f"a session takes at most {MOST_CAPTURED >> 20} MB of rows")
        return found

    @property
    def text(self) -> str:
        """All rows, as a file would hold them."""
        return self._joined(self._rows)

    def _joined(self, rows: Mapping[int, str]) -> str:
        text = "\n".join(rows[number] for number in sorted(rows))
        return f"<html><body>{text}</body></html>" if self._format == "html" else text

    def _read(self, rows: Mapping[int, str]) -> ImportedLog:
        try:
            return read(self._joined(rows), f"colonist-{self._format}", self._me)
        except LogError as error:
            raise InvalidEvent(str(error)) from None

    @property
    def left_out(self) -> list[tuple[int, int]]:
        """Of the numbers of the rows; without the first row, a part is missing."""
        return [(a + 1, b - 1) for a, b in pairwise([-1, *sorted(self._rows)]) if b > a + 1][:_PROBLEMS]

    @property
    def doubts(self) -> Doubts:
        """The same; where numbers are left out, a part is missing."""
        doubts = super().doubts
        return doubts if doubts.missing or not self.left_out else replace(doubts, missing="some rows of the chat are missing")

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        return super().nbytes + CHARACTER * sum(map(len, self._rows.values()))


def _take(capture: Capture, frames: Sequence[Any], captured: int) -> int:
    """Let a capture hear messages, if they are not too many; the characters of all so far."""
    try:
        captured += len(json.dumps(frames))
    except RecursionError:
        raise InvalidEvent("the messages are nested too deeply") from None
    if captured > MOST_CAPTURED:
        raise InvalidEvent(f"a session takes at most {MOST_CAPTURED >> 20} MB of messages")
    for frame in frames:
        capture.add(frame)
    return captured


#: A session that programs and pages tell what happens.
Session = EventSession | CapturedSession | RowsSession


def begun(opening: SessionStep) -> Session:
    """A new session: with ``players`` (and other arguments of `HandTracker`), or with what was read or kept.

    What was read is ``frames`` with ``me``, or ``rows`` with ``format`` and ``me``; what was kept is a ``snapshot``.

    >>> session = begun({"rows": [[None, "Ann rolled 3 5"], [None, "Bob got Lumber"]], "format": "text", "me": None})
    >>> session.players, session.summary()["dice"]["8"]
    (('Ann', 'Bob'), 1)
    """
    match opening:
        case {"snapshot": snapshot}:
            session = EventSession(HandTracker.restore({**snapshot, "events": [], "answers": []}))
            session.take({"events": snapshot["events"]})
            for id, resource in {id: resource for _, id, resource in snapshot["answers"]}.items():
                if resource is not None:
                    session.resolve(id, resource)
            return session
        case {"frames": frames, "me": me}:
            return CapturedSession(frames, me)
        case {"rows": rows, "format": format, "me": me}:
            return RowsSession(rows, format, me)
    return EventSession(HandTracker(**{"memory": MEMORY, **opening}))
