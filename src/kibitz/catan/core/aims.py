"""Where a road should lead and where the robber should go: measures that the policies share."""

from __future__ import annotations

from kibitz.catan.core.codes import SKIP_STEAL, STEAL
from kibitz.catan.core.rules.awards import others_buildings, trail_from
from kibitz.catan.core.rules.building import road_sites
from kibitz.catan.core.rules.robber import can_be_robbed, robber_hexes
from kibitz.catan.core.rules.turn import visible_points
from kibitz.catan.core.scores import MARKED, SCORE, corner_mark, corner_pips, hex_mark, pips, score_vertex
from kibitz.catan.core.state import CatanState
from kibitz.catan.core.topology import CORNER_NEIGHBOURS, EDGE_CORNERS, EDGE_MASK, HALF, HEX_MASK, NONE
from kibitz.ground.bits import count, lowest
from kibitz.ground.jit import jit

#: A road is measured by the new corner that it leads to (`YIELD`, `SCORE`), by the best place for a settlement there or
#: one step further, or by how much longer it makes the longest road.
PROSPECT, LENGTH = 2, 3

#: Whom the robber goes for: all others alike, or rather those with many points.
ALIKE, LEADERS = 0, 1

# The robber: what a hex is worth by the pips of its number, in hundredths.
THEIR_SETTLEMENT, THEIR_CITY, OWN_SETTLEMENT, OWN_CITY = 100, 140, -45, -85
SOMEBODY_TO_ROB = 200
# Where leaders count more: a player counts by visible points and this, oneself as much as a player with 8 of both.
LEADER_BASE, OWN_WEIGHT = 2, 8
#: A point counts as much as so many cards when a leader is robbed.
POINT_IN_CARDS = 8


# --- roads ------------------------------------------------------------------------------------------------


@jit
def one_road_on(s: CatanState, corners: int) -> int:
    """The corners that one more road would reach from `corners`."""
    found = 0
    for half in range(2):
        edges = road_sites(s, corners, half)
        while edges:
            found |= EDGE_MASK[half * HALF + lowest(edges)]
            edges &= edges - 1
    return found & ~corners


@jit
def prospect(s: CatanState, corner: int) -> int:
    """The pips of the best open corner here (they count twice) or one step further."""
    if s.open >> corner & 1:
        return 1 + 2 * corner_pips(s, corner)
    best = 0
    for i in range(3):
        further = CORNER_NEIGHBOURS[corner, i]
        if further != NONE and s.open >> further & 1:
            best = max(best, corner_pips(s, further))
    return best


@jit
def length_with(s: CatanState, seat: int, edge: int) -> int:
    """The longest trail over a new road, if the trails on both sides do not meet (else a little too much)."""
    blocked = others_buildings(s, seat)
    length = 1
    for end in range(2):
        corner = EDGE_CORNERS[edge, end]
        if s.network[seat] >> corner & 1 and not blocked >> corner & 1:
            side, _ = trail_from(s.roads[seat, 0], s.roads[seat, 1], blocked, corner)
            length += side
    return length


@jit
def road_value(s: CatanState, seat: int, edge: int, measure: int) -> int:
    """How good a road is by one of the measures; below 0: not at all."""
    if measure == LENGTH:
        return length_with(s, seat, edge) - s.road_length[seat] - 1
    best = 0
    for end in range(2):
        corner = EDGE_CORNERS[edge, end]
        if not (s.network[seat] | s.settlements[seat] | s.cities[seat]) >> corner & 1:
            if measure == PROSPECT:
                best = max(best, prospect(s, corner))
            else:
                best = max(best, score_vertex(s, seat, corner) if measure == SCORE else corner_pips(s, corner))
    return best


@jit
def edge_mark(s: CatanState, edge: int) -> int:
    """As `corner_mark`, for an edge."""
    return corner_mark(s, EDGE_CORNERS[edge, 0]) + corner_mark(s, EDGE_CORNERS[edge, 1])


@jit
def best_road(s: CatanState, seat: int, corners: int, ends: int, measure: int, ties: int) -> int:
    """The best free edge between one of `corners` and one of `ends`; `NONE` if there is none."""
    best, highest = NONE, -1
    for half in range(2):
        edges = road_sites(s, corners, half)
        while edges:
            edge = half * HALF + lowest(edges)
            if EDGE_MASK[edge] & ends:
                value = road_value(s, seat, edge, measure)
                if value > highest:
                    best, highest = edge, value
                elif value == highest and best != NONE and ties == MARKED and edge_mark(s, edge) > edge_mark(s, best):
                    best = edge
            edges &= edges - 1
    return best


# --- the robber -------------------------------------------------------------------------------------------


@jit
def robber_score(s: CatanState, seat: int, hex: int, whom: int) -> int:
    """What a robber on a hex costs others (under `LEADERS` by their points), less what it costs oneself.

    There is a bonus if there is somebody to rob.
    """
    pressure, victim = 0, 0
    for other in range(s.seats):
        settlements, cities = count(s.settlements[other] & HEX_MASK[hex]), count(s.cities[other] & HEX_MASK[hex])
        if settlements + cities == 0:
            continue
        if other == seat:
            pressure += (OWN_WEIGHT if whom == LEADERS else 1) * (OWN_SETTLEMENT * settlements + OWN_CITY * cities)
        else:
            weight = LEADER_BASE + visible_points(s, other) if whom == LEADERS else 1
            pressure += weight * (THEIR_SETTLEMENT * settlements + THEIR_CITY * cities)
            if s.hand_size[other]:
                victim = max(victim, weight)
    return pressure * pips(s.number[hex]) + SOMEBODY_TO_ROB * victim


@jit
def best_hex(s: CatanState, seat: int, whom: int, ties: int) -> int:
    """The hex with the highest score."""
    hexes = robber_hexes(s)
    best, highest, first = NONE, 0, hexes
    while hexes:
        hex = lowest(hexes)
        score = robber_score(s, seat, hex, whom)
        if hexes == first or score > highest:
            best, highest = hex, score
        elif score == highest and ties == MARKED and hex_mark(s, hex) > hex_mark(s, best):
            best = hex
        hexes &= hexes - 1
    return best


@jit
def best_victim(s: CatanState, whom: int) -> int:
    """Whom to rob: the largest hand (under `LEADERS` points count, too, if there is a card to take)."""
    best, highest = SKIP_STEAL, -1
    for seat in range(s.seats):
        if can_be_robbed(s, seat):
            worth = s.hand_size[seat]
            if whom == LEADERS and worth:
                worth += POINT_IN_CARDS * visible_points(s, seat)
            if worth > highest:
                best, highest = STEAL + seat, worth
    return best
