"""Laps: which actions, by whom; which of them the players repeat; and whether a lap leads nowhere or somewhere.

A lap that comes back to exactly the same state is a loop. One that comes back to the same state but for something that grows
or drains is *progress*: it ends, or somebody wins, and `project` says by what.

What the players repeat is a `Streak`: the shortest lap of actions at the end of a game.

>>> streak = Streak()
>>> for move in (9, 1, 2, 1, 2, 1):
...     streak.add(move)
>>> streak.lag, streak.run
(2, 3)

Laps are looked for among the moves alone, a glance for each; only where a whole lap has been repeated is the state looked at.
A lap makes progress when it comes back to the same state but for what can grow or drain (the game's *core*), within one turn,
and changes that by the same amounts each time. (A lap that ends turns is how a game goes on.)
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple, Self, TypeVar

from kibitz.game import CHANCE, OVER
from kibitz.loops.protocol import WatchedGame, key_from_json, key_to_json

P = TypeVar("P", bound=WatchedGame)
#: How many actions of a lap are played out at most to see where it leads.
PROJECTED_STEPS = 400
#: How many events of chance may follow each other in it.
CHANCES = 1000
#: Room for the seat in the number of a move.
SEAT_BITS = 4
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


class LapStep(NamedTuple):
    """One action of a lap, and who took it."""

    seat: int
    action: int

    @classmethod
    def from_move(cls, move: int) -> LapStep:
        """The step whose action and seat stand in one number, as a `Streak` keeps them."""
        return cls(move & (1 << SEAT_BITS) - 1, move >> SEAT_BITS)


def who(seat: int) -> str:
    """A seat as people read it."""
    return f"player {seat + 1}" if seat >= 0 else "chance"


@dataclass(frozen=True)
class Lap:
    """The actions that lead from a state back to it."""

    steps: tuple[LapStep, ...]

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def seats(self) -> tuple[int, ...]:
        """Who acts in it, ascending; chance is nobody."""
        return tuple(sorted({step.seat for step in self.steps} - {CHANCE}))

    def told_from(self, step: int) -> Lap:
        """The same lap, beginning at another of its steps."""
        return Lap(self.steps[step:] + self.steps[:step])

    def follow(self, start: P) -> list[P] | None:
        """The positions before each step and after the last, from a copy of `start`; None where a step is not legal."""
        position = start.copy()
        positions = [position]
        for seat, action in self.steps:
            if position.actor() != seat or not position.may(action):
                return None
            position = position.copy()
            position.apply(action)
            positions.append(position)
        return positions

    def returns(self, start: WatchedGame) -> bool:
        """Whether the lap, played from `start`, comes back to exactly that state; where no action is known, nobody can tell."""
        positions = self.follow(start) if self.steps else None
        return positions is not None and positions[-1].key() == start.key()


class Ending(StrEnum):
    """How a lap that makes progress comes to an end."""

    GAME_OVER = "the game is over"
    BLOCKED = "it cannot be repeated any more"
    CIRCLE = "it changes nothing any more"
    """From there on it is a loop."""
    FAR = "not within sight"


@dataclass(frozen=True)
class Progress:
    """Where a lap leads that is repeated but is not a loop."""

    lap: Lap
    """The actions of the players in it; chance may do something else each time."""
    changes: Mapping[str, int] = field(default_factory=dict)
    """What each lap adds (+) or takes away (-)."""
    ending: Ending = Ending.FAR
    first: str | None = None
    """What reaches its threshold first, as far as the game counts it."""
    done: int = 0
    """How many laps have been played."""
    laps: int | None = None
    """After how many further whole laps, counted by playing them; where the end is out of sight, reckoned from the changes."""
    winner: int | None = None
    """Who wins then, where that ends the game."""

    @property
    def bounded(self) -> bool:
        """Whether it only goes on until something has run out that it is paid with."""
        return self.ending == Ending.BLOCKED and self.first is not None and self.changes[self.first] < 0


def project(start: WatchedGame, repeated: Repeated, max_steps: int = PROJECTED_STEPS) -> Progress | None:
    """What comes of repeating a lap of the players from `start`, with some outcome wherever chance has a say.

    None if it goes on to change something else than it did.
    """
    steps, changes = [LapStep.from_move(move) for move in repeated.moves], repeated.changes
    end, ending, laps = start, Ending.FAR, 0
    for _ in range(max(1, max_steps // len(steps))):
        following, whole = _play(end, steps)
        if not whole:
            end, ending = following, Ending.GAME_OVER if following.actor() == OVER else Ending.BLOCKED
            break
        if following.key() == end.key():
            ending = Ending.CIRCLE
            break
        if laps == 0 and changed(end.resources(), following.resources()) != changes:
            return None
        end = following
        laps += 1
    first, left = _least_left(end.resources(), changes)
    if ending == Ending.FAR:
        further = None if left is None else laps + left
    else:
        further = laps
        if left is None or left > 1:  # not that, then
            growing = [name for name, change in changes.items() if change > 0]
            first = growing[0] if len(growing) == 1 else None
    winner = end.winner() if ending == Ending.GAME_OVER else None
    return Progress(Lap(tuple(steps)), changes, ending, first, repeated.laps, further, winner)


def _play(start: P, steps: Sequence[LapStep]) -> tuple[P, bool]:
    """Where these steps of the players lead from a copy of `start`, and whether all were possible.

    Chance is played through wherever it has a say, by its first outcome.
    """
    position = start.copy()
    _through_chance(position)
    for seat, action in steps:
        if position.actor() != seat or not position.may(action):
            return position, False
        position.apply(action)
        _through_chance(position)
    return position, position.actor() != CHANCE


def _through_chance(position: WatchedGame) -> None:
    """Let chance have its say, but not for ever."""
    for _ in range(CHANCES):
        if position.actor() != CHANCE:
            return
        position.apply(position.actions()[0])


def _least_left(resources: Mapping[str, int], changes: Mapping[str, int]) -> tuple[str | None, int | None]:
    """What drains first, and for how many laps it lasts."""
    left = {name: max(0, -(-resources.get(name, 0) // -change)) for name, change in changes.items() if change < 0}
    if not left:
        return None, None
    first = min(left, key=lambda name: left[name])
    return first, left[first]


# --- what the players repeat -------------------------------------------------------------------------------


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
