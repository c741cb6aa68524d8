"""Control flow: if/else, if you do, you may, for each, choice. All of it becomes jumps in a flat program."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kibitz.onepiece.core.arena import Arena, Frame, Wait
from kibitz.onepiece.core.cards import Condition, Instruction
from kibitz.onepiece.core.codes import OPTION, OPTIONS
from kibitz.onepiece.core.effects.base import Scope, compound, read_steps
from kibitz.onepiece.core.effects.conditions import read_condition
from kibitz.onepiece.core.effects.select import Select, candidates, pick, read_select
from kibitz.onepiece.core.reading import FieldReader


class Jump(NamedTuple):
    """Where to go on if a condition does not hold."""

    to: int
    condition: Condition | None = None


class Branch(NamedTuple):
    """The beginnings of the options of a choice, and their names."""

    starts: tuple[int, ...]
    labels: tuple[str, ...]


def jump(s: Arena, f: Frame, a: Jump) -> bool:
    """Go on elsewhere."""
    f.pc = a.to - 1
    return True


def jump_unless(s: Arena, f: Frame, a: Jump) -> bool:
    """Go on elsewhere unless a condition holds."""
    assert a.condition is not None
    if not a.condition.test(s, f.seat, s.find(f.source), a.condition.args):
        f.pc = a.to - 1
    return True


def jump_undone(s: Arena, f: Frame, a: Jump) -> bool:
    """Go on elsewhere unless the step before did something."""
    if not f.did:
        f.pc = a.to - 1
    return True


def confirm(s: Arena, f: Frame, a: Jump) -> bool:
    """You may: go on elsewhere if the player declines. The answer is in ``f.count``: 1 yes, 2 no."""
    if f.count == 0:
        s.waiting, s.asked = Wait.CONFIRM, f.seat
        return False
    if f.count == 2:
        f.pc = a.to - 1
    f.did = f.count == 1
    f.count = 0
    return True


def choose(s: Arena, f: Frame, a: Branch) -> bool:
    """One of several effects; the answer is in ``f.count``, from 1."""
    if f.count == 0:
        s.waiting, s.asked = Wait.OPTION, f.seat
        return False
    f.pc = a.starts[f.count - 1] - 1
    f.count = 0
    return True


def next_one(s: Arena, f: Frame, a: Jump) -> bool:
    """For each: the next card becomes ``it``; go on elsewhere when there is none."""
    left = f.names.get("each", ())
    if not left:
        f.pc = a.to - 1
        return True
    f.names["it"] = left[:1]
    f.names["each"] = left[1:]
    return True


def collect(s: Arena, f: Frame, a: Select) -> bool:
    """For each: all cards that are meant."""
    f.picked = ()
    while found := candidates(s, f, a):
        pick(s, f, a, found[0])
    f.names["each"] = f.picked
    f.picked = ()
    return True


@compound("if")
def read_if(r: FieldReader, scope: Scope, code: list[Instruction]) -> None:
    """``{"if": {...}, "then": [...], "else": [...]}``."""
    condition = read_condition(r.object("if"))
    _branch(r, scope, code, lambda to: Instruction(jump_unless, Jump(to, condition)))


@compound("ifYouDo")
def read_if_you_do(r: FieldReader, scope: Scope, code: list[Instruction]) -> None:
    """``{"ifYouDo": [...]}``: only if the step before did something."""
    at = _reserve(code)
    read_steps(r.objects("ifYouDo"), scope, code)
    code[at] = Instruction(jump_undone, Jump(len(code)))


@compound("may")
def read_may(r: FieldReader, scope: Scope, code: list[Instruction]) -> None:
    """``{"may": [...]}``: the player decides whether."""
    at = _reserve(code)
    read_steps(r.objects("may"), scope, code)
    code[at] = Instruction(confirm, Jump(len(code)))


@compound("choice")
def read_choice(r: FieldReader, scope: Scope, code: list[Instruction]) -> None:
    """``{"choice": [{"label": "...", "do": [...]}, ...]}``."""
    options = r.objects("choice")
    if not 2 <= len(options) <= OPTIONS:
        raise r.fail("choice", f"expected 2 to {OPTIONS} options")
    at = _reserve(code)
    starts, labels, exits = [], [], []
    for option in options:
        starts.append(len(code))
        labels.append(option.text("label"))
        read_steps(option.objects("do"), scope, code)
        option.finish()
        exits.append(_reserve(code))
    code[at] = Instruction(choose, Branch(tuple(starts), tuple(labels)))
    for place in exits:
        code[place] = Instruction(jump, Jump(len(code)))


@compound("forEach")
def read_for_each(r: FieldReader, scope: Scope, code: list[Instruction]) -> None:
    """``{"forEach": {"from": "characters", ...}, "do": [...]}``: the card is called ``it``."""
    if scope.in_each:
        raise r.fail("forEach", "expected outside of another forEach")
    value = r.raw("forEach")
    chosen = {"max": 10, **value} if isinstance(value, dict) else value
    part = FieldReader({"select": chosen, "as": "each"}, f"{r.where}: forEach")
    code.append(Instruction(collect, read_select(part, scope)))
    scope.names.add("it")
    at = _reserve(code)
    scope.in_each = True
    read_steps(r.objects("do"), scope, code)
    scope.in_each = False
    code.append(Instruction(jump, Jump(at)))
    code[at] = Instruction(next_one, Jump(len(code)))


def _branch(r: FieldReader, scope: Scope, code: list[Instruction], test: Callable[[int], Instruction]) -> None:
    at = _reserve(code)
    read_steps(r.objects("then"), scope, code)
    if r.has("else"):
        skip = _reserve(code)
        code[at] = test(len(code))
        read_steps(r.objects("else"), scope, code)
        code[skip] = Instruction(jump, Jump(len(code)))
    else:
        code[at] = test(len(code))


def _reserve(code: list[Instruction]) -> int:
    """A place in the program that is filled when its end is known."""
    code.append(Instruction(jump, Jump(len(code) + 1)))
    return len(code) - 1


def option_codes(a: Branch) -> list[int]:
    """The actions that choose one of the options."""
    return [OPTION + i for i in range(len(a.starts))]
