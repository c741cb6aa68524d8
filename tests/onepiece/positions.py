"""Positions for tests: cards made on the spot, put where a test wants them, and actions by their texts.

table = Position(mine=[card("A", power=6000)], theirs=[PLAIN], hand=[event("E", main=[{"draw": 1}])])
table.do("attack C1 L", "pass")
"""

from collections.abc import Iterator
from typing import Any

from kibitz.game import CHANCE, OVER
from kibitz.onepiece.core.actions import PLACES, Action
from kibitz.onepiece.core.arena import UNKNOWN, CardInPlay, Phase
from kibitz.onepiece.core.cards import Card, table_of
from kibitz.onepiece.core.decks import Deck
from kibitz.onepiece.core.effects.power import power
from kibitz.onepiece.core.engine import OnePieceState, draw, scratch
from kibitz.onepiece.core.schema import read_card
from kibitz.onepiece.core.turn import advance
from kibitz.onepiece.looplab import CARD_LAB, follow

PLAIN = read_card(
    {"id": "plain", "name": "Plain", "kind": "character", "colours": ["red"], "cost": 3, "power": 5000, "counter": 1000},
    "test",
)
FILLERS = [
    read_card(
        {"id": f"z{i:02}", "name": f"Filler {i}", "kind": "character", "colours": ["red"], "cost": 9, "power": 1000}, "test"
    )
    for i in range(13)
]


def card(name: str, *abilities: dict[str, Any], **fields: Any) -> Card:
    """A red Character for 3 with 5000 power, unless said otherwise."""
    value = {
        "id": name, "name": name, "kind": "character", "colours": ["red"], "cost": 3, "power": 5000,
        "abilities": list(abilities), **fields,
    }  # fmt: skip
    return read_card(value, "test")


def event(name: str, cost: int = 1, price: list[dict[str, Any]] | None = None, **timings: list[dict[str, Any]]) -> Card:
    """An Event with steps for main, counter or trigger; `price` is what the effect costs."""
    abilities = [{"on": timing, "cost": price or [], "do": steps} for timing, steps in timings.items()]
    return read_card(
        {"id": name, "name": name, "kind": "event", "colours": ["red"], "cost": cost, "abilities": abilities}, "test"
    )


def stage(name: str, *abilities: dict[str, Any], cost: int = 1) -> Card:
    """A Stage."""
    value = {"id": name, "name": name, "kind": "stage", "colours": ["red"], "cost": cost, "abilities": list(abilities)}
    return read_card(value, "test")


def leader(name: str = "leader", *abilities: dict[str, Any], life: int = 5, **fields: Any) -> Card:
    """A red Leader with 5000 power."""
    value = {
        "id": name, "name": name, "kind": "leader", "colours": ["red"], "power": 5000, "life": life,
        "abilities": list(abilities), **fields,
    }  # fmt: skip
    return read_card(value, "test")


def deck(chief: Card, cards: list[Card]) -> Deck:
    """A deck with these cards and fillers up to 50."""
    copies: dict[Card, int] = {}
    for one in cards:
        copies[one] = copies.get(one, 0) + 1
    for filler in FILLERS:
        left = 50 - sum(copies.values())
        if left:
            copies[filler] = copies.get(filler, 0) + min(4, left)
    return Deck("test", chief, copies)


class Position:
    """A game in the Main Phase of player 1's second turn (turn 3), with everything where the test wants it."""

    def __init__(
        self,
        mine: list[Card] | None = None,
        theirs: list[Card] | None = None,
        hand: list[Card] | None = None,
        their_hand: list[Card] | None = None,
        leaders: tuple[Card, Card] | None = None,
        don: int = 5,
        their_don: int = 5,
        life: list[Card | None] | None = None,
        their_life: list[Card | None] | None = None,
        top: list[Card] | None = None,
        trash: list[Card] | None = None,
        turn: int = 3,
        deck_size: int | None = None,
    ) -> None:
        sides = [
            (mine or [], hand or [], life or [None] * 4, top or [], trash or []),
            (theirs or [], their_hand or [], their_life or [None] * 4, [], []),
        ]
        chiefs = leaders or (leader("L1"), leader("L2"))
        decks = [
            deck(chief, [c for part in side for c in part if c is not None]) for chief, side in zip(chiefs, sides, strict=True)
        ]
        self.s = s = OnePieceState(table_of(*decks))
        s.turn, s.phase = turn, Phase.MAIN
        for seat, (field, held, lives, known, trashed) in enumerate(sides):
            number = s.table.number
            slot = 1
            for one in field:
                self._take(seat, one)
                s.put(seat, 6 if one.kind == "stage" else slot, number[one.id], rested=False, fresh=False)
                slot += one.kind != "stage"
            for one in held:
                self._take(seat, one)
                s.add_hand(seat, number[one.id])
            for one in trashed:
                self._take(seat, one)
                s.add_trash(seat, number[one.id])
            for one in known:  # the first lies on top
                self._take(seat, one)
                s.top[seat].insert(0, number[one.id] << 2)
            for life_card in lives:  # the last lies on top
                s.unknown[seat] -= 1
                if life_card is None:
                    s.life[seat].append(UNKNOWN)
                else:
                    s.add_pool(seat, number[life_card.id], -1)
                    s.life[seat].append(number[life_card.id] << 2)
        s.active[0], s.active[1] = don, their_don
        s.don_deck = [10 - don, 10 - their_don]
        if deck_size is not None:
            self.shrink(0, deck_size)
            self.shrink(1, deck_size)
        advance(s)

    def _take(self, seat: int, one: Card) -> None:
        self.s.add_pool(seat, self.s.table.number[one.id], -1)
        self.s.unknown[seat] -= 1

    def shrink(self, seat: int, size: int) -> None:
        """Trash unknown cards until the deck has this size."""
        s = self.s
        for place, design in enumerate(s.table.kinds[seat]):
            while s.pool[seat][place] and s.deck_size(seat) > size:
                s.add_pool(seat, design, -1)
                s.unknown[seat] -= 1
                s.add_trash(seat, design)

    # --- acting ---------------------------------------------------------------------------------------------------

    def do(self, *texts: str, chance: bool = True) -> "Position":
        """Do actions, each of which must be legal; chance is drawn in between."""
        for text in texts:
            if chance:
                self.draw()
            code = Action.from_text(text).code(self.s.table)
            assert self.s.why_not(code) == 0, (text, self.legal())
            self.s.apply(code)
        if chance:
            self.draw()
        return self

    def draw(self) -> None:
        """Let chance decide until a player is to move."""
        while self.s.actor() == CHANCE:
            self.s.apply(draw(self.s, scratch(1)))

    def legal(self) -> list[str]:
        """The legal actions as texts."""
        return [Action.from_code(a, self.s.table).to_text() for a in self.s.actions()]

    def why_not(self, text: str) -> str:
        """The name of the rule that forbids an action; an empty text if none does."""
        from kibitz.onepiece.core import reasons

        found = self.s.why_not(Action.from_text(text).code(self.s.table))
        return next((name for name, number in reasons.NUMBERS.items() if number == found), "")

    # --- looking --------------------------------------------------------------------------------------------------

    def at(self, place: str) -> CardInPlay:
        """The card at ``P1.C2``; it must be there."""
        unit = self.s.field[int(place[1]) - 1][PLACES.index(place[3:])]
        assert unit is not None, f"nothing at {place}"
        return unit

    def there(self, place: str) -> bool:
        """Whether there is a card at ``P1.C2``."""
        return self.s.field[int(place[1]) - 1][PLACES.index(place[3:])] is not None

    def power(self, place: str) -> int:
        """The power of the card at a place."""
        return power(self.s, self.at(place))

    def names(self, zone: str, seat: int = 0) -> list[str]:
        """The ids in a hand or trash, sorted."""
        return sorted(self.s.table.cards[d].id for d in getattr(self.s, zone)[seat])

    @property
    def waiting(self) -> str:
        """What the game waits for, and of whom: ``BLOCK 2``."""
        return f"{self.s.waiting.name} {self.s.actor() + 1}"

    def next_turn(self) -> "Position":
        """End this turn and get to the next Main Phase."""
        return self.do("end_turn")


def lab_steps(row: str, steps: int, changed: bool = False) -> Iterator[tuple[OnePieceState, int]]:
    """Each position of a row of the loop lab with the action that follows, as long as the loop goes on; it is played on."""
    state = CARD_LAB[row].state(changed)
    for i in range(steps):
        if state.actor() == OVER:
            return
        code = follow(state) if i else Action.from_text(CARD_LAB[row].opening).code(state.table)
        if state.why_not(code):
            return
        yield state, code
        state.apply(code)
