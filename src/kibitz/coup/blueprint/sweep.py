"""Regret minimisation for two players without sampling: every spot of the game, all hands at once, again and again.

A sweep plays one turn from every spot (`kibitz.coup.blueprint.turns`), in the order in which a game goes on: from the deal to
the last cards, so that it knows how likely play comes to a spot, and all the way back, so that it knows what a spot is worth.
Then all regrets and strategies move on (`step`): predictive discounted regret matching (PDCFR+: Xu et al. 2024).
"""

from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint.lone import Floats
from kibitz.coup.blueprint.matrices import Board, Side
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
    RETURN_ALL,
    SLOTS_AT,
    SPOTS_AT,
    STANDS,
    TAKEN,
    VALUES_AT,
    value_at,
)  # fmt: skip
from kibitz.coup.blueprint.turns import ACTIONS, legal_action, turn
from kibitz.coup.core.sets import BIG, LEVELS, RETURN_SLOTS, SLOTS, WIDTH
from kibitz.coup.core.state import CARDS, COPIES, KINDS, PAIR_FIRST, PAIR_KINDS, PAIR_SECOND
from kibitz.ground.jit import jit

Spots: TypeAlias = npt.NDArray[np.int32]
#: Old regrets are discounted by t to this power; strategies count in proportion to t to that one.
DISCOUNT, AVERAGE = 2.3, 4.0
#: In how many sweeps games begin once at every spot without claims.
TURNS_TAKEN = 4


@jit
def lead(b: Board, s: Side, o: Side, order: Spots, floor: float, played: Spots) -> int:
    """Walk ahead from each of the spots, in their order, to which play has come so often; those go to `played`. How many."""
    many = 0
    for spot in order:
        k = stand_of(spot)
        at, total = VALUES_AT[k] + (spot - SPOTS_AT[k]) * HANDS[k] * HANDS_TOO[k], 0.0
        for pair in range(HANDS[k] * HANDS_TOO[k]):
            total += b.likely[at + pair]
        if total > floor:
            turn_at(b, s, o, k, spot)
            played[many] = spot
            many += 1
    return many


@jit
def look_back(b: Board, s: Side, o: Side, played: Spots, many: int) -> None:
    """What the turns from these spots are worth, the last one first, and what is learned from them."""
    for n in range(many):
        spot = played[many - 1 - n]
        turn_at(b, s, o, stand_of(spot), spot)


@jit
def stand_of(spot: int) -> int:
    """Who has how many cards in a spot."""
    k = 0
    while spot >= SPOTS_AT[k + 1]:
        k += 1
    return k


@jit
def turn_at(b: Board, s: Side, o: Side, k: int, spot: int) -> None:
    """The turn from a spot."""
    rest = spot - SPOTS_AT[k]
    coins_too, rest = rest % PURSE, rest // PURSE
    coins, rest = rest % PURSE, rest // PURSE
    claims, lost = rest % CLAIMS, rest // CLAIMS
    mine, theirs = claims // (KINDS + 1) - 1, claims % (KINDS + 1) - 1
    turn(b, s, o, 2 - k // 2, 2 - k % 2, lost, mine, theirs, coins, coins_too)


def ordered() -> list[Spots]:
    """All spots in groups, as play goes on: cards are lost, and meanwhile the coins of both together grow.

    Within a group play goes to and fro (thefts, exchanges, blocks); only an assassin who is blocked leads back.
    """
    first: Any = np.asarray(SPOTS_AT)
    spots: Any = np.arange(first[STANDS])
    cards = np.searchsorted(first[1:STANDS], spots, side="right")
    rest = spots - first[cards]
    group = (cards + 1) // 2 * 2 * PURSE + rest % PURSE + rest // PURSE % PURSE
    order = np.argsort(group, kind="stable")
    return [part.astype(np.int32) for part in np.split(order, np.flatnonzero(np.diff(group[order])) + 1)]


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
def scatter(likely: Floats, number: int, weight: float) -> None:
    """Let some games begin anywhere: from one of `TURNS_TAKEN` spots without claims, others each time.

    Whoever wants to beat a strategy goes where it has hardly ever been; this is how it gets there before.
    """
    at = 0
    for k in range(STANDS):
        for lost in range(LOST[k]):
            for purse in range(PURSE * PURSE):
                at += 1
                if at % TURNS_TAKEN == number % TURNS_TAKEN:
                    deal_all(likely, 2 - k // 2, 2 - k % 2, lost, purse // PURSE, purse % PURSE, weight)


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
            reach = s.reach[here + h]
            if reach > 0.0 and not step_hand(s, regrets, sums, here + h, n, width, 1.0 / reach, weight, old, new):
                uniform(s.how, here + h, n, width, cell // LEVELS % LEVELS, cell % LEVELS, 2 - k % 2)
        slot += width


@jit
def step_hand(
    s: Side, regrets: Floats, sums: Floats, at: int, n: int, width: int, scale: float, weight: float, old: float, new: float
) -> bool:
    """The same for one question that was met and one of `n` hands, whose first answer is at `at`.

    Gains count `scale` times. False if nothing is regretted, so that all answers are alike.
    """
    own = s.reach[at + n]
    s.reach[at] = s.reach[at + n] = 0.0
    positive = 0.0
    for a in range(width):
        q = at + a * n
        sums[q] += weight * own * s.how[q]
        gain = s.gains[q] * scale
        s.gains[q] = 0.0
        regrets[q] = max(regrets[q] * old + gain, 0.0)
        s.how[q] = max(regrets[q] * new + gain, 0.0)
        positive += s.how[q]
    if positive <= 0.0:
        return False
    for a in range(width):
        s.how[at + a * n] /= positive
    return True


@jit
def faded(number: int) -> float:
    """How much of old regrets is left."""
    return float(number**DISCOUNT / (number**DISCOUNT + 1.0))


@jit
def uniform(how: Floats, at: int, n: int, width: int, coins: int, coins_too: int, theirs: int) -> None:
    """All answers that can be given are alike."""
    legal = 0
    for a in range(width):
        if width < ACTIONS or legal_action(a, coins, coins_too, theirs):
            legal += 1
    for a in range(width):
        possible = width < ACTIONS or legal_action(a, coins, coins_too, theirs)
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
                    uniform(how, at, n, WIDTH[slot], cell // LEVELS % LEVELS, cell % LEVELS, 2 - k % 2)
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


class Draws(NamedTuple):
    """Every way in which an exchange can begin: both hands, and the two cards that are drawn. All are [draws]."""

    kept: Spots
    """Where the hands afterwards begin among those of a class."""
    step: Spots
    """How far they lie apart."""
    held: Spots
    """Where the two hands lie among those of a class."""
    theirs: Spots
    """The opponent's influence."""
    big: Spots
    """The hand with the two cards."""
    chance: Floats
    """How likely they are drawn."""


def every_draw() -> Draws:
    """All of them."""
    rows, taken = [], np.asarray(TAKEN).tolist()
    kept_at, held_at = np.asarray(KEPT_AT).tolist(), np.asarray(HELD_AT).tolist()
    for k in range(STANDS):
        i, j, n, m = 2 - k // 2, 2 - k % 2, int(HANDS[k]), int(HANDS_TOO[k])
        for lost, p, r, pair in product(range(LOST[k]), range(n), range(m), range(PAIR_KINDS)):
            chance = chance_of_two(i, j, lost, p, r, pair)
            if chance > 0.0:
                kept, held = kept_at[k] + (lost * n + p) * n * m + r, held_at[k] + (lost * n + p) * m + r
                rows.append((kept, m, held, j, taken[i - 1][p][pair], chance))
    kept, step, held, theirs, big = np.array([row[:-1] for row in rows], np.int32).T.copy()
    return Draws(kept, step, held, theirs, big, np.array([row[-1] for row in rows], np.float32))


def take_over(returns: Floats, told: Floats) -> None:
    """Return what a strategy says, both [classes, big hands, answers], flat; where it is silent, what was returned before."""
    mine, theirs = (one.reshape(-1, RETURN_SLOTS) for one in (returns, told))
    known = theirs.sum(axis=1) > 0
    mine[known] = theirs[known]


@jit
def spread(how: Floats, draws: Draws, returns: Floats) -> None:
    """What exchanges make of hands, by what is done with each big hand: `how` [classes, big hands, answers]."""
    returns[:] = 0.0
    for group in range(CLASSES):
        for e in range(len(draws.big)):
            if group % 2 != draws.theirs[e] - 1:
                continue
            big, here = draws.big[e], group * ALL_KEPT + draws.kept[e]
            first = (group * BIG + big) * RETURN_SLOTS
            for a in range(RETURN_SLOTS):
                if AFTER[big, a] >= 0:
                    returns[here + AFTER[big, a] * draws.step[e]] += draws.chance[e] * how[first + a]


@jit
def gather(s: Side, draws: Draws, gains: Floats) -> None:
    """The other way round: `gains` [classes, big hands, answers] what each answer brought; then how likely each hand was."""
    gains[:] = 0.0
    for group in range(CLASSES):
        for e in range(len(draws.big)):
            traded = s.traded[group * ALL_HELD + draws.held[e]]
            if traded <= 0.0 or group % 2 != draws.theirs[e] - 1:
                continue
            big, here = draws.big[e], group * ALL_KEPT + draws.kept[e]
            gains[RETURN_ALL + group * BIG + big] += draws.chance[e] * traded
            for a in range(RETURN_SLOTS):
                if AFTER[big, a] >= 0:
                    brought = s.brought[here + AFTER[big, a] * draws.step[e]]
                    gains[(group * BIG + big) * RETURN_SLOTS + a] += draws.chance[e] * brought


@jit
def step_returns(s: Side, how: Floats, regrets: Floats, sums: Floats, gains: Floats, number: int) -> None:
    """The same as `step` for exchanges, with what was gathered."""
    old, new, weight = faded(number - 1), faded(number), (number / 100.0) ** AVERAGE
    for big in range(CLASSES * BIG):
        reach = gains[RETURN_ALL + big]
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
