"""Longest road and largest army: who holds the two special cards.

A *trail* runs along roads of one colour, uses each road once and may cross its own corners; it may begin or end
at another player's building, but never pass through one. On the hexagonal grid a step is one of three
directions, and going back is the same direction again (see `kibitz.catan.core.topology`), so that the whole path of a
depth-first search fits into one integer, two bits a step.
"""

from kibitz.ground.bits import count, lowest
from kibitz.catan.core.state import KNIGHT, NOBODY, CatanState
from kibitz.catan.core.topology import CORNER_EDGES, CORNER_NEIGHBOURS, EDGE_CORNERS, EDGE_MASK, EDGES_AT, HALF, NONE
from kibitz.ground.jit import jit

#: The shortest road and the smallest army that earn a card.
ROAD_MINIMUM, ARMY_MINIMUM = 5, 3


@jit
def others_buildings(s: CatanState, seat: int) -> int:
    """The corners on which other players have built."""
    corners = 0
    for other in range(s.seats):
        if other != seat:
            corners |= s.settlements[other] | s.cities[other]
    return corners


@jit
def trail_from(low: int, high: int, blocked: int, start: int) -> tuple[int, int]:
    """The longest trail that begins at the corner `start`, and all corners that a trail from there can reach.

    `low` and `high` are the roads that may be used, `blocked` the corners that end a trail.
    """
    corner, slot, path, length = start, 0, 0, 0
    longest, reached = 0, 1 << start
    while True:
        if slot < 3:
            edge = CORNER_EDGES[corner, slot]
            if edge != NONE and (low >> edge if edge < HALF else high >> (edge - HALF)) & 1:
                if edge < HALF:
                    low ^= 1 << edge
                else:
                    high ^= 1 << (edge - HALF)
                corner = CORNER_NEIGHBOURS[corner, slot]
                path = path << 2 | slot
                length += 1
                longest = max(longest, length)
                reached |= 1 << corner
                slot = 3 if blocked >> corner & 1 else 0
            else:
                slot += 1
        elif length == 0:
            return longest, reached
        else:
            slot = path & 3
            edge = CORNER_EDGES[corner, slot]
            if edge < HALF:
                low ^= 1 << edge
            else:
                high ^= 1 << (edge - HALF)
            corner = CORNER_NEIGHBOURS[corner, slot]
            path >>= 2
            length -= 1
            slot += 1


@jit
def longest_road(s: CatanState, seat: int) -> int:
    """The length of a player's longest road, from scratch."""
    blocked = others_buildings(s, seat)
    longest = 0
    starts = s.network[seat]
    while starts:
        length, _ = trail_from(s.roads[seat, 0], s.roads[seat, 1], blocked, lowest(starts))
        longest = max(longest, length)
        starts &= starts - 1
    return longest


@jit
def road_added(s: CatanState, seat: int, edge: int) -> None:
    """Update the length after a new road: only a trail over the new road can be longer than before.

    Where the new road is the only link between its two ends, the longest trails to both sides cannot share a
    road and simply add up; only a closed ring needs the search from every corner.
    """
    low, high = s.roads[seat, 0], s.roads[seat, 1]
    if edge < HALF:
        low ^= 1 << edge
    else:
        high ^= 1 << (edge - HALF)
    blocked = others_buildings(s, seat)
    length = 1
    for end in range(2):
        corner, other = EDGE_CORNERS[edge, end], (EDGE_CORNERS[edge, 1 - end])
        if not blocked >> corner & 1:
            side, reached = trail_from(low, high, blocked, corner)
            if reached >> other & 1 and not blocked >> other & 1:
                s.road_length[seat] = longest_road(s, seat)
                return
            length += side
    s.road_length[seat] = max(s.road_length[seat], length)


@jit
def road_cut(s: CatanState, builder: int, corner: int) -> None:
    """Update the lengths after a settlement: it cuts the road of another player who has two roads at its corner."""
    for seat in range(s.seats):
        if seat != builder and s.network[seat] >> corner & 1:
            if count(s.roads[seat, 0] & EDGES_AT[corner, 0]) + count(s.roads[seat, 1] & EDGES_AT[corner, 1]) > 1:
                s.road_length[seat] = longest_road(s, seat)


@jit
def award_longest_road(s: CatanState) -> None:
    """Longest Road: at least 5; the holder keeps it on a tie.

    If the holder has lost the lead (the road was cut), the single leader takes the card; if several lead, or
    nobody has 5, it is set aside until one player alone leads.
    """
    longest, leader, leaders = 0, NOBODY, 0
    for seat in range(s.seats):
        length = s.road_length[seat]
        if length > longest:
            longest, leader, leaders = length, seat, 1
        elif length == longest:
            leaders += 1
    if longest < ROAD_MINIMUM:
        s.road_holder = NOBODY
    elif s.road_holder == NOBODY or s.road_length[s.road_holder] < longest:
        s.road_holder = leader if leaders == 1 else NOBODY


@jit
def award_largest_army(s: CatanState, seat: int) -> None:
    """Largest Army: the first with 3 knights; taken only by strictly more. `seat` has just played a knight."""
    knights = s.played[seat, KNIGHT]
    if knights >= ARMY_MINIMUM and (s.army_holder == NOBODY or knights > s.played[s.army_holder, KNIGHT]):
        s.army_holder = seat


@jit
def place_road(s: CatanState, seat: int, edge: int) -> None:
    """Put a road on the board and see to the length of the longest."""
    s.roads[seat, edge // HALF] |= 1 << (edge % HALF)
    s.network[seat] |= EDGE_MASK[edge]
    road_added(s, seat, edge)
    award_longest_road(s)
