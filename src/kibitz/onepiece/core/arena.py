"""The state of a game as data: zones, cards on the field, what is being resolved. The rules are elsewhere.

A card in a hidden zone or in the trash is its design, a small number. A card on the field is a `CardInPlay` (a *unit* for
short); when it leaves, only the design is left, and what comes back is a new card. The numbers of units (`serial`) are never
seen by players.

**What nobody has determined does not exist.** The order of a deck and the cards of Life are not stored but drawn by chance
when somebody gets to see them: ``pool`` counts the designs that can lie in the unknown places of deck and Life.
A deck is known cards at its top, so many unknown ones, known cards at its bottom.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Self

from kibitz.game import CHANCE, OVER
from kibitz.onepiece.core.cards import Card, CardTable, Permanent

#: A place in a hidden zone whose card is not known.
UNKNOWN = -1
MASK = 0xFFFFFFFFFFFFFFFF
#: Places on the field: the Leader, five Characters, the Stage.
LEADER_SLOT, STAGE_SLOT, SLOTS = 0, 6, 7
CHARACTER_SLOTS = range(1, 6)
NOBODY = -1
DON = 10
#: Who knows a card: bits of the seats.
BOTH = 3


class Phase(IntEnum):
    """What comes next when nothing is being resolved."""

    DEAL, MULLIGAN, START, REFRESH, DRAW, DON, MAIN, BLOCK, COUNTER, DAMAGE, BATTLE_END, END, OVER = range(13)


class Wait(IntEnum):
    """What the game waits for: the verb `kind`."""

    NOTHING, DRAWN, MULLIGAN, MAIN, BLOCK, COUNTER, LIFE_TRIGGER, RESOLVE = range(8)
    CHOOSE, CONFIRM, OPTION, RETURN_DON, MAKE_ROOM, SETTLE, OVER = range(8, 15)


class CardInPlay:
    """A card on the field.

    `mods` holds what effects changed: (what, value, until), see `kibitz.onepiece.core.effects.power`. `used` has a bit for each
    once-per-turn ability that was used, `on` one for each volatile permanent effect that is on.
    """

    __slots__ = ("design", "don", "fresh", "hashed", "mods", "on", "rested", "seat", "serial", "slot", "used")

    def __init__(self, serial: int, seat: int, slot: int, design: int, rested: bool = False, fresh: bool = False) -> None:
        self.serial = serial
        self.seat = seat
        self.slot = slot
        self.design = design
        self.rested = rested
        self.fresh = fresh
        self.don = 0
        self.used = 0
        self.on = 0
        self.mods: tuple[tuple[int, int, int], ...] = ()
        self.hashed = 0

    def copy(self) -> CardInPlay:
        """An independent copy."""
        new = CardInPlay.__new__(CardInPlay)
        new.serial, new.seat, new.slot, new.design = self.serial, self.seat, self.slot, self.design
        new.rested, new.fresh, new.don, new.used, new.on = self.rested, self.fresh, self.don, self.used, self.on
        new.mods, new.hashed = self.mods, self.hashed
        return new

    def facts(self) -> tuple[Any, ...]:
        """Everything true of it but where it lies and its number."""
        mods = tuple(sorted(self.mods)) if len(self.mods) > 1 else self.mods
        return (self.design, self.rested, self.fresh, self.don, self.used, self.on, mods)

    def hash(self) -> int:
        """A hash of the facts, computed again only after a change (whoever changes a unit sets `hashed` to 0)."""
        if not self.hashed:
            self.hashed = hash((self.seat, self.slot == STAGE_SLOT, self.facts())) or 1
        return self.hashed


class Frame:
    """An effect that is being resolved: whose, of which card, and how far it has got.

    `ability` is the number of an ability of `design`, or a negative number: one of the rules' own procedures. `names` holds
    what was selected, `picked` what is being selected, `count` the progress of the present instruction, `held` a card that
    is in no zone meanwhile (a Life card whose [Trigger] is resolved).
    """

    __slots__ = ("ability", "count", "design", "did", "held", "names", "pc", "picked", "seat", "source", "subject")

    def __init__(
        self, seat: int, design: int, ability: int, source: int = NOBODY, subject: Any = None, held: int = UNKNOWN
    ) -> None:
        self.seat = seat
        self.design = design
        self.ability = ability
        self.source = source
        self.subject = subject
        self.pc = 0
        self.count = 0
        self.did = False
        self.held = held
        self.names: dict[str, tuple[Any, ...]] = {}
        self.picked: tuple[Any, ...] = ()

    def copy(self) -> Frame:
        """An independent copy."""
        new = Frame(self.seat, self.design, self.ability, self.source, self.subject, self.held)
        new.pc, new.count, new.did, new.picked = self.pc, self.count, self.did, self.picked
        new.names = dict(self.names)
        return new


class Arena:
    """Everything true in a game. Lists are by seat; the last card of `top` and of `life` is the topmost.

    The first `older` of the waiting effects (`triggers`) come before the others; 0 if all of them are of one age.
    """

    __slots__ = (
        "_auras", "active", "asked", "attacker", "bottom", "don_deck", "drawing", "drawn", "ending", "field", "first", "frames",
        "hand", "life", "older", "ordered", "phase", "player", "pool", "rested", "serial", "shown", "table", "target", "top",
        "trash", "triggers", "turn", "unknown", "waiting", "winner", "zones",
    )  # fmt: skip

    def __init__(self, table: CardTable, first: int = 0) -> None:
        self.table = table
        self.first = first
        self.turn = 0
        self.player = first
        self.phase = Phase.DEAL
        self.waiting = Wait.NOTHING
        self.asked = NOBODY
        self.winner = NOBODY
        self.ending = ""
        self.hand: list[list[int]] = [[], []]
        self.shown: list[dict[int, int]] = [{}, {}]
        self.trash: list[list[int]] = [[], []]
        self.pool = [list(table.counts[0]), list(table.counts[1])]
        self.unknown = [sum(table.counts[0]), sum(table.counts[1])]
        self.top: list[list[int]] = [[], []]
        self.bottom: list[list[int]] = [[], []]
        self.life: list[list[int]] = [[], []]
        self.don_deck = [DON, DON]
        self.active = [0, 0]
        self.rested = [0, 0]
        self.serial = 2
        self.field: list[list[CardInPlay | None]] = [[None] * SLOTS, [None] * SLOTS]
        for seat in range(2):
            self.field[seat][LEADER_SLOT] = CardInPlay(seat, seat, LEADER_SLOT, table.leaders[seat])
        self.frames: list[Frame] = []
        self.triggers: list[tuple[int, int, int, int, Any]] = []
        self.older = 0
        self.drawing = (0, False, 0)
        self.attacker = self.target = NOBODY
        self.drawn = [0, 0]
        self.zones = table.full_pool
        self.ordered = 0
        self._auras: list[tuple[CardInPlay, Permanent]] | None = None

    def copy(self) -> Self:
        """An independent copy."""
        new = type(self).__new__(type(self))
        new.table, new.first, new.turn, new.player = self.table, self.first, self.turn, self.player
        new.phase, new.waiting, new.asked, new.winner = self.phase, self.waiting, self.asked, self.winner
        new.ending, new.serial, new.drawing = self.ending, self.serial, self.drawing
        new.attacker, new.target, new.zones, new.ordered = self.attacker, self.target, self.zones, self.ordered
        new.hand = [self.hand[0][:], self.hand[1][:]]
        new.shown = [dict(self.shown[0]), dict(self.shown[1])]
        new.trash = [self.trash[0][:], self.trash[1][:]]
        new.pool = [self.pool[0][:], self.pool[1][:]]
        new.unknown = self.unknown[:]
        new.top = [self.top[0][:], self.top[1][:]]
        new.bottom = [self.bottom[0][:], self.bottom[1][:]]
        new.life = [self.life[0][:], self.life[1][:]]
        new.don_deck, new.active, new.rested, new.drawn = self.don_deck[:], self.active[:], self.rested[:], self.drawn[:]
        new.field = [[u and u.copy() for u in self.field[0]], [u and u.copy() for u in self.field[1]]]
        new.frames = [frame.copy() for frame in self.frames]
        new.triggers, new.older = self.triggers[:], self.older
        new._auras = None
        return new

    def actor(self) -> int:
        """Whose move it is: a seat, `CHANCE` or `OVER`."""
        if self.waiting == Wait.DRAWN:
            return CHANCE
        return OVER if self.waiting == Wait.OVER else self.asked

    def ask(self, wait: Wait, seat: int) -> bool:
        """Wait for a decision; False, since nothing goes on before it."""
        self.waiting, self.asked = wait, seat
        return False

    # --- the field ------------------------------------------------------------------------------------------

    def card(self, unit: CardInPlay) -> Card:
        """What is printed on a unit."""
        return self.table.cards[unit.design]

    def leader(self, seat: int) -> CardInPlay:
        """The Leader of a seat, who never leaves."""
        return self.at(seat, LEADER_SLOT)

    def at(self, seat: int, slot: int) -> CardInPlay:
        """The card at a place where there is one."""
        unit = self.field[seat][slot]
        assert unit is not None
        return unit

    def units(self, seat: int) -> list[CardInPlay]:
        """The cards of a seat on the field."""
        return [u for u in self.field[seat] if u is not None]

    def characters(self, seat: int) -> list[CardInPlay]:
        """The Characters of a seat."""
        return [u for u in self.field[seat][1:STAGE_SLOT] if u is not None]

    def all_units(self) -> list[CardInPlay]:
        """All cards on the field."""
        return [u for row in self.field for u in row if u is not None]

    def find(self, serial: int) -> CardInPlay | None:
        """The unit with this number, if it is still on the field."""
        if serial >= 0:
            for row in self.field:
                for unit in row:
                    if unit is not None and unit.serial == serial:
                        return unit
        return None

    def auras(self) -> list[tuple[CardInPlay, Permanent]]:
        """All permanent effects on the field, on or not."""
        if self._auras is None:
            self._auras = [(u, p) for u in self.all_units() for p in self.table.cards[u.design].permanents]
        return self._auras

    def put(self, seat: int, slot: int, design: int, rested: bool, fresh: bool) -> CardInPlay:
        """A new card on the field."""
        unit = CardInPlay(self.serial, seat, slot, design, rested, fresh)
        self.serial += 1
        self.field[seat][slot] = unit
        self._auras = None
        return unit

    def lift(self, unit: CardInPlay) -> None:
        """Take a card off the field; its DON!! return to the cost area, rested."""
        self.field[unit.seat][unit.slot] = None
        self.rested[unit.seat] += unit.don
        self._auras = None

    # --- hand, trash, pool: `zones` is the running sum of their numbers, for the fingerprint -----------------------

    def add_hand(self, seat: int, design: int, shown: bool = False) -> None:
        """A card comes to a hand; `shown`: the opponent knows which."""
        self.hand[seat].append(design)
        self.zones = (self.zones + self.table.in_hand[seat][design]) & MASK
        if shown:
            self.shown[seat][design] = self.shown[seat].get(design, 0) + 1

    def drop_hand(self, seat: int, design: int, secretly: bool = False) -> None:
        """A card leaves a hand: openly, or so that the opponent does not see which."""
        self.hand[seat].remove(design)
        self.zones = (self.zones - self.table.in_hand[seat][design]) & MASK
        shown = self.shown[seat]
        if shown:
            for d in list(shown) if secretly else [design]:
                if shown.get(d, 0) > 1:
                    shown[d] -= 1
                else:
                    shown.pop(d, None)

    def add_trash(self, seat: int, design: int) -> None:
        """A card comes to the trash."""
        self.trash[seat].append(design)
        self.zones = (self.zones + self.table.in_trash[seat][design]) & MASK

    def drop_trash(self, seat: int, design: int) -> None:
        """A card leaves the trash."""
        self.trash[seat].remove(design)
        self.zones = (self.zones - self.table.in_trash[seat][design]) & MASK

    def add_pool(self, seat: int, design: int, n: int = 1) -> None:
        """A card becomes one of those that nobody has determined (or, with -1, is determined)."""
        self.pool[seat][self.table.index[seat][design]] += n
        self.zones = (self.zones + n * self.table.in_pool[seat][self.table.index[seat][design]]) & MASK

    # --- deck and Life: whoever changes them sets `ordered`, the hash of their order, to 0 ------------------------------

    def deck_size(self, seat: int) -> int:
        """How many cards the deck has."""
        return self.unknown[seat] + len(self.top[seat]) + len(self.bottom[seat])

    def deck_top(self, seat: int, depth: int = 0) -> int:
        """The card at this depth of the deck, with who knows it in its two lowest bits, or `UNKNOWN`."""
        top = self.top[seat]
        if depth < len(top):
            return top[-1 - depth]
        depth -= len(top) + self.unknown[seat]
        return UNKNOWN if depth < 0 else self.bottom[seat][depth]

    def deck_place(self, seat: int, depth: int) -> tuple[list[int], int]:
        """Where a card at this depth of the deck that is not `UNKNOWN` is: in which list, and at which index."""
        top = self.top[seat]
        if depth < len(top):
            return top, -1 - depth
        return self.bottom[seat], depth - len(top) - self.unknown[seat]

    def shuffle(self, seat: int) -> None:
        """Nobody knows any longer where a card of the deck lies."""
        for entry in (*self.top[seat], *self.bottom[seat]):
            if entry != UNKNOWN:
                self.add_pool(seat, entry >> 2)
        self.unknown[seat] = self.deck_size(seat)
        self.top[seat], self.bottom[seat] = [], []
        self.ordered = 0
        for frame in self.frames:
            if frame.names.get("top", (0, 1 - seat))[1] == seat:
                frame.names["top"] = (0, seat, 0)

    def shift_top(self, seat: int, depth: int, by: int) -> None:
        """A card left this depth of a deck (-1) or came on top of it (1): effects that look at cards there keep track.

        ``frame.names["top"]`` holds how many cards an effect looks at, whose deck it is, and how many lie above them.
        """
        for frame in self.frames:
            n, owner, above = frame.names.get("top", (0, seat, 0))
            if n and owner == seat:
                if by > 0 or depth < above:
                    above += by
                elif depth < above + n:
                    n -= 1
                frame.names["top"] = (n, seat, above)

    def finish(self, winner: int, ending: str) -> None:
        """The game is over; a card that was being resolved lies in the trash."""
        for frame in self.frames:
            if frame.held != UNKNOWN:
                self.add_trash(frame.seat, frame.held)
        self.winner = winner
        self.ending = ending
        self.phase = Phase.OVER
        self.waiting = Wait.OVER
        self.asked = NOBODY
        self.frames = []
        self.triggers, self.older = [], 0
        self.attacker = self.target = NOBODY
