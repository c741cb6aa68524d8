"""What a card is: the printed numbers, keywords, and its effects as small programs.

A `Card` is one design; a deck holds up to four copies of it. Cards come from JSON files (`kibitz.onepiece.core.schema`), whose
format is described in ``docs/onepiece_cards.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from kibitz.onepiece.core.effects.filters import Filter

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
    "play",
    "attack",
    "opponentAttack",
    "block",
    "ko",
    "activate",
    "main",
    "counter",
    "trigger",
    "turnStart",
    "turnEnd",
    "opponentTurnEnd",
    "when",
    "replace",
    "permanent",
)
#: What a `when` effect can wait for.
EVENTS = (
    "played",
    "ko",
    "left",
    "rested",
    "activated",
    "donGiven",
    "donReturned",
    "drew",
    "discarded",
    "milled",
    "lifeLost",
    "lifeGained",
    "event",
)


class Instruction(NamedTuple):
    """One step of an effect: the function that does it, and what it needs to know."""

    run: Callable[[Any, Any, Any], bool]
    args: Any


class Condition(NamedTuple):
    """A question about the game: the function that answers it, and what it needs to know.

    A `volatile` one depends on what permanent effects change (power, cost, keywords); see `kibitz.onepiece.core.permanent`.
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

    `askable` asks the same as far as everybody can see: who cannot pay with hidden cards is asked all the same.
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
    power: int = 0
    cost: int = 0
    keywords: int = 0
    bans: int = 0


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

    @property
    def is_vanilla(self) -> bool:
        """Whether the card has no effect and no keyword."""
        return not (self.abilities or self.permanents or self.keywords)

    def is_same(self, other: Card) -> bool:
        """Whether everything printed is the same, not only the id, by which cards are told apart."""
        return all(getattr(self, part.name) == getattr(other, part.name) for part in fields(self))

    def __repr__(self) -> str:
        return f"<{self.kind} {self.id} {self.name}>"

    def __hash__(self) -> int:
        return hash(self.id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and self.id == other.id
