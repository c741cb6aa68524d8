"""Which legal actions are worth a search's while: all, but of corners, roads, hexes and trades only the sensible ones.

What the policy `builder` would do is always among them, or `builder-0.1`, where that is who plays.
"""

from kibitz.catan.core.builder_policy import STEPS, choose_builder
from kibitz.catan.core.codes import (
    ACCEPT, BANK_TRADE, BEST_RATE, BUILD_ROAD, BUILD_SETTLEMENT, END_ROADS, MOVE_ROBBER, OFFER, PLACE_FREE_ROAD,
    PLACE_ROAD, PLACE_SETTLEMENT, PLACES, PLAY_MONOPOLY, PLAY_YEAR_OF_PLENTY, PLENTY_FIRST, PLENTY_SECOND, RATES,
    STEAL,
)  # fmt: skip
from kibitz.catan.core.habits import BUILDER_0_1, BY_HAND, EVOLVED
from kibitz.catan.core.rules.building import FREE
from kibitz.catan.core.rules.trade import rate_at
from kibitz.catan.core.scores import LEADERS, LENGTH, PROSPECT, road_value, robber_score, score_vertex
from kibitz.catan.core.seed_policy import EMPTY_OFFER, gain, note_hand, plenty_gain
from kibitz.catan.core.state import KINDS, SETUP_SETTLEMENT, SUPPLY, CatanState, Notes
from kibitz.catan.core.verbs import actor, legal
from kibitz.ground.jit import jit

#: So many corners of the draft by their scores, hexes for the robber, and pairs of cards from a Year of Plenty.
CORNERS_TRIED, HEXES_TRIED, PLENTIES_TRIED = 8, 6, 3
#: So many roads by where they lead, and the best for the longest road.
ROADS_TRIED = 4

#: The values of the actions of one kind, behind what the builder notes.
VALUES = STEPS + 1
#: Measures beside those of roads in `kibitz.catan.core.scores`.
CORNER, HEX, TWO_CARDS = 10, 11, 12


@jit
def sensible(s: CatanState, x: Notes) -> int:
    """The legal actions that a search should try, in ascending order."""
    seat = actor(s)
    habit = choose_builder(s, x, seat, BY_HAND if x.policy[seat] == BUILDER_0_1 else EVOLVED)
    n = legal(s, x)
    if s.free_roads == FREE and x.actions[n - 1] == END_ROADS:
        n -= 1  # a card that is played to build nothing is wasted
    if n <= 2:
        return n
    mark(x, n, habit)
    if s.phase == SETUP_SETTLEMENT:
        mark_best(s, x, n, PLACE_SETTLEMENT, PLACE_ROAD, seat, CORNER, CORNERS_TRIED)
    note_hand(s, x, seat, seat)
    mark_best(s, x, n, MOVE_ROBBER, STEAL, seat, HEX, HEXES_TRIED)
    mark_best(s, x, n, PLAY_YEAR_OF_PLENTY, PLAY_MONOPOLY, seat, TWO_CARDS, PLENTIES_TRIED)
    mark_best(s, x, n, BUILD_ROAD, BUILD_SETTLEMENT, seat, PROSPECT, ROADS_TRIED)
    mark_best(s, x, n, BUILD_ROAD, BUILD_SETTLEMENT, seat, LENGTH, 1)
    mark_best(s, x, n, PLACE_FREE_ROAD, PLAY_YEAR_OF_PLENTY, seat, PROSPECT, ROADS_TRIED)
    mark_best(s, x, n, PLACE_FREE_ROAD, PLAY_YEAR_OF_PLENTY, seat, LENGTH, 1)
    mark_trades(s, x, n, seat)
    return keep_marked(x, n)


@jit
def is_picked(a: int) -> bool:
    """Whether only the best actions of this kind are kept."""
    return (
        a < PLACE_ROAD or MOVE_ROBBER <= a < STEAL or BANK_TRADE <= a < ACCEPT or BUILD_ROAD <= a < BUILD_SETTLEMENT
        or PLACE_FREE_ROAD <= a < PLAY_MONOPOLY or OFFER <= a < END_ROADS
    )  # fmt: skip


@jit
def mark(x: Notes, n: int, a: int) -> None:
    """Mark an action in the list, if it is there: what is marked is written as its complement."""
    for i in range(n):
        if x.actions[i] == a:
            x.actions[i] = ~a


@jit
def keep_marked(x: Notes, n: int) -> int:
    """Leave out what was to be picked and is not marked; how many actions there are then."""
    kept = 0
    for i in range(n):
        a = x.actions[i]
        if a < 0 or not is_picked(a):
            x.actions[kept] = ~a if a < 0 else a
            kept += 1
    return kept


@jit
def value_of(s: CatanState, x: Notes, seat: int, parameter: int, measure: int) -> int:
    """How good an action of some kind is, by its parameter; only actions of the same kind are compared."""
    if measure == CORNER:
        return score_vertex(s, seat, parameter)
    if measure == HEX:
        return robber_score(s, seat, parameter, LEADERS)
    if measure == TWO_CARDS:
        return plenty_gain(x, seat, PLENTY_FIRST[parameter], PLENTY_SECOND[parameter])
    return road_value(s, seat, parameter, measure)


@jit
def mark_best(s: CatanState, x: Notes, n: int, first: int, last: int, seat: int, measure: int, most: int) -> None:
    """Of the actions from `first` to before `last` mark the best ones; of equals the lowest."""
    begin, count = 0, 0
    for i in range(n):
        a = x.actions[i] if x.actions[i] >= 0 else ~x.actions[i]
        if first <= a < last:
            if count == 0:
                begin = i
            x.notes[VALUES + count] = value_of(s, x, seat, a - first, measure)
            count += 1
    for _ in range(min(most, count)):
        best = 0
        for j in range(1, count):
            if x.notes[VALUES + j] > x.notes[VALUES + best]:
                best = j
        x.notes[VALUES + best] = -1_000_000_000
        if x.actions[begin + best] >= 0:
            x.actions[begin + best] = ~x.actions[begin + best]


@jit
def mark_trades(s: CatanState, x: Notes, n: int, seat: int) -> None:
    """Trades that bring the hand nearer to a purchase: with the supply at the best rate, with players one card for one.

    The card must be one that somebody may hold.
    """
    for give in range(KINDS):
        rate = rate_at(s, s.settlements[seat] | s.cities[seat], give)
        for get in range(KINDS):
            if give == get:
                continue
            if s.hand[seat, give] >= rate and gain(x, seat, give, rate, get, 1) > 0:
                mark(x, n, BANK_TRADE + (give * RATES + rate - BEST_RATE) * KINDS + get)
            unseen = SUPPLY - s.bank[get] - s.hand[seat, get]
            if s.hand[seat, give] and unseen and gain(x, seat, give, 1, get, 1) > 0:
                mark(x, n, EMPTY_OFFER + PLACES[give] - PLACES[get])
