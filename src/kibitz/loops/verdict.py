"""The verdict on a loop, by the rules of the game, and what comes of it.

Rules are a table (`kibitz.loops.config.Resolution`): one entry for each answer to the question who can stop it. In the
model where players declare, it is a draw if nobody can; the one who can names a number of laps and stops after them; if both
can, both name a number, the turn player first, and the smaller one is played. The loop may not be started again from the
same state, unless there is nothing else to do.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from kibitz.game import OVER
from kibitz.loops.config import Config, Consequence
from kibitz.loops.lap import Lap, LapStep
from kibitz.loops.protocol import WatchedGame
from kibitz.loops.stopping import Answer, Stopping

#: Who names a number of further laps: the seat, the lap, and the smallest number that was named before (or None).
Declare = Callable[[int, Lap, int | None], int]


class Case(StrEnum):
    """Who can stop a loop."""

    BOTH = "several can stop it"
    ONE = "one player can stop it"
    NEITHER = "nobody can stop it"
    TOGETHER = "it can only be stopped together"
    CHANCE = "chance can end it"
    UNKNOWN = "nobody knows who can stop it"


@dataclass(frozen=True)
class Verdict:
    """What the rules say about a loop."""

    case: Case
    outcome: Consequence
    players: tuple[int, ...] = ()
    """Who can stop it."""

    @property
    def stopping_player(self) -> int | None:
        """The one player who has to stop it, if it is one."""
        return self.players[0] if self.outcome in (Consequence.MUST_STOP, Consequence.DECLARES) else None

    @property
    def words(self) -> str:
        """The outcome in a few words."""
        player = f"player {self.players[0] + 1}" if self.players else ""
        return {
            Consequence.CONTINUES: "the game continues",
            Consequence.MUST_STOP: f"{player} must stop",
            Consequence.DECLARES: f"{player} declares",
            Consequence.SMALLER: "the smaller of two declared numbers",
            Consequence.DRAW: "draw",
        }[self.outcome]


def case_of(stopping: Stopping) -> Case:
    """The case that a search has found."""
    if stopping.by_chance == Answer.YES:
        return Case.CHANCE
    if stopping.unknown:
        return Case.UNKNOWN
    if stopping.able:
        return Case.BOTH if len(stopping.able) > 1 else Case.ONE
    return Case.TOGETHER if stopping.together else Case.NEITHER


def judge(stopping: Stopping, count: int, config: Config) -> Verdict:
    """The verdict on a loop whose state has been seen `count` times.

    Where chance can end it the game goes on: nobody knows what the next lap is.
    """
    rules = config.resolution
    case = case_of(stopping)
    if stopping.together is None and stopping.by_chance == Answer.NO and rules.neither_can_stop == rules.only_together:
        case = Case.NEITHER  # nobody can alone, and whether they can together does not matter
    rule = {
        Case.BOTH: rules.both_can_stop,
        Case.ONE: rules.one_can_stop,
        Case.NEITHER: rules.neither_can_stop,
        Case.TOGETHER: rules.only_together,
        Case.UNKNOWN: rules.unknown,
        Case.CHANCE: Consequence.CONTINUES,
    }[case]
    if config.cap is not None and count > config.cap:
        rule = Consequence.DRAW
    return Verdict(case, rule, stopping.able)


def declared(verdict: Verdict, lap: Lap, turn_player: int, declare: Declare) -> tuple[int, int]:
    """Who stops, and after how many laps. The turn player is asked first; whoever named the smallest number stops."""
    if verdict.outcome == Consequence.MUST_STOP:
        return verdict.players[0], 0
    named: list[tuple[int, int]] = []
    for seat in sorted(verdict.players, key=lambda seat: (seat < turn_player, seat)):
        number = declare(seat, lap, min(number for number, _ in named) if named else None)
        if number < 0:
            raise ValueError(f"player {seat + 1} declares {number} laps: expected 0 or more")
        named.append((number, seat))
    laps, seat = min(named, key=lambda one: one[0])
    return seat, laps


def repeat(position: WatchedGame, lap: Lap, laps: int) -> tuple[int, int, tuple[LapStep, ...]]:
    """Play a lap so many times, to the end of the game at most.

    A lap that changes nothing whatever is played once, and the others are skipped: a million of them are as fast as one.
    How many whole laps were played, how many were skipped, and all steps, also those of a lap that could not be finished.
    """
    steps: list[LapStep] = []
    for played in range(laps):
        before = position.copy()
        for seat, action in lap.steps:
            if position.actor() != seat or not position.may(action):
                return played, 0, tuple(steps)
            position.apply(action)
            steps.append(LapStep(seat, action))
        if position.unchanged_since(before):
            return played + 1, laps - played - 1, tuple(steps)
    return laps, 0, tuple(steps)


@dataclass(frozen=True)
class Settlement:
    """How a loop is stopped."""

    seat: int
    """Who stops it."""
    laps: int
    """How many laps were declared."""
    laps_played: int
    """How many of them are played: the others would change nothing, or the game is over before."""
    steps: tuple[LapStep, ...]
    """What is to be played: these laps, then on to where that player can stop."""
    way: tuple[LapStep, ...] = ()
    """The steps after the last lap."""
    banned: tuple[int, ...] = ()
    """What may not be chosen there again: first what would go on with the loop, then what surely stops nothing either.

    Empty if the game does not get so far: it is over in a declared lap, or the lap cannot be repeated so often.
    """


def settle(position: WatchedGame, lap: Lap, stopping: Stopping, seat: int, laps: int) -> Settlement:
    """Play the declared laps, then on to where `seat` can stop best, in `position` itself."""
    played, skipped, steps = repeat(position, lap, laps)
    done = Settlement(seat, laps, played, steps)
    if played + skipped < laps or position.actor() == OVER:
        return done
    stop = stopping.breaks_of(seat)[0]
    way = lap.steps[: stop.step]
    arrived, _, further = repeat(position, Lap(way), 1)
    if not arrived:
        return replace(done, steps=(*steps, *further))
    leading_back = (action for step, action in stopping.leading_back if step == stop.step)
    return replace(done, steps=(*steps, *way), way=way, banned=(lap.steps[stop.step].action, *leading_back))
