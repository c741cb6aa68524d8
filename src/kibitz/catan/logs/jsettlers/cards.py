"""Development cards by their numbers in JSettlers, and the cards that an event moves."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.catan.core.events import (
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Correction,
    Discard,
    Event,
    Gain,
    Monopoly,
    PlayerTrade,
    Roll,
    StartingResources,
    Steal,
    YearOfPlenty,
)
from kibitz.catan.core.rules.costs import CITY_COST, DEV_COST, ROAD_COST, SETTLEMENT_COST

_POINTS = ("victory_point",) * 5
#: The development cards by number (None: not shown), and as the first versions counted them.
CARD_NAMES = (None, "road_building", "year_of_plenty", "monopoly", *_POINTS, "knight")
EARLY_CARD_NAMES = ("knight", "road_building", "year_of_plenty", "monopoly", *_POINTS, None)

PIECE_COST = {"road": Cards(*ROAD_COST), "settlement": Cards(*SETTLEMENT_COST), "city": Cards(*CITY_COST)}
CARD_COST = Cards(*DEV_COST)
#: A ship of the sea expansion.
SHIP_COST = Cards(wood=1, sheep=1)


def cards_moved(event: Event) -> Iterator[tuple[int, Cards]]:
    """What an event in which nothing is hidden adds to a hand, or takes from it."""
    nothing = Cards()
    match event:
        case StartingResources(player, cards) | Gain(player, cards) | YearOfPlenty(player, cards) | Correction(player, cards):
            yield player, cards
        case Roll(_, _, gains):
            yield from gains.items()
        case Build(player, piece, False):
            yield player, nothing.minus(PIECE_COST[piece])
        case BuyDevCard(player):
            yield player, nothing.minus(CARD_COST)
        case BankTrade(player, give, receive):
            yield player, receive.minus(give)
        case PlayerTrade(player, partner, give, receive):
            yield player, receive.minus(give)
            yield partner, give.minus(receive)
        case Discard(player, Cards() as cards):
            yield player, nothing.minus(cards)
        case Steal(player, victim, str(resource)):
            yield player, Cards.of({resource: 1})
            yield victim, nothing.minus(Cards.of({resource: 1}))
        case Monopoly(player, resource, int(), dict(losses)):
            for seat, n in losses.items():
                yield seat, nothing.minus(Cards.of({resource: n}))
            yield player, Cards.of({resource: sum(losses.values())})
        case _:
            return


def sizes_moved(event: Event) -> Iterator[tuple[int, int]]:
    """By how much hands grow and shrink, also where the cards are hidden."""
    match event:
        case Discard(player, None, int(count)):
            yield player, -count
        case Steal(player, victim, None):
            yield player, 1
            yield victim, -1
        case Monopoly(player, _, int(total), None):
            yield player, total
        case _:
            for seat, cards in cards_moved(event):
                yield seat, cards.size
