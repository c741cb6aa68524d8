"""What the players repeat: the shortest lap of actions at the end of a game, and what each lap of it adds or takes away.

>>> streak = Streak()
>>> for move in (9, 1, 2, 1, 2, 1):
...     streak.add(move)
>>> streak.lag, streak.run
(2, 3)

Laps are looked for among the moves alone, a glance for each; only where a whole lap has been repeated the state is looked at.
A lap makes progress when it comes back to the same state but for what can grow or drain (the game's *core*), within one turn,
and changes that by the same amounts each time. (A lap that ends turns is how a game goes on.)
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Mapping
from copy import copy
from itertools import pairwise
from typing import Any, NamedTuple, Self

from kibitz.loops.hashing import key_from_json, key_to_json

#: At most so many moves are kept to look for repetitions among them, and at least half as many.
MOST_MOVES = 4096
#: Room for when two moves were last made in a row, a power of two. Pairs that share a place make a lap be found later.
PAIRS = 256
#: Before the first move.
NO_MOVE = -(1 << 63)
#: So many states of one streak are kept.
MARKS = 64
#: So many laps in a row have to change the same by the same amounts.
MEASURED = 2
#: The fields of a streak that are saved as they are.
NUMBERS = ("now", "lag", "run", "due", "said")


class Mark(NamedTuple):
    """A state of a streak, but for what can grow or drain, when it was last seen."""

    at: int
    """The number of moves before it."""
    resources: Mapping[str, int]
    changes: Mapping[str, int]
    """What the lap that led back to it changed; nothing if it has been seen only once."""
    laps: int
    """How many laps in a row have changed that."""


class Repeated(NamedTuple):
    """A lap that has been repeated and changes the same each time."""

    moves: tuple[int, ...]
    changes: Mapping[str, int]
    laps: int
    """How many have been played."""


def changed(old: Mapping[str, int], new: Mapping[str, int]) -> dict[str, int]:
    """What has grown (+) or been drained (-)."""
    return {name: now - old.get(name, 0) for name, now in new.items() if now != old.get(name, 0)}


class Streak:
    """The latest moves and the lap that they repeat, if they do: a value, saved with the game.

    `lag` is the length of the lap (0: none), `run` how many moves in a row, at least, are those of one lap before.
    """

    __slots__ = ("_last", "_pairs", "due", "lag", "marks", "moves", "now", "run", "said")

    def __init__(self) -> None:
        self.moves = array("q")
        self.now = 0
        """How many moves there have been in all."""
        self.lag = 0
        self.run = 0
        self.due = False
        """Whether the latest move has completed a lap that was played before."""
        self.marks: dict[Hashable, Mark] = {}
        self.said = False
        """Whether the progress of this streak has been reported."""
        self._last = NO_MOVE
        self._pairs = array("i", bytes(4 * PAIRS))
        """When two moves were last made in a row, by a hash of both: the number of the second."""

    def add(self, move: int) -> None:
        """One more move.

        A move that does not go on with the lap may repeat another one: the one since the same two moves.
        """
        moves, lag, last = self.moves, self.lag, self._last
        self._last = move
        self.now = now = self.now + 1
        moves.append(move)
        pair = (last * 31 ^ move) & PAIRS - 1
        if lag and moves[-1 - lag] == move:
            self.run = run = self.run + 1
            self.due = run >= lag and not run % lag
        else:
            if self.marks:
                self.marks = {}
                self.said = False
            lag = now - self._pairs[pair]
            if last == move:
                self.lag = self.run = 1
                self.due = True
            elif lag + 1 < len(moves) and moves[-1 - lag] == move and moves[-2 - lag] == last:
                self.lag, self.run = lag, 2
                self.due = lag == 2
            else:
                self.lag = 0
                self.due = False
        self._pairs[pair] = now
        if len(moves) == MOST_MOVES:  # let go of the older half
            del moves[: MOST_MOVES // 2]
            if self.lag >= len(moves):
                self.lag = 0

    def mark(self, core: Hashable, resources: Mapping[str, int], laps: int) -> Repeated | None:
        """Look at the state after a whole lap: the lap, if at least so many laps of it have been played and make progress."""
        at = self.now
        mark = self.marks.pop(core, None)
        if mark is None:
            if len(self.marks) >= MARKS:
                del self.marks[next(iter(self.marks))]
            self.marks[core] = Mark(at, resources, {}, 0)
            return None
        changes = changed(mark.resources, resources)
        measured = mark.laps + 1 if changes == mark.changes else 1
        self.marks[core] = Mark(at, resources, changes, measured)
        length = at - mark.at
        played = (self.run + self.lag) // length
        if self.said or not changes or measured < MEASURED or played < laps or length > len(self.moves):
            return None
        self.said = True
        return Repeated(tuple(self.moves[-length:]), changes, played)

    def copy(self) -> Streak:
        """An independent copy."""
        other = copy(self)
        other.moves, other._pairs, other.marks = self.moves[:], self._pairs[:], dict(self.marks)
        return other

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        marks = [[key_to_json(core), *mark] for core, mark in self.marks.items()]
        return {"moves": list(self.moves), "marks": marks, **{name: getattr(self, name) for name in NUMBERS}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The streak that `to_json` described."""
        streak = cls()
        for name in NUMBERS:
            setattr(streak, name, data[name])
        streak.moves = array("q", data["moves"])
        first = streak.now - len(streak.moves) + 1
        for number, (last, move) in enumerate(pairwise(streak.moves), start=first + 1):
            streak._pairs[(last * 31 ^ move) & PAIRS - 1] = number
        streak._last = streak.moves[-1] if streak.moves else NO_MOVE
        streak.marks = {key_from_json(core): Mark(*values) for core, *values in data["marks"]}
        return streak
