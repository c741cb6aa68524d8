"""The cards of one match: every design that can turn up gets a number, and each zone a random number for it.

The numbers are what actions and states use; the names are for people. Two matches with the same decks have the same table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from kibitz.ground.rng import derive_seed
from kibitz.onepiece.core.cards import Card
from kibitz.onepiece.core.reading import CardError

if TYPE_CHECKING:
    from kibitz.onepiece.core.decks import Deck


@dataclass(frozen=True, eq=False)
class CardTable:
    """The designs of two decks, ascending by id, and what is in each deck.

    ``kinds[seat]`` are the designs of a deck, ``counts[seat]`` their copies; ``index[seat]`` says where a design stands in
    them. ``in_hand[seat][design]`` and the like are the parts of the fingerprint. Raises `CardError` where one id means two
    different cards.
    """

    decks: tuple[Deck, Deck]

    def __post_init__(self) -> None:
        met: dict[str, Card] = {}
        for deck in self.decks:
            for card in (deck.leader, *deck.cards):
                if not met.setdefault(card.id, card).is_same(card):
                    raise CardError(f"{card.id}: the decks hold two different cards with this id")

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """All designs, ascending by id."""
        found = {card.id: card for deck in self.decks for card in (deck.leader, *deck.cards)}
        return tuple(found[name] for name in sorted(found))

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each card id."""
        return {card.id: i for i, card in enumerate(self.cards)}

    @cached_property
    def leaders(self) -> tuple[int, int]:
        """The design of each Leader."""
        a, b = (self.number[deck.leader.id] for deck in self.decks)
        return a, b

    @cached_property
    def kinds(self) -> tuple[tuple[int, ...], ...]:
        """The designs of each deck, ascending."""
        return tuple(tuple(sorted(self.number[card.id] for card in deck.cards)) for deck in self.decks)

    @cached_property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """How many copies of each."""
        return tuple(
            tuple(deck.cards[self.cards[d]] for d in kinds) for deck, kinds in zip(self.decks, self.kinds, strict=True)
        )

    @cached_property
    def index(self) -> tuple[dict[int, int], ...]:
        """Where a design stands among those of its deck."""
        return tuple({d: i for i, d in enumerate(kinds)} for kinds in self.kinds)

    @cached_property
    def watched(self) -> frozenset[str]:
        """The events that some card waits for."""
        return frozenset(event for card in self.cards for event in card.watches)

    @cached_property
    def in_hand(self) -> tuple[tuple[int, ...], ...]:
        """A random number for each design in each hand."""
        return self._numbers("hand")

    @cached_property
    def in_trash(self) -> tuple[tuple[int, ...], ...]:
        """A random number for each design in each trash."""
        return self._numbers("trash")

    @cached_property
    def in_pool(self) -> tuple[tuple[int, ...], ...]:
        """A random number for each design of each deck among the undetermined cards."""
        numbers = self._numbers("pool")
        return tuple(tuple(numbers[seat][d] for d in self.kinds[seat]) for seat in range(2))

    @cached_property
    def full_pool(self) -> int:
        """The sum of these numbers before the first card is dealt."""
        pairs = (zip(self.in_pool[seat], self.counts[seat], strict=True) for seat in range(2))
        return sum(number * n for pair in pairs for number, n in pair) & 0xFFFFFFFFFFFFFFFF

    def _numbers(self, zone: str) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(derive_seed(0, zone, seat, card.id) for card in self.cards) for seat in range(2))


@lru_cache(maxsize=64)
def table_of(first: Deck, second: Deck) -> CardTable:
    """The table of a match between two decks; the same object for the same decks."""
    return CardTable((first, second))
