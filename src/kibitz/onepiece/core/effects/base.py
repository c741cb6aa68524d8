"""What all families of primitives share: the register of primitives, and how an effect names cards.

A primitive is a field of a JSON object (``{"draw": 2, "who": "opponent"}``) with a function that reads the object and one that
does it. The second returns True when it is done; False when somebody has to decide first (``s.waiting`` says what), or when
another effect was put on top of it. It is then called again, and finds its progress in the frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from kibitz.onepiece.core.arena import BOTH, UNKNOWN, Arena, CardInPlay, Frame
from kibitz.onepiece.core.cards import Instruction
from kibitz.onepiece.core.reading import FieldReader

Run = Callable[[Arena, Frame, Any], bool]
Read = Callable[[FieldReader, "Scope"], Any]
ReadInto = Callable[[FieldReader, "Scope", list[Instruction]], None]
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


class Scope:
    """What a step may refer to while it is read: the names that were selected before it, and whether it stands in a forEach."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.in_each = False


#: How each primitive is read: it appends instructions to a program.
PRIMITIVES: dict[str, ReadInto] = {}


def primitive(name: str, read: Read) -> Callable[[Run], Run]:
    """Register the function that does a primitive, with the one that reads its arguments."""

    def register(run: Run) -> Run:
        PRIMITIVES[name] = lambda r, scope, code: code.append(Instruction(run, read(r, scope)))
        return run

    return register


def compound(name: str) -> Callable[[ReadInto], ReadInto]:
    """Register a primitive that is read into several instructions."""

    def register(read: ReadInto) -> ReadInto:
        PRIMITIVES[name] = read
        return read

    return register


def read_steps(readers: list[FieldReader], scope: Scope, code: list[Instruction]) -> None:
    """Read steps one after another into a program."""
    for r in readers:
        found = [name for name in PRIMITIVES if r.has(name)]
        if not found:
            raise r.fail("step", f"no known primitive among {', '.join(r.value) or 'no fields'}")
        PRIMITIVES[found[0]](r, scope, code)
        r.finish()


# --- who and which ------------------------------------------------------------------------------------------------

#: Cards that always have a name.
BUILT_IN = ("self", "subject", "leader", "opponentLeader", "attacker", "target")
WHO = ("you", "opponent")


def seat_of(f: Frame, who: str) -> int:
    """The seat that a word means in an effect."""
    return f.seat if who == "you" else 1 - f.seat


def read_name(r: FieldReader, scope: Scope, field: str) -> str:
    """The name of cards that are built in or were selected before."""
    name = r.text(field)
    if name not in BUILT_IN and name not in scope.names:
        raise r.fail(field, f"{name!r}: expected {', '.join(BUILT_IN)} or something selected before")
    return name


def units_named(s: Arena, f: Frame, name: str) -> list[CardInPlay]:
    """The cards on the field that a name means now."""
    if name == "self":
        serials: tuple[Any, ...] = (f.source,)
    elif name == "subject":
        serials = (f.subject,)
    elif name == "leader":
        return [s.leader(f.seat)]
    elif name == "opponentLeader":
        return [s.leader(1 - f.seat)]
    elif name == "attacker":
        serials = (s.attacker,)
    elif name == "target":
        serials = (s.target,)
    else:
        serials = f.names.get(name, ())
    found = (s.find(serial) for serial in serials if type(serial) is int)
    return [unit for unit in found if unit is not None]


def refs_named(f: Frame, name: str) -> list[Ref]:
    """The cards off the field that a name means."""
    return [ref for ref in f.names.get(name, ()) if isinstance(ref, Ref)]


def take_ref(s: Arena, ref: Ref, secretly: bool = False) -> bool:
    """Take a card out of its zone; False if it is not there any more."""
    zone, seat, design, _ = ref
    if zone == HAND:
        if design not in s.hand[seat]:
            return False
        s.drop_hand(seat, design, secretly)
    elif zone == TRASH:
        if design not in s.trash[seat]:
            return False
        s.drop_trash(seat, design)
    elif zone == HELD:
        for frame in s.frames:
            if frame.held == design and frame.seat == seat:
                frame.held = UNKNOWN
                return True
        return False
    elif zone == LIFE:
        entries = s.life[seat]
        place = next((i for i in reversed(range(len(entries))) if entries[i] != UNKNOWN and entries[i] >> 2 == design), None)
        if place is None:
            return False
        del entries[place]
        s.ordered = 0
    else:
        return _take_from_top(s, seat, design)
    return True


def _take_from_top(s: Arena, seat: int, design: int) -> bool:
    """Take the uppermost card of this design that is known in the deck."""
    for depth in range(s.deck_size(seat)):
        entry = s.deck_top(seat, depth)
        if entry != UNKNOWN and entry >> 2 == design:
            top = s.top[seat]
            if depth < len(top):
                del top[-1 - depth]
            else:
                del s.bottom[seat][depth - len(top) - s.unknown[seat]]
            s.ordered = 0
            s.shift_top(seat, depth, -1)
            return True
    return False


def hide_top(s: Arena, f: Frame) -> None:
    """A card that an effect looked at was picked unseen: which are left, only the player of the effect knows."""
    n, seat, above = f.names["top"]
    top, bottom = s.top[seat], s.bottom[seat]
    for depth in range(above, above + n):
        entries, i = (top, -1 - depth) if depth < len(top) else (bottom, depth - len(top) - s.unknown[seat])
        if entries[i] != UNKNOWN:
            entries[i] &= ~BOTH | 1 << f.seat


def looked_at(s: Arena, f: Frame, who: int) -> list[int]:
    """What is left on top of a deck of the cards that an effect looked at, as designs, from above: those that `who` knows."""
    n, seat, above = f.names.get("top", (0, f.seat, 0))
    entries = [s.deck_top(seat, depth) for depth in range(above, above + n)]
    return [entry >> 2 for entry in entries if entry != UNKNOWN and entry >> who & 1]
