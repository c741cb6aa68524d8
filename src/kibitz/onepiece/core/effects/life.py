"""Life: to the hand, to the trash, from the deck; damage."""

from __future__ import annotations

from typing import NamedTuple

from kibitz.onepiece.core.arena import BOTH, UNKNOWN, Arena, Frame, Wait
from kibitz.onepiece.core.effects.base import DAMAGE, TRASH_HELD, WHO, Read, Scope, primitive, seat_of
from kibitz.onepiece.core.moves import check_deck, know_deck, know_life, place, take_top
from kibitz.onepiece.core.reading import FieldReader
from kibitz.onepiece.core.triggers import emit, payable


class Life(NamedTuple):
    """So many cards, whose, and whether face-up."""

    n: int
    who: str = "you"
    face_up: bool = False


def _read(name: str) -> Read:
    def read(r: FieldReader, scope: Scope) -> Life:
        return Life(r.number(name, 1, 10), r.one_of("who", WHO, "you"), r.flag("faceUp"))

    return read


@primitive("lifeToHand", _read("lifeToHand"))
def to_hand(s: Arena, f: Frame, a: Life) -> bool:
    """Top cards of Life come to the hand; that is no damage."""
    return _take(s, f, a, "hand")


@primitive("lifeTrash", _read("lifeTrash"))
def to_trash(s: Arena, f: Frame, a: Life) -> bool:
    """Top cards of Life are trashed."""
    return _take(s, f, a, "trash")


def _take(s: Arena, f: Frame, a: Life, to: str) -> bool:
    seat = seat_of(f, a.who)
    while f.count < a.n and s.life[seat]:
        if not know_life(s, seat, BOTH if to == "trash" else 1 << seat):
            return False
        lose_top(s, seat, to)
        f.count += 1
    f.did = f.count > 0
    f.count = 0
    return True


def lose_top(s: Arena, seat: int, to: str) -> None:
    """The top card of Life, which is determined, goes somewhere."""
    entry = s.life[seat].pop()
    s.ordered = 0
    place(s, seat, entry >> 2, to, entry & BOTH)
    emit(s, "lifeLost", seat, design=entry >> 2)


@primitive("deckToLife", _read("deckToLife"))
def from_deck(s: Arena, f: Frame, a: Life) -> bool:
    """Top cards of the deck go to the top of Life, face-down (nobody sees them) or face-up."""
    seat = seat_of(f, a.who)
    while f.count < a.n:
        if a.face_up or s.top[seat] or not s.unknown[seat]:
            if not know_deck(s, seat, 0, BOTH if a.face_up else 0):
                return False
            entry = take_top(s, seat)
            place(s, seat, entry >> 2, "life", entry & BOTH)
        else:
            s.unknown[seat] -= 1
            s.life[seat].append(UNKNOWN)
            s.ordered = 0
            emit(s, "lifeGained", seat)
            check_deck(s, seat)
        if s.waiting == Wait.OVER:
            return True
        f.count += 1
    f.did = True
    f.count = 0
    return True


# --- damage -------------------------------------------------------------------------------------------------------


@primitive("damage", _read("damage"))
def damage(s: Arena, f: Frame, a: Life) -> bool:
    """Deal damage to a Leader by an effect."""
    push_damage(s, seat_of(f, a.who), a.n, banish=False)
    f.did = True
    return True


def push_damage(s: Arena, seat: int, n: int, banish: bool) -> None:
    """The Leader of `seat` takes damage: that is resolved before anything else."""
    frame = Frame(seat, s.leader(seat).design, DAMAGE)
    frame.names["damage"] = (n, int(banish))
    s.frames.append(frame)


def deal_damage(s: Arena, f: Frame, a: object) -> bool:
    """Damage, point by point: the top card of Life comes to the hand, or its [Trigger] is activated.

    Whether the Leader takes damage at 0 Life is asked once, when the damage is determined (7-1-4-1-1): who has no Life then has
    lost. Points are then dealt one at a time as long as there is Life, so a [Double Attack] on the last Life card takes it, and
    its second point finds nothing to take. A Life card that a [Trigger] adds in between is taken.
    """
    n, banish = f.names["damage"]
    if f.count == 0 and not s.life[f.seat]:
        s.finish(1 - f.seat, "damage")
        return True
    while f.count < n and s.life[f.seat]:
        if not know_life(s, f.seat, BOTH if banish else 1 << f.seat):
            return False
        if not banish:
            s.waiting, s.asked = Wait.LIFE_TRIGGER, f.seat
            return False
        lose_top(s, f.seat, "trash")
        f.count += 1
    f.count = 0
    return True


def life_trigger(s: Arena, f: Frame) -> int | None:
    """The [Trigger] of the Life card at hand, if it has one that can be paid for."""
    design = s.life[f.seat][-1] >> 2
    card = s.table.cards[design]
    for number in card.on("trigger"):
        if payable(s, f.seat, None, card.abilities[number]):
            return number
    return None


def answer_trigger(s: Arena, f: Frame, yes: bool) -> None:
    """The Life card at hand comes to the hand, or its [Trigger] is resolved at once and the card trashed."""
    number = life_trigger(s, f)
    f.count += 1
    if not yes or number is None:
        lose_top(s, f.seat, "hand")
        return
    design = s.life[f.seat].pop() >> 2
    s.ordered = 0
    emit(s, "lifeLost", f.seat, design=design)
    holder = Frame(f.seat, design, TRASH_HELD)
    holder.held = design
    s.frames += [holder, Frame(f.seat, design, number)]


def trash_held(s: Arena, f: Frame, a: object) -> bool:
    """A card that was resolved goes to the trash, unless its effect took it elsewhere."""
    if f.held != UNKNOWN:
        s.add_trash(f.seat, f.held)
        f.held = UNKNOWN
    return True
