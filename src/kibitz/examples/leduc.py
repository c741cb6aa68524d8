"""Leduc hold'em (Southey et al. 2005): two rounds of betting, six cards, and one of them on the table.

The deck has two jacks, two queens and two kings; suits do not matter. Each player antes 1 and is dealt one card. In a
round the players in turn fold, call (or check) or raise; at most two raises a round, by 2 in the first and by 4 in the
second, which begins when one card has been laid open. Who pairs it wins, else the higher card; equal cards share.
"""

from types import SimpleNamespace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kibitz.examples.kuhn import UNSEEN_DEAL, deal, hide, peek  # noqa: F401  (hidden cards as in Kuhn poker)
from kibitz.game import CHANCE, OVER, Game, Scratch, register, scratch_fields, structs
from kibitz.ground.jit import Vector, jit, struct
from kibitz.ground.rng import below

FOLD, CALL, RAISE, DEAL = 0, 1, 2, 3  # dealing rank r (0 jack, 1 queen, 2 king) is the outcome DEAL + r
NOT_YOUR_MOVE, CARD_IS_GONE, NOTHING_TO_CALL, NO_MORE_RAISES = 1, 2, 3, 4
NAMES = ("fold", "call", "raise", "deal jack", "deal queen", "deal king")
ANTE, MOST_RAISES, ROUNDS = 1, 2, 2


class LeducState(Protocol):
    card: Vector  # of each seat: 0 not dealt yet, else 1 jack, 2 queen, 3 king
    paid: Vector  # what each seat has put into the pot
    public: int  # the open card: 0 not dealt yet
    round: int  # how many rounds of betting are over
    raises: int  # in this round
    moved: int  # whether somebody has moved in this round
    mover: int
    folded: int  # 0 nobody, else the seat + 1


SMALL = ("public", "round", "raises", "moved", "mover", "folded")
STATE = struct("leduc", [("card", np.int8, (2,)), ("paid", np.int8, (2,)), *((name, np.int8) for name in SMALL)])
SCRATCH = struct("leduc_scratch", scratch_fields(seats=2, actions=3, outcomes=3))
WORLD = struct("leduc_world", [("card", np.int8, (2,))])


@jit
def actor(s: LeducState) -> int:
    if s.folded > 0 or s.round == ROUNDS:
        return OVER
    if s.card[1] == 0 or (s.round == 1 and s.public == 0):
        return CHANCE
    return s.mover


@jit
def left(s: LeducState, rank: int) -> int:
    """How many cards of this rank are still in the deck."""
    gone = 0
    for held in (s.card[0], s.card[1], s.public):
        if held == rank + 1:
            gone += 1
    return 2 - gone


@jit
def why_not(s: LeducState, a: int) -> int:
    seat = actor(s)
    if seat == CHANCE:
        return 0 if DEAL <= a <= DEAL + 2 and left(s, a - DEAL) > 0 else CARD_IS_GONE
    if seat == OVER or a < FOLD or a > RAISE:
        return NOT_YOUR_MOVE
    if a == FOLD and s.paid[1 - seat] == s.paid[seat]:
        return NOTHING_TO_CALL
    if a == RAISE and s.raises == MOST_RAISES:
        return NO_MORE_RAISES
    return 0


@jit
def legal(s: LeducState, x: Scratch) -> int:
    n = 0
    for a in (FOLD, CALL, RAISE):
        if why_not(s, a) == 0:
            x.actions[n] = a
            n += 1
    return n


@jit
def weights(s: LeducState, x: Scratch) -> int:
    n = 0
    for rank in range(3):
        if left(s, rank) > 0:
            x.actions[n], x.weights[n] = DEAL + rank, left(s, rank)
            n += 1
    return n


@jit
def moment(s: LeducState) -> int:
    """Which card is dealt next: that of the first seat, of the second, or the open one."""
    if s.card[0] == 0:
        return 0
    return 1 if s.card[1] == 0 else 2


@jit
def apply(s: LeducState, a: int) -> None:
    if a >= DEAL:
        if moment(s) == 2:
            s.public = a - DEAL + 1
        else:
            s.card[moment(s)] = a - DEAL + 1
    elif a == FOLD:
        s.folded = s.mover + 1
    else:
        s.paid[s.mover] = s.paid[1 - s.mover]
        if a == RAISE:
            s.paid[s.mover] += 2 + 2 * s.round
            s.raises += 1
        if a == CALL and s.moved:
            s.round += 1
            s.raises = s.moved = s.mover = 0
        else:
            s.moved = 1
            s.mover = 1 - s.mover


@jit
def strength(s: LeducState, seat: int) -> int:
    """Orders the hands at the showdown: a pair beats any rank."""
    return 4 if s.card[seat] == s.public else s.card[seat]


@jit
def score(s: LeducState, seat: int) -> int:
    if s.folded > 0:
        won = s.folded - 1 != seat
    elif strength(s, 0) == strength(s, 1):
        return 0
    else:
        won = strength(s, seat) > strength(s, 1 - seat)
    return s.paid[1 - seat] if won else -s.paid[seat]


@jit
def seen(s: LeducState, a: int, seat: int) -> int:
    return a if a < DEAL or moment(s) == 2 or moment(s) == seat else UNSEEN_DEAL


@jit
def redeal(s: LeducState, x: Scratch, seat: int) -> None:
    if s.card[1 - seat] == 0:
        return
    s.card[1 - seat] = -1
    at = below(x, left(s, 0) + left(s, 1) + left(s, 2))
    rank = 0
    while at >= left(s, rank):
        at -= left(s, rank)
        rank += 1
    s.card[1 - seat] = rank + 1


@jit
def choose(s: LeducState, x: Scratch, policy: int) -> int:
    """The one policy of the game: raise with a pair or the king, fold the jack to a raise, else call."""
    card = s.card[s.mover]
    if (card == s.public or card == 3) and s.raises < MOST_RAISES:
        return RAISE
    if card == 1 and s.public != 1 and s.paid[1 - s.mover] > s.paid[s.mover]:
        return FOLD
    return CALL


def new(seats: int, seed: int) -> npt.NDArray[np.void]:
    """A fresh game, before the deal."""
    states = structs(STATE)
    states["paid"] = ANTE
    return states


RULES = SimpleNamespace(**globals())
GAME = register(Game(
    "leduc", (2, 2), (-13, 13), 8, STATE, SCRATCH, WORLD, RULES, NAMES.__getitem__, NAMES.index, new, {"honest": 1},
    codes=((FOLD, CALL, RAISE), range(DEAL, len(NAMES))),
))  # fmt: skip
