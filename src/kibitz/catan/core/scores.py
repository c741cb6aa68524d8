"""What a corner is worth to a seat: one small function for each term of the score, all weights in one table.

Every number is fixed point (`SCALE` stands for 1), so that all devices agree. The terms look at what the seat already
has: a second settlement is judged together with the first.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.state import new_states
>>> states = new_states(Board.beginner())
>>> best = max(range(54), key=lambda corner: score_vertex(states[0], 0, corner))
>>> best, terms(states[0], 0, best)["pips: wheat"] / SCALE
(41, 5.0)
"""

from __future__ import annotations

from kibitz.catan.core.rules.costs import COSTS
from kibitz.catan.core.rules.production import DICE
from kibitz.catan.core.rules.trade import rate_at
from kibitz.catan.core.state import KINDS, CatanState
from kibitz.catan.core.topology import CORNER_HEXES, CORNER_NEIGHBOURS, HEX_MASK, NONE
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
