"""What logs leave out because it follows from the rules: what the board yields, and which cards an event moves.

Also the hexagonal grid of JSettlers, which the oldest files of catanlog use too: a place is one number, of two hexadecimal
digits for two slanted axes. A hex has two odd digits; its corners and edges lie around it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kibitz.catan.core import events
from kibitz.catan.core.board import Board, Harbour, Hex, InvalidBoard, Resource
from kibitz.catan.core.events import Cards, Event
from kibitz.catan.core.rules.costs import CITY_COST, DEV_COST, ROAD_COST, SETTLEMENT_COST
from kibitz.catan.core.topology import AXIAL, COAST_EDGES, EDGE_BETWEEN, HEX_OUTLINES, HEXES

#: The price of each piece, and of a development card.
PIECE_COST = {"road": Cards(*ROAD_COST), "settlement": Cards(*SETTLEMENT_COST), "city": Cards(*CITY_COST)}
CARD_COST = Cards(*DEV_COST)

#: The edges of each hex, clockwise from the north-east.
HEX_EDGES = [[EDGE_BETWEEN[ends] for ends in pairwise([*outline, outline[0]])] for outline in HEX_OUTLINES]

#: The hexes of the island on the grid of JSettlers, in our order.
LAND = tuple(0x77 + 0x22 * q + 0x20 * r for q, r in AXIAL)
#: From a hex to its corners, clockwise from the north, and to its edges, clockwise from the north-east.
TO_CORNERS = (0x01, 0x12, 0x21, 0x10, -0x01, -0x10)
_TO_EDGES = (0x01, 0x11, 0x10, -0x01, -0x11, -0x10)
#: Our hexes, corners and edges by their places on that grid.
HEX_AT = {at: h for h, at in enumerate(LAND)}
CORNER_AT, EDGE_AT = (
    {at + step: part for at, around in zip(LAND, parts, strict=True) for step, part in zip(steps, around, strict=True)}
    for steps, parts in ((TO_CORNERS, HEX_OUTLINES), (_TO_EDGES, HEX_EDGES))
)


@dataclass
class Island:
    """Terrain, tokens, buildings and the robber: what a settlement and a roll bring, where a log does not say it."""

    #: Resource and token of each hex; deserts are not among them.
    hexes: Mapping[int, tuple[str, int]]
    robber: int | None
    #: Seat and worth (1 for a settlement, 2 for a city) by corner.
    buildings: dict[int, tuple[int, int]] = field(default_factory=dict)

    def around(self, corner: int) -> Cards:
        """One card for each hex at a corner."""
        return Cards.of([resource for hex, (resource, _) in self.hexes.items() if corner in HEX_OUTLINES[hex]])

    def claims(self, total: int) -> dict[int, Cards]:
        """What a roll brings to each seat, if the supply lasts."""
        claims: dict[int, Cards] = {}
        for hex, (resource, number) in self.hexes.items():
            if number == total and hex != self.robber:
                for seat, worth in (self.buildings[c] for c in HEX_OUTLINES[hex] if c in self.buildings):
                    claims[seat] = claims.get(seat, Cards()).plus(Cards.of({resource: worth}))
        return claims

    def produced(self, total: int, left: Sequence[int], rest_to_one: bool = True) -> dict[int, Cards]:
        """What a roll brings, if the bank holds so much of each resource.

        Where it is short nobody gets anything, or (`rest_to_one`) a sole claimant what is left.
        """
        claims = self.claims(total)
        for r, name in enumerate(Cards._fields):
            claimants = [seat for seat, cards in claims.items() if cards[r]]
            if sum(claims[seat][r] for seat in claimants) > left[r]:
                share = max(left[r], 0) if rest_to_one and len(claimants) == 1 else 0
                claims |= {seat: claims[seat]._replace(**{name: share}) for seat in claimants}
        return claims

    def board(self, harbours: Sequence[Harbour]) -> Board | None:
        """The board, if it is one that the box can make; harbours off the coast are passed over."""
        coast = COAST_EDGES.tolist()
        places = sorted((h for h in harbours if h.edge in coast), key=lambda harbour: coast.index(harbour.edge))
        terrain = [self.hexes.get(hex) for hex in range(HEXES)]
        try:
            return Board(tuple(Hex(None, None) if t is None else Hex(Resource(t[0]), t[1]) for t in terrain), tuple(places))
        except InvalidBoard:
            return None


def cards_moved(event: Event) -> Iterator[tuple[int, Cards]]:
    """What an event in which nothing is hidden adds to a hand, or takes from it."""
    nothing = Cards()
    match event:
        case (
            events.StartingResources(player, cards)
            | events.Gain(player, cards)
            | events.YearOfPlenty(player, cards)
            | events.Correction(player, cards)
        ):
            yield player, cards
        case events.Roll(_, _, gains):
            yield from gains.items()
        case events.Build(player, piece, False):
            yield player, nothing.minus(PIECE_COST[piece])
        case events.BuyDevCard(player):
            yield player, nothing.minus(CARD_COST)
        case events.BankTrade(player, give, receive):
            yield player, receive.minus(give)
        case events.PlayerTrade(player, partner, give, receive):
            yield player, receive.minus(give)
            yield partner, give.minus(receive)
        case events.Discard(player, Cards() as cards):
            yield player, nothing.minus(cards)
        case events.Steal(player, victim, str(resource)):
            yield player, Cards.of({resource: 1})
            yield victim, nothing.minus(Cards.of({resource: 1}))
        case events.Monopoly(player, resource, int(), dict(losses)):
            for seat, n in losses.items():
                yield seat, nothing.minus(Cards.of({resource: n}))
            yield player, Cards.of({resource: sum(losses.values())})
        case _:
            return
