"""What the evaluator looks at: for each seat a list of small numbers, the same on a turned or mirrored island.

Nothing here depends on how corners, edges or seats are numbered: places count by what lies around them, seats by their place in
the order of turns. All numbers lie between 0 and `MOST`.
"""

from kibitz.catan.core.builder_policy import BARTER, INCOME, RATE, delay, knights_to_lead, roads_to_lead
from kibitz.catan.core.layout import (
    FAR, INPUTS, MOST, STEPS_SEEN, TO_GO, POINTS, HAND, MANY, HAND_SIZE, OVER_LIMIT, IN, BLOCKED, ALL_INCOME, NUMBERS, RATES_AT, BARTER_AT, LACKING, PAYABLE, OWNED, SOON_AT, SITE_SOON, SITES, SITE_PIPS, SITE_WORTH, OWN_PIPS, OWN_WORTH, SECOND_WORTH, UPGRADE, SETTLED, CITIES_AT, ROADS_LEFT, CARDS, OLD_CARDS, KNIGHTS, KNIGHTS_TO_LEAD, ARMY, ROAD, ROADS_TO_LEAD, LONGEST, AT_ONCE, TURN, OWN_TURN, MUST_DISCARD, ROUND, DECK_AT, SUPPLY_AT, KINDS_AT,
)  # fmt: skip
from kibitz.catan.core.rules.awards import ARMY_MINIMUM, others_buildings
from kibitz.catan.core.rules.building import reach, roads_left
from kibitz.catan.core.rules.costs import A_CARD, A_CITY, A_ROAD, A_SETTLEMENT, COSTS
from kibitz.catan.core.rules.trade import rate_at
from kibitz.catan.core.rules.turn import total_points
from kibitz.catan.core.scores import corner_pips, pips
from kibitz.catan.core.state import (
    CITIES, GAME_OVER, KINDS, KNIGHT, MAIN, ROBBER_DISCARD, ROBBER_MOVE, SEATS, SETTLEMENTS, TRADE, TRADE_ANSWER, TRADE_CHOICE, TURN_START, DEV_PLAY, BUILD, FREE_ROADS,
    VICTORY_POINT, YEAR_OF_PLENTY, MONOPOLY, ROAD_BUILDING, NOBODY, CatanState, Notes,
)  # fmt: skip
from kibitz.catan.core.topology import CORNER_EDGES, CORNER_HEXES, CORNER_NEIGHBOURS, HALF, HEX_MASK, NONE
from kibitz.ground.bits import count, lowest
from kibitz.ground.jit import jit


@jit
def soon(wait: int) -> int:
    """A number that falls from 127 as a wait (in tenths of a throw) grows."""
    return 127 * 40 // (40 + wait)


@jit
def onward(s: CatanState, corners: int, taken0: int, taken1: int) -> int:
    """The corners at the other ends of the free edges at `corners`."""
    found = 0
    while corners:
        corner = lowest(corners)
        for slot in range(3):
            edge = CORNER_EDGES[corner, slot]
            if edge != NONE:
                taken = taken0 >> edge if edge < HALF else taken1 >> (edge - HALF)
                if taken & 1 == 0:
                    found |= 1 << CORNER_NEIGHBOURS[corner, slot]
        corners &= corners - 1
    return found


@jit
def note_reach(s: CatanState, x: Notes) -> None:
    """Where each seat could settle: at once, and after one, two and three roads."""
    taken0, taken1 = 0, 0
    for seat in range(s.seats):
        taken0 |= s.roads[seat, 0]
        taken1 |= s.roads[seat, 1]
    for seat in range(s.seats):
        blocked = others_buildings(s, seat)
        own = reach(s, seat)
        known = s.network[seat] | own
        x.sites[seat * STEPS_SEEN] = s.network[seat] & s.open
        edge = own
        left = roads_left(s, seat)
        for steps in range(1, STEPS_SEEN):
            further = onward(s, edge, taken0, taken1) & ~known if left >= steps else 0
            known |= further
            x.sites[seat * STEPS_SEEN + steps] = further & s.open
            edge = further & ~blocked


@jit
def worth_of(s: CatanState, x: Notes, base: int, corner: int) -> int:
    """What a settlement on a corner would add: pips, more for what is not produced yet, and its harbour."""
    worth = 0
    for i in range(3):
        hex = CORNER_HEXES[corner, i]
        if hex != NONE and s.number[hex]:
            many = pips(s.number[hex])
            have = x.inputs[base + IN + s.terrain[hex]]
            worth += many * (6 if have == 0 else 4 if have < 4 else 3)
    if s.harbours[0] >> corner & 1:
        worth += 8
    for resource in range(KINDS):
        if s.harbours[1 + resource] >> corner & 1:
            worth += 2 * x.inputs[base + IN + resource]
    return min(MOST, worth)


@jit
def describe_seat(s: CatanState, x: Notes, seat: int) -> None:
    """Write the numbers of a seat into ``x.inputs``."""
    base = seat * INPUTS
    for i in range(INPUTS):
        x.inputs[base + i] = 0
    # points
    points = total_points(s, seat)
    togo = max(1, min(FAR, s.victory_points - points))
    x.inputs[base + TO_GO + togo - 1] = 1
    x.inputs[base + POINTS] = points
    # production
    corners_s, corners_c = s.settlements[seat], s.cities[seat]
    numbers, income, barter, kinds = 0, 0, 0, 0
    for resource in range(KINDS):
        hexes = s.land[resource]
        total, blocked = 0, 0
        while hexes:
            hex = lowest(hexes)
            buildings = count(corners_s & HEX_MASK[hex]) + 2 * count(corners_c & HEX_MASK[hex])
            if buildings:
                many = buildings * pips(s.number[hex])
                total += many
                if hex == s.robber:
                    blocked += many
                else:
                    numbers |= 1 << s.number[hex]
            hexes &= hexes - 1
        rate = rate_at(s, corners_s | corners_c, resource)
        x.notes[INCOME + resource], x.notes[RATE + resource] = total - blocked + blocked // 2, rate
        barter += 12 * x.notes[INCOME + resource] // rate
        x.inputs[base + IN + resource] = min(MOST, total)
        x.inputs[base + BLOCKED + resource] = min(MOST, blocked)
        x.inputs[base + RATES_AT + resource] = 4 - rate
        income += total - blocked
        kinds += 1 if total else 0
    x.notes[BARTER] = barter
    x.inputs[base + BARTER_AT] = min(MOST, barter // 2)
    x.inputs[base + ALL_INCOME] = min(MOST, income)
    x.inputs[base + KINDS_AT] = kinds
    throws = 0
    for number in range(2, 13):
        if numbers >> number & 1:
            throws += pips(number)
    x.inputs[base + NUMBERS] = throws
    # the hand
    size = s.hand_size[seat]
    x.inputs[base + HAND_SIZE] = min(MOST, size)
    x.inputs[base + OVER_LIMIT] = max(0, size - s.discard_limit)
    for resource in range(KINDS):
        n = s.hand[seat, resource]
        x.inputs[base + HAND + resource] = min(n, 8)
        x.inputs[base + MANY + resource] = max(0, min(n - 2, 8))
        x.inputs[base + SUPPLY_AT + resource] = min(4, s.bank[resource])
    # prices
    for item in range(4):
        lacking, spare, short = 0, 0, 0
        for resource in range(KINDS):
            miss = COSTS[item, resource] - s.hand[seat, resource]
            if miss > 0:
                lacking += miss
            else:
                spare += -miss // x.notes[RATE + resource]
        x.inputs[base + LACKING + item] = lacking
        if lacking == 0:
            x.inputs[base + OWNED + item] = 1
        if lacking <= spare:
            x.inputs[base + PAYABLE + item] = 1
        x.inputs[base + SOON_AT + item] = soon(delay(s, x, seat, item, 0, 2))
    for steps in range(1, STEPS_SEEN):
        x.inputs[base + SITE_SOON + steps - 1] = soon(delay(s, x, seat, A_SETTLEMENT, steps, 2))
    # places
    nearer = 0  # corners that somebody else reaches with so few roads
    best, second = 0, 0
    for steps in range(STEPS_SEEN):
        for other in range(s.seats):
            if other != seat:
                nearer |= x.sites[other * STEPS_SEEN + steps]
        corners = x.sites[seat * STEPS_SEEN + steps]
        x.inputs[base + SITES + steps] = count(corners)
        most, worthy, own_most, own_worthy = 0, 0, 0, 0
        while corners:
            corner = lowest(corners)
            many = corner_pips(s, corner)
            worth = worth_of(s, x, base, corner)
            most, worthy = max(most, many), max(worthy, worth)
            if nearer >> corner & 1 == 0:
                own_most, own_worthy = max(own_most, many), max(own_worthy, worth)
            if worth > best:
                best, second = worth, best
            elif worth > second:
                second = worth
            corners &= corners - 1
        x.inputs[base + SITE_PIPS + steps] = most
        x.inputs[base + SITE_WORTH + steps] = worthy
        x.inputs[base + OWN_PIPS + steps] = own_most
        x.inputs[base + OWN_WORTH + steps] = own_worthy
    x.inputs[base + SECOND_WORTH] = second
    # pieces
    best, second = 0, 0
    corners = corners_s
    while corners:
        many = corner_pips(s, lowest(corners))
        if many > best:
            best, second = many, best
        elif many > second:
            second = many
        corners &= corners - 1
    if count(corners_c) < CITIES:
        x.inputs[base + UPGRADE], x.inputs[base + UPGRADE + 1] = best, second
    x.inputs[base + SETTLED] = count(corners_s)
    x.inputs[base + CITIES_AT] = count(corners_c)
    x.inputs[base + ROADS_LEFT] = roads_left(s, seat)
    # cards
    for card in range(KINDS):
        x.inputs[base + CARDS + card] = s.dev[seat, card]
    x.inputs[base + OLD_CARDS] = s.dev_size[seat] - s.dev[seat, VICTORY_POINT] - (s.new_dev_size - s.new_dev[VICTORY_POINT] if seat == s.player else 0)
    x.inputs[base + KNIGHTS] = s.played[seat, KNIGHT]
    x.inputs[base + KNIGHTS_TO_LEAD + min(3, knights_to_lead(s, seat))] = 1
    x.inputs[base + ROADS_TO_LEAD + min(4, roads_to_lead(s, seat))] = 1
    lead, behind = 0, 0
    for other in range(s.seats):
        if other != seat:
            lead = max(lead, s.played[other, KNIGHT] + s.dev[other, KNIGHT])
            behind = max(behind, s.road_length[other])
    if s.army_holder == seat:
        x.inputs[base + ARMY] = 1
        x.inputs[base + ARMY + 1] = max(0, min(5, 3 + s.played[seat, KNIGHT] + s.dev[seat, KNIGHT] - lead))
    x.inputs[base + ROAD] = s.road_length[seat]
    if s.road_holder == seat:
        x.inputs[base + LONGEST] = 1
        x.inputs[base + LONGEST + 1] = max(0, min(5, 1 + s.road_length[seat] - behind))
    # the end
    most, together = 0, 0
    if x.inputs[base + PAYABLE + A_CITY] and best and count(corners_c) < CITIES:
        most, together = 1, 1
    if x.inputs[base + PAYABLE + A_SETTLEMENT] and x.inputs[base + SITES] and count(corners_s) < SETTLEMENTS:
        most, together = 1, together + 1
    plays = max(0, (ARMY_MINIMUM if s.army_holder == NOBODY else s.played[s.army_holder, KNIGHT] + 1) - s.played[seat, KNIGHT])
    if s.army_holder != seat and plays <= 1 and s.dev[seat, KNIGHT]:
        most, together = 2, together + 2
    roads = roads_to_lead(s, seat)
    if roads == 1 and x.inputs[base + PAYABLE + A_ROAD] or 0 < roads <= 2 and s.dev[seat, ROAD_BUILDING]:
        most, together = 2, together + 2
    x.inputs[base + AT_ONCE] = 1 if most >= togo else 0
    x.inputs[base + AT_ONCE + 1] = 1 if together >= togo else 0
    x.inputs[base + AT_ONCE + 2] = 0 if s.army_holder == seat else min(5, plays)
    # the turn
    x.inputs[base + TURN + (seat - s.player) % s.seats] = 1
    if seat == s.player:
        phase = s.phase
        x.inputs[base + OWN_TURN] = 1 if s.roll else 0
        x.inputs[base + OWN_TURN + 1] = 1 if phase == MAIN or phase == TRADE else 0
        x.inputs[base + OWN_TURN + 2] = 1 if s.dev_done else 0
        x.inputs[base + OWN_TURN + 3] = 1 if phase == ROBBER_DISCARD or phase == ROBBER_MOVE else 0
        x.inputs[base + OWN_TURN + 4] = s.free_roads
        x.inputs[base + OWN_TURN + 5] = 1 if phase == TRADE_ANSWER or phase == TRADE_CHOICE else 0
        x.inputs[base + OWN_TURN + 6] = 1 if phase == TURN_START else 0
        x.inputs[base + OWN_TURN + 7] = s.placed
    x.inputs[base + MUST_DISCARD] = s.discards[seat]
    x.inputs[base + ROUND] = min(MOST, s.turn)
    x.inputs[base + DECK_AT] = s.deck_size


@jit
def inputs(s: CatanState, x: Notes) -> int:
    """Write the numbers of all seats to ``x.inputs``; how many for each."""
    note_reach(s, x)
    for seat in range(s.seats):
        describe_seat(s, x, seat)
    return INPUTS
