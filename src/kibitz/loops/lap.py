"""The lap: which actions, by whom, how long; and whether it leads nowhere or somewhere.

A lap that comes back to exactly the same state is a loop. One that comes back to the same state but for something that grows
or drains is *progress*: it ends, or somebody wins, and `project` says by what.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeVar

from kibitz.game import CHANCE, OVER
from kibitz.loops.memory import NO_ACTION, History
from kibitz.loops.protocol import WatchedGame
from kibitz.loops.streak import Repeated, changed

P = TypeVar("P", bound=WatchedGame)
#: How many actions of a lap are played out at most to see where it leads.
PROJECTED_STEPS = 400
#: How many events of chance may follow each other in it.
CHANCES = 1000
#: Room for the seat in the number of a move.
SEAT_BITS = 4


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

    @classmethod
    def between(cls, history: History, first: int, last: int) -> Lap:
        """What was done after observation `first` up to observation `last`; the engine's own steps are no actions."""
        return cls(tuple(LapStep(by, action) for by, action in history.steps(first + 1, last) if action != NO_ACTION))

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def seats(self) -> tuple[int, ...]:
        """Who acts in it, ascending; chance is nobody."""
        return tuple(sorted({step.seat for step in self.steps} - {CHANCE}))

    def told_from(self, step: int) -> Lap:
        """The same lap, told from another of its steps on."""
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
    """Where a lap leads that is repeated, but is no loop."""

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
    """What comes of repeating a lap of the players from `start` on, with some outcome wherever chance has a say.

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
