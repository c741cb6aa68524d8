"""Power, cost, keywords and bans of a card as they are now: print, given DON!!, temporary changes, permanent effects.

Nothing of this is stored. Only a permanent effect whose condition depends on what permanent effects change (*volatile*: "if
you have a Character with 7000 power") keeps a bit whether it is on, or there would be no beginning. `settle` renews these
bits until they agree; where they never do, the game shows it step by step.
"""

from __future__ import annotations

from kibitz.onepiece.core.arena import Arena, CardInPlay
from kibitz.onepiece.core.cards import Permanent

#: What a temporary change changes: the first number of an entry of `CardInPlay.mods`.
POWER, BASE_POWER, COST, KEYWORD, BAN = range(5)
DON_POWER = 1000
#: So many rounds of changes settle within one step; volatile effects that go on are shown one round a step.
ROUNDS = 8


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


def power(s: Arena, unit: CardInPlay) -> int:
    """The power of a Leader or Character; it may be negative."""
    total = s.table.cards[unit.design].power
    if unit.mods:
        bases = [value for what, value, _ in unit.mods if what == BASE_POWER]
        if bases:
            total = max(bases)  # 4-9-2-1: of several, the highest counts
        for what, value, _ in unit.mods:
            if what == POWER:
                total += value
    if unit.don and unit.seat == s.player:
        total += DON_POWER * unit.don
    for source, effect in s.auras():
        if effect.power and reaches(s, source, effect, unit) and is_on(s, source, effect):
            total += effect.power
    return total


def cost(s: Arena, unit: CardInPlay) -> int:
    """The cost of a card on the field, never below 0."""
    total = s.table.cards[unit.design].cost
    for what, value, _ in unit.mods:
        if what == COST:
            total += value
    for source, effect in s.auras():
        if effect.cost and reaches(s, source, effect, unit) and is_on(s, source, effect):
            total += effect.cost
    return max(0, total)


def cost_in_hand(s: Arena, seat: int, design: int) -> int:
    """What it costs to play a card from the hand, never below 0."""
    card = s.table.cards[design]
    total = card.cost
    for source, effect in s.auras():
        if effect.cost and effect.whose == "hand" and source.seat == seat:
            if (effect.which is None or effect.which.fits_print(card)) and is_on(s, source, effect):
                total += effect.cost
    return max(0, total)


def keywords(s: Arena, unit: CardInPlay) -> int:
    """The keywords of a card on the field, as bits."""
    bits = s.table.cards[unit.design].keywords
    for what, value, _ in unit.mods:
        if what == KEYWORD:
            bits |= value
    for source, effect in s.auras():
        if effect.keywords and reaches(s, source, effect, unit) and is_on(s, source, effect):
            bits |= effect.keywords
    return bits


def bans(s: Arena, unit: CardInPlay) -> int:
    """What is forbidden to a card on the field, as bits."""
    bits = 0
    for what, value, _ in unit.mods:
        if what == BAN:
            bits |= value
    for source, effect in s.auras():
        if effect.bans and reaches(s, source, effect, unit) and is_on(s, source, effect):
            bits |= effect.bans
    return bits


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
