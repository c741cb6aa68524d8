"""What a card is: the printed numbers, keywords, and its effects as small programs.

A `Card` is one design; a deck holds up to four copies of it. Cards come from JSON files (`kibitz.onepiece.core.schema`), whose
format is described in ``docs/onepiece_cards.md``.
In a match every design that can turn up has a number, which actions and states use; names are for people. Two matches with the
same decks have the same table of cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.ground.rng import derive_seed
from kibitz.onepiece.core.reading import CardError

if TYPE_CHECKING:
    from kibitz.onepiece.core.decks import Deck
    from kibitz.onepiece.core.effects.conditions import Filter

LEADER, CHARACTER, EVENT, STAGE = "leader", "character", "event", "stage"
KINDS = (LEADER, CHARACTER, EVENT, STAGE)
COLOURS = ("red", "green", "blue", "purple", "black", "yellow")

#: Keywords as bits: a card has some printed, others are granted.
KEYWORDS = {"rush": 1, "rushCharacter": 2, "doubleAttack": 4, "banish": 8, "unblockable": 16, "blocker": 32}
RUSH, RUSH_CHARACTER, DOUBLE_ATTACK, BANISH, UNBLOCKABLE, BLOCKER = KEYWORDS.values()

#: What an effect can forbid, as bits.
BANS = {"attack": 1, "block": 2, "refresh": 4, "koInBattle": 8, "koByEffect": 16, "attackLeader": 32}
NO_ATTACK, NO_BLOCK, NO_REFRESH, NO_BATTLE_KO, NO_EFFECT_KO, NO_ATTACK_ON_LEADER = BANS.values()

#: When an effect is activated; `when` waits for an event, `replace` stands in for one, `permanent` is always on.
TIMINGS = (
    "play", "attack", "opponentAttack", "block", "ko", "activate", "main", "counter", "trigger", "turnStart", "turnEnd",
    "opponentTurnEnd", "when", "replace", "permanent",
)  # fmt: skip
#: What a `when` effect can wait for.
EVENTS = (
    "played", "ko", "left", "rested", "activated", "donGiven", "donReturned", "drew", "discarded", "milled", "lifeLost",
    "lifeGained", "event",
)  # fmt: skip


class Instruction(NamedTuple):
    """One step of an effect: the function that does it, and what it needs to know."""

    run: Callable[[Any, Any, Any], bool]
    args: Any


class Condition(NamedTuple):
    """A question about the game: the function that answers it, and what it needs to know.

    A `volatile` one depends on what permanent effects change (power, cost, keywords); see `kibitz.onepiece.core.effects.power`.
    """

    test: Callable[[Any, int, Any, Any], bool]
    args: Any
    volatile: bool = False


class Watch(NamedTuple):
    """What a `when` or `replace` effect waits for: an event, whose card it concerns, and which."""

    event: str
    whose: str  # you, opponent, any
    which: Filter | None
    itself: bool  # only the card that has the effect
    other: bool  # any but the card that has the effect
    by: str = "any"  # for a replacement: battle, effect, opponentsEffect


@dataclass(frozen=True)
class Ability:
    """One effect of a card. `code` is its program; `payable` asks whether the costs can be paid, before anything is.

    `askable` asks the same as far as everybody can see: a player who cannot pay with hidden cards is asked all the same.
    """

    on: str
    code: tuple[Instruction, ...] = ()
    payable: tuple[Condition, ...] = ()
    askable: tuple[Condition, ...] = ()
    condition: Condition | None = None
    optional: bool = False
    once: bool = False
    don: int = 0
    turn: str = "any"
    watch: Watch | None = None
    text: str = ""


@dataclass(frozen=True)
class Permanent:
    """An effect that is always on while its card is on the field, `don` DON!! are given to it and the condition holds."""

    number: int
    condition: Condition | None = None
    don: int = 0
    whose: str = "self"  # self, you, opponent, both; hand: the cost of cards in your hand
    which: Filter | None = None
    other: bool = False
    changes: Mapping[int, int] = field(default_factory=dict)
    """What it changes, by the numbers of `kibitz.onepiece.core.effects.power`: power, cost, keywords, bans."""


@dataclass(frozen=True, eq=False)
class Card:
    """A card as it is printed. A Leader has `life`; only Characters have a `counter`."""

    id: str
    name: str
    kind: str
    colours: tuple[str, ...]
    cost: int = 0
    power: int = 0
    counter: int = 0
    life: int = 0
    types: tuple[str, ...] = ()
    attribute: str = ""
    keywords: int = 0
    abilities: tuple[Ability, ...] = ()
    permanents: tuple[Permanent, ...] = ()
    text: str = ""
    # The abilities by timing, so that nothing is searched while a game is played.
    by_timing: dict[str, tuple[int, ...]] = field(init=False, repr=False)
    watches: frozenset[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        timings: dict[str, tuple[int, ...]] = {}
        for i, ability in enumerate(self.abilities):
            timings[ability.on] = (*timings.get(ability.on, ()), i)
        object.__setattr__(self, "by_timing", timings)
        watches = {a.watch.event for a in self.abilities if a.watch is not None and a.on == "when"}
        object.__setattr__(self, "watches", frozenset(watches))

    def on(self, timing: str) -> tuple[int, ...]:
        """The numbers of the abilities with this timing."""
        return self.by_timing.get(timing, ())

    def is_same(self, other: Card) -> bool:
        """Whether everything printed is the same, not only the id, by which cards are told apart."""
        return all(getattr(self, part.name) == getattr(other, part.name) for part in fields(self))

    def __repr__(self) -> str:
        return f"<{self.kind} {self.id} {self.name}>"

    def __hash__(self) -> int:
        return hash(self.id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and self.id == other.id


class CardTable:
    """The designs of two decks, ascending by id, and what is in each deck: the numbers that actions and states use.

    ``kinds[seat]`` are the designs of a deck, ascending, ``counts[seat]`` their copies; ``index[seat]`` says where a design
    stands in them. ``in_hand[seat][design]`` and the like are random numbers, the parts of the fingerprint; `full_pool` is
    their sum before the first card is dealt. `watched` are the events that some card waits for. Raises `CardError` where one id
    means two different cards.
    """

    def __init__(self, first: Deck, second: Deck) -> None:
        self.decks = first, second
        met: dict[str, Card] = {}
        for card in (first.leader, *first.cards, second.leader, *second.cards):
            if not met.setdefault(card.id, card).is_same(card):
                raise CardError(f"{card.id}: the decks hold two different cards with this id")
        self.cards = tuple(met[id] for id in sorted(met))
        self.number = {card.id: i for i, card in enumerate(self.cards)}
        self.leaders = self.number[first.leader.id], self.number[second.leader.id]
        self.kinds = [tuple(sorted(self.number[card.id] for card in deck.cards)) for deck in self.decks]
        self.counts = [tuple(deck.cards[self.cards[d]] for d in self.kinds[seat]) for seat, deck in enumerate(self.decks)]
        self.index = [{d: i for i, d in enumerate(kinds)} for kinds in self.kinds]
        self.watched = frozenset(event for card in self.cards for event in card.watches)
        self.in_hand, self.in_trash, in_pool = (
            [tuple(derive_seed(0, zone, seat, card.id) for card in self.cards) for seat in range(2)]
            for zone in ("hand", "trash", "pool")
        )
        self.in_pool = [tuple(in_pool[seat][d] for d in self.kinds[seat]) for seat in range(2)]
        pairs = [zip(self.in_pool[seat], self.counts[seat], strict=True) for seat in range(2)]
        self.full_pool = sum(number * n for pair in pairs for number, n in pair) & 0xFFFFFFFFFFFFFFFF


@lru_cache(maxsize=64)
def table_of(first: Deck, second: Deck) -> CardTable:
    """The table of a match between two decks; the same object for the same decks."""
    return CardTable(first, second)
