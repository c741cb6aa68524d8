"""Liar's dice for two players, with any number of dice and sides: a longer game of bluff than poker's smallest.

Both roll their dice in secret. In turn they bid on all dice together ("three fives"), each bid higher than the last: more
dice, or as many of a higher face; the highest face is wild and counts as any other. Instead of bidding a player may call
the last bidder a liar: then the bidder wins if there are at least as many such dice as were bid, else the caller.
"""

from itertools import combinations_with_replacement
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.game import CHANCE, OVER, Game, Scratch, register, scratch_fields, structs
from kibitz.ground.jit import Vector, jit, struct
from kibitz.ground.rng import below

MOST_DICE, MOST_SIDES = 5, 6
MOST_ROLLS = 252  # of five dice with six sides, when their order does not matter
UNSEEN_ROLL = -1
#: To bid q dice of face f is the action 10 q + f; to roll 1, 3 and 4 is the outcome ROLL + 134, lowest die first.
LIAR, ROLL = 0, 1000
NOT_YOUR_MOVE, IMPOSSIBLE_ROLL, NOTHING_TO_CALL, IMPOSSIBLE_BID, TOO_LOW = 1, 2, 3, 4, 5


class LiarsDiceState(Protocol):
    roll: Vector  # of each seat: 0 not rolled yet, else the dice as decimal digits, lowest first
    dice: int  # rule option: how many dice each player has
    sides: int  # rule option: how many sides a die has
    bid: int  # the last bid: 0 none yet
    moves: int  # how many bids and calls were made
    called: int  # whether the last bidder was called a liar


SMALL = ("dice", "sides", "bid", "moves", "called")
STATE = struct("liars_dice", [("roll", np.int32, (2,)), *((name, np.int8) for name in SMALL)])
SCRATCH = struct("liars_dice_scratch", scratch_fields(seats=2, actions=MOST_ROLLS, outcomes=MOST_ROLLS))
WORLD = struct("liars_dice_world", [("roll", np.int32, (2,))])


@jit
def actor(s: LiarsDiceState) -> int:
    if s.called:
        return OVER
    return CHANCE if s.roll[1] == 0 else s.moves % 2


@jit
def is_roll(s: LiarsDiceState, roll: int) -> bool:
    """Whether these digits are a roll of a player's dice, lowest first."""
    highest = s.sides
    for _ in range(s.dice):
        if not 1 <= roll % 10 <= highest:
            return False
        highest = roll % 10
        roll //= 10
    return roll == 0


@jit
def why_not(s: LiarsDiceState, a: int) -> int:
    seat = actor(s)
    if seat == CHANCE:
        return 0 if a >= ROLL and is_roll(s, a - ROLL) else IMPOSSIBLE_ROLL
    if seat == OVER or a < 0 or a >= ROLL:
        return NOT_YOUR_MOVE
    if a == LIAR:
        return 0 if s.bid > 0 else NOTHING_TO_CALL
    if not (1 <= a // 10 <= 2 * s.dice and 1 <= a % 10 <= s.sides):
        return IMPOSSIBLE_BID
    return 0 if a > s.bid else TOO_LOW


@jit
def legal(s: LiarsDiceState, x: Scratch) -> int:
    n = 0
    if s.bid > 0:
        x.actions[0] = LIAR
        n = 1
    for quantity in range(1, 2 * s.dice + 1):
        for face in range(1, s.sides + 1):
            if 10 * quantity + face > s.bid:
                x.actions[n] = 10 * quantity + face
                n += 1
    return n


@jit
def orders(roll: int) -> int:
    """In how many orders the dice of a roll can fall."""
    count, before, run, n = 1, 0, 0, 0
    while roll > 0:
        n += 1
        run = run + 1 if roll % 10 == before else 1
        before = roll % 10
        count = count * n // run
        roll //= 10
    return count


@jit
def weights(s: LiarsDiceState, x: Scratch) -> int:
    roll = 0
    for _ in range(s.dice):
        roll = 10 * roll + 1
    n = 0
    while roll > 0:
        x.actions[n], x.weights[n] = ROLL + roll, orders(roll)
        n += 1
        roll = next_roll(s, roll)
    return n


@jit
def next_roll(s: LiarsDiceState, roll: int) -> int:
    """The roll that follows in ascending order; 0 after the last."""
    dropped = 0
    while roll > 0 and roll % 10 == s.sides:
        roll //= 10
        dropped += 1
    if roll > 0:
        roll += 1
        for _ in range(dropped):
            roll = 10 * roll + roll % 10
    return roll


@jit
def moment(s: LiarsDiceState) -> int:
    return 0 if s.roll[0] == 0 else 1


@jit
def apply(s: LiarsDiceState, a: int) -> None:
    if a >= ROLL:
        s.roll[moment(s)] = a - ROLL
        return
    if a == LIAR:
        s.called = 1
    else:
        s.bid = a
    s.moves += 1


@jit
def matching(s: LiarsDiceState, seat: int, face: int) -> int:
    """How many dice of a seat show `face` or the wild one."""
    n = 0
    roll = s.roll[seat]
    while roll > 0:
        if roll % 10 == face or roll % 10 == s.sides:
            n += 1
        roll //= 10
    return n


@jit
def score(s: LiarsDiceState, seat: int) -> int:
    bidder = s.moves % 2
    there_are = matching(s, 0, s.bid % 10) + matching(s, 1, s.bid % 10)
    winner = bidder if there_are >= s.bid // 10 else 1 - bidder
    return 1 if seat == winner else -1


@jit
def seen(s: LiarsDiceState, a: int, seat: int) -> int:
    return a if a < ROLL or moment(s) == seat else UNSEEN_ROLL


@jit
def hide(s: LiarsDiceState, seat: int) -> None:
    if s.roll[1 - seat] > 0:
        s.roll[1 - seat] = -1


@jit
def peek(s: LiarsDiceState, w: Any) -> None:
    w.roll[0], w.roll[1] = s.roll[0], s.roll[1]


@jit
def deal(s: LiarsDiceState, w: Any) -> None:
    s.roll[0], s.roll[1] = w.roll[0], w.roll[1]


@jit
def redeal(s: LiarsDiceState, x: Scratch, seat: int) -> None:
    if s.roll[1 - seat] != 0:
        total = 0
        for i in range(weights(s, x)):
            total += x.weights[i]
        at = below(x, total)
        i = 0
        while at >= x.weights[i]:
            at -= x.weights[i]
            i += 1
        s.roll[1 - seat] = x.actions[i] - ROLL


@jit
def choose(s: LiarsDiceState, x: Scratch, policy: int) -> int:
    """The one policy of the game: the lowest bid that its own dice make good, else call, else the lowest bid."""
    seat = s.moves % 2
    for a in range(s.bid + 1, 20 * s.dice + s.sides + 1):
        if why_not(s, a) == 0 and matching(s, seat, a % 10) >= a // 10:
            return a
    return LIAR if s.bid > 0 else 11


def describe(a: int) -> str:
    """An action in words.

    >>> describe(35), describe(LIAR), describe(ROLL + 134)
    ('bid 3 of 5', 'liar', 'roll 134')
    """
    if a >= ROLL:
        return f"roll {a - ROLL}"
    return f"bid {a // 10} of {a % 10}" if a else "liar"


def parse(text: str) -> int:
    """The action that `describe` put into words."""
    match text.split():
        case ["liar"]:
            return LIAR
        case ["bid", quantity, "of", face]:
            return 10 * int(quantity) + int(face)
        case ["roll", dice]:
            return ROLL + int(dice)
    raise ValueError(f"{text!r}: expected liar, a bid such as 'bid 3 of 5' or a roll such as 'roll 134'")


def start(dice: int = 1, sides: int = 6) -> npt.NDArray[np.void]:
    """A fresh game with these rule options, before the dice are rolled."""
    if not (1 <= dice <= MOST_DICE and 2 <= sides <= MOST_SIDES):
        raise ValueError(f"{dice} dice with {sides} sides: expected 1 to {MOST_DICE} dice with 2 to {MOST_SIDES} sides")
    states = structs(STATE)
    states["dice"], states["sides"] = dice, sides
    return states


def new(seats: int, seed: int) -> npt.NDArray[np.void]:
    """A fresh game with one die of six sides each."""
    return start()


RULES = SimpleNamespace(**globals())
BIDS = [10 * quantity + face for quantity in range(1, 2 * MOST_DICE + 1) for face in range(1, MOST_SIDES + 1)]
ROLLS = [
    ROLL + int("".join(map(str, dice)))
    for n in range(1, MOST_DICE + 1)
    for dice in combinations_with_replacement(range(1, MOST_SIDES + 1), n)
]
GAME = register(Game(
    "liars_dice", (2, 2), (-1, 1), 61, STATE, SCRATCH, WORLD, RULES, describe, parse, new, {"honest": 1},
    codes=([LIAR, *BIDS], ROLLS),
))  # fmt: skip
