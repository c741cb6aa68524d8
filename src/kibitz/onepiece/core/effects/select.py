"""Selecting cards, confirming, revealing: what asks a player to choose among cards."""

from typing import NamedTuple

from kibitz.onepiece.core.actions import DONE, PICK, TARGET
from kibitz.onepiece.core.arena import BOTH, SLOTS, STAGE_SLOT, UNKNOWN, Arena, Frame, Wait
from kibitz.onepiece.core.effects.base import (
    HAND, LIFE, TOP, TRASH, WHO, Ref, Program, depths_of, hide_top, looked_at, primitive, seat_of,
)  # fmt: skip
from kibitz.onepiece.core.effects.conditions import Filter, read_filter
from kibitz.onepiece.core.moves import know_deck, know_life
from kibitz.onepiece.core.reading import FieldReader

#: Where cards are selected from: slots of the field, or a zone.
SLOTS_OF = {
    "characters": range(1, STAGE_SLOT),
    "leaders": range(1),
    "field": range(STAGE_SLOT),
    "stages": range(STAGE_SLOT, SLOTS),
}
ZONES = {"hand": HAND, "trash": TRASH, "top": TOP, "life": LIFE}


class Select(NamedTuple):
    """What is selected: how many, from where, whose, by whom, and the name that the cards get."""

    name: str
    source: str
    whose: str
    by: str
    which: Filter
    low: int
    high: int
    other: bool = False
    hidden: bool = False

    @property
    def zone(self) -> int | None:
        """The zone off the field, if it is one."""
        return ZONES.get(self.source)


def read_select(r: FieldReader, program: Program, name: str = "select") -> Select:
    """``{"select": {"from": "characters", "of": "opponent", "cost": {"max": 3}, "max": 1}, "as": "x"}``."""
    part = r.object("select")
    source = part.one_of("from", (*SLOTS_OF, *ZONES), "characters")
    whose = part.one_of("of", (*WHO, "both"), "you")
    if source in ZONES and whose == "both":
        raise part.fail("of", f"{source}: expected you or opponent")
    if source in ("hand", "top") and whose == "opponent" and not part.has("by"):
        raise part.fail("by", f"who selects from the opponent's {source}? You cannot see it")
    high = part.number("max", 1, 10, 1)
    low = part.number("min", 0, high, 0)
    found = Select(
        name=r.text("as"),
        source=source,
        whose=whose,
        by=part.one_of("by", WHO, "you"),
        which=read_filter(part),
        low=low,
        high=high,
        other=part.flag("other"),
        hidden=part.flag("hidden"),
    )
    part.finish()
    program.names.add(found.name)
    return found


def candidates(s: Arena, f: Frame, a: Select) -> list[int]:
    """The actions that pick one more card, ascending."""
    if a.zone is None:
        seats = (0, 1) if a.whose == "both" else (seat_of(f, a.whose),)
        units = [unit for seat in seats for slot in SLOTS_OF[a.source] if (unit := s.field[seat][slot]) is not None]
        left = [u for u in units if u.serial not in f.picked and not (a.other and u.serial == f.source)]
        return [TARGET + u.seat * SLOTS + u.slot for u in left if a.which.fits(s, u)]
    cards = s.table.cards
    designs = _designs(s, f, a)
    picked = [ref.design for ref in f.picked]
    return [
        PICK + d for d in sorted(set(designs)) if d >= 0 and a.which.fits_card(cards[d]) and designs.count(d) > picked.count(d)
    ]


def _designs(s: Arena, f: Frame, a: Select) -> list[int]:
    """The cards off the field that the chooser knows, as designs; of the deck only those that the effect looked at."""
    zone, seat, chooser = a.zone, seat_of(f, a.whose), seat_of(f, a.by)
    if zone == HAND:
        return s.hand[seat] if chooser == seat else [d for d, n in s.shown[seat].items() for _ in range(n)]
    if zone == TRASH:
        return s.trash[seat]
    if zone == LIFE:
        return [e >> 2 for e in s.life[seat] if e != UNKNOWN and e >> chooser & 1]
    return looked_at(s, f, chooser) if f.names.get("top", (0, seat))[1] == seat else []


@primitive("select", read=read_select)
def select(s: Arena, f: Frame, a: Select) -> bool:
    """Choose between `low` and `high` cards, one after another."""
    if len(f.picked) < a.high:
        found = candidates(s, f, a)
        # A player with nothing to choose among hidden cards is asked all the same, or everybody would learn it.
        secret = a.zone in (HAND, TOP, LIFE) and len(f.picked) >= a.low and len(_designs(s, f, a)) > len(f.picked)
        if len(found) + len(f.picked) <= a.low and a.zone is None:
            for code in found:
                pick(s, f, a, code)
        elif found or secret:
            return s.ask(Wait.CHOOSE, seat_of(f, a.by))
    _done(f, a)
    return True


def _done(f: Frame, a: Select) -> None:
    f.names[a.name] = f.picked
    f.did = bool(f.picked)
    f.picked = ()


def options(s: Arena, f: Frame, a: Select) -> list[int]:
    """All legal actions while cards are selected, ascending."""
    found = candidates(s, f, a)
    return [DONE, *found] if len(f.picked) >= a.low or not found else found


def pick(s: Arena, f: Frame, a: Select, code: int) -> None:
    """One more card is chosen, or no more (`DONE`)."""
    if code == DONE:
        _done(f, a)
        f.pc += 1
    elif code >= PICK:
        assert a.zone is not None
        ref = Ref(a.zone, seat_of(f, a.whose), code - PICK, 1 << seat_of(f, a.by) if a.hidden else BOTH)
        f.picked = (*f.picked, ref)
        if not a.hidden:
            _show(s, ref, f.picked.count(ref))
        elif a.zone == TOP:
            hide_top(s, f)
    else:
        f.picked = (*f.picked, s.at(*divmod(code - TARGET, SLOTS)).serial)


def _show(s: Arena, ref: Ref, n: int) -> None:
    """Everybody has seen which card was picked: that makes `n` of its design that are known."""
    if ref.zone == HAND:
        shown = s.shown[ref.seat]
        shown[ref.design] = max(n, shown.get(ref.design, 0))
    elif ref.zone == LIFE:
        life = s.life[ref.seat]
        for i in [i for i in reversed(range(len(life))) if life[i] >> 2 == ref.design][:n]:
            life[i] |= BOTH
        s.ordered = 0
    elif ref.zone == TOP:
        for depth in depths_of(s, ref.seat, ref.design)[:n]:
            know_deck(s, ref.seat, depth, BOTH)


def read_look(r: FieldReader, program: Program, name: str) -> tuple[int, str, bool, bool]:
    """``{"lookTop": 5}``, ``{"reveal": 1, "of": "opponent"}``: how many, whose, to everybody, the top card of Life."""
    program.names.add("top")
    return r.number(name, 1, 10), r.one_of("of", WHO, "you"), name == "reveal", r.flag("life")


@primitive("lookTop", "reveal", read=read_look)
def look(s: Arena, f: Frame, a: tuple[int, str, bool, bool]) -> bool:
    """Look at (or reveal) cards from the top of a deck, or the top card of Life; they stay where they are."""
    most, whose, everybody, of_life = a
    seat = seat_of(f, whose)
    mask = BOTH if everybody else 1 << f.seat
    if of_life:
        f.did = bool(s.life[seat]) and know_life(s, seat, mask)
        return f.did or not s.life[seat]
    n = min(most, s.deck_size(seat))
    while f.count < n:
        if not know_deck(s, seat, f.count, mask):
            return False
        f.count += 1
    f.names["top"] = (n, seat, 0)
    f.did = n > 0
    f.count = 0
    return True
