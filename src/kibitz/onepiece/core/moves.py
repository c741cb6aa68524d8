"""Cards and DON!! change places: what happens, and which effects that activates. Nothing here asks anybody."""

from kibitz.onepiece.core.arena import BOTH, CHARACTER_SLOTS, STAGE_SLOT, UNKNOWN, Arena, CardInPlay, Phase, Wait
from kibitz.onepiece.core.cards import STAGE
from kibitz.onepiece.core.triggers import activate, emit


def know_deck(s: Arena, seat: int, depth: int, mask: int) -> bool:
    """Make sure that the card at this depth of a deck is determined and known to `mask`; False if chance must decide first."""
    entry = s.deck_top(seat, depth)
    if entry == UNKNOWN:
        s.waiting = Wait.DRAWN
        s.drawing = (seat, False, mask)
        return False
    if entry & mask != mask:
        entries, i = s.deck_place(seat, depth)
        entries[i] = entry | mask
    return True


def know_life(s: Arena, seat: int, mask: int) -> bool:
    """The same for the top card of Life."""
    entry = s.life[seat][-1]
    if entry == UNKNOWN:
        s.waiting = Wait.DRAWN
        s.drawing = (seat, True, mask)
        return False
    s.life[seat][-1] = entry | mask
    s.ordered = 0
    return True


def determine(s: Arena, design: int) -> None:
    """Chance has decided which card lies in the place that was asked for."""
    seat, in_life, _ = s.drawing
    s.drawn[seat] += 1
    s.add_pool(seat, design, -1)
    s.waiting = Wait.NOTHING
    s.ordered = 0
    if in_life:
        s.life[seat][-1] = design << 2
        return
    top = s.top[seat]
    for depth in range(len(top)):
        if top[-1 - depth] == UNKNOWN:
            top[-1 - depth] = design << 2
            return
    if s.unknown[seat]:
        s.unknown[seat] -= 1
        top.insert(0, design << 2)
    else:
        bottom = s.bottom[seat]
        bottom[bottom.index(UNKNOWN)] = design << 2


def take_top(s: Arena, seat: int) -> int:
    """Take the top card, which is determined, from a deck, with who knows it in its two lowest bits.

    A player with no card left in the deck loses at once.
    """
    entry = s.top[seat].pop() if s.top[seat] else s.bottom[seat].pop(0)
    s.ordered = 0
    s.shift_top(seat, 0, -1)
    check_deck(s, seat)
    return entry


def check_deck(s: Arena, seat: int) -> None:
    """Rule processing: 0 cards in the deck."""
    if not (s.unknown[seat] or s.top[seat] or s.bottom[seat]) and s.phase != Phase.OVER:
        s.finish(1 - seat, "deck")


def free_slot(s: Arena, seat: int, design: int) -> int:
    """The place for a card that comes to the field: -1 if five Characters are there already."""
    if s.table.cards[design].kind == STAGE:
        return STAGE_SLOT
    for slot in CHARACTER_SLOTS:
        if s.field[seat][slot] is None:
            return slot
    return -1


def enter(s: Arena, seat: int, design: int, rested: bool = False) -> CardInPlay:
    """A card is played: it takes the lowest free place; a new Stage replaces the old one."""
    slot = free_slot(s, seat, design)
    old = s.field[seat][slot]
    if old is not None:
        leave(s, old, "trash")
    unit = s.put(seat, slot, design, rested, fresh=True)
    activate(s, unit, "play")
    emit(s, "played", seat, unit)
    return unit


def leave(s: Arena, unit: CardInPlay, to: str) -> None:
    """A card leaves the field for the hand, the trash, the top or the bottom of the deck, or Life; everybody knows it there."""
    emit(s, "left", unit.seat, unit)
    s.lift(unit)
    place(s, unit.seat, unit.design, to)


def place(s: Arena, seat: int, design: int, to: str, mask: int = BOTH) -> None:
    """Put a card that is in no zone into one; `mask` are those who know it there."""
    s.ordered = 0
    if to == "hand":
        s.add_hand(seat, design, shown=mask == BOTH)
    elif to == "trash":
        s.add_trash(seat, design)
    elif to == "top":
        s.top[seat].append(design << 2 | mask)
        s.shift_top(seat, 0, 1)
    elif to == "bottom":
        s.bottom[seat].append(design << 2 | mask)
    else:
        s.life[seat].append(design << 2 | mask)
        emit(s, "lifeGained", seat, design=design)


def knock_out(s: Arena, unit: CardInPlay) -> None:
    """A Character is K.O.'d: [On K.O.] is activated on the field and resolved from the trash."""
    activate(s, unit, "ko")
    emit(s, "ko", unit.seat, unit)
    leave(s, unit, "trash")


def turn(s: Arena, unit: CardInPlay, rested: bool) -> bool:
    """Rest a card, or set it active by an effect; False if it was so already."""
    if unit.rested == rested:
        return False
    unit.rested, unit.hashed = rested, 0
    emit(s, "rested" if rested else "activated", unit.seat, unit)
    return True


def give_don(s: Arena, unit: CardInPlay, n: int, rested: bool) -> int:
    """Give up to `n` DON!! from the cost area to a card; how many it got."""
    cost_area = s.rested if rested else s.active
    n = min(n, cost_area[unit.seat])
    if n:
        cost_area[unit.seat] -= n
        unit.don += n
        unit.hashed = 0
        emit(s, "donGiven", unit.seat, unit)
    return n


def add_don(s: Arena, seat: int, n: int, rested: bool) -> int:
    """Put up to `n` DON!! from the DON!! deck into the cost area; how many there were."""
    n = min(n, s.don_deck[seat])
    s.don_deck[seat] -= n
    (s.rested if rested else s.active)[seat] += n
    return n
