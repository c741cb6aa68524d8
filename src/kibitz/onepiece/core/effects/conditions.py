"""Conditions: questions about the game that "if" asks.

Each is a field of an object; several in one object must all hold. ``{"life": {"max": 3}, "turn": "yours"}``
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz.onepiece.core.cards import Condition
from kibitz.onepiece.core.effects.filters import Filter, read_filter
from kibitz.onepiece.core.reading import FieldReader

if TYPE_CHECKING:
    from kibitz.onepiece.core.arena import Arena, CardInPlay

WHO = ("you", "opponent")
#: The counters that a condition can ask for, each with `who` and bounds.
COUNTED = ("life", "hand", "don", "activeDon", "trash", "deck")
NAMES = ("all", "any", "not", "turn", "donGiven", *COUNTED, "count", "leader", "self", "attacking")


def seats_of(seat: int, who: str) -> tuple[int, ...]:
    """The seats that a word means, seen from `seat`."""
    return (seat,) if who == "you" else (1 - seat,) if who == "opponent" else (seat, 1 - seat)


def counter(s: Arena, seat: int, name: str) -> int:
    """One of the public numbers of a seat."""
    if name == "life":
        return len(s.life[seat])
    if name == "hand":
        return len(s.hand[seat])
    if name == "don":
        return s.active[seat] + s.rested[seat] + sum(u.don for u in s.field[seat] if u is not None)
    if name == "activeDon":
        return s.active[seat]
    return len(s.trash[seat]) if name == "trash" else s.deck_size(seat)


def all_hold(s: Arena, seat: int, source: CardInPlay | None, args: tuple[Condition, ...]) -> bool:
    """Every one."""
    return all(c.test(s, seat, source, c.args) for c in args)


def any_holds(s: Arena, seat: int, source: CardInPlay | None, args: tuple[Condition, ...]) -> bool:
    """At least one."""
    return any(c.test(s, seat, source, c.args) for c in args)


def holds_not(s: Arena, seat: int, source: CardInPlay | None, args: Condition) -> bool:
    """The contrary."""
    return not args.test(s, seat, source, args.args)


def is_turn(s: Arena, seat: int, source: CardInPlay | None, args: str) -> bool:
    """Whose turn it is."""
    return (s.player == seat) == (args == "yours")


def don_given(s: Arena, seat: int, source: CardInPlay | None, args: int) -> bool:
    """[DON!! xN]: so many are given to this card."""
    return source is not None and source.don >= args


def counts(s: Arena, seat: int, source: CardInPlay | None, args: tuple[str, str, int, int]) -> bool:
    """A counter of a player is within bounds."""
    name, who, low, high = args
    return low <= counter(s, seats_of(seat, who)[0], name) <= high


def units_count(s: Arena, seat: int, source: CardInPlay | None, args: tuple[str, Filter, bool, int, int]) -> bool:
    """So many cards on the field are as the filter says (of `who`; `other`: this one not counted)."""
    who, which, other, low, high = args
    n = 0
    for owner in seats_of(seat, who):
        for unit in s.field[owner]:
            if unit is not None and not (other and unit is source) and which.fits(s, unit):
                n += 1
    return low <= n <= high


def leader_is(s: Arena, seat: int, source: CardInPlay | None, args: Filter) -> bool:
    """Your Leader is as the filter says."""
    return args.fits(s, s.leader(seat))


def itself(s: Arena, seat: int, source: CardInPlay | None, args: Filter) -> bool:
    """This card is as the filter says."""
    return source is not None and args.fits(s, source)


def attacks(s: Arena, seat: int, source: CardInPlay | None, args: bool) -> bool:
    """This card is the attacker (or is not)."""
    return (source is not None and s.attacker == source.serial) == args


def read_condition(r: FieldReader) -> Condition:
    """The condition that an object says: all of its fields."""
    found = [_read_one(r, name) for name in NAMES if r.has(name)]
    r.finish()
    if not found:
        raise r.fail("if", f"expected one of {', '.join(NAMES)}")
    if len(found) == 1:
        return found[0]
    return Condition(all_hold, tuple(found), any(c.volatile for c in found))


def _read_one(r: FieldReader, name: str) -> Condition:
    if name in ("all", "any"):
        parts = tuple(read_condition(part) for part in r.objects(name))
        return Condition(all_hold if name == "all" else any_holds, parts, any(c.volatile for c in parts))
    if name == "not":
        inner = read_condition(r.object("not"))
        return Condition(holds_not, inner, inner.volatile)
    if name == "turn":
        return Condition(is_turn, r.one_of("turn", ("yours", "opponents")))
    if name == "donGiven":
        return Condition(don_given, r.number("donGiven", 1, 10))
    if name == "attacking":
        return Condition(attacks, r.flag("attacking"))
    if name in COUNTED:
        exact = not isinstance(r.raw(name), dict)
        part = FieldReader({"min": r.number(name, 0, 60), "max": r.raw(name)} if exact else r.raw(name), f"{r.where}: {name}")
        bounds = part.number("min", 0, 60, 0), part.number("max", 0, 60, 60)
        who = part.one_of("who", WHO, "you")
        part.finish()
        return Condition(counts, (name, who, *bounds))
    part = r.object(name)
    extra: tuple[Any, ...] = ()
    if name == "count":
        who, other = part.one_of("who", (*WHO, "both"), "you"), part.flag("other")
        extra = (who, other, part.number("min", 0, 12, 0), part.number("max", 0, 12, 12))
    which = read_filter(part)
    part.finish()
    if name == "count":
        who, other, low, high = extra
        return Condition(units_count, (who, which, other, low, high), which.volatile)
    return Condition(leader_is if name == "leader" else itself, which, which.volatile)
