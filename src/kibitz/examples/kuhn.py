"""Kuhn poker (Kuhn 1950): the smallest interesting game with hidden cards, and how a game is added.

Three cards; each player antes 1 and is dealt one card. A player may pass or bet 1. After a bet the other
passes (folds) or bets (calls); two passes show the cards. The higher card takes the pot.
"""

from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.game import CHANCE, OVER, Game, Scratch, register, scratch_fields, structs
from kibitz.ground.jit import Vector, jit, struct
from kibitz.ground.rng import below

UNSEEN_DEAL = -1
PASS, BET, DEAL = 0, 1, 2  # dealing card c is the outcome DEAL + c
NOT_YOUR_MOVE, CARD_IS_GONE = 1, 2
NAMES = ("pass", "bet", "deal jack", "deal queen", "deal king")


class KuhnState(Protocol):
    card: Vector  # 0 not dealt yet, else 1 jack, 2 queen, 3 king
    moves: Vector  # PASS or BET
    done: int  # how many moves were made


STATE = struct("kuhn", [("card", np.int8, (2,)), ("moves", np.int8, (3,)), ("done", np.int8)])
SCRATCH = struct("kuhn_scratch", scratch_fields(seats=2, actions=3, outcomes=3))
WORLD = struct("kuhn_world", [("card", np.int8, (2,))])


@jit
def actor(s: KuhnState) -> int:
    if s.card[1] == 0:
        return CHANCE
    if s.done < 2 or (s.done == 2 and s.moves[0] == PASS and s.moves[1] == BET):
        return s.done % 2
    return OVER


@jit
def why_not(s: KuhnState, a: int) -> int:
    if actor(s) == CHANCE:
        return 0 if DEAL <= a <= DEAL + 2 and a - DEAL + 1 != s.card[0] else CARD_IS_GONE
    return 0 if actor(s) != OVER and (a == PASS or a == BET) else NOT_YOUR_MOVE


@jit
def legal(s: KuhnState, x: Scratch) -> int:
    x.actions[0], x.actions[1] = PASS, BET
    return 2


@jit
def weights(s: KuhnState, x: Scratch) -> int:
    n = 0
    for card in range(1, 4):
        if card != s.card[0]:
            x.actions[n], x.weights[n] = DEAL + card - 1, 1
            n += 1
    return n


@jit
def moment(s: KuhnState) -> int:
    return 0 if s.card[0] == 0 else 1


@jit
def apply(s: KuhnState, a: int) -> None:
    if a >= DEAL:
        s.card[moment(s)] = a - DEAL + 1
    else:
        s.moves[s.done] = a
        s.done += 1


@jit
def score(s: KuhnState, seat: int) -> int:
    stake = 2 if (s.moves[0] == BET and s.moves[1] == BET) or (s.done == 3 and s.moves[2] == BET) else 1
    winner = 0 if s.card[0] > s.card[1] else 1
    if stake == 1 and (s.moves[0] == BET or s.done == 3):  # a bet that was not called
        winner = 0 if s.moves[0] == BET else 1
    return stake if seat == winner else -stake


@jit
def seen(s: KuhnState, a: int, seat: int) -> int:
    return a if a < DEAL or moment(s) == seat else UNSEEN_DEAL


@jit
def hide(s: KuhnState, seat: int) -> None:
    if s.card[1 - seat] > 0:
        s.card[1 - seat] = -1


@jit
def peek(s: KuhnState, w: Any) -> None:
    w.card[0], w.card[1] = s.card[0], s.card[1]


@jit
def deal(s: KuhnState, w: Any) -> None:
    s.card[0], s.card[1] = w.card[0], w.card[1]


@jit
def redeal(s: KuhnState, x: Scratch, seat: int) -> None:
    if s.card[1 - seat] != 0:
        own = s.card[seat]
        card = 1 + below(x, 2 if own else 3)
        s.card[1 - seat] = card + 1 if own and card >= own else card


@jit
def choose(s: KuhnState, x: Scratch, policy: int) -> int:
    """The one policy of the game: bet with the king, pass with anything else."""
    return BET if s.card[actor(s)] == 3 else PASS


def new(seats: int, seed: int) -> npt.NDArray[np.void]:
    """A fresh game, before the deal."""
    return structs(STATE)


RULES = SimpleNamespace(**globals())
GAME = register(Game(
    "kuhn", (2, 2), (-2, 2), 3, STATE, SCRATCH, WORLD, RULES, NAMES.__getitem__, NAMES.index, new, {"honest": 1},
    codes=((PASS, BET), range(DEAL, len(NAMES))),
))  # fmt: skip
