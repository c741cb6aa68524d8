"""The policy `builder`: it works toward one goal at a time.

Whenever it is to move it weighs what it could work for (a city, a settlement here or at the end of one or two roads, a
development card, the longest road): what that is worth, by how long the cards will take to come. Then everything
serves the goal: trades get what is missing and give what is spare, cards are played when they help, discards spare it.
Nothing is remembered; the same position gives the same goal. It looks only at what its seat may know.
"""

from kibitz.ground.bits import count, lowest
from kibitz.catan.core.codes import (
    ACCEPT, BANK_TRADE, BEST_RATE, BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, BUY_DEV, CANCEL, CONFIRM, DECLINE, DISCARD,
    END_BUILD, END_TRADE, END_TURN, MOVE_ROBBER, PLACE_FREE_ROAD, PLACE_ROAD, PLACE_SETTLEMENT, PLACES, PLAY_KNIGHT,
    PLAY_ROAD_BUILDING, PLAY_YEAR_OF_PLENTY, PLENTY_FIRST, PLENTY_SECOND, RATES, REVEAL_VP, ROLL_DICE,
)  # fmt: skip
from kibitz.catan.core.habits import (
    ANY_HARBOUR, ARMY_CARD, BARTER_PART, CARD, CITY_WORTH, DRAFT, FURTHER_WORTH, LAST_SETTLEMENT, LONGEST_ROAD,
    MANY_OFFERS, MANY_ROADS, NEW_KIND, NO_TRADE_AT, PIP_AT_HARBOUR, PIP_WORTH, SITE_WORTH, SOON, SPEND_EARLY, TRADE_EARLY, WINS,
    WORTH_A_MONOPOLY, take_up,
)  # fmt: skip
from kibitz.catan.core.rules.awards import ARMY_MINIMUM, ROAD_MINIMUM, others_buildings
from kibitz.catan.core.rules.building import has_road_site, reach, roads_left
from kibitz.catan.core.rules.costs import A_CARD, A_CITY, A_ROAD, A_SETTLEMENT, COSTS, affords
from kibitz.catan.core.rules.dev_cards import playable, refuse_plenty
from kibitz.catan.core.rules.trade import can_accept, rate_at
from kibitz.catan.core.rules.turn import total_points, visible_points
from kibitz.catan.core.scores import (
    LEADERS, LENGTH, MARKED, PROSPECT, SCALE, TERMS, YIELD, best_corner, best_hex, best_road, best_victim, corner_mark,
    one_road_on, pips, term,
)  # fmt: skip
from kibitz.catan.core.seed_policy import EMPTY_OFFER, OFFERS, best_monopoly, next_offer
from kibitz.catan.core.state import (
    ACCEPTED, BUILD, CITIES, DEV_PLAY, FREE_ROADS, KINDS, KNIGHT, MAIN, MONOPOLY, NOBODY, ROAD_BUILDING, ROBBER_DISCARD,
    ROBBER_MOVE, ROBBER_STEAL, SETTLEMENTS, SETUP_ROAD, SETUP_SETTLEMENT, SUPPLY, TRADE, TRADE_ANSWER, TRADE_CHOICE,
    TURN_START, VICTORY_POINT, YEAR_OF_PLENTY, Notes, CatanState,
)  # fmt: skip
from kibitz.catan.core.topology import ALL_CORNERS, CORNER_HEXES, HEX_MASK, NONE
from kibitz.ground.jit import jit

#: A victory point is worth this much; everything else is measured by it (`kibitz.catan.core.habits`).
POINT = 1000

# What is written into the notes, behind the offers: the production in pips and the rate of maritime trade by resource,
# the price of the goal, what all production would buy at those rates (in twelfths of a pip), and the goal with its
# place and the roads that lead there.
INCOME = OFFERS + KINDS * KINDS
RATE = INCOME + KINDS
NEED = RATE + KINDS
BARTER = NEED + KINDS
GOAL = BARTER + 1
PLACE = GOAL + 1
STEPS = PLACE + 1


# --- what there is ------------------------------------------------------------------------------------------


@jit
def survey(s: CatanState, x: Notes, seat: int) -> None:
    """Note production and rates. The robber's hex counts half: it will move on."""
    barter = 0
    for resource in range(KINDS):
        income = 0
        hexes = s.land[resource]
        while hexes:
            hex = lowest(hexes)
            buildings = count(s.settlements[seat] & HEX_MASK[hex]) + 2 * count(s.cities[seat] & HEX_MASK[hex])
            if buildings:
                income += buildings * pips(s.number[hex]) // (2 if hex == s.robber else 1)
            hexes &= hexes - 1
        rate = rate_at(s, s.settlements[seat] | s.cities[seat], resource)
        x.notes[INCOME + resource] = income
        x.notes[RATE + resource] = rate
        barter += 12 * income // rate
    x.notes[BARTER] = barter


@jit
def delay(s: CatanState, x: Notes, seat: int, item: int, roads: int, part: int) -> int:
    """How many throws (in tenths) it will take until an item and the roads to it can be paid for.

    The rarest resource decides, where so many fourths of all production are thought to be traded for it; spare cards that
    the supply takes now shorten the wait.
    """
    missing, spare, slowest = 0, 0, 0
    for resource in range(KINDS):
        lacking = COSTS[item, resource] + roads * COSTS[A_ROAD, resource] - s.hand[seat, resource]
        if lacking > 0:
            missing += lacking
            slowest = max(slowest, lacking * 360 * 12 // (12 * x.notes[INCOME + resource] + x.notes[BARTER] * part // 4 + 1))
        else:
            spare += -lacking // x.notes[RATE + resource]
    if missing <= spare:
        return 0
    return slowest * (missing - spare) // missing


# --- what could be worked for -------------------------------------------------------------------------------


@jit
def site_worth(s: CatanState, x: Notes, corner: int) -> int:
    """What a settlement on a corner produces, for each point that is still to be made."""
    worth = 0
    for i in range(3):
        hex = CORNER_HEXES[corner, i]
        if hex != NONE and s.number[hex]:
            resource = s.terrain[hex]
            worth += pips(s.number[hex]) * x.habits[PIP_WORTH + resource]
            if x.notes[INCOME + resource] == 0:
                worth += x.habits[NEW_KIND]
    if s.harbours[0] >> corner & 1:
        worth += x.habits[ANY_HARBOUR]
    for resource in range(KINDS):
        if s.harbours[1 + resource] >> corner & 1:
            worth += x.habits[PIP_AT_HARBOUR] * x.notes[INCOME + resource]
    return worth


@jit
def best_site(s: CatanState, x: Notes, corners: int) -> int:
    """The corner with the most worth."""
    best, highest = lowest(corners), -1
    while corners:
        corner = lowest(corners)
        worth = site_worth(s, x, corner)
        if worth > highest or (worth == highest and corner_mark(s, corner) > corner_mark(s, best)):
            best, highest = corner, worth
        corners &= corners - 1
    return best


@jit
def weigh(s: CatanState, x: Notes, seat: int, item: int, place: int, roads: int, worth: int, best: int) -> int:
    """Make this the goal if it is worth more, by the time it takes, than the best so far."""
    merit = worth * POINT // (x.habits[SOON] + delay(s, x, seat, item, roads, x.habits[BARTER_PART]))
    if merit <= best:
        return best
    x.notes[GOAL], x.notes[PLACE], x.notes[STEPS] = item, place, roads
    return merit


@jit
def weigh_sites(s: CatanState, x: Notes, seat: int, left: int, best: int) -> int:
    """Settlements where a road leads already, and at the end of one or two more."""
    own, blocked = reach(s, seat), others_buildings(s, seat)
    corners = s.network[seat]
    for roads in range(3):
        if corners & s.open:
            site = best_site(s, x, corners & s.open)
            worth = (POINT + left * site_worth(s, x, site)) * x.habits[FURTHER_WORTH if roads else SITE_WORTH] // 100
            if left == 1:
                worth *= x.habits[LAST_SETTLEMENT]
            best = weigh(s, x, seat, A_SETTLEMENT, site, roads, worth, best)
        if roads_left(s, seat) <= roads:
            return best
        corners = one_road_on(s, own if roads == 0 else corners & ~blocked) & ~own
    return best


@jit
def roads_to_lead(s: CatanState, seat: int) -> int:
    """How many roads more than now the longest road needs to win the card; 0 for its holder."""
    if s.road_holder == seat:
        return 0
    longest = ROAD_MINIMUM - 1 if s.road_holder == NOBODY else s.road_length[s.road_holder]
    return max(1, longest + 1 - s.road_length[seat])


@jit
def knights_to_lead(s: CatanState, seat: int) -> int:
    """How many knights more than those played and held the largest army needs; 0 for its holder."""
    if s.army_holder == seat:
        return 0
    largest = ARMY_MINIMUM - 1 if s.army_holder == NOBODY else s.played[s.army_holder, KNIGHT]
    return max(0, largest + 1 - s.played[seat, KNIGHT] - s.dev[seat, KNIGHT])


@jit
def plan(s: CatanState, x: Notes, seat: int) -> None:
    """Note the goal and its price."""
    survey(s, x, seat)
    left = max(1, s.victory_points - total_points(s, seat))
    x.notes[GOAL], x.notes[PLACE], x.notes[STEPS] = A_ROAD, NONE, 0
    best = 0
    if s.settlements[seat] and count(s.cities[seat]) < CITIES:
        corner = best_corner(s, seat, s.settlements[seat], YIELD, MARKED)
        worth = (POINT + left * site_worth(s, x, corner)) * x.habits[CITY_WORTH] // 100 * (x.habits[WINS] if left == 1 else 1)
        best = weigh(s, x, seat, A_CITY, corner, 0, worth, best)
    if count(s.settlements[seat]) < SETTLEMENTS:
        best = weigh_sites(s, x, seat, left, best)
    if s.deck_size:
        worth = x.habits[CARD] + (x.habits[ARMY_CARD] if 0 < knights_to_lead(s, seat) <= 2 else 0)
        best = weigh(s, x, seat, A_CARD, NONE, 0, worth, best)
    roads = roads_to_lead(s, seat)
    if 0 < roads <= x.habits[MANY_ROADS] and roads_left(s, seat) >= roads:
        road = best_road(s, seat, reach(s, seat), ALL_CORNERS, LENGTH, MARKED)
        if road != NONE:
            worth = x.habits[LONGEST_ROAD] * (x.habits[WINS] if left <= 2 else 1)
            best = weigh(s, x, seat, A_ROAD, road, roads - 1, worth, best)
    for resource in range(KINDS):
        x.notes[NEED + resource] = COSTS[x.notes[GOAL], resource] + x.notes[STEPS] * COSTS[A_ROAD, resource]


# --- building -----------------------------------------------------------------------------------------------


@jit
def road_to_site(s: CatanState, seat: int, site: int, steps: int) -> int:
    """The next road on the way to a site that is one or two roads away; `NONE` if there is no way."""
    ends = 1 << site
    if steps == 2:
        ends = one_road_on(s, ends) & ~others_buildings(s, seat)
    return best_road(s, seat, reach(s, seat), ends, PROSPECT, MARKED)


@jit
def free_road(s: CatanState, x: Notes, seat: int) -> int:
    """A road that costs nothing: toward the goal, else for the longest road, else to the best place."""
    road = NONE
    if x.notes[GOAL] == A_SETTLEMENT and x.notes[STEPS]:
        road = road_to_site(s, seat, x.notes[PLACE], x.notes[STEPS])
    if road == NONE:
        road = best_road(s, seat, reach(s, seat), ALL_CORNERS, LENGTH, MARKED)
    return best_road(s, seat, reach(s, seat), ALL_CORNERS, PROSPECT, MARKED) if road == NONE else road


@jit
def reach_goal(s: CatanState, x: Notes, seat: int) -> int:
    """What the goal asks for now, if the hand pays for it; else `NONE`."""
    goal, place, steps = x.notes[GOAL], x.notes[PLACE], x.notes[STEPS]
    if goal == A_SETTLEMENT and steps:
        road = road_to_site(s, seat, place, steps) if affords(s, seat, A_ROAD) else NONE
        return BUILD_ROAD + road if road != NONE else NONE
    if not affords(s, seat, goal):
        return NONE
    if goal == A_SETTLEMENT:
        return BUILD_SETTLEMENT + place
    if goal == A_CITY:
        return BUILD_CITY + place
    if goal == A_CARD:
        return BUY_DEV
    return BUILD_ROAD + place if place != NONE else NONE


@jit
def spends(s: CatanState, x: Notes, seat: int) -> int:
    """A development card from cards that the goal does not need, or when the hand is too large; else `NONE`."""
    if s.deck_size == 0 or not affords(s, seat, A_CARD):
        return NONE
    if s.hand_size[seat] <= s.discard_limit - x.habits[SPEND_EARLY]:
        for resource in range(KINDS):
            if COSTS[A_CARD, resource] and s.hand[seat, resource] <= x.notes[NEED + resource]:
                return NONE
    return BUY_DEV


# --- trade --------------------------------------------------------------------------------------------------


@jit
def short(s: CatanState, x: Notes, seat: int, resource: int) -> int:
    """How many cards the goal still needs; below 0, how many can be spared."""
    return x.notes[NEED + resource] - s.hand[seat, resource]


@jit
def rarity(x: Notes, resource: int) -> int:
    """How long one waits for a card of this resource."""
    return 360 // (1 + x.notes[INCOME + resource])


@jit
def too_near(s: CatanState, x: Notes, seat: int) -> bool:
    """Whether a player is so near to the end that nobody should trade with them."""
    return visible_points(s, seat) + x.habits[NO_TRADE_AT] >= s.victory_points


@jit
def has_partner(s: CatanState, x: Notes, seat: int) -> bool:
    """Whether there is anybody to trade with."""
    for other in range(s.seats):
        if other != seat and s.hand_size[other] and not too_near(s, x, other):
            return True
    return False


@jit
def make_builder_offer(s: CatanState, x: Notes, seat: int) -> int:
    """One spare card for one that is missing: the rarest wanted first, the most abundant given; `NONE` if nothing is left."""
    if not s.domestic_trade or s.offers >= min(s.offer_limit, x.habits[MANY_OFFERS]) or not has_partner(s, x, seat):
        return NONE
    for give in range(KINDS):
        for get in range(KINDS):
            utility = 0
            unseen = SUPPLY - s.bank[get] - s.hand[seat, get]
            if short(s, x, seat, get) > 0 and short(s, x, seat, give) < 0 and unseen:
                utility = 1000 + rarity(x, get) - rarity(x, give)
            x.notes[OFFERS + give * KINDS + get] = utility
    offer = next_offer(x, s.offers)
    return NONE if offer == NONE else EMPTY_OFFER + PLACES[offer // KINDS] - PLACES[offer % KINDS]


@jit
def bank_trade_for_goal(s: CatanState, x: Notes, seat: int) -> int:
    """Spare cards for the missing one that would take longest: if that completes the goal, or the hand is too large."""
    missing, spare = 0, 0
    give, get = NONE, NONE
    for resource in range(KINDS):
        n = short(s, x, seat, resource)
        if n > 0:
            missing += n
            if s.bank[resource] and (get == NONE or rarity(x, resource) > rarity(x, get)):
                get = resource
        else:
            trades = -n // x.notes[RATE + resource]
            spare += trades
            if trades and (give == NONE or x.notes[RATE + resource] < x.notes[RATE + give]):
                give = resource
    if give == NONE or get == NONE:
        return NONE
    if spare < missing and s.hand_size[seat] <= s.discard_limit - x.habits[TRADE_EARLY] and x.notes[RATE + give] > BEST_RATE:
        return NONE
    return BANK_TRADE + (give * RATES + x.notes[RATE + give] - BEST_RATE) * KINDS + get


@jit
def builder_answer(s: CatanState, x: Notes, seat: int) -> int:
    """Accept what brings missing cards for spare ones."""
    gains = 0
    for resource in range(KINDS):
        n = s.offer[resource]
        if n < 0 and short(s, x, seat, resource) - n > 0:
            return DECLINE
        if n > 0 and short(s, x, seat, resource) > 0:
            gains += n
    return ACCEPT if gains else DECLINE


@jit
def builder_partner(s: CatanState, x: Notes) -> int:
    """Of those who accept, the one with the fewest points."""
    best, fewest = CANCEL, s.victory_points - x.habits[NO_TRADE_AT]
    for seat in range(s.seats):
        if s.answers[seat] == ACCEPTED and visible_points(s, seat) < fewest:
            best, fewest = CONFIRM + seat, visible_points(s, seat)
    return best


# --- development cards --------------------------------------------------------------------------------------


@jit
def plenty_for_goal(s: CatanState, x: Notes, seat: int) -> int:
    """The two cards that the goal misses, if it misses no more; else `NONE`."""
    missing = 0
    for resource in range(KINDS):
        missing += max(0, short(s, x, seat, resource))
    if missing == 0 or missing > 2:
        return NONE
    best, most = NONE, 0
    for choice in range(len(PLENTY_FIRST)):
        if refuse_plenty(s, choice) == 0:
            first, second = PLENTY_FIRST[choice], PLENTY_SECOND[choice]
            helps = 1 if short(s, x, seat, first) > 0 else 0
            if second != NONE and short(s, x, seat, second) > (1 if first == second else 0):
                helps += 1
            if helps > most:
                best, most = PLAY_YEAR_OF_PLENTY + choice, helps
    return best


@jit
def builder_card(s: CatanState, x: Notes, seat: int) -> int:
    """Monopoly, Year of Plenty, Road Building, Knight: what helps now; else `NONE`."""
    if s.dev_done or s.dev_size[seat] == 0:
        return NONE
    card = NONE
    if playable(s, MONOPOLY):
        card = best_monopoly(s, seat, x.habits[WORTH_A_MONOPOLY])
    if card == NONE and playable(s, YEAR_OF_PLENTY):
        card = plenty_for_goal(s, x, seat)
    if card == NONE and playable(s, ROAD_BUILDING) and has_road_site(s):
        card = PLAY_ROAD_BUILDING
    if card == NONE and playable(s, KNIGHT):
        card = PLAY_KNIGHT
    return card


@jit
def knight_before_roll(s: CatanState, seat: int) -> bool:
    """Whether the robber stands on a hex of the seat's own, and a knight can drive it away."""
    if s.phased_turns or s.dev_size[seat] == 0 or not playable(s, KNIGHT):
        return False
    return (s.settlements[seat] | s.cities[seat]) & HEX_MASK[s.robber] != 0


@jit
def builder_discard(s: CatanState, x: Notes, seat: int) -> int:
    """A card that the goal can spare, of the resource that comes most easily."""
    best, highest = NONE, 0
    for resource in range(KINDS):
        if s.hand[seat, resource]:
            worth = 1000 - 100 * short(s, x, seat, resource) + x.notes[INCOME + resource]
            if best == NONE or worth > highest:
                best, highest = resource, worth
    return DISCARD + best


# --- the choice ---------------------------------------------------------------------------------------------


@jit
def builder_turn(s: CatanState, x: Notes, seat: int) -> int:
    """A card that helps, the goal, a trade toward it, a card from what is spare; then the turn ends."""
    phase = s.phase
    action = NONE
    if phase == DEV_PLAY and s.dev[seat, VICTORY_POINT] and total_points(s, seat) >= s.victory_points:
        return REVEAL_VP
    if phase == MAIN or phase == DEV_PLAY:
        action = builder_card(s, x, seat)
    if action == NONE and (phase == MAIN or phase == BUILD):
        action = reach_goal(s, x, seat)
    if action == NONE and (phase == MAIN or phase == TRADE):
        action = make_builder_offer(s, x, seat)
        if action == NONE:
            action = bank_trade_for_goal(s, x, seat)
    if action == NONE and (phase == MAIN or phase == BUILD):
        action = spends(s, x, seat)
    if action != NONE:
        return action
    return END_TRADE if phase == TRADE else END_BUILD if phase == BUILD else END_TURN


@jit
def draft_score(s: CatanState, x: Notes, seat: int, corner: int) -> int:
    """What a corner is worth in the draft: the terms of its score by the policy's own weights."""
    total = 0
    for which in range(TERMS):
        total += x.habits[DRAFT + which] * term(s, seat, corner, which)
    return total // SCALE


@jit
def best_draft(s: CatanState, x: Notes, seat: int) -> int:
    """The corner to begin with."""
    best, highest = NONE, 0
    rest = s.open
    while rest:
        corner = lowest(rest)
        worth = draft_score(s, x, seat, corner)
        if best == NONE or worth > highest or (worth == highest and corner_mark(s, corner) > corner_mark(s, best)):
            best, highest = corner, worth
        rest &= rest - 1
    return best


@jit
def choose_builder(s: CatanState, x: Notes, seat: int, style: int) -> int:
    """The action of the policy `builder`."""
    take_up(x, style)
    phase = s.phase
    if phase == TURN_START:
        return PLAY_KNIGHT if knight_before_roll(s, seat) else ROLL_DICE
    if phase == TRADE_ANSWER and (not can_accept(s, seat) or too_near(s, x, s.player)):
        return DECLINE
    if phase == TRADE_CHOICE:
        return builder_partner(s, x)
    if phase == ROBBER_MOVE:
        return MOVE_ROBBER + best_hex(s, seat, LEADERS, MARKED)
    if phase == ROBBER_STEAL:
        return best_victim(s, LEADERS)
    if phase == SETUP_SETTLEMENT:
        return PLACE_SETTLEMENT + best_draft(s, x, seat)
    if phase == SETUP_ROAD:
        return PLACE_ROAD + best_road(s, seat, 1 << s.corner, ALL_CORNERS, PROSPECT, MARKED)
    plan(s, x, seat)
    if phase == TRADE_ANSWER:
        return builder_answer(s, x, seat)
    if phase == ROBBER_DISCARD:
        return builder_discard(s, x, seat)
    if phase == FREE_ROADS:
        return PLACE_FREE_ROAD + free_road(s, x, seat)
    return builder_turn(s, x, seat)
