"""Self-play for two: what a walk through one game teaches about every decision on its way.

At each decision every answer is tried: the rest of the turn is played as the present strategies would, and what the next turn
is worth is looked up in a table that is learned on the way (the *critic*, which knows both hands). What an answer brings more
than the strategy does on average is its regret. The walk then goes on as the strategies say, but for one of the two players,
who also looks around (explores); what the other learns from there on would be wrong, so it learns nothing.

Walks begin with a deal, or anywhere: with any coins and influence, many turns before the end or a few.
"""

from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.coup.core.cards import weights
from kibitz.coup.core.equilibrium import choose_equilibrium, mixture
from kibitz.coup.core.rules import FORCED_COUP, actor, apply
from kibitz.coup.core.sets import (
    CELLS,
    CLAIMED,
    COARSE,
    FINE,
    LAYERS,
    LOST_ONE,
    LOST_TWO,
    NOWHERE,
    ONE_ONE,
    PURSES,
    RETURN_SLOTS,
    RETURNS,
    SLOTS,
    STANDINGS,
    answers,
    coarse_cell,
    fine_cell,
    hand_number,
    layer,
    lost_number,
    purses,
    question,
    return_cell,
)  # fmt: skip
from kibitz.coup.core.state import (
    ACTION,
    COINS,
    COST,
    COUP,
    DO_SHOW,
    DRAW,
    GAME_OVER,
    KINDS,
    NOBODY,
    PAIR_KINDS,
    RETURN,
    SHOW,
    CoupState,
)  # fmt: skip
from kibitz.game import CHANCE, Scratch
from kibitz.game.drivers import draw
from kibitz.ground.jit import jit, struct
from kibitz.ground.memory import byte, real
from kibitz.ground.rng import below, child, reseed

Floats: TypeAlias = npt.NDArray[np.float32]
Counts: TypeAlias = npt.NDArray[np.uint8]
Indices: TypeAlias = npt.NDArray[np.int32]

#: The most answers to a question.
WIDEST = 7
#: Where the coarse cells and those of exchanges begin among all slots, and how many slots there are.
COARSE_AT = FINE * SLOTS
RETURN_AT = COARSE_AT + COARSE * SLOTS
ALL_SLOTS = RETURN_AT + RETURNS * RETURN_SLOTS
#: Pairs of hands and lost cards, as the critic tells them apart: two against two, two against one, one against two, one
#: against one.
V_TWO_ONE = PAIR_KINDS * PAIR_KINDS
V_ONE_TWO = V_TWO_ONE + LOST_ONE * PAIR_KINDS * KINDS
V_ONE_ONE = V_ONE_TWO + LOST_ONE * PAIR_KINDS * KINDS
V_STANDINGS = V_ONE_ONE + LOST_TWO * KINDS * KINDS
V_LATE = V_STANDINGS - V_ONE_ONE
#: What the critic tells apart with claims, and in all.
V_FINE = (V_STANDINGS + LAYERS * V_LATE) * CLAIMED * PURSES
V_ALL = V_FINE + (LAYERS + 1) * V_STANDINGS * PURSES
#: A fine cell, and a fine value, is used when it was met so often.
ENOUGH = 24
#: Draws are made of so many parts.
PARTS = 1 << 30
#: A walk is left after so many turns.
LONGEST = 80
#: The most positions of a turn, and how much room a log must have for a walk to begin.
NODES = 512
ROOM = 2 * NODES
#: The n-th time a value is told it moves by n to the power of minus this: what was told first was wrong.
SLOWER = 0.7
#: How much of the value of a turn comes from later ones, rather than from the critic (lambda).
LATER = 0.7
#: What is less likely is not noted.
SELDOM = 0.02
#: Answers that are much regretted are tried in one of so many turns.
TRIED = 8
#: Of what is well known in its fine cell, the coarse one learns in one of so many cases.
SHARED = 4


def coarse_of(cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The coarse cells that answer for fine ones."""
    late = cells >= CELLS
    inner = np.where(late, cells - CELLS, cells)
    stands, purse = inner // PURSES // CLAIMED, inner % PURSES
    width = STANDINGS - ONE_ONE
    layers, stands = np.where(late, 1 + stands // width, 0), np.where(late, ONE_ONE + stands % width, stands)
    return np.asarray((layers * STANDINGS + stands) * PURSES + purse)


class Tables(NamedTuple):
    """What is learned."""

    sums: Floats
    """[slots * 2] of each slot the regret, and the sum of the strategies played: side by side, since they are read together."""
    seen: Counts
    """[slots] how often a question (by its first slot) was met, up to 255."""
    worth: Floats
    """[values * 2] of the critic: the player's chances, from -1 to 1, at the start of a turn; and how often it was told."""


class Log(NamedTuple):
    """What a worker has met, in order."""

    places: Indices
    """[decisions, 2] the first slot of the question in its fine cell (or -1), and in the coarse one."""
    gains: Floats
    """[decisions, WIDEST] what each answer brought more than the strategy."""
    played: Floats
    """[decisions, WIDEST] the strategy."""
    turns: Indices
    """[turns, 4] the critic's place with claims (or -1), and without; whose turn it is, and whether somebody explored in it."""
    worths: Floats
    """[turns] what a turn was worth."""


class Branches(NamedTuple):
    """A whole turn as a tree; the children of a node stand side by side."""

    first: Indices
    """[nodes] the first child."""
    children: Indices
    """[nodes] how many children."""
    place: Indices
    """[nodes] the slots of the decision; -1 where there is none."""
    seat: Indices
    """[nodes] who decides."""
    answer: Indices
    """[nodes] by which answer it is come to."""
    likely: Floats
    """[nodes] how likely that is."""
    reach: Floats
    """[nodes, 3] how likely player 1, player 2 and chance come here since the turn began."""
    worth: Floats
    """[nodes] to player 1."""


class Desk(Protocol):
    """Where the tables lie (every array that is handed over would cost time), and how walks are made, in parts of 1000."""

    sums: int
    seen: int
    worth: int
    pruned: float  # answers that are regretted less than this are seldom tried
    deals: int  # walks that begin with the deal
    late: int  # that begin with few turns left; the others begin anywhere
    explore: int  # how often an explorer looks around
    frozen: int  # 1 if only the explorer learns, and the other plays by the blueprint


DESK = struct("coup_desk", [(name, np.float64 if name == "pruned" else np.int64) for name in Desk.__annotations__])


@jit
def value_standing(s: CoupState, seat: int, other: int) -> int:
    """Both hands and the lost cards."""
    mine, theirs, lost = hand_number(s, seat), hand_number(s, other), lost_number(s)
    if s.influence[seat] == 2:
        if s.influence[other] == 2:
            return mine * PAIR_KINDS + theirs
        return V_TWO_ONE + (min(lost, KINDS) * PAIR_KINDS + mine) * KINDS + theirs
    if s.influence[other] == 2:
        return V_ONE_TWO + (min(lost, KINDS) * KINDS + mine) * PAIR_KINDS + theirs
    return V_ONE_ONE + (lost * KINDS + mine) * KINDS + theirs


@jit
def fine_value(s: CoupState, seat: int, other: int) -> int:
    """The critic's place for a turn of `seat`, with claims, or `NOWHERE`."""
    late, stands = layer(s), value_standing(s, seat, other)
    claims = (s.claimed[seat] + 1) * (KINDS + 1) + s.claimed[other] + 1
    if late > 0:
        if stands < V_ONE_ONE:
            return NOWHERE
        stands += (late - 1) * V_LATE + V_STANDINGS - V_ONE_ONE
    return (stands * CLAIMED + claims) * PURSES + purses(s, seat, other)


@jit
def coarse_value(s: CoupState, seat: int, other: int) -> int:
    """The same without claims."""
    return V_FINE + (layer(s) * V_STANDINGS + value_standing(s, seat, other)) * PURSES + purses(s, seat, other)


@jit
def worth_of(s: CoupState, t: Desk, seat: int) -> float:
    """What a position at the start of a turn, or the end of the game, is worth to a seat."""
    if s.phase == GAME_OVER:
        if s.winner == NOBODY:
            return 0.0
        return 1.0 if s.winner == seat else -1.0
    at = fine_value(s, s.player, 1 - s.player)
    if at < 0 or real(t.worth, 2 * at + 1) < ENOUGH:
        at = coarse_value(s, s.player, 1 - s.player)
    return real(t.worth, 2 * at) if s.player == seat else -real(t.worth, 2 * at)


@jit
def place(s: CoupState, t: Desk, seat: int) -> int:
    """The first slot of the question, where enough is known of it."""
    other = 1 - seat
    if s.phase == RETURN:
        return RETURN_AT + return_cell(s, seat, other) * RETURN_SLOTS
    asked = question(s)
    cell = fine_cell(s, seat, other)
    if cell >= 0 and byte(t.seen, cell * SLOTS + asked) >= ENOUGH:
        return cell * SLOTS + asked
    return COARSE_AT + coarse_cell(s, seat, other) * SLOTS + asked


@jit
def sprout(states: Any, b: Branches, i: int, n: int, a: int, j: int, chance: float) -> None:
    """Node `n` comes after node `i` by `a`, which is answer `j` (or -1: chance, or the only one)."""
    states[n] = states[i]
    apply(states[n], a)
    b.answer[n], b.likely[n], b.children[n] = j, chance, 0
    for k in range(3):
        b.reach[n, k] = b.reach[i, k]


@jit
def grow(states: Any, b: Branches, x: Scratch, t: Desk, frozen: int) -> int:
    """The whole turn that begins in ``states[0]``, node by node; how many nodes there are.

    The seat `frozen` (or -1: nobody) plays by the blueprint at hand.

    Of the cards that an exchange draws only one pair is looked at, by its chance.
    """
    turn = states[0].turn
    b.reach[0, 0] = b.reach[0, 1] = b.reach[0, 2] = 1.0
    n, i = 1, 0
    while i < n:
        s = states[i]
        b.first[i], b.children[i], b.place[i], b.seat[i] = n, 0, -1, CHANCE
        if s.phase == GAME_OVER or s.turn != turn:
            b.worth[i] = worth_of(s, t, 0)
            i += 1
            continue
        seat = actor(s)
        if s.phase == DRAW:
            sprout(states, b, i, n, draw(s, x), -1, 1.0)
            n += 1
        elif seat == CHANCE:
            many, total = weights(s, x), 0
            for k in range(many):
                total += x.weights[k]
            for k in range(many):
                sprout(states, b, i, n, x.actions[k], -1, x.weights[k] / total)
                b.reach[n, 2] *= b.likely[n]
                n += 1
        elif s.phase == SHOW and s.hand[seat, s.claim] > 0:
            sprout(states, b, i, n, DO_SHOW + s.claim, -1, 1.0)
            n += 1
        elif seat == frozen:
            many, total = mixture(s, x, seat), 0
            for k in range(many):
                total += x.weights[k]
            for k in range(many):
                if x.weights[k] > 0:
                    sprout(states, b, i, n, x.actions[k], -1, x.weights[k] / total)
                    b.reach[n, seat] *= b.likely[n]
                    n += 1
        else:
            slots, at = answers(s, x, seat, 1 - seat, 1 - seat), place(s, t, seat)
            positive, possible = 0.0, 0
            for j in range(slots):
                if x.actions[j] >= 0:
                    possible += 1
                    positive += max(real(t.sums, 2 * (at + j)), 0.0)
            b.seat[i] = seat
            if possible > 1:
                b.place[i] = at
            all_of_them = below(x, TRIED) == 0 or possible < 3 or positive <= 0.0
            for j in range(slots):
                if x.actions[j] >= 0 and (all_of_them or real(t.sums, 2 * (at + j)) >= t.pruned):
                    often = max(real(t.sums, 2 * (at + j)), 0.0) / positive if positive > 0.0 else 1.0 / possible
                    sprout(states, b, i, n, x.actions[j], j, often)
                    b.reach[n, seat] *= often
                    n += 1
        b.children[i] = n - b.first[i]
        i += 1
    for i in range(n - 1, -1, -1):
        if b.children[i] > 0:
            mean = 0.0
            for node in range(b.first[i], b.first[i] + b.children[i]):
                mean += b.likely[node] * b.worth[node]
            b.worth[i] = mean
    return n


@jit
def note(states: Any, b: Branches, n: int, log: Log, rows: int, only: int) -> int:
    """Write to the log what the decisions of a turn teach (of one seat `only`, or of both: -1); how many it then holds."""
    for i in range(n):
        seat = b.seat[i]
        if b.place[i] < 0 or (only >= 0 and seat != only):
            continue
        weight = b.reach[i, 2] * b.reach[i, 1 - seat]
        if weight < SELDOM:
            continue
        for j in range(WIDEST):
            log.gains[rows, j] = log.played[rows, j] = 0.0
        sign = weight if seat == 0 else -weight
        for node in range(b.first[i], b.first[i] + b.children[i]):
            j = b.answer[node]
            log.gains[rows, j] = sign * (b.worth[node] - b.worth[i])
            log.played[rows, j] = b.reach[i, seat] * b.likely[node]
        s = states[i]
        other = 1 - seat
        if s.phase == RETURN:
            log.places[rows, 0], log.places[rows, 1] = -1, RETURN_AT + return_cell(s, seat, other) * RETURN_SLOTS
        else:
            cell, asked = fine_cell(s, seat, other), question(s)
            log.places[rows, 0] = cell * SLOTS + asked if cell >= 0 else -1
            log.places[rows, 1] = COARSE_AT + coarse_cell(s, seat, other) * SLOTS + asked
        rows += 1
    return rows


@jit
def begin(s: CoupState, x: Scratch, p: Desk) -> None:
    """A new walk: ``s`` is a game before the deal."""
    kind = below(x, 1000)
    if kind < p.deals:
        return
    late = kind < p.deals + p.late
    influences = below(x, 8)  # half of these walks are between single cards
    s.influence[0] = 2 if influences in (0, 1) else 1
    s.influence[1] = 2 if influences in (0, 2) else 1
    s.player = below(x, 2)
    for seat in range(2):
        # who moves against a single card with seven coins has won
        won = seat == s.player and s.influence[1 - seat] == 1
        s.coins[seat] = below(x, COST[COUP] if won else FORCED_COUP)
        if s.influence[seat] == 1 and below(x, 5) < 3:
            card = below(x, KINDS)
            s.revealed[seat, card] += 1
            s.deck[card] -= 1
    s.treasury = COINS - s.coins[0] - s.coins[1]
    s.turn = s.max_turns - below(x, LAYERS) if late else 1


@jit
def deal(s: CoupState, x: Scratch) -> None:
    """Deal both hands, and begin the first turn."""
    cards = 0
    for card in range(KINDS):
        cards += s.deck[card]
    for seat in range(2):
        for _ in range(s.influence[seat]):
            at, card = below(x, cards), 0
            while at >= s.deck[card]:
                at -= s.deck[card]
                card += 1
            s.deck[card] -= 1
            s.hand[seat, card] += 1
            cards -= 1
    s.turn = max(s.turn, 1)
    s.phase, s.active = ACTION, s.player


@jit
def walk(states: Any, b: Branches, xs: Any, desks: Any, log: Log, seed: int) -> tuple[int, int]:
    """Play games until the log is full; how many decisions and turns it holds.

    The last of `states` is a game before the deal.
    """
    x, t = xs[0], desks[0]
    rows = turns = game = 0
    while rows + ROOM <= len(log.gains) and turns + LONGEST <= len(log.worths):
        reseed(x, child(seed, game))
        states[0] = states[len(states) - 1]
        begin(states[0], x, t)
        deal(states[0], x)
        explorer, explored = below(x, 2), 0
        first = turns
        for _ in range(LONGEST):
            s = states[0]
            if s.phase == GAME_OVER or rows + NODES > len(log.gains):
                break
            player = s.player
            log.turns[turns, 0] = fine_value(s, player, 1 - player)
            log.turns[turns, 1] = coarse_value(s, player, 1 - player)
            n = grow(states, b, x, t, 1 - explorer if t.frozen else NOWHERE)
            log.worths[turns] = b.worth[0]
            log.turns[turns, 2], log.turns[turns, 3] = player, 0
            turns += 1
            rows = note(states, b, n, log, rows, explorer if explored or t.frozen else -1)
            i = 0
            while b.children[i] > 0:
                drawn, at = below(x, PARTS) / PARTS, b.first[i]
                if b.place[i] >= 0 and b.seat[i] == explorer and below(x, 1000) < t.explore:
                    explored = 1
                    log.turns[turns - 1, 3] = 1
                    at += below(x, int(b.children[i]))
                else:
                    while at < b.first[i] + b.children[i] - 1 and drawn >= b.likely[at]:
                        drawn -= b.likely[at]
                        at += 1
                i = at
            states[0] = states[i]
        look_back(log, first, turns, worth_of(states[0], t, 0))
        game += 1
    return rows, turns


@jit
def look_back(log: Log, first: int, last: int, end: float) -> None:
    """Let the turns of a game learn from what came later (TD(lambda), Sutton 1988), unless somebody explored in between.

    `end` is what the last position is worth to player 1. Values become those of the player whose turn it is.
    """
    later = end
    for turn in range(last - 1, first - 1, -1):
        own = float(log.worths[turn])
        later = own if log.turns[turn, 3] else own + LATER * (later - own)
        log.worths[turn] = later if log.turns[turn, 2] == 0 else -later


@jit
def merge(t: Tables, log: Log, rows: int, turns: int, weight: float, average: float, least: float) -> None:
    """Learn what a log holds: regrets and strategies with their weights, values by running means (of 1 / `least` at most)."""
    for row in range(rows):
        for k in range(2):
            at = log.places[row, k]
            if at < 0 or (k == 1 and row % SHARED and log.places[row, 0] >= 0 and t.seen[log.places[row, 0]] == 255):
                continue
            for j in range(min(WIDEST, len(t.seen) - at)):
                if log.played[row, j] > 0.0 or log.gains[row, j] != 0.0:
                    t.sums[2 * (at + j)] += weight * log.gains[row, j]
                    t.sums[2 * (at + j) + 1] += average * log.played[row, j]
            if t.seen[at] < 255:
                t.seen[at] += 1
    for turn in range(turns):
        for k in range(2):
            at = log.turns[turn, k]
            if at >= 0:
                step = max((t.worth[2 * at + 1] + 1.0) ** -SLOWER, least)
                t.worth[2 * at] += step * (log.worths[turn] - t.worth[2 * at])
                t.worth[2 * at + 1] += 1.0


@jit
def best(s: CoupState, x: Scratch, t: Desk, seat: int) -> int:
    """What the learner has done most."""
    if s.phase == SHOW and s.hand[seat, s.claim] > 0:
        return DO_SHOW + s.claim
    n, at = answers(s, x, seat, 1 - seat, 1 - seat), place(s, t, seat)
    found, most = 0, -1.0
    for j in range(n):
        if x.actions[j] >= 0 and real(t.sums, 2 * (at + j) + 1) > most:
            found, most = j, real(t.sums, 2 * (at + j) + 1)
    return x.actions[found]


@jit
def contest(states: Any, xs: Any, desks: Any, seed: int, games: int) -> int:
    """How many games the learner wins against the blueprint; it sits in the first seat in every other one.

    The last of `states` is a game before the deal.
    """
    x, t, won = xs[0], desks[0], 0
    for game in range(games):
        reseed(x, child(seed, game))
        states[0] = states[len(states) - 1]
        s = states[0]
        deal(s, x)
        learner = game % 2
        while s.phase != GAME_OVER:
            seat = actor(s)
            if seat == CHANCE:
                apply(s, draw(s, x))
            elif seat == learner:
                apply(s, best(s, x, t, seat))
            else:
                apply(s, choose_equilibrium(s, x))
        if s.winner == learner:
            won += 1
    return won
