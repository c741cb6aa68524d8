"""A state as one hashable value, for trees: equal where every action has the same name and the same consequences.

Unlike `kibitz.onepiece.core.keys.key` it has the places on the field, the turn and the numbers of units, which actions and
worlds speak of. Only the order of hands and trashes is left out: nobody can refer to it.
"""

from __future__ import annotations

from typing import Any

from kibitz.onepiece.core.arena import Arena, CardInPlay, Frame


def exact(s: Arena) -> tuple[Any, ...]:
    """Everything that is true."""
    return (
        (s.first, s.turn, s.player, s.phase, s.waiting, s.asked, s.winner, s.ending, s.drawing, s.attacker, s.target),
        tuple(_seat(s, seat) for seat in range(2)),
        tuple(_frame(f) for f in s.frames),
        (*s.triggers, s.older),
        s.serial,
    )


def _seat(s: Arena, seat: int) -> tuple[Any, ...]:
    return (
        tuple(_unit(unit) for unit in s.field[seat]),
        tuple(sorted(s.hand[seat])),
        tuple(sorted(s.shown[seat].items())),
        tuple(sorted(s.trash[seat])),
        *(tuple(zone[seat]) for zone in (s.top, s.bottom, s.life, s.pool)),
        *(numbers[seat] for numbers in (s.unknown, s.don_deck, s.active, s.rested, s.drawn)),
    )


def _unit(unit: CardInPlay | None) -> tuple[Any, ...]:
    return () if unit is None else (unit.serial, *unit.facts())


def _frame(f: Frame) -> tuple[Any, ...]:
    names = tuple(sorted(f.names.items()))
    return (f.seat, f.design, f.ability, f.source, f.subject, f.pc, f.count, f.did, f.held, names, f.picked)
