"""A row of a loop lab played out under a guard: every step, what the guard said, and how it ended.

>>> from kibitz.loops.config import MODELS
>>> from kibitz.loops.lab import LAB
>>> trial = try_out(LAB["other"], MODELS["declare"])
>>> trial.verdict, trial.ending
('player 2 declares', 'the game is over')
>>> trial.notes[-1].lap
('player 1: trigger of player 1: rest a card', 'player 2: set the card active')
>>> trial.notes[-1].ways
('instead of 2, player 2: leave the card rested',)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from kibitz.game import OVER
from kibitz.loops.config import Config
from kibitz.loops.drive import Choose, Guarded, stop_at_once
from kibitz.loops.guard import LoopGuard, LoopResult
from kibitz.loops.lab import LabRow
from kibitz.loops.protocol import Position
from kibitz.loops.stopping import Break, break_loop
from kibitz.loops.verdict import Declare, Settlement

#: A row that does not come to an end is broken off: enough for the hundred laps of the model `cap`.
MOST_STEPS = 1000


class Played(NamedTuple):
    """One step."""

    seat: int
    text: str
    demanded: bool
    """Whether the verdict demanded it: a declared lap, or the way to where it is stopped."""
    action: int


class Note(NamedTuple):
    """Something that the guard said."""

    after: int
    """After so many steps."""
    result: LoopResult
    lap: tuple[str, ...]
    """The steps of the lap in words."""
    ways: tuple[str, ...] = ()
    """The moves that leave it, the best first."""
    exits: tuple[str, ...] = ()
    """What these moves do, without who does it and where."""
    escape: tuple[str, ...] = ()
    """A line that leaves it, found by going back to the latest decision."""
    settlement: Settlement | None = None
    banned: tuple[str, ...] = ()
    """What may not be chosen again where it was stopped."""


@dataclass
class Trial:
    """How a row was played."""

    verdict: str = "no loop"
    ending: str = "broken off"
    steps: list[Played] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    """The first warning, and everything else that was said for the first time."""


def try_out(
    row: LabRow, config: Config, flipped: bool = False, declare: Declare = stop_at_once, escapes: bool = False
) -> Trial:
    """Play a row until the game or the turn ends; who has to stop does so by the best of the suggested moves.

    With `escapes`, a whole line out of each loop is looked for, too.
    """
    hook = Guarded(LoopGuard(replace(config, suspect=True)), declare)
    position, choose = row.start(flipped), row.choose(flipped)
    trial, turn = Trial(), position.turn()
    way_out: int | None = None
    hook.begin(position)
    while len(trial.steps) < MOST_STEPS:
        seat = position.actor()
        if seat == OVER or position.turn() != turn:
            trial.ending = _ending(position)
            break
        action = hook.demanded(position)
        demanded = action is not None
        if action is None:
            action, way_out = _chosen(position, hook, choose, way_out), None
        trial.steps.append(Played(seat, row.describe(position, action), demanded, action))
        position.apply(action)
        found, settled = len(hook.found), len(hook.settled)
        draw = hook.after(position, action, seat).draw
        if len(hook.found) > found:
            settlement = hook.settled[-1] if len(hook.settled) > settled and hook.settled[-1].banned else None
            result = hook.found[-1]
            _note(trial, row, position, hook, settlement)
            if escapes and result.stopping and result.stopping.breaks:
                _find_escape(trial, row, position, hook.guard)
            if settlement and result.stopping:
                way_out = result.stopping.breaks_of(settlement.seat)[0].action
            if settlement or result.suspected:
                choose = row.go_on()
        if draw:
            trial.ending = "the game is a draw"
            trial.verdict = hook.found[-1].words
            return trial
    trial.verdict = hook.verdict
    return trial


def _chosen(position: Position, hook: Guarded, choose: Choose, way_out: int | None) -> int:
    """The way out that was suggested, or what the row chooses, as far as it is allowed."""
    allowed = hook.allowed(position, position.actions())
    wanted = choose(position, allowed) if way_out is None else way_out
    return wanted if wanted in allowed else allowed[0]


def _ending(position: Position) -> str:
    if position.actor() != OVER:
        return "the turn ends, and the game goes on"
    winner = position.winner()
    return "the game is over" if winner is None else f"player {winner + 1} wins"


def _note(trial: Trial, row: LabRow, position: Position, hook: Guarded, settlement: Settlement | None) -> None:
    """Keep what the guard said of the present position, unless it has said as much before."""
    result = hook.found[-1]
    said = (result.words, result.warning)
    if any((note.result.words, note.result.warning) == said for note in trial.notes):
        return
    lap = trial.steps[-len(result.lap) :] if result.lap else []
    note = Note(len(trial.steps), result, tuple(f"{who(step.seat)}: {step.text}" for step in lap))
    around = result.lap.follow(position) if result.lap and result.stopping else None
    if around and result.lap and result.stopping:
        breaks = result.stopping.breaks
        exits = tuple(row.describe(around[one.step], one.action) for one in breaks)
        note = note._replace(ways=tuple(map(_way, breaks, exits)), exits=exits)
        if settlement:
            there = around[len(settlement.way)]
            note = note._replace(settlement=settlement, banned=tuple(row.describe(there, a) for a in settlement.banned))
    trial.notes.append(note)


def _way(one: Break, exit: str) -> str:
    """A suggestion in words."""
    help_needed = "" if one.sure else " (if others help)"
    return f"instead of {one.step + 1}, {who(one.seat)}: {exit}{help_needed}"


def _find_escape(trial: Trial, row: LabRow, position: Position, guard: LoopGuard) -> None:
    """Add a line out of the loop to the latest note."""
    note = trial.notes[-1]
    lap = note.result.lap
    if note.escape or lap is None or note.after < len(trial.steps):
        return
    limits = guard.config.search_nodes, guard.config.horizon
    escape = break_loop(position, lap, None, *limits, guard.allowed, guard.statistics)
    around = lap.follow(position)
    if escape is None or around is None:
        return
    there, texts = around[escape.step], []
    for seat, action in escape.line:
        texts.append(f"{who(seat)}: {row.describe(there, action)}")
        there.apply(action)
    trial.notes[-1] = note._replace(escape=tuple(texts))


def who(seat: int) -> str:
    """A seat as people read it."""
    return f"player {seat + 1}" if seat >= 0 else "chance"
