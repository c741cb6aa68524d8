"""Auto effects: which are activated by what, in which order they are resolved; and replacement effects.

An effect that is activated waits in ``s.triggers`` until nothing else is being resolved. The turn player's come first; of
several of one player, that player chooses which is next. What an effect activates in its turn waits until those are
resolved that were waiting with it (8-6-1): they are the first ``s.older`` in the list.

A replacement is what happens instead of a card's K.O. or leaving the field. The owner of an optional one is asked; each may
replace an event once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz.onepiece.core.actions import WAITING
from kibitz.onepiece.core.arena import NOBODY, Arena, CardInPlay, Frame, Wait
from kibitz.onepiece.core.effects.base import BATTLE_KO

if TYPE_CHECKING:
    from kibitz.onepiece.core.cards import Ability, Watch

#: Events after which the card that they happened to is no longer on the field.
LEAVING = ("ko", "left")


def can_activate(s: Arena, seat: int, unit: CardInPlay | None, ability: Ability, number: int) -> bool:
    """Whether an effect is activated now, as far as its card and the turn say: [DON!! xN], [Your Turn], once per turn."""
    if ability.don and (unit is None or unit.don < ability.don):
        return False
    if ability.turn != "any" and (ability.turn == "yours") != (s.player == seat):
        return False
    return not (ability.once and unit is not None and unit.used >> number & 1)


def activate(s: Arena, unit: CardInPlay, timing: str) -> None:
    """The effects of a card on the field with this timing, such as [On Play]."""
    card = s.table.cards[unit.design]
    for number in card.by_timing.get(timing, ()):
        if can_activate(s, unit.seat, unit, card.abilities[number], number):
            s.triggers.append((unit.seat, unit.design, number, unit.serial, None))


def emit(s: Arena, event: str, seat: int, unit: CardInPlay | None = None, design: int = NOBODY) -> None:
    """Something happened to a card of `seat`: the effects that wait for it are activated."""
    if event not in s.table.watched:
        return
    cards = s.table.cards
    for watcher in s.all_units():
        card = cards[watcher.design]
        if event not in card.watches:
            continue
        for number in card.by_timing.get("when", ()):
            ability = card.abilities[number]
            watch = ability.watch
            if watch is None or watch.event != event or not can_activate(s, watcher.seat, watcher, ability, number):
                continue
            if watch.whose != "any" and (watch.whose == "you") != (watcher.seat == seat):
                continue
            if _concerns(s, watch, watcher, unit, design):
                serial = unit.serial if unit is not None else NOBODY
                s.triggers.append((watcher.seat, watcher.design, number, watcher.serial, serial))


def _concerns(s: Arena, watch: Watch, watcher: CardInPlay, unit: CardInPlay | None, design: int = NOBODY) -> bool:
    """Whether a card to which something happens, on the field or as a design, is one that an effect of `watcher` means."""
    if (watch.itself and watcher is not unit) or (watch.other and watcher is unit):
        return False
    if watch.which is None:
        return True
    if unit is not None:
        return watch.which.fits(s, unit)
    return design >= 0 and watch.which.fits_card(s.table.cards[design])


def payable(s: Arena, seat: int, unit: CardInPlay | None, ability: Ability) -> bool:
    """Whether the whole cost of an effect can be paid."""
    return all(cost.test(s, seat, unit, cost.args) for cost in ability.payable)


def offered(s: Arena, seat: int, unit: CardInPlay | None, ability: Ability) -> bool:
    """Whether an effect can come to be resolved: of an optional one, as far as everybody sees, the cost could be paid."""
    costs = ability.askable if ability.optional else ability.payable
    return all(cost.test(s, seat, unit, cost.args) for cost in costs)


def drop_dead(s: Arena) -> None:
    """Forget effects that can no longer be resolved: used up this turn, beyond their owner's means, their card gone."""
    kept = [[entry for entry in part if _is_alive(s, *entry)] for part in (s.triggers[: s.older], s.triggers[s.older :])]
    s.triggers, s.older = kept[0] + kept[1], len(kept[0])


def _is_alive(s: Arena, seat: int, design: int, number: int, source: int, subject: Any) -> bool:
    ability = s.table.cards[design].abilities[number]
    unit = s.find(source)
    if unit is None:
        # 8-1-3-1-3: a card that moved before its effect began has no effect; [On K.O.] is resolved from the trash.
        leaving = ability.on == "ko" or (ability.watch is not None and ability.watch.event in LEAVING and subject == source)
        if source != NOBODY and not leaving:
            return False
    elif ability.once and unit.used >> number & 1:
        return False
    return offered(s, seat, unit, ability)


def present(s: Arena) -> list[tuple[int, int, int, int, Any]]:
    """The waiting effects among which the next one is: not those that were activated later."""
    return s.triggers[: s.older] if s.older else s.triggers


def waiting_effects(s: Arena) -> list[tuple[int, tuple[int, int, int, int, Any]]]:
    """The effects of which the player who is asked resolves or declines one now, each with its place in ``s.triggers``."""
    return [(i, entry) for i, entry in enumerate(present(s)) if entry[0] == s.asked][:WAITING]


def next_seat(s: Arena) -> int:
    """Whose effects are resolved next: the turn player's, if there are any."""
    return s.player if any(entry[0] == s.player for entry in present(s)) else 1 - s.player


def resolve(s: Arena, which: int, accept: bool) -> None:
    """Begin (or, for an optional effect, decline) one of the waiting effects."""
    entry = s.triggers.pop(which)
    s.older = s.older - 1 if s.older else len(s.triggers)
    if accept:
        begin(s, *entry)


def begin(s: Arena, seat: int, design: int, number: int, source: int, subject: Any = None) -> None:
    """An effect is resolved next; if it is for once per turn, that was it."""
    unit = s.find(source)
    if unit is not None and s.table.cards[design].abilities[number].once:
        unit.used |= 1 << number
        unit.hashed = 0
    s.frames.append(Frame(seat, design, number, source, subject))


def replacements(s: Arena, f: Frame, unit: CardInPlay, ko: bool) -> list[tuple[CardInPlay, int]]:
    """The effects that could take the place of a K.O. (or another way off the field), of the owner's cards on the field."""
    found = []
    by = ["any", "battle" if f.ability == BATTLE_KO else "effect"] + ["opponentsEffect"] * (f.seat != unit.seat)
    for source in s.units(unit.seat):
        card = s.table.cards[source.design]
        for number in card.on("replace"):
            ability = card.abilities[number]
            watch = ability.watch
            if watch is None or (watch.event == "ko" and not ko) or watch.by not in by:
                continue
            if any(frame.source == source.serial and frame.ability == number for frame in s.frames):
                continue  # it is being resolved: it does not stand in for what it does itself, nor for what follows from that
            if not _concerns(s, watch, source, unit):
                continue
            if ability.condition is not None and not ability.condition.test(s, unit.seat, source, ability.condition.args):
                continue
            if can_activate(s, unit.seat, source, ability, number) and offered(s, unit.seat, source, ability):
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
            s.ask(Wait.CONFIRM, unit.seat)
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
    f.count = 0
    f.names["replaced"] = (*f.names.get("replaced", ()), unit.serial)
    begin(s, unit.seat, source.design, number, source.serial, unit.serial)
