"""The integer codes of actions and outcomes: one range for each kind, in the order of a game.

An action is ``base + parameter``; `kibitz.catan.core.actions` gives them names and types. The range of offers holds every
possible one as five signed counts (-19 to 19, given positive, wanted negative) in base 39. A kind that is added goes to the
end, so that no code ever changes its meaning.
"""

from itertools import combinations_with_replacement

import numpy as np

from kibitz.catan.core.state import KINDS, SEATS, SUPPLY
from kibitz.catan.core.topology import CORNERS, EDGES, HEXES, NONE
from kibitz.game import Scratch
from kibitz.ground.bits import lowest
from kibitz.ground.jit import Vector, jit, table

#: What Year of Plenty can take: two cards of 15 kinds, or one where the supply holds no second.
PLENTY = [*combinations_with_replacement(range(KINDS), 2), *((r, NONE) for r in range(KINDS))]

#: Maritime trade gives 2, 3 or 4 cards for one; a code is (resource given, rate, resource got).
BEST_RATE, WORST_RATE = 2, 4
RATES = WORST_RATE - BEST_RATE + 1

#: The ranges in ascending order, each with the number of its codes.
RANGES: dict[str, int] = {
    "place_setup_settlement": CORNERS, "place_setup_road": EDGES, "roll_dice": 1,
    "discard_resource": KINDS, "move_robber": HEXES, "steal_resource": SEATS, "skip_steal": 1,
    "trade_bank": KINDS * RATES * KINDS, "accept_offer": 1, "decline_offer": 1, "confirm_trade": SEATS, "cancel_offer": 1,
    "end_trade_phase": 1, "build_road": EDGES, "build_settlement": CORNERS, "build_city": CORNERS, "buy_dev_card": 1,
    "end_build_phase": 1, "play_knight": 1, "play_road_building": 1, "place_free_road": EDGES,
    "play_year_of_plenty": len(PLENTY), "play_monopoly": KINDS, "reveal_vp": 1, "end_turn": 1,
    "rolled": 11, "stolen": KINDS, "drawn": KINDS, "offer_trade": (2 * SUPPLY + 1) ** KINDS, "end_road_building": 1,
}  # fmt: skip
BASE: dict[str, int] = {kind: sum(list(RANGES.values())[:i]) for i, kind in enumerate(RANGES)}

(
    PLACE_SETTLEMENT, PLACE_ROAD, ROLL_DICE, DISCARD, MOVE_ROBBER, STEAL, SKIP_STEAL, BANK_TRADE, ACCEPT, DECLINE, CONFIRM,
    CANCEL, END_TRADE, BUILD_ROAD, BUILD_SETTLEMENT, BUILD_CITY, BUY_DEV, END_BUILD, PLAY_KNIGHT, PLAY_ROAD_BUILDING,
    PLACE_FREE_ROAD, PLAY_YEAR_OF_PLENTY, PLAY_MONOPOLY, REVEAL_VP, END_TURN, ROLLED, STOLEN, DRAWN, OFFER, END_ROADS,
) = BASE.values()  # fmt: skip
ALL_CODES = END_ROADS + RANGES["end_road_building"]

#: What others perceive of a stolen and of a drawn card.
UNSEEN_STEAL, UNSEEN_DRAW = -1, -2

PLENTY_FIRST: Vector = table([a for a, _ in PLENTY])
PLENTY_SECOND: Vector = table([b for _, b in PLENTY])


@jit
def list_each(x: Scratch, n: int, base: int, mask: int) -> int:
    """Append ``base + i`` for each i in the set `mask` to the `n` actions in `x`; how many there are then."""
    while mask:
        x.actions[n] = base + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


# Offers. DIGITS is 39: counts from -19 to 19.
DIGITS = 2 * SUPPLY + 1
PLACES: Vector = table([DIGITS ** (KINDS - 1 - r) for r in range(KINDS)], np.int64)


def offer_code(counts: list[int]) -> int:
    """The code of an offer of `counts` by resource, given positive and wanted negative."""
    return OFFER + sum((n + SUPPLY) * place for n, place in zip(counts, PLACES.tolist(), strict=True))


def _small_offers() -> list[tuple[int, int, int]]:
    """One for one, two alike for one, one for two alike: (code, resource given, count given), ascending."""
    offers = []
    for give in range(KINDS):
        for want in range(KINDS):
            for given, wanted in ((1, 1), (2, 1), (1, 2)):
                if give != want:
                    counts = [given if r == give else -wanted if r == want else 0 for r in range(KINDS)]
                    offers.append((offer_code(counts), give, given))
    return sorted(offers)


#: The offers that `legal` lists; `why_not` judges all others too.
SMALL_OFFERS: Vector = table([code for code, _, _ in _small_offers()], np.int32)
SMALL_OFFER_GIVES: Vector = table([give for _, give, _ in _small_offers()])
SMALL_OFFER_COUNT: Vector = table([given for _, _, given in _small_offers()])
