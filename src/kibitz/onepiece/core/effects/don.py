"""DON!!: give, add, rest, set active, return."""

from __future__ import annotations

from typing import NamedTuple

from kibitz.onepiece.core.arena import Arena, Frame, Wait
from kibitz.onepiece.core.codes import RETURN_ACTIVE, RETURN_GIVEN, RETURN_RESTED
from kibitz.onepiece.core.effects.base import WHO, Read, Scope, primitive, read_name, seat_of, units_named
from kibitz.onepiece.core.moves import add_don, give_don, return_don
from kibitz.onepiece.core.reading import FieldReader


class Don(NamedTuple):
    """So many DON!!, whose, rested or not, and the card that gets them."""

    n: int
    who: str = "you"
    rested: bool = False
    name: str = ""


@primitive("giveDon", lambda r, scope: Don(r.number("giveDon", 1, 10), "you", r.flag("rested"), read_name(r, scope, "to")))
def give(s: Arena, f: Frame, a: Don) -> bool:
    """Give DON!! of the cost area (active ones, or rested ones) to cards."""
    f.did = False
    for unit in units_named(s, f, a.name):
        f.did = give_don(s, unit, a.n, a.rested) > 0 or f.did
    return True


def _read(name: str) -> Read:
    def read(r: FieldReader, scope: Scope) -> Don:
        return Don(r.number(name, 1, 10), r.one_of("who", WHO, "you"), r.flag("rested"))

    return read


@primitive("addDon", _read("addDon"))
def add(s: Arena, f: Frame, a: Don) -> bool:
    """Add DON!! from the DON!! deck to the cost area."""
    f.did = add_don(s, seat_of(f, a.who), a.n, a.rested) > 0
    return True


@primitive("orientDon", _read("orientDon"))
def orient(s: Arena, f: Frame, a: Don) -> bool:
    """Set DON!! of the cost area active, or rest them."""
    seat = seat_of(f, a.who)
    source, goal = (s.active, s.rested) if a.rested else (s.rested, s.active)
    n = min(a.n, source[seat])
    source[seat] -= n
    goal[seat] += n
    f.did = n > 0
    return True


@primitive("returnDon", _read("returnDon"))
def give_back(s: Arena, f: Frame, a: Don) -> bool:
    """Return DON!! to the DON!! deck; their owner chooses which: active, rested, given to a card."""
    seat = seat_of(f, a.who)
    while f.count < a.n:
        found = sources(s, seat)
        if not found:
            break
        if len(found) > 1:
            s.waiting, s.asked = Wait.RETURN_DON, seat
            return False
        give_one_back(s, seat, found[0])
        f.count += 1
    f.did = f.count > 0
    f.count = 0
    return True


def sources(s: Arena, seat: int) -> list[int]:
    """Where a DON!! can be returned from, as actions, ascending."""
    found = [RETURN_RESTED] * (s.rested[seat] > 0) + [RETURN_ACTIVE] * (s.active[seat] > 0)
    return found + [RETURN_GIVEN + u.slot for u in s.field[seat] if u is not None and u.don]


def give_one_back(s: Arena, seat: int, code: int) -> None:
    """Return the DON!! that an action names."""
    unit = s.field[seat][code - RETURN_GIVEN] if code >= RETURN_GIVEN else None
    return_don(s, seat, unit, rested=code == RETURN_RESTED)
