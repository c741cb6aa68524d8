"""Life and DON!!: Life cards to the hand, to the trash, from the deck; damage; DON!! given, added, rested, returned."""

from kibitz.onepiece.core.actions import RETURN_ACTIVE, RETURN_GIVEN, RETURN_RESTED
from kibitz.onepiece.core.arena import BOTH, UNKNOWN, Arena, Frame, Wait
from kibitz.onepiece.core.effects.base import (
    DAMAGE, TRASH_HELD, WHO, Amount, primitive, read_amount, read_name, seat_of, units_named,
)  # fmt: skip
from kibitz.onepiece.core.moves import add_don, check_deck, give_don, know_deck, know_life, place, take_top
from kibitz.onepiece.core.triggers import emit, payable

#: Where Life cards go.
_GOALS = {"lifeToHand": "hand", "lifeTrash": "trash"}


@primitive(*_GOALS, read=lambda r, program, name: (r.number(name, 1, 10), r.one_of("who", WHO, "you"), _GOALS[name]))
def lose_life(s: Arena, f: Frame, a: tuple[int, str, str]) -> bool:
    """Top cards of Life come to the hand, which is not damage, or are trashed."""
    n, who, to = a
    seat = seat_of(f, who)
    while f.count < n and s.life[seat]:
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


@primitive("deckToLife", read=read_amount("faceUp"))
def from_deck(s: Arena, f: Frame, a: Amount) -> bool:
    """Top cards of the deck go to the top of Life, face-down (nobody sees them) or face-up."""
    n, who, face_up = a
    seat = seat_of(f, who)
    while f.count < n:
        if face_up or s.top[seat] or not s.unknown[seat]:
            if not know_deck(s, seat, 0, BOTH if face_up else 0):
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


@primitive("damage", read=read_amount())
def damage(s: Arena, f: Frame, a: Amount) -> bool:
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

    Whether the Leader takes damage at 0 Life is asked once, when the damage is determined (7-1-4-1-1): a player with no Life
    then has lost. Points are then dealt one at a time as long as there is Life, so a [Double Attack] on the last Life card
    takes it, and its second point finds nothing to take. A Life card that a [Trigger] adds in between is taken.
    """
    n, banish = f.names["damage"]
    if f.count == 0 and not s.life[f.seat]:
        s.finish(1 - f.seat, "damage")
        return True
    while f.count < n and s.life[f.seat]:
        if not know_life(s, f.seat, BOTH if banish else 1 << f.seat):
            return False
        if not banish:
            return s.ask(Wait.LIFE_TRIGGER, f.seat)
        lose_top(s, f.seat, "trash")
        f.count += 1
    f.count = 0
    return True


def life_trigger(s: Arena, f: Frame) -> int | None:
    """The [Trigger] of the Life card at hand, if it has one that can be paid for."""
    card = s.table.cards[s.life[f.seat][-1] >> 2]
    return next((number for number in card.on("trigger") if payable(s, f.seat, None, card.abilities[number])), None)


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
    s.frames += [Frame(f.seat, design, TRASH_HELD, held=design), Frame(f.seat, design, number)]


def trash_held(s: Arena, f: Frame, a: object) -> bool:
    """A card that was resolved goes to the trash, unless its effect took it elsewhere."""
    if f.held != UNKNOWN:
        s.add_trash(f.seat, f.held)
        f.held = UNKNOWN
    return True


@primitive("giveDon", read=lambda r, program, name: (r.number(name, 1, 10), r.flag("rested"), read_name(r, program, "to")))
def give(s: Arena, f: Frame, a: tuple[int, bool, str]) -> bool:
    """Give DON!! of the cost area (active ones, or rested ones) to cards."""
    n, rested, name = a
    f.did = sum(give_don(s, unit, n, rested) for unit in units_named(s, f, name)) > 0
    return True


@primitive("addDon", read=read_amount("rested"))
def add(s: Arena, f: Frame, a: Amount) -> bool:
    """Add DON!! from the DON!! deck to the cost area."""
    f.did = add_don(s, seat_of(f, a.who), a.n, rested=a.flag) > 0
    return True


@primitive("orientDon", read=read_amount("rested"))
def orient(s: Arena, f: Frame, a: Amount) -> bool:
    """Set DON!! of the cost area active, or rest them."""
    seat = seat_of(f, a.who)
    source, goal = (s.active, s.rested) if a.flag else (s.rested, s.active)
    n = min(a.n, source[seat])
    source[seat] -= n
    goal[seat] += n
    f.did = n > 0
    return True


@primitive("returnDon", read=read_amount("rested"))
def give_back(s: Arena, f: Frame, a: Amount) -> bool:
    """Return DON!! to the DON!! deck; their owner chooses which: active, rested, given to a card."""
    seat = seat_of(f, a.who)
    while f.count < a.n and (found := sources(s, seat)):
        if len(found) > 1:
            return s.ask(Wait.RETURN_DON, seat)
        give_one_back(s, seat, found[0])
        f.count += 1
    f.did = f.count > 0
    f.count = 0
    return True


def sources(s: Arena, seat: int) -> list[int]:
    """Where a DON!! can be returned from, as actions, ascending."""
    found = [RETURN_RESTED] * (s.rested[seat] > 0) + [RETURN_ACTIVE] * (s.active[seat] > 0)
    return found + [RETURN_GIVEN + u.slot for u in s.units(seat) if u.don]


def give_one_back(s: Arena, seat: int, code: int) -> None:
    """Return the DON!! that an action names: one given to a card, else one of the cost area."""
    if code >= RETURN_GIVEN:
        unit = s.at(seat, code - RETURN_GIVEN)
        unit.don -= 1
        unit.hashed = 0
    else:
        (s.rested if code == RETURN_RESTED else s.active)[seat] -= 1
    s.don_deck[seat] += 1
    emit(s, "donReturned", seat, design=s.leader(seat).design)
