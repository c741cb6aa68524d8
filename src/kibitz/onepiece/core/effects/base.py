"""What all families of primitives share: the register of primitives, and how an effect names cards.

A primitive is a field of a JSON object (``{"draw": 2, "who": "opponent"}``) with a function that reads the object and one that
does it. The second returns True when it is done; False when somebody has to decide first (``s.waiting`` says what), or when
another effect was put on top of it. It is then called again, and finds its progress in the frame.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from kibitz.onepiece.core.arena import BOTH, UNKNOWN, Arena, CardInPlay, Frame
from kibitz.onepiece.core.cards import Condition, Instruction
from kibitz.onepiece.core.reading import FieldReader

Run = Callable[[Arena, Frame, Any], bool]
#: Reads the arguments of a primitive from its object; it is given the name of the primitive, too.
Read = Callable[[FieldReader, "Program", str], Any]
#: Zones of cards that are not on the field; held: a card that is being resolved and in no zone.
HAND, TRASH, HELD, LIFE, TOP = range(5)
#: Names in a frame that stand for numbers, not for cards.
NUMBERS = ("top", "damage", "saving ko")
#: Procedures of the rules that work like effects, as `Frame.ability`.
DEAL_HAND, DRAW_CARD, DAMAGE, TRASH_HELD, PLAY_CARD, BATTLE_KO = range(-6, 0)


class Ref(NamedTuple):
    """A card that is not on the field, as effects name it: its zone, its owner, its design, and who knows that it is meant."""

    zone: int
    seat: int
    design: int
    known: int = BOTH


class Jump(NamedTuple):
    """Where to go on if a condition does not hold."""

    to: int
    condition: Condition | None = None


class Program:
    """An effect while it is read: its instructions, the names selected so far, and whether a step stands in a forEach."""

    def __init__(self) -> None:
        self.code: list[Instruction] = []
        self.names: set[str] = set()
        self.in_each = False

    def add(self, run: Run, args: Any) -> None:
        """One more instruction."""
        self.code.append(Instruction(run, args))

    def reserve(self) -> int:
        """A place for a jump, which is filled when its end is known."""
        self.code.append(Instruction(lambda s, f, a: True, None))
        return len(self.code) - 1

    def fill(self, place: int, run: Run, condition: Condition | None = None) -> None:
        """A jump from a reserved place to the next instruction."""
        self.code[place] = Instruction(run, Jump(len(self.code), condition))


#: How each primitive is read: it adds instructions to a program.
PRIMITIVES: dict[str, Callable[[FieldReader, Program, str], None]] = {}


def primitive(*names: str, read: Read) -> Callable[[Run], Run]:
    """Register the function that does some primitives, with the one that reads their arguments."""

    def register(run: Run) -> Run:
        PRIMITIVES.update(dict.fromkeys(names, lambda r, program, name: program.add(run, read(r, program, name))))
        return run

    return register


def compound(*names: str) -> Callable[[Read], Read]:
    """Register what reads primitives into several instructions."""

    def register(read: Read) -> Read:
        PRIMITIVES.update(dict.fromkeys(names, read))
        return read

    return register


def read_steps(readers: list[FieldReader], program: Program) -> None:
    """Read steps one after another into a program."""
    for r in readers:
        found = [name for name in PRIMITIVES if r.has(name)]
        if not found:
            raise r.fail("step", f"no known primitive among {', '.join(r.value) or 'no fields'}")
        PRIMITIVES[found[0]](r, program, found[0])
        r.finish()


#: Cards that always have a name.
BUILT_IN = ("self", "subject", "leader", "opponentLeader", "attacker", "target")
WHO = ("you", "opponent")


class Amount(NamedTuple):
    """So many, whose, and how: DON!! rested, Life face-up."""

    n: int
    who: str = "you"
    flag: bool = False


def read_amount(flag: str = "", high: int = 10) -> Read:
    """Read a number, `who`, and perhaps a flag of this name."""
    return lambda r, program, name: Amount(
        r.number(name, 1, high), r.one_of("who", WHO, "you"), r.flag(flag) if flag else False
    )


def seat_of(f: Frame, who: str) -> int:
    """The seat that a word means in an effect."""
    return f.seat if who == "you" else 1 - f.seat


def read_name(r: FieldReader, program: Program, field: str) -> str:
    """The name of cards that are built in or were selected before."""
    name = r.text(field)
    if name not in BUILT_IN and name not in program.names:
        raise r.fail(field, f"{name!r}: expected {', '.join(BUILT_IN)} or something selected before")
    return name


def units_named(s: Arena, f: Frame, name: str) -> list[CardInPlay]:
    """The cards on the field that a name means now."""
    if name in ("leader", "opponentLeader"):
        return [s.leader(f.seat if name == "leader" else 1 - f.seat)]
    built_in = {"self": f.source, "subject": f.subject, "attacker": s.attacker, "target": s.target}
    serials = (built_in[name],) if name in built_in else f.names.get(name, ())
    found = (s.find(serial) for serial in serials if type(serial) is int)
    return [unit for unit in found if unit is not None]


def refs_named(f: Frame, name: str) -> list[Ref]:
    """The cards off the field that a name means."""
    return [ref for ref in f.names.get(name, ()) if isinstance(ref, Ref)]


def take_ref(s: Arena, ref: Ref, secretly: bool = False) -> bool:
    """Take a card out of its zone; False if it is not there any more."""
    zone, seat, design, _ = ref
    if zone == HAND and design in s.hand[seat]:
        s.drop_hand(seat, design, secretly)
    elif zone == TRASH and design in s.trash[seat]:
        s.drop_trash(seat, design)
    elif zone == HELD and (holders := [f for f in s.frames if f.held == design and f.seat == seat]):
        holders[0].held = UNKNOWN
    elif zone == LIFE and (places := [i for i, e in enumerate(s.life[seat]) if e != UNKNOWN and e >> 2 == design]):
        del s.life[seat][places[-1]]
        s.ordered = 0
    elif zone == TOP and design >= 0 and (depths := depths_of(s, seat, design)):
        entries, i = s.deck_place(seat, depths[0])
        del entries[i]
        s.ordered = 0
        s.shift_top(seat, depths[0], -1)
    else:
        return False
    return True


def depths_of(s: Arena, seat: int, design: int) -> list[int]:
    """Where the cards of a design lie that are known in a deck, from above."""
    return [depth for depth in range(s.deck_size(seat)) if s.deck_top(seat, depth) >> 2 == design]


def hide_top(s: Arena, f: Frame) -> None:
    """A card that an effect looked at was picked unseen: which are left, only the player of the effect knows."""
    n, seat, above = f.names["top"]
    for depth in range(above, above + n):
        entries, i = s.deck_place(seat, depth)
        if entries[i] != UNKNOWN:
            entries[i] &= ~BOTH | 1 << f.seat


def looked_at(s: Arena, f: Frame, who: int) -> list[int]:
    """What is left on top of a deck of the cards that an effect looked at, as designs, from above: those that `who` knows."""
    n, seat, above = f.names.get("top", (0, f.seat, 0))
    entries = [s.deck_top(seat, depth) for depth in range(above, above + n)]
    return [entry >> 2 for entry in entries if entry != UNKNOWN and entry >> who & 1]
