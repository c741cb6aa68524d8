"""What the evaluator looks at: for each seat a list of small numbers, the same on a turned or mirrored island.

Nothing here depends on how corners, edges or seats are numbered: places count by what lies around them, seats by their place in
the order of turns. All numbers lie between 0 and `MOST`; `kibitz.catan.core.layout` says what stands where.
"""

import numpy as np

from kibitz.catan.core.builder_policy import RATE, STEPS, knights_to_lead, roads_to_lead
from kibitz.catan.core.layout import (
    ALL_INCOME, ARMY, AT_ONCE, BARTER_AT, BLOCKED, BY_NUMBER, CARDS, CITIES_AT, DECK_AT, DECK_CARDS, FAR, HAND, HAND_SIZE, IN,
    INPUTS, KINDS_AT, KNIGHTS, KNIGHTS_TO_LEAD, LACKING, LONGEST, MANY, MOST, MUST_DISCARD, NUMBERS, OLD_CARDS, OPEN_ENDS,
    OVER_LIMIT, OWN_PIPS, OWN_TURN, OWN_WORTH, OWNED, PAYABLE, POINTS, RATES_AT, ROAD, ROADS_LEFT, ROADS_TO_LEAD, ROUND,
    SECOND_WORTH, SETTLED, SITE_PIPS, SITE_SOON, SITE_WORTH, SITES, SOON_AT, STEPS_SEEN, SUPPLY_AT, TO_GO, TURN, UPGRADE,
)  # fmt: skip
from kibitz.catan.core.links import ALL_ALONG, ALL_DOWN, crossings, ends, links, neighbours
from kibitz.catan.core.rules.awards import ARMY_MINIMUM
from kibitz.catan.core.rules.building import roads_left
from kibitz.catan.core.rules.costs import A_CARD, A_CITY, A_ROAD, A_SETTLEMENT
from kibitz.catan.core.rules.turn import total_points
from kibitz.catan.core.state import (
    BRICK, CITIES, KINDS, KNIGHT, MAIN, NOBODY, ORE, ROAD_BUILDING, ROBBER_DISCARD, ROBBER_MOVE, SETTLEMENTS, SHEEP, TRADE,
    TRADE_ANSWER, TRADE_CHOICE, TURN_START, VICTORY_POINT, WHEAT, WOOD, CatanState, Notes,
)  # fmt: skip
from kibitz.catan.core.topology import CORNER_HEXES, CORNERS, HEX_MASK, HEXES
from kibitz.ground.bits import count, lowest
from kibitz.ground.jit import Grid, Vector, jit, table

# Tables are small: a GPU has 64 KB for all of them together.
#: A wait (in tenths of a throw) after which something counts half, and the longest that is told apart.
PATIENCE, LONG = 40, 4000
#: By the wait: a number that falls from `MOST` as it grows.
SOON_BY_WAIT: Vector = table([MOST * PATIENCE // (PATIENCE + wait) for wait in range(LONG + 1)], np.int8)
#: By the rate and the number of cards to spare, how many cards the supply gives for them.
BARTERED: Grid = table([[n // max(1, rate) for n in range(128)] for rate in range(5)], np.int8)
#: By the rate, how many twelfths of a card it gives for one.
TWELFTHS: Vector = table([0, 0, 6, 4, 3], np.int16)
#: By the number on a hex, its pips.
PIPS: Vector = table([6 - abs(7 - n) if n >= 2 and n != 7 else 0 for n in range(13)], np.int16)
#: What 65536 divided by a number is.
PARTS: Vector = table([0] + [65536 // n for n in range(1, 64)], np.int32)
#: By what comes of a resource in 36 throws (in twelfths, and one more), how many tenths of throws until a card comes of it;
#: more than so much seldom comes.
TENTHS, PLENTY = 360 * 12, 512
PACE_BY_INCOME: Vector = table([0] + [TENTHS // n for n in range(1, PLENTY)], np.int16)
#: In the notes, for each resource: tenths of throws until one card of it comes, half of all production being traded for it.
PACE = STEPS + 1

# Several small numbers are added up at once, each in bits of its own of one integer.
#: Pips by resource.
INCOME_BITS = 12
INCOME_AT: Vector = table([0] + [1 << INCOME_BITS * resource for resource in range(KINDS)], np.int64)
#: Cards by the number that brings them, in the order of the inputs.
THROWN = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
THROW_BITS = 6
THROW_AT: Vector = table([1 << THROW_BITS * THROWN.index(n) if n in THROWN else 0 for n in range(13)], np.int64)
PIPS_THROWN: Vector = table([6 - abs(7 - n) for n in THROWN], np.int16)
#: What a site is worth, and above it its pips; what is lacking for a purchase, and above it what can be traded for.
UPPER = 16
LOWER = (1 << UPPER) - 1
#: The hexes around a corner; the place behind the last hex is empty.
AROUND: Grid = table([[CORNER_HEXES[c, i] % (HEXES + 1) for i in range(3)] for c in range(CORNERS)], np.int8)
#: Where in ``x.lands`` stands what each hex brings: pips by resource, cards by number, what it is worth to a seat.
INCOMES, THROWS, WORTHS = 0, HEXES + 1, 2 * (HEXES + 1)


@jit
def inputs(s: CatanState, x: Notes) -> int:
    """Write the numbers of all seats to ``x.inputs``; how many for each."""
    for i in range(s.seats * INPUTS):
        x.inputs[i] = 0
    note_hexes(s, x)
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


@jit
def note_hexes(s: CatanState, x: Notes) -> None:
    """What one card a throw of each hex brings, into ``x.lands``."""
    x.lands[INCOMES + HEXES] = x.lands[THROWS + HEXES] = x.lands[WORTHS + HEXES] = 0
    for hex in range(HEXES):
        x.lands[INCOMES + hex] = PIPS[s.number[hex]] * INCOME_AT[s.terrain[hex] + 1]
        x.lands[THROWS + hex] = THROW_AT[s.number[hex]]
    x.lands[THROWS + s.robber] = 0


@jit
def around(x: Notes, first: int, corner: int) -> int:
    """What stands in ``x.lands`` from `first` on for the hexes around a corner, added up."""
    return x.lands[first + AROUND[corner, 0]] + x.lands[first + AROUND[corner, 1]] + x.lands[first + AROUND[corner, 2]]


@jit
def describe_production(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """Pips by resource, what the robber blocks, rates of trade, what each throw brings, and on how many something comes.

    Rates and how fast cards come are noted, for `describe_prices` (there the robber's hex counts half: it will move on), and
    what each hex would be worth, for `describe_sites`: its pips, which count more the less there is of them.
    """
    income, thrown = 0, 0
    corners = s.settlements[seat]
    while corners:
        corner = lowest(corners)
        income, thrown = income + around(x, INCOMES, corner), thrown + around(x, THROWS, corner)
        corners &= corners - 1
    corners = s.cities[seat]
    while corners:
        corner = lowest(corners)
        income, thrown = income + 2 * around(x, INCOMES, corner), thrown + 2 * around(x, THROWS, corner)
        corners &= corners - 1
    here = HEX_MASK[s.robber]
    robbed = x.lands[INCOMES + s.robber] * (count(s.settlements[seat] & here) + 2 * count(s.cities[seat] & here))
    buildings = s.settlements[seat] | s.cities[seat]
    usual = 3 if buildings & s.harbours[0] else 4
    unblocked, barter, kinds = 0, 0, 0
    for resource in range(KINDS):
        total = income >> INCOME_BITS * resource & (1 << INCOME_BITS) - 1
        blocked = robbed >> INCOME_BITS * resource & (1 << INCOME_BITS) - 1
        rate = 2 if buildings & s.harbours[1 + resource] else usual
        lasting = total - blocked + (blocked >> 1)
        x.notes[PACE + resource], x.notes[RATE + resource] = lasting, rate
        barter += TWELFTHS[rate] * lasting
        x.inputs[base + IN + resource], x.inputs[base + BLOCKED + resource] = total, blocked
        x.inputs[base + RATES_AT + resource] = 4 - rate
        unblocked += total - blocked
        kinds += 1 if total else 0
    for resource in range(KINDS):
        coming = 12 * x.notes[PACE + resource] + (barter >> 1) + 1
        x.notes[PACE + resource] = PACE_BY_INCOME[coming] if coming < PLENTY else TENTHS // coming
    throws = 0
    for place in range(len(THROWN)):
        cards = thrown >> THROW_BITS * place & (1 << THROW_BITS) - 1
        x.inputs[base + BY_NUMBER + place] = cards
        throws += PIPS_THROWN[place] if cards else 0
    x.inputs[base + BARTER_AT], x.inputs[base + ALL_INCOME] = min(MOST, barter >> 1), min(MOST, unblocked)
    x.inputs[base + KINDS_AT], x.inputs[base + NUMBERS] = kinds, throws
    note_worths(s, x, income)


@jit
def note_worths(s: CatanState, x: Notes, income: int) -> None:
    """What each hex would be worth to a seat with this income."""
    for hex in range(HEXES):
        pips = PIPS[s.number[hex]]
        have = income >> INCOME_BITS * max(0, s.terrain[hex]) & (1 << INCOME_BITS) - 1
        x.lands[WORTHS + hex] = pips << UPPER | pips * (6 if have == 0 else 4 if have < 4 else 3)


@jit
def describe_hand(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """Cards by resource, and how many there are; what the supply still has of each."""
    size = s.hand_size[seat]
    x.inputs[base + HAND_SIZE], x.inputs[base + OVER_LIMIT] = min(MOST, size), max(0, size - s.discard_limit)
    x.inputs[base + MUST_DISCARD] = s.discards[seat]
    for resource in range(KINDS):
        n = s.hand[seat, resource]
        x.inputs[base + HAND + resource], x.inputs[base + MANY + resource] = min(n, 8), max(0, min(n - 2, 8))
        x.inputs[base + SUPPLY_AT + resource] = min(4, s.bank[resource])


@jit
def soon(wait: int) -> int:
    """A number that falls from `MOST` as a wait (in tenths of a throw) grows."""
    return SOON_BY_WAIT[min(LONG, wait)]


@jit
def short(s: CatanState, x: Notes, seat: int, resource: int, price: int) -> int:
    """How many cards of a resource a price lacks, and above that how many of others the spare ones would bring."""
    more = s.hand[seat, resource] - price
    return max(0, -more) | BARTERED[x.notes[RATE + resource], max(0, more)] << UPPER


@jit
def wait_for(x: Notes, resource: int, lacking: int) -> int:
    """How long it takes until so many cards have come, for the lower part of what `short` says."""
    return (lacking & LOWER) * x.notes[PACE + resource]


@jit
def wait_of(both: int, slowest: int) -> int:
    """How long a purchase has to wait: for the slowest resource, less what spare cards bring at once."""
    lacking, spare = both & LOWER, both >> UPPER
    return 0 if lacking <= spare else slowest * (lacking - spare) * PARTS[lacking] >> 16


@jit
def describe_prices(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """For each purchase: what is lacking, whether the hand pays for it (as it is, after trades), and how soon it will.

    The rarest resource decides how soon; spare cards that the supply takes now shorten the wait. For settlements that need
    roads first this is told once more for each road.
    """
    wood, brick, ore = short(s, x, seat, WOOD, 0), short(s, x, seat, BRICK, 0), short(s, x, seat, ORE, 0)
    sheep, wheat = short(s, x, seat, SHEEP, 0), short(s, x, seat, WHEAT, 0)
    a_sheep, a_wheat = short(s, x, seat, SHEEP, 1), short(s, x, seat, WHEAT, 1)
    an_ore, ores = short(s, x, seat, ORE, 1), short(s, x, seat, ORE, 3)
    wheats = short(s, x, seat, WHEAT, 2)
    for_sheep, for_wheat = wait_for(x, SHEEP, a_sheep), wait_for(x, WHEAT, a_wheat)
    for roads in range(STEPS_SEEN):
        a_wood, a_brick = short(s, x, seat, WOOD, 1 + roads), short(s, x, seat, BRICK, 1 + roads)
        for_road = max(wait_for(x, WOOD, a_wood), wait_for(x, BRICK, a_brick))
        both, slowest = a_wood + a_brick + a_sheep + a_wheat + ore, max(for_road, for_sheep, for_wheat)
        if roads:
            x.inputs[base + SITE_SOON + roads - 1] = soon(wait_of(both, slowest))
        else:
            tell_price(x, base, A_ROAD, a_wood + a_brick + sheep + wheat + ore, for_road)
            tell_price(x, base, A_SETTLEMENT, both, slowest)
    tell_price(x, base, A_CITY, wood + brick + sheep + wheats + ores, max(wait_for(x, WHEAT, wheats), wait_for(x, ORE, ores)))
    both, slowest = wood + brick + a_sheep + a_wheat + an_ore, max(for_sheep, for_wheat, wait_for(x, ORE, an_ore))
    tell_price(x, base, A_CARD, both, slowest)


@jit
def tell_price(x: Notes, base: int, item: int, both: int, slowest: int) -> None:
    """What the inputs say of a purchase."""
    lacking = both & LOWER
    x.inputs[base + LACKING + item], x.inputs[base + SOON_AT + item] = lacking, soon(wait_of(both, slowest))
    x.inputs[base + OWNED + item] = 1 if lacking == 0 else 0
    x.inputs[base + PAYABLE + item] = 1 if lacking <= both >> UPPER else 0


# --- places -------------------------------------------------------------------------------------------------


@jit
def note_reach(s: CatanState, x: Notes) -> None:
    """Where each seat could settle, into ``x.sites``: at once, and after one, two and three roads; and its open ends."""
    along, down, built = ALL_ALONG, ALL_DOWN, 0
    for seat in range(s.seats):
        at = seat * STEPS_SEEN
        x.sites[at], x.sites[at + 1] = links(s.roads[seat, 0], s.roads[seat, 1])
        along, down = along & ~x.sites[at], down & ~x.sites[at + 1]
        built |= s.settlements[seat] | s.cities[seat]
    going_on = crossings(along, down)
    for seat in range(s.seats):
        at, own = seat * STEPS_SEEN, s.settlements[seat] | s.cities[seat]
        blocked = built & ~own
        reached = (s.network[seat] | own) & ~blocked
        tips = reached & s.network[seat] & ends(x.sites[at], x.sites[at + 1])
        x.inputs[seat * INPUTS + OPEN_ENDS] = count(tips & neighbours(along, down, ~blocked))
        x.inputs[seat * INPUTS + OPEN_ENDS + 1] = count(tips & neighbours(along, down, going_on & ~blocked))
        known, left = s.network[seat] | reached, roads_left(s, seat)
        x.sites[at] = s.network[seat] & s.open
        for steps in range(1, STEPS_SEEN):
            further = neighbours(along, down, reached) & ~known if left >= steps else 0
            known |= further
            x.sites[at + steps] = further & s.open
            reached = further & ~blocked


@jit
def describe_sites(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """By the number of roads to them: how many sites there are, and the best; also the best that nobody else is as near to.

    A site is worth what lies around it, and its harbour.
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
        most_pips, most_worth, own_pips, own_worth = 0, 0, 0, 0
        while corners:
            corner = lowest(corners)
            both = around(x, WORTHS, corner)
            pips, worth = both >> UPPER, both & LOWER
            if harbours >> corner & 1:
                worth += harbour_worth(s, x, base, corner)
            worth = min(MOST, worth)
            alone = (rivals >> corner & 1) - 1
            most_pips, most_worth = max(most_pips, pips), max(most_worth, worth)
            own_pips, own_worth = max(own_pips, pips & alone), max(own_worth, worth & alone)
            second, best = max(second, min(best, worth)), max(best, worth)
            corners &= corners - 1
        x.inputs[base + SITE_PIPS + steps], x.inputs[base + SITE_WORTH + steps] = most_pips, most_worth
        x.inputs[base + OWN_PIPS + steps], x.inputs[base + OWN_WORTH + steps] = own_pips, own_worth
    x.inputs[base + SECOND_WORTH] = second


@jit
def harbour_worth(s: CatanState, x: Notes, base: int, corner: int) -> int:
    """What the harbour of a corner would add."""
    for resource in range(KINDS):
        if s.harbours[1 + resource] >> corner & 1:
            return 2 * x.inputs[base + IN + resource]
    return 8


# --- pieces and cards ---------------------------------------------------------------------------------------


@jit
def describe_pieces(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """Settlements, cities and roads, and the pips of the two best settlements that could become cities."""
    best, second = 0, 0
    corners = s.settlements[seat]
    while corners:
        pips = around(x, WORTHS, lowest(corners)) >> UPPER
        second, best = max(second, min(best, pips)), max(best, pips)
        corners &= corners - 1
    cities = count(s.cities[seat])
    if cities < CITIES:
        x.inputs[base + UPGRADE], x.inputs[base + UPGRADE + 1] = best, second
    x.inputs[base + SETTLED], x.inputs[base + CITIES_AT] = count(s.settlements[seat]), cities
    x.inputs[base + ROADS_LEFT], x.inputs[base + ROAD] = roads_left(s, seat), s.road_length[seat]


@jit
def describe_cards(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """Development cards held and played, and how far the two special cards are, or how safe."""
    for card in range(KINDS):
        x.inputs[base + CARDS + card], x.inputs[base + DECK_CARDS + card] = s.dev[seat, card], s.deck[card]
    bought_now = s.new_dev_size - s.new_dev[VICTORY_POINT] if seat == s.player else 0
    x.inputs[base + OLD_CARDS] = s.dev_size[seat] - s.dev[seat, VICTORY_POINT] - bought_now
    x.inputs[base + KNIGHTS], x.inputs[base + DECK_AT] = s.played[seat, KNIGHT], s.deck_size
    x.inputs[base + KNIGHTS_TO_LEAD + min(3, knights_to_lead(s, seat))] = 1
    x.inputs[base + ROADS_TO_LEAD + min(4, roads_to_lead(s, seat))] = 1
    if s.army_holder == seat or s.road_holder == seat:
        describe_leads(s, x, seat, base)


@jit
def describe_leads(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """How safe the special cards of a seat are that holds one or both."""
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


@jit
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


@jit
def describe_turn(s: CatanState, x: Notes, seat: int, base: int) -> None:
    """How soon it is the seat's turn; in its own turn, what has been done in it already."""
    later = seat - s.player
    x.inputs[base + TURN + (later + s.seats if later < 0 else later)] = 1
    x.inputs[base + ROUND] = min(MOST, s.turn)
    if seat == s.player:
        phase, at = s.phase, base + OWN_TURN
        x.inputs[at], x.inputs[at + 1] = 1 if s.roll else 0, 1 if phase == MAIN or phase == TRADE else 0
        x.inputs[at + 2], x.inputs[at + 3] = s.dev_done, 1 if phase == ROBBER_DISCARD or phase == ROBBER_MOVE else 0
        x.inputs[at + 4], x.inputs[at + 5] = s.free_roads, 1 if phase == TRADE_ANSWER or phase == TRADE_CHOICE else 0
        x.inputs[at + 6], x.inputs[at + 7] = 1 if phase == TURN_START else 0, s.placed
