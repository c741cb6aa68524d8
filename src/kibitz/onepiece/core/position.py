"""A position as named values: what the records hold after each step. The fields are documented in ``docs/onepiece.md``."""

from __future__ import annotations

from typing import Any

from kibitz.game.definition import actor_name, seat_or_none
from kibitz.onepiece.core.actions import PLACES
from kibitz.onepiece.core.arena import BOTH, UNKNOWN, Arena, CardInPlay, Wait
from kibitz.onepiece.core.cards import KEYWORDS
from kibitz.onepiece.core.effects.base import NUMBERS, Ref
from kibitz.onepiece.core.permanent import BAN, BASE_POWER, COST, KEYWORD, POWER, cost, keywords, power

_CHANGES = {POWER: "power", BASE_POWER: "basePower", COST: "cost", KEYWORD: "keyword", BAN: "ban"}
_UNTIL = ("battle", "turn", "start of P1", "start of P2", "end of P1", "end of P2", "later end of P1", "later end of P2")


def place_name(unit: CardInPlay | None) -> str | None:
    """``P2.C3``."""
    return None if unit is None else f"P{unit.seat + 1}.{PLACES[unit.slot]}"


def position(s: Arena) -> dict[str, Any]:
    """Everything true, hidden or not, by name."""
    return {
        "phase": s.phase.name,
        "waiting": s.waiting.name,
        "actor": actor_name(s.actor()),
        "player": s.player,
        "turn": s.turn,
        "seats": [_seat(s, seat) for seat in range(2)],
        "attacker": place_name(s.find(s.attacker)),
        "target": place_name(s.find(s.target)),
        "effects": [_effect(s, *entry) | {"later": i >= s.older > 0} for i, entry in enumerate(s.triggers)],
        "resolving": [_frame(s, f) for f in s.frames],
        "drawing": {"seat": s.drawing[0], "life": s.drawing[1]} if s.waiting == Wait.DRAWN else None,
        "winner": seat_or_none(s.winner),
    }


def _seat(s: Arena, seat: int) -> dict[str, Any]:
    return {
        "field": {PLACES[u.slot]: unit_facts(s, u) for u in s.units(seat)},
        "hand": _ids(s, s.hand[seat]),
        "shown": {s.table.cards[d].id: n for d, n in sorted(s.shown[seat].items())},
        "trash": _ids(s, s.trash[seat]),
        "deck": {
            "size": s.deck_size(seat),
            "top": [_known(s, e) for e in reversed(s.top[seat])],
            "bottom": [_known(s, e) for e in s.bottom[seat]],
        },
        "life": [_known(s, e) for e in reversed(s.life[seat])],
        "don": {"deck": s.don_deck[seat], "active": s.active[seat], "rested": s.rested[seat]},
    }


def _ids(s: Arena, designs: list[int]) -> list[str | None]:
    """The ids of cards in an unordered zone, sorted; None for those that are not known."""
    return [None if d == UNKNOWN else s.table.cards[d].id for d in sorted(designs)]


def _known(s: Arena, entry: int) -> dict[str, Any] | None:
    """A card of a hidden zone, and who knows it."""
    if entry == UNKNOWN:
        return None
    return {"card": s.table.cards[entry >> 2].id, "known": [seat for seat in range(2) if (entry & BOTH) >> seat & 1]}


def unit_facts(s: Arena, unit: CardInPlay) -> dict[str, Any]:
    """Everything about a card on the field."""
    return {
        "card": s.card(unit).id,
        "power": power(s, unit),
        "cost": cost(s, unit),
        "keywords": [word for word, bit in KEYWORDS.items() if keywords(s, unit) & bit],
        "rested": unit.rested,
        "fresh": unit.fresh,
        "don": unit.don,
        "used": unit.used,
        "changes": [[_CHANGES[what], value, _UNTIL[end]] for what, value, end in unit.mods],
    }


def _effect(s: Arena, seat: int, design: int, number: int, source: int, subject: Any) -> dict[str, Any]:
    """An effect that waits to be resolved."""
    return {
        "seat": seat,
        "card": s.table.cards[design].id,
        "effect": number + 1,
        "source": place_name(s.find(source)),
        "subject": place_name(s.find(subject)) if type(subject) is int else None,
    }


def _frame(s: Arena, f: Any) -> dict[str, Any]:
    """An effect (or a procedure of the rules: a negative number) that is being resolved."""
    names = {name: [_named(s, value, name) for value in values] for name, values in sorted(f.names.items())}
    return {
        "seat": f.seat,
        "card": s.table.cards[f.design].id,
        "effect": f.ability + 1 if f.ability >= 0 else f.ability,
        "step": f.pc,
        "count": f.count,
        "held": None if f.held == UNKNOWN else s.table.cards[f.held].id,
        "names": names,
        "picked": [_named(s, value, "") for value in f.picked],
    }


def _named(s: Arena, value: Any, name: str) -> Any:
    if isinstance(value, Ref):
        return "unseen" if value.design == UNKNOWN else s.table.cards[value.design].id
    return value if name in NUMBERS else place_name(s.find(value))
