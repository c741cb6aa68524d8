"""Trades of which a log tells only who made them: their terms are those of an offer before.

>>> deals = Deals()
>>> deals.offer(Offer(0, Cards(wood=1), Cards(ore=1)))
>>> deals.accepted(0, 1)
(PlayerTrade(player=0, partner=1, give=Cards(wood=1), receive=Cards(ore=1)), True)
"""

from dataclasses import dataclass, field

from kibitz.catan.core.events import Cards, InvalidEvent, Offer, PlayerTrade


@dataclass
class Deals:
    """The offers of one turn, each with the player to whom it was made (None: to everybody)."""

    _offers: list[tuple[Offer, int | None]] = field(default_factory=list)

    def offer(self, offer: Offer, to: int | None = None) -> None:
        """One more offer."""
        self._offers.append((offer, to))

    def accepted(self, player: int, partner: int) -> tuple[PlayerTrade, bool]:
        """The trade of two players; and whether its terms are certain.

        A player's new offer takes the place of the one before. What the partner has offered in return since then may have been
        accepted as well, but the player's own terms come first. Raises `InvalidEvent` where there are none.
        """
        terms: list[tuple[Cards, Cards]] = []
        for offer, to in self._offers:
            if offer.player == player and to in (None, partner):
                terms = [(offer.give, offer.receive)]
            elif offer.player == partner and to == player:
                terms.append((offer.receive, offer.give))
        if not terms:
            raise InvalidEvent("the log does not say what was traded: the offer is missing")
        return PlayerTrade(player, partner, *terms[0]), len(set(terms)) == 1
