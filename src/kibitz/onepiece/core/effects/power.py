"""Power, cost, keywords and bans, for a while.

A change is an entry (what, value, until) of `CardInPlay.mods`.
"""

from __future__ import annotations

from typing import NamedTuple

from kibitz.onepiece.core.arena import Arena, CardInPlay, Frame
from kibitz.onepiece.core.cards import BANS, KEYWORDS
from kibitz.onepiece.core.effects.base import Read, Scope, primitive, read_name, units_named
from kibitz.onepiece.core.permanent import BAN, BASE_POWER, COST, KEYWORD, POWER
from kibitz.onepiece.core.reading import FieldReader

#: Durations. START and END are followed by those of the other seat; an END_LATER begins to count in the next turn.
BATTLE, TURN, START, END, END_LATER = 0, 1, 2, 4, 6
DURATIONS = ("battle", "turn", "yourNextStart", "opponentsNextEnd")


class Change(NamedTuple):
    """A change of some cards: what, by how much, how long."""

    what: int
    value: int
    name: str
    duration: str


def until(s: Arena, seat: int, duration: str) -> int:
    """When a change that `seat` makes now ends."""
    if duration == "battle":
        return BATTLE
    if duration == "turn":
        return TURN
    if duration == "yourNextStart":
        return START + seat
    return (END if s.player == seat else END_LATER) + 1 - seat


def _read_change(what: int, field: str) -> Read:
    def read(r: FieldReader, scope: Scope) -> Change:
        if what == KEYWORD:
            value = KEYWORDS[r.one_of(field, KEYWORDS)]
        elif what == BAN:
            value = BANS[r.one_of(field, BANS)]
        else:
            value = r.number(field, -99_000, 99_000)
        return Change(what, value, read_name(r, scope, "to"), r.one_of("for", DURATIONS, "turn"))

    return read


def change(s: Arena, f: Frame, a: Change) -> bool:
    """Change some cards for a while."""
    units = units_named(s, f, a.name)
    for unit in units:
        add(unit, a.what, a.value, until(s, f.seat, a.duration))
    f.did = bool(units)
    return True


def add(unit: CardInPlay, what: int, value: int, end: int) -> None:
    """One more change of a card."""
    unit.mods = (*unit.mods, (what, value, end))
    unit.hashed = 0


for _name, _what in (
    ("addPower", POWER),
    ("setBasePower", BASE_POWER),
    ("modifyCost", COST),
    ("grantKeyword", KEYWORD),
    ("setLegality", BAN),
):
    primitive(_name, _read_change(_what, _name))(change)


# --- how changes end --------------------------------------------------------------------------------------------


def end_changes(s: Arena, ended: tuple[int, ...]) -> None:
    """Changes of these durations are over."""
    for row in s.field:
        for unit in row:
            if unit is not None and unit.mods:
                kept = tuple(mod for mod in unit.mods if mod[2] not in ended)
                if len(kept) != len(unit.mods):
                    unit.mods, unit.hashed = kept, 0


def end_turn(s: Arena, seat: int) -> None:
    """The turn of `seat` ends: so does what lasts a turn, or until the end of this one."""
    end_changes(s, (BATTLE, TURN, END + seat))
    for row in s.field:
        for unit in row:
            if unit is not None and any(mod[2] == END_LATER + seat for mod in unit.mods):
                unit.mods = tuple((w, v, END + seat if e == END_LATER + seat else e) for w, v, e in unit.mods)
                unit.hashed = 0
