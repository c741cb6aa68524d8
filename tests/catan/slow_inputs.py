"""The inputs of Catan's evaluator, worked out step by step: hex by hex, edge by edge, in plain Python.

`kibitz.catan.core.features` finds the same numbers many times as fast.
"""

import numpy as np

from kibitz.catan.core import builder_policy, scores, topology
from kibitz.catan.core.builder_policy import BARTER, INCOME, RATE, STEPS
from kibitz.catan.core.layout import (
    ALL_INCOME,
    ARMY,
    AT_ONCE,
    BARTER_AT,
    BLOCKED,
    BY_NUMBER,
    CARDS,
    CITIES_AT,
    DECK_AT,
    DECK_CARDS,
    FAR,
    HAND,
    HAND_SIZE,
    IN,
    INPUTS,
    KINDS_AT,
    KNIGHTS,
    KNIGHTS_TO_LEAD,
    LACKING,
    LONGEST,
    MANY,
    MOST,
    MUST_DISCARD,
    NUMBERS,
    OLD_CARDS,
    OPEN_ENDS,
    OVER_LIMIT,
    OWN_PIPS,
    OWN_TURN,
    OWN_WORTH,
    OWNED,
    PAYABLE,
    POINTS,
    RATES_AT,
    ROAD,
    ROADS_LEFT,
    ROADS_TO_LEAD,
    ROUND,
    SECOND_WORTH,
    SETTLED,
    SITE_PIPS,
    SITE_SOON,
    SITE_WORTH,
    SITES,
    SOON_AT,
    STEPS_SEEN,
    SUPPLY_AT,
    TO_GO,
    TURN,
    UPGRADE,
)  # fmt: skip
from kibitz.catan.core.rules import awards, building, costs, trade, turn
from kibitz.catan.core.rules.awards import ARMY_MINIMUM
from kibitz.catan.core.rules.costs import A_CITY, A_ROAD, A_SETTLEMENT
from kibitz.catan.core.state import (
    CITIES,
    KINDS,
    KNIGHT,
    MAIN,
    NOBODY,
    ROAD_BUILDING,
    ROBBER_DISCARD,
    ROBBER_MOVE,
    SETTLEMENTS,
    TRADE,
    TRADE_ANSWER,
    TRADE_CHOICE,
    TURN_START,
    VICTORY_POINT,
    CatanState,
    Notes,
)  # fmt: skip
from kibitz.catan.core.topology import HALF, NONE
from kibitz.ground.jit import plain

knights_to_lead, roads_to_lead = plain(builder_policy.knights_to_lead), plain(builder_policy.roads_to_lead)
others_buildings, total_points, corner_pips = (
    plain(awards.others_buildings),
    plain(turn.total_points),
    plain(scores.corner_pips),
)
reach, roads_left, rate_at = plain(building.reach), plain(building.roads_left), plain(trade.rate_at)

# As Python's integers, which do not overflow.
COSTS, CORNER_HEXES, EDGE_MASK, EDGES_AT = (
    np.asarray(table).astype(object) for table in (costs.COSTS, topology.CORNER_HEXES, topology.EDGE_MASK, topology.EDGES_AT)
)


def count(mask: int) -> int:
    """How many numbers are in a set."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """The smallest of them."""
    return (int(mask) & -int(mask)).bit_length() - 1


#: A wait (in tenths of a throw) after which something counts half, and the longest that is told apart.
PATIENCE, LONG = 40, 4000
#: By the wait: a number that falls from `MOST` as it grows.
SOON_BY_WAIT = [MOST * PATIENCE // (PATIENCE + wait) for wait in range(LONG + 1)]
#: By the rate and the number of cards to spare, how many cards the supply gives for them.
BARTERED = [[n // max(1, rate) for n in range(128)] for rate in range(5)]
#: By the rate, how many twelfths of a card it gives for one.
TWELFTHS = [0, 0, 6, 4, 3]
#: By the number on a hex, its pips, and its place among the inputs.
PIPS = [6 - abs(7 - n) if n >= 2 and n != 7 else 0 for n in range(13)]
PLACE_OF = [0, 0, 0, 1, 2, 3, 4, 0, 5, 6, 7, 8, 9]
#: What 65536 divided by a number is.
PARTS = [0] + [65536 // n for n in range(1, 64)]
#: In the notes, for each resource: tenths of throws until one card of it comes, half of all production being traded for it.
PACE = STEPS + 1


def inputs(s: CatanState, x: Notes) -> int:
    """Write the numbers of all seats to ``x.inputs``; how many for each."""
    for i in range(s.seats * INPUTS):
        x.inputs[i] = 0
    note_reach(s, x)
    for seat in range(s.seats):
        base = seat * INPUTS
        describe_production(s, x, seat, base)
        describe_hand(s, x, seat, base)
        describe_prices(s, x, seat, base)
        describe_sites(s, x, seat, base)
        describe_pieces(s, x, seat, base)
        describe_cards(s, x, seat, base)
        describe_end(s, x, seat, base)
        describe_turn(s, x, seat, base)
    return INPUTS


# --- production and the hand --------------------------------------------------------------------------------


def describe_production(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """Pips by resource, what the robber blocks, rates of trade, what each throw brings, and on how many something comes.

    Income (the robber's hex counts half: it will move on), rates and how fast cards come are noted, for `describe_prices`.
    """
    numbers = 0
    corners, each = s.settlements[seat], 1
    for _ in range(2):
        while corners:
            corner = lowest(corners)
            for i in range(3):
                hex = CORNER_HEXES[corner, i]
                if hex != NONE and s.number[hex]:
                    number, resource = s.number[hex], s.terrain[hex]
                    x.inputs[base + IN + resource] += each * PIPS[number]
                    if hex == s.robber:
                        x.inputs[base + BLOCKED + resource] += each * PIPS[number]
                    else:
                        numbers |= 1 << number
                        x.inputs[base + BY_NUMBER + PLACE_OF[number]] += each
            corners &= corners - 1
        corners, each = s.cities[seat], 2
    unblocked, barter, kinds = 0, 0, 0
    buildings = s.settlements[seat] | s.cities[seat]
    for resource in range(KINDS):
        total, blocked = x.inputs[base + IN + resource], x.inputs[base + BLOCKED + resource]
        rate = rate_at(s, buildings, resource)
        x.notes[INCOME + resource], x.notes[RATE + resource] = total - blocked + blocked // 2, rate
        barter += TWELFTHS[rate] * x.notes[INCOME + resource]
        x.inputs[base + RATES_AT + resource] = 4 - rate
        unblocked += total - blocked
        kinds += 1 if total else 0
    for resource in range(KINDS):
        x.notes[PACE + resource] = 360 * 12 // (12 * x.notes[INCOME + resource] + barter // 2 + 1)
    x.notes[BARTER] = barter
    x.inputs[base + BARTER_AT], x.inputs[base + ALL_INCOME] = min(MOST, barter // 2), min(MOST, unblocked)
    x.inputs[base + KINDS_AT], x.inputs[base + NUMBERS] = kinds, throws_of(numbers)


def throws_of(numbers: int) -> int:
    """Of 36 throws, how many give one of these numbers."""
    throws = 0
    while numbers:
        throws += PIPS[lowest(numbers)]
        numbers &= numbers - 1
    return throws


def describe_hand(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """Cards by resource, and how many there are; what the supply still has of each."""
    size = s.hand_size[seat]
    x.inputs[base + HAND_SIZE], x.inputs[base + OVER_LIMIT] = min(MOST, size), max(0, size - s.discard_limit)
    x.inputs[base + MUST_DISCARD] = s.discards[seat]
    for resource in range(KINDS):
        n = s.hand[seat, resource]
        x.inputs[base + HAND + resource], x.inputs[base + MANY + resource] = min(n, 8), max(0, min(n - 2, 8))
        x.inputs[base + SUPPLY_AT + resource] = min(4, s.bank[resource])


def soon(wait: int) -> int:
    """A number that falls from `MOST` as a wait (in tenths of a throw) grows."""
    return SOON_BY_WAIT[min(LONG, wait)]


def describe_prices(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """For each purchase: what is lacking, whether the hand pays for it (as it is, after trades), and how soon it will.

    The rarest resource decides how soon; spare cards that the supply takes now shorten the wait. For settlements that need
    roads first this is told once more for each road.
    """
    for item in range(4 + STEPS_SEEN - 1):
        roads = max(0, item - 3)
        lacking, spare, slowest = 0, 0, 0
        for resource in range(KINDS):
            price = COSTS[A_SETTLEMENT, resource] + roads * COSTS[A_ROAD, resource] if roads else COSTS[item, resource]
            miss = price - s.hand[seat, resource]
            if miss > 0:
                lacking += miss
                slowest = max(slowest, miss * x.notes[PACE + resource])
            else:
                spare += BARTERED[x.notes[RATE + resource]][min(127, -miss)]
        wait = 0 if lacking <= spare else slowest * (lacking - spare) * PARTS[lacking] >> 16
        if roads:
            x.inputs[base + SITE_SOON + roads - 1] = soon(wait)
        else:
            x.inputs[base + LACKING + item], x.inputs[base + SOON_AT + item] = lacking, soon(wait)
            x.inputs[base + OWNED + item], x.inputs[base + PAYABLE + item] = (
                1 if lacking == 0 else 0,
                1 if lacking <= spare else 0,
            )


# --- places -------------------------------------------------------------------------------------------------


def onward(corners: int, taken_low: int, taken_high: int) -> int:
    """The corners at both ends of the free edges at `corners`."""
    found = 0
    while corners:
        corner = lowest(corners)
        low, high = EDGES_AT[corner, 0] & ~taken_low, EDGES_AT[corner, 1] & ~taken_high
        while low:
            found |= EDGE_MASK[lowest(low)]
            low &= low - 1
        while high:
            found |= EDGE_MASK[HALF + lowest(high)]
            high &= high - 1
        corners &= corners - 1
    return found


def note_reach(s: CatanState, x: Notes) -> None:
    """Where each seat could settle, into ``x.sites``: at once, and after one, two and three roads; and its open ends."""
    taken_low, taken_high = 0, 0
    for seat in range(s.seats):
        taken_low |= s.roads[seat, 0]
        taken_high |= s.roads[seat, 1]
    for seat in range(s.seats):
        blocked, ends = others_buildings(s, seat), reach(s, seat)
        known = s.network[seat] | ends
        left = roads_left(s, seat)
        note_open_ends(s, x, seat, ends & s.network[seat], blocked, taken_low, taken_high)
        x.sites[seat * STEPS_SEEN] = s.network[seat] & s.open
        for steps in range(1, STEPS_SEEN):
            further = onward(ends, taken_low, taken_high) & ~known if left >= steps else 0
            known |= further
            x.sites[seat * STEPS_SEEN + steps] = further & s.open
            ends = further & ~blocked


def note_open_ends(s: CatanState, x: Notes, seat: int, corners: int, blocked: int, taken_low: int, taken_high: int) -> None:
    """How many ends of a seat's roads could go on by a road to a corner where nobody else has built, and by two."""
    one, two = 0, 0
    low, high = s.roads[seat, 0], s.roads[seat, 1]
    while corners:
        corner = lowest(corners)
        if count(low & EDGES_AT[corner, 0]) + count(high & EDGES_AT[corner, 1]) == 1:
            further = onward(1 << corner, taken_low, taken_high) & ~(blocked | 1 << corner)
            one += 1 if further else 0
            two += 1 if onward(further, taken_low, taken_high) & ~(further | 1 << corner) else 0
        corners &= corners - 1
    x.inputs[seat * INPUTS + OPEN_ENDS], x.inputs[seat * INPUTS + OPEN_ENDS + 1] = one, two


def describe_sites(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """By the number of roads to them: how many sites there are, and the best; also the best that nobody else is as near to.

    A site is worth its pips, which count more the less there is of them, and its harbour.
    """
    rivals = 0  # corners that somebody else reaches with no more roads
    best, second = 0, 0
    harbours = s.harbours[0]
    for resource in range(KINDS):
        harbours |= s.harbours[1 + resource]
    for steps in range(STEPS_SEEN):
        for other in range(s.seats):
            if other != seat:
                rivals |= x.sites[other * STEPS_SEEN + steps]
        corners = x.sites[seat * STEPS_SEEN + steps]
        x.inputs[base + SITES + steps] = count(corners)
        while corners:
            corner = lowest(corners)
            many, worth = 0, 0
            for i in range(3):
                hex = CORNER_HEXES[corner, i]
                if hex != NONE and s.number[hex]:
                    have, pips = x.inputs[base + IN + s.terrain[hex]], PIPS[s.number[hex]]
                    many += pips
                    worth += pips * (6 if have == 0 else 4 if have < 4 else 3)
            if harbours >> corner & 1:
                worth += harbour_worth(s, x, base, corner)
            worth = min(MOST, worth)
            raise_to(x, base + SITE_PIPS + steps, many)
            raise_to(x, base + SITE_WORTH + steps, worth)
            if rivals >> corner & 1 == 0:
                raise_to(x, base + OWN_PIPS + steps, many)
                raise_to(x, base + OWN_WORTH + steps, worth)
            if worth > best:
                best, second = worth, best
            else:
                second = max(second, worth)
            corners &= corners - 1
    x.inputs[base + SECOND_WORTH] = second


def harbour_worth(s: CatanState, x: Notes, base: int, corner: int) -> int:
    """What the harbour of a corner would add."""
    for resource in range(KINDS):
        if s.harbours[1 + resource] >> corner & 1:
            return 2 * x.inputs[base + IN + resource]
    return 8


def raise_to(x: Notes, at: int, least: int) -> None:
    """Make an input no less than this."""
    x.inputs[at] = max(x.inputs[at], least)


# --- pieces and cards ---------------------------------------------------------------------------------------


def describe_pieces(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """Settlements, cities and roads, and the pips of the two best settlements that could become cities."""
    best, second = 0, 0
    corners = s.settlements[seat]
    while corners:
        many = corner_pips(s, lowest(corners))
        if many > best:
            best, second = many, best
        else:
            second = max(second, many)
        corners &= corners - 1
    cities = count(s.cities[seat])
    if cities < CITIES:
        x.inputs[base + UPGRADE], x.inputs[base + UPGRADE + 1] = best, second
    x.inputs[base + SETTLED], x.inputs[base + CITIES_AT] = count(s.settlements[seat]), cities
    x.inputs[base + ROADS_LEFT], x.inputs[base + ROAD] = roads_left(s, seat), s.road_length[seat]


def describe_cards(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """Development cards held and played, and how far the two special cards are, or how safe."""
    for card in range(KINDS):
        x.inputs[base + CARDS + card], x.inputs[base + DECK_CARDS + card] = s.dev[seat, card], s.deck[card]
    bought_now = s.new_dev_size - s.new_dev[VICTORY_POINT] if seat == s.player else 0
    x.inputs[base + OLD_CARDS] = s.dev_size[seat] - s.dev[seat, VICTORY_POINT] - bought_now
    x.inputs[base + KNIGHTS], x.inputs[base + DECK_AT] = s.played[seat, KNIGHT], s.deck_size
    x.inputs[base + KNIGHTS_TO_LEAD + min(3, knights_to_lead(s, seat))] = 1
    x.inputs[base + ROADS_TO_LEAD + min(4, roads_to_lead(s, seat))] = 1
    knights, road = 0, 0
    for other in range(s.seats):
        if other != seat:
            knights = max(knights, s.played[other, KNIGHT] + s.dev[other, KNIGHT])
            road = max(road, s.road_length[other])
    if s.army_holder == seat:
        x.inputs[base + ARMY] = 1
        x.inputs[base + ARMY + 1] = max(0, min(5, 3 + s.played[seat, KNIGHT] + s.dev[seat, KNIGHT] - knights))
    if s.road_holder == seat:
        x.inputs[base + LONGEST] = 1
        x.inputs[base + LONGEST + 1] = max(0, min(5, 1 + s.road_length[seat] - road))


# --- points and the turn ------------------------------------------------------------------------------------


def describe_end(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """Points, and whether a purchase or a card that is at hand wins: one of them, or several together."""
    points = total_points(s, seat)
    to_go = max(1, min(FAR, s.victory_points - points))
    x.inputs[base + TO_GO + to_go - 1], x.inputs[base + POINTS] = 1, points
    most, together = 0, 0
    if x.inputs[base + PAYABLE + A_CITY] and x.inputs[base + UPGRADE]:
        most, together = 1, 1
    if x.inputs[base + PAYABLE + A_SETTLEMENT] and x.inputs[base + SITES] and count(s.settlements[seat]) < SETTLEMENTS:
        most, together = 1, together + 1
    leading = ARMY_MINIMUM if s.army_holder == NOBODY else s.played[s.army_holder, KNIGHT] + 1
    plays = 0 if s.army_holder == seat else max(0, leading - s.played[seat, KNIGHT])
    if s.army_holder != seat and plays <= 1 and s.dev[seat, KNIGHT]:
        most, together = 2, together + 2
    roads = roads_to_lead(s, seat)
    if (roads == 1 and x.inputs[base + PAYABLE + A_ROAD]) or (0 < roads <= 2 and s.dev[seat, ROAD_BUILDING]):
        most, together = 2, together + 2
    x.inputs[base + AT_ONCE], x.inputs[base + AT_ONCE + 1] = 1 if most >= to_go else 0, 1 if together >= to_go else 0
    x.inputs[base + AT_ONCE + 2] = min(5, plays)


def describe_turn(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """How soon it is the seat's turn; in its own turn, what has been done in it already."""
    x.inputs[base + TURN + (seat - s.player) % s.seats] = 1
    x.inputs[base + ROUND] = min(MOST, s.turn)
    if seat == s.player:
        phase, at = s.phase, base + OWN_TURN
        x.inputs[at], x.inputs[at + 1] = 1 if s.roll else 0, 1 if phase == MAIN or phase == TRADE else 0
        x.inputs[at + 2], x.inputs[at + 3] = s.dev_done, 1 if phase == ROBBER_DISCARD or phase == ROBBER_MOVE else 0
        x.inputs[at + 4], x.inputs[at + 5] = s.free_roads, 1 if phase == TRADE_ANSWER or phase == TRADE_CHOICE else 0
        x.inputs[at + 6], x.inputs[at + 7] = 1 if phase == TURN_START else 0, s.placed
