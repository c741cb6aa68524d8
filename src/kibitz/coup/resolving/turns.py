"""Turns by themselves, many at a time: regret minimisation over one turn, and a network that says what comes after it is worth.

The turn is the blueprint's (`kibitz.coup.blueprint.turns`): all hands of both players at once. Here every decision of it has a
strategy of its own, and what it starts from is not a spot with its last claims but a *public belief*: how likely each pair of
hands is, to somebody who has seen everything that was done and knows how both players play.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint.lone import NOWHERE, WITH_OTHERS, Floats, Lone
from kibitz.coup.blueprint.matrices import ROOM, Board, Side
from kibitz.coup.blueprint.spots import GONE, HANDS, HANDS_TOO, MOST_HANDS, stand
from kibitz.coup.blueprint.sweep import faded, step_hand, uniform
from kibitz.coup.blueprint.turns import turn
from kibitz.coup.core.state import KINDS, PAIR_KINDS
from kibitz.ground.jit import jit

#: Slots, questions and ends of the largest turn.
SLOTS, QUESTIONS, ENDS = 2048, 72, 180
PAIRS_OF_HANDS = MOST_HANDS * MOST_HANDS
#: What can be done with a turn: begin it, all answers being alike; walk ahead by the average strategies; walk down and back and
#: learn from it; play the average strategies from now on; find out what the turn is worth, or only where it leads.
BEGIN, LOOK_AHEAD, GO_BACK, SETTLE, VALUE, LEAD = range(6)
#: So many times gains count, which are as small as it is likely that play comes there: no regret is too small for a float.
SCALE = 16.0
#: Strategies count in proportion to the number of their walk to this power; more weight on late walks changes the beliefs at
#: the ends of a turn too fast for what the network said of them.
AVERAGE = 2.0
#: What the network sees of a position at the start of a turn: who has two cards; the lost cards; both purses; and how likely
#: each hand of either player is.
PURSE = 13
SINGLES_AT = PAIR_KINDS
BELIEF = PAIR_KINDS + KINDS
COINS_AT = 2 + KINDS
OWN_AT = COINS_AT + 2 * PURSE
FEATURES = OWN_AT + 2 * BELIEF


class Turns(NamedTuple):
    """Room for turns that are solved together; the first axis of everything is the turn."""

    position: Any
    """[turns, 5] own cards, the other's, lost cards, own coins, the other's."""
    start: Floats
    """[turns, pairs of hands] how likely each is."""
    after: Floats
    """[turns, pairs of hands] what the turn is worth to whose it is."""
    how: Floats
    gains: Floats
    reach: Floats
    regrets: Floats
    sums: Floats
    """[turns, slots] the strategy, and what is found out about it (`Side`); nothing in ``gains`` between two walks."""
    met: Any
    asked: Any
    ends: Any
    path: Any
    own: Floats
    mass: Floats
    worth: Floats
    """Each as in `Lone`."""


def new_turns(n: int) -> Turns:
    """Room for `n` turns."""

    def floats(*shape: int) -> Floats:
        return np.zeros((n, *shape), np.float32)

    def integers(*shape: int) -> npt.NDArray[np.int64]:
        return np.zeros((n, *shape), np.int64)

    return Turns(
        position=integers(5), start=floats(PAIRS_OF_HANDS), after=floats(PAIRS_OF_HANDS), how=floats(SLOTS),
        gains=floats(SLOTS), reach=floats(SLOTS), regrets=floats(SLOTS), sums=floats(SLOTS), met=integers(6),
        asked=integers(QUESTIONS, 5), ends=integers(ENDS, 6), path=integers(SLOTS), own=floats(SLOTS),
        mass=floats(ENDS, PAIRS_OF_HANDS),
        worth=floats(ENDS, PAIRS_OF_HANDS),
    )  # fmt: skip


class Desk(NamedTuple):
    """What one thread needs."""

    room: Floats
    returns: Floats
    """What exchanges make of hands (`Side`), by the blueprint."""
    spare: Floats
    """Nothing."""
    tremble: Floats
    learning: Any


def new_desk(returns: Floats, tremble: float) -> Desk:
    """Room for a thread."""
    return Desk(
        np.zeros((ROOM, MOST_HANDS, MOST_HANDS), np.float32), returns, np.zeros(1, np.float32),
        np.full(1, tremble, np.float32), np.ones(2, np.int64),
    )  # fmt: skip


@jit
def walk(t: Turns, k: int, how: Floats, desk: Desk, ahead: bool) -> None:
    """Down a turn, or down and back, with a strategy [slots]: see `turn`."""
    for z in range(3):
        t.met[k, z] = 0
    t.met[k, 3] = 1
    t.met[k, 4] = t.met[k, 5] = NOWHERE
    empty = desk.spare
    side = Side(how, t.gains[k], t.reach[k], desk.returns, empty, empty)
    lone = Lone(t.met[k], t.asked[k], t.ends[k], t.path[k], t.own[k], t.mass[k], t.worth[k])
    board = Board(
        empty, empty, t.start[k], t.after[k], empty, empty, desk.room, desk.tremble, desk.learning, ahead, True, lone
    )  # fmt: skip
    turn(board, side, side, t.position[k, 0], t.position[k, 1], t.position[k, 2], -1, -1, t.position[k, 3], t.position[k, 4])


@jit
def alike(t: Turns, k: int, at: int, answers: int, hands: int) -> None:
    """All answers that can be given to a question are."""
    uniform(t.how[k], at, hands, answers, t.position[k, 3], t.position[k, 4], t.position[k, 1])


@jit
def step(t: Turns, k: int, number: int) -> None:
    """Regrets and strategies move on after walk `number`, the first of which is 1 (`kibitz.coup.blueprint.sweep.step`).

    As in the theory, what a hand gained counts as if its own answers had led there for sure, and what it did in proportion to
    how likely they did. Where its cards have changed since, how likely play came there with it, beside other hands, stands for
    that.
    """
    side = Side(t.how[k], t.gains[k], t.reach[k], t.how[k], t.how[k], t.how[k])
    old, new, weight = faded(number - 1), faded(number), (number / 100.0) ** AVERAGE
    for q in range(t.met[k, 1]):
        at, answers, hands, last = t.asked[k, q, 0], t.asked[k, q, 1], t.asked[k, q, 2], t.asked[k, q, 4]
        for h in range(hands):
            if t.reach[k, at + h] > 0.0:
                if last != WITH_OTHERS:
                    t.reach[k, at + hands + h] = t.own[k, last + h] if last != NOWHERE else 1.0
                scale = SCALE / t.reach[k, at + hands + h]
                if not step_hand(side, t.regrets[k], t.sums[k], at + h, hands, answers, scale, weight, old, new):
                    alike(t, k, at + h, answers, hands)


@jit
def average(t: Turns, k: int, to: Floats) -> None:
    """The average strategy, into `to` [slots]; where nothing was met, the present one."""
    for q in range(t.met[k, 1]):
        at, answers, hands = t.asked[k, q, 0], t.asked[k, q, 1], t.asked[k, q, 2]
        for h in range(hands):
            total = 0.0
            for a in range(answers):
                total += t.sums[k, at + a * hands + h]
            for a in range(answers):
                place = at + a * hands + h
                to[place] = t.sums[k, place] / total if total > 0.0 else t.how[k, place]


@jit
def features(position: Any, mass: Floats, seen: Floats) -> None:
    """What the network sees of a position [5] and of how likely each pair of hands is [pairs of hands]."""
    for f in range(FEATURES):
        seen[f] = 0.0
    i, j, lost = position[0], position[1], position[2]
    seen[0], seen[1] = i - 1.0, j - 1.0
    for card in range(KINDS):
        seen[2 + card] = GONE[4 - i - j, lost, card]
    seen[COINS_AT + position[3]] = 1.0
    seen[COINS_AT + PURSE + position[4]] = 1.0
    k = stand(i, j)
    n, m = HANDS[k], HANDS_TOO[k]
    own = OWN_AT + (0 if i == 2 else SINGLES_AT)
    other = OWN_AT + BELIEF + (0 if j == 2 else SINGLES_AT)
    total = 0.0
    for p in range(n):
        for r in range(m):
            one = mass[p * m + r]
            total += one
            seen[own + p] += one
            seen[other + r] += one
    if total > 0.0:
        for p in range(n):
            seen[own + p] /= total
        for r in range(m):
            seen[other + r] /= total


@jit
def act(t: Turns, k: int, desk: Desk, what: int, seen: Floats, root: Floats, number: int, times: int) -> None:
    """Do one thing with a turn, from `BEGIN` on; `seen` [ends, features] and `root` [features] are for the network.

    All of it is one function, so that a GPU needs one kernel, with the turn in it once.
    """
    how = t.how[k]
    if what == BEGIN:
        features(t.position[k], t.start[k], root)
        for z in range(SLOTS):
            t.how[k, z] = t.gains[k, z] = t.reach[k, z] = t.regrets[k, z] = t.sums[k, z] = 0.0
    elif what == LOOK_AHEAD:
        how = t.gains[k]
        average(t, k, how)
    elif what == SETTLE:
        average(t, k, how)
    for z in range(times):
        walk(t, k, how, desk, what not in (GO_BACK, VALUE))
        if what == GO_BACK:
            step(t, k, number + z)
    if what == BEGIN:
        for q in range(t.met[k, 1]):
            at, answers, hands = t.asked[k, q, 0], t.asked[k, q, 1], t.asked[k, q, 2]
            for h in range(hands):
                alike(t, k, at + h, answers, hands)
    elif what in (LOOK_AHEAD, SETTLE):
        for z in range(t.met[k, 0]):
            t.gains[k, z] = 0.0
        for e in range(t.met[k, 2]):
            features(t.ends[k, e], t.mass[k, e], seen[e])
