"""What the board yields, for logs that do not say it: starting resources and production."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kibitz.catan.core.board import Board, Harbour, Hex, InvalidBoard, Resource
from kibitz.catan.core.events import Cards
from kibitz.catan.core.topology import COAST_EDGES, HEX_OUTLINES, HEXES


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
        earned: dict[int, list[str]] = {}
        for hex, (resource, number) in self.hexes.items():
            if number == total and hex != self.robber:
                for seat, worth in (self.buildings[c] for c in HEX_OUTLINES[hex] if c in self.buildings):
                    earned.setdefault(seat, []).extend([resource] * worth)
        return {seat: Cards.of(cards) for seat, cards in earned.items()}

    def produced(self, total: int, left: Sequence[int]) -> dict[int, Cards]:
        """What a roll brings, if the bank holds so much: what does not last goes to nobody, or the rest to a sole claimant."""
        claims = self.claims(total) if total != 7 else {}
        for r, there in enumerate(left):
            claimants = [seat for seat, cards in claims.items() if cards[r]]
            if sum(claims[seat][r] for seat in claimants) > there:
                for seat in claimants:
                    counts = list(claims[seat])
                    counts[r] = max(there, 0) if len(claimants) == 1 else 0
                    claims[seat] = Cards(*counts)
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
