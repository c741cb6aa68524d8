"""Building: roads, settlements and cities."""

from kibitz.ground.bits import count, lowest
from kibitz.catan.core import reasons as no
from kibitz.catan.core.codes import (
    BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, BUY_DEV, END_ROADS, PLACE_FREE_ROAD, PLACE_ROAD, list_each,
)  # fmt: skip
from kibitz.catan.core.rules.awards import award_longest_road, others_buildings, place_road, road_cut
from kibitz.catan.core.rules.costs import A_CARD, A_CITY, A_ROAD, A_SETTLEMENT, affords, pay
from kibitz.catan.core.rules.setup import next_setup, place_settlement
from kibitz.catan.core.rules.turn import resume
from kibitz.catan.core.state import CITIES, FREE_ROADS, ROADS, SETTLEMENTS, SETUP_ROAD, CatanState
from kibitz.catan.core.topology import EDGE_CORNERS, EDGE_MASK, EDGES_AT, HALF
from kibitz.game import Scratch
from kibitz.ground.jit import jit

#: The roads that Road Building gives.
FREE = 2


@jit
def reach(s: CatanState, seat: int) -> int:
    """The corners from which a player may build on: own buildings and ends of own roads, but not through others' buildings."""
    return (s.network[seat] | s.settlements[seat] | s.cities[seat]) & ~others_buildings(s, seat)


@jit
def roads_left(s: CatanState, seat: int) -> int:
    """Of 15 roads."""
    return ROADS - count(s.roads[seat, 0]) - count(s.roads[seat, 1])


@jit
def road_sites(s: CatanState, corners: int, half: int) -> int:
    """The free edges (of one half of them) at any of `corners`."""
    edges = 0
    while corners:
        edges |= EDGES_AT[lowest(corners), half]
        corners &= corners - 1
    for seat in range(s.seats):
        edges &= ~s.roads[seat, half]
    return edges


@jit
def has_road_site(s: CatanState) -> bool:
    """Whether the player has a road left and a place for it."""
    if roads_left(s, s.player) == 0:
        return False
    corners = reach(s, s.player)
    return road_sites(s, corners, 0) | road_sites(s, corners, 1) != 0


@jit
def list_roads(s: CatanState, x: Scratch, n: int, base: int, corners: int) -> int:
    """The free edges at `corners`."""
    n = list_each(x, n, base, road_sites(s, corners, 0))
    return list_each(x, n, base + HALF, road_sites(s, corners, 1))


@jit
def list_road_sites(s: CatanState, x: Scratch) -> int:
    """Where a road may go that costs nothing: at the settlement just placed, or for Road Building at the network."""
    if s.phase == SETUP_ROAD:
        return list_roads(s, x, 0, PLACE_ROAD, 1 << s.corner)
    n = list_roads(s, x, 0, PLACE_FREE_ROAD, reach(s, s.player))
    if refuse_end_roads(s) == 0:
        x.actions[n] = END_ROADS
        n += 1
    return n


@jit
def settlement_sites(s: CatanState, seat: int) -> int:
    """A settlement needs a road of the player's own to it, and no building on the corners next to it."""
    return s.open & s.network[seat]


@jit
def list_builds(s: CatanState, x: Scratch, n: int) -> int:
    """What the player can pay for, has pieces left for, and has a place for."""
    seat = s.player
    if affords(s, seat, A_ROAD) and roads_left(s, seat):
        n = list_roads(s, x, n, BUILD_ROAD, reach(s, seat))
    if affords(s, seat, A_SETTLEMENT) and count(s.settlements[seat]) < SETTLEMENTS:
        n = list_each(x, n, BUILD_SETTLEMENT, settlement_sites(s, seat))
    if affords(s, seat, A_CITY) and count(s.cities[seat]) < CITIES:
        n = list_each(x, n, BUILD_CITY, s.settlements[seat])
    if affords(s, seat, A_CARD) and s.deck_size:
        x.actions[n] = BUY_DEV
        n += 1
    return n


@jit
def refuse_edge(s: CatanState, edge: int, corners: int, reason: int) -> int:
    """A road needs a free edge that touches one of `corners`."""
    for seat in range(s.seats):
        if s.roads[seat, edge // HALF] >> (edge % HALF) & 1:
            return no.EDGE_TAKEN
    touches = (corners >> EDGE_CORNERS[edge, 0] | corners >> EDGE_CORNERS[edge, 1]) & 1
    return 0 if touches else reason


@jit
def refuse_road(s: CatanState, edge: int) -> int:
    """Roads continue the player's own network."""
    if roads_left(s, s.player) == 0:
        return no.NO_ROADS_LEFT
    touched = s.network[s.player] & EDGE_MASK[edge]
    return refuse_edge(s, edge, reach(s, s.player), no.BLOCKED_BY_BUILDING if touched else no.NOT_CONNECTED)


@jit
def refuse_end_roads(s: CatanState) -> int:
    """Road Building: "you may place two", so one or both can be declined (in phased turns only the second)."""
    return no.PLACE_FIRST_ROAD if s.phased_turns and s.free_roads == FREE else 0


@jit
def refuse_corner(s: CatanState, corner: int) -> int:
    """The distance rule."""
    for seat in range(s.seats):
        if (s.settlements[seat] | s.cities[seat]) >> corner & 1:
            return no.CORNER_TAKEN
    return 0 if s.open >> corner & 1 else no.TOO_CLOSE


@jit
def refuse_settlement(s: CatanState, corner: int) -> int:
    """The counterpart of `settlement_sites` for one corner."""
    if count(s.settlements[s.player]) >= SETTLEMENTS:
        return no.NO_SETTLEMENTS_LEFT
    reason = refuse_corner(s, corner)
    if reason == 0 and not s.network[s.player] >> corner & 1:
        return no.NO_ROAD_TO_CORNER
    return reason


@jit
def refuse_city(s: CatanState, corner: int) -> int:
    """A city replaces one of the player's own settlements."""
    if count(s.cities[s.player]) >= CITIES:
        return no.NO_CITIES_LEFT
    return 0 if s.settlements[s.player] >> corner & 1 else no.NOT_YOUR_SETTLEMENT


@jit
def refuse_payment(s: CatanState, reason: int, item: int) -> int:
    """A broken rule comes before an empty purse."""
    if reason:
        return reason
    return 0 if affords(s, s.player, item) else no.CANNOT_PAY


@jit
def build_road(s: CatanState, edge: int) -> None:
    """A road: placed in set-up, free with Road Building, else paid for."""
    place_road(s, s.player, edge)
    if s.phase == SETUP_ROAD:
        next_setup(s)
        return
    if s.phase == FREE_ROADS:
        s.free_roads -= 1
        if s.free_roads == 0 or not has_road_site(s):
            end_road_building(s)
    else:
        pay(s, s.player, A_ROAD)


@jit
def end_road_building(s: CatanState) -> None:
    """No more free roads: both are placed, the next has no place or piece, or the player declines it."""
    s.free_roads = 0
    resume(s)


@jit
def build_settlement(s: CatanState, corner: int) -> None:
    """Pay and place a settlement; it may cut another player's road."""
    pay(s, s.player, A_SETTLEMENT)
    place_settlement(s, s.player, corner)
    road_cut(s, s.player, corner)
    award_longest_road(s)


@jit
def build_city(s: CatanState, corner: int) -> None:
    """Pay for a city; the settlement goes back to the player's pieces."""
    pay(s, s.player, A_CITY)
    s.settlements[s.player] ^= 1 << corner
    s.cities[s.player] |= 1 << corner
