"""What places are worth to a seat: a corner by one small function for each term of its score, a road, a hex for the robber.

Every number is fixed point (`SCALE` stands for 1), so that all devices agree; all weights of a corner are in one table. The
terms look at what the seat already has: a second settlement is judged together with the first.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.state import new_states
>>> states = new_states(Board.beginner())
>>> best = max(range(54), key=lambda corner: score_vertex(states[0], 0, corner))
>>> best, terms(states[0], 0, best)["pips: wheat"] / SCALE
(41, 5.0)
"""

from kibitz.catan.core.codes import SKIP_STEAL, STEAL
from kibitz.catan.core.rules.awards import others_buildings, trail_from
from kibitz.catan.core.rules.building import road_sites
from kibitz.catan.core.rules.costs import COSTS
from kibitz.catan.core.rules.production import DICE
from kibitz.catan.core.rules.robber import can_be_robbed, robber_hexes
from kibitz.catan.core.rules.trade import rate_at
from kibitz.catan.core.rules.turn import visible_points
from kibitz.catan.core.state import KINDS, CatanState
from kibitz.catan.core.topology import CORNER_HEXES, CORNER_NEIGHBOURS, EDGE_CORNERS, EDGE_MASK, HALF, HEX_MASK, NONE
from kibitz.ground.bits import count, lowest
from kibitz.ground.jit import Vector, jit, table

#: One, in the fixed-point numbers of this module.
SCALE = 100

# The terms: pips by resource (0 to 4, as the resources), then these.
DIVERSITY = KINDS
SCARCITY = DIVERSITY + 1
COVERAGE = SCARCITY + 1  # + A_ROAD, A_SETTLEMENT, A_CITY, A_CARD
HARBOUR = COVERAGE + 4
ROOM = HARBOUR + 1
EXPOSURE = ROOM + 1

#: What one unit of each term is worth. A pip of wheat is the measure: 1.
WEIGHTS_BY_NAME = {
    "pips: wood": 90,
    "pips: brick": 90,
    "pips: sheep": 80,
    "pips: wheat": 100,
    "pips: ore": 100,
    "diversity": 60,
    "scarcity": 30,
    "coverage: road": 40,
    "coverage: settlement": 60,
    "coverage: city": 60,
    "coverage: development card": 40,
    "harbour": 60,
    "room": 4,
    "exposure": -20,
}
WEIGHTS: Vector = table(list(WEIGHTS_BY_NAME.values()))
TERMS = len(WEIGHTS_BY_NAME)

#: How a corner can be measured: by its pips, or by all terms.
YIELD, SCORE = range(2)

#: Which of several equally good corners is taken: the first, or the one with the highest mark, which is the same on a turned
#: or mirrored island.
FIRST, MARKED = range(2)

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


@jit
def pips(number: int) -> int:
    """Of 36 throws, how many give this number."""
    return DICE[number - 2] if number else 0


@jit
def corner_pips(s: CatanState, corner: int) -> int:
    """The pips of the hexes around a corner."""
    total = 0
    for i in range(3):
        hex = CORNER_HEXES[corner, i]
        if hex != NONE:
            total += pips(s.number[hex])
    return total


@jit
def resource_pips(s: CatanState, corner: int, resource: int) -> int:
    """The pips of one resource around a corner."""
    total = 0
    for i in range(3):
        hex = CORNER_HEXES[corner, i]
        if hex != NONE and s.terrain[hex] == resource:
            total += pips(s.number[hex])
    return total


@jit
def seat_pips(s: CatanState, seat: int, resource: int) -> int:
    """The pips of one resource that a seat's buildings have; a city counts twice."""
    total = 0
    hexes = s.land[resource]
    while hexes:
        hex = lowest(hexes)
        buildings = count(s.settlements[seat] & HEX_MASK[hex]) + 2 * count(s.cities[seat] & HEX_MASK[hex])
        total += buildings * pips(s.number[hex])
        hexes &= hexes - 1
    return total


@jit
def board_pips(s: CatanState, resource: int) -> int:
    """The pips of one resource on the whole island."""
    total = 0
    hexes = s.land[resource]
    while hexes:
        total += pips(s.number[lowest(hexes)])
        hexes &= hexes - 1
    return total


@jit
def kinds_at(s: CatanState, corner: int) -> int:
    """The set of resources around a corner."""
    kinds = 0
    for i in range(3):
        hex = CORNER_HEXES[corner, i]
        if hex != NONE and s.number[hex]:
            kinds |= 1 << s.terrain[hex]
    return kinds


@jit
def kinds_of(s: CatanState, seat: int) -> int:
    """The set of resources that a seat's buildings produce."""
    kinds = 0
    corners = s.settlements[seat] | s.cities[seat]
    while corners:
        kinds |= kinds_at(s, lowest(corners))
        corners &= corners - 1
    return kinds


@jit
def diversity(s: CatanState, seat: int, corner: int) -> int:
    """How many resources a corner adds to those that the seat produces."""
    return SCALE * count(kinds_at(s, corner) & ~kinds_of(s, seat))


@jit
def scarcity(s: CatanState, corner: int) -> int:
    """Each pip counts by how much rarer its resource is on this island than on average; an abundant one counts less than 0.

    A pip of a resource with half of the average production has scarcity 1, with twice the average -1/2.
    """
    island, total = 0, 0
    for resource in range(KINDS):
        island += board_pips(s, resource)
    for resource in range(KINDS):
        here = resource_pips(s, corner, resource)
        if here:
            total += here * (SCALE * island // (KINDS * board_pips(s, resource)) - SCALE)
    return total


@jit
def covered(kinds: int, item: int) -> int:
    """The share of an item's price that is in these resources."""
    price, paid = 0, 0
    for resource in range(KINDS):
        price += COSTS[item, resource]
        if kinds >> resource & 1:
            paid += COSTS[item, resource]
    return SCALE * paid // price


@jit
def coverage(s: CatanState, seat: int, corner: int, item: int) -> int:
    """How much more of the price of a road, settlement, city or card the seat produces itself with this corner."""
    kinds = kinds_of(s, seat)
    return covered(kinds | kinds_at(s, corner), item) - covered(kinds, item)


@jit
def harbour(s: CatanState, seat: int, corner: int) -> int:
    """How many more cards the production of 36 throws would buy at the rates that a corner's harbour gives."""
    before = s.settlements[seat] | s.cities[seat]
    total = 0
    for resource in range(KINDS):
        old, new = rate_at(s, before, resource), rate_at(s, before | 1 << corner, resource)
        if new < old:
            production = seat_pips(s, seat, resource) + resource_pips(s, corner, resource)
            total += SCALE * production * (old - new) // (old * new)
    return total


@jit
def room(s: CatanState, corner: int) -> int:
    """The pips of the corners two roads away on which a settlement may still be built."""
    total = 0
    for i in range(3):
        between = CORNER_NEIGHBOURS[corner, i]
        if between != NONE:
            for j in range(3):
                further = CORNER_NEIGHBOURS[between, j]
                if further != NONE and further != corner and s.open >> further & 1:
                    total += corner_pips(s, further)
    return SCALE * total


@jit
def exposure(s: CatanState, corner: int) -> int:
    """What a robber on its best hex would take away: the pips of that hex."""
    worst = 0
    for i in range(3):
        hex = CORNER_HEXES[corner, i]
        if hex != NONE:
            worst = max(worst, pips(s.number[hex]))
    return SCALE * worst


@jit
def term(s: CatanState, seat: int, corner: int, which: int) -> int:
    """One term of the score, without its weight."""
    if which < DIVERSITY:
        return SCALE * resource_pips(s, corner, which)
    if which == DIVERSITY:
        return diversity(s, seat, corner)
    if which == SCARCITY:
        return scarcity(s, corner)
    if which < HARBOUR:
        return coverage(s, seat, corner, which - COVERAGE)
    if which == HARBOUR:
        return harbour(s, seat, corner)
    return room(s, corner) if which == ROOM else exposure(s, corner)


@jit
def score_vertex(s: CatanState, seat: int, corner: int) -> int:
    """What a settlement on a corner is worth to a seat: the sum of all terms by their weights."""
    total = 0
    for which in range(TERMS):
        total += WEIGHTS[which] * term(s, seat, corner, which)
    return total // SCALE


@jit
def hex_mark(s: CatanState, hex: int) -> int:
    """A number that tells hexes with different terrain or tokens apart."""
    return 16 * (s.terrain[hex] + 1) + s.number[hex]


@jit
def corner_mark(s: CatanState, corner: int) -> int:
    """A number that hardly any other corner has: it depends on the hexes around it, not on where on the island it lies."""
    mark = 0
    for i in range(3):
        hex = CORNER_HEXES[corner, i]
        if hex != NONE:
            mark += hex_mark(s, hex) * hex_mark(s, hex)
    return mark


@jit
def best_corner(s: CatanState, seat: int, corners: int, measure: int, ties: int) -> int:
    """Of `corners` the one with the highest score (measure `SCORE`) or with the most pips (`YIELD`)."""
    best, highest = lowest(corners), 0
    rest = corners
    while rest:
        corner = lowest(rest)
        value = score_vertex(s, seat, corner) if measure == SCORE else corner_pips(s, corner)
        if rest == corners or value > highest:
            best, highest = corner, value
        elif value == highest and ties == MARKED and corner_mark(s, corner) > corner_mark(s, best):
            best = corner
        rest &= rest - 1
    return best


def terms(s: CatanState, seat: int, corner: int) -> dict[str, int]:
    """Every term by its name, without its weight."""
    return {name: int(term(s, seat, corner, which)) for which, name in enumerate(WEIGHTS_BY_NAME)}


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
