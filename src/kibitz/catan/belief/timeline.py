"""A log that can be asked about any moment quickly: trackers are kept along the way, and the next one continues from there.

>>> from kibitz.catan.core.events import Roll, Steal
>>> timeline = Timeline(HandTracker(["Ann", "Bob"]))
>>> for event in (Roll(0, 8, {0: {"wood": 1, "ore": 1}}), Steal(1, 0), Roll(1, 6, {1: {"ore": 1}})):
...     timeline.add(event)
>>> [timeline.at(n).total("Bob").most_likely for n in range(4)]
[0, 0, 1, 2]
>>> timeline.cut(1)
>>> timeline.add(Roll(1, 4, {1: {"sheep": 2}}))
>>> len(timeline), timeline.at(2).hand("Bob")
(2, Cards(sheep=2))
>>> timeline.rest()
>>> timeline.rests, timeline.at(2).hand("Bob"), timeline.rests
(True, Cards(sheep=2), False)
"""

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.events import Event

#: Events between two kept trackers, at first; and how many trackers are kept.
EVERY, MOST = 16, 100


class Timeline:
    """All moments of a game, beginning with a tracker that has seen nothing yet.

    What is kept takes at most about `kept` bytes; then fewer moments are kept. What `at` returns belongs to the caller.
    """

    def __init__(self, start: HandTracker, *, kept: int = 1 << 28) -> None:
        self._most = kept
        self._every = EVERY
        self._last: HandTracker | None = start
        self._kept: dict[int, HandTracker] = {0: start.copy()}
        self._events: list[Event] = []

    def __len__(self) -> int:
        return len(self._events)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events."""
        return tuple(self._events)

    @property
    def end(self) -> HandTracker:
        """The tracker after the last event: to look at, not to change."""
        if self._last is None:
            self._last = self._wake()
        return self._last

    def add(self, event: Event) -> None:
        """One more event, at the end. Raises what `HandTracker.process` raises, and then nothing has changed."""
        last = self.end
        last.process(event)
        self._events.append(event)
        self._keep(last, len(self))

    def cut(self, length: int) -> None:
        """Forget all but the first `length` events."""
        if length < len(self):
            last = self.at(length)
            self._kept = {n: tracker for n, tracker in self._kept.items() if n <= length}
            self._last = last
            del self._events[length:]

    def at(self, number: int) -> HandTracker:
        """A tracker after this many events."""
        end = self.end
        if number >= len(self):
            return end.copy()
        near = max(n for n in self._kept if n <= number)
        tracker = self._kept[near].copy()
        tracker.process_all(self._events[near:number])
        return tracker

    @property
    def nbytes(self) -> int:
        """The memory of all worlds that are kept."""
        return self._size() + (0 if self._last is None else self._last.nbytes)

    def rest(self) -> None:
        """Give up what can be worked out again from the events; the next question does so."""
        self._kept = {0: self._kept[0]}
        self._every = EVERY
        self._last = None

    @property
    def rests(self) -> bool:
        """Whether everything would have to be worked out first."""
        return self._last is None

    def _wake(self) -> HandTracker:
        tracker = self._kept[0].copy()
        for number, event in enumerate(self._events, 1):
            tracker.process(event)
            self._keep(tracker, number)
        return tracker

    def _keep(self, tracker: HandTracker, number: int) -> None:
        """Keep a tracker after so many events, if it is its turn."""
        if number % self._every:
            return
        self._kept[number] = tracker.copy()
        while len(self._kept) > 2 and (len(self._kept) > MOST or self._size() > self._most):
            self._every *= 2
            self._kept = {n: tracker for n, tracker in self._kept.items() if n % self._every == 0}

    def _size(self) -> int:
        return sum(tracker.nbytes for tracker in self._kept.values())
