"""Matrices [hand of the player, hand of the opponent], and what decisions and cards do to them.

They lie in rooms of one array, by number. On the way down a turn a room holds how likely play comes there with these hands; on
the way back the same room holds what that is worth to the player whose turn it is. A turn is walked twice: *ahead*, which only
finds out where it leads, and then, when all later turns are known, down and back.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.coup.blueprint.lone import (
    DOUBT,
    Floats,
    Lone,
    answered_alone,
    changes_hand,
    end_alone,
    note_own,
    question_alone,
    was_shown,
)  # fmt: skip
from kibitz.coup.blueprint.spots import (
    GONE,
    HANDS,
    HELD,
    LEFT,
    MOST_HANDS,
    claims_of,
    slot_at,
    stand,
    value_at,
)  # fmt: skip
from kibitz.coup.core.sets import PAIR_NUMBER
from kibitz.coup.core.state import CARDS, COPIES, KINDS
from kibitz.ground.jit import jit

#: Matrices that a turn needs at most.
ROOM = 64
#: What is less likely than this is not followed, and nothing is learned from it.
CUT = 1e-8
#: Whose turn it is, and the other.
PLAYER, OPPONENT = 0, 1
#: What somebody does on the way back: plays, plays and learns, or gives the best answer with each hand, without a strategy.
PLAYS, LEARNS, ANSWERS_BEST = 0, 1, 2
#: What an answer is worth that cannot be given.
NEVER = -2.0


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
    """[classes, hand, hand afterwards, hand of the other] for exchanges: how likely a hand becomes which."""
    brought: Floats
    """The same: what each would have brought."""
    traded: Floats
    """[classes, pairs of hands] how likely there was an exchange."""


class Board(NamedTuple):
    """What a turn reads and writes."""

    before: Floats
    """[values] what the next turn is worth to whose it is."""
    likely: Floats
    """[values] how often play has come to the present turn since it was last played; none after that."""
    now: Floats
    """[values] with how much of that the present turn is played."""
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
    """[2] what player and opponent do: `PLAYS`, `LEARNS` or `ANSWERS_BEST`."""
    ahead: bool
    """Whether only the way down is walked."""
    alone: bool
    """Whether the turn is looked at by itself: its questions and ends are numbered as they come, and `lone` has them."""
    lone: Lone


@jit
def end(b: Board, d: int, i: int, j: int, lost: int, mine: int, theirs: int, coins: int, coins_too: int) -> None:
    """The turn is over. Reaches are in room `d`, values go there too: everywhere below."""
    if b.alone:
        end_alone(b.lone, b.room, d, b.ahead, i, j, lost, coins, coins_too)
        return
    at = value_at(j, i, lost, claims_of(theirs, mine), coins_too, coins)
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    for p in range(n):
        for r in range(m):
            if b.ahead:
                b.leads[at + r * n + p] += b.room[d, p, r]
            else:
                b.room[d, p, r] = -b.before[at + r * n + p]


@jit
def question_at(
    b: Board, who: int, own: int, other: int, lost: int, claims: int, coins: int, coins_too: int, slot: int, answers: int
) -> int:
    """Where the answers to a question to `who` lie; the things of who is asked come first."""
    if b.alone:
        return question_alone(b.lone, who, HANDS[stand(own, other)], answers)
    return slot_at(own, other, lost, claims, coins, coins_too, slot)


@jit
def answered(b: Board, who: int, at: int, k: int, hands: int) -> None:
    """The walk goes on with the answer of `who` to the question at `at`: number `k`, which any of so many `hands` may give."""
    if b.alone:
        answered_alone(b.lone, who, at, k, hands)


@jit
def fill(b: Board, d: int, i: int, j: int, value: float) -> None:
    """All is decided."""
    for p in range(HANDS[stand(i, j)]):
        for r in range(HANDS[stand(j, i)]):
            b.room[d, p, r] = value


@jit
def unlikely(b: Board, d: int, i: int, j: int) -> bool:
    """Whether a walk ahead may end here: hardly anything comes to room `d`."""
    if not b.ahead or b.alone:
        return False
    total = 0.0
    for p in range(HANDS[stand(i, j)]):
        for r in range(HANDS[stand(j, i)]):
            total += b.room[d, p, r]
    return total <= CUT


@jit
def often(b: Board, how: float, n: int) -> float:
    """How often an answer of `n` is given, in reaches."""
    return how + (1.0 / n - how) * float(b.tremble[0])


@jit
def settle(b: Board, s: Side, who: int, d: int, first: int, n: int, i: int, j: int, at: int) -> None:
    """Somebody has decided: the reaches are in room `d`, the values of the `n` answers in the rooms from `first` on.

    The value of the strategy goes to room `d`.
    """
    if b.ahead:
        return
    if b.learning[who] == ANSWERS_BEST:
        answer_best(b, s, who, d, first, n, i, j, at)
        return
    hands, others = HANDS[stand(i, j)], HANDS[stand(j, i)]
    learns = b.learning[who] == LEARNS and count(b, s, who, d, at, hands, others)
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
        if learns:
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
def answer_best(b: Board, s: Side, who: int, d: int, first: int, n: int, i: int, j: int, at: int) -> None:
    """Somebody gives the best of `n` answers with each hand, which becomes the strategy: else as `settle`."""
    hands, others = HANDS[stand(i, j)], HANDS[stand(j, i)]
    own, free = hands if who == PLAYER else others, d + 1
    for h in range(own):
        best, most = 0, 0.0
        for k in range(n):
            worth = 0.0
            if who == PLAYER:
                for r in range(others):
                    worth += b.room[d, h, r] * b.room[first + k, h, r]
            else:
                for p in range(hands):
                    worth -= b.room[d, p, h] * b.room[first + k, p, h]
            if k == 0 or worth > most:
                best, most = k, worth
        b.room[free, 0, h] = best
        for k in range(n):
            s.how[at + k * own + h] = 1.0 if k == best else 0.0
    for p in range(hands):
        for r in range(others):
            b.room[d, p, r] = b.room[first + int(b.room[free, 0, p if who == PLAYER else r]), p, r]


@jit
def count(b: Board, s: Side, who: int, d: int, at: int, hands: int, others: int) -> bool:
    """How likely it is that somebody decides with each hand; and by how much more than with the others.

    False if it is not likely enough.
    """
    own = hands if who == PLAYER else others
    free, most = d + 1, 0.0
    for h in range(own):
        b.room[free, 0, h] = 0.0
    for p in range(hands):
        for r in range(others):
            b.room[free, 0, p if who == PLAYER else r] += b.room[d, p, r]
    for h in range(own):
        most = max(most, b.room[free, 0, h])
    if most <= CUT:
        return False
    for h in range(own):
        s.reach[at + h] += b.room[free, 0, h]
        s.reach[at + own + h] += b.room[free, 0, h] / most
    return True


@jit
def share(b: Board, s: Side, who: int, d: int, to: int, k: int, n: int, i: int, j: int, at: int) -> None:
    """The reaches of answer `k` of `n` go to room `to`."""
    hands, others = HANDS[stand(i, j)], HANDS[stand(j, i)]
    answered(b, who, at, k, hands if who == PLAYER else others)
    if who == PLAYER:
        for p in range(hands):
            place = at + k * hands + p
            part = often(b, s.how[place], n)
            if b.alone:
                note_own(b.lone, who, at, place, p, part)
            for r in range(others):
                b.room[to, p, r] = b.room[d, p, r] * part
    else:
        for r in range(others):
            place = at + k * others + r
            part = often(b, s.how[place], n)
            if b.alone:
                note_own(b.lone, who, at, place, r, part)
            for p in range(hands):
                b.room[to, p, r] = b.room[d, p, r] * part


# --- cards --------------------------------------------------------------------------------------------------


DRAWN_FROM = CARDS - 4 + 1


@jit
def redrawn(i: int, hand: int, shown: int, card: int) -> int:
    """The hand after a card was shown and replaced."""
    return card if i == 1 else PAIR_NUMBER[LEFT[1, hand, shown] * KINDS + card]


@jit
def replace(b: Board, who: int, d: int, to: int, i: int, j: int, lost: int, shown: int, back: bool) -> None:
    """Somebody's card was shown and is replaced: reaches go from room `d` to room `to`, or values `back`.

    The way there, hands without it do not count; on the way back they stay as they are.
    """
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    if back and b.ahead:
        return
    if not back:
        fill(b, to, i, j, 0.0)
        if b.alone:
            changes_hand(b.lone, who)
    own = i if who == PLAYER else j
    hands, others = (n, m) if who == PLAYER else (m, n)
    for hand in range(hands):
        if HELD[own - 1, hand, shown] == 0:
            continue
        for other in range(others if back else 0):
            b.room[d, hand if who == PLAYER else other, other if who == PLAYER else hand] = 0.0
        for card in range(KINDS):
            q = redrawn(own, hand, shown, card)
            left = COPIES - GONE[4 - i - j, lost, card] - HELD[own - 1, hand, card] + (1 if card == shown else 0)
            for other in range(others):
                chance = max(left - HELD[i + j - own - 1, other, card], 0) / DRAWN_FROM
                p, r = (hand, other) if who == PLAYER else (other, hand)
                after, after_too = (q, other) if who == PLAYER else (other, q)
                if back:
                    b.room[d, p, r] += chance * b.room[to, after, after_too]
                else:
                    b.room[to, after, after_too] += chance * b.room[d, p, r]


@jit
def keep_held(b: Board, who: int, d: int, to: int, i: int, j: int, card: int, held: int, at: int) -> None:
    """The reaches with those hands that hold a card which was doubted (or do not), to room `to`; the question was at `at`."""
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    answered(b, 1 - who, at, DOUBT, m if who == PLAYER else n)
    if b.alone:
        was_shown(b.lone, held)
    for p in range(n):
        for r in range(m):
            has = HELD[i - 1, p, card] if who == PLAYER else HELD[j - 1, r, card]
            b.room[to, p, r] = b.room[d, p, r] if (has > 0) == (held == 1) else 0.0


@jit
def choose_held(b: Board, who: int, d: int, other: int, i: int, j: int, card: int) -> None:
    """The values of room `other` for the hands that hold a card, into room `d`, which has those of the others."""
    if b.ahead:
        return
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    for p in range(n):
        for r in range(m):
            if (HELD[i - 1, p, card] if who == PLAYER else HELD[j - 1, r, card]) > 0:
                b.room[d, p, r] = b.room[other, p, r]


@jit
def lose_down(b: Board, s: Side, who: int, d: int, to: int, i: int, j: int, at: int, card: int) -> None:
    """The reaches after somebody with two cards has lost this one, to room `to`."""
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    answered(b, who, at, card, n if who == PLAYER else m)
    if b.alone:
        changes_hand(b.lone, who)
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
    if b.ahead:
        return
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
