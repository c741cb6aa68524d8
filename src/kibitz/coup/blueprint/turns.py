"""A whole turn for all hands of both players at once: what it is worth, where it leads, what each answer would have brought.

A matrix goes down the turn and comes back (`kibitz.coup.blueprint.matrices`). Where somebody decides, what each answer brings
more than the strategy is added up, hand by hand, over what the other may hold.

Reaches tremble: every answer is taken to be given now and then, so that what nobody does is answered well, too. Values do not.
"""

from kibitz.coup.blueprint.matrices import (
    ANSWERS_BEST,
    LEARNS,
    NEVER,
    OPPONENT,
    PLAYER,
    Board,
    Side,
    answered,
    choose_held,
    end,
    fill,
    keep_held,
    lose_down,
    lose_up,
    question_at,
    replace,
    settle,
    share,
    unlikely,
)  # fmt: skip
from kibitz.coup.blueprint.spots import (
    ALL_HELD,
    ALL_KEPT,
    HANDS,
    HELD_AT,
    KEPT_AT,
    claims_of,
    lost_too,
    stand,
    value_at,
)
from kibitz.coup.core.rules import FORCED_COUP
from kibitz.coup.core.sets import BLOCK_AT, BLOCK_CHALLENGE_AT, CHALLENGE_AT, LOSE_AT, means
from kibitz.coup.core.state import (
    ASSASSINATE,
    BLOCKED_BY,
    BLOCKED_BY_TOO,
    CLAIMS,
    COST,
    COUP,
    EXCHANGE,
    FOREIGN_AID,
    GAIN,
    INCOME,
    KINDS,
    NONE,
    STEAL,
    TAX,
)  # fmt: skip
from kibitz.ground.jit import jit

ACTIONS = 7
#: What happens after a card is lost: the turn is over; or the other's card, which was shown, is replaced first.
OVER_THEN, REPLACE_THEN = 0, 1


@jit
def forgets(claim: int, card: int) -> int:
    """A claim after a card has left the hand."""
    return NONE if claim == card else claim


@jit
def lose(
    b: Board, s: Side, who: int, d: int, i: int, j: int, lost: int, mine: int, theirs: int, coins: int, coins_too: int,
    caught: int, later: int, later_too: int, then: int, shown: int,
) -> None:  # fmt: skip
    """Somebody loses a card of own choice; then the turn ends with other coins, for a shown card after it is replaced.

    Who was `caught` has claimed nothing any more.
    """
    if (i if who == PLAYER else j) == 1:
        fill(b, d, i, j, -1.0 if who == PLAYER else 1.0)
        return
    if who == PLAYER:
        at = question_at(b, PLAYER, i, j, lost, claims_of(mine, theirs), coins, coins_too, LOSE_AT, 2)
    else:
        at = question_at(b, OPPONENT, j, i, lost, claims_of(theirs, mine), coins_too, coins, LOSE_AT, 2)
    first, to = d + 2, d + 4
    for card in range(KINDS):
        lose_down(b, s, who, d, to, i, j, at, card)
        gone = lost_too(i, j, lost, card)
        if who == PLAYER:
            claim, other = NONE if caught else forgets(mine, card), theirs
            if then == REPLACE_THEN:
                other = forgets(theirs, shown)
                replace(b, OPPONENT, to, to + 1, i - 1, j, gone, shown, False)
                end(b, to + 1, i - 1, j, gone, claim, other, later, later_too)
                replace(b, OPPONENT, to, to + 1, i - 1, j, gone, shown, True)
            else:
                end(b, to, i - 1, j, gone, claim, other, later, later_too)
        else:
            end(b, to, i, j - 1, gone, mine, NONE if caught else forgets(theirs, card), later, later_too)
        lose_up(b, who, first, to, i, j, card)
    settle(b, s, who, d, first, 2, i, j, at)


@jit
def exchange(b: Board, s: Side, d: int, i: int, j: int, lost: int, theirs: int, coins: int, coins_too: int) -> None:
    """Two cards are drawn, two go back, and the turn is over; what was claimed tells nothing any more."""
    n, m, k = HANDS[stand(i, j)], HANDS[stand(j, i)], stand(i, j)
    group = (means(coins) * 3 + means(coins_too)) * 2 + j - 1
    kept, held = group * ALL_KEPT + KEPT_AT[k] + lost * n * m * n, group * ALL_HELD + HELD_AT[k] + lost * n * m
    if b.ahead:
        fill(b, d + 1, i, j, 0.0)
        for p in range(n):
            for q in range(n):
                for r in range(m):
                    b.room[d + 1, q, r] += b.room[d, p, r] * s.returns[kept + (p * n + q) * m + r]
    end(b, d + 1, i, j, lost, NONE, theirs, coins, coins_too)
    if b.ahead:
        return
    for p in range(n):
        if b.learning[PLAYER] == LEARNS and not b.alone:
            for r in range(m):
                s.traded[held + p * m + r] += b.room[d, p, r]
            for q in range(n):
                for r in range(m):
                    s.brought[kept + (p * n + q) * m + r] += b.room[d, p, r] * b.room[d + 1, q, r]
        for r in range(m):
            b.room[d, p, r] = 0.0
        for q in range(n):
            for r in range(m):
                b.room[d, p, r] += b.room[d + 1, q, r] * s.returns[kept + (p * n + q) * m + r]


# --- the questions of a turn --------------------------------------------------------------------------------


@jit
def challenge_block(
    b: Board, s: Side, o: Side, d: int, action: int, card: int, i: int, j: int, lost: int, mine: int, theirs: int, coins: int,
    coins_too: int,
) -> None:  # fmt: skip
    """The opponent blocks with a card, which the player may doubt."""
    if unlikely(b, d, i, j):
        return
    at = question_at(b, PLAYER, i, j, lost, claims_of(mine, theirs), coins, coins_too, BLOCK_CHALLENGE_AT[card], 2)
    share(b, s, PLAYER, d, d + 2, 0, 2, i, j, at)
    end(b, d + 2, i, j, lost, mine, card, coins, coins_too)
    share(b, s, PLAYER, d, d + 4, 1, 2, i, j, at)
    keep_held(b, OPPONENT, d + 4, d + 3, i, j, card, 0, at)
    later, later_too = done(action, coins, coins_too)
    if action == ASSASSINATE:
        fill(b, d + 3, i, j, 1.0)  # a card for the block, and one for the assassin
    else:
        lose_at(b, o, d + 3, d + 6, i, j, lost, mine, theirs, coins, coins_too, later, later_too)
    keep_held(b, OPPONENT, d + 4, d + 6, i, j, card, 1, at)
    lose(
        b, s, PLAYER, d + 6, i, j, lost, mine, theirs, coins, coins_too, 0, coins, coins_too, REPLACE_THEN, card
    )  # fmt: skip
    choose_held(b, OPPONENT, d + 3, d + 6, i, j, card)
    settle(b, s, PLAYER, d, d + 2, 2, i, j, at)


@jit
def lose_at(
    b: Board, o: Side, d: int, room: int, i: int, j: int, lost: int, mine: int, theirs: int, coins: int, coins_too: int,
    later: int, later_too: int,
) -> None:  # fmt: skip
    """An opponent who is caught loses a card. The rooms from `room` on are free; values go to room `d`."""
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    for p in range(n):
        for r in range(m):
            b.room[room, p, r] = b.room[d, p, r]
    lose(b, o, OPPONENT, room, i, j, lost, mine, theirs, coins, coins_too, 1, later, later_too, OVER_THEN, NONE)
    for p in range(n):
        for r in range(m):
            b.room[d, p, r] = b.room[room, p, r]


@jit
def done(action: int, coins: int, coins_too: int) -> tuple[int, int]:
    """The coins after an action."""
    if action == STEAL:
        stolen = min(GAIN[STEAL], coins_too)
        return coins + stolen, coins_too - stolen
    if action in (ASSASSINATE, COUP):
        return coins, coins_too
    return coins + GAIN[action], coins_too


@jit
def block(
    b: Board, s: Side, o: Side, d: int, action: int, i: int, j: int, lost: int, mine: int, theirs: int, coins: int,
    coins_too: int,
) -> None:  # fmt: skip
    """The opponent may block."""
    if unlikely(b, d, i, j):
        return
    n = 3 if action == STEAL else 2
    at = question_at(b, OPPONENT, j, i, lost, claims_of(theirs, mine), coins_too, coins, BLOCK_AT[action], n)
    later, later_too = done(action, coins, coins_too)
    first = d + 2
    free = first + n
    for k in range(n):
        share(b, o, OPPONENT, d, free, k, n, i, j, at)
        if k == 0:
            if action == ASSASSINATE:
                lose(b, o, OPPONENT, free, i, j, lost, mine, theirs, coins, coins_too, 0, coins, coins_too, OVER_THEN, NONE)
            else:
                end(b, free, i, j, lost, mine, theirs, later, later_too)
        else:
            card = BLOCKED_BY[action] if k == 1 else BLOCKED_BY_TOO[action]
            challenge_block(b, s, o, free, action, card, i, j, lost, mine, theirs, coins, coins_too)
        for p in range(HANDS[stand(i, j)]):
            for r in range(HANDS[stand(j, i)]):
                b.room[first + k, p, r] = b.room[free, p, r]
    settle(b, o, OPPONENT, d, first, n, i, j, at)


@jit
def go_on(
    b: Board, s: Side, o: Side, d: int, action: int, i: int, j: int, lost: int, mine: int, theirs: int, coins: int,
    coins_too: int,
) -> None:  # fmt: skip
    """A claim stands."""
    if action == TAX:
        end(b, d, i, j, lost, mine, theirs, coins + GAIN[TAX], coins_too)
    elif action == EXCHANGE:
        exchange(b, s, d, i, j, lost, theirs, coins, coins_too)
    else:
        block(b, s, o, d, action, i, j, lost, mine, theirs, coins, coins_too)


@jit
def challenge(
    b: Board, s: Side, o: Side, d: int, action: int, i: int, j: int, lost: int, mine: int, theirs: int, coins: int,
    coins_too: int,
) -> None:  # fmt: skip
    """The opponent may doubt what the player claims; what the action costs is paid."""
    if unlikely(b, d, i, j):
        return
    card = CLAIMS[action]
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    at = question_at(b, OPPONENT, j, i, lost, claims_of(theirs, mine), coins_too, coins, CHALLENGE_AT[action], 2)
    first, free = d + 2, d + 5
    share(b, o, OPPONENT, d, first, 0, 2, i, j, at)
    for p in range(n):
        for r in range(m):
            b.room[free, p, r] = b.room[first, p, r]
    go_on(b, s, o, free, action, i, j, lost, card, theirs, coins, coins_too)
    for p in range(n):
        for r in range(m):
            b.room[first, p, r] = b.room[free, p, r]
    share(b, o, OPPONENT, d, d + 4, 1, 2, i, j, at)
    keep_held(b, PLAYER, d + 4, free, i, j, card, 0, at)
    back = coins + COST[action]
    lose(b, s, PLAYER, free, i, j, lost, mine, theirs, coins, coins_too, 1, back, coins_too, OVER_THEN, NONE)
    for p in range(n):
        for r in range(m):
            b.room[first + 1, p, r] = b.room[free, p, r]
    keep_held(b, PLAYER, d + 4, free, i, j, card, 1, at)
    if j == 1:
        fill(b, free, i, j, 1.0)
    else:
        wrongly(b, s, o, free, action, card, i, j, lost, mine, theirs, coins, coins_too)
    choose_held(b, PLAYER, first + 1, free, i, j, card)
    settle(b, o, OPPONENT, d, first, 2, i, j, at)


@jit
def wrongly(
    b: Board, s: Side, o: Side, d: int, action: int, card: int, i: int, j: int, lost: int, mine: int, theirs: int, coins: int,
    coins_too: int,
) -> None:  # fmt: skip
    """The card was shown: the opponent loses one of two, the player draws another, and the claim stands."""
    if unlikely(b, d, i, j):
        return
    at = question_at(b, OPPONENT, j, i, lost, claims_of(theirs, mine), coins_too, coins, LOSE_AT, 2)
    first, to = d + 2, d + 4
    for dead in range(KINDS):
        lose_down(b, o, OPPONENT, d, to, i, j, at, dead)
        gone = lost_too(i, j, lost, dead)
        replace(b, PLAYER, to, to + 1, i, j - 1, gone, card, False)
        go_on(b, s, o, to + 1, action, i, j - 1, gone, forgets(mine, card), forgets(theirs, dead), coins, coins_too)
        fill(b, to, i, j - 1, 0.0)
        replace(b, PLAYER, to, to + 1, i, j - 1, gone, card, True)
        lose_up(b, OPPONENT, first, to, i, j, dead)
    settle(b, o, OPPONENT, d, first, 2, i, j, at)


@jit
def legal_action(action: int, coins: int, coins_too: int, theirs: int) -> bool:
    """Whether an action may be taken; where a coup wins, nothing else."""
    if action == COUP:
        return coins >= COST[COUP]
    if coins >= FORCED_COUP or (coins >= COST[COUP] and theirs == 1) or coins < COST[action]:
        return False
    return action != STEAL or coins_too > 0


@jit
def turn(b: Board, s: Side, o: Side, i: int, j: int, lost: int, mine: int, theirs: int, coins: int, coins_too: int) -> None:
    """One turn from its start."""
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    here = 0 if b.alone else value_at(i, j, lost, claims_of(mine, theirs), coins, coins_too)
    for p in range(n):
        for r in range(m):
            at = here + p * m + r
            if b.ahead and not b.alone:
                b.now[at], b.likely[at] = b.likely[at], 0.0
                b.visits[at] += b.now[at]
            b.room[0, p, r] = b.now[at]
    at = question_at(b, PLAYER, i, j, lost, claims_of(mine, theirs), coins, coins_too, 0, ACTIONS)
    first, free, legal = 2, 2 + ACTIONS, 0
    for action in range(ACTIONS):
        if legal_action(action, coins, coins_too, j):
            legal += 1
    for action in range(ACTIONS):
        if not legal_action(action, coins, coins_too, j):
            continue
        if legal == 1:
            answered(b, PLAYER, at, action, n)
            for p in range(n):
                for r in range(m):
                    b.room[free, p, r] = b.room[0, p, r]
        else:
            share(b, s, PLAYER, 0, free, action, legal, i, j, at)
        paid = coins - COST[action]
        if action == INCOME:
            end(b, free, i, j, lost, mine, theirs, coins + 1, coins_too)
        elif action == COUP:
            lose(b, o, OPPONENT, free, i, j, lost, mine, theirs, paid, coins_too, 0, paid, coins_too, OVER_THEN, NONE)
        elif action == FOREIGN_AID:
            block(b, s, o, free, action, i, j, lost, mine, theirs, coins, coins_too)
        else:
            challenge(b, s, o, free, action, i, j, lost, mine, theirs, paid, coins_too)
        for p in range(n):
            for r in range(m):
                b.room[first + action, p, r] = b.room[free, p, r]
                if legal == 1 and not b.ahead:
                    b.after[here + p * m + r] = b.room[free, p, r]
    if legal == 1 or b.ahead:
        return
    for action in range(ACTIONS):
        if not legal_action(action, coins, coins_too, j):
            fill(b, first + action, i, j, NEVER if b.learning[PLAYER] == ANSWERS_BEST else 0.0)
    settle_action(b, s, i, j, at, coins, coins_too)
    for p in range(n):
        for r in range(m):
            b.after[here + p * m + r] = b.room[0, p, r]


@jit
def settle_action(b: Board, s: Side, i: int, j: int, at: int, coins: int, coins_too: int) -> None:
    """The player has decided about the action: as `settle`, but what is not legal brings nothing."""
    settle(b, s, PLAYER, 0, 2, ACTIONS, i, j, at)
    n = HANDS[stand(i, j)]
    if b.learning[PLAYER] == LEARNS:
        for action in range(ACTIONS):
            if not legal_action(action, coins, coins_too, j):
                for p in range(n):
                    s.gains[at + action * n + p] = 0.0
