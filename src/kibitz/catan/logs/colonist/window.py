"""A chat log that does not begin with the game, or has holes: what everybody can have held where it begins.

What a player pays, gives or loses later and did not get in the meantime, was held at the beginning. Besides that there may be
any cards, in a number that later counts and discards tell, or else up to as many as nobody has to discard:

>>> log = [Roll(0, 8, {1: Cards(ore=1)}), Build(0, "road"), Discard(1, Cards(ore=4))]
>>> opening(log, players=2)
[Correction(player=0, change=Cards(wood=1, brick=1)), UnknownCards(player=0, count=0, most=5), \
Correction(player=1, change=Cards(ore=3)), UnknownCards(player=1, count=4, most=5)]
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from kibitz.catan.core import events
from kibitz.catan.core.events import Build, Cards, Correction, Discard, Event, Roll, UnknownCards
from kibitz.catan.logs.island import CARD_COST, PIECE_COST

#: Cards that a player may hold without discarding: of what is not told at all, a hand has up to so many.
MOST_HELD = 7
#: Whoever is known to have held more may still have held so many besides.
SPARE = 2


@dataclass
class _Hand:
    """What is told of one player's cards: those that are known to be there, and how the size of the hand has changed."""

    known: list[int] = field(default_factory=lambda: [0] * len(Cards._fields))
    #: What must have been there at the beginning.
    needed: list[int] = field(default_factory=lambda: [0] * len(Cards._fields))
    #: Cards that came unseen: for each what its owner was known to hold.
    unseen: list[tuple[int, ...]] = field(default_factory=list)
    #: By how much the hand has grown; None after a loss that nobody told.
    grown: int | None = 0
    fewest: int = 0
    most: int | None = None
    #: Whether the hand was empty at the beginning, in the set-up.
    empty: bool = False

    def need(self, cards: Cards) -> None:
        """The hand holds these cards."""
        for kind, n in enumerate(cards):
            while self.known[kind] < n:
                self.known[kind] += 1
                self.needed[kind] += not self._came_unseen(kind)

    def _came_unseen(self, kind: int) -> bool:
        """Whether a card was likely stolen: from somebody who was known to hold one, or of whom nothing was known."""
        for at, held in enumerate(self.unseen):
            if held[kind] or not any(held):
                del self.unseen[at]
                return True
        return False

    def gain(self, cards: Cards, sign: int = 1) -> None:
        """Cards come, or go."""
        for kind, n in enumerate(cards):
            self.known[kind] += sign * n
        self.grow(sign * cards.size)

    def pay(self, cards: Cards) -> None:
        """Cards go, which must have been there."""
        self.need(cards)
        self.gain(cards, -1)

    def grow(self, by: int) -> None:
        self.grown = None if self.grown is None else self.grown + by

    def holds(self, fewest: int, most: int | None = None) -> None:
        """The size of the hand now."""
        if self.grown is not None:
            self.fewest = max(self.fewest, fewest - self.grown)
            if most is not None:
                self.most = min(most - self.grown, self.most if self.most is not None else most - self.grown)


def opening(log: Iterable[Event], players: int) -> list[Event]:
    """Everybody's hand before the first of some events, as far as they tell."""
    return [told for seat, hand in enumerate(_hands(log, players)) for told in _opening(seat, hand)]


def unexplained(log: Iterable[Event], players: int) -> int:
    """How many cards some events take from hands that did not get them: of a whole log, what contradicts it.

    >>> unexplained([Roll(0, 8, {1: Cards(wood=1)}), Build(1, "road")], players=2)
    1
    """
    return sum(sum(hand.needed) for hand in _hands(log, players))


def _hands(log: Iterable[Event], players: int) -> list[_Hand]:
    hands = [_Hand() for _ in range(players)]
    rolled = False
    for event in log:
        rolled = rolled or isinstance(event, Roll)
        if not rolled and _is_set_up(event):
            hands[getattr(event, "player", 0)].empty = True
        _follow(event, hands)
    return hands


def _is_set_up(event: Event) -> bool:
    return isinstance(event, events.StartingResources) or (
        isinstance(event, Build) and event.free and event.piece == "settlement"
    )


def _opening(seat: int, hand: _Hand) -> Iterator[Event]:
    if hand.empty:
        return
    needed = Cards(*hand.needed)
    if needed.size:
        yield Correction(seat, needed)
    fewest = max(0, hand.fewest - needed.size)
    least, most = (fewest + SPARE, MOST_HELD) if hand.most is None else (fewest, hand.most)
    most = max(least, most - needed.size)
    if most:
        yield UnknownCards(seat, fewest, most if most > fewest else None)


def _follow(event: Event, hands: Sequence[_Hand]) -> None:
    """What one event tells of the hands."""
    match event:
        case Roll(gains=gains):
            for seat, cards in gains.items():
                hands[seat].gain(cards)
        case events.StartingResources() | events.Gain() | events.YearOfPlenty():
            hands[event.player].gain(event.cards)
        case Build(free=False):
            hands[event.player].pay(PIECE_COST[event.piece])
        case events.BuyDevCard():
            hands[event.player].pay(CARD_COST)
        case events.BankTrade(player, give, receive):
            hands[player].pay(give)
            hands[player].gain(receive)
        case events.PlayerTrade(player, partner, give, receive):
            hands[player].pay(give)
            hands[partner].pay(receive)
            hands[player].gain(receive)
            hands[partner].gain(give)
        case events.Offer() | events.CounterOffer() | events.Accept():
            hands[event.player].need(event.give)
        case events.Steal(player, victim, resource):
            _rob(hands[player], hands[victim], resource)
        case Discard(player, cards, count):
            thrown = cards.size if cards is not None else count or 0
            hands[player].holds(2 * thrown, 2 * thrown + 1)
            if cards is not None:
                hands[player].pay(cards)
            else:
                hands[player].grow(-thrown)
        case events.HandCount(player, count):
            hands[player].holds(count, count)
        case events.HandSeen(player, cards):
            hands[player].need(cards)
            hands[player].holds(cards.size, cards.size)
        case events.Monopoly():
            _monopolise(event, hands)


def _rob(thief: _Hand, victim: _Hand, resource: str | None) -> None:
    if resource is not None:
        card = Cards.of({resource: 1})
        victim.pay(card)
        thief.gain(card)
        return
    victim.holds(1)
    victim.grow(-1)
    thief.grow(1)
    thief.unseen.append(tuple(victim.known))


def _monopolise(event: events.Monopoly, hands: Sequence[_Hand]) -> None:
    """What each victim gave, if it is told; else nobody knows how many cards the others have left."""
    kind = Cards._fields.index(event.resource)
    taken = 0
    for seat, hand in enumerate(hands):
        if seat == event.player:
            continue
        if event.losses is not None:
            hand.pay(Cards.of({event.resource: event.losses.get(seat, 0)}))
            taken += event.losses.get(seat, 0)
        else:
            hand.grown = None
            taken += hand.known[kind]
            hand.known[kind] = 0
    thief = hands[event.player]
    taken = taken if event.total is None else event.total
    thief.known[kind] += taken
    thief.grow(taken)
    if event.losses is None and event.total is None:
        thief.grown = None


def seen_by_all(event: Event) -> Iterator[Event]:
    """What of an event counts where nobody knows the hands any more: pieces, development cards, dice, turns and awards."""
    match event:
        case Roll(player, total):
            yield Roll(player, total)
        case Build(player, piece, _, corner, edge):
            yield Build(player, piece, True, corner, edge)
        case events.BuyDevCard():
            yield events.Gain(event.player, CARD_COST)
            yield event
        case events.PlayDevCard() | events.Award() | events.EndTurn() | events.Win() | events.MoveRobber():
            yield event
