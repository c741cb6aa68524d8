"""Regret minimisation for two players without sampling: every spot of the game, all hands at once, again and again.

A sweep plays one turn from every spot (`kibitz.coup.blueprint.turns`): from the deal on in one sweep, so that it knows how
likely play comes to a spot, and from the last cards back in the next, so that it knows what a spot is worth. Then all regrets
and strategies move on (`step`): predictive discounted regret matching (PDCFR+: Xu et al. 2024).
"""

from typing import Any

import numpy as np

from kibitz.coup.blueprint.matrices import Board, Floats, Side
from kibitz.coup.blueprint.spots import (
    AFTER,
    ALL_HELD,
    ALL_KEPT,
    CLAIMS,
    CLASSES,
    GONE,
    HANDS,
    HANDS_TOO,
    HELD,
    HELD_AT,
    KEPT_AT,
    LOST,
    PURSE,
    SLOTS_AT,
    SPOTS_AT,
    STANDS,
    TAKEN,
    value_at,
)  # fmt: skip
from kibitz.coup.blueprint.turns import ACTIONS, legal_action, turn
from kibitz.coup.core.sets import BIG, LEVELS, RETURN_SLOTS, SLOTS, WIDTH
from kibitz.coup.core.state import CARDS, COPIES, KINDS, PAIR_FIRST, PAIR_KINDS, PAIR_SECOND
from kibitz.ground.jit import jit

#: Old regrets are discounted by t to this power; strategies count in proportion to t to that one.
DISCOUNT, AVERAGE = 2.3, 4.0


@jit
def sweep(b: Board, s: Side, o: Side, start: int, stop: int, forward: bool, floor: float) -> int:
    """Play a turn from each of the spots from `start` to `stop` to which play has come so often; how many these are.

    Forward, from the deal on, reaches run ahead; backward, from the last cards, values do.
    """
    played = 0
    for n in range(stop - start):
        spot = start + n if forward else stop - 1 - n
        k = 0
        while spot >= SPOTS_AT[k + 1]:
            k += 1
        i, j = 2 - k // 2, 2 - k % 2
        rest = spot - SPOTS_AT[k]
        coins_too, rest = rest % PURSE, rest // PURSE
        coins, rest = rest % PURSE, rest // PURSE
        claims, lost = rest % CLAIMS, rest // CLAIMS
        at = value_at(i, j, lost, claims, coins, coins_too)
        total = 0.0
        for pair in range(HANDS[k] * HANDS_TOO[k]):
            total += b.likely[at + pair]
        if total > floor:
            turn(b, s, o, i, j, lost, claims // (KINDS + 1) - 1, claims % (KINDS + 1) - 1, coins, coins_too)
            played += 1
    return played


@jit
def deal_all(likely: Floats, i: int, j: int, lost: int, coins: int, coins_too: int, weight: float) -> None:
    """Add a deal of the cards that are left to the spot without claims; all deals are alike."""
    k = (2 - i) * 2 + 2 - j
    n, m = HANDS[k], HANDS_TOO[k]
    at, total = value_at(i, j, lost, 0, coins, coins_too), 0.0
    for once in range(2):
        for p in range(n):
            for r in range(m):
                ways = 1.0
                for card in range(KINDS):
                    left, mine, theirs = COPIES - GONE[4 - i - j, lost, card], HELD[i - 1, p, card], HELD[j - 1, r, card]
                    ways *= choose_ways(left, mine) * choose_ways(left - mine, theirs)
                if once == 0:
                    total += ways
                else:
                    likely[at + p * m + r] += weight * ways / total


@jit
def choose_ways(n: int, k: int) -> float:
    """In how many ways `k` of `n` cards are taken; k is at most two."""
    if k == 0:
        return 1.0
    if k == 1:
        return max(n, 0) * 1.0
    return max(n, 0) * max(n - 1, 0) / 2.0


@jit
def step(s: Side, regrets: Floats, sums: Floats, number: int) -> None:
    """Regrets and the average strategy after a sweep, and the strategy for the next one; what was found out is used up."""
    for k in range(STANDS):
        for cell in range(LOST[k] * CLAIMS * LEVELS * LEVELS):
            step_cell(s, regrets, sums, k, cell, number)


@jit
def step_cell(s: Side, regrets: Floats, sums: Floats, k: int, cell: int, number: int) -> None:
    """The same for one cell, all its questions and hands."""
    old, new, weight = faded(number - 1), faded(number), (number / 100.0) ** AVERAGE
    n = HANDS[k]
    slot = 0
    while slot < SLOTS:
        width = WIDTH[slot]
        here = SLOTS_AT[k] + (cell * SLOTS + slot) * n
        for h in range(n):
            reach, own = s.reach[here + h], s.reach[here + n + h]
            if reach <= 0.0:
                continue
            s.reach[here + h] = s.reach[here + n + h] = 0.0
            positive = 0.0
            for a in range(width):
                q = here + a * n + h
                sums[q] += weight * own * s.how[q]
                gain = s.gains[q] / reach
                s.gains[q] = 0.0
                regrets[q] = max(regrets[q] * old + gain, 0.0)
                s.how[q] = max(regrets[q] * new + gain, 0.0)
                positive += s.how[q]
            if positive > 0.0:
                for a in range(width):
                    s.how[here + a * n + h] /= positive
            else:
                uniform(s.how, here + h, n, width, cell % (LEVELS * LEVELS), 2 - k % 2)
        slot += width


@jit
def faded(number: int) -> float:
    """How much of old regrets is left."""
    return float(number**DISCOUNT / (number**DISCOUNT + 1.0))


@jit
def uniform(how: Floats, at: int, n: int, width: int, purse: int, theirs: int) -> None:
    """All answers that can be given are alike."""
    legal = 0
    for a in range(width):
        if width < ACTIONS or legal_action(a, purse // LEVELS, purse % LEVELS, theirs):
            legal += 1
    for a in range(width):
        possible = width < ACTIONS or legal_action(a, purse // LEVELS, purse % LEVELS, theirs)
        how[at + a * n] = 1.0 / legal if possible else 0.0


@jit
def begin(how: Floats) -> None:
    """Strategies that do anything."""
    for k in range(STANDS):
        n = HANDS[k]
        for cell in range(LOST[k] * CLAIMS * LEVELS * LEVELS):
            slot = 0
            while slot < SLOTS:
                for h in range(n):
                    at = SLOTS_AT[k] + (cell * SLOTS + slot) * n + h
                    uniform(how, at, n, WIDTH[slot], cell % (LEVELS * LEVELS), 2 - k % 2)
                slot += WIDTH[slot]


# --- exchanges ----------------------------------------------------------------------------------------------


@jit
def chance_of_two(i: int, j: int, lost: int, p: int, r: int, pair: int) -> float:
    """How likely two cards are drawn."""
    a, c = PAIR_FIRST[pair], PAIR_SECOND[pair]
    deck = CARDS - 4
    left = COPIES - GONE[4 - i - j, lost, a] - HELD[i - 1, p, a] - HELD[j - 1, r, a]
    left_too = COPIES - GONE[4 - i - j, lost, c] - HELD[i - 1, p, c] - HELD[j - 1, r, c]
    if a == c:
        return float(max(left, 0) * max(left - 1, 0) / (deck * (deck - 1.0)))
    return float(2.0 * max(left, 0) * max(left_too, 0) / (deck * (deck - 1.0)))


@jit
def spread(how: Floats, returns: Floats) -> None:
    """What exchanges make of hands, by what is done with each big hand: `how` [classes, big hands, answers]."""
    returns[:] = 0.0
    for group in range(CLASSES):
        for k in range(STANDS):
            i, j = 2 - k // 2, 2 - k % 2
            if group % 2 != j - 1:
                continue
            n, m = HANDS[k], HANDS_TOO[k]
            for lost in range(LOST[k]):
                for p in range(n):
                    for r in range(m):
                        here = group * ALL_KEPT + KEPT_AT[k] + ((lost * n + p) * m + r) * n
                        for pair in range(PAIR_KINDS):
                            big, chance = TAKEN[i - 1, p, pair], chance_of_two(i, j, lost, p, r, pair)
                            if chance > 0.0:
                                for a in range(RETURN_SLOTS):
                                    if AFTER[big, a] >= 0:
                                        returns[here + AFTER[big, a]] += chance * how[(group * BIG + big) * RETURN_SLOTS + a]


@jit
def step_returns(s: Side, how: Floats, regrets: Floats, sums: Floats, gains: Floats, number: int) -> None:
    """The same as `step` for exchanges. `gains` [all slots + all big hands] is room."""
    gains[:] = 0.0
    places = CLASSES * BIG * RETURN_SLOTS
    for group in range(CLASSES):
        for k in range(STANDS):
            i, j = 2 - k // 2, 2 - k % 2
            if group % 2 != j - 1:
                continue
            n, m = HANDS[k], HANDS_TOO[k]
            for lost in range(LOST[k]):
                for p in range(n):
                    for r in range(m):
                        pairs = (lost * n + p) * m + r
                        traded = s.traded[group * ALL_HELD + HELD_AT[k] + pairs]
                        if traded <= 0.0:
                            continue
                        here = group * ALL_KEPT + KEPT_AT[k] + pairs * n
                        for pair in range(PAIR_KINDS):
                            big, chance = TAKEN[i - 1, p, pair], chance_of_two(i, j, lost, p, r, pair)
                            if chance > 0.0:
                                number_of = group * BIG + big
                                gains[places + number_of] += chance * traded
                                for a in range(RETURN_SLOTS):
                                    if AFTER[big, a] >= 0:
                                        gains[number_of * RETURN_SLOTS + a] += chance * s.brought[here + AFTER[big, a]]
    old, new, weight = faded(number - 1), faded(number), (number / 100.0) ** AVERAGE
    for big in range(CLASSES * BIG):
        reach = gains[places + big]
        if reach <= 0.0:
            continue
        mean, positive, legal = 0.0, 0.0, 0
        for a in range(RETURN_SLOTS):
            mean += how[big * RETURN_SLOTS + a] * gains[big * RETURN_SLOTS + a]
        for a in range(RETURN_SLOTS):
            q = big * RETURN_SLOTS + a
            if AFTER[big % BIG, a] >= 0:
                legal += 1
                sums[q] += weight * how[q]
                gain = (gains[q] - mean) / reach
                regrets[q] = max(regrets[q] * old + gain, 0.0)
                how[q] = max(regrets[q] * new + gain, 0.0)
                positive += how[q]
        for a in range(RETURN_SLOTS):
            q = big * RETURN_SLOTS + a
            if AFTER[big % BIG, a] >= 0:
                how[q] = how[q] / positive if positive > 0.0 else 1.0 / legal
    s.traded[:] = 0.0
    s.brought[:] = 0.0


def begin_returns() -> Floats:
    """Strategies that return anything."""
    after: Any = np.array(AFTER)
    possible = np.broadcast_to(after >= 0, (CLASSES, *after.shape))
    shares = possible / possible.sum(axis=2, keepdims=True)
    return np.asarray(shares.astype(np.float32).ravel())
