"""The slow reference of the hand tracker: every history that a log allows, one by one, in exact fractions.

Nothing is ever merged, pruned or rounded, and no code is shared with `kibitz.catan.belief`. A leaf is one way in which
everything hidden can have happened: which cards the hidden steals and discards took, or which development cards were
drawn. Both are independent given the log, so they are two lists.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb, lcm, prod
from typing import NamedTuple, TypeVar

from kibitz.catan.core.events import (
    Accept,
    Award,
    BankCount,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Correction,
    CounterOffer,
    Discard,
    EndTurn,
    Event,
    Gain,
    HandCount,
    HandSeen,
    Monopoly,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    StartingResources,
    Steal,
    YearOfPlenty,
)

RESOURCES = Cards._fields
SUPPLY = 19
COSTS = {
    "road": Cards(wood=1, brick=1),
    "settlement": Cards(wood=1, brick=1, sheep=1, wheat=1),
    "city": Cards(wheat=2, ore=3),
    "dev_card": Cards(sheep=1, wheat=1, ore=1),
}
DECK = {"knight": 14, "victory_point": 5, "road_building": 2, "year_of_plenty": 2, "monopoly": 2}

Hands = tuple[Cards, ...]
Odds = dict[int, Fraction]
Held = tuple[tuple[tuple[str, int], ...], ...]
Key = TypeVar("Key")


class Impossible(Exception):
    """The log cannot have happened."""


# --- resource cards -------------------------------------------------------------------------------------------


class Leaf(NamedTuple):
    """One history of the hidden steals and discards, and the hands that it leads to."""

    hands: Hands
    weight: Fraction
    #: The card of each hidden steal, and the cards of each hidden discard, in order.
    stolen: tuple[str, ...] = ()
    discarded: tuple[Cards, ...] = ()


def plus(hands: Hands, seat: int, cards: Iterable[int]) -> Hands:
    """The hands after cards are added (or, negative, taken). Raises `Impossible` where they are not held."""
    hand = Cards(*(held + n for held, n in zip(hands[seat], cards, strict=True)))
    if min(hand) < 0:
        raise Impossible
    return (*hands[:seat], hand, *hands[seat + 1 :])


def minus(hands: Hands, seat: int, cards: Iterable[int]) -> Hands:
    return plus(hands, seat, [-n for n in cards])


def from_bank(hands: Hands, gains: Mapping[int, Cards]) -> Hands:
    """The hands after cards come from the bank (or, negative, go there)."""
    for seat, cards in gains.items():
        hands = plus(hands, seat, cards)
    if min(bank_of(hands)) < 0:
        raise Impossible
    return hands


def bank_of(hands: Hands) -> Cards:
    return Cards(*(SUPPLY - sum(held) for held in zip(*hands, strict=True)))


def expect(condition: bool) -> None:
    if not condition:
        raise Impossible


def hands_after(hands: Hands, event: Event) -> Hands:
    """The hands after an event that hides nothing."""
    match event:
        case StartingResources() | Gain() | YearOfPlenty():
            return from_bank(hands, {event.player: event.cards})
        case Roll():
            return from_bank(hands, event.gains)
        case Build(free=False):
            return minus(hands, event.player, COSTS[event.piece])
        case BuyDevCard():
            return minus(hands, event.player, COSTS["dev_card"])
        case BankTrade():
            expect(covers(bank_of(hands), event.receive))
            return plus(minus(hands, event.player, event.give), event.player, event.receive)
        case PlayerTrade():
            hands = minus(minus(hands, event.player, event.give), event.partner, event.receive)
            return plus(plus(hands, event.player, event.receive), event.partner, event.give)
        case Discard(cards=Cards() as cards):
            return minus(hands, event.player, cards)
        case Offer() | CounterOffer() | Accept():
            minus(hands, event.player, event.give)
            return hands
        case Monopoly():
            return after_monopoly(hands, event)
        case HandCount():
            expect(hands[event.player].size == event.count)
            return hands
        case HandSeen():
            expect(hands[event.player] == event.cards)
            return hands
        case BankCount():
            expect(all(getattr(bank_of(hands), name) == n for name, n in event.counts.items()))
            return hands
        case Correction():
            return from_bank(hands, {event.player: event.change})
    return hands


def after_monopoly(hands: Hands, event: Monopoly) -> Hands:
    given = {seat: getattr(hand, event.resource) for seat, hand in enumerate(hands) if seat != event.player}
    if event.losses is not None:
        expect(all(n == event.losses.get(seat, 0) for seat, n in given.items()))
    elif event.total is not None:
        expect(sum(given.values()) == event.total)
    for seat, n in given.items():
        cards = Cards.of({event.resource: n})
        hands = plus(minus(hands, seat, cards), event.player, cards)
    return hands


def leaves_after(leaf: Leaf, event: Event) -> Iterator[Leaf]:
    """Every way in which an event can go on from one history, with the chance of the card or cards that it took."""
    match event:
        case Steal():
            hand = leaf.hands[event.victim]
            for name, held in hand.as_dict().items():
                if event.resource in (None, name):
                    card = Cards.of({name: 1})
                    hands = plus(minus(leaf.hands, event.victim, card), event.player, card)
                    stolen = (*leaf.stolen, name) if event.resource is None else leaf.stolen
                    yield Leaf(hands, leaf.weight * Fraction(held, hand.size), stolen, leaf.discarded)
        case Discard(cards=None, count=int() as count):
            hand = leaf.hands[event.player]
            for cards in multisets(hand, count):
                chance = Fraction(prod(map(comb, hand, cards)), comb(hand.size, count))
                hands = minus(leaf.hands, event.player, cards)
                yield Leaf(hands, leaf.weight * chance, leaf.stolen, (*leaf.discarded, cards))
        case _:
            try:
                yield leaf._replace(hands=hands_after(leaf.hands, event))
            except Impossible:
                return


def multisets(hand: Cards, count: int) -> Iterator[Cards]:
    """Everything that `count` cards out of a hand can be."""
    for cards in product(*(range(min(held, count) + 1) for held in hand)):
        if sum(cards) == count:
            yield Cards(*cards)


# --- development cards ----------------------------------------------------------------------------------------


class Deal(NamedTuple):
    """One order of the deck as far as it was drawn, and what each player still hides: (card, turn of the purchase)."""

    held: Held
    weight: Fraction
    drawn: tuple[str, ...] = ()

    def hidden(self, player: int, card: str) -> int:
        return sum(held == card for held, _ in self.held[player])


class Table(NamedTuple):
    """What everybody sees: the turn and the points on the board."""

    settlements: tuple[int, ...]
    cities: tuple[int, ...]
    shown: tuple[int, ...]
    awards: tuple[tuple[str, int | None], ...] = ()
    turn: int = 0

    def points(self, player: int) -> int:
        awards = sum(holder == player for _, holder in self.awards)
        return self.settlements[player] + 2 * self.cities[player] + self.shown[player] + 2 * awards

    def after(self, event: Event) -> "Table":
        match event:
            case Build(piece="settlement"):
                return self._replace(settlements=counted(self.settlements, event.player, 1))
            case Build(piece="city"):
                settlements = counted(self.settlements, event.player, -1)
                return self._replace(settlements=settlements, cities=counted(self.cities, event.player, 1))
            case PlayDevCard(card="victory_point"):
                return self._replace(shown=counted(self.shown, event.player, 1))
            case Award():
                awards = {**dict(self.awards), event.award: event.player}
                return self._replace(awards=tuple(awards.items()))
            case EndTurn():
                return self._replace(turn=self.turn + 1)
        return self


def counted(counts: tuple[int, ...], seat: int, change: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + change, *counts[seat + 1 :])


def plays_on(event: Event) -> int | None:
    """Who goes on with his own turn, and so has not won yet. Victory points are shown to win: that is no such event."""
    match event:
        case PlayDevCard(card="victory_point"):
            return None
        case Roll() | Build(free=False) | BuyDevCard() | PlayDevCard() | BankTrade() | EndTurn():
            return event.player
    return None


def deals_after(deal: Deal, event: Event, table: Table, victory_points: int) -> Iterator[Deal]:
    """Every way in which an event can go on from one deal; `table` is what everybody saw before it."""
    player = plays_on(event)
    if player is not None and table.points(player) + deal.hidden(player, "victory_point") >= victory_points:
        return
    match event:
        case BuyDevCard():
            for card, copies in DECK.items():
                left = copies - deal.drawn.count(card)
                if left > 0 and event.card in (None, card):
                    chance = Fraction(left, sum(DECK.values()) - len(deal.drawn))
                    hand = (*deal.held[event.player], (card, table.turn))
                    yield Deal(replaced(deal.held, event.player, hand), deal.weight * chance, (*deal.drawn, card))
        case PlayDevCard():
            hand = deal.held[event.player]
            for place, (card, turn) in enumerate(hand):
                if card == event.card and (turn < table.turn or card == "victory_point"):
                    yield deal._replace(held=replaced(deal.held, event.player, hand[:place] + hand[place + 1 :]))
                    return
        case _:
            yield deal


def replaced(held: Held, seat: int, hand: tuple[tuple[str, int], ...]) -> Held:
    return (*held[:seat], hand, *held[seat + 1 :])


# --- the whole ------------------------------------------------------------------------------------------------


class HiddenSteal(NamedTuple):
    """A steal whose card was not seen."""

    thief: int
    victim: int
    event: int


class Reference:
    """Every history that a log allows. All answers are exact fractions, conditional on the log.

    A steal that somebody resolves by hand only hides the leaves that say otherwise; they live on and can come back.
    """

    def __init__(self, players: int, victory_points: int = 10) -> None:
        self.players = players
        self.victory_points = victory_points
        self.everything = [Leaf((Cards(),) * players, Fraction(1))]
        self.deals = [Deal(((),) * players, Fraction(1))]
        self.table = Table((0,) * players, (0,) * players, (0,) * players)
        self.events = 0
        self.steals: list[HiddenSteal] = []
        #: The first event after which only one card was possible, by steal.
        self.settled_by: dict[int, int] = {}
        self.by_hand: dict[int, str] = {}
        self._worlds: dict[Hands, Fraction] | None = None

    def process(self, event: Event) -> None:
        """Go on by one event. Raises `Impossible`, and then nothing has changed."""
        leaves = [new for leaf in self.everything for new in leaves_after(leaf, event)]
        deals = [new for deal in self.deals for new in deals_after(deal, event, self.table, self.victory_points)]
        expect(bool(deals) and any(map(self._as_resolved, leaves)))
        self.everything, self.deals, self._worlds = leaves, deals, None
        if isinstance(event, Steal) and event.resource is None:
            self.steals.append(HiddenSteal(event.player, event.victim, self.events))
        for steal in range(len(self.steals)):
            if len({leaf.stolen[steal] for leaf in leaves}) == 1:
                self.settled_by.setdefault(steal, self.events)
        self.table = self.table.after(event)
        self.events += 1

    def resolve(self, steal: int, resource: str) -> None:
        """Somebody knows the card of a steal. Raises `Impossible`."""
        expect(resource in self.odds(steal))
        self.by_hand[steal] = resource
        self._worlds = None

    def unresolve(self, steal: int) -> None:
        del self.by_hand[steal]
        self._worlds = None

    def _as_resolved(self, leaf: Leaf) -> bool:
        return all(leaf.stolen[steal] == resource for steal, resource in self.by_hand.items())

    @property
    def leaves(self) -> list[Leaf]:
        return [leaf for leaf in self.everything if self._as_resolved(leaf)]

    # What follows are sums over the leaves.

    def worlds(self) -> dict[Hands, Fraction]:
        if self._worlds is None:
            self._worlds = normal((leaf.hands, leaf.weight) for leaf in self.leaves)
        return self._worlds

    def marginal(self, player: int, resource: str) -> Odds:
        return normal((getattr(hands[player], resource), p) for hands, p in self.worlds().items())

    def total(self, player: int) -> Odds:
        return normal((hands[player].size, p) for hands, p in self.worlds().items())

    def can_afford(self, player: int, item: str) -> Fraction:
        return sum((p for hands, p in self.worlds().items() if covers(hands[player], COSTS[item])), Fraction(0))

    def next_stolen(self, victim: int) -> dict[str, Fraction]:
        """The card of the next steal, given that there is one; nothing where there cannot be."""
        return normal(
            (name, p * Fraction(held, hands[victim].size))
            for hands, p in self.worlds().items()
            for name, held in hands[victim].as_dict().items()
        )

    def odds(self, steal: int) -> dict[str, Fraction]:
        return normal((leaf.stolen[steal], leaf.weight) for leaf in self.leaves)

    def carriers(self, steal: int) -> dict[tuple[str, Hands], Fraction]:
        """How likely each world is together with each card of a steal."""
        return normal(((leaf.stolen[steal], leaf.hands), leaf.weight) for leaf in self.leaves)

    def histories(self) -> dict[tuple[tuple[str, ...], Hands], Fraction]:
        """How likely the cards of all hidden steals are, together with the hands."""
        return normal(((leaf.stolen, leaf.hands), leaf.weight) for leaf in self.leaves)

    def hidden_cards(self, player: int, card: str) -> Odds:
        return normal((deal.hidden(player, card), deal.weight) for deal in self.deals)

    def wins_now(self, player: int) -> Fraction:
        missing = self.victory_points - self.table.points(player)
        return sum((p for n, p in self.hidden_cards(player, "victory_point").items() if n >= missing), Fraction(0))


def covers(hand: Cards, cost: Cards) -> bool:
    return all(held >= n for held, n in zip(hand, cost, strict=True))


def normal(weighted: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """The sums by key, divided by the sum of all (in whole numbers over a common denominator, which is faster)."""
    pairs = list(weighted)
    common = lcm(*(weight.denominator for _, weight in pairs))
    sums: dict[Key, int] = {}
    for key, weight in pairs:
        sums[key] = sums.get(key, 0) + weight.numerator * (common // weight.denominator)
    whole = sum(sums.values())
    return {key: Fraction(part, whole) for key, part in sums.items()}
