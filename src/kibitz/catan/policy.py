"""Compiled ways to choose an action. Scores are integers, ties go to the lowest action: the same on every device.

`builder` is a simple first policy: it builds what it can in the order settlement, city, development card, road,
and trades one for one toward the next thing to build. It looks only at what its seat may know.
"""

from __future__ import annotations

from kibitz.bits import count
from kibitz.catan.codes import (
    ACCEPT, BANK_TRADE, BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, BUY_DEV, CONFIRM, DISCARD, MOVE_ROBBER, OFFER,
    PLACE_FREE_ROAD, PLACE_ROAD, PLAY_KNIGHT, PLAY_MONOPOLY, PLAY_ROAD_BUILDING, PLAY_YEAR_OF_PLENTY, PLENTY_FIRST,
    PLENTY_SECOND, REVEAL_VP, ROLL_DICE, STEAL,
)  # fmt: skip
from kibitz.catan.rules import (
    A_CARD, A_CITY, A_SETTLEMENT, COSTS, DICE, actor, legal, offered, settlement_sites, trade_gets, trade_gives,
    trade_rate, visible_points,
)  # fmt: skip
from kibitz.catan.state import CITIES, KINDS, SETTLEMENTS, SUPPLY, State
from kibitz.catan.topology import CORNER_HEXES, CORNER_NEIGHBOURS, EDGE_CORNERS, HEX_MASK, NONE
from kibitz.game import RANDOM, Scratch
from kibitz.jit import jit

#: The policies by their short names; random play is the driver's own.
BOTS = {"random": RANDOM, "builder": 1}

# What the builder likes best, in this order; each leaves room for the pips of a place.
SETTLE, UPGRADE, PLAY, DRAW, EXTEND, BARTER, PROPOSE = 7000, 6000, 5000, 4000, 3000, 2000, 1000
NOTHING, UNWANTED = 0, -1
#: How much more a city's hex hurts its owner than a settlement's.
CITY_WEIGHT = 2
#: How many cards of a resource the others must hold together.
WORTH_A_MONOPOLY = 4


@jit
def pips(number: int) -> int:
    """Of 36 throws, how many give this number."""
    return DICE[number - 2] if number else 0


@jit
def corner_pips(s: State, corner: int) -> int:
    """The pips of the hexes around a corner."""
    total = 0
    for i in range(3):
        hex = CORNER_HEXES[corner, i]
        if hex != NONE:
            total += pips(s.number[hex])
    return total


@jit
def road_prospect(s: State, edge: int) -> int:
    """The best corner for a settlement that a road leads to, at its end or one step further."""
    best = 0
    for end in range(2):
        corner = EDGE_CORNERS[edge, end]
        if s.open >> corner & 1:
            best = max(best, 1 + 2 * corner_pips(s, corner))
        for i in range(3):
            further = CORNER_NEIGHBOURS[corner, i]
            if further != NONE and s.open >> further & 1:
                best = max(best, corner_pips(s, further))
    return best


@jit
def robber_pressure(s: State, hex: int, seat: int) -> int:
    """What a robber on this hex costs the others, less what it costs oneself."""
    pressure = 0
    for other in range(s.seats):
        buildings = count(s.settlements[other] & HEX_MASK[hex]) + CITY_WEIGHT * count(s.cities[other] & HEX_MASK[hex])
        if other == seat:
            pressure -= 2 * buildings
        else:
            pressure += buildings * (1 + visible_points(s, other) // 3)
    return pressure * pips(s.number[hex])


@jit
def goal(s: State, seat: int) -> int:
    """What to save for: a settlement where there is a place, else a city, else a card."""
    if count(s.settlements[seat]) < SETTLEMENTS and settlement_sites(s, seat):
        return A_SETTLEMENT
    if s.settlements[seat] and count(s.cities[seat]) < CITIES:
        return A_CITY
    return A_CARD


@jit
def lacks(s: State, seat: int, resource: int) -> bool:
    """Whether the goal needs another card of this resource."""
    return s.hand[seat, resource] < COSTS[goal(s, seat), resource]


@jit
def spares(s: State, seat: int, resource: int, n: int) -> bool:
    """Whether the goal can be reached without these cards."""
    return s.hand[seat, resource] - n >= COSTS[goal(s, seat), resource]


@jit
def offer_helps(s: State, seat: int, bundle: int) -> bool:
    """A one-for-one offer that gives what can be spared and gets what is lacking."""
    cards = 0
    for resource in range(KINDS):
        n = offered(bundle, resource)
        cards += abs(n)
        if (n > 0 and not spares(s, seat, resource, n)) or (n < 0 and not lacks(s, seat, resource)):
            return False
    return cards == 2


@jit
def accepting_helps(s: State, seat: int) -> bool:
    """The same question from the other side of the table."""
    gains = 0
    for resource in range(KINDS):
        n = s.offer[resource]
        if n < 0 and not spares(s, seat, resource, -n):
            return False
        if n > 0 and lacks(s, seat, resource):
            gains += n
    return gains > 0


@jit
def value(s: State, seat: int, a: int) -> int:
    """How much the builder likes an action; `NOTHING` is to end the turn or to roll."""
    if a >= OFFER:
        return PROPOSE if offer_helps(s, seat, a - OFFER) else UNWANTED
    if a < PLACE_ROAD:
        return corner_pips(s, a)
    if a < ROLL_DICE:
        return road_prospect(s, a - PLACE_ROAD)
    if DISCARD <= a < MOVE_ROBBER:
        return s.hand[seat, a - DISCARD] * 2 + (0 if lacks(s, seat, a - DISCARD) else 1)
    if MOVE_ROBBER <= a < STEAL:
        return robber_pressure(s, a - MOVE_ROBBER, seat)
    if STEAL <= a < STEAL + s.seats:
        return s.hand_size[a - STEAL]
    if BANK_TRADE <= a < ACCEPT:
        trade = a - BANK_TRADE
        helps = lacks(s, seat, trade_gets(trade)) and spares(s, seat, trade_gives(trade), trade_rate(trade))
        return BARTER - trade_rate(trade) if helps else UNWANTED
    if a == ACCEPT:
        return PROPOSE if accepting_helps(s, seat) else UNWANTED
    if CONFIRM <= a < CONFIRM + s.seats:
        return PROPOSE - visible_points(s, a - CONFIRM)
    if BUILD_ROAD <= a < BUILD_SETTLEMENT:
        return UNWANTED if goal(s, seat) == A_SETTLEMENT else EXTEND + road_prospect(s, a - BUILD_ROAD)
    if BUILD_SETTLEMENT <= a < BUILD_CITY:
        return SETTLE + corner_pips(s, a - BUILD_SETTLEMENT)
    if BUILD_CITY <= a < BUY_DEV:
        return UPGRADE + corner_pips(s, a - BUILD_CITY)
    if a == BUY_DEV:
        return DRAW
    if PLACE_FREE_ROAD <= a < PLAY_YEAR_OF_PLENTY:
        return EXTEND + road_prospect(s, a - PLACE_FREE_ROAD)
    if PLAY_YEAR_OF_PLENTY <= a < PLAY_MONOPOLY:
        choice = a - PLAY_YEAR_OF_PLENTY
        wanted = 0
        if lacks(s, seat, PLENTY_FIRST[choice]):
            wanted += 2
        if PLENTY_SECOND[choice] != NONE and lacks(s, seat, PLENTY_SECOND[choice]):
            wanted += 2
        return PLAY + wanted if wanted else UNWANTED
    if PLAY_MONOPOLY <= a < REVEAL_VP:
        resource = a - PLAY_MONOPOLY
        others = SUPPLY - s.bank[resource] - s.hand[seat, resource]
        return PLAY + others if others >= WORTH_A_MONOPOLY else UNWANTED
    if a == REVEAL_VP or a == PLAY_KNIGHT or a == PLAY_ROAD_BUILDING:
        return PLAY
    return NOTHING


@jit
def choose(s: State, x: Scratch, policy: int) -> int:
    """The action with the highest value for the player to move."""
    seat = actor(s)
    n = legal(s, x)
    best, highest = x.actions[0], value(s, seat, x.actions[0])
    for i in range(1, n):
        a = x.actions[i]
        v = value(s, seat, a)
        if v > highest:
            best, highest = a, v
    return best
