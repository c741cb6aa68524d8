"""The two special cards without a game: how long some roads are, and who holds a card.

>>> longest_road([(0, 1), (1, 2), (2, 3)]), longest_road([(0, 1), (1, 2), (2, 3)], blocked=[2])
(3, 2)
>>> award_holder([5, 6, 0], minimum=5, holder=0)
1
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kibitz.catan.core.rules.awards import trail_from
from kibitz.catan.core.state import ROADS
from kibitz.catan.core.topology import CORNERS, EDGE_BETWEEN, HALF
from kibitz.ground.jit import plain


def longest_road(roads: Iterable[tuple[int, int]], blocked: Iterable[int] = ()) -> int:
    """The length of the longest trail along some roads of one player, each a pair of corners.

    A trail uses each road once and may cross itself; at a `blocked` corner, where another player has built, it ends.
    Raises a `ValueError` for what is not an edge or corner of the island, and for more roads than a player has.
    """
    pairs = {(min(pair), max(pair)) for pair in roads}
    if strange := sorted(pairs - EDGE_BETWEEN.keys()):
        raise ValueError(f"{strange[0]}: no edge of the island joins these corners")
    if len(pairs) > ROADS:
        raise ValueError(f"{len(pairs)} roads: a player has {ROADS}")
    stops = 0
    for corner in blocked:
        if not 0 <= corner < CORNERS:
            raise ValueError(f"corner {corner}: expected 0 to {CORNERS - 1}")
        stops |= 1 << corner
    halves = [0, 0]
    for pair in pairs:
        half, bit = divmod(EDGE_BETWEEN[pair], HALF)
        halves[half] |= 1 << bit
    starts = {corner for pair in pairs for corner in pair}
    return max((plain(trail_from)(halves[0], halves[1], stops, corner)[0] for corner in starts), default=0)


def award_holder(counts: Sequence[int], minimum: int, holder: int | None = None) -> int | None:
    """Who holds Longest Road or Largest Army, given everybody's longest road or played knights; None: nobody.

    The `minimum` is `kibitz.catan.ROAD_MINIMUM` or `ARMY_MINIMUM`. Who holds the card keeps it on a tie, else one player
    alone has to lead.
    """
    most = max(counts, default=0)
    if most < minimum:
        return None
    leaders = [seat for seat, count in enumerate(counts) if count == most]
    return holder if holder in leaders else leaders[0] if len(leaders) == 1 else None
