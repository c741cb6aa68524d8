"""What the evaluator looks at in a game of two players: for each seat a list of small numbers, all cards face up.

`kibitz.coup.core.layout` says what stands where.
"""

from kibitz.coup.core.cards import claimant
from kibitz.coup.core.layout import (
    ANNOUNCED_AT, ASKED, BLOCKS_AT, CAN_COUP, CLAIMED_AT, CLAIMS_AT, COINS_AT, DUEL, HAND_AT, HOLDS_AT, INFLUENCE_AT, INPUTS,
    ITS_TURN, LOST_AT, OTHER_HOLDS, OTHERS_COINS, OTHERS_INFLUENCE, QUESTION_AT, RICH, TARGET_AT, Notes,
)  # fmt: skip
from kibitz.coup.core.state import (
    BLOCK,
    CHALLENGE,
    COST,
    COUP,
    GAME_OVER,
    KINDS,
    LOSE,
    NO_ACTION,
    NONE,
    RETURN,
    SHOW,
    CoupState,
)
from kibitz.ground.jit import jit


@jit
def inputs(s: CoupState, x: Notes) -> int:
    """Write the numbers of both seats to ``x.inputs``; how many for each. 0 with more than two seats."""
    if s.seats != DUEL:
        return 0
    for i in range(DUEL * INPUTS):
        x.inputs[i] = 0
    for seat in range(DUEL):
        base = seat * INPUTS
        describe_cards(s, x, seat, base)
        if s.phase != GAME_OVER:
            describe_turn(s, x, seat, base)
    return INPUTS


@jit
def describe_cards(s: CoupState, x: Notes, seat: int, base: int) -> None:
    """What a seat owns, has lost, and says; and what it is up against: the first layer sees no other seat."""
    x.inputs[base + COINS_AT + min(s.coins[seat], RICH)] = 1
    if s.influence[seat] > 0:
        x.inputs[base + INFLUENCE_AT + s.influence[seat] - 1] = 1
    for card in range(KINDS):
        x.inputs[base + HAND_AT + card] = s.hand[seat, card]
        x.inputs[base + HOLDS_AT + card] = 1 if s.hand[seat, card] > 0 else 0
        x.inputs[base + LOST_AT + card] = s.revealed[seat, card]
    other = 1 - seat
    x.inputs[base + OTHERS_COINS + min(s.coins[other], RICH)] = 1
    if s.influence[other] > 0:
        x.inputs[base + OTHERS_INFLUENCE + s.influence[other] - 1] = 1
    for card in range(KINDS):
        x.inputs[base + OTHER_HOLDS + card] = 1 if s.hand[other, card] > 0 else 0
    if s.claimed[seat] != NONE:
        x.inputs[base + CLAIMED_AT + s.claimed[seat]] = 1


@jit
def describe_turn(s: CoupState, x: Notes, seat: int, base: int) -> None:
    """What is under way, as far as it concerns a seat."""
    if s.player == seat:
        x.inputs[base + ITS_TURN] = 1
        x.inputs[base + CAN_COUP] = 1 if s.action == NO_ACTION and s.coins[seat] >= COST[COUP] else 0
        if s.action != NO_ACTION:
            x.inputs[base + ANNOUNCED_AT + s.action] = 1
    x.inputs[base + TARGET_AT] = 1 if s.target == seat else 0
    x.inputs[base + BLOCKS_AT] = 1 if s.blocker == seat else 0
    if s.action != NO_ACTION and s.claim != NONE and claimant(s) == seat:
        x.inputs[base + CLAIMS_AT + (1 if s.hand[seat, s.claim] > 0 else 0)] = 1
    if s.active == seat:
        x.inputs[base + ASKED] = 1
        asked = question_of(s.phase)
        if asked >= 0:
            x.inputs[base + QUESTION_AT + asked] = 1


@jit
def question_of(phase: int) -> int:
    """The number of the question that a phase puts to somebody; -1 for none."""
    if phase == CHALLENGE:
        return 0
    if phase == BLOCK:
        return 1
    if phase == SHOW:
        return 2
    if phase == LOSE:
        return 3
    return 4 if phase == RETURN else -1
