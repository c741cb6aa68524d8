"""Cards move: draw, discard, K.O., rest, return, play, order, shuffle, mill."""

from collections import Counter
from typing import NamedTuple

from kibitz.onepiece.core.arena import BOTH, LEADER_SLOT, NOBODY, UNKNOWN, Arena, Frame, Wait
from kibitz.onepiece.core.cards import EVENT, NO_BATTLE_KO, NO_EFFECT_KO
from kibitz.onepiece.core.effects.base import (
    HAND, HELD, TOP, TRASH, WHO, Amount, Program, Ref, compound, looked_at, primitive, read_amount, read_name, refs_named,
    seat_of, take_ref, units_named,
)  # fmt: skip
from kibitz.onepiece.core.effects.conditions import read_filter
from kibitz.onepiece.core.effects.power import bans
from kibitz.onepiece.core.effects.select import Select, select
from kibitz.onepiece.core.moves import check_deck, enter, free_slot, knock_out, know_deck, leave, place, take_top, turn
from kibitz.onepiece.core.reading import FieldReader
from kibitz.onepiece.core.triggers import emit, offer, payable


@primitive("draw", read=read_amount(high=20))
def draw(s: Arena, f: Frame, a: Amount) -> bool:
    """Draw cards."""
    seat = seat_of(f, a.who)
    while f.count < a.n:
        if not know_deck(s, seat, 0, 1 << seat):
            return False
        entry = take_top(s, seat)
        place(s, seat, entry >> 2, "hand", entry & BOTH)  # who knew it on the deck knows it there
        if s.waiting == Wait.OVER:
            return True
        f.count += 1
    f.count = 0
    f.did = True
    if f.ability >= 0:
        emit(s, "drew", seat, design=s.leader(seat).design)
    return True


@primitive("mill", read=read_amount(high=20))
def mill(s: Arena, f: Frame, a: Amount) -> bool:
    """Trash cards from the top of a deck."""
    seat = seat_of(f, a.who)
    while f.count < a.n:
        if not know_deck(s, seat, 0, BOTH):
            return False
        design = take_top(s, seat) >> 2
        s.add_trash(seat, design)
        if s.waiting == Wait.OVER:
            return True
        f.count += 1
        emit(s, "milled", seat, design=design)
    f.count = 0
    f.did = True
    return True


class Removal(NamedTuple):
    """Cards that go somewhere; `ko` is a K.O., `hidden` cards are not shown to everybody."""

    name: str
    to: str
    ko: bool = False
    hidden: bool = False


#: Where each primitive that removes cards puts them.
GOALS = {"ko": "trash", "trash": "trash", "returnToHand": "hand", "toHand": "hand", "returnToDeck": "deck", "addToLife": "life"}


def read_removal(r: FieldReader, program: Program, name: str) -> Removal:
    """``{"returnToDeck": "x", "at": "top", "hidden": true}``."""
    cards, to = read_name(r, program, name), GOALS[name]
    goal = r.one_of("at", ("top", "bottom"), "bottom") if to == "deck" else to
    return Removal(cards, goal, name == "ko", r.flag("hidden"))


@primitive(*GOALS, read=read_removal)
def remove(s: Arena, f: Frame, a: Removal) -> bool:
    """Cards on the field, or selected elsewhere, go somewhere else; effects may take the place of leaving the field."""
    if "replaced" not in f.names:
        f.names["replaced"] = ()
        f.did = False
    for unit in units_named(s, f, a.name):
        if unit.slot == LEADER_SLOT or (a.ko and bans(s, unit) & NO_EFFECT_KO):
            continue  # a Leader never leaves its place
        answer = offer(s, f, unit, a.ko)
        if answer is None:
            return False
        if not answer:
            f.did = True
            if a.ko:
                knock_out(s, unit)
            else:
                leave(s, unit, a.to)
            if unit.serial == f.source and a.to in ("hand", "trash"):
                f.names["gone"] = (Ref(HAND if a.to == "hand" else TRASH, unit.seat, unit.design),)
    f.names.pop("replaced", None)
    for ref in refs_named(f, a.name):
        if take_ref(s, ref, secretly=a.hidden):
            f.did = True
            put_ref(s, ref, a.to, a.hidden)
            if s.waiting == Wait.OVER:
                return True
    return True


def put_ref(s: Arena, ref: Ref, to: str, hidden: bool) -> None:
    """Put a card that was taken from a zone into another."""
    owner = 1 << ref.seat
    mask = BOTH
    if hidden:  # who picked it unseen knows it, and so does the owner of a hand
        mask = owner if ref.known == BOTH else ref.known
        mask |= owner if to == "hand" else 0
    place(s, ref.seat, ref.design, to, mask)
    if ref.zone == TOP:
        check_deck(s, ref.seat)
    if ref.zone == HAND and to == "trash":
        emit(s, "discarded", ref.seat, design=ref.design)


@compound("discard")
def read_discard(r: FieldReader, program: Program, name: str) -> None:
    """``{"discard": 1, "who": "opponent"}``: the owner of the hand chooses."""
    n = r.number("discard", 1, 10)
    who = r.one_of("who", WHO, "you")
    program.add(select, Select("discarded", "hand", who, who, read_filter(r), n, n))
    program.add(remove, Removal("discarded", "trash"))


@primitive("rest", "setActive", read=lambda r, program, name: (read_name(r, program, name), name == "rest"))
def turn_cards(s: Arena, f: Frame, a: tuple[str, bool]) -> bool:
    """Rest cards, or set them active."""
    name, rested = a
    f.did = sum(turn(s, unit, rested) for unit in units_named(s, f, name)) > 0
    return True


@primitive("play", read=lambda r, program, name: (read_name(r, program, name), r.flag("rested")))
def play(s: Arena, f: Frame, a: tuple[str, bool]) -> bool:
    """Play selected cards without paying for them."""
    name, rested = a
    refs = refs_named(f, name)
    if f.count == 0:
        f.did = False
    while f.count < len(refs):
        ref = refs[f.count]
        if s.table.cards[ref.design].kind == EVENT:  # an Event is not played to the field
            f.count += 1
            continue
        if not make_room(s, ref.seat, ref.design):
            return False
        if take_ref(s, ref):
            enter(s, ref.seat, ref.design, rested)
            f.did = True
            if ref.zone == TOP:
                check_deck(s, ref.seat)
            if s.waiting == Wait.OVER:
                return True
        f.count += 1
    f.count = 0
    return True


@primitive("playSelf", read=lambda r, program, name: (r.flag(name), r.flag("rested")))
def play_self(s: Arena, f: Frame, a: tuple[bool, bool]) -> bool:
    """Play this very card from where it is: held ([Trigger]), in the trash ([On K.O.]), or where this effect has put it."""
    if s.table.cards[f.design].kind == EVENT:
        f.did = False
        return True
    if not make_room(s, f.seat, f.design):
        return False
    fallen = f.ability >= 0 and s.table.cards[f.design].abilities[f.ability].on == "ko"
    places = [Ref(TRASH if fallen else HELD, f.seat, f.design), *refs_named(f, "gone")]
    f.did = any(take_ref(s, place) for place in places)
    if f.did:
        f.source = enter(s, f.seat, f.design, a[1]).serial
    return True


def make_room(s: Arena, seat: int, design: int) -> bool:
    """Before a sixth Character comes, one is trashed: rule processing, not a K.O. False while its owner has to choose."""
    return free_slot(s, seat, design) >= 0 or s.ask(Wait.MAKE_ROOM, seat)


@primitive("orderRest", read=lambda r, program, name: r.one_of(name, ("top", "bottom", "trash")))
def order_rest(s: Arena, f: Frame, to: str) -> bool:
    """What is left of the cards that were looked at goes to the top or bottom in any order, or to the trash."""
    left = looked_at(s, f, f.seat)
    f.did = bool(left)
    if not left:
        return True
    named = [ref.design for ref in f.picked]
    rest_of = unordered(left, named)
    if to != "trash" and len(rest_of) > 1:  # also among equal ones, or everybody would learn that they are
        return s.ask(Wait.CHOOSE, f.seat)
    f.picked = ()
    _, seat, _ = f.names["top"]
    # The cards are named in the order in which they lie afterwards, from above; all are taken before any is put back.
    order = named + rest_of
    for design in order:
        take_ref(s, Ref(TOP, seat, design))
    for design in order[::-1] if to == "top" else order:
        place(s, seat, design, to, BOTH if to == "trash" else 1 << f.seat)
    check_deck(s, seat)
    return True


def unordered(left: list[int], named: list[int]) -> list[int]:
    """The cards that have no place in the order yet."""
    return list((Counter(left) - Counter(named)).elements())


@primitive("shuffle", read=lambda r, program, name: r.flag(name))
def shuffle(s: Arena, f: Frame, a: bool) -> bool:
    """Shuffle your deck."""
    s.shuffle(f.seat)
    return True


@primitive("reuse", read=lambda r, program, name: r.one_of(name, ("play", "main", "counter", "activate")))
def reuse(s: Arena, f: Frame, timing: str) -> bool:
    """Activate this card's effects of another timing once more; they wait their turn, but those of a [Trigger] do not."""
    card = s.table.cards[f.design]
    found = card.on(timing)
    if card.abilities[f.ability].on == "trigger":
        unit = s.find(f.source)
        found = tuple(number for number in found if payable(s, f.seat, unit, card.abilities[number]))
        s.frames += [Frame(f.seat, f.design, number, f.source) for number in reversed(found)]
    else:
        s.triggers += [(f.seat, f.design, number, f.source, NOBODY) for number in found]
    f.did = bool(found)
    return True


def enter_held(s: Arena, f: Frame, a: object) -> bool:
    """A Character or Stage that was paid for comes to the field."""
    if not make_room(s, f.seat, f.held):
        return False
    design, f.held = f.held, UNKNOWN
    enter(s, f.seat, design)
    return True


def battle_ko(s: Arena, f: Frame, a: object) -> bool:
    """A Character that lost a battle is K.O.'d."""
    unit = s.find(f.source)
    if unit is not None and not bans(s, unit) & NO_BATTLE_KO:
        replaced = offer(s, f, unit, ko=True)
        if replaced is None:
            return False
        if not replaced:
            knock_out(s, unit)
    return True


def held_cards(s: Arena, seat: int) -> list[int]:
    """The cards of a seat that are in no zone."""
    return [frame.held for frame in s.frames if frame.held != UNKNOWN and frame.seat == seat]
