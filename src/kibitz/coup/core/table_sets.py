"""What a player of the blueprint remembers with three to six at the table: information sets, by number.

There is far more to know than with two players, so far more is forgotten: opponents are seen as a number, the strongest one and
the one who asks. Coups and assassinations are aimed at whoever is closest to a coup, thefts at the richest. One set of tables
serves all numbers of seats, and two players who are left of more.
"""

from kibitz.coup.core.cards import claimant
from kibitz.coup.core.policy import CLOSEST, RICHEST, foremost, unseen
from kibitz.coup.core.sets import BIG, LEVELS, big_hand_number, hand_number, level, means, rivals
from kibitz.coup.core.state import (
    ACTION,
    AMBASSADOR,
    BLOCK,
    BLOCKED_BY,
    BLOCKED_BY_TOO,
    CAPTAIN,
    CHALLENGE,
    CONTESSA,
    DUKE,
    KINDS,
    NOBODY,
    NONE,
    PAIR_KINDS,
    RETURN,
    STEAL,
    CoupState,
)  # fmt: skip
from kibitz.ground.jit import Vector, jit, table

HANDS = PAIR_KINDS + KINDS
#: How many sets each question has, and how many answers.
ACTIONS, ACTION_WIDTH = HANDS * LEVELS * 4 * 2 * 3 * (KINDS + 1) * 8, 7
CHALLENGES, CHALLENGE_WIDTH = HANDS * 8 * 2 * 3 * 2 * 3 * 3 * 9, 2
BLOCKS, BLOCK_WIDTH = HANDS * 3 * 2 * 3 * 4 * 3 * 9, 3
LOSSES, LOSS_WIDTH = PAIR_KINDS * 4 * 3 * (KINDS + 1), 2
RETURNS, RETURN_WIDTH = BIG * 3 * 3, 6
#: Where the slots of each question begin, and how many there are in all.
CHALLENGES_AT = ACTIONS * ACTION_WIDTH
BLOCKS_AT = CHALLENGES_AT + CHALLENGES * CHALLENGE_WIDTH
LOSSES_AT = BLOCKS_AT + BLOCKS * BLOCK_WIDTH
RETURNS_AT = LOSSES_AT + LOSSES * LOSS_WIDTH
TABLE_SLOTS = RETURNS_AT + RETURNS * RETURN_WIDTH
#: The questions in their order: where their slots begin and end, and how many answers each has.
PARTS = (
    (0, CHALLENGES_AT, ACTION_WIDTH), (CHALLENGES_AT, BLOCKS_AT, CHALLENGE_WIDTH), (BLOCKS_AT, LOSSES_AT, BLOCK_WIDTH),
    (LOSSES_AT, RETURNS_AT, LOSS_WIDTH), (RETURNS_AT, TABLE_SLOTS, RETURN_WIDTH),
)  # fmt: skip
#: The number of what can be challenged, by action and by the character of a block; of what can be blocked, by action.
CLAIM_KIND: Vector = table([0, 0, 0, 1, 0, 2, 3])
BLOCK_CLAIM_KIND: Vector = table([4, 0, 5, 6, 7])
BLOCK_KIND: Vector = table([0, 0, 0, 0, 0, 1, 2])


@jit
def victim_of(s: CoupState, seat: int) -> int:
    """Who is aimed at by a coup or an assassin."""
    return foremost(s, seat, CLOSEST)


@jit
def purse_of(s: CoupState, seat: int) -> int:
    """Who is stolen from."""
    return foremost(s, seat, RICHEST)


@jit
def any_hand(s: CoupState, seat: int) -> int:
    """A hand of one card or of two."""
    return hand_number(s, seat) + (PAIR_KINDS if s.influence[seat] == 1 else 0)


@jit
def stands(s: CoupState, seat: int, card: int) -> int:
    """Whether a seat has claimed a character: 0 if it has claimed nothing, 1 something else, 2 this one."""
    if s.claimed[seat] == NONE:
        return 0
    return 2 if s.claimed[seat] == card else 1


@jit
def signs(s: CoupState, seat: int, victim: int, purse: int) -> int:
    """Who claims to stop what: aid (anybody), a theft, an assassination."""
    aid = 0
    for other in range(s.seats):
        if other != seat and s.claimed[other] == DUKE:
            aid = 1
    theft = 1 if s.claimed[purse] == CAPTAIN or s.claimed[purse] == AMBASSADOR else 0
    return aid + 2 * theft + 4 * (1 if s.claimed[victim] == CONTESSA else 0)


@jit
def table_set(s: CoupState, seat: int) -> int:
    """The first slot of the decision that a seat has to make."""
    left, own = rivals(s, seat), means(s.coins[seat])
    if s.phase == RETURN:
        return RETURNS_AT + ((min(left, 3) - 1) * 3 + own) * BIG * RETURN_WIDTH + big_hand_number(s, seat) * RETURN_WIDTH
    if s.phase == ACTION:
        victim = victim_of(s, seat)
        at = any_hand(s, seat) * LEVELS + level(s.coins[seat])
        at = (at * 4 + min(left, 4) - 1) * 2 + s.influence[victim] - 1
        at = (at * 3 + means(s.coins[victim])) * (KINDS + 1) + s.claimed[seat] + 1
        return (at * 8 + signs(s, seat, victim, purse_of(s, seat))) * ACTION_WIDTH
    if s.phase == CHALLENGE:
        other = claimant(s)
        kind = CLAIM_KIND[s.action] if s.blocker == NOBODY else BLOCK_CLAIM_KIND[s.claim]
        at = (any_hand(s, seat) * 8 + kind) * 2 + (1 if s.target == seat or s.player == seat else 0)
        at = (at * 3 + max(unseen(s, seat, s.claim), 1) - 1) * 2 + s.influence[other] - 1
        at = (at * 3 + stands(s, other, s.claim)) * 3 + min(left, 3) - 1
        return CHALLENGES_AT + (at * 9 + own * 3 + means(s.coins[other])) * CHALLENGE_WIDTH
    if s.phase == BLOCK:
        card = BLOCKED_BY[s.action]
        claims = max(stands(s, seat, card), stands(s, seat, BLOCKED_BY_TOO[s.action]) if s.action == STEAL else 0)
        at = (any_hand(s, seat) * 3 + BLOCK_KIND[s.action]) * 2 + s.influence[s.player] - 1
        at = (at * 3 + claims) * 4 + min(unseen(s, seat, card), 3)
        at = at * 3 + min(left, 3) - 1
        return BLOCKS_AT + (at * 9 + own * 3 + means(s.coins[s.player])) * BLOCK_WIDTH
    at = hand_number(s, seat) * 4 + min(left, 4) - 1
    return LOSSES_AT + ((at * 3 + own) * (KINDS + 1) + s.claimed[seat] + 1) * LOSS_WIDTH
