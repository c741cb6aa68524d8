"""A capture of colonist.io that begins in the middle of a game: the position that it begins with, as events."""

from collections.abc import Iterator
from typing import Any

from kibitz.catan.core import events
from kibitz.catan.core.events import Cards, Event
from kibitz.catan.core.rules.costs import DEV_COST
from kibitz.catan.core.state import SEATS, SUPPLY
from kibitz.catan.core.topology import EDGE_ENDS
from kibitz.catan.logs.colonist.state import SitePosition
from kibitz.catan.logs.colonist.values import BUILDINGS, DEV_CARDS, PIECES, as_dict, as_int, cards_of

_FREE_PLACEMENT = 4
_SETTLEMENTS_EACH = 2
_PRICE = Cards(*DEV_COST)
#: Cards of each resource in the box for five and six players.
_LARGE_SUPPLY = 24
#: The seat that keeps the bank's cards for a moment: any will do.
_KEEPER = 0


def begins_late(position: SitePosition, log: dict[str, Any]) -> bool:
    """Whether a full state shows what its log does not explain, because that does not begin with the set-up."""
    buildings = sum(piece in BUILDINGS.values() for piece, _, _ in position.pieces())
    needed = min(buildings, _SETTLEMENTS_EACH * len(position.roster.players))
    if any(position.hands().values()) or any(position.dev_cards().values()) or any(position.used_cards().values()):
        needed = max(needed, 1)
    return sum(_is_placement(entry) for entry in log.values()) < needed


def _is_placement(entry: Any) -> bool:
    text = as_dict(as_dict(entry).get("text"))
    piece = as_int(text.get("pieceEnum"))
    return as_int(text.get("type")) == _FREE_PLACEMENT and piece is not None and PIECES.get(piece) in BUILDINGS.values()


def opening(position: SitePosition, observer: int | None) -> Iterator[Event]:
    """How the position could have come about: cards that were bought, pieces, awards, and then the hands."""
    seats = position.roster.seats
    used = position.used_cards()
    bought = [(seats[colour], card) for colour, held in position.dev_cards().items() for card in (*held, *used[colour])]
    for seat, card in bought:
        yield events.Gain(seat, _PRICE)
        yield events.BuyDevCard(seat, DEV_CARDS.get(card))
    if bought:  # a card can be played in a later turn only
        yield events.EndTurn(bought[-1][0])
    for colour, played in used.items():
        yield from (events.PlayDevCard(seats[colour], DEV_CARDS[card]) for card in played if card in DEV_CARDS)
    for piece, colour, place in position.pieces():
        if piece == "road":
            yield events.Build(seats[colour], piece, True, edge=None if place is None else EDGE_ENDS[place])
            continue
        yield events.Build(seats[colour], "settlement", True, place)
        if piece == "city":
            yield events.Build(seats[colour], piece, True, place)
    for colour, award in position.awards():
        yield events.Award(seats[colour], award)
    yield from _hands(position, observer)


def _hands(position: SitePosition, observer: int | None) -> Iterator[Event]:
    """The observer's cards, then those of which only the backs are seen.

    The others can hold nothing that the bank still has: it is put aside while their cards are dealt.
    """
    piles = {seat: pile for colour, seat in position.roster.seats.items() if (pile := position.hands()[colour])}
    own = cards_of(piles[observer]) if observer in piles else None
    if observer is not None and own is not None:
        yield events.Correction(observer, own)
        del piles[observer]
    sizes = {seat: len(pile) for seat, pile in piles.items() if all(card <= len(Cards._fields) for card in pile)}
    bank = _bank(position, own or Cards(), sum(sizes.values()))
    if bank.size:
        yield events.Correction(_KEEPER, bank)
    for seat, size in sizes.items():
        yield events.UnknownCards(seat, size)
    if bank.size:
        yield events.Correction(_KEEPER, Cards().minus(bank))


def _bank(position: SitePosition, known: Cards, unknown: int) -> Cards:
    """What the bank holds, if it is told and the rest of the box is what the hands hold; else nothing."""
    counts = position.bank()
    if counts is None:
        return Cards()
    supply = SUPPLY if len(position.roster.players) <= SEATS else _LARGE_SUPPLY
    rest = Cards(*[supply] * len(Cards._fields)).minus(Cards.of(counts)).minus(known)
    return Cards.of(counts) if min(rest) >= 0 and rest.size == unknown else Cards()
