"""Power, cost, keywords and bans of a card as they are now: print, given DON!!, temporary changes, permanent effects.

A temporary change is an entry (what, value, until) of `CardInPlay.mods`; nothing else of this is stored. Only a permanent
effect whose condition depends on what permanent effects change (*volatile*: "if you have a Character with 7000 power") keeps a
bit whether it is on, or there would be no beginning. `settle` renews these bits until they agree; where they never do, the game
shows it step by step.
"""

from kibitz.onepiece.core.arena import Arena, CardInPlay, Frame
from kibitz.onepiece.core.cards import BANS, KEYWORDS, Permanent
from kibitz.onepiece.core.effects.base import Program, primitive, read_name, units_named
from kibitz.onepiece.core.reading import FieldReader

#: What a change changes: the numbers come first, then what is kept as bits.
POWER, BASE_POWER, COST, KEYWORD, BAN = range(5)
DON_POWER = 1000
#: So many rounds of changes settle within one step; volatile effects that go on are shown one round a step.
ROUNDS = 8
#: Durations. START and END are followed by those of the other seat; an END_LATER begins to count in the next turn.
BATTLE, TURN, START, END, END_LATER = 0, 1, 2, 4, 6
DURATIONS = ("battle", "turn", "yourNextStart", "opponentsNextEnd")


def is_on(s: Arena, source: CardInPlay, effect: Permanent) -> bool:
    """Whether a permanent effect is on."""
    if source.don < effect.don:
        return False
    condition = effect.condition
    if condition is None:
        return True
    if condition.volatile:
        return bool(source.on >> effect.number & 1)
    return condition.test(s, source.seat, source, condition.args)


def reaches(s: Arena, source: CardInPlay, effect: Permanent, unit: CardInPlay) -> bool:
    """Whether a permanent effect that is on concerns a card on the field."""
    whose = effect.whose
    if whose == "self":
        return unit is source
    if whose == "hand" or ((whose == "you") != (unit.seat == source.seat) and whose != "both"):
        return False
    if effect.other and unit is source:
        return False
    which = effect.which
    if which is None:
        return True
    return (which.rested is None or which.rested == unit.rested) and which.fits_print(s.table.cards[unit.design])


def changed(s: Arena, unit: CardInPlay, what: int, value: int) -> int:
    """A number or bits of a card on the field, after all temporary changes and permanent effects of this kind."""
    bits = what >= KEYWORD
    for kind, change, _ in unit.mods:
        if kind == what:
            value = value | change if bits else value + change
    for source, effect in s.auras():
        if what in effect.changes and reaches(s, source, effect, unit) and is_on(s, source, effect):
            value = value | effect.changes[what] if bits else value + effect.changes[what]
    return value


def power(s: Arena, unit: CardInPlay) -> int:
    """The power of a Leader or Character; it may be negative."""
    total = s.table.cards[unit.design].power
    if unit.mods:
        # 4-9-2-1: of several, the highest counts
        total = max((value for what, value, _ in unit.mods if what == BASE_POWER), default=total)
    if unit.don and unit.seat == s.player:
        total += DON_POWER * unit.don
    return changed(s, unit, POWER, total)


def cost(s: Arena, unit: CardInPlay) -> int:
    """The cost of a card on the field, never below 0."""
    return max(0, changed(s, unit, COST, s.table.cards[unit.design].cost))


def cost_in_hand(s: Arena, seat: int, design: int) -> int:
    """What it costs to play a card from the hand, never below 0."""
    card = s.table.cards[design]
    total = card.cost
    for source, effect in s.auras():
        if COST in effect.changes and effect.whose == "hand" and source.seat == seat:
            if (effect.which is None or effect.which.fits_print(card)) and is_on(s, source, effect):
                total += effect.changes[COST]
    return max(0, total)


def keywords(s: Arena, unit: CardInPlay) -> int:
    """The keywords of a card on the field, as bits."""
    return changed(s, unit, KEYWORD, s.table.cards[unit.design].keywords)


def bans(s: Arena, unit: CardInPlay) -> int:
    """What is forbidden to a card on the field, as bits."""
    return changed(s, unit, BAN, 0)


def settle_once(s: Arena) -> bool:
    """Renew the bits of all volatile effects at once; whether any changed."""
    new = []
    for source, effect in s.auras():
        condition = effect.condition
        if condition is not None and condition.volatile:
            on = condition.test(s, source.seat, source, condition.args)
            if on != bool(source.on >> effect.number & 1):
                new.append((source, effect.number))
    for source, number in new:
        source.on ^= 1 << number
        source.hashed = 0
    return bool(new)


def settle(s: Arena) -> bool:
    """Renew the volatile effects until nothing changes; False if they do not come to rest."""
    return not s.auras() or not all(settle_once(s) for _ in range(ROUNDS))


#: The primitives that change cards, and what each changes.
CHANGES = {"addPower": POWER, "setBasePower": BASE_POWER, "modifyCost": COST, "grantKeyword": KEYWORD, "setLegality": BAN}


def read_change(r: FieldReader, program: Program, name: str) -> tuple[int, int, str, str]:
    """``{"addPower": 1000, "to": "x", "for": "battle"}``: what, by how much, of which cards, how long."""
    words = {"grantKeyword": KEYWORDS, "setLegality": BANS}.get(name)
    value = r.number(name, -99_000, 99_000) if words is None else words[r.one_of(name, words)]
    return CHANGES[name], value, read_name(r, program, "to"), r.one_of("for", DURATIONS, "turn")


@primitive(*CHANGES, read=read_change)
def change(s: Arena, f: Frame, a: tuple[int, int, str, str]) -> bool:
    """Change some cards for a while."""
    what, value, name, duration = a
    units = units_named(s, f, name)
    for unit in units:
        add(unit, what, value, until(s, f.seat, duration))
    f.did = bool(units)
    return True


def until(s: Arena, seat: int, duration: str) -> int:
    """When a change that `seat` makes now ends."""
    later = (END if s.player == seat else END_LATER) + 1 - seat
    return {"battle": BATTLE, "turn": TURN, "yourNextStart": START + seat, "opponentsNextEnd": later}[duration]


def add(unit: CardInPlay, what: int, value: int, end: int) -> None:
    """One more change of a card."""
    unit.mods = (*unit.mods, (what, value, end))
    unit.hashed = 0


def end_changes(s: Arena, ended: tuple[int, ...]) -> None:
    """Changes of these durations are over."""
    for unit in s.all_units():
        if unit.mods and any(mod[2] in ended for mod in unit.mods):
            unit.mods, unit.hashed = tuple(mod for mod in unit.mods if mod[2] not in ended), 0


def end_turn(s: Arena, seat: int) -> None:
    """The turn of `seat` ends: so does what lasts a turn, or until the end of this one."""
    end_changes(s, (BATTLE, TURN, END + seat))
    for unit in s.all_units():
        if unit.mods and any(mod[2] == END_LATER + seat for mod in unit.mods):
            unit.mods = tuple((w, v, END + seat if e == END_LATER + seat else e) for w, v, e in unit.mods)
            unit.hashed = 0
