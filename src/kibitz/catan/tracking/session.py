"""A game that is followed: its events, what is known better about steals, and who can hold what at every moment.

The Track page and the API follow games with the same session. What differs is how events come in: one by one (`EventSession`),
as captured messages or rows of a chat (`kibitz.catan.tracking.reading`), or as a log that people change by hand
(`kibitz.catan.tracking.followed`).

>>> session = EventSession(HandTracker(["Ann", "Bob"]))
>>> session.take({"events": [{"event": "roll", "player": 0, "total": 8, "gains": {"1": {"wood": 2}}}]})
>>> session.summary()["players"][1]["hand"]["wood"]["expected"]
2.0
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.belief.summary import possible_worlds, summary
from kibitz.catan.belief.timeline import Timeline
from kibitz.catan.core.events import BuyDevCard, Cards, Discard, Event, EventLog, InvalidEvent, Monopoly, Roll, Steal, Win
from kibitz.catan.core.state import DECK_SIZE, SEATS
from kibitz.catan.logs.base import Doubts

#: Bytes that the worlds of one moment may take (what had to be dropped is told as the bound on the error), and those of all
#: moments that a session keeps.
MEMORY, KEPT = 1 << 24, 1 << 25
#: Events in one session.
MOST_EVENTS = 20_000
#: Bytes that Python may take for an event, and for a character of what was captured.
EVENT, CHARACTER = 1_000, 8
#: Moments that are ready to be shown again.
_READY = 64

#: Development cards in the box for five and six players.
_LARGE_DECK = 34
#: What is done in a session, as a JSON value: ``{"events": [...]}``, ``{"frames": [...]}``, ``{"rows": [[31, "..."], ...]}``,
#: ``{"undo": 2}`` or ``{"steal": "s12", "resource": "ore"}``.
SessionStep = Mapping[str, Any]


@cache
def warm_up() -> None:
    """Compile or load what follows games, before the clock starts: by a game that needs all of it."""
    tracker = HandTracker(2)
    gains = {0: Cards(wood=2, sheep=2, wheat=1, ore=1), 1: Cards(wheat=2, ore=2)}
    tracker.process_all([Roll(0, 8, gains), BuyDevCard(0), Steal(1, 0), Steal(0, 1)])
    tracker.resolve(tracker.steals[0].id, "wood")
    tracker.process_all([Discard(0, Cards(ore=1)), Discard(1, None, 2), Monopoly(1, "wood")])
    summary(tracker)


@dataclass(frozen=True)
class Moment:
    """Everything that is known after this many events."""

    number: int
    told: Mapping[str, Any]
    """As `kibitz.catan.belief.summary` tells it."""
    event: Event | None
    """The one that led here."""
    misfits: tuple[int, ...] = ()
    """Steals (numbers of their events) for which the answer by hand does not fit here."""


class TrackingSession:
    """One game that is followed. Its methods may be called from any thread, and raise a ValueError for what cannot be."""

    def __init__(self, start: HandTracker, kept: int = KEPT) -> None:
        """Follow a game from its start; the moments that are kept may take so many bytes."""
        self.answers: dict[int, str] = {}
        """What was stolen, as somebody says, by the number of the event."""
        self._timeline = Timeline(start, kept=kept)
        self._lock = threading.RLock()
        self._ready: OrderedDict[int, Moment] = OrderedDict()

    def __len__(self) -> int:
        return len(self._timeline)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events."""
        return self._timeline.events

    @property
    def players(self) -> tuple[str, ...]:
        """Their names in the order of the seats."""
        return tuple(self._timeline.end.names)

    @property
    def observer(self) -> int | None:
        """The seat whose eyes saw it."""
        return self._timeline.end.observer

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return any(isinstance(event, Win) for event in self.events[-40:])

    @property
    def doubts(self) -> Doubts:
        """Why the figures may be wrong: what was not understood, and what is missing."""
        return Doubts()

    @property
    def left_out(self) -> list[tuple[int, int]]:
        """What is missing, by number: the first and the last of each gap."""
        return []

    def summary(self) -> dict[str, Any]:
        """All that is known now, as ``kibitz track --json`` tells it, with all that speaks against it."""
        with self._lock:
            told = self.doubts.added_to(summary(self._told(len(self))[0]))
            bought = sum(isinstance(event, BuyDevCard) for event in self.events)
            deck = DECK_SIZE if len(self.players) <= SEATS else _LARGE_DECK
            return {
                **told,
                "gaps": [list(gap) for gap in self.left_out],
                "dev_cards_left": max(0, deck - bought),
                "over": self.over,
            }

    def moment(self, number: int) -> Moment:
        """What is known after this many events."""
        with self._lock:
            number = min(max(0, number), len(self))
            if number not in self._ready:
                tracker, misfits = self._told(number)
                event = self.events[number - 1] if number else None
                self._ready[number] = Moment(number, self.doubts.added_to(summary(tracker)), event, tuple(misfits))
                while len(self._ready) > _READY:
                    self._ready.popitem(last=False)
            self._ready.move_to_end(number)
            return self._ready[number]

    def worlds(self, number: int, limit: int) -> dict[str, Any]:
        """The most likely worlds after this many events, as `kibitz.catan.belief.summary.possible_worlds` tells them."""
        with self._lock:
            return possible_worlds(self._told(number)[0], limit)

    def _told(self, number: int) -> tuple[HandTracker, dict[int, ValueError]]:
        """A tracker after so many events that was told the answers by hand; and why some, by the event, do not fit."""
        tracker, misfits = self._timeline.at(number), dict[int, ValueError]()
        for steal in tracker.steals if self.answers else ():
            if steal.event in self.answers:
                try:
                    tracker.resolve(steal.id, self.answers[steal.event])
                except ValueError as error:
                    misfits[steal.event] = error
        return tracker, misfits

    def resolve(self, steal: str, resource: str | None) -> None:
        """Say by hand which card a steal took, or (None) take that back."""
        with self._lock:
            tracker, _ = self._told(len(self))
            event = tracker.steal(steal).event
            if resource is not None:
                tracker.resolve(steal, resource)
                self.answers[event] = resource
            elif self.answers.pop(event, None) is None:
                raise ValueError(f"steal {steal} was not resolved by hand")
            self._ready.clear()

    def _replace(self, number: int, events: Sequence[Event], answers_hold: bool = True) -> None:
        """Replace the events after so many: all of them, or a ValueError says why not.

        Where it is not the answers by hand that are believed but the events, an answer that no longer fits is a misfit.
        """
        if number + len(events) > MOST_EVENTS:
            raise InvalidEvent(f"a session takes at most {MOST_EVENTS:,} events")
        before = self.events[number:]
        try:
            self._put(number, events)
            for error in self._told(len(self))[1].values() if self.answers and answers_hold else ():
                raise error
        except ValueError:
            self._put(number, before)
            raise

    def _put(self, number: int, events: Sequence[Event]) -> None:
        self._timeline.cut(number)
        for event in events:
            self._timeline.add(event)
        self._ready.clear()

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        with self._lock:
            return self._timeline.nbytes + EVENT * len(self)

    @property
    def rests(self) -> bool:
        """Whether the next moment has to be worked out from the beginning."""
        return self._timeline.rests

    def rest(self) -> bool:
        """Give up what can be worked out again; whether nobody was using it."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            self._timeline.rest()
            self._ready.clear()
        finally:
            self._lock.release()
        return True


class EventSession(TrackingSession):
    """A game that is told event by event."""

    @property
    def log(self) -> EventLog:
        """All of it, for a file."""
        return EventLog(self.players, self.events, self.observer, self._timeline.end.config.victory_points)

    def take(self, step: SessionStep) -> None:
        """Do one step, whole or not at all; an undo of more events than there are takes all back."""
        with self._lock:
            match step:
                case {"events": events}:
                    self._replace(len(self), [Event.from_json(event) for event in events])
                case {"undo": events}:
                    left = max(0, len(self) - events)
                    self._timeline.cut(left)
                    self.answers = {event: resource for event, resource in self.answers.items() if event < left}
                    self._ready.clear()
                case {"steal": steal, "resource": resource}:
                    self.resolve(steal, resource)
                case _:
                    takes = "this session takes events, not"
                    raise refused(step, {"frames": f"{takes} frames", "rows": f"{takes} rows"})

    def snapshot(self) -> SessionStep:
        """All of it as one step, with which `begun` begins an equal session."""
        with self._lock:
            return {"snapshot": self._told(len(self))[0].snapshot()}


def refused(step: SessionStep, why: Mapping[str, str]) -> ValueError:
    """What is wrong with a step that a session does not take."""
    return ValueError(next((why[name] for name in step if name in why), f"not a step of a session: {', '.join(step)}"))


def start_of(log: EventLog) -> HandTracker:
    """A tracker at the beginning of a log; what contradicts itself, perhaps because of gaps, is mended."""
    return HandTracker.of(replace(log, events=()), on_contradiction="repair", memory=MEMORY)
