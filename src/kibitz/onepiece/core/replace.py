"""Replacement effects: what happens instead of a card's K.O. or leaving the field.

The owner of an optional one is asked; each may replace an event once.
"""

from __future__ import annotations

from kibitz.onepiece.core.arena import Arena, CardInPlay, Frame, Wait
from kibitz.onepiece.core.effects.base import BATTLE_KO
from kibitz.onepiece.core.triggers import askable, can_activate, payable


def threat(f: Frame, unit: CardInPlay) -> tuple[str, ...]:
    """What is about to remove a card, in the words of a replacement's `by`."""
    if f.ability == BATTLE_KO:
        return ("any", "battle")
    return ("any", "effect") if f.seat == unit.seat else ("any", "effect", "opponentsEffect")


def replacements(s: Arena, f: Frame, unit: CardInPlay, ko: bool) -> list[tuple[CardInPlay, int]]:
    """The effects that could take the place of a K.O. (or another way off the field), of the owner's cards on the field."""
    found = []
    by = threat(f, unit)
    for source in s.units(unit.seat):
        card = s.table.cards[source.design]
        for number in card.on("replace"):
            ability = card.abilities[number]
            watch = ability.watch
            if watch is None or (watch.event == "ko" and not ko) or watch.by not in by:
                continue
            if any(frame.source == source.serial and frame.ability == number for frame in s.frames):
                continue  # it is being resolved: it does not stand in for what it does itself, nor for what follows from that
            if (watch.itself and source is not unit) or (watch.other and source is unit):
                continue
            if watch.which is not None and not watch.which.fits(s, unit):
                continue
            if ability.condition is not None and not ability.condition.test(s, unit.seat, source, ability.condition.args):
                continue
            can_be_asked = askable if ability.optional else payable
            if can_activate(s, unit.seat, source, ability, number) and can_be_asked(s, unit.seat, source, ability):
                found.append((source, number))
    return found


def offer(s: Arena, f: Frame, unit: CardInPlay, ko: bool) -> bool | None:
    """Whether what happens to `unit` is replaced; None while the owner has to decide, or the replacement is resolved.

    ``f.count`` counts the replacements that were declined, ``f.names["replaced"]`` holds the cards that were saved.
    """
    if unit.serial in f.names.get("replaced", ()):
        return True
    found = replacements(s, f, unit, ko)
    if f.count < len(found):
        source, number = found[f.count]
        if s.table.cards[source.design].abilities[number].optional:
            f.names["saving"] = (unit.serial,)
            f.names["saving ko"] = (int(ko),)
            s.waiting, s.asked = Wait.CONFIRM, unit.seat
        else:
            accept(s, f, unit, ko)
        return None
    f.count = 0
    return False


def can_accept(s: Arena, f: Frame) -> bool:
    """Whether the owner can pay for the replacement at hand."""
    (serial,), (ko,) = f.names["saving"], f.names["saving ko"]
    unit = s.find(serial)
    assert unit is not None
    source, number = replacements(s, f, unit, bool(ko))[f.count]
    return payable(s, unit.seat, source, s.table.cards[source.design].abilities[number])


def answer(s: Arena, f: Frame, yes: bool) -> None:
    """The owner has decided about the replacement at hand."""
    (serial,), (ko,) = f.names.pop("saving"), f.names.pop("saving ko")
    unit = s.find(serial)
    if yes and unit is not None:
        accept(s, f, unit, bool(ko))
    else:
        f.count += 1


def accept(s: Arena, f: Frame, unit: CardInPlay, ko: bool) -> None:
    """The present replacement takes place: its effect is resolved before `f` goes on."""
    source, number = replacements(s, f, unit, ko)[f.count]
    if s.table.cards[source.design].abilities[number].once:
        source.used |= 1 << number
        source.hashed = 0
    f.count = 0
    f.names["replaced"] = (*f.names.get("replaced", ()), unit.serial)
    s.frames.append(Frame(unit.seat, source.design, number, source.serial, unit.serial))
