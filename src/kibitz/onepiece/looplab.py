"""The loop lab with real cards: for each row of the table of loops a position, the cards that make it, and how it is played.

>>> row = CARD_LAB["mandatory"]
>>> row.title, row.expected
('two mandatory triggers feeding each other', 'draw')
>>> state = row.state()
>>> state.apply(Action.from_text(row.opening).code(state.table))
>>> before = state.key()
>>> for _ in range(2):
...     state.apply(follow(state))
>>> state.key() == before
True

With one card changed the verdict is another. `kibitz.loops.lab` plays the rows out under a guard.

>>> row.change, row.flipped_to
('Cracked Waking Bell instead of Waking Bell', 'player 1 declares')
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.loops.drive import Choose
from kibitz.loops.protocol import PlainGame, WatchedGame
from kibitz.onepiece.core.actions import ACTIVATE, END_TURN, PICK, PLAY, Action
from kibitz.onepiece.core.arena import Phase, Wait
from kibitz.onepiece.core.cards import Card, table_of
from kibitz.onepiece.core.decks import Deck
from kibitz.onepiece.core.effects.power import power
from kibitz.onepiece.core.engine import OnePieceState
from kibitz.onepiece.core.schema import builtin_text, read_cards
from kibitz.onepiece.core.triggers import waiting_effects
from kibitz.onepiece.core.turn import advance
from kibitz.onepiece.core.words import action_words, card_of, unit_of

#: Verdicts, as `kibitz.loops.guard.LoopResult` words them. Progress: somebody wins or runs out; bounded: a supply ends it;
#: suspected: public sizes repeat but cards do not; no loop: nothing repeats at all.
DRAW, FIRST, SECOND, BOTH = "draw", "player 1 declares", "player 2 declares", "the smaller of two declared numbers"
PROGRESS, BOUNDED, SUSPECTED, NO_LOOP = "progress", "bounded", "suspected only", "no loop"
DUMMY = "LL-002"
ATTACK = "attack C2 L"


@dataclass(frozen=True)
class Row:
    """A row of the table: the cards of both players, the first action, the verdict, and the card whose change turns it.

    It is a `kibitz.loops.lab.LabRow`, played with cards.
    """

    title: str
    expected: str
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    opening: str
    old: str
    new: str
    flipped_to: str
    hand: tuple[str, ...] = ()

    @property
    def change(self) -> str:
        """The card that is changed."""
        cards = lab_cards()
        return f"{cards[self.new].name} instead of {cards[self.old].name}"

    def state(self, flipped: bool = False) -> OnePieceState:
        """Turn 3, player 1 in the Main Phase, with the cards of the table or with one of them changed."""
        mine, theirs = self.mine, self.theirs
        if flipped:
            mine, theirs = (tuple(self.new if c == self.old else c for c in cards) for cards in (mine, theirs))
        return laid_out(mine, theirs, self.hand)

    def start(self, flipped: bool = False) -> PlainGame:
        """The same for a guard."""
        return PlainGame(self.state(flipped))

    def choose(self, flipped: bool = False) -> Choose:
        """The opening, and then whatever keeps the loop going."""
        opening = iter([Action.from_text(self.opening)])

        def chosen(position: WatchedGame, allowed: list[int]) -> int:
            state, action = _state(position), next(opening, None)
            return follow(state) if action is None else action.code(state.table)

        return chosen

    def go_on(self) -> Choose:
        """End the turn, and take the first of all other choices."""
        return lambda position, allowed: END_TURN if END_TURN in allowed else allowed[0]

    def describe(self, position: WatchedGame, action: int) -> str:
        """An action with the names of its cards."""
        return at_position(position, action)

    def texts(self, flipped: bool = False) -> list[str]:
        """The Characters on the field (and the card to be played) with their texts."""
        state, cards = self.state(flipped), lab_cards()
        shown = [("player 1, in hand", cards[name]) for name in self.hand]
        shown += [(f"player {seat + 1}", state.card(unit)) for seat in range(2) for unit in state.characters(seat)]
        return [f"{who}: {card.name}: {card.text or 'no effect.'}" for who, card in shown]


#: The rows by name: the same names as in `kibitz.loops.lab`.
CARD_LAB = {
    "mandatory": Row("two mandatory triggers feeding each other", DRAW,
        ("LL-101", DUMMY), ("LL-103",), ATTACK, "LL-101", "LL-102", FIRST),
    "activate": Row("[Activate: Main] without cost or once-per-turn whose effect undoes itself", FIRST,
        ("LL-105",), (), "activate C1 1", "LL-105", "LL-106", NO_LOOP),
    "both": Row("A gives, B removes, both optional", BOTH,
        ("LL-102", DUMMY), ("LL-104",), ATTACK, "LL-104", "LL-103", FIRST),
    "other": Row('only the non-turn player has a "may"', SECOND,
        ("LL-101", DUMMY), ("LL-104",), ATTACK, "LL-104", "LL-103", DRAW),
    "choices": Row("choices that all lead back", DRAW,
        ("LL-107", DUMMY), ("LL-103",), ATTACK, "LL-107", "LL-108", FIRST),
    "permanent": Row("permanent effects toggling each other", DRAW,
        (), ("LL-110",), "play LL-109", "LL-110", "LL-111", NO_LOOP, hand=("LL-109",)),
    "once": Row("once-per-turn reset by leaving and returning", FIRST,
        ("LL-112",), (), "activate C1 1", "LL-112", "LL-113", NO_LOOP),
    "growth": Row("damage <-> counter growth", PROGRESS,
        ("LL-114", DUMMY), ("LL-103",), ATTACK, "LL-114", "LL-101", DRAW),
    "drain": Row("mutual drain", PROGRESS,
        ("LL-116", DUMMY), ("LL-103",), ATTACK, "LL-116", "LL-117", DRAW),
    "harmless": Row("mutual drain where neither can lose", DRAW,
        ("LL-117", DUMMY), ("LL-103",), ATTACK, "LL-117", "LL-116", PROGRESS),
    "supply": Row("a ring paid by a finite supply", BOUNDED,
        ("LL-118",), (), "activate C1 1", "LL-118", "LL-105", FIRST),
    "hidden": Row("public sizes repeat while hidden cards change", SUSPECTED,
        ("LL-119",), (), "activate C1 1", "LL-119", "LL-120", FIRST),
}  # fmt: skip


def follow(s: OnePieceState) -> int:
    """The action that keeps a loop going: resolve what waits, activate again, put back the card that the row needs."""
    actions = s.actions()
    if s.waiting == Wait.MAIN:
        again = [a for a in actions if ACTIVATE <= a < PLAY]
        return again[0] if again else actions[0]
    if s.waiting == Wait.CHOOSE and actions[-1] >= PICK:
        # At the bottom goes the card held longest: the hand changes; on top the one just drawn: it does not.
        goes_on_top = s.table.cards[s.frames[-1].design].id == "LL-120"
        return PICK + s.hand[s.asked][-1 if goes_on_top else 0]
    return actions[0]


def lab_cards() -> dict[str, Card]:
    """The cards of the loop lab, by id."""
    return read_cards(builtin_text("loop_lab.json"), "loop_lab.json")


def lab_deck(special: Sequence[str], cards: dict[str, Card]) -> Deck:
    """A deck of 50 with these cards; the rest is filled with cards without effects."""
    copies = {cards[name]: special.count(name) for name in special}
    for name in sorted(cards):
        if "LL-010" <= name < "LL-100":
            left = 50 - sum(copies.values())
            if left > 0:
                copies[cards[name]] = min(4, left)
    return Deck("loop lab", cards["LL-001"], copies)


def laid_out(mine: Sequence[str], theirs: Sequence[str], hand: Sequence[str] = (), don: int = 4) -> OnePieceState:
    """Turn 3, player 1 in the Main Phase, with these Characters on the field and these cards in player 1's hand."""
    cards = lab_cards()
    decks = lab_deck((*mine, *hand), cards), lab_deck(theirs, cards)
    s = OnePieceState(table_of(*decks))
    s.turn, s.phase = 3, Phase.MAIN
    for seat, names in enumerate((mine, theirs)):
        for slot, name in enumerate(names, start=1):
            _take(s, seat, name)
            s.put(seat, slot, s.table.number[name], rested=False, fresh=False)
        held = hand if seat == 0 else ()
        for name in (*held, *[f"LL-{number:03}" for number in range(10, 15 - len(held))]):
            _take(s, seat, name)
            s.add_hand(seat, s.table.number[name])
        _lay_out(s, seat)
        s.don_deck[seat] = 10 - don
    s.active[0], s.rested[1] = don, don
    advance(s)
    return s


def _lay_out(s: OnePieceState, seat: int) -> None:
    """Deck and Life, determined though nobody has seen them: no chance disturbs the laps."""
    kinds, pool = s.table.kinds[seat], s.pool[seat]
    cards = [d for copy in range(4) for d, n in zip(kinds, pool, strict=True) if copy < n]
    for design in cards:
        _take(s, seat, s.table.cards[design].id)
    s.life[seat] = [design << 2 for design in cards[:4]]
    s.top[seat] = [design << 2 for design in cards[4:]]


def _take(s: OnePieceState, seat: int, name: str) -> None:
    """Take a card out of the undetermined ones."""
    s.add_pool(seat, s.table.number[name], -1)
    s.unknown[seat] -= 1


def _state(position: WatchedGame) -> OnePieceState:
    if not isinstance(position, PlainGame) or not isinstance(position.state, OnePieceState):
        raise TypeError("this is not a position of One Piece")
    return position.state


def at_position(position: WatchedGame, code: int) -> str:
    """An action in a position of a game of One Piece, with the names of the cards instead of numbers and places."""
    s = _state(position)
    action = Action.from_code(code, s.table)
    kind = action.kind
    if kind in ("resolve", "decline"):
        _, (_, design, *_) = waiting_effects(s)[(action.number or 1) - 1]
        return f"{kind} {s.table.cards[design].name}"
    if kind == "settle":
        powers = [f"{s.card(unit).name} {power(s, unit)}" for seat in range(2) for unit in s.characters(seat)]
        return f"permanent effects: {', '.join(powers)}"
    if kind == "option" or (kind == "no" and s.waiting == Wait.LIFE_TRIGGER):
        return action_words(s, action)
    if action.card is not None:
        return f"{kind} {card_of(s, action).name}"
    unit = unit_of(s, action, s.asked) if action.place is not None else None
    if unit is not None:
        doing = {"attack": "attack with", "give": "give 1 DON!! to", "return_given": "return 1 DON!! of"}.get(kind, kind)
        return f"{doing} {s.card(unit).name}"
    return action.to_text().replace("_", " ")
