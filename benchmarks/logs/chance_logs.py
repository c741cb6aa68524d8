"""Logs in which everything that players decide is independent of what they hide: the assumptions of the tracker, to the letter.

A log is drawn up without a look at the cards: who offers what, who robs whom, who plays which card. Then the cards fall,
and if something turns out to be impossible (the offered card is not there), the whole log is thrown away. What is left
has the distribution that the tracker computes: every way in which the cards can have fallen counts by its chance, and an
event proves that it was possible and nothing else. Bots are not like that: whoever holds a knight plays it.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from kibitz.catan.core.events import (
    BankCount,
    Build,
    BuyDevCard,
    Cards,
    Discard,
    EndTurn,
    Event,
    Gain,
    HandSeen,
    Monopoly,
    Offer,
    PlayDevCard,
    Roll,
    StartingResources,
    Steal,
)
from kibitz.ground.rng import derive_seed
from tests.catan.belief.brute import COSTS, DECK, RESOURCES, Deal, Leaf, Table, bank_of, deals_after, leaves_after

SETTLEMENTS = 2


@dataclass(frozen=True)
class ChanceLog:
    """The same game with nothing hidden, and as an observer saw it."""

    players: int
    observer: int | None
    victory_points: int
    true: tuple[Event, ...]
    seen: tuple[Event, ...]
    #: How many were thrown away before it.
    thrown_away: int


def chance_log(index: int) -> ChanceLog:
    """The log with a number, which it depends on alone."""
    thrown_away = 0
    while True:
        chance = random.Random(derive_seed(2026, "chance", index, thrown_away))
        players = chance.randint(2, 4)
        observer = chance.choice((None, *range(players)))
        points = chance.randint(4, 6)
        true = [*_fallen(chance, players, points)]
        if true[-1] is not None:
            events = tuple(event for event in true if event is not None)
            return ChanceLog(players, observer, points, events, tuple(_seen(e, observer) for e in events), thrown_away)
        thrown_away += 1


def _fallen(chance: random.Random, players: int, victory_points: int) -> Iterator[Event | None]:
    """The events as they happen, with all cards; None at last, where one of them turned out to be impossible."""
    leaf = Leaf((Cards(),) * players, Fraction(1))
    deal = Deal(((),) * players, Fraction(1))
    table = Table((0,) * players, (0,) * players, (0,) * players)
    events = [*_drawn_up(chance, players)]
    # any event can be the last one: what comes later would tell something about the cards of now
    for event in events[: chance.randint(2 * players, len(events))]:
        happened = _with_cards(chance, event, leaf, deal)
        leaves = [] if happened is None else [*leaves_after(leaf, happened)]
        deals = [] if happened is None else [*deals_after(deal, happened, table, victory_points)]
        if happened is None or not leaves or not deals:
            yield None
            return
        leaf, deal, table = leaves[0], deals[0], table.after(happened)
        yield happened


def _drawn_up(chance: random.Random, players: int) -> Iterator[Event]:
    """What everybody does, without a look at the cards."""
    for seat in range(players):
        yield from [Build(seat, "settlement", free=True)] * SETTLEMENTS
        yield StartingResources(seat, _some(chance, chance.randint(2, 4)))
    for turn in range(chance.randint(3, 6)):
        player = turn % players
        others = [seat for seat in range(players) if seat != player]
        yield Roll(player, chance.randint(2, 12), {seat: _some(chance, chance.randrange(3)) for seat in range(players)})
        for _ in range(chance.randint(1, 4)):
            match chance.choices(range(7), (8, 4, 4, 3, 1, 1, 1))[0]:
                case 0:
                    yield Steal(player, chance.choice(others))
                case 1:
                    yield Gain(player, COSTS["dev_card"])
                    yield BuyDevCard(player)
                case 2:
                    yield Offer(player, _some(chance, 1), Cards())
                case 3:
                    yield Discard(chance.choice(others), count=chance.randint(1, 2))
                case 4:
                    yield PlayDevCard(player, "knight")
                case 5:
                    total = chance.choice((0, None))  # whether only the total is told; how much is seen later
                    yield Monopoly(player, chance.choice(RESOURCES), total)
                case _:
                    seat = chance.randrange(players)
                    yield chance.choice((HandSeen(seat, Cards()), BankCount({chance.choice(RESOURCES): 0})))
        yield EndTurn(player)


def _some(chance: random.Random, number: int) -> Cards:
    return Cards.of(chance.choices(RESOURCES, k=number)) if number else Cards()


def _with_cards(chance: random.Random, event: Event, leaf: Leaf, deal: Deal) -> Event | None:
    """What really happens: which card is stolen, drawn or thrown away, and what others see; None: nothing can."""
    match event:
        case Steal(victim=victim) if leaf.hands[victim].size:
            return replace(event, resource=chance.choice(leaf.hands[victim].names()))
        case Discard(player, count=int(count)) if leaf.hands[player].size >= count:
            return Discard(player, Cards.of(chance.sample(leaf.hands[player].names(), count)))
        case Steal() | Discard():
            return None
        case BuyDevCard():
            deck = [card for card, copies in DECK.items() for _ in range(copies - deal.drawn.count(card))]
            return replace(event, card=chance.choice(deck))
        case Monopoly(player, resource, total):
            losses = {seat: getattr(hand, resource) for seat, hand in enumerate(leaf.hands) if seat != player}
            return Monopoly(player, resource, sum(losses.values()), losses if total is None else None)
        case HandSeen(player):
            return HandSeen(player, leaf.hands[player])
        case BankCount(counts):
            return BankCount({name: getattr(bank_of(leaf.hands), name) for name in counts})
    return event


def _seen(event: Event, observer: int | None) -> Event:
    """What an observer sees of it."""
    match event:
        case Steal(player, victim) if observer not in (player, victim):
            return Steal(player, victim)
        case Discard(player, count=count) if observer != player:
            return Discard(player, count=count)
        case BuyDevCard(player) if observer != player:
            return BuyDevCard(player)
    return event
