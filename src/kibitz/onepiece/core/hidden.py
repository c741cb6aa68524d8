"""What each seat can see: perceptions of actions, views, worlds.

A card in hand is known to its owner, and to the opponent if it came there openly (`Arena.shown` counts these). A card in the
deck or in Life is known to those who looked at it. What nobody knows is not determined, and hides nothing.
"""

from dataclasses import dataclass, field
from typing import Any

from kibitz.ground import rng
from kibitz.ground.jit import plain
from kibitz.onepiece.core.actions import DRAWN, PICK, UNSEEN_DRAW, UNSEEN_PICK, YES
from kibitz.onepiece.core.arena import BOTH, MASK, UNKNOWN, Arena, Frame, Wait
from kibitz.onepiece.core.effects.base import HAND, LIFE, TOP, Ref, looked_at
from kibitz.onepiece.core.effects.movement import held_cards, order_rest
from kibitz.onepiece.core.effects.select import Select
from kibitz.onepiece.core.moves import determine, know_deck
from kibitz.onepiece.core.turn import instruction

below = plain(rng.below)


def seen(s: Arena, a: int, seat: int) -> int:
    """What a seat perceives of an action, before it is applied."""
    if a >= DRAWN:
        known = s.drawing[2]
        return a if known == BOTH or (seat >= 0 and known >> seat & 1) else UNSEEN_DRAW
    if s.waiting == Wait.CHOOSE and a >= PICK and seat != s.asked:
        step = instruction(s)
        if step.run is order_rest or (isinstance(step.args, Select) and step.args.hidden):
            return UNSEEN_PICK
    return a


def news(s: Arena, a: int, seat: int) -> int:
    """Using a [Trigger] shows the Life card that has it: 1 + its design."""
    return 1 + (s.life[s.asked][-1] >> 2) if s.waiting == Wait.LIFE_TRIGGER and a == YES else 0


@dataclass
class OnePieceWorld:
    """The hidden things of a state: hands, and the known cards of decks and Life."""

    hand: list[list[int]] = field(default_factory=lambda: [[], []])
    top: list[list[int]] = field(default_factory=lambda: [[], []])
    bottom: list[list[int]] = field(default_factory=lambda: [[], []])
    life: list[list[int]] = field(default_factory=lambda: [[], []])
    unknown: list[int] = field(default_factory=lambda: [0, 0])
    picked: list[tuple[Any, ...]] = field(default_factory=list)

    def exact(self) -> tuple[Any, ...]:
        """All of it, hashable and sortable; the order of hands is left out."""
        hands = (tuple(sorted(hand)) for hand in self.hand)
        zones = (tuple(zone) for both in (self.top, self.bottom, self.life) for zone in both)
        picked = tuple(repr((refs, sorted(names.items()))) for refs, names in self.picked)
        return (*hands, *zones, *self.unknown, picked)


def hide(s: Arena, seat: int) -> None:
    """Blank everything that `seat` (-1: a spectator) cannot know."""
    for owner in range(2):
        if owner != seat:
            known = [d for d, n in sorted(s.shown[owner].items()) for _ in range(n)]
            s.hand[owner] = known + [UNKNOWN] * (len(s.hand[owner]) - len(known))
        bit = BOTH if seat < 0 else 1 << seat
        for zone in (s.top, s.bottom, s.life):
            zone[owner] = [e if e != UNKNOWN and e & bit == bit else UNKNOWN for e in zone[owner]]
        for entries in (s.top[owner], s.bottom[owner]):
            while entries and entries[0] == UNKNOWN:
                del entries[0]
                s.unknown[owner] += 1
    for frame in s.frames:
        frame.picked = tuple(_veiled(ref, seat) for ref in frame.picked)
        for name, values in frame.names.items():
            if any(isinstance(value, Ref) for value in values):
                frame.names[name] = tuple(_veiled(value, seat) for value in values)
    count_pool(s)


def _veiled(value: Any, seat: int) -> Any:
    """A selected card, without what it is if `seat` does not know that."""
    if isinstance(value, Ref) and value.known != BOTH and (seat < 0 or not value.known >> seat & 1):
        return value._replace(design=UNKNOWN)
    return value


def count_pool(s: Arena) -> None:
    """What is not placed anywhere fills the unknown places."""
    table, total = s.table, 0
    for seat in range(2):
        pool, index = list(table.counts[seat]), table.index[seat]
        placed = [*s.hand[seat], *s.trash[seat], *held_cards(s, seat), *(u.design for u in s.units(seat) if u.slot)]
        placed += [e >> 2 for e in (*s.top[seat], *s.bottom[seat], *s.life[seat])]
        for design in placed:
            if design >= 0:
                pool[index[design]] -= 1
        s.pool[seat] = pool
        total += sum(table.in_hand[seat][d] for d in s.hand[seat] if d >= 0)
        total += sum(table.in_trash[seat][d] for d in s.trash[seat])
        total += sum(z * n for z, n in zip(table.in_pool[seat], pool, strict=True))
    s.zones = total & MASK
    s.ordered = 0


def peek(s: Arena, w: OnePieceWorld) -> None:
    """Write the hidden things of a state into a world."""
    for name in ("hand", "top", "bottom", "life"):
        setattr(w, name, [zone[:] for zone in getattr(s, name)])
    w.unknown = s.unknown[:]
    w.picked = [(frame.picked, dict(frame.names)) for frame in s.frames]


def deal(s: Arena, w: OnePieceWorld) -> None:
    """Write a world into a state."""
    for name in ("hand", "top", "bottom", "life"):
        setattr(s, name, [zone[:] for zone in getattr(w, name)])
    s.unknown = w.unknown[:]
    for frame, (picked, names) in zip(s.frames, w.picked, strict=True):
        frame.picked, frame.names = picked, dict(names)
    count_pool(s)


def redeal(s: Arena, x: Any, seat: int) -> None:
    """Deal a random world that agrees with what `seat` sees: the other hand anew from all cards that it cannot place.

    Cards that only the opponent knows in deck or Life become undetermined: chance draws them like any other.
    """
    hide(s, seat)
    for owner in range(2):
        hand = s.hand[owner]
        for i, design in enumerate(hand):
            if design == UNKNOWN:
                hand[i] = _drawn(s, owner, x)
                s.zones = (s.zones + s.table.in_hand[owner][hand[i]]) & MASK
    for frame in s.frames:
        _redeal_frame(s, frame, x)
    if s.waiting == Wait.LIFE_TRIGGER and s.life[s.asked][-1] == UNKNOWN:
        s.life[s.asked][-1] = _drawn(s, s.asked, x) << 2 | 1 << s.asked
        s.ordered = 0


def _redeal_frame(s: Arena, f: Frame, x: Any) -> None:
    """What an effect at hand has looked at and selected, anew."""
    n, seat, above = f.names.get("top", (0, f.seat, 0))
    saved = s.waiting, s.drawing, s.drawn[seat]
    for depth in range(above + n):
        if not know_deck(s, seat, depth, 1 << f.seat):
            determine(s, _drawn(s, seat, x, take=False))
            know_deck(s, seat, depth, 1 << f.seat)
    s.waiting, s.drawing, s.drawn[seat] = saved
    named = [value for values in (f.picked, *f.names.values()) for value in values if isinstance(value, Ref)]
    left: dict[tuple[int, int], list[int]] = {(HAND, owner): s.hand[owner][:] for owner in range(2)}
    left[TOP, seat] = looked_at(s, f, f.seat)
    for ref in named:
        if ref.design in left.get((ref.zone, ref.seat), ()):
            left[ref.zone, ref.seat].remove(ref.design)

    def anew(value: Any) -> Any:
        if not isinstance(value, Ref) or value.design != UNKNOWN:
            return value
        if value.zone == LIFE:
            return value._replace(design=_life_anew(s, value, x))
        cards = left.get((value.zone, value.seat))
        return value._replace(design=cards.pop(below(x, len(cards)))) if cards else value

    f.picked = tuple(map(anew, f.picked))
    f.names = {name: tuple(map(anew, values)) for name, values in f.names.items()}


def _life_anew(s: Arena, ref: Ref, x: Any) -> int:
    """Another Life card for one that was selected, at any place where it can lie."""
    life = s.life[ref.seat]
    places = [i for i, entry in enumerate(life) if entry == UNKNOWN]
    if not places:
        return UNKNOWN
    design = _drawn(s, ref.seat, x)
    life[places[below(x, len(places))]] = design << 2 | ref.known
    s.ordered = 0
    return design


def _drawn(s: Arena, owner: int, x: Any, take: bool = True) -> int:
    """One of the undetermined cards; with `take` it is determined now."""
    pool = s.pool[owner]
    at = below(x, sum(pool))
    place = 0
    while at >= pool[place]:
        at -= pool[place]
        place += 1
    design = s.table.kinds[owner][place]
    if take:
        s.add_pool(owner, design, -1)
    return design
