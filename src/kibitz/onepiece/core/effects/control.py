"""Control flow: if/else, if you do, you may, for each, choice. All of it becomes jumps in a flat program."""

from typing import NamedTuple

from kibitz.onepiece.core.actions import OPTIONS
from kibitz.onepiece.core.arena import Arena, Frame, Wait
from kibitz.onepiece.core.cards import Instruction
from kibitz.onepiece.core.effects.base import Jump, Program, compound, read_steps
from kibitz.onepiece.core.effects.conditions import read_condition
from kibitz.onepiece.core.effects.select import Select, candidates, pick, read_select
from kibitz.onepiece.core.reading import FieldReader


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
    return a.condition.test(s, f.seat, s.find(f.source), a.condition.args) or jump(s, f, a)


def jump_undone(s: Arena, f: Frame, a: Jump) -> bool:
    """Go on elsewhere unless the step before did something."""
    return f.did or jump(s, f, a)


def confirm(s: Arena, f: Frame, a: Jump) -> bool:
    """You may: go on elsewhere if the player declines. The answer is in ``f.count``: 1 yes, 2 no."""
    if f.count == 0:
        return s.ask(Wait.CONFIRM, f.seat)
    f.did = f.count == 1
    f.count = 0
    return jump_undone(s, f, a)


def choose(s: Arena, f: Frame, a: Branch) -> bool:
    """One of several effects; the answer is in ``f.count``, from 1."""
    if f.count == 0:
        return s.ask(Wait.OPTION, f.seat)
    f.pc = a.starts[f.count - 1] - 1
    f.count = 0
    return True


def next_one(s: Arena, f: Frame, a: Jump) -> bool:
    """For each: the next card becomes ``it``; go on elsewhere when there is none."""
    left = f.names.get("each", ())
    if not left:
        return jump(s, f, a)
    f.names["it"], f.names["each"] = left[:1], left[1:]
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
def read_if(r: FieldReader, program: Program, name: str) -> None:
    """``{"if": {...}, "then": [...], "else": [...]}``."""
    condition = read_condition(r.object("if"))
    at = program.reserve()
    read_steps(r.objects("then"), program)
    skip = program.reserve() if r.has("else") else None
    program.fill(at, jump_unless, condition)
    if skip is not None:
        read_steps(r.objects("else"), program)
        program.fill(skip, jump)


@compound("ifYouDo", "may")
def read_guarded(r: FieldReader, program: Program, name: str) -> None:
    """``{"ifYouDo": [...]}``: only if the step before did something; ``{"may": [...]}``: the player decides whether."""
    at = program.reserve()
    read_steps(r.objects(name), program)
    program.fill(at, confirm if name == "may" else jump_undone)


@compound("choice")
def read_choice(r: FieldReader, program: Program, name: str) -> None:
    """``{"choice": [{"label": "...", "do": [...]}, ...]}``."""
    options = r.objects("choice")
    if not 2 <= len(options) <= OPTIONS:
        raise r.fail("choice", f"expected 2 to {OPTIONS} options")
    at = program.reserve()
    starts, labels, exits = [], [], []
    for option in options:
        starts.append(len(program.code))
        labels.append(option.text("label"))
        read_steps(option.objects("do"), program)
        option.finish()
        exits.append(program.reserve())
    program.code[at] = Instruction(choose, Branch(tuple(starts), tuple(labels)))
    for place in exits:
        program.fill(place, jump)


@compound("forEach")
def read_for_each(r: FieldReader, program: Program, name: str) -> None:
    """``{"forEach": {"from": "characters", ...}, "do": [...]}``: the card is called ``it``."""
    if program.in_each:
        raise r.fail("forEach", "expected outside of another forEach")
    value = r.raw("forEach")
    chosen = {"max": 10, **value} if isinstance(value, dict) else value
    part = FieldReader({"select": chosen, "as": "each"}, f"{r.where}: forEach")
    program.add(collect, read_select(part, program))
    program.names.add("it")
    at = program.reserve()
    program.in_each = True
    read_steps(r.objects("do"), program)
    program.in_each = False
    program.add(jump, Jump(at))
    program.fill(at, next_one)
