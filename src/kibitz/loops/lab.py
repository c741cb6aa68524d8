"""The loop lab: every kind of loop as a tiny game, each also with one thing changed so that the verdict flips.

A game is a `Machine`: it stands at a place, somebody chooses one of the moves from there, a move adds to counters and goes to
another place. The first move is always the one that keeps the loop going.

`try_out` plays a row under a guard, of this lab or of another (`LabRow`): every step, what the guard said, how it ended.

>>> from kibitz.loops.config import MODELS
>>> trial = try_out(LAB["other"], MODELS["declare"])
>>> trial.verdict, trial.ending
('player 2 declares', 'the game is over')
>>> trial.notes[-1].lap
('player 1: trigger of player 1: rest a card', 'player 2: set the card active')
>>> trial.notes[-1].ways
('instead of 2, player 2: leave the card rested',)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from kibitz.game import OVER
from kibitz.loops.config import Config
from kibitz.loops.drive import Choose, Guarded, choose_first, stop_at_once
from kibitz.loops.guard import LoopGuard, LoopResult
from kibitz.loops.lap import who
from kibitz.loops.protocol import OMNISCIENT, PlainGame, View, WatchedGame
from kibitz.loops.stopping import Break, break_loop
from kibitz.loops.verdict import Declare, Settlement

END = "end"


@dataclass(frozen=True)
class Move:
    """From one place to another, adding to counters; not without the counters that it `needs`."""

    at: str
    to: str
    text: str
    adds: Mapping[str, int] = field(default_factory=dict)
    needs: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Machine:
    """The rules of a tiny game."""

    moves: tuple[Move, ...]
    owners: Mapping[str, int]
    """Who acts at a place (seat 0 where nothing is said)."""
    counters: Mapping[str, int] = field(default_factory=dict)
    """What there is at the start; no counter goes below 0."""
    ends: Mapping[str, int] = field(default_factory=dict)
    """The game is over when a counter has this value."""
    most: Mapping[str, int] = field(default_factory=dict)
    """Counters that grow no further than this."""
    hidden: Mapping[str, int] = field(default_factory=dict)
    """Counters that only one seat sees."""


class MachineState:
    """One game on a `Machine`, in plain Python: it starts where its first move does."""

    __slots__ = ("counters", "machine", "place")

    def __init__(self, machine: Machine, place: str = "", counters: dict[str, int] | None = None) -> None:
        self.machine = machine
        self.place = place or machine.moves[0].at
        self.counters = dict(machine.counters) if counters is None else counters

    def actor(self) -> int:
        """Who acts here."""
        over = any(self.counters[name] == value for name, value in self.machine.ends.items())
        return OVER if over or self.place == END else self.machine.owners.get(self.place, 0)

    def player(self) -> int:
        """It is always player 1's turn."""
        return 0

    def legal(self, x: Any) -> int:
        """The moves from here, by their numbers."""
        n = 0
        for code, move in enumerate(self.machine.moves):
            if move.at == self.place and all(self.counters[name] >= least for name, least in move.needs.items()):
                x.actions[n] = code
                n += 1
        return n

    def apply(self, code: int) -> None:
        """Do a move."""
        move = self.machine.moves[code]
        self.place = move.to
        for name, change in move.adds.items():
            value = max(0, self.counters[name] + change)
            self.counters[name] = min(value, self.machine.most.get(name, value))

    def copy(self) -> MachineState:
        """An independent copy."""
        return MachineState(self.machine, self.place, dict(self.counters))

    def key(self, view: View) -> Hashable:
        """The place and the counters that a view sees."""
        hidden = self.machine.hidden
        seen = [value for name, value in self.counters.items() if view in (OMNISCIENT, hidden.get(name, view))]
        return (self.place, *seen)

    def resources(self) -> Mapping[str, int]:
        """The counters that all see."""
        return {name: value for name, value in self.counters.items() if name not in self.machine.hidden}

    def core(self) -> Hashable:
        """The place, and the counters that only some see."""
        return (self.place, *(self.counters[name] for name in self.machine.hidden))

    def describe(self, code: int) -> str:
        """What a move says."""
        return self.machine.moves[code].text


class LabRow(Protocol):
    """One row of a loop lab, as `kibitz loops lab` shows it: also of labs with real cards."""

    @property
    def title(self) -> str:
        """What goes round."""

    @property
    def expected(self) -> str:
        """The verdict, as `kibitz.loops.guard.LoopResult` words it."""

    @property
    def change(self) -> str:
        """What is changed so that the verdict flips."""

    @property
    def flipped_to(self) -> str:
        """The verdict then."""

    def start(self, flipped: bool = False) -> WatchedGame:
        """A fresh game."""

    def choose(self, flipped: bool = False) -> Choose:
        """How it is played, so that it goes round."""

    def go_on(self) -> Choose:
        """How it is played once the loop has been left."""

    def describe(self, position: WatchedGame, action: int) -> str:
        """What an action does there, as people read it."""

    def texts(self, flipped: bool = False) -> list[str]:
        """What lies on the table, and what it does."""


@dataclass(frozen=True)
class Loop:
    """A row that is played on a `Machine`; its verdicts are those of the model in which whoever can stop declares a number."""

    title: str
    expected: str
    machine: Machine
    change: str
    flipped_to: str
    flipped: Machine

    def start(self, flipped: bool = False) -> PlainGame:
        """A fresh game."""
        return PlainGame(MachineState(self.flipped if flipped else self.machine))

    def choose(self, flipped: bool = False) -> Choose:
        """How it is played, so that it goes round: by the first move."""
        return choose_first

    def go_on(self) -> Choose:
        """The same: what goes round may not be chosen any more."""
        return choose_first

    def describe(self, position: WatchedGame, action: int) -> str:
        """What the move says."""
        return position.describe(action)

    def texts(self, flipped: bool = False) -> list[str]:
        """The moves, and who makes them."""
        machine = self.flipped if flipped else self.machine
        return [f"player {machine.owners.get(move.at, 0) + 1}, {move.at}: {move.text}" for move in machine.moves]


_STOP, _REST = Move("main", END, "end the turn"), Move("rest", END, "end the turn")
_DRAWS = (
    Move("draw", "discard", "trigger of player 1: the other draws"),
    Move("discard", "draw", "trigger of player 2: the other draws"),
)
_ACTIVATE, _UNDO = Move("main", "effect", "activate the effect"), Move("effect", "main", "undo the effect")
_GIVE, _REMOVE = (
    Move("main", "answer", "give a counter", {"counters": 1}),
    Move("answer", "main", "remove the counter", {"counters": -1}),
)
_TURNS = Move("main", "answer", "trigger of player 1: rest a card"), Move("answer", "main", "set the card active")
_SIDES = (
    *(Move("main", side, f"choose the {side} card") for side in ("left", "right")),
    *(Move(side, "main", f"return the {side} card") for side in ("left", "right")),
)
_APPLY = Move("off", "on", "processing: the first effect applies")
_USE, _BOUNCE, _REPLAY = (
    Move("main", "field", "use the ability", {"ready": -1}, {"ready": 1}),
    Move("field", "hand", "return the card to the hand"),
    Move("hand", "main", "play it again"),
)
_HIT, _PREVENTED, _GROW = (
    Move("attack", "grow", "trigger of player 1: a damage", {"life of player 2": -1}),
    Move("attack", "grow", "trigger of player 1: the damage is prevented"),
    Move("grow", "attack", "trigger of player 2: a counter", {"counters": 1}),
)
_GROWTH = Machine((_HIT, _GROW), {"grow": 1}, {"life of player 2": 40, "counters": 0}, {"life of player 2": 0})
_PAY, _TURN = (
    Move("main", "ring", "pay a coin for the ring", {"coins": -1}, {"coins": 1}),
    Move("ring", "main", "turn the ring"),
)
_DRAW = Move("draw", "return", "draw a card")
_HIDDEN = Machine(
    (_DRAW, Move("return", "draw", "return a card", {"card on top": 1})), {}, {"cards in hand": 5, "card on top": 0},
    {"card on top": 40}, hidden={"card on top": 0},
)  # fmt: skip


def _drain(lives: int, loses: bool) -> Machine:
    names = ("life of player 1", "life of player 2")
    moves = Move("first", "second", "drain player 2", {names[1]: -1}), Move("second", "first", "drain player 1", {names[0]: -1})
    return Machine(moves, {"second": 1}, dict.fromkeys(names, lives), dict.fromkeys(names[:loses], 0))


#: The rows of the loop table, by a short name.
LAB: dict[str, LabRow] = {
    "mandatory": Loop("two mandatory triggers feeding each other", "draw",
        Machine(_DRAWS, {"discard": 1}), "the second trigger is a 'may'", "player 2 declares",
        Machine((*_DRAWS, Move("discard", "rest", "decline the trigger"), _REST), {"discard": 1})),
    "activate": Loop("an activated effect without a cost that undoes itself", "player 1 declares",
        Machine((_ACTIVATE, _UNDO, _STOP), {}), "the effect is once per turn", "no loop",
        Machine((replace(_ACTIVATE, adds={"uses": -1}, needs={"uses": 1}), _UNDO, _STOP), {}, {"uses": 1})),
    "both": Loop("player 1 gives, player 2 removes, both may", "the smaller of two declared numbers",
        Machine((_GIVE, _REMOVE, _STOP, Move("answer", "rest", "leave the counter"), _REST), {"answer": 1}, {"counters": 0}),
        "player 2 must remove", "player 1 declares", Machine((_GIVE, _REMOVE, _STOP), {"answer": 1}, {"counters": 0})),
    "other": Loop("only the non-turn player has a 'may'", "player 2 declares",
        Machine((*_TURNS, Move("answer", "rest", "leave the card rested"), _REST), {"answer": 1}),
        "player 2 must, too", "draw", Machine(_TURNS, {"answer": 1})),
    "choices": Loop("choices that all lead back", "draw",
        Machine(_SIDES, {"left": 1, "right": 1}), "player 1 may also choose no card", "player 1 declares",
        Machine((*_SIDES, Move("main", "rest", "choose no card"), _REST), {"left": 1, "right": 1})),
    "permanent": Loop("permanent effects toggling each other", "draw",
        Machine((_APPLY, Move("on", "off", "processing: it does not apply")), {}),
        "the second effect looks at something else", "no loop", Machine((_APPLY, Move("on", END, "end the turn")), {})),
    "once": Loop("once per turn, reset by leaving and returning", "player 1 declares",
        Machine((_USE, _BOUNCE, replace(_REPLAY, adds={"ready": 1}), _STOP), {}, {"ready": 1}),
        "the ability remembers that it was used", "no loop", Machine((_USE, _BOUNCE, _REPLAY, _STOP), {}, {"ready": 1})),
    "growth": Loop("damage and growing counters", "progress", _GROWTH,
        "damage is prevented, and there is room for three counters", "draw",
        replace(_GROWTH, moves=(_PREVENTED, _GROW), most={"counters": 3})),
    "drain": Loop("mutual drain", "progress", _drain(40, True), "neither can lose", "draw", _drain(40, False)),
    "harmless": Loop("mutual drain where neither can lose", "draw", _drain(9, False),
        "player 1 can lose", "progress", _drain(9, True)),
    "supply": Loop("a ring paid by a finite supply", "bounded", Machine((_PAY, _TURN, _STOP), {}, {"coins": 40}),
        "the ring gives the coin back", "player 1 declares",
        Machine((_PAY, replace(_TURN, adds={"coins": 1}), _STOP), {}, {"coins": 40})),
    "hidden": Loop("public sizes repeat while hidden cards change", "suspected only", _HIDDEN,
        "it is always the same card", "draw", replace(_HIDDEN, moves=(_DRAW, Move("return", "draw", "return the same card")))),
}  # fmt: skip


# --- a row played out under a guard -----------------------------------------------------------------------


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
    """Play a row until the game or the turn ends; whoever has to stop does so by the best of the suggested moves.

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
        draw = hook.after(position, action, seat)
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


def _chosen(position: WatchedGame, hook: Guarded, choose: Choose, way_out: int | None) -> int:
    """The way out that was suggested, or what the row chooses, as far as it is allowed."""
    allowed = hook.allowed(position, position.actions())
    wanted = choose(position, allowed) if way_out is None else way_out
    return wanted if wanted in allowed else allowed[0]


def _ending(position: WatchedGame) -> str:
    if position.actor() != OVER:
        return "the turn ends, and the game goes on"
    winner = position.winner()
    return "the game is over" if winner is None else f"player {winner + 1} wins"


def _note(trial: Trial, row: LabRow, position: WatchedGame, hook: Guarded, settlement: Settlement | None) -> None:
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


def _find_escape(trial: Trial, row: LabRow, position: WatchedGame, guard: LoopGuard) -> None:
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
