"""The loop lab: every kind of loop as a tiny game, each also with one thing changed so that the verdict flips.

A game is a `Machine`: it stands at a place, somebody chooses one of the moves from there, a move adds to counters and goes to
another place. The first move is always the one that keeps the loop going.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from kibitz.game import OVER
from kibitz.loops.drive import Choose, choose_first
from kibitz.loops.protocol import OMNISCIENT, PlainGame, Position, View

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


class State:
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

    def copy(self) -> State:
        """An independent copy."""
        return State(self.machine, self.place, dict(self.counters))

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

    def start(self, flipped: bool = False) -> Position:
        """A fresh game."""

    def choose(self, flipped: bool = False) -> Choose:
        """How it is played, so that it goes round."""

    def go_on(self) -> Choose:
        """How it is played once the loop has been left."""

    def describe(self, position: Position, action: int) -> str:
        """What an action does there, as people read it."""

    def texts(self, flipped: bool = False) -> list[str]:
        """What lies on the table, and what it does."""


@dataclass(frozen=True)
class Loop:
    """A row that is played on a `Machine`; the verdicts are those of the model in which who can stop it declares a number."""

    title: str
    expected: str
    machine: Machine
    change: str
    flipped_to: str
    flipped: Machine

    def start(self, flipped: bool = False) -> PlainGame:
        """A fresh game."""
        return PlainGame(State(self.flipped if flipped else self.machine))

    def choose(self, flipped: bool = False) -> Choose:
        """How it is played, so that it goes round: by the first move."""
        return choose_first

    def go_on(self) -> Choose:
        """The same: what goes round may not be chosen any more."""
        return choose_first

    def describe(self, position: Position, action: int) -> str:
        """What the move says."""
        return position.describe(action)

    def texts(self, flipped: bool = False) -> list[str]:
        """The moves, and who makes them."""
        machine = self.flipped if flipped else self.machine
        return [f"player {machine.owners.get(move.at, 0) + 1}, {move.at}: {move.text}" for move in machine.moves]


_STOP = Move("main", END, "end the turn")
_REST = Move("rest", END, "end the turn")


def _mandatory() -> Loop:
    give = Move("draw", "discard", "trigger of player 1: the other draws")
    take = Move("discard", "draw", "trigger of player 2: the other draws")
    owners = {"discard": 1}
    decline = Move("discard", "rest", "decline the trigger")
    return Loop(
        "two mandatory triggers feeding each other", "draw", Machine((give, take), owners),
        "the second trigger is a 'may'", "player 2 declares", Machine((give, take, decline, _REST), owners),
    )  # fmt: skip


def _activate() -> Loop:
    undo = Move("effect", "main", "undo the effect")
    return Loop(
        "an activated effect without a cost that undoes itself", "player 1 declares",
        Machine((Move("main", "effect", "activate the effect"), undo, _STOP), {}),
        "the effect is once per turn", "no loop",
        Machine((Move("main", "effect", "activate the effect", {"uses": -1}, {"uses": 1}), undo, _STOP), {}, {"uses": 1}),
    )  # fmt: skip


def _give_and_remove() -> Loop:
    moves = (
        Move("main", "answer", "give a counter", {"counters": 1}),
        Move("answer", "main", "remove the counter", {"counters": -1}),
        _STOP,
    )
    leave = Move("answer", "rest", "leave the counter")
    owners, counters = {"answer": 1}, {"counters": 0}
    return Loop(
        "player 1 gives, player 2 removes, both may", "the smaller of two declared numbers",
        Machine((*moves, leave, _REST), owners, counters),
        "player 2 must remove", "player 1 declares", Machine(moves, owners, counters),
    )  # fmt: skip


def _other_may() -> Loop:
    moves = (
        Move("main", "answer", "trigger of player 1: rest a card"),
        Move("answer", "main", "set the card active"),
    )
    decline = (Move("answer", "rest", "leave the card rested"), _REST)
    return Loop(
        "only the non-turn player has a 'may'", "player 2 declares", Machine((*moves, *decline), {"answer": 1}),
        "player 2 must, too", "draw", Machine(moves, {"answer": 1}),
    )  # fmt: skip


def _all_lead_back() -> Loop:
    moves = (
        Move("main", "left", "choose the left card"),
        Move("main", "right", "choose the right card"),
        Move("left", "main", "return the left card"),
        Move("right", "main", "return the right card"),
    )
    owners = {"left": 1, "right": 1}
    return Loop(
        "choices that all lead back", "draw", Machine(moves, owners),
        "player 1 may also choose no card", "player 1 declares",
        Machine((*moves, Move("main", "rest", "choose no card"), _REST), owners),
    )  # fmt: skip


def _toggling() -> Loop:
    on, off = Move("off", "on", "processing: the first effect applies"), Move("on", "off", "processing: it does not apply")
    return Loop(
        "permanent effects toggling each other", "draw", Machine((on, off), {}),
        "the second effect looks at something else", "no loop", Machine((on, Move("on", END, "end the turn")), {}),
    )  # fmt: skip


def _reset() -> Loop:
    use = Move("main", "field", "use the ability", {"ready": -1}, {"ready": 1})
    bounce = Move("field", "hand", "return the card to the hand")
    fresh, same = Move("hand", "main", "play it again", {"ready": 1}), Move("hand", "main", "play it again")
    return Loop(
        "once per turn, reset by leaving and returning", "player 1 declares",
        Machine((use, bounce, fresh, _STOP), {}, {"ready": 1}),
        "the ability remembers that it was used", "no loop", Machine((use, bounce, same, _STOP), {}, {"ready": 1}),
    )  # fmt: skip


def _growth() -> Loop:
    hit = Move("attack", "grow", "trigger of player 1: a damage", {"life of player 2": -1})
    grow = Move("grow", "attack", "trigger of player 2: a counter", {"counters": 1})
    counters = {"life of player 2": 40, "counters": 0}
    prevented = Move("attack", "grow", "trigger of player 1: the damage is prevented")
    owners = {"grow": 1}
    return Loop(
        "damage and growing counters", "progress", Machine((hit, grow), owners, counters, {"life of player 2": 0}),
        "damage is prevented, and there is room for three counters", "draw",
        Machine((prevented, grow), owners, counters, {"life of player 2": 0}, {"counters": 3}),
    )  # fmt: skip


def _drain(lives: int, loses: bool) -> Machine:
    moves = (
        Move("first", "second", "drain player 2", {"life of player 2": -1}),
        Move("second", "first", "drain player 1", {"life of player 1": -1}),
    )
    names = ("life of player 1", "life of player 2")
    return Machine(moves, {"second": 1}, dict.fromkeys(names, lives), dict.fromkeys(names[:loses], 0))


def _ring() -> Loop:
    pay = Move("main", "ring", "pay a coin for the ring", {"coins": -1}, {"coins": 1})
    turn, refund = Move("ring", "main", "turn the ring"), Move("ring", "main", "turn the ring", {"coins": 1})
    return Loop(
        "a ring paid by a finite supply", "bounded", Machine((pay, turn, _STOP), {}, {"coins": 40}),
        "the ring gives the coin back", "player 1 declares", Machine((pay, refund, _STOP), {}, {"coins": 40}),
    )  # fmt: skip


def _hidden() -> Loop:
    draw, back = Move("draw", "return", "draw a card"), Move("return", "draw", "return a card", {"card on top": 1})
    same = Move("return", "draw", "return the same card")
    counters, ends, hidden = {"cards in hand": 5, "card on top": 0}, {"card on top": 40}, {"card on top": 0}
    return Loop(
        "public sizes repeat while hidden cards change", "suspected only",
        Machine((draw, back), {}, counters, ends, {}, hidden),
        "it is always the same card", "draw", Machine((draw, same), {}, counters, ends, {}, hidden),
    )  # fmt: skip


#: The rows of the loop table, by a short name.
LAB: dict[str, LabRow] = {
    "mandatory": _mandatory(),
    "activate": _activate(),
    "both": _give_and_remove(),
    "other": _other_may(),
    "choices": _all_lead_back(),
    "permanent": _toggling(),
    "once": _reset(),
    "growth": _growth(),
    "drain": Loop("mutual drain", "progress", _drain(40, True), "neither can lose", "draw", _drain(40, False)),
    "harmless": Loop(
        "mutual drain where neither can lose", "draw", _drain(9, False), "player 1 can lose", "progress", _drain(9, True)
    ),
    "supply": _ring(),
    "hidden": _hidden(),
}
