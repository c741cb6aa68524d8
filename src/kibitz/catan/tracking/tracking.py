"""Sessions that follow a game: events or captured messages are appended, and each answer tells who can hold what.

>>> session = begun({"players": ["Ann", "Bob"]})
>>> session.take({"events": [{"event": "roll", "player": 0, "total": 8, "gains": {"1": {"wood": 2}}}]})
>>> session.summary()["players"][1]["hand"]["wood"]["expected"]
2.0
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.belief.summary import possible_worlds, summary
from kibitz.catan.core.events import BuyDevCard, Cards, Discard, EndTurn, Event, EventLog, InvalidEvent, Monopoly, Roll, Steal
from kibitz.catan.logs.colonist.frames import Capture

#: Bytes that the worlds of one session may take; what had to be dropped is told as the bound on the error.
MEMORY = 1 << 24
#: Events in one session.
MOST_EVENTS = 20_000
#: Characters of all captured messages of one session; those of a long game are a tenth of it.
MOST_CAPTURED = 16 << 20
#: Bytes that Python may take for an event, and for a character of what was captured.
EVENT, CHARACTER = 1_000, 8

#: What is done in a session, as a JSON value: ``{"events": [...]}``, ``{"frames": [...]}``, ``{"undo": 2}`` or
#: ``{"steal": "s12", "resource": "ore"}``.
Step = Mapping[str, Any]


@cache
def warm_up() -> None:
    """Compile or load what follows games, before the clock starts: by a game that needs all of it."""
    tracker = HandTracker(2)
    gains = {0: Cards(wood=2, sheep=2, wheat=1, ore=1), 1: Cards(wheat=2, ore=2)}
    tracker.process_all([Roll(0, 8, gains), BuyDevCard(0), Steal(1, 0), Steal(0, 1)])
    tracker.resolve(tracker.steals[0].id, "wood")
    tracker.process_all([Discard(0, Cards(ore=1)), Discard(1, None, 2), Monopoly(1, "wood")])
    summary(tracker)


class Session:
    """One game that is followed. Its methods may be called from any thread, and raise a ValueError for what cannot be."""

    def __init__(self, tracker: HandTracker) -> None:
        self.nbytes = 0
        """About how much memory it took when it was last asked about."""
        self._tracker = tracker
        self._lock = threading.Lock()

    def take(self, step: Step) -> None:
        """Do one step, whole or not at all."""
        match step:
            case {"events": events}:
                self.append(events)
            case {"frames": frames}:
                self.append_frames(frames)
            case {"undo": events}:
                self.undo(events)
            case {"steal": steal, "resource": resource}:
                self.resolve(steal, resource)
            case _:
                raise ValueError(f"no step of a session: {', '.join(step)}")

    def append(self, events: Sequence[Any]) -> None:
        """Take in events (as JSON values), all or none of them."""
        raise ValueError("this session takes frames, not events")

    def append_frames(self, frames: Sequence[Any]) -> None:
        """Take in captured messages."""
        raise ValueError("this session takes events, not frames")

    def undo(self, events: int) -> None:
        """Take so many events back."""
        raise ValueError("what was captured cannot be taken back")

    def resolve(self, steal: str, resource: str | None) -> None:
        """Say by hand which card a steal took, or (None) take that back."""
        with self._lock:
            if resource is None:
                self._tracker.unresolve(steal)
            else:
                self._tracker.resolve(steal, resource)

    def summary(self) -> dict[str, Any]:
        """All that is known, as ``kibitz track --json`` tells it."""
        with self._lock:
            self.nbytes = self._size()
            return summary(self._tracker)

    def worlds(self, limit: int) -> dict[str, Any]:
        """The likeliest worlds, as `kibitz.catan.belief.summary.possible_worlds` tells them."""
        with self._lock:
            self.nbytes = self._size()
            return {"events": len(self._tracker.events), **possible_worlds(self._tracker, limit)}

    def _size(self) -> int:
        return self._tracker.nbytes + EVENT * len(self._tracker.events)


class EventSession(Session):
    """A game that is told event by event."""

    def append(self, events: Sequence[Any]) -> None:
        """Take in events (as JSON values), all or none of them."""
        parsed = [Event.from_json(event) for event in events]
        with self._lock:
            if len(self._tracker.events) + len(parsed) > MOST_EVENTS:
                raise InvalidEvent(f"a session takes at most {MOST_EVENTS:,} events")
            tracker = self._tracker.copy()
            tracker.process_all(parsed)
            self._tracker = tracker

    def undo(self, events: int) -> None:
        """Take so many events back (all, if there are fewer) by one replay; what was said about steals that are left counts."""
        with self._lock:
            left = max(0, len(self._tracker.events) - events)
            snapshot = self._tracker.snapshot()
            there = {steal.id for steal in self._tracker.steals if steal.event < left}
            answers = [answer for answer in snapshot["answers"] if answer[1] in there]
            self._tracker = HandTracker.restore({**snapshot, "events": snapshot["events"][:left], "answers": answers})

    def snapshot(self) -> Step:
        """All of it as one step, with which `begun` begins an equal session."""
        with self._lock:
            return {"snapshot": self._tracker.snapshot()}


class FrameSession(Session):
    """A game that is told by captured messages; they may complete events of the turn that is under way."""

    def __init__(self, frames: Sequence[Any], me: str | None = None) -> None:
        self._capture = Capture(me)
        self._captured = _take(self._capture, frames, 0)
        log = self._capture.log
        super().__init__(_follow(replace(log, events=())))
        #: As it was when the last turn ended.
        self._safe = self._tracker.copy()
        self._catch_up(log)

    def append_frames(self, frames: Sequence[Any]) -> None:
        """Take in captured messages, all or none of them."""
        with self._lock:
            capture = self._capture.copy()
            captured = _take(capture, frames, self._captured)
            before = self._tracker, self._safe
            self._tracker = self._tracker.copy()
            try:
                self._catch_up(capture.log)
            except ValueError:
                self._tracker, self._safe = before
                raise
            self._capture, self._captured = capture, captured

    def _size(self) -> int:
        return super()._size() + self._safe.nbytes + EVENT * len(self._safe.events) + CHARACTER * self._captured

    def _catch_up(self, log: EventLog) -> None:
        """Follow the log to its end; where an event is another than it was, from the last turn that is over."""
        if len(log.events) > MOST_EVENTS:
            raise InvalidEvent(f"a session takes at most {MOST_EVENTS:,} events")
        taken = self._tracker.events
        answers: dict[str, str] = {}
        other_goal = log.victory_points != self._tracker.config.victory_points
        if other_goal or log.events[: len(taken)] != taken:
            answers = _by_hand(self._tracker)
            safe = self._safe.events
            if other_goal or log.events[: len(safe)] != safe:
                self._safe = _follow(replace(log, events=()))
            self._tracker = self._safe.copy()
            for steal in _by_hand(self._tracker):  # it may have been taken back since
                self._tracker.unresolve(steal)
        for event in log.events[len(self._tracker.events) :]:
            self._tracker.process(event)
            if isinstance(event, EndTurn):
                self._safe = self._tracker.copy()
        for id in [steal.id for steal in self._tracker.steals if steal.id in answers] if answers else ():
            self._tracker.resolve(id, answers[id])


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


def _by_hand(tracker: HandTracker) -> dict[str, str]:
    """What was said by hand about steals."""
    return {steal.id: steal.resolved for steal in tracker.steals if steal.by_hand and steal.resolved is not None}


def _follow(log: EventLog) -> HandTracker:
    """A tracker at the beginning of a log; a capture may have gaps, and is mended."""
    return HandTracker.of(log, on_contradiction="repair", memory=MEMORY)


def begun(opening: Step) -> Session:
    """A new session: with ``players`` (and other arguments of `HandTracker`), ``frames`` and ``me``, or a ``snapshot``."""
    match opening:
        case {"snapshot": snapshot}:
            return EventSession(HandTracker.restore(snapshot))
        case {"frames": frames, "me": me}:
            return FrameSession(frames, me)
    return EventSession(HandTracker(**{"memory": MEMORY, **opening}))
