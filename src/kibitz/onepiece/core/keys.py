"""What a position is: a hashable key in canonical form, a fast fingerprint of it, what can grow or drain; and named values.

Left out of the key are the numbers of units, the place of a Character among the others, the turn number and all history.
Everything else is in: once-per-turn flags, waiting effects, the battle, the effect being resolved. Unordered areas are sorted.

The named values are what the records hold after each step. The fields are documented in ``docs/onepiece.md``.
"""

from typing import Any

from kibitz.game.definition import actor_name, seat_or_none
from kibitz.onepiece.core.actions import PLACES
from kibitz.onepiece.core.arena import BOTH, LEADER_SLOT, MASK, NOBODY, STAGE_SLOT, UNKNOWN, Arena, CardInPlay, Frame, Wait
from kibitz.onepiece.core.cards import KEYWORDS
from kibitz.onepiece.core.effects.base import NUMBERS, Ref
from kibitz.onepiece.core.effects.conditions import counter
from kibitz.onepiece.core.effects.power import BAN, BASE_POWER, COST, KEYWORD, POWER, cost, keywords, power
from kibitz.onepiece.core.hidden import hide

#: Views of a key: the referee's, or what everybody knows; a seat is its own number.
OMNISCIENT, PUBLIC = "omniscient", "public"


def key(s: Arena, view: int | str = OMNISCIENT) -> tuple[Any, ...]:
    """Everything that is true (or that the view knows), hashable; equal for equal positions."""
    if view != OMNISCIENT:
        s = s.copy()
        hide(s, NOBODY if view == PUBLIC else int(view))
    knowing = view != OMNISCIENT
    roles = _roles(s)
    field = tuple(
        (
            _unit(s.field[seat][LEADER_SLOT], roles),
            tuple(sorted((_unit(u, roles) for u in s.characters(seat)), key=repr)),
            _unit(s.field[seat][STAGE_SLOT], roles),
        )
        for seat in range(2)
    )
    hidden = tuple(
        (
            tuple(sorted(s.hand[seat])),
            tuple(sorted(s.shown[seat].items())) if knowing else (),
            tuple(sorted(s.trash[seat])),
            tuple(s.pool[seat]),
            s.unknown[seat],
            _order(s.top[seat], knowing),
            _order(s.bottom[seat], knowing),
            _order(s.life[seat], knowing) if knowing else _face_up(s.life[seat]),
        )
        for seat in range(2)
    )
    don = tuple((s.don_deck[seat], s.active[seat], s.rested[seat]) for seat in range(2))
    return (_now(s), field, hidden, don, _waiting_effects(s), tuple(_frame(f) for f in s.frames))


def _now(s: Arena) -> tuple[int, ...]:
    """When it is: the phase, whose turn, what is waited for. Of the turn number only whether battles are allowed yet."""
    drawing = s.drawing if s.waiting == Wait.DRAWN else (0, 0, 0)
    asked = NOBODY if s.waiting in (Wait.DRAWN, Wait.OVER) else s.asked
    return (int(s.phase), s.player, min(s.turn, 3), int(s.waiting), asked, s.winner, *map(int, drawing))


def _order(entries: list[int], knowing: bool) -> tuple[int, ...]:
    """The cards of an ordered zone; who knows them counts only for those who look at knowledge."""
    return tuple(entries) if knowing else tuple(e >> 2 for e in entries)


def _face_up(entries: list[int]) -> tuple[int, ...]:
    """The cards of Life, and which of them lie face-up."""
    return tuple((e >> 2) * 2 + (e & 3 == 3) if e >= 0 else UNKNOWN for e in entries)


def _unit(unit: CardInPlay | None, roles: dict[int, tuple[Any, ...]]) -> tuple[Any, ...]:
    return () if unit is None else (*unit.facts(), tuple(sorted(roles.get(unit.serial, ()), key=repr)))


def _roles(s: Arena) -> dict[int, tuple[Any, ...]]:
    """What each unit is to the battle and to the effects at hand: that tells it apart, not its number."""
    roles: dict[int, tuple[Any, ...]] = {}

    def mark(serial: Any, role: Any) -> None:
        if type(serial) is int and serial >= 0:
            roles[serial] = (*roles.get(serial, ()), role)

    mark(s.attacker, "attacker")
    mark(s.target, "target")
    for i, (seat, design, number, source, subject) in enumerate(s.triggers):
        later = i >= s.older > 0
        mark(source, ("source", later, seat, design, number, _facts(s, subject)))
        mark(subject, ("subject", later, seat, design, number, _facts(s, source)))
    for depth, f in enumerate(s.frames):
        mark(f.source, ("frame", depth))
        mark(f.subject, ("frame subject", depth))
        for name, values in f.names.items():
            if name not in NUMBERS:
                for i, value in enumerate(values):
                    mark(value, (name, depth, i))
        for i, value in enumerate(f.picked):
            mark(value, ("picked", depth, i))
    return roles


def _facts(s: Arena, serial: Any) -> tuple[Any, ...]:
    unit = s.find(serial) if type(serial) is int else None
    return () if unit is None else (unit.seat, unit.facts())


def _waiting_effects(s: Arena) -> tuple[Any, ...]:
    found = [
        (i >= s.older > 0, seat, design, n, _facts(s, source), _facts(s, subject))
        for i, (seat, design, n, source, subject) in enumerate(s.triggers)
    ]
    return tuple(sorted(found, key=repr))


def _frame(f: Frame) -> tuple[Any, ...]:
    """A frame without the numbers of units, which are told apart by their roles."""
    names = tuple((name, tuple(_name(name, value) for value in values)) for name, values in sorted(f.names.items()))
    return (*_progress(f), names, tuple(_name("", v) for v in f.picked))


def _progress(f: Frame) -> tuple[int, ...]:
    return (f.seat, f.design, f.ability, f.pc, f.count, f.did, f.held)


def _name(name: str, value: Any) -> Any:
    return value if isinstance(value, Ref) or name in NUMBERS else "unit"


# --- the fingerprint ----------------------------------------------------------------------------------------------------


def fingerprint(s: Arena) -> int:
    """64 bits of the omniscient key: equal keys have equal fingerprints.

    Hand, trash and pool are kept as a running sum, decks and Life as a hash, each unit as a hash of its own: only what changed
    is computed again.
    """
    total = s.zones + (s.ordered or _hash_order(s))
    for unit in s.all_units():
        total += unit.hashed or unit.hash()
    if s.attacker >= 0:
        attacker, target = s.find(s.attacker), s.find(s.target)
        total += hash((attacker.hash() if attacker else 0, target.hash() if target else 0))
    if s.frames or s.triggers:
        total += _busy(s)
    waiting = int(s.waiting)
    now = (min(s.turn, 3) << 4 | s.phase) << 8 | waiting << 4 | s.player << 3 | s.winner + 1
    if waiting == Wait.DRAWN:
        now = now << 4 | s.drawing[2] << 2 | s.drawing[1] << 1 | s.drawing[0]
    elif waiting != Wait.OVER:
        now = now << 1 | s.asked
    (a, b), (c, d), (e, f) = s.active, s.rested, s.don_deck
    don = a | b << 4 | c << 8 | d << 12 | e << 16 | f << 20
    return hash((total & MASK, now, don)) & MASK


def _hash_order(s: Arena) -> int:
    """A hash of Life and of what is known of the decks, kept until a card moves there."""
    decks = tuple((s.unknown[seat], _order(s.top[seat], False), _order(s.bottom[seat], False)) for seat in range(2))
    s.ordered = hash((decks, _face_up(s.life[0]), _face_up(s.life[1]))) or 1
    return s.ordered


def _busy(s: Arena) -> int:
    """A hash of the effects at hand. Units count by their facts; no text goes in, since its hash varies."""
    facts = {u.serial: u.hash() for u in s.all_units()}
    triggers = sum(
        hash((i >= s.older > 0, seat, design, number, facts.get(source, 0), facts.get(subject, 0)))
        for i, (seat, design, number, source, subject) in enumerate(s.triggers)
    )
    frames = tuple(
        (
            *(*_progress(f), facts.get(f.source, 0), facts.get(f.subject, 0)),
            *(_bits(name, v, facts) for name in sorted(f.names) for v in f.names[name]),
            *(_bits("", v, facts) for v in f.picked),
        )
        for f in s.frames
    )
    return hash((triggers, frames))


def _bits(name: str, value: Any, facts: dict[int, int]) -> Any:
    if isinstance(value, Ref):
        return tuple(value)
    return value if name in NUMBERS else facts.get(value, 0)


# --- what can grow or drain -----------------------------------------------------------------------------------------------


def resources(s: Arena) -> dict[str, int]:
    """The counters that a lap of a loop can raise or lower, by name; players count from 1."""
    found = {}
    for seat in range(2):
        who = f"player {seat + 1}"
        for name in ("life", "hand", "deck", "trash", "don", "activeDon"):
            found[f"{who} {name}"] = counter(s, seat, name)
        found[f"{who} power"] = sum(power(s, u) for u in s.units(seat))
        found[f"{who} characters"] = len(s.characters(seat))
    return found


def core(s: Arena) -> tuple[Any, ...]:
    """The key without what `resources` count: only cards on the field, only DON!! that are given, no changes of power."""
    bare = s.copy()
    for seat in range(2):
        for zone in (bare.hand, bare.trash, bare.top, bare.bottom, bare.life, bare.pool):
            zone[seat] = []
        bare.unknown[seat] = bare.don_deck[seat] = bare.active[seat] = bare.rested[seat] = 0
        for unit in bare.units(seat):
            unit.mods = tuple(change for change in unit.mods if change[0] != POWER)
    for frame in bare.frames:
        frame.held = UNKNOWN
    return key(bare)


def exact(s: Arena) -> tuple[Any, ...]:
    """A state as one hashable value, for trees: equal where every action has the same name and the same consequences.

    Unlike `key` it has the places on the field, the turn and the numbers of units, which actions and worlds speak of. Only
    the order of hands and trashes is left out: nobody can refer to it.
    """
    return (
        (s.first, s.turn, s.player, s.phase, s.waiting, s.asked, s.winner, s.ending, s.drawing, s.attacker, s.target),
        tuple(
            (
                tuple(() if unit is None else (unit.serial, *unit.facts()) for unit in s.field[seat]),
                tuple(sorted(s.hand[seat])),
                tuple(sorted(s.shown[seat].items())),
                tuple(sorted(s.trash[seat])),
                *(tuple(zone[seat]) for zone in (s.top, s.bottom, s.life, s.pool)),
                *(numbers[seat] for numbers in (s.unknown, s.don_deck, s.active, s.rested, s.drawn)),
            )
            for seat in range(2)
        ),
        tuple((*_progress(f), f.source, f.subject, tuple(sorted(f.names.items())), f.picked) for f in s.frames),
        (*s.triggers, s.older),
        s.serial,
    )


# --- as named values ------------------------------------------------------------------------------------------------

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
        "resolving": [_frame_facts(s, f) for f in s.frames],
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


def _frame_facts(s: Arena, f: Frame) -> dict[str, Any]:
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
