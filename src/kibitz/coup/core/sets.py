"""What a player of the blueprint remembers with two at the table: information sets, by number.

A set forgets how the position came about, but for one thing: the character that each player claimed last, while nothing
speaks against it (``claimed`` in the state). What is left is public (coins, influence, lost cards, the question on the table)
or the decider's own (cards). Coins above nine count as nine.

A *cell* is everything but the question: the decider's cards, the lost ones, both claims, both purses. It has `SLOTS` slots, one
for each answer to each question, from `QUESTIONS`. Cells without the claims (*coarse* ones) serve where play hardly ever
comes. Near the turn limit every number of turns left has cells of its own (a *layer*): what is undecided then is shared, and
play is another.

Which cards an exchange returns is asked in cells of their own.
"""

from itertools import combinations_with_replacement

import numpy as np

from kibitz.coup.core.rules import FORCED_COUP, holds_pair
from kibitz.coup.core.state import (
    ACTION,
    ALLOW,
    AMBASSADOR,
    ASSASSIN,
    ASSASSINATE,
    BLOCK,
    BLOCKED_BY,
    BLOCKED_BY_TOO,
    CAPTAIN,
    CHALLENGE,
    COPIES,
    COST,
    COUP,
    DO_ASSASSINATE,
    DO_BLOCK,
    DO_CHALLENGE,
    DO_COUP,
    DO_LOSE,
    DO_RETURN,
    DO_STEAL,
    DUKE,
    EXCHANGE,
    FOREIGN_AID,
    KINDS,
    NOBODY,
    PAIR_KINDS,
    PAIRS,
    RETURN,
    STEAL,
    TAX,
    CoupState,
)  # fmt: skip
from kibitz.game import Scratch
from kibitz.ground.jit import Vector, jit, table

#: The questions, each with the place of its first slot in a cell, and how many answers there are.
QUESTIONS = {
    "action": (0, 7), "challenge tax": (7, 2), "challenge exchange": (9, 2), "challenge assassinate": (11, 2),
    "challenge steal": (13, 2), "block foreign_aid": (15, 2), "block assassinate": (17, 2), "block steal": (19, 3),
    "challenge duke": (22, 2), "challenge contessa": (24, 2), "challenge captain": (26, 2), "challenge ambassador": (28, 2),
    "lose": (30, 2),
}  # fmt: skip
SLOTS = 32
LOSE_AT = QUESTIONS["lose"][0]
#: The slot of a question, by the action that may be challenged or blocked, and by the character of a block.
CHALLENGE_AT: Vector = table([0, 0, 7, 9, 0, 11, 13])
BLOCK_AT: Vector = table([0, 15, 0, 0, 0, 17, 19])
BLOCK_CHALLENGE_AT: Vector = table([22, 0, 26, 28, 24])
#: How many answers a question has, by its first slot.
_WIDTHS = np.zeros(SLOTS, np.int8)
for _at, _n in QUESTIONS.values():
    _WIDTHS[_at] = _n
WIDTH: Vector = table(_WIDTHS)

#: The number of two cards, by 5 times the first and the second.
_PAIR_NUMBERS = [PAIRS.index((min(a, b), max(a, b))) for a in range(KINDS) for b in range(KINDS)]
PAIR_NUMBER: Vector = table(_PAIR_NUMBERS)
#: The hands of three and of four cards during an exchange, by their number; and their numbers by the counts, base four.
BIG_HANDS = [
    hand for n in (3, 4) for hand in combinations_with_replacement(range(KINDS), n) if max(map(hand.count, hand)) <= COPIES
]
BIG = len(BIG_HANDS)
_BIG = np.zeros(4**KINDS, np.int16)
for _number, _hand in enumerate(BIG_HANDS):
    _BIG[sum(4**card for card in _hand)] = _number
BIG_NUMBER: Vector = table(_BIG, np.int16)

#: Coins from 0 to 9 or more; one claim of each player, or none.
LEVELS = 10
PURSES = LEVELS * LEVELS
CLAIMED = (KINDS + 1) ** 2
#: Cards of the decider and lost ones: two against two, two against one, one against two, one against one; lost cards are
#: none, one or (in the last case) two.
LOST_ONE, LOST_TWO = 1 + KINDS, 1 + KINDS + PAIR_KINDS
TWO_ONE = PAIR_KINDS
ONE_TWO = TWO_ONE + LOST_ONE * PAIR_KINDS
ONE_ONE = ONE_TWO + LOST_ONE * KINDS
STANDINGS = ONE_ONE + LOST_TWO * KINDS
#: Numbers of turns left that have cells of their own.
LAYERS = 4

CELLS = STANDINGS * CLAIMED * PURSES
#: All cells with claims, and all without; those far from the turn limit come first.
FINE = (LAYERS + 1) * CELLS
COARSE = (LAYERS + 1) * STANDINGS * PURSES
#: What an exchange returns: by hand, the opponent's influence, and both purses in three classes; up to six answers.
RETURN_SLOTS = 6
RETURNS = (LAYERS + 1) * 18 * BIG


@jit
def layer(s: CoupState) -> int:
    """How many turns are left, this one included; 0 if they are many."""
    left = s.max_turns - s.turn + 1
    return left if left <= LAYERS else 0


@jit
def level(coins: int) -> int:
    """Coins as far as they are told apart."""
    return min(coins, LEVELS - 1)


@jit
def means(coins: int) -> int:
    """What coins can pay for: nothing, an assassin, a coup."""
    if coins < COST[ASSASSINATE]:
        return 0
    return 1 if coins < COST[COUP] else 2


@jit
def hand_number(s: CoupState, seat: int) -> int:
    """The number of a hand among those of one card, or of two."""
    first = -1
    for card in range(KINDS):
        n = s.hand[seat, card]
        if n == 2:
            return PAIR_NUMBER[card * KINDS + card]
        if n == 1:
            if first >= 0:
                return PAIR_NUMBER[first * KINDS + card]
            first = card
    return first


@jit
def big_hand_number(s: CoupState, seat: int) -> int:
    """The number of a hand during an exchange."""
    code, place = 0, 1
    for card in range(KINDS):
        code += place * s.hand[seat, card]
        place *= 4
    return BIG_NUMBER[code]


@jit
def lost_number(s: CoupState) -> int:
    """The lost cards of two players: none, one, or two."""
    first = -1
    for card in range(KINDS):
        n = s.revealed[0, card] + s.revealed[1, card]
        if n >= 2:
            return LOST_ONE + PAIR_NUMBER[card * KINDS + card]
        if n == 1:
            if first >= 0:
                return LOST_ONE + PAIR_NUMBER[first * KINDS + card]
            first = card
    return 1 + first


@jit
def standing(s: CoupState, seat: int, other: int) -> int:
    """The decider's cards and the lost ones, as one number."""
    hand, lost = hand_number(s, seat), lost_number(s)
    if s.influence[seat] == 2:
        return hand if s.influence[other] == 2 else TWO_ONE + min(lost, KINDS) * PAIR_KINDS + hand
    if s.influence[other] == 2:
        return ONE_TWO + min(lost, KINDS) * KINDS + hand
    return ONE_ONE + lost * KINDS + hand


@jit
def purses(s: CoupState, seat: int, other: int) -> int:
    """The coins of both."""
    return level(s.coins[seat]) * LEVELS + level(s.coins[other])


@jit
def fine_cell(s: CoupState, seat: int, other: int) -> int:
    """The cell with both claims."""
    claims = (s.claimed[seat] + 1) * (KINDS + 1) + s.claimed[other] + 1
    stands = layer(s) * STANDINGS + standing(s, seat, other)
    return (stands * CLAIMED + claims) * PURSES + purses(s, seat, other)


@jit
def coarse_cell(s: CoupState, seat: int, other: int) -> int:
    """The cell without claims."""
    return (layer(s) * STANDINGS + standing(s, seat, other)) * PURSES + purses(s, seat, other)


@jit
def return_cell(s: CoupState, seat: int, other: int) -> int:
    """The cell of an exchange."""
    poor = (means(s.coins[seat]) * 3 + means(s.coins[other])) * 2 + s.influence[other] - 1
    return (layer(s) * 18 + poor) * BIG + big_hand_number(s, seat)


@jit
def question(s: CoupState) -> int:
    """The first slot of the question that is asked (but for an exchange)."""
    if s.phase == ACTION:
        return 0
    if s.phase == CHALLENGE:
        return CHALLENGE_AT[s.action] if s.blocker == NOBODY else BLOCK_CHALLENGE_AT[s.claim]
    return BLOCK_AT[s.action] if s.phase == BLOCK else LOSE_AT


# --- the answers --------------------------------------------------------------------------------------------


@jit
def hopeless(s: CoupState, card: int) -> bool:
    """Whether a claim would be false, and everybody can see that it is: all cards of the character are lost."""
    lost = 0
    for other in range(s.seats):
        lost += s.revealed[other, card]
    return lost == COPIES


@jit
def answers(s: CoupState, x: Scratch, seat: int, victim: int, purse: int) -> int:
    """The answers to the question, by slot, into ``x.actions``; -1 stands where one is not possible. How many slots there are.

    `victim` is the target of a coup and of an assassination, `purse` that of a theft.
    """
    if s.phase == ACTION:
        return announcements(s, x, seat, victim, purse)
    if s.phase == CHALLENGE:
        x.actions[0], x.actions[1] = ALLOW, DO_CHALLENGE
        return 2
    if s.phase == BLOCK:
        x.actions[0], x.actions[1], x.actions[2] = ALLOW, block_with(s, BLOCKED_BY[s.action]), -1
        if s.action != STEAL:
            return 2
        x.actions[2] = block_with(s, BLOCKED_BY_TOO[s.action])
        return 3
    if s.phase == RETURN:
        n = 0
        for pair in range(PAIR_KINDS):
            if holds_pair(s, seat, pair):
                x.actions[n] = DO_RETURN + pair
                n += 1
        return n
    n = 0
    for card in range(KINDS):
        if s.hand[seat, card] > 0:
            x.actions[n] = DO_LOSE + card
            n += 1
    return n


@jit
def rivals(s: CoupState, seat: int) -> int:
    """How many opponents are left."""
    n = 0
    for other in range(s.seats):
        if other != seat and s.influence[other] > 0:
            n += 1
    return n


@jit
def block_with(s: CoupState, card: int) -> int:
    """The block with a character, or -1 if nobody would believe it."""
    return -1 if hopeless(s, card) else DO_BLOCK + card


@jit
def announcements(s: CoupState, x: Scratch, seat: int, victim: int, purse: int) -> int:
    """The seven actions of a turn."""
    coins = s.coins[seat]
    for action in range(7):
        x.actions[action] = -1
    if coins >= COST[COUP]:
        x.actions[COUP] = DO_COUP + victim
    if coins >= FORCED_COUP or (coins >= COST[COUP] and s.influence[victim] == 1 and rivals(s, seat) == 1):  # it wins
        return 7
    x.actions[0], x.actions[FOREIGN_AID] = 0, FOREIGN_AID
    if not hopeless(s, DUKE):
        x.actions[TAX] = TAX
    if not hopeless(s, AMBASSADOR):
        x.actions[EXCHANGE] = EXCHANGE
    if coins >= COST[ASSASSINATE] and not hopeless(s, ASSASSIN):
        x.actions[ASSASSINATE] = DO_ASSASSINATE + victim
    if purse != NOBODY and (s.coins[purse] > 0 or s.steal_from_zero == 1) and not hopeless(s, CAPTAIN):
        x.actions[STEAL] = DO_STEAL + purse
    return 7
