"""Short random logs for the hand tracker and its reference.

A `ShortLog` comes from true hands, so it is possible; it is rich in what makes hands uncertain (steals, also back and
forth between the same players, and hidden discards) and in what makes them certain again. Log `index` depends on the
index alone. `wild_event` respects nothing: most of its events are impossible.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from kibitz.catan import Board, Rules
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
    Decline,
    Discard,
    EndTurn,
    Event,
    Gain,
    HandCount,
    HandSeen,
    Monopoly,
    MoveRobber,
    Offer,
    PlayDevCard,
    PlayerTrade,
    Roll,
    StartingResources,
    Steal,
    Win,
    YearOfPlenty,
)
from kibitz.catan.core.record import simulate
from kibitz.catan.core.transcript import events_of
from kibitz.ground.rng import derive_seed
from tests.catan.belief.brute import COSTS, DECK, RESOURCES, bank_of, covers, minus, plus


@dataclass(frozen=True)
class ShortLog:
    """A game with nothing hidden."""

    players: int
    victory_points: int
    events: tuple[Event, ...]
    hidden_discards: bool = False

    def seen_by(self, observer: int | None) -> tuple[Event, ...]:
        """The game as a seat, or None for a spectator, sees it."""
        return tuple(self._seen(event, observer) for event in self.events)

    def _seen(self, event: Event, observer: int | None) -> Event:
        match event:
            case Steal() if observer not in (event.player, event.victim):
                return replace(event, resource=None)
            case BuyDevCard() if observer != event.player:
                return replace(event, card=None)
            case Discard() if self.hidden_discards and observer != event.player:
                return Discard(event.player, count=event.count)
        return event


def short_log(index: int) -> ShortLog:
    """A log of true hands, mostly about steals; every third one mostly about development cards."""
    chance = random.Random(derive_seed(31, "short log", index))
    players = chance.choice([2, 3, 3, 4])
    style = DEV_CARDS if index % 3 == 2 else HANDS
    victory_points = chance.choice([3, 4, 5] if style is DEV_CARDS else [5, 7, 10])  # few, so that silence says much
    table = _Table(chance, players, victory_points)
    table.deal(supply_short=index % 5 == 0, buyers=style is DEV_CARDS)
    for _ in range(chance.randint(8, 30)):
        options = list(style)
        move = chance.choices(options, [style[option] for option in options])[0]
        move(table)
        if table.winner is not None:
            break
    return ShortLog(players, victory_points, tuple(table.events), hidden_discards=chance.random() < 0.5)


def engine_log(index: int) -> ShortLog:
    """A real game of bots; offers that lead to no trade are left out."""
    chance = random.Random(derive_seed(31, "engine log", index))
    players = 2 + index % 3
    bots = chance.choices(["builder", "random"], k=players)
    rules = Rules(discard_limit=chance.choice([3, 5, 7]), victory_points=chance.choice([5, 10]), max_turns=60)
    record = simulate(Board.random(chance.randrange(2**32)), bots, seed=chance.randrange(2**32), rules=rules)
    log = events_of(record, all_seeing=True)
    return ShortLog(players, log.victory_points, tuple(traded(log.events)), hidden_discards=index % 2 == 1)


def traded(events: Sequence[Event]) -> Iterator[Event]:
    """Without the offers, and the answers to them, that lead to no trade."""
    talk: list[Event] = []
    for event in events:
        if isinstance(event, Offer):
            talk = [event]
        elif isinstance(event, Accept | Decline):
            talk.append(event)
        else:
            if isinstance(event, PlayerTrade):
                yield from talk
            talk = []
            yield event


# --- a table whose hands are known -----------------------------------------------------------------------------


@dataclass
class _Table:
    """True hands, and the log of what happened to them. Each move adds an event or, where it is impossible, nothing."""

    chance: random.Random
    players: int
    victory_points: int
    events: list[Event] = field(default_factory=list)
    current: int = 0
    winner: int | None = None

    def __post_init__(self) -> None:
        self.hands = (Cards(),) * self.players
        self.kinds = self.chance.sample(RESOURCES, self.chance.choice([2, 3, 3, 4, 5]))
        self.deck = [card for card, copies in DECK.items() for _ in range(copies)]
        self.old: list[list[str]] = [[] for _ in range(self.players)]
        self.new: list[str] = []
        self.visible = [0] * self.players
        self.settlements = [0] * self.players
        self.holders: dict[str, int | None] = {}

    def deal(self, supply_short: bool, buyers: bool) -> None:
        """What everybody starts with: few cards; or nearly all of one kind on one hand; or what buys development cards."""
        for seat in range(self.players):
            for _ in range(2 if buyers else 1):
                self.build(seat, "settlement", free=True)
            cards = Cards.of(self.chance.choices(self.kinds, k=self.chance.randint(0, 7)))
            if buyers:
                cards = Cards(0, 0, *self.chance.choices([2, 3, 4], k=3))
            if supply_short and seat == 0:
                cards = Cards.of({self.kinds[0]: 14, self.kinds[1]: self.chance.randint(1, 3)})
            if cards.size:
                self.gain(seat, StartingResources(seat, cards))

    # Helpers

    def seat(self) -> int:
        return self.chance.randrange(self.players)

    def other(self, seat: int) -> int:
        return (seat + self.chance.randrange(1, self.players)) % self.players

    def holds(self, seat: int, cards: Cards) -> bool:
        return covers(self.hands[seat], cards)

    def some(self, seat: int, most: int) -> Cards:
        """One or more cards of a hand; none of an empty hand."""
        names = self.hands[seat].names()
        return Cards.of(self.chance.sample(names, self.chance.randint(1, min(most, len(names))))) if names else Cards()

    def wanted(self, most: int) -> Cards:
        return Cards.of(self.chance.choices(self.kinds, k=self.chance.randint(1, most)))

    def gain(self, seat: int, event: StartingResources | Gain | YearOfPlenty) -> None:
        if covers(bank_of(self.hands), event.cards):
            self.hands = plus(self.hands, seat, event.cards)
            self.events.append(event)

    def points(self, seat: int) -> int:
        """With the hidden ones."""
        hidden = self.old[seat] + (self.new if seat == self.current else [])
        awards = sum(holder == seat for holder in self.holders.values())
        return self.visible[seat] + 2 * awards + hidden.count("victory_point")

    def end_if_won(self) -> None:
        """Who has enough points shows the hidden ones and wins."""
        for seat in range(self.players):
            if self.points(seat) >= self.victory_points and self.winner is None:
                self.winner = seat
                hidden = self.old[seat] + (self.new if seat == self.current else [])
                self.events += [PlayDevCard(seat, "victory_point")] * hidden.count("victory_point")
                self.events.append(Win(seat))

    # Moves

    def build(self, seat: int, piece: str, free: bool) -> None:
        if piece == "city":
            if not self.settlements[seat]:
                return
            self.settlements[seat] -= 1
        if not free:
            if not self.holds(seat, COSTS[piece]):
                return
            self.hands = minus(self.hands, seat, COSTS[piece])
        self.events.append(Build(seat, piece, free=free))
        self.settlements[seat] += piece == "settlement"
        self.visible[seat] += piece != "road"
        self.end_if_won()

    def builds(self) -> None:
        self.build(self.current, self.chance.choice(["road", "road", "settlement", "city"]), free=False)

    def roll(self) -> None:
        gains = {seat: self.wanted(3) for seat in range(self.players) if self.chance.random() < 0.5}
        everything = Cards(*map(sum, zip(Cards(), *gains.values(), strict=True)))
        if covers(bank_of(self.hands), everything):
            for seat, cards in gains.items():
                self.hands = plus(self.hands, seat, cards)
            self.events.append(Roll(self.current, self.chance.choice([2, 6, 8, 12]), gains))

    def gains(self) -> None:
        seat = self.seat()
        self.gain(seat, Gain(seat, self.wanted(2)))

    def steal(self, thief: int | None = None, victim: int | None = None) -> None:
        thief = self.current if thief is None else thief
        victim = self.other(thief) if victim is None else victim
        names = self.hands[victim].names()
        if names:
            card = self.chance.choice(names)
            cards = Cards.of([card])
            self.hands = plus(minus(self.hands, victim, cards), thief, cards)
            self.events.append(Steal(thief, victim, card))

    def steals(self) -> None:
        """One steal; or one after the other between the same two, now and then back."""
        thief = self.seat()
        victim = self.other(thief)
        self.steal(thief, victim)
        if self.chance.random() < 0.3:
            self.steal(*self.chance.choice([(thief, victim), (victim, thief)]))

    def seven(self) -> None:
        self.events.append(Roll(self.current, 7))
        self.discard()
        self.events.append(MoveRobber(self.current, self.chance.randrange(19)))
        self.steal()

    def discard(self) -> None:
        seat = self.seat()
        cards = self.some(seat, 3)
        self.hands = minus(self.hands, seat, cards)
        self.events.append(Discard(seat, cards))

    def bank_trade(self) -> None:
        give, receive = self.some(self.current, 3), self.wanted(1)
        if give.size and covers(bank_of(self.hands), receive):
            self.hands = plus(minus(self.hands, self.current, give), self.current, receive)
            self.events.append(BankTrade(self.current, give, receive))

    def player_trade(self) -> None:
        partner = self.other(self.current)
        give, receive = self.some(self.current, 2), self.some(partner, 2)
        hands = minus(minus(self.hands, self.current, give), partner, receive)
        self.hands = plus(plus(hands, self.current, receive), partner, give)
        self.events.append(PlayerTrade(self.current, partner, give, receive))

    def talk(self) -> None:
        seat = self.seat()
        partner, give, receive = self.other(seat), self.some(seat, 3), self.wanted(2)
        offers = Offer(seat, give, receive), CounterOffer(seat, partner, give, receive), Accept(seat, partner, give, receive)
        self.events += [self.chance.choice(offers), Decline(partner, seat)]

    def correct(self) -> None:
        seat, card = self.seat(), Cards.of([self.chance.choice(self.kinds)])
        if self.chance.random() < 0.5 and self.holds(seat, card):
            card = Cards(*(-n for n in card))
        elif not covers(bank_of(self.hands), card):
            return
        self.hands = plus(self.hands, seat, card)
        self.events.append(Correction(seat, card))

    def look(self) -> None:
        """A count that the table shows, or a hand that its owner shows."""
        seat, bank = self.seat(), bank_of(self.hands)
        named = self.chance.sample(RESOURCES, self.chance.randint(1, 5))
        looks: list[Event] = [
            HandCount(seat, self.hands[seat].size),
            HandSeen(seat, self.hands[seat]),
            BankCount({name: getattr(bank, name) for name in named}),
        ]
        self.events.append(self.chance.choices(looks, [6, 1, 6])[0])

    def monopoly(self) -> None:
        """Everybody sees what each victim gives, or only the sum, or nothing."""
        resource = self.chance.choice(self.kinds)
        losses = {seat: getattr(hand, resource) for seat, hand in enumerate(self.hands) if seat != self.current}
        for seat, n in losses.items():
            cards = Cards.of({resource: n})
            self.hands = plus(minus(self.hands, seat, cards), self.current, cards)
        total = sum(losses.values())
        told: list[tuple[int | None, dict[int, int] | None]] = [(total, losses), (None, losses), (total, None), (None, None)]
        self.events.append(Monopoly(self.current, resource, *self.chance.choice(told)))

    def year_of_plenty(self) -> None:
        self.gain(self.current, YearOfPlenty(self.current, self.wanted(2)))

    def buy(self) -> None:
        if self.deck and self.holds(self.current, COSTS["dev_card"]):
            self.hands = minus(self.hands, self.current, COSTS["dev_card"])
            self.new.append(self.chance.choice([*dict.fromkeys(self.deck)]))  # every kind alike, so that rare ones occur
            self.deck.remove(self.new[-1])
            self.events.append(BuyDevCard(self.current, self.new[-1]))
            self.end_if_won()

    def refill(self) -> None:
        """What a development card costs."""
        seat = self.seat()
        self.gain(seat, Gain(seat, COSTS["dev_card"]))

    def play(self) -> None:
        """A card of an earlier turn; victory points are shown seldom."""
        cards = [card for card in self.old[self.current] if card != "victory_point" or self.chance.random() < 0.2]
        if cards:
            card = self.chance.choice(cards)
            self.old[self.current].remove(card)
            self.events.append(PlayDevCard(self.current, card))
            self.visible[self.current] += card == "victory_point"
            effects: dict[str, Callable[[], None]] = {"monopoly": self.monopoly, "year_of_plenty": self.year_of_plenty}
            effects.get(card, self.steal if card == "knight" else self.award)()

    def award(self) -> None:
        award = self.chance.choice(["longest_road", "largest_army"])
        self.holders[award] = self.chance.choice([None, *range(self.players)])
        self.events.append(Award(self.holders[award], award))
        self.end_if_won()

    def end_turn(self) -> None:
        self.events.append(EndTurn(self.current))
        self.old[self.current] += self.new
        self.new = []
        self.current = self.seat()


#: How often each move is made.
HANDS: dict[Callable[[_Table], None], int] = {
    _Table.steals: 9,
    _Table.seven: 2,
    _Table.discard: 2,
    _Table.builds: 4,
    _Table.gains: 2,
    _Table.roll: 3,
    _Table.bank_trade: 2,
    _Table.player_trade: 2,
    _Table.talk: 2,
    _Table.look: 2,
    _Table.monopoly: 1,
    _Table.year_of_plenty: 1,
    _Table.correct: 1,
    _Table.buy: 2,
    _Table.play: 1,
    _Table.end_turn: 3,
}
DEV_CARDS: dict[Callable[[_Table], None], int] = {
    _Table.buy: 6,
    _Table.refill: 2,
    _Table.play: 6,
    _Table.end_turn: 6,
    _Table.award: 1,
    _Table.builds: 1,
    _Table.roll: 1,
    _Table.steals: 1,
}


# --- events that respect nothing -------------------------------------------------------------------------------


def wild_event(chance: random.Random, players: int) -> Event:
    """Any event whatever, with small numbers."""
    player = chance.randrange(players)
    other = (player + chance.randrange(1, players)) % players
    resource = chance.choice(RESOURCES)
    give, receive = (Cards.of(chance.choices(RESOURCES, k=chance.randint(0, 2))) for _ in range(2))
    count = chance.randint(0, 4)
    return chance.choice(
        [
            Gain(player, Cards.of({resource: chance.choice([1, 2, 18, 19])})),
            Roll(player, 8, {player: give, other: receive}),
            Build(player, chance.choice(["road", "settlement", "city"])),
            BuyDevCard(player, chance.choice([None, *DECK])),
            PlayDevCard(player, chance.choice([*DECK])),
            Monopoly(player, resource, *chance.choice([(count, None), (None, {other: count}), (None, None)])),
            BankTrade(player, give, receive),
            PlayerTrade(player, other, give, receive),
            Offer(player, give, receive),
            CounterOffer(player, other, give, receive),
            Accept(player, other, give, receive),
            Steal(player, other, chance.choice([None, resource])),
            Discard(player, give),
            Discard(player, count=count),
            HandCount(player, count),
            HandSeen(player, give),
            BankCount({resource: chance.randint(15, 19)}),
            Correction(player, Cards(*(b - a for a, b in zip(give, receive, strict=True)))),
            Award(chance.choice([None, player]), chance.choice(["longest_road", "largest_army"])),
            EndTurn(player),
        ]
    )
