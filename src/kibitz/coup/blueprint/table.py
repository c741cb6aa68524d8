"""Practice for three to six: what one player of a table learns in a game.

At each of its decisions every answer is tried, and each time the game is played to its end as the present strategies would,
with the same cards and the same luck. The others are players like it, or bots that everybody may meet, or some of each. A
player who knows nothing yet does what `heuristic` would do. Several players can gang up on one whatever it does, so that
nothing is promised: this is practice, not an equilibrium.
"""

from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.coup.core import policy
from kibitz.coup.core.policy import HEURISTIC, HONEST
from kibitz.coup.core.rules import actor, apply, score
from kibitz.coup.core.sets import answers
from kibitz.coup.core.state import DEAL, DO_SHOW, GAME_OVER, PRIZE, SHOW, CoupState
from kibitz.coup.core.table_sets import purse_of, table_set, victim_of
from kibitz.game import CHANCE, Scratch
from kibitz.game.drivers import draw
from kibitz.game.verbs import legal
from kibitz.ground.jit import jit, struct
from kibitz.ground.memory import real
from kibitz.ground.rng import below, child, reseed

Floats: TypeAlias = npt.NDArray[np.float32]
#: The most answers to a question.
WIDEST = 7
#: Draws are made of so many parts.
PARTS = 1 << 30
#: A game is left after so many turns, and what there is to win is shared by who is left.
LONGEST = 150
#: The fewest and the most players.
FEWEST, MOST = 3, 6
#: Who sits at the other seats, three bits each: players like the learner, or these bots.
ALIKE, BOT_KINDS = 0, 4
KIND_BITS, KIND_MASK = 3, 7
#: What counts for the answer that `heuristic` would give, where nothing else is known: as if it had brought so much already.
PRIOR = 2.0
#: The most decisions of one player in a game.
ROOM = 4 * LONGEST


class Log(NamedTuple):
    """What a worker has met, in order."""

    places: npt.NDArray[np.int32]
    """[decisions] the first slot of the question."""
    gains: Floats
    """[decisions, WIDEST] what each answer brought more than the strategy."""
    played: Floats
    """[decisions, WIDEST] the strategy."""


class Desk(Protocol):
    """Where the table lies (every array that is handed over would cost time), and how a learner plays."""

    sums: int  # [slots * 2] of each slot the regret, and the sum of the strategies played: side by side, since they are read so
    explore: int  # how often it looks around, in parts of 1000


DESK = struct("coup_desk", [(name, np.int64) for name in Desk.__annotations__])


@jit
def merge(sums: Floats, log: Log, rows: int, weight: float) -> None:
    """Learn what a log holds: regrets, and strategies with their weight. No regret is so bad that it is not soon forgotten."""
    for row in range(rows):
        at = log.places[row]
        for j in range(WIDEST):
            if log.played[row, j] > 0.0 or log.gains[row, j] != 0.0:
                sums[2 * (at + j)] = max(sums[2 * (at + j)] + log.gains[row, j], -PRIOR)
                sums[2 * (at + j) + 1] += weight * log.played[row, j]


@jit
def listed(s: CoupState, x: Scratch, seat: int) -> int:
    """The answers to the question, into ``x.actions``; 1 if there is nothing to decide."""
    if s.phase == SHOW and s.hand[seat, s.claim] > 0:
        x.actions[0] = DO_SHOW + s.claim
        return 1
    return answers(s, x, seat, victim_of(s, seat), purse_of(s, seat))


@jit
def leaning(s: CoupState, x: Scratch) -> int:
    """What `heuristic` would do."""
    return policy.choose(s, x, HEURISTIC)


@jit
def liked(x: Scratch, t: Desk, at: int, j: int, usual: int) -> float:
    """How much speaks for answer `j`: its regret, where that is positive; the `usual` answer has something to start with."""
    if x.actions[j] < 0:
        return 0.0
    return max(real(t.sums, 2 * (at + j)) + (PRIOR if x.actions[j] == usual else 0.0), 0.0)


@jit
def matched(x: Scratch, t: Desk, at: int, n: int, j: int, usual: int) -> float:
    """How often answer `j` of `n` is given: in proportion to its regret, where that is positive (regret matching)."""
    positive, possible = 0.0, 0
    for i in range(n):
        if x.actions[i] >= 0:
            possible += 1
            positive += liked(x, t, at, i, usual)
    if x.actions[j] < 0:
        return 0.0
    return liked(x, t, at, j, usual) / positive if positive > 0.0 else 1.0 / possible


@jit
def chosen(s: CoupState, x: Scratch, t: Desk, seat: int) -> int:
    """What the present strategy does."""
    usual = leaning(s, x)
    n = listed(s, x, seat)
    if n == 1:
        return x.actions[0]
    at = table_set(s, seat)
    drawn, last = below(x, PARTS) / PARTS, 0
    for i in range(n):
        if x.actions[i] >= 0:
            last = i
            drawn -= matched(x, t, at, n, i, usual)
            if drawn < 0.0:
                break
    return x.actions[last]


@jit
def answered(s: CoupState, x: Scratch, t: Desk, seat: int, kinds: int) -> int:
    """What whoever sits at a seat does."""
    kind = (kinds >> (KIND_BITS * seat)) & KIND_MASK
    if kind == ALIKE:
        return chosen(s, x, t, seat)
    if kind == 1:
        return policy.choose(s, x, HEURISTIC)
    if kind == 2:
        return policy.choose(s, x, HONEST)
    return x.actions[below(x, legal(s, x))]


@jit
def company(x: Scratch, learner: int, seats: int) -> int:
    """Who sits at a table: half of the time players like the learner; else one kind of bot, or anybody."""
    kinds, style = 0, below(x, 8)
    for seat in range(seats):
        kind = ALIKE
        if style == 7:
            kind = below(x, BOT_KINDS)
        elif style >= 4:
            kind = style - 3  # 1, 2 or 3
        if seat != learner:
            kinds |= kind << (KIND_BITS * seat)
    return kinds


@jit
def play_on(s: CoupState, x: Scratch, t: Desk, seat: int, kinds: int) -> float:
    """Play to the end; what that is worth to a seat, from 0 to 1."""
    while s.phase != GAME_OVER and s.turn <= LONGEST and s.influence[seat] > 0:
        mover = actor(s)
        apply(s, draw(s, x) if mover == CHANCE else answered(s, x, t, mover, kinds))
    return score(s, seat) / PRIZE


@jit
def play_table(states: Any, xs: Any, desks: Any, log: Log, seed: int) -> int:
    """Play games until the log is full; how many decisions it holds.

    ``states[0]`` and ``states[1]`` are room; then come games before the deal, with three to six players.
    """
    x, t = xs[0], desks[0]
    rows = game = 0
    while rows + ROOM <= len(log.gains):
        reseed(x, child(seed, game))
        seats = FEWEST + below(x, MOST - FEWEST + 1)
        states[0] = states[2 + seats - FEWEST]
        s = states[0]
        learner = below(x, seats)
        kinds = company(x, learner, seats)
        while s.phase != GAME_OVER and s.turn <= LONGEST and s.influence[learner] > 0:
            seat = actor(s)
            if seat == CHANCE:
                apply(s, draw(s, x))
                continue
            a = answered(s, x, t, seat, kinds)
            if seat == learner:
                possible = weigh(states, x, t, log, rows, seat, kinds)
                if possible > 1:
                    rows += 1
                    if below(x, 1000) < t.explore:
                        n, at = listed(s, x, seat), below(x, possible)
                        for j in range(n):
                            if x.actions[j] >= 0:
                                if at == 0:
                                    a = x.actions[j]
                                at -= 1
            apply(s, a)
        game += 1
    return rows


@jit
def weigh(states: Any, x: Scratch, t: Desk, log: Log, row: int, seat: int, kinds: int) -> int:
    """Try every answer, with the same luck; how many there are. What is learned goes into the log, if they are several."""
    s = states[0]
    usual = leaning(s, x)
    n = listed(s, x, seat)
    possible = 0
    for j in range(n):
        if x.actions[j] >= 0:
            possible += 1
    if possible < 2 or s.phase == DEAL:
        return possible
    at = table_set(s, seat)
    for j in range(WIDEST):
        log.gains[row, j] = log.played[row, j] = 0.0
    for j in range(n):
        log.played[row, j] = matched(x, t, at, n, j, usual)
    mean, luck = 0.0, x.random
    for j in range(n):
        listed(s, x, seat)
        a = x.actions[j]
        if a >= 0:
            x.random = luck
            states[1] = states[0]
            apply(states[1], a)
            log.gains[row, j] = play_on(states[1], x, t, seat, kinds)
            mean += log.played[row, j] * log.gains[row, j]
    listed(s, x, seat)
    for j in range(n):
        if x.actions[j] >= 0:
            log.gains[row, j] -= mean
    log.places[row] = at
    x.random = child(luck, 1)
    return possible
