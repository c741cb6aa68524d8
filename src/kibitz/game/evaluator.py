"""The evaluator: a small network that judges a whole state, in integers alone.

A game writes some small numbers for each seat (the verb `inputs`). One network serves all seats: each seat's numbers become
`WIDE` hidden ones; those of the seat, the maximum of the others', and the sum of all become `MIDDLE` further ones, these
`NARROW`, and these one number, from which the chances of all seats follow (softmax). Nothing depends on how seats are numbered.
Weights are 16 bits wide and read by address (`kibitz.ground.memory`), activations are clipped, sums are 32 bits wide and cannot
overflow with up to `SEATS` seats: CPU, GPU and plain Python agree to the bit.

The weights of a network stand one after the other: a mark that tells a network from empty room, the first layer
``[inputs, WIDE]`` and its biases, the second ``[3 * WIDE, MIDDLE]`` and its biases, the third ``[MIDDLE, NARROW]`` and its
biases, the last ``[NARROW]`` and its bias; those of the first three layers in pairs of rows (`kibitz.game.layers`).
"""

from math import exp
from typing import Any, Protocol

import numpy as np

from kibitz.game.definition import Scratch
from kibitz.game.layers import biases, layer_code, pool_code, summed
from kibitz.ground.jit import COMPILED, Vector, jit, table
from kibitz.ground.memory import word

#: Certainty, in the chances that are written to ``x.values``.
SURE = 1 << 16
WIDE, MIDDLE, NARROW = 64, 64, 32
#: What stands for 1 in activations, and the largest of them (8).
ONE, CLIP = 1 << 8, (1 << 11) - 1
#: Bits of a fraction in the weights of the first layer and of the others, and how far their biases are shifted.
FIRST, OTHER = 11, 10
FIRST_BIAS, OTHER_BIAS = 3, 8
#: The most seats.
SEATS = 4
#: The largest weights of the second and of the third layer: with more, a sum could overflow.
HEAVY, HEAVY_THIRD = 2700, 16_000
#: The mark of a network.
NETWORK = 1
#: Differences of the last numbers, in parts of `ONE`, after which `exp` is taken for 0.
HOPELESS = 12 * ONE
EXP: Vector = table([round((1 << 20) * exp(-i / ONE)) for i in range(HOPELESS)], np.int32)


class Judging(Scratch, Protocol):
    """The scratch struct of a game with an evaluator."""

    net: int  # the address of all networks of the game
    book: int  # which of them is asked, counted from the first of those for the rules at hand
    inputs: Vector  # [seats, inputs] what the game says of each seat
    hidden: Vector  # [seats, WIDE]
    mixed: Vector  # [2 * WIDE] what the second layer is given
    pooled: Vector  # [MIDDLE] the part of its sums that is the same for all seats
    middle: Vector  # [MIDDLE]
    narrow: Vector  # [NARROW]
    values: Vector  # [seats]


def evaluator_fields(seats: int, inputs: int) -> list[tuple[Any, ...]]:
    """The fields of a scratch struct that the evaluator needs, beside `kibitz.game.scratch_fields`; to come last."""
    if inputs % 2 or seats > SEATS:
        raise ValueError(f"the evaluator takes an even number of inputs from up to {SEATS} seats, not {inputs} from {seats}")
    return [
        ("pooled", np.int32, (MIDDLE,)),
        ("middle", np.int16, (MIDDLE,)),
        ("narrow", np.int16, (NARROW,)),
        ("mixed", np.int16, (2 * WIDE,)),
        ("hidden", np.int16, (seats * WIDE,)),
        ("inputs", np.int16, (seats * inputs,)),
    ]


def network_size(inputs: int) -> int:
    """How many numbers make a network for so many inputs a seat."""
    return 1 + (inputs + 1) * WIDE + (3 * WIDE + 1) * MIDDLE + (MIDDLE + 1) * NARROW + NARROW + 1


# --- the layers ---------------------------------------------------------------------------------------------


def _clip(sums: Any, shift: int) -> Any:
    return (sums >> shift).clip(0, CLIP)


def _first_layer(x: Any, first: int, n: int, weights: int, at: int) -> None:
    sums = summed(x, "inputs", first, n, weights, WIDE) + biases(weights, n, WIDE, FIRST_BIAS)
    x.hidden[at : at + WIDE] = _clip(sums, FIRST - 8)


def _total(x: Any, seats: int, seat: int) -> None:
    x.mixed[:WIDE] = np.asarray(x.hidden)[: seats * WIDE].reshape(seats, WIDE).sum(axis=0)


def _mix(x: Any, seats: int, seat: int) -> None:
    hidden = np.asarray(x.hidden)[: seats * WIDE].reshape(seats, WIDE)
    x.mixed[:WIDE], x.mixed[WIDE:] = hidden[seat], np.delete(hidden, seat, 0).max(axis=0, initial=0)


def _pool_layer(x: Any, first: int, n: int, weights: int, at: int) -> None:
    x.pooled[:] = summed(x, "mixed", first, n, weights, MIDDLE) + biases(weights, n, MIDDLE, OTHER_BIAS)


def _second_layer(x: Any, first: int, n: int, weights: int, at: int) -> None:
    x.middle[:] = _clip(summed(x, "mixed", first, n, weights, MIDDLE) + np.asarray(x.pooled), OTHER)


def _third_layer(x: Any, first: int, n: int, weights: int, at: int) -> None:
    sums = summed(x, "middle", first, n, weights, NARROW) + biases(weights, n, NARROW, OTHER_BIAS)
    x.narrow[:] = _clip(sums, OTHER)


_first_code: Any = _first_layer
_total_code: Any = _total
_mix_code: Any = _mix
_pool_code: Any = _pool_layer
_second_code: Any = _second_layer
_third_code: Any = _third_layer
if COMPILED:
    _first_code = layer_code("inputs", WIDE, "hidden", bias=FIRST_BIAS, shift=FIRST - 8, most=CLIP)
    _total_code = pool_code("hidden", WIDE, "mixed", by_seat=False)
    _mix_code = pool_code("hidden", WIDE, "mixed", by_seat=True)
    _pool_code = layer_code("mixed", MIDDLE, "pooled", bias=OTHER_BIAS)
    _second_code = layer_code("mixed", MIDDLE, "middle", start="pooled", shift=OTHER, most=CLIP)
    _third_code = layer_code("middle", NARROW, "narrow", bias=OTHER_BIAS, shift=OTHER, most=CLIP)


@jit(twin=_first_layer)
def first_layer(x: Judging, first: int, n: int, weights: int, at: int) -> None:
    """The hidden numbers of a seat, from place `at` on, from its `n` inputs, which begin at `first`."""
    _first_code(x, first, n, weights, at)


@jit(twin=_total)
def add_seats(x: Judging, seats: int, seat: int) -> None:
    """The sum of all seats' hidden numbers, into ``x.mixed``."""
    _total_code(x, seats, seat)


@jit(twin=_mix)
def mix(x: Judging, seats: int, seat: int) -> None:
    """A seat's hidden numbers, and the largest of the others', into ``x.mixed``."""
    _mix_code(x, seats, seat)


@jit(twin=_pool_layer)
def pool_layer(x: Judging, first: int, n: int, weights: int, at: int) -> None:
    """The part of the second layer that is the same for all seats, and its biases."""
    _pool_code(x, first, n, weights, at)


@jit(twin=_second_layer)
def second_layer(x: Judging, first: int, n: int, weights: int, at: int) -> None:
    """The rest of the second layer."""
    _second_code(x, first, n, weights, at)


@jit(twin=_third_layer)
def third_layer(x: Judging, first: int, n: int, weights: int, at: int) -> None:
    """The third layer."""
    _third_code(x, first, n, weights, at)


# --- the network --------------------------------------------------------------------------------------------


@jit
def judge(x: Judging, net: int, seats: int, seat: int) -> int:
    """What speaks for a seat, in parts of `ONE`: the second layer, whose weights begin at `net`, and those behind it."""
    mix(x, seats, seat)
    second_layer(x, 0, 2 * WIDE, net, 0)
    third = net + 2 * (3 * WIDE + 1) * MIDDLE
    third_layer(x, 0, MIDDLE, third, 0)
    last = third + 2 * (MIDDLE + 1) * NARROW
    speaks = word(last, NARROW) << OTHER_BIAS
    for k in range(NARROW):
        speaks += x.narrow[k] * word(last, k)
    return speaks >> OTHER


@jit
def evaluate(x: Judging, seats: int, n: int, network: int) -> int:
    """Each seat's chance to win, from ``x.inputs``, into ``x.values``; 0 where there is no such network, else 1."""
    net = x.net + 2 * network * (1 + (n + 1) * WIDE + (3 * WIDE + 1) * MIDDLE + (MIDDLE + 1) * NARROW + NARROW + 1)
    if x.net == 0 or word(net, 0) != NETWORK:
        return 0
    for seat in range(seats):
        first_layer(x, seat * n, n, net + 2, seat * WIDE)
    second = net + 2 + 2 * (n + 1) * WIDE
    add_seats(x, seats, 0)
    pool_layer(x, 0, WIDE, second + 2 * 2 * WIDE * MIDDLE, 0)
    best = -(1 << 40)
    for seat in range(seats):
        x.values[seat] = judge(x, second, seats, seat)
        best = max(best, x.values[seat])
    total = 0
    for seat in range(seats):
        behind = best - x.values[seat]
        x.values[seat] = EXP[behind] if behind < HOPELESS else 0
        total += x.values[seat]
    for seat in range(seats):
        x.values[seat] = (SURE * x.values[seat] + total // 2) // total
    return 1
