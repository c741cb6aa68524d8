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
    SEATS, SECOND_WORTH, SETTLED, SITE_PIPS, SITE_SOON, SITE_WORTH, SITES, SOON_AT, STEPS_SEEN, SUPPLY_AT, TO_GO, TURN, UPGRADE,
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
from kibitz.ground.jit import Vector, jit, table

# Tables are small: a GPU has 64 KB for all of them together.
#: A wait (in tenths of a throw) after which something counts half, and the longest that is told apart.
PATIENCE, LONG = 40, 4000
#: By the wait: a number that falls from `MOST` as it grows.
SOON_BY_WAIT: Vector = table([MOST * PATIENCE // (PATIENCE + wait) for wait in range(LONG + 1)], np.int8)
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
#: For each resource: by what a number of cards is multiplied, to find above `LOWER` how many others the supply gives for them.
GIVEN = PACE + KINDS
#: For each kind of harbour (none, 3:1, those of resources): what it adds to a site.
HARBOUR = GIVEN + KINDS
#: By the number of roads: the most that sites have, a byte each for worth and pips, and for both where nobody else is as near.
BEST = HARBOUR + 2 + KINDS

#: Where in ``x.sites`` the corners stand that several seats could settle on.
SHARED = SEATS * STEPS_SEEN

# Several small numbers are added up at once, each in bits of its own of one integer.
#: Pips by resource.
INCOME_BITS = 12
INCOME_AT: Vector = table([0] + [1 << INCOME_BITS * resource for resource in range(KINDS)], np.int64)
#: Cards by the number that brings them, in the order of the inputs.
THROWN = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
THROW_BITS = 6
THROW_AT: Vector = table([1 << THROW_BITS * THROWN.index(n) if n in THROWN else 0 for n in range(13)], np.int64)
PIPS_THROWN: Vector = table([6 - abs(7 - n) for n in THROWN], np.int16)
#: What is lacking for a purchase, and above it what can be traded for.
UPPER = 16
LOWER = (1 << UPPER) - 1
#: The three hexes around a corner, in so many bits each; the place behind the last hex is empty.
AROUND_BITS, ONE_OF = 5, (1 << 5) - 1
AROUND: Vector = table(
    [sum(hex % (HEXES + 1) << AROUND_BITS * i for i, hex in enumerate(hexes)) for hexes in CORNER_HEXES.tolist()], np.int16
)
#: Where in ``x.lands`` stands what each hex brings: pips by resource, cards by number; and the kind of harbour of each corner.
INCOMES, THROWS, COAST = 0, HEXES + 1, 2 * (HEXES + 1)
#: Pips by resource are weighed all at once: multiplied by weights in the opposite order, they leave the sum of the products in
#: the uppermost place. (What lies above it is cut off, by the size of an integer or by a mask.)
WEIGHED, WEIGHED_AT = (1 << INCOME_BITS) - 1, INCOME_BITS * (KINDS - 1)
EVERY_PIP = sum(1 << INCOME_BITS * resource for resource in range(KINDS))
#: Every weight counts the pips themselves, too: their sum stands above what a site is worth.
WORTH_BITS = 7
A_PIP, WORTH = 1 << WORTH_BITS, (1 << WORTH_BITS) - 1
#: Four numbers up to `MOST` in one, and the bits above them.
BYTE, GUARDS = 8, 0x80808080


@jit
def inputs(s: CatanState, x: Notes) -> int:
    """Write the numbers of all seats to ``x.inputs``; how many for each."""
    for i in range(s.seats * INPUTS):
        x.inputs[i] = 0
    note_hexes(s, x)
    note_reach(s, x)
    for seat in range(s.seats):
        weights = describe_production(s, x, seat)
        describe_hand(s, x, seat)
        describe_prices(s, x, seat)
        describe_sites(s, x, seat, weights)
        describe_pieces(s, x, seat)
        describe_cards(s, x, seat)
        describe_end(s, x, seat)
        describe_turn(s, x, seat)
    describe_own_turn(s, x)
    return INPUTS


@jit
def base_of(seat: int) -> int:
    """Where the inputs of a seat begin. The mask only tells the compiler that the index is not negative."""
    return (seat & SEATS - 1) * INPUTS


# --- production and the hand --------------------------------------------------------------------------------


@jit
def note_hexes(s: CatanState, x: Notes) -> None:
    """What one card a throw of each hex brings, and the harbour of each corner, into ``x.lands``."""
    x.lands[INCOMES + HEXES] = x.lands[THROWS + HEXES] = 0
    for hex in range(HEXES):
        x.lands[INCOMES + hex] = PIPS[s.number[hex]] * INCOME_AT[s.terrain[hex] + 1]
        x.lands[THROWS + hex] = THROW_AT[s.number[hex]]
    x.lands[THROWS + s.robber] = 0
    for corner in range(CORNERS):
        x.lands[COAST + corner] = 0
    for kind in range(1 + KINDS):
        corners = s.harbours[kind]
        while corners:
            x.lands[COAST + lowest(corners)] = 1 + kind
            corners &= corners - 1


@jit
def around(x: Notes, first: int, corner: int) -> int:
    """What stands in ``x.lands`` from `first` on for the hexes around a corner, added up."""
    hexes = AROUND[corner]
    one, two, three = hexes & ONE_OF, hexes >> AROUND_BITS & ONE_OF, hexes >> 2 * AROUND_BITS & ONE_OF
    return x.lands[first + one] + x.lands[first + two] + x.lands[first + three]


@jit
def describe_production(s: CatanState, x: Notes, seat: int) -> int:
    """Pips by resource, what the robber blocks, rates of trade, what each throw brings, and on how many something comes.

    Also the pips of the two best settlements, as long as they could become cities. Rates and how fast cards come are noted, for
    `describe_prices` (there the robber's hex counts half: it will move on), and what harbours would add, for `describe_sites`.
    Returned is how much pips of each resource are worth to the seat: more, the less there is of it.
    """
    base = base_of(seat)
    income, thrown, best, second = 0, 0, 0, 0
    cities, buildings = s.cities[seat], s.settlements[seat] | s.cities[seat]
    corners = buildings
    while corners:
        corner = lowest(corners)
        city = cities >> corner & 1
        each = around(x, INCOMES, corner)
        income, thrown = income + (each << city), thrown + (around(x, THROWS, corner) << city)
        pips = (each * EVERY_PIP >> WEIGHED_AT & WEIGHED) * (1 - city)
        second, best = max(second, min(best, pips)), max(best, pips)
        corners &= corners - 1
    if count(cities) < CITIES:
        x.inputs[base + UPGRADE], x.inputs[base + UPGRADE + 1] = best, second
    here = HEX_MASK[s.robber]
    robbed = x.lands[INCOMES + s.robber] * (count(buildings & here) + count(cities & here))
    usual = 3 if buildings & s.harbours[0] else 4
    unblocked, barter, kinds, weights = 0, 0, 0, 0
    for resource in range(KINDS):
        total = income >> INCOME_BITS * resource & (1 << INCOME_BITS) - 1
        blocked = robbed >> INCOME_BITS * resource & (1 << INCOME_BITS) - 1
        rate = 2 if buildings & s.harbours[1 + resource] else usual
        lasting = total - blocked + (blocked >> 1)
        x.notes[PACE + resource], x.notes[RATE + resource] = lasting, rate
        x.notes[GIVEN + resource], x.notes[HARBOUR + 2 + resource] = PARTS[rate] + 1, 2 * total
        barter += TWELFTHS[rate] * lasting
        x.inputs[base + IN + resource], x.inputs[base + BLOCKED + resource] = total, blocked
        x.inputs[base + RATES_AT + resource] = 4 - rate
        unblocked += total - blocked
        kinds += 1 if total else 0
        weights = weights << INCOME_BITS | A_PIP + (6 if total == 0 else 4 if total < 4 else 3)
    x.notes[HARBOUR], x.notes[HARBOUR + 1] = 0, 8
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
    return weights


@jit
def describe_hand(s: CatanState, x: Notes, seat: int) -> None:
    """Cards by resource, and how many there are; what the supply still has of each."""
    base = base_of(seat)
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
    return max(0, -more) | max(0, more) * x.notes[GIVEN + resource] & ~LOWER


@jit
def wait_for(x: Notes, resource: int, lacking: int) -> int:
    """How long it takes until so many cards have come, for the lower part of what `short` says."""
    return (lacking & LOWER) * x.notes[PACE + resource]


@jit
def wait_of(both: int, slowest: int) -> int:
    """How long a purchase has to wait: for the slowest resource, less what spare cards bring at once."""
    lacking, spare = both & LOWER, both >> UPPER
    return slowest * max(0, lacking - spare) * PARTS[lacking] >> 16


@jit
def describe_prices(s: CatanState, x: Notes, seat: int) -> None:
    """For each purchase: what is lacking, whether the hand pays for it (as it is, after trades), and how soon it will.

    The rarest resource decides how soon; spare cards that the supply takes now shorten the wait. For settlements that need
    roads first this is told once more for each road.
    """
    base = base_of(seat)
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
    """Where each seat could settle, into ``x.sites``: at once, and after one, two and three roads; and its open ends.

    Behind that, where more than one seat could with no more roads than that.
    """
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
        x.inputs[base_of(seat) + OPEN_ENDS] = count(tips & neighbours(along, down, ~blocked))
        x.inputs[base_of(seat) + OPEN_ENDS + 1] = count(tips & neighbours(along, down, going_on & ~blocked))
        known, left = s.network[seat] | reached, roads_left(s, seat)
        x.sites[at] = s.network[seat] & s.open
        for steps in range(1, STEPS_SEEN):
            further = neighbours(along, down, reached) & ~known if left >= steps else 0
            known |= further
            x.sites[at + steps] = further & s.open
            reached = further & ~blocked
    somebody, several = 0, 0
    for steps in range(STEPS_SEEN):
        for seat in range(s.seats):
            corners = x.sites[seat * STEPS_SEEN + steps]
            somebody, several = somebody | corners, several | somebody & corners
        x.sites[SHARED + steps] = several


@jit
def describe_sites(s: CatanState, x: Notes, seat: int, weights: int) -> None:
    """By the number of roads to them: how many sites there are, and the best; also the best that nobody else is as near to.

    A site is worth what lies around it, by the `weights` of resources, and its harbour. One loop serves all distances: a loop
    for each of them would end unpredictably, and a mispredicted branch costs as much as another site.
    """
    base, at = base_of(seat), seat * STEPS_SEEN
    corners, alone = 0, 0
    for steps in range(STEPS_SEEN):
        sites = x.sites[at + steps]
        x.inputs[base + SITES + steps], x.notes[BEST + steps] = count(sites), 0
        corners, alone = corners | sites, alone | sites & ~x.sites[SHARED + steps]
    odd, far = x.sites[at + 1] | x.sites[at + 3], x.sites[at + 2] | x.sites[at + 3]
    best, second = 0, 0
    while corners:
        corner = lowest(corners)
        both = around(x, INCOMES, corner) * weights >> WEIGHED_AT & WEIGHED
        harbour = x.notes[HARBOUR + (x.lands[COAST + corner] & 7)]  # masked as in `base_of`
        worth = min(MOST, (both & WORTH) + harbour)
        site = both >> WORTH_BITS << BYTE | worth
        place = BEST + 2 * (far >> corner & 1) + (odd >> corner & 1)
        x.notes[place] = larger(x.notes[place], site | (site & -(alone >> corner & 1)) << 2 * BYTE)
        second, best = max(second, min(best, worth)), max(best, worth)
        corners &= corners - 1
    for steps in range(STEPS_SEEN):
        found = x.notes[BEST + steps]
        x.inputs[base + SITE_WORTH + steps], x.inputs[base + SITE_PIPS + steps] = found & MOST, found >> BYTE & MOST
        x.inputs[base + OWN_WORTH + steps], x.inputs[base + OWN_PIPS + steps] = found >> 2 * BYTE & MOST, found >> 3 * BYTE
    x.inputs[base + SECOND_WORTH] = second


@jit
def larger(some: int, others: int) -> int:
    """The larger of each pair of bytes, without unpredictable branches."""
    not_smaller = (some | GUARDS) - others & GUARDS
    return others ^ (some ^ others) & not_smaller - (not_smaller >> BYTE - 1)


# --- pieces and cards ---------------------------------------------------------------------------------------


@jit
def describe_pieces(s: CatanState, x: Notes, seat: int) -> None:
    """Settlements, cities and roads."""
    base = base_of(seat)
    x.inputs[base + SETTLED], x.inputs[base + CITIES_AT] = count(s.settlements[seat]), count(s.cities[seat])
    x.inputs[base + ROADS_LEFT], x.inputs[base + ROAD] = roads_left(s, seat), s.road_length[seat]


@jit
def describe_cards(s: CatanState, x: Notes, seat: int) -> None:
    """Development cards held and played, and how far the two special cards are, or how safe."""
    base = base_of(seat)
    for card in range(KINDS):
        x.inputs[base + CARDS + card], x.inputs[base + DECK_CARDS + card] = s.dev[seat, card], s.deck[card]
    bought_now = s.new_dev_size - s.new_dev[VICTORY_POINT] if seat == s.player else 0
    x.inputs[base + OLD_CARDS] = s.dev_size[seat] - s.dev[seat, VICTORY_POINT] - bought_now
    x.inputs[base + KNIGHTS], x.inputs[base + DECK_AT] = s.played[seat, KNIGHT], s.deck_size
    x.inputs[base + KNIGHTS_TO_LEAD + min(3, knights_to_lead(s, seat))] = 1
    x.inputs[base + ROADS_TO_LEAD + min(4, roads_to_lead(s, seat))] = 1
    if s.army_holder == seat or s.road_holder == seat:
        describe_leads(s, x, seat)


@jit
def describe_leads(s: CatanState, x: Notes, seat: int) -> None:
    """How safe the special cards of a seat are that holds one or both."""
    base = base_of(seat)
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
def describe_end(s: CatanState, x: Notes, seat: int) -> None:
    """Points, and whether a purchase or a card that is at hand wins: one of them, or several together."""
    base = base_of(seat)
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
def describe_turn(s: CatanState, x: Notes, seat: int) -> None:
    """How soon it is the seat's turn."""
    base = base_of(seat)
    later = seat - s.player
    x.inputs[base + TURN + (later + s.seats if later < 0 else later)] = 1
    x.inputs[base + ROUND] = min(MOST, s.turn)


@jit
def describe_own_turn(s: CatanState, x: Notes) -> None:
    """For the player whose turn it is: what has been done in it already."""
    phase, at = s.phase, base_of(s.player) + OWN_TURN
    x.inputs[at], x.inputs[at + 1] = 1 if s.roll else 0, 1 if phase == MAIN or phase == TRADE else 0
    x.inputs[at + 2], x.inputs[at + 3] = s.dev_done, 1 if phase == ROBBER_DISCARD or phase == ROBBER_MOVE else 0
    x.inputs[at + 4], x.inputs[at + 5] = s.free_roads, 1 if phase == TRADE_ANSWER or phase == TRADE_CHOICE else 0
    x.inputs[at + 6], x.inputs[at + 7] = 1 if phase == TURN_START else 0, s.placed
