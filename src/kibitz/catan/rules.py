"""The rules of Catan (base game, 2 to 4 players), in the order of the rule book.

Each part lists what may be done (``list_*`` writes legal actions), says why something may not (``refuse_*`` returns
a number of `kibitz.catan.reasons`), and does it. At the end stand the verbs of `kibitz.game`. Everything works on one
struct (`kibitz.catan.state.State`), in integers, without allocation: the same source runs on the CPU, on the GPU
and in plain Python.
"""

from __future__ import annotations

from kibitz.bits import count, lowest
from kibitz.catan import reasons as no
from kibitz.catan.awards import award_largest_army, award_longest_road, others_buildings, place_road, road_cut
from kibitz.catan.codes import (
    ACCEPT, ALL_CODES, BANK_TRADE, BEST_RATE, BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, BUY_DEV, CANCEL, CONFIRM, DECLINE,
    DIGITS, DISCARD, DRAWN, END_BUILD, END_TRADE, END_TURN, MOVE_ROBBER, OFFER, PLACE_FREE_ROAD, PLACE_ROAD,
    PLACE_SETTLEMENT, PLACES, PLAY_KNIGHT, PLAY_MONOPOLY, PLAY_ROAD_BUILDING, PLAY_YEAR_OF_PLENTY, PLENTY_FIRST,
    PLENTY_SECOND, RATES, REVEAL_VP, ROLL_DICE, ROLLED, SKIP_STEAL, SMALL_OFFER_COUNT, SMALL_OFFER_GIVES, SMALL_OFFERS, STEAL,
    STOLEN, WORST_RATE,
)  # fmt: skip
from kibitz.catan.state import (
    ACCEPTED, BUILD, CITIES, DECLINED, DESERT, DEV_PLAY, DRAWING, FREE_ROADS, GAME_OVER, KINDS, KNIGHT, MAIN, MONOPOLY,
    NOBODY, ROAD_BUILDING, ROADS, ROBBER_DISCARD, ROBBER_MOVE, ROBBER_STEAL, ROLLING, SETTLEMENTS, SETUP_ROAD,
    SETUP_SETTLEMENT, STEALING, SUPPLY, TRADE, TRADE_ANSWER, TRADE_CHOICE, TURN_START, VICTORY_POINT, YEAR_OF_PLENTY, State,
)  # fmt: skip
from kibitz.catan.topology import CORNER_HEXES, EDGE_CORNERS, EDGE_MASK, EDGES_AT, HALF, HEX_MASK, HEXES, NEAR_MASK, NONE
from kibitz.game import CHANCE, OVER, Scratch
from kibitz.jit import Grid, Vector, jit, table

#: What things cost, by wood, brick, sheep, wheat, ore.
ROAD_COST = (1, 1, 0, 0, 0)
SETTLEMENT_COST = (1, 1, 1, 1, 0)
CITY_COST = (0, 0, 0, 2, 3)
DEV_COST = (0, 0, 1, 1, 1)
A_ROAD, A_SETTLEMENT, A_CITY, A_CARD = range(4)
COSTS: Grid = table([ROAD_COST, SETTLEMENT_COST, CITY_COST, DEV_COST])

#: Of 36 throws of two dice, how many give 2, 3, ... 12.
DICE: Vector = table([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
#: Under the friendly robber, players with fewer visible points are left alone.
FRIENDLY_POINTS = 3


# --- cards ------------------------------------------------------------------------------------------------


@jit
def take(s: State, seat: int, resource: int, n: int) -> None:
    """From the supply into a hand."""
    s.bank[resource] -= n
    s.hand[seat, resource] += n
    s.hand_size[seat] += n


@jit
def affords(s: State, seat: int, item: int) -> bool:
    """Whether a hand holds what a road, settlement, city or development card costs."""
    for resource in range(KINDS):
        if s.hand[seat, resource] < COSTS[item, resource]:
            return False
    return True


@jit
def pay(s: State, seat: int, item: int) -> None:
    """From a hand into the supply."""
    for resource in range(KINDS):
        take(s, seat, resource, -COSTS[item, resource])


@jit
def list_each(x: Scratch, n: int, base: int, mask: int) -> int:
    """Append ``base + i`` for each i in the set `mask`."""
    while mask:
        x.actions[n] = base + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


# --- points and the end -----------------------------------------------------------------------------------


@jit
def visible_points(s: State, seat: int) -> int:
    """Settlements 1, cities 2, each special card 2, revealed victory point cards 1."""
    points = count(s.settlements[seat]) + 2 * count(s.cities[seat]) + s.played[seat, VICTORY_POINT]
    if s.road_holder == seat:
        points += 2
    if s.army_holder == seat:
        points += 2
    return points


@jit
def total_points(s: State, seat: int) -> int:
    """The visible points and the victory point cards that are still hidden."""
    return visible_points(s, seat) + s.dev[seat, VICTORY_POINT]


@jit
def check_victory(s: State) -> None:
    """You win as soon as you have 10 points in your own turn; hidden victory point cards count.

    Asked after every action, so also when a turn begins: who reached 10 in another's turn wins then.
    """
    if total_points(s, s.player) >= s.victory_points:
        s.winner = s.player
        s.free_roads = 0
        s.phase = GAME_OVER


@jit
def resume(s: State) -> None:
    """Go on with the turn after the robber, a card or a trade."""
    if s.roll == 0:
        s.phase = TURN_START
    elif not s.phased_turns:
        s.phase = MAIN
    elif s.dev_done:
        s.phase = DEV_PLAY
    else:
        s.phase = TRADE


@jit
def begin_turn(s: State, seat: int) -> None:
    """The dice go to `seat`."""
    s.player = seat
    s.turn += 1
    s.phase = TURN_START


@jit
def end_turn(s: State) -> None:
    """Pass the dice. A game that has had its last turn ends without a winner."""
    s.roll = 0
    s.dev_done = 0
    s.offers = 0
    s.new_dev_size = 0
    for card in range(KINDS):
        s.new_dev[card] = 0
    if s.turn >= s.max_turns:
        s.phase = GAME_OVER
    else:
        begin_turn(s, (s.player + 1) % s.seats)


# --- set-up -----------------------------------------------------------------------------------------------


@jit
def place_settlement(s: State, seat: int, corner: int) -> None:
    """Put a settlement on the board; the distance rule closes its corner and the neighbouring ones."""
    s.settlements[seat] |= 1 << corner
    s.open &= ~NEAR_MASK[corner]


@jit
def setup_settlement(s: State, corner: int) -> None:
    """Set-up: the second settlement yields one card for each terrain hex around it."""
    place_settlement(s, s.player, corner)
    s.placed += 1
    if s.placed > s.seats:
        for i in range(3):
            hex = CORNER_HEXES[corner, i]
            if hex != NONE and s.terrain[hex] != DESERT:
                take(s, s.player, s.terrain[hex], 1)
    s.corner = corner
    s.phase = SETUP_ROAD


@jit
def next_setup(s: State) -> None:
    """Set-up goes around the table once, then back in reverse; whoever began takes the first turn."""
    s.corner = NOBODY
    if s.placed == 2 * s.seats:
        begin_turn(s, 0)
        return
    s.phase = SETUP_SETTLEMENT
    if s.placed < s.seats:
        s.player += 1
    elif s.placed > s.seats:
        s.player -= 1


# --- the roll and production ------------------------------------------------------------------------------


@jit
def earned(s: State, seat: int, hexes: int) -> int:
    """The cards that `hexes` yield: one for each settlement, two for each city on them."""
    cards = 0
    while hexes:
        corners = HEX_MASK[lowest(hexes)]
        cards += count(s.settlements[seat] & corners) + 2 * count(s.cities[seat] & corners)
        hexes &= hexes - 1
    return cards


@jit
def produce(s: State, number: int) -> None:
    """Resource production: every hex with this number pays, except the robber's.

    If the supply cannot serve everybody, nobody gets that resource; a single claimant takes what is left.
    """
    hexes = s.tokens[number] & ~(1 << s.robber)
    if hexes == 0:
        return
    for resource in range(KINDS):
        sources = hexes & s.land[resource]
        if sources:
            pay_out(s, resource, sources)


@jit
def pay_out(s: State, resource: int, hexes: int) -> None:
    """Pay one resource to all who have earned it on `hexes`, as far as the supply allows."""
    owed, claimants, claimant = 0, 0, NOBODY
    for seat in range(s.seats):
        cards = earned(s, seat, hexes)
        if cards:
            owed += cards
            claimants += 1
            claimant = seat
    if claimants == 0:
        return
    if owed > s.bank[resource]:
        if claimants == 1 and not s.all_or_nothing_bank:
            take(s, claimant, resource, s.bank[resource])
    elif claimants == 1:
        take(s, claimant, resource, owed)
    else:
        for seat in range(s.seats):
            take(s, seat, resource, earned(s, seat, hexes))


@jit
def rolled(s: State, number: int) -> None:
    """A seven: everyone with more than 7 cards discards half, rounded down; then the robber moves."""
    s.roll = number
    if number != 7:
        produce(s, number)
        resume(s)
        return
    s.phase = ROBBER_MOVE
    for seat in range(s.seats):
        if s.hand_size[seat] > s.discard_limit:
            s.discards[seat] = s.hand_size[seat] // 2
            s.phase = ROBBER_DISCARD


# --- the robber -------------------------------------------------------------------------------------------


@jit
def discarder(s: State) -> int:
    """Who discards next: from the roller clockwise (0 to `seats` - 1), `NOBODY` when all are done."""
    for i in range(s.seats):
        seat = (s.player + i) % s.seats
        if s.discards[seat]:
            return seat
    return NOBODY


@jit
def discard(s: State, resource: int) -> None:
    """One card of the player's own choice."""
    seat = discarder(s)
    take(s, seat, resource, -1)
    s.discards[seat] -= 1
    if discarder(s) == NOBODY:
        s.phase = ROBBER_MOVE


@jit
def protected_corners(s: State) -> int:
    """Under the friendly robber: the buildings of players with fewer than 3 visible points."""
    corners = 0
    if s.friendly_robber:
        for seat in range(s.seats):
            if visible_points(s, seat) < FRIENDLY_POINTS:
                corners |= s.settlements[seat] | s.cities[seat]
    return corners


@jit
def robber_hexes(s: State) -> int:
    """Where the robber may go: any other hex, the desert too (if the friendly robber leaves none: any other hex)."""
    elsewhere = ((1 << HEXES) - 1) & ~(1 << s.robber)
    protected = protected_corners(s)
    if protected == 0:
        return elsewhere
    hexes = 0
    for hex in range(HEXES):
        if not HEX_MASK[hex] & protected:
            hexes |= 1 << hex
    hexes &= elsewhere
    return hexes if hexes else elsewhere


@jit
def can_be_robbed(s: State, seat: int) -> bool:
    """An opponent with a building at the robber's hex (in phased turns: who also holds a card)."""
    if seat == s.player or (s.phased_turns and s.hand_size[seat] == 0):
        return False
    return (s.settlements[seat] | s.cities[seat]) & HEX_MASK[s.robber] != 0


@jit
def somebody_to_rob(s: State) -> bool:
    """Whether anyone can be robbed where the robber stands."""
    for seat in range(s.seats):
        if can_be_robbed(s, seat):
            return True
    return False


@jit
def move_robber(s: State, hex: int) -> None:
    """To another hex; then one of the players who have built there is robbed."""
    s.robber = hex
    if somebody_to_rob(s) or s.phased_turns:
        s.phase = ROBBER_STEAL
    else:
        resume(s)


@jit
def steal(s: State, victim: int) -> None:
    """One random card; a victim without cards yields nothing."""
    if s.hand_size[victim]:
        s.victim = victim
        s.phase = STEALING
    else:
        resume(s)


@jit
def stolen(s: State, resource: int) -> None:
    """The card changes hands."""
    s.hand[s.victim, resource] -= 1
    s.hand_size[s.victim] -= 1
    s.hand[s.player, resource] += 1
    s.hand_size[s.player] += 1
    s.victim = NOBODY
    resume(s)


# --- maritime trade ---------------------------------------------------------------------------------------


@jit
def has_rate(s: State, seat: int, resource: int, rate: int) -> bool:
    """4:1 always, 3:1 at a generic harbour, 2:1 at the harbour of the resource: any rate you qualify for."""
    if rate == WORST_RATE:
        return True
    harbour = 0 if rate == 3 else 1 + resource
    return (s.settlements[seat] | s.cities[seat]) & s.harbours[harbour] != 0


@jit
def list_bank_trades(s: State, x: Scratch, n: int) -> int:
    """Give 2, 3 or 4 alike, take one of another kind that the supply holds."""
    seat = s.player
    if s.hand_size[seat] < BEST_RATE:
        return n
    for give in range(KINDS):
        for rate in range(BEST_RATE, min(WORST_RATE, s.hand[seat, give]) + 1):
            if has_rate(s, seat, give, rate):
                for get in range(KINDS):
                    if get != give and s.bank[get]:
                        x.actions[n] = BANK_TRADE + (give * RATES + rate - BEST_RATE) * KINDS + get
                        n += 1
    return n


@jit
def trade_gives(trade: int) -> int:
    """The resource that a bank trade gives."""
    return trade // (RATES * KINDS)


@jit
def trade_rate(trade: int) -> int:
    """How many cards a bank trade gives for one."""
    return BEST_RATE + trade // KINDS % RATES


@jit
def trade_gets(trade: int) -> int:
    """The resource that a bank trade gets."""
    return trade % KINDS


@jit
def refuse_bank_trade(s: State, trade: int) -> int:
    """The counterpart of `list_bank_trades` for one trade."""
    give, rate, get = trade_gives(trade), trade_rate(trade), trade_gets(trade)
    if give == get:
        return no.SAME_RESOURCE
    if not has_rate(s, s.player, give, rate):
        return no.NO_SUCH_RATE
    if s.hand[s.player, give] < rate:
        return no.CANNOT_PAY
    return 0 if s.bank[get] else no.BANK_HAS_NONE


@jit
def bank_trade(s: State, trade: int) -> None:
    """The exchange with the supply."""
    take(s, s.player, trade_gives(trade), -trade_rate(trade))
    take(s, s.player, trade_gets(trade), 1)


# --- domestic trade ---------------------------------------------------------------------------------------


@jit
def offered(bundle: int, resource: int) -> int:
    """How many cards of a resource an offer gives (+) or wants (-)."""
    return bundle // PLACES[resource] % DIGITS - SUPPLY


@jit
def list_offers(s: State, x: Scratch, n: int) -> int:
    """A small set of offers (one or two alike for one or two alike), so that they can be enumerated."""
    if s.domestic_trade and s.offers < s.offer_limit:
        for i in range(len(SMALL_OFFERS)):
            if s.hand[s.player, SMALL_OFFER_GIVES[i]] >= SMALL_OFFER_COUNT[i]:
                x.actions[n] = SMALL_OFFERS[i]
                n += 1
    return n


@jit
def refuse_offer(s: State, bundle: int) -> int:
    """Any bundle may be offered that the player holds; no gifts."""
    if not s.domestic_trade:
        return no.NO_DOMESTIC_TRADE
    if s.offers >= s.offer_limit:
        return no.TOO_MANY_OFFERS
    gives, wants = False, False
    for resource in range(KINDS):
        n = offered(bundle, resource)
        if n > s.hand[s.player, resource]:
            return no.NOT_YOUR_CARD
        gives |= n > 0
        wants |= n < 0
    return 0 if gives and wants else no.NO_GIFTS


@jit
def make_offer(s: State, bundle: int) -> None:
    """The offer goes to all others, who answer in turn."""
    for resource in range(KINDS):
        s.offer[resource] = offered(bundle, resource)
    s.offers += 1
    s.phase = TRADE_ANSWER


@jit
def answerer(s: State) -> int:
    """Who answers next: clockwise from the player whose turn it is; `NOBODY` when all have."""
    for i in range(1, s.seats):
        seat = (s.player + i) % s.seats
        if s.answers[seat] == 0:
            return seat
    return NOBODY


@jit
def can_accept(s: State, seat: int) -> bool:
    """Whether a player holds what the offer asks for."""
    for resource in range(KINDS):
        if s.hand[seat, resource] < -s.offer[resource]:
            return False
    return True


@jit
def answer(s: State, reply: int) -> None:
    """When all have answered and somebody accepts, the player whose turn it is chooses among them."""
    s.answers[answerer(s)] = reply
    if answerer(s) == NOBODY:
        s.phase = TRADE_CHOICE
        for seat in range(s.seats):
            if s.answers[seat] == ACCEPTED:
                return
        withdraw(s)


@jit
def withdraw(s: State) -> None:
    """The offer is off the table."""
    for resource in range(KINDS):
        s.offer[resource] = 0
    for seat in range(s.seats):
        s.answers[seat] = 0
    resume(s)


@jit
def trade_with(s: State, partner: int) -> None:
    """The exchange with the chosen partner."""
    for resource in range(KINDS):
        n = s.offer[resource]
        s.hand[s.player, resource] -= n
        s.hand_size[s.player] -= n
        s.hand[partner, resource] += n
        s.hand_size[partner] += n
    withdraw(s)


# --- building ---------------------------------------------------------------------------------------------


@jit
def reach(s: State, seat: int) -> int:
    """The corners from which a player may build on: own buildings and ends of own roads, but not through others' buildings."""
    return (s.network[seat] | s.settlements[seat] | s.cities[seat]) & ~others_buildings(s, seat)


@jit
def roads_left(s: State, seat: int) -> int:
    """Of 15 roads."""
    return ROADS - count(s.roads[seat, 0]) - count(s.roads[seat, 1])


@jit
def road_sites(s: State, corners: int, half: int) -> int:
    """The free edges (of one half of them) at any of `corners`."""
    edges = 0
    while corners:
        edges |= EDGES_AT[lowest(corners), half]
        corners &= corners - 1
    for seat in range(s.seats):
        edges &= ~s.roads[seat, half]
    return edges


@jit
def list_roads(s: State, x: Scratch, n: int, base: int, corners: int) -> int:
    """The free edges at `corners`."""
    n = list_each(x, n, base, road_sites(s, corners, 0))
    return list_each(x, n, base + HALF, road_sites(s, corners, 1))


@jit
def settlement_sites(s: State, seat: int) -> int:
    """A settlement needs an own road to it, and no building on the corners next to it."""
    return s.open & s.network[seat]


@jit
def list_builds(s: State, x: Scratch, n: int) -> int:
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
def refuse_edge(s: State, edge: int, corners: int, reason: int) -> int:
    """A road needs a free edge that touches one of `corners`."""
    for seat in range(s.seats):
        if s.roads[seat, edge // HALF] >> (edge % HALF) & 1:
            return no.EDGE_TAKEN
    touches = (corners >> EDGE_CORNERS[edge, 0] | corners >> EDGE_CORNERS[edge, 1]) & 1
    return 0 if touches else reason


@jit
def refuse_road(s: State, edge: int) -> int:
    """Roads continue the own network."""
    if roads_left(s, s.player) == 0:
        return no.NO_ROADS_LEFT
    touched = s.network[s.player] & EDGE_MASK[edge]
    return refuse_edge(s, edge, reach(s, s.player), no.BLOCKED_BY_BUILDING if touched else no.NOT_CONNECTED)


@jit
def refuse_corner(s: State, corner: int) -> int:
    """The distance rule."""
    for seat in range(s.seats):
        if (s.settlements[seat] | s.cities[seat]) >> corner & 1:
            return no.CORNER_TAKEN
    return 0 if s.open >> corner & 1 else no.TOO_CLOSE


@jit
def refuse_settlement(s: State, corner: int) -> int:
    """The counterpart of `settlement_sites` for one corner."""
    if count(s.settlements[s.player]) >= SETTLEMENTS:
        return no.NO_SETTLEMENTS_LEFT
    reason = refuse_corner(s, corner)
    if reason == 0 and not s.network[s.player] >> corner & 1:
        return no.NO_ROAD_TO_CORNER
    return reason


@jit
def refuse_city(s: State, corner: int) -> int:
    """A city replaces an own settlement."""
    if count(s.cities[s.player]) >= CITIES:
        return no.NO_CITIES_LEFT
    return 0 if s.settlements[s.player] >> corner & 1 else no.NOT_YOUR_SETTLEMENT


@jit
def refuse_payment(s: State, reason: int, item: int) -> int:
    """A broken rule comes before an empty purse."""
    if reason:
        return reason
    return 0 if affords(s, s.player, item) else no.CANNOT_PAY


@jit
def build_road(s: State, edge: int) -> None:
    """A road: placed in set-up, free with Road Building, else paid for."""
    place_road(s, s.player, edge)
    if s.phase == SETUP_ROAD:
        next_setup(s)
        return
    if s.phase == FREE_ROADS:
        s.free_roads -= 1
        if s.free_roads == 0 or not has_road_site(s):
            s.free_roads = 0
            resume(s)
    else:
        pay(s, s.player, A_ROAD)


@jit
def build_settlement(s: State, corner: int) -> None:
    """Pay and place a settlement; it may cut another player's road."""
    pay(s, s.player, A_SETTLEMENT)
    place_settlement(s, s.player, corner)
    road_cut(s, s.player, corner)
    award_longest_road(s)


@jit
def build_city(s: State, corner: int) -> None:
    """Pay for a city; the settlement goes back to the player's pieces."""
    pay(s, s.player, A_CITY)
    s.settlements[s.player] ^= 1 << corner
    s.cities[s.player] |= 1 << corner


@jit
def buy_card(s: State) -> None:
    """Pay; chance draws the card."""
    pay(s, s.player, A_CARD)
    s.phase = DRAWING


@jit
def drawn(s: State, card: int) -> None:
    """The card is kept hidden; only victory points count at once."""
    s.deck[card] -= 1
    s.deck_size -= 1
    s.dev[s.player, card] += 1
    s.dev_size[s.player] += 1
    s.new_dev[card] += 1
    s.new_dev_size += 1
    s.phase = BUILD if s.phased_turns else MAIN


# --- development cards ------------------------------------------------------------------------------------


@jit
def playable(s: State, card: int) -> bool:
    """One card a turn, at any time in the own turn; not one that was bought this turn."""
    return not s.dev_done and s.dev[s.player, card] > s.new_dev[card]


@jit
def supply_size(s: State) -> int:
    """All resource cards in the supply."""
    cards = 0
    for resource in range(KINDS):
        cards += s.bank[resource]
    return cards


@jit
def has_road_site(s: State) -> bool:
    """Whether the player has a road left and a place for it."""
    if roads_left(s, s.player) == 0:
        return False
    corners = reach(s, s.player)
    return road_sites(s, corners, 0) | road_sites(s, corners, 1) != 0


@jit
def refuse_plenty(s: State, choice: int) -> int:
    """Year of Plenty: two cards that the supply holds; a single one only if the whole supply holds no second."""
    first, second = PLENTY_FIRST[choice], PLENTY_SECOND[choice]
    if second == NONE:
        if supply_size(s) >= 2:
            return no.TAKE_TWO
        return 0 if s.bank[first] else no.BANK_HAS_NONE
    if first == second:
        return 0 if s.bank[first] >= 2 else no.BANK_HAS_NONE
    return 0 if s.bank[first] and s.bank[second] else no.BANK_HAS_NONE


@jit
def list_cards(s: State, x: Scratch, n: int) -> int:
    """The development cards that may be played now."""
    if s.dev_done or s.dev_size[s.player] == 0:
        return n
    if playable(s, KNIGHT):
        x.actions[n] = PLAY_KNIGHT
        n += 1
    if playable(s, ROAD_BUILDING) and has_road_site(s):
        x.actions[n] = PLAY_ROAD_BUILDING
        n += 1
    if playable(s, YEAR_OF_PLENTY):
        for choice in range(len(PLENTY_FIRST)):
            if refuse_plenty(s, choice) == 0:
                x.actions[n] = PLAY_YEAR_OF_PLENTY + choice
                n += 1
    if playable(s, MONOPOLY):
        for resource in range(KINDS):
            x.actions[n] = PLAY_MONOPOLY + resource
            n += 1
    return n


@jit
def refuse_card(s: State, card: int) -> int:
    """The counterpart of `playable`, with the reason."""
    if s.dev[s.player, card] == 0:
        return no.NO_SUCH_CARD
    if s.dev_done:
        return no.ONE_CARD_A_TURN
    return 0 if playable(s, card) else no.BOUGHT_THIS_TURN


@jit
def play_card(s: State, card: int) -> None:
    """Put a development card on the table."""
    s.dev[s.player, card] -= 1
    s.dev_size[s.player] -= 1
    s.played[s.player, card] += 1
    if card != VICTORY_POINT:
        s.dev_done = 1


@jit
def play_knight(s: State) -> None:
    """Knight: move the robber."""
    play_card(s, KNIGHT)
    award_largest_army(s, s.player)
    s.phase = ROBBER_MOVE


@jit
def play_road_building(s: State) -> None:
    """Road Building: up to two free roads, as many as can be placed."""
    play_card(s, ROAD_BUILDING)
    s.free_roads = min(2, roads_left(s, s.player))
    s.phase = FREE_ROADS


@jit
def play_year_of_plenty(s: State, choice: int) -> None:
    """Year of Plenty: cards of the player's choice from the supply."""
    play_card(s, YEAR_OF_PLENTY)
    take(s, s.player, PLENTY_FIRST[choice], 1)
    if PLENTY_SECOND[choice] != NONE:
        take(s, s.player, PLENTY_SECOND[choice], 1)


@jit
def play_monopoly(s: State, resource: int) -> None:
    """Monopoly: all others hand over all their cards of one resource."""
    play_card(s, MONOPOLY)
    for seat in range(s.seats):
        if seat != s.player:
            cards = s.hand[seat, resource]
            s.hand[seat, resource] = 0
            s.hand_size[seat] -= cards
            s.hand[s.player, resource] += cards
            s.hand_size[s.player] += cards


@jit
def reveal_vp(s: State) -> None:
    """Phased turns only: show a victory point card (it counts while hidden too)."""
    if s.new_dev[VICTORY_POINT]:
        s.new_dev[VICTORY_POINT] -= 1
        s.new_dev_size -= 1
    play_card(s, VICTORY_POINT)


# --- the verbs --------------------------------------------------------------------------------------------


@jit
def actor(s: State) -> int:
    """Whose move it is."""
    phase = s.phase
    if phase == ROLLING or phase == STEALING or phase == DRAWING:
        return CHANCE
    if phase == GAME_OVER:
        return OVER
    if phase == ROBBER_DISCARD:
        return discarder(s)
    if phase == TRADE_ANSWER:
        return answerer(s)
    return s.player


@jit
def kind(s: State) -> int:
    """The phase."""
    return s.phase


@jit
def may_trade(s: State) -> bool:
    """Trade comes after the roll."""
    return s.phase == MAIN or s.phase == TRADE


@jit
def may_build(s: State) -> bool:
    """Building comes after the roll."""
    return s.phase == MAIN or s.phase == BUILD


@jit
def may_play_card(s: State) -> bool:
    """Development cards may be played before the roll too (not in phased turns)."""
    return s.phase == MAIN or s.phase == DEV_PLAY or (s.phase == TURN_START and not s.phased_turns)


@jit
def may_end_turn(s: State) -> bool:
    """The turn ends after the roll (in phased turns: after the cards)."""
    return s.phase == MAIN or s.phase == DEV_PLAY


@jit
def list_turn(s: State, x: Scratch) -> int:
    """What a player may do in the own turn."""
    n = 0
    if s.phase == TURN_START:
        x.actions[n] = ROLL_DICE
        n += 1
    if may_trade(s):
        n = list_bank_trades(s, x, n)
    if s.phase == TRADE:
        x.actions[n] = END_TRADE
        n += 1
    if may_build(s):
        n = list_builds(s, x, n)
    if s.phase == BUILD:
        x.actions[n] = END_BUILD
        n += 1
    if may_play_card(s):
        n = list_cards(s, x, n)
    if s.phase == DEV_PLAY and s.dev[s.player, VICTORY_POINT]:
        x.actions[n] = REVEAL_VP
        n += 1
    if may_end_turn(s):
        x.actions[n] = END_TURN
        n += 1
    if may_trade(s):
        n = list_offers(s, x, n)
    return n


@jit
def list_road_sites(s: State, x: Scratch) -> int:
    """Where a road may go that costs nothing: at the settlement just placed, or for Road Building at the network."""
    if s.phase == SETUP_ROAD:
        return list_roads(s, x, 0, PLACE_ROAD, 1 << s.corner)
    return list_roads(s, x, 0, PLACE_FREE_ROAD, reach(s, s.player))


@jit
def list_discards(s: State, x: Scratch) -> int:
    """One card of each resource in the hand of the player who discards."""
    n, seat = 0, discarder(s)
    for resource in range(KINDS):
        if s.hand[seat, resource]:
            x.actions[n] = DISCARD + resource
            n += 1
    return n


@jit
def list_victims(s: State, x: Scratch) -> int:
    """Who can be robbed."""
    n = 0
    for seat in range(s.seats):
        if can_be_robbed(s, seat):
            x.actions[n] = STEAL + seat
            n += 1
    if n == 0:
        x.actions[n] = SKIP_STEAL
        n += 1
    return n


@jit
def list_answers(s: State, x: Scratch) -> int:
    """Yes, for those who hold the cards, or no."""
    n = 0
    if can_accept(s, answerer(s)):
        x.actions[n] = ACCEPT
        n += 1
    x.actions[n] = DECLINE
    return n + 1


@jit
def list_partners(s: State, x: Scratch) -> int:
    """Those who accepted, or nobody."""
    n = 0
    for seat in range(s.seats):
        if s.answers[seat] == ACCEPTED:
            x.actions[n] = CONFIRM + seat
            n += 1
    x.actions[n] = CANCEL
    return n + 1


@jit
def legal(s: State, x: Scratch) -> int:
    """The legal actions of the player to move, ascending."""
    phase = s.phase
    if phase == MAIN or phase == TURN_START or TRADE <= phase <= DEV_PLAY:
        return list_turn(s, x)
    if phase == ROBBER_MOVE:
        return list_each(x, 0, MOVE_ROBBER, robber_hexes(s))
    if phase == ROBBER_STEAL:
        return list_victims(s, x)
    if phase == ROBBER_DISCARD:
        return list_discards(s, x)
    if phase == SETUP_SETTLEMENT:
        return list_each(x, 0, PLACE_SETTLEMENT, s.open)
    if phase == SETUP_ROAD or phase == FREE_ROADS:
        return list_road_sites(s, x)
    if phase == TRADE_ANSWER:
        return list_answers(s, x)
    if phase == TRADE_CHOICE:
        return list_partners(s, x)
    return 0


@jit
def why_not(s: State, a: int) -> int:
    """0 if `a` is legal, else a number of `kibitz.catan.reasons`. Judges every code, also offers that `legal` does not list."""
    if a < 0 or a >= ALL_CODES:
        return no.UNKNOWN_ACTION
    if s.phase == GAME_OVER:
        return no.GAME_IS_OVER
    if ROLLED <= a < OFFER:
        return refuse_outcome(s, a)
    if a >= OFFER:
        return refuse_offer(s, a - OFFER) if may_trade(s) else no.WRONG_PHASE
    if a >= END_BUILD:
        return refuse_in_cards(s, a)
    if a >= END_TRADE:
        return refuse_in_building(s, a)
    if a >= BANK_TRADE:
        return refuse_in_trade(s, a)
    return refuse_before_trade(s, a)


@jit
def refuse_outcome(s: State, a: int) -> int:
    """Outcomes of chance must have a positive weight."""
    if a >= DRAWN:
        if s.phase != DRAWING:
            return no.CHANCE_DECIDES
        return 0 if s.deck[a - DRAWN] else no.NO_SUCH_OUTCOME
    if a >= STOLEN:
        if s.phase != STEALING:
            return no.CHANCE_DECIDES
        return 0 if s.hand[s.victim, a - STOLEN] else no.NO_SUCH_OUTCOME
    return 0 if s.phase == ROLLING else no.CHANCE_DECIDES


@jit
def refuse_before_trade(s: State, a: int) -> int:
    """Set-up, the roll and the robber."""
    if a < PLACE_ROAD:
        return refuse_corner(s, a - PLACE_SETTLEMENT) if s.phase == SETUP_SETTLEMENT else no.WRONG_PHASE
    if a < ROLL_DICE:
        if s.phase != SETUP_ROAD:
            return no.WRONG_PHASE
        return refuse_edge(s, a - PLACE_ROAD, 1 << s.corner, no.NOT_AT_NEW_SETTLEMENT)
    if a == ROLL_DICE:
        return 0 if s.phase == TURN_START else no.WRONG_PHASE
    if a < MOVE_ROBBER:
        if s.phase != ROBBER_DISCARD:
            return no.WRONG_PHASE
        return 0 if s.hand[discarder(s), a - DISCARD] else no.NOT_YOUR_CARD
    if a < STEAL:
        if s.phase != ROBBER_MOVE:
            return no.WRONG_PHASE
        if a - MOVE_ROBBER == s.robber:
            return no.ROBBER_MUST_MOVE
        return 0 if robber_hexes(s) >> (a - MOVE_ROBBER) & 1 else no.FRIENDLY_ROBBER
    if s.phase != ROBBER_STEAL:
        return no.WRONG_PHASE
    if a == SKIP_STEAL:
        return no.MUST_STEAL if somebody_to_rob(s) else 0
    return 0 if a - STEAL < s.seats and can_be_robbed(s, a - STEAL) else no.NOBODY_TO_ROB


@jit
def refuse_in_trade(s: State, a: int) -> int:
    """Maritime trade, and the answers to an offer."""
    if a < ACCEPT:
        return refuse_bank_trade(s, a - BANK_TRADE) if may_trade(s) else no.WRONG_PHASE
    if a == ACCEPT or a == DECLINE:
        if s.phase != TRADE_ANSWER:
            return no.WRONG_PHASE
        return 0 if a == DECLINE or can_accept(s, answerer(s)) else no.NOT_YOUR_CARD
    if s.phase != TRADE_CHOICE:
        return no.WRONG_PHASE
    return 0 if a == CANCEL or s.answers[a - CONFIRM] == ACCEPTED else no.DID_NOT_ACCEPT


@jit
def refuse_in_building(s: State, a: int) -> int:
    """Roads, settlements, cities and the purchase of a card."""
    if a == END_TRADE:
        return 0 if s.phase == TRADE else no.WRONG_PHASE
    if not may_build(s):
        return no.WRONG_PHASE
    if a < BUILD_SETTLEMENT:
        return refuse_payment(s, refuse_road(s, a - BUILD_ROAD), A_ROAD)
    if a < BUILD_CITY:
        return refuse_payment(s, refuse_settlement(s, a - BUILD_SETTLEMENT), A_SETTLEMENT)
    if a < BUY_DEV:
        return refuse_payment(s, refuse_city(s, a - BUILD_CITY), A_CITY)
    return refuse_payment(s, 0 if s.deck_size else no.DECK_EMPTY, A_CARD)


@jit
def refuse_in_cards(s: State, a: int) -> int:
    """Development cards and the end of the turn."""
    if a == END_BUILD:
        return 0 if s.phase == BUILD else no.WRONG_PHASE
    if a == END_TURN:
        return 0 if may_end_turn(s) else no.WRONG_PHASE
    if PLACE_FREE_ROAD <= a < PLAY_YEAR_OF_PLENTY:
        return refuse_road(s, a - PLACE_FREE_ROAD) if s.phase == FREE_ROADS else no.WRONG_PHASE
    if a == REVEAL_VP:
        if s.phase != DEV_PLAY:
            return no.WRONG_PHASE
        return 0 if s.dev[s.player, VICTORY_POINT] else no.NO_SUCH_CARD
    if not may_play_card(s):
        return no.WRONG_PHASE
    if a == PLAY_KNIGHT:
        return refuse_card(s, KNIGHT)
    if a == PLAY_ROAD_BUILDING:
        reason = refuse_card(s, ROAD_BUILDING)
        return reason if reason or has_road_site(s) else no.NOWHERE_TO_BUILD
    if a < PLAY_MONOPOLY:
        reason = refuse_card(s, YEAR_OF_PLENTY)
        return reason if reason else refuse_plenty(s, a - PLAY_YEAR_OF_PLENTY)
    return refuse_card(s, MONOPOLY)


@jit
def road_edge(a: int) -> int:
    """The edge of an action that places a road, `NONE` for any other."""
    if PLACE_ROAD <= a < ROLL_DICE:
        return a - PLACE_ROAD
    if BUILD_ROAD <= a < BUILD_SETTLEMENT:
        return a - BUILD_ROAD
    if PLACE_FREE_ROAD <= a < PLAY_YEAR_OF_PLENTY:
        return a - PLACE_FREE_ROAD
    return NONE


@jit
def apply(s: State, a: int) -> None:
    """Do what `a` says (it is legal, or an outcome of the chance event at hand); then see whether the game is won."""
    edge = road_edge(a)
    if a >= ROLLED:
        apply_outcome_or_offer(s, a)
    elif edge != NONE:
        build_road(s, edge)
    elif a < BANK_TRADE:
        apply_before_trade(s, a)
    elif a < BUILD_ROAD:
        apply_in_trade(s, a)
    else:
        apply_in_building_or_cards(s, a)
    check_victory(s)


@jit
def apply_outcome_or_offer(s: State, a: int) -> None:
    """Dice, stolen and drawn cards; offers."""
    if a < STOLEN:
        rolled(s, a - ROLLED + 2)
    elif a < DRAWN:
        stolen(s, a - STOLEN)
    elif a < OFFER:
        drawn(s, a - DRAWN)
    else:
        make_offer(s, a - OFFER)


@jit
def apply_before_trade(s: State, a: int) -> None:
    """Set-up, the roll and the robber."""
    if a == ROLL_DICE:
        s.phase = ROLLING
    elif a < PLACE_ROAD:
        setup_settlement(s, a - PLACE_SETTLEMENT)
    elif a < MOVE_ROBBER:
        discard(s, a - DISCARD)
    elif a < STEAL:
        move_robber(s, a - MOVE_ROBBER)
    elif a < SKIP_STEAL:
        steal(s, a - STEAL)
    else:
        resume(s)


@jit
def apply_in_trade(s: State, a: int) -> None:
    """Maritime trade, and the answers to an offer."""
    if a < ACCEPT:
        bank_trade(s, a - BANK_TRADE)
    elif a <= DECLINE:
        answer(s, ACCEPTED if a == ACCEPT else DECLINED)
    elif a < CANCEL:
        trade_with(s, a - CONFIRM)
    elif a == CANCEL:
        withdraw(s)
    else:
        s.phase = BUILD


@jit
def apply_in_building_or_cards(s: State, a: int) -> None:
    """Settlements, cities, development cards and the end of the turn."""
    if a == END_TURN:
        end_turn(s)
    elif a < BUILD_CITY:
        build_settlement(s, a - BUILD_SETTLEMENT)
    elif a < BUY_DEV:
        build_city(s, a - BUILD_CITY)
    elif a == BUY_DEV:
        buy_card(s)
    elif a == END_BUILD:
        s.phase = DEV_PLAY
    elif a == PLAY_KNIGHT:
        play_knight(s)
    elif a == PLAY_ROAD_BUILDING:
        play_road_building(s)
    elif a < PLAY_MONOPOLY:
        play_year_of_plenty(s, a - PLAY_YEAR_OF_PLENTY)
    elif a < REVEAL_VP:
        play_monopoly(s, a - PLAY_MONOPOLY)
    else:
        reveal_vp(s)


@jit
def weights(s: State, x: Scratch) -> int:
    """Chance: two dice, a card out of the victim's hand, a card from the deck (a count per type)."""
    n = 0
    if s.phase == ROLLING:
        for i in range(len(DICE)):
            x.actions[i] = ROLLED + i
            x.weights[i] = DICE[i]
        return len(DICE)
    for kind in range(KINDS):
        cards = s.hand[s.victim, kind] if s.phase == STEALING else s.deck[kind]
        if cards:
            x.actions[n] = (STOLEN if s.phase == STEALING else DRAWN) + kind
            x.weights[n] = cards
            n += 1
    return n


@jit
def moment(s: State) -> int:
    """Dice by turn; a theft by turn and whether a seven or a knight caused it; a drawn card by turn and deck size."""
    if s.phase == ROLLING:
        return s.turn * 64
    if s.phase == STEALING:
        return s.turn * 64 + 1 + (2 if s.roll else 0) + s.dev_done
    return s.turn * 64 + 8 + s.deck_size


@jit
def score(s: State, seat: int) -> int:
    """Victory points, hidden ones included."""
    return total_points(s, seat)


@jit
def prize(s: State, seat: int) -> int:
    """Only winning counts."""
    return 1 if s.winner == seat else 0
