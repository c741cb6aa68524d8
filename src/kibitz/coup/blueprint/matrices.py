"""Matrices [hand of the player, hand of the opponent], and what decisions and cards do to them.

They lie in rooms of one array, by number. On the way down a turn a room holds how likely play comes there with these hands; on
the way back the same room holds what that is worth to the player whose turn it is.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint.spots import GONE, HANDS, HELD, LEFT, MOST_HANDS, claims_of, stand, value_at
from kibitz.coup.core.sets import PAIR_NUMBER
from kibitz.coup.core.state import CARDS, COPIES, KINDS
from kibitz.ground.jit import jit

Floats: TypeAlias = npt.NDArray[np.float32]
#: Matrices that a turn needs at most.
ROOM = 64
#: Whose turn it is, and the other.
PLAYER, OPPONENT = 0, 1


class Side(NamedTuple):
    """What a player does, and what is found out about it."""

    how: Floats
    """[slots] how often each answer is given."""
    gains: Floats
    """[slots] what each answer brought more, times how likely play came there."""
    reach: Floats
    """[slots] at the first slot of a question, how likely play came there; at the second, how much the present strategy counts
    in the average."""
    returns: Floats
    """[classes, pairs of hands, hand afterwards] for exchanges: how likely a hand becomes which."""
    brought: Floats
    """The same: what each would have brought."""
    traded: Floats
    """[classes, pairs of hands] how likely there was an exchange."""


class Board(NamedTuple):
    """What a turn reads and writes."""

    before: Floats
    """[values] what the next turn is worth to whose it is."""
    likely: Floats
    """[values] how often play has come to the present turn since it was last looked at; none after that."""
    after: Floats
    """[values] what the present turn is worth."""
    leads: Floats
    """[values] how often play comes to the next turn: more is added."""
    visits: Floats
    """[values] how often play came to the present turn, in all."""
    room: Floats
    """[ROOM, hands, hands]."""
    tremble: Floats
    """[1] how much of a strategy is any answer, in reaches."""
    learning: Any
    """[2] whether player and opponent learn."""


@jit
def end(b: Board, d: int, i: int, j: int, lost: int, mine: int, theirs: int, coins: int, coins_too: int) -> None:
    """The turn is over. Reaches are in room `d`, values go there too: everywhere below."""
    at = value_at(j, i, lost, claims_of(theirs, mine), coins_too, coins)
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    for p in range(n):
        for r in range(m):
            b.leads[at + r * n + p] += b.room[d, p, r]
            b.room[d, p, r] = -b.before[at + r * n + p]


@jit
def fill(b: Board, d: int, i: int, j: int, value: float) -> None:
    """All is decided."""
    for p in range(HANDS[stand(i, j)]):
        for r in range(HANDS[stand(j, i)]):
            b.room[d, p, r] = value


@jit
def often(b: Board, how: float, n: int) -> float:
    """How often an answer of `n` is given, in reaches."""
    return how + (1.0 / n - how) * float(b.tremble[0])


@jit
def settle(b: Board, s: Side, who: int, d: int, first: int, n: int, i: int, j: int, at: int) -> None:
    """Somebody has decided: the reaches are in room `d`, the values of the `n` answers in the rooms from `first` on.

    The value of the strategy goes to room `d`.
    """
    hands, others = HANDS[stand(i, j)], HANDS[stand(j, i)]
    if b.learning[who]:
        count(b, s, who, d, at, hands, others)
    free = d + 1
    for p in range(hands):
        for r in range(others):
            b.room[free, 0, r] = 0.0
        for k in range(n):
            if who == PLAYER:
                how = s.how[at + k * hands + p]
                for r in range(others):
                    b.room[free, 0, r] += how * b.room[first + k, p, r]
            else:
                for r in range(others):
                    b.room[free, 0, r] += s.how[at + k * others + r] * b.room[first + k, p, r]
        if b.learning[who]:
            for k in range(n):
                if who == PLAYER:
                    gain = 0.0
                    for r in range(others):
                        gain += b.room[d, p, r] * (b.room[first + k, p, r] - b.room[free, 0, r])
                    s.gains[at + k * hands + p] += gain
                else:
                    for r in range(others):
                        s.gains[at + k * others + r] -= b.room[d, p, r] * (b.room[first + k, p, r] - b.room[free, 0, r])
        for r in range(others):
            b.room[d, p, r] = b.room[free, 0, r]


@jit
def count(b: Board, s: Side, who: int, d: int, at: int, hands: int, others: int) -> None:
    """How likely it is that somebody decides with each hand; and by how much more than with the others."""
    own = hands if who == PLAYER else others
    free, most = d + 1, 0.0
    for h in range(own):
        b.room[free, 0, h] = 0.0
    for p in range(hands):
        for r in range(others):
            b.room[free, 0, p if who == PLAYER else r] += b.room[d, p, r]
    for h in range(own):
        most = max(most, b.room[free, 0, h])
    if most > 0.0:
        for h in range(own):
            s.reach[at + h] += b.room[free, 0, h]
            s.reach[at + own + h] += b.room[free, 0, h] / most


@jit
def share(b: Board, s: Side, who: int, d: int, to: int, k: int, n: int, i: int, j: int, at: int) -> None:
    """The reaches of answer `k` of `n` go to room `to`."""
    hands, others = HANDS[stand(i, j)], HANDS[stand(j, i)]
    if who == PLAYER:
        for p in range(hands):
            part = often(b, s.how[at + k * hands + p], n)
            for r in range(others):
                b.room[to, p, r] = b.room[d, p, r] * part
    else:
        for r in range(others):
            part = often(b, s.how[at + k * others + r], n)
            for p in range(hands):
                b.room[to, p, r] = b.room[d, p, r] * part


# --- cards --------------------------------------------------------------------------------------------------


@jit
def chance_of(i: int, j: int, lost: int, hand: int, other: int, shown: int, card: int) -> float:
    """How likely a card is drawn for one that was shown; the hand (of `i`) still holds that."""
    left = COPIES - GONE[4 - i - j, lost, card] - HELD[i - 1, hand, card] - HELD[j - 1, other, card]
    if card == shown:
        left += 1
    return float(max(left, 0) / (CARDS - 4 + 1))


@jit
def redrawn(i: int, hand: int, shown: int, card: int) -> int:
    """The hand after a card was shown and replaced."""
    return card if i == 1 else PAIR_NUMBER[LEFT[1, hand, shown] * KINDS + card]


@jit
def replace_down(b: Board, who: int, d: int, to: int, i: int, j: int, lost: int, shown: int) -> None:
    """Reaches after somebody's card was replaced, from room `d` to room `to`; hands without it do not count."""
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    fill(b, to, i, j, 0.0)
    if who == PLAYER:
        for p in range(n):
            if HELD[i - 1, p, shown] > 0:
                for card in range(KINDS):
                    q = redrawn(i, p, shown, card)
                    for r in range(m):
                        b.room[to, q, r] += b.room[d, p, r] * chance_of(i, j, lost, p, r, shown, card)
    else:
        for r in range(m):
            if HELD[j - 1, r, shown] > 0:
                for card in range(KINDS):
                    q = redrawn(j, r, shown, card)
                    for p in range(n):
                        b.room[to, p, q] += b.room[d, p, r] * chance_of(j, i, lost, r, p, shown, card)


@jit
def replace_up(b: Board, who: int, d: int, to: int, i: int, j: int, lost: int, shown: int) -> None:
    """Values before it, to room `d` from room `to`; other hands stay as they are."""
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    if who == PLAYER:
        for p in range(n):
            if HELD[i - 1, p, shown] > 0:
                for r in range(m):
                    b.room[d, p, r] = 0.0
                for card in range(KINDS):
                    q = redrawn(i, p, shown, card)
                    for r in range(m):
                        b.room[d, p, r] += b.room[to, q, r] * chance_of(i, j, lost, p, r, shown, card)
    else:
        for r in range(m):
            if HELD[j - 1, r, shown] > 0:
                for p in range(n):
                    b.room[d, p, r] = 0.0
                for card in range(KINDS):
                    q = redrawn(j, r, shown, card)
                    for p in range(n):
                        b.room[d, p, r] += b.room[to, p, q] * chance_of(j, i, lost, r, p, shown, card)


@jit
def keep_held(b: Board, who: int, d: int, to: int, i: int, j: int, card: int, held: int) -> None:
    """The reaches with those hands that hold a card (or do not), to room `to`."""
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    for p in range(n):
        for r in range(m):
            has = HELD[i - 1, p, card] if who == PLAYER else HELD[j - 1, r, card]
            b.room[to, p, r] = b.room[d, p, r] if (has > 0) == (held == 1) else 0.0


@jit
def choose_held(b: Board, who: int, d: int, other: int, i: int, j: int, card: int) -> None:
    """The values of room `other` for the hands that hold a card, into room `d`, which has those of the others."""
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    for p in range(n):
        for r in range(m):
            if (HELD[i - 1, p, card] if who == PLAYER else HELD[j - 1, r, card]) > 0:
                b.room[d, p, r] = b.room[other, p, r]


@jit
def lose_down(b: Board, s: Side, who: int, d: int, to: int, i: int, j: int, at: int, card: int) -> None:
    """The reaches after somebody with two cards has lost this one, to room `to`."""
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    if who == PLAYER:
        for p in range(KINDS):
            for r in range(m):
                b.room[to, p, r] = 0.0
        for p in range(n):
            left = LEFT[1, p, card]
            if left >= 0:
                part = 1.0 if left == card else often(b, s.how[at + (1 if card > left else 0) * n + p], 2)
                for r in range(m):
                    b.room[to, left, r] += b.room[d, p, r] * part
    else:
        for p in range(n):
            for r in range(KINDS):
                b.room[to, p, r] = 0.0
        for r in range(m):
            left = LEFT[1, r, card]
            if left >= 0:
                part = 1.0 if left == card else often(b, s.how[at + (1 if card > left else 0) * m + r], 2)
                for p in range(n):
                    b.room[to, p, left] += b.room[d, p, r] * part


@jit
def lose_up(b: Board, who: int, first: int, to: int, i: int, j: int, card: int) -> None:
    """The values after it, from room `to`, into the rooms of the two answers, from `first` on."""
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    if who == PLAYER:
        for p in range(n):
            left = LEFT[1, p, card]
            if left >= 0:
                for r in range(m):
                    if card <= left:
                        b.room[first, p, r] = b.room[to, left, r]
                    if card >= left:
                        b.room[first + 1, p, r] = b.room[to, left, r]
    else:
        for r in range(m):
            left = LEFT[1, r, card]
            if left >= 0:
                for p in range(n):
                    if card <= left:
                        b.room[first, p, r] = b.room[to, p, left]
                    if card >= left:
                        b.room[first + 1, p, r] = b.room[to, p, left]


def new_room() -> Floats:
    """Room for the matrices of a turn."""
    return np.zeros((ROOM, MOST_HANDS, MOST_HANDS), np.float32)
