"""Auto effects: which are activated by what, and in which order they are resolved.

An effect that is activated waits in ``s.triggers`` until nothing else is being resolved. The turn player's come first; of
several of one player, that player chooses which is next. What an effect activates in its turn waits until those are
resolved that were waiting with it (8-6-1): they are the first ``s.older`` in the list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz.onepiece.core.arena import NOBODY, Arena, CardInPlay, Frame
from kibitz.onepiece.core.codes import WAITING

if TYPE_CHECKING:
    from kibitz.onepiece.core.cards import Ability

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
    subject = cards[design] if unit is None and design >= 0 else None
    for row in s.field:
        for watcher in row:
            if watcher is None or event not in cards[watcher.design].watches:
                continue
            card = cards[watcher.design]
            for number in card.by_timing.get("when", ()):
                ability = card.abilities[number]
                watch = ability.watch
                if watch is None or watch.event != event or not can_activate(s, watcher.seat, watcher, ability, number):
                    continue
                if watch.whose != "any" and (watch.whose == "you") != (watcher.seat == seat):
                    continue
                if (watch.itself and watcher is not unit) or (watch.other and watcher is unit):
                    continue
                if watch.which is not None:
                    if unit is not None and not watch.which.fits(s, unit):
                        continue
                    if unit is None and (subject is None or not watch.which.fits_card(subject)):
                        continue
                serial = unit.serial if unit is not None else NOBODY
                s.triggers.append((watcher.seat, watcher.design, number, watcher.serial, serial))


def payable(s: Arena, seat: int, unit: CardInPlay | None, ability: Ability) -> bool:
    """Whether the whole cost of an effect can be paid."""
    return all(cost.test(s, seat, unit, cost.args) for cost in ability.payable)


def askable(s: Arena, seat: int, unit: CardInPlay | None, ability: Ability) -> bool:
    """Whether the owner of an optional effect is asked about it: as far as everybody sees, the cost could be paid."""
    return all(cost.test(s, seat, unit, cost.args) for cost in ability.askable)


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
    return (askable if ability.optional else payable)(s, seat, unit, ability)


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
    seat, design, number, source, subject = s.triggers.pop(which)
    s.older = s.older - 1 if s.older else len(s.triggers)
    if not accept:
        return
    ability = s.table.cards[design].abilities[number]
    unit = s.find(source)
    if ability.once and unit is not None:
        unit.used |= 1 << number
        unit.hashed = 0
    s.frames.append(Frame(seat, design, number, source, subject))
