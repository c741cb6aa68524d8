"""The policy `seed`: fixed formulas for the robber, for trades, for what to build and for which card to play.

In its own turn it trades, then builds, then plays a card, then ends the turn. All decimals of the formulas are scaled to
integers; ties go to the lowest action. Where the formulas want to know what others hold, it uses what its seat may
know: a partner's hand is estimated from its size, the partner's production and what the supply lacks.
"""

import numpy as np

from kibitz.ground.bits import count
from kibitz.catan.core.codes import (
    ACCEPT, BANK_TRADE, BEST_RATE, BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, BUY_DEV, CANCEL, CONFIRM, DECLINE, DISCARD,
    END_BUILD, END_TRADE, END_TURN, MOVE_ROBBER, PLACE_FREE_ROAD, PLACE_ROAD, PLACE_SETTLEMENT, PLACES, PLAY_KNIGHT,
    PLAY_MONOPOLY, PLAY_ROAD_BUILDING, PLAY_YEAR_OF_PLENTY, PLENTY_FIRST, PLENTY_SECOND, RATES, REVEAL_VP, ROLL_DICE,
    offer_code,
)  # fmt: skip
from kibitz.catan.core.rules.building import has_road_site, reach, roads_left, settlement_sites
from kibitz.catan.core.rules.costs import A_CARD, A_CITY, A_ROAD, A_SETTLEMENT, COSTS, affords
from kibitz.catan.core.rules.dev_cards import playable, refuse_plenty
from kibitz.catan.core.rules.trade import can_accept, rate_at
from kibitz.catan.core.rules.turn import total_points, visible_points
from kibitz.catan.core.scores import ALIKE, FIRST, SCORE, YIELD, best_corner, best_hex, best_road, best_victim, seat_pips
from kibitz.catan.core.state import (
    ACCEPTED, BUILD, CITIES, DEV_PLAY, FREE_ROADS, KINDS, KNIGHT, MAIN, MONOPOLY, ROAD_BUILDING, ROBBER_DISCARD,
    ROBBER_MOVE, SEATS, SETTLEMENTS, SETUP_ROAD, SETUP_SETTLEMENT, SUPPLY, TRADE, TRADE_ANSWER, TRADE_CHOICE, TURN_START,
    VICTORY_POINT, YEAR_OF_PLENTY, Notes, CatanState,
)  # fmt: skip
from kibitz.catan.core.topology import ALL_CORNERS, NONE
from kibitz.ground.jit import Grid, jit, table

#: How near a hand is to each purchase: the weight by 1 + missing cards. 600 stands for 1, which all quotients divide.
ONE = 600
ACCESS_WEIGHTS = {A_ROAD: 10, A_SETTLEMENT: 30, A_CITY: 32, A_CARD: 22}  # in tenths
ACCESS: Grid = table([[ACCESS_WEIGHTS[item] * ONE // 10 // (1 + n) for n in range(6)] for item in range(4)], np.int32)

# Trades: a partner's gain counts against them, 9 for 20 (0.45); nor may they hurt the partner more than 0.35.
OUR_GAIN, THEIR_GAIN = 20, 9
HURT_TOO_MUCH = -35 * ONE // 100
#: A partner with so many visible points more than oneself is far ahead.
FAR_AHEAD = 3
#: What a monopoly must bring.
WORTH_A_MONOPOLY = 3

# What is written into the notes: the hand of each seat (of others an estimate), what it misses for each purchase, and
# the utility of each offer of one card (given, wanted) for another.
HANDS = 0
MISSING = HANDS + SEATS * KINDS
OFFERS = MISSING + SEATS * 4
EMPTY_OFFER = offer_code([0] * KINDS)


# --- trade ------------------------------------------------------------------------------------------------


@jit
def estimate_hand(s: CatanState, x: Notes, seat: int, other: int) -> None:
    """What `other` seems to hold: the hand's size, shared out by production among the cards that `seat` does not see."""
    total = 0
    for resource in range(KINDS):
        unseen = SUPPLY - s.bank[resource] - s.hand[seat, resource]
        x.notes[HANDS + other * KINDS + resource] = unseen * (1 + seat_pips(s, other, resource))
        total += x.notes[HANDS + other * KINDS + resource]
    for resource in range(KINDS):
        share = x.notes[HANDS + other * KINDS + resource]
        x.notes[HANDS + other * KINDS + resource] = (2 * s.hand_size[other] * share + total) // (2 * total) if total else 0


@jit
def note_hand(s: CatanState, x: Notes, seat: int, other: int) -> None:
    """Write down a hand (its own exactly), and how many cards it misses for each purchase."""
    if other == seat:
        for resource in range(KINDS):
            x.notes[HANDS + seat * KINDS + resource] = s.hand[seat, resource]
    else:
        estimate_hand(s, x, seat, other)
    for item in range(4):
        missing = 0
        for resource in range(KINDS):
            missing += max(0, COSTS[item, resource] - x.notes[HANDS + other * KINDS + resource])
        x.notes[MISSING + other * 4 + item] = missing


@jit
def gain(x: Notes, seat: int, give: int, given: int, get: int, got: int) -> int:
    """How much nearer to its purchases a noted hand comes by giving and getting cards of two kinds.

    A hand is worth 3.0 / (1 + missing for a settlement) + 3.2 / (1 + missing for a city) + 2.2 / (1 + missing for a card)
    + 1.0 / (1 + missing for a road).
    """
    less, more = x.notes[HANDS + seat * KINDS + give], x.notes[HANDS + seat * KINDS + get]
    total = 0
    for item in range(4):
        before = x.notes[MISSING + seat * 4 + item]
        lost = max(0, COSTS[item, give] - less + given) - max(0, COSTS[item, give] - less)
        won = max(0, COSTS[item, get] - more) - max(0, COSTS[item, get] - more - got)
        total += ACCESS[item, before + lost - won] - ACCESS[item, before]
    return total


@jit
def trade_utility(s: CatanState, seat: int, partner: int, ours: int, theirs: int) -> int:
    """What a trade with a player is worth; 0 or less: no trade."""
    if ours <= 0 or theirs < HURT_TOO_MUCH:
        return 0
    if theirs > 0 and visible_points(s, partner) >= visible_points(s, seat) + FAR_AHEAD:
        return 0
    return OUR_GAIN * ours - THEIR_GAIN * max(0, theirs)


@jit
def note_offers(s: CatanState, x: Notes, seat: int) -> None:
    """The utility of each offer of one card for one: that of the best partner who seems to hold the card."""
    for other in range(s.seats):
        if other != seat:
            note_hand(s, x, seat, other)
    for give in range(KINDS):
        for get in range(KINDS):
            best = 0
            ours = gain(x, seat, give, 1, get, 1) if give != get and s.hand[seat, give] else 0
            if ours > 0:
                for other in range(s.seats):
                    if other != seat and x.notes[HANDS + other * KINDS + get]:
                        theirs = gain(x, other, get, 1, give, 1)
                        best = max(best, trade_utility(s, seat, other, ours, theirs))
            x.notes[OFFERS + give * KINDS + get] = best


@jit
def best_offer(x: Notes) -> int:
    """The noted offer with the highest utility, as give * 5 + get; `NONE` if there is none."""
    best, highest = NONE, 0
    for i in range(KINDS * KINDS):
        if x.notes[OFFERS + i] > highest:
            best, highest = i, x.notes[OFFERS + i]
    return best


@jit
def next_offer(x: Notes, made: int) -> int:
    """The best noted offer after those that have been made in this turn, so that none is repeated."""
    for _ in range(made):
        offer = best_offer(x)
        if offer == NONE:
            return NONE
        x.notes[OFFERS + offer] = 0
    return best_offer(x)


@jit
def seed_trade(s: CatanState, x: Notes, seat: int) -> int:
    """The best trade with the supply or with a player; `NONE` if none helps. The second offer of a turn is the second best."""
    note_hand(s, x, seat, seat)
    best, highest = NONE, 0
    for give in range(KINDS):
        rate = rate_at(s, s.settlements[seat] | s.cities[seat], give)
        if s.hand[seat, give] >= rate:
            for get in range(KINDS):
                if get != give and s.bank[get]:
                    utility = OUR_GAIN * gain(x, seat, give, rate, get, 1)
                    if utility > highest:
                        best, highest = BANK_TRADE + (give * RATES + rate - BEST_RATE) * KINDS + get, utility
    if s.domestic_trade and s.offers < s.offer_limit:
        note_offers(s, x, seat)
        offer = next_offer(x, s.offers)
        if offer != NONE and x.notes[OFFERS + offer] > highest:
            return EMPTY_OFFER + PLACES[offer // KINDS] - PLACES[offer % KINDS]
    return best


@jit
def offer_gain(s: CatanState, x: Notes, seat: int, sign: int) -> int:
    """What the offer on the table does for a noted hand: `sign` is 1 for a partner, -1 for the player who made it."""
    total = 0
    for item in range(4):
        missing = 0
        for resource in range(KINDS):
            held = x.notes[HANDS + seat * KINDS + resource] + sign * s.offer[resource]
            missing += min(max(0, COSTS[item, resource] - held), COSTS[item, resource])
        total += ACCESS[item, missing] - ACCESS[item, x.notes[MISSING + seat * 4 + item]]
    return total


@jit
def seed_answer(s: CatanState, x: Notes, seat: int) -> int:
    """Accept what the same utility calls a good trade, seen from the other side of the table."""
    if not can_accept(s, seat):
        return DECLINE
    note_hand(s, x, seat, seat)
    note_hand(s, x, seat, s.player)
    utility = trade_utility(s, seat, s.player, offer_gain(s, x, seat, 1), offer_gain(s, x, s.player, -1))
    return ACCEPT if utility > 0 else DECLINE


@jit
def seed_partner(s: CatanState, x: Notes, seat: int) -> int:
    """The partner with whom the trade is worth most."""
    note_hand(s, x, seat, seat)
    ours = offer_gain(s, x, seat, -1)
    best, highest = CANCEL, 0
    for other in range(s.seats):
        if s.answers[other] == ACCEPTED:
            note_hand(s, x, seat, other)
            # Whoever accepts thinks that it helps: an estimate that says "hurt too much" is wrong.
            theirs = max(0, offer_gain(s, x, other, 1))
            utility = trade_utility(s, seat, other, ours, theirs)
            if utility > highest:
                best, highest = CONFIRM + other, utility
    return best


# --- building ---------------------------------------------------------------------------------------------


@jit
def seed_build(s: CatanState, seat: int) -> int:
    """A settlement, else a city, else a card, else a road; `NONE` if the hand pays for none of them."""
    sites = settlement_sites(s, seat)
    if sites and count(s.settlements[seat]) < SETTLEMENTS and affords(s, seat, A_SETTLEMENT):
        return BUILD_SETTLEMENT + best_corner(s, seat, sites, SCORE, FIRST)
    if s.settlements[seat] and count(s.cities[seat]) < CITIES and affords(s, seat, A_CITY):
        return BUILD_CITY + best_corner(s, seat, s.settlements[seat], YIELD, FIRST)
    if s.deck_size and affords(s, seat, A_CARD):
        return BUY_DEV
    if roads_left(s, seat) and affords(s, seat, A_ROAD):
        road = best_road(s, seat, reach(s, seat), ALL_CORNERS, YIELD, FIRST)
        if road != NONE:
            return BUILD_ROAD + road
    return NONE


# --- development cards ------------------------------------------------------------------------------------


@jit
def plenty_gain(x: Notes, seat: int, first: int, second: int) -> int:
    """How much nearer to its purchases a noted hand comes by two more cards."""
    total = 0
    for item in range(4):
        before = x.notes[MISSING + seat * 4 + item]
        missing = before
        if COSTS[item, first] > x.notes[HANDS + seat * KINDS + first]:
            missing -= 1
        if second != NONE:
            held = x.notes[HANDS + seat * KINDS + second] + (1 if first == second else 0)
            if COSTS[item, second] > held:
                missing -= 1
        total += ACCESS[item, missing] - ACCESS[item, before]
    return total


@jit
def best_plenty(s: CatanState, x: Notes, seat: int) -> int:
    """The two cards that bring the hand nearest to its purchases; `NONE` if none do."""
    note_hand(s, x, seat, seat)
    best, highest = NONE, 0
    for choice in range(len(PLENTY_FIRST)):
        if refuse_plenty(s, choice) == 0:
            gained = plenty_gain(x, seat, PLENTY_FIRST[choice], PLENTY_SECOND[choice])
            if gained > highest:
                best, highest = PLAY_YEAR_OF_PLENTY + choice, gained
    return best


@jit
def best_monopoly(s: CatanState, seat: int, least: int) -> int:
    """The resource of which the others hold most, `NONE` if too few: the supply is public, so this is not a guess."""
    best, most = NONE, least - 1
    for resource in range(KINDS):
        others = SUPPLY - s.bank[resource] - s.hand[seat, resource]
        if others > most:
            best, most = PLAY_MONOPOLY + resource, others
    return best


@jit
def seed_card(s: CatanState, x: Notes, seat: int) -> int:
    """Knight, Road Building, Year of Plenty, Monopoly, in this order; `NONE` if there is none to play."""
    if s.phase == DEV_PLAY and s.dev[seat, VICTORY_POINT] and total_points(s, seat) >= s.victory_points:
        return REVEAL_VP
    if s.dev_done or s.dev_size[seat] == 0:
        return NONE
    if playable(s, KNIGHT):
        return PLAY_KNIGHT
    if playable(s, ROAD_BUILDING) and has_road_site(s):
        return PLAY_ROAD_BUILDING
    card = NONE
    if playable(s, YEAR_OF_PLENTY):
        card = best_plenty(s, x, seat)
    if card == NONE and playable(s, MONOPOLY):
        card = best_monopoly(s, seat, WORTH_A_MONOPOLY)
    return card


# --- the choice -------------------------------------------------------------------------------------------


@jit
def first_discard(s: CatanState, seat: int) -> int:
    """The first card of the hand."""
    resource = 0
    while s.hand[seat, resource] == 0:
        resource += 1
    return DISCARD + resource


@jit
def seed_turn(s: CatanState, x: Notes, seat: int) -> int:
    """Trade, build, play a card, end the turn."""
    phase = s.phase
    action = NONE
    if phase == MAIN or phase == TRADE:
        action = seed_trade(s, x, seat)
    if action == NONE and (phase == MAIN or phase == BUILD):
        action = seed_build(s, seat)
    if action == NONE and (phase == MAIN or phase == DEV_PLAY):
        action = seed_card(s, x, seat)
    if action != NONE:
        return action
    return END_TRADE if phase == TRADE else END_BUILD if phase == BUILD else END_TURN


@jit
def choose_seed(s: CatanState, x: Notes, seat: int) -> int:
    """The action of the policy `seed`."""
    phase = s.phase
    if phase == TURN_START:
        return ROLL_DICE
    if phase == MAIN or TRADE <= phase <= DEV_PLAY:
        return seed_turn(s, x, seat)
    if phase == TRADE_ANSWER:
        return seed_answer(s, x, seat)
    if phase == TRADE_CHOICE:
        return seed_partner(s, x, seat)
    if phase == ROBBER_MOVE:
        return MOVE_ROBBER + best_hex(s, seat, ALIKE, FIRST)
    if phase == ROBBER_DISCARD:
        return first_discard(s, seat)
    if phase == SETUP_SETTLEMENT:
        return PLACE_SETTLEMENT + best_corner(s, seat, s.open, SCORE, FIRST)
    if phase == SETUP_ROAD:
        return PLACE_ROAD + best_road(s, seat, 1 << s.corner, ALL_CORNERS, SCORE, FIRST)
    if phase == FREE_ROADS:
        return PLACE_FREE_ROAD + best_road(s, seat, reach(s, seat), ALL_CORNERS, YIELD, FIRST)
    return best_victim(s, ALIKE)
