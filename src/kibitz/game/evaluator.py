"""The evaluator: a small network that judges a whole state, in integers alone.

A game writes some small numbers for each seat (the verb `inputs`). One network serves all seats: each seat's numbers become
hidden ones, as many as the game's networks are *wide*; those of the seat, the maximum of the others', and the sum of all become
`MIDDLE` further ones, these `NARROW`, and these one number, from which the chances of all seats follow (softmax). Nothing
depends on how seats are numbered. Weights are 16 bits wide and read by address (`kibitz.ground.memory`), activations are
clipped, sums are 32 bits wide and cannot overflow with up to `SEATS` seats: CPU, GPU and plain Python agree to the bit.

The weights of a network stand one after the other: a mark that tells a network from empty room, the first layer
``[inputs, wide]`` and its biases, the second ``[3 * wide, MIDDLE]`` and its biases, the third ``[MIDDLE, NARROW]`` and its
biases, the last ``[NARROW]`` and its bias; those of the first three layers in pairs of rows (`kibitz.game.layers`).
"""

from math import exp
from typing import Any, Protocol

import numpy as np

from kibitz.game.definition import Scratch
from kibitz.game.layers import biases, layer_code, most_code, sum_code, summed
from kibitz.ground.jit import COMPILED, Vector, jit, table
from kibitz.ground.memory import word

#: Certainty, in the chances that are written to ``x.values``.
SURE = 1 << 16
MIDDLE, NARROW = 64, 32
#: What stands for 1 in activations, and the largest of them (8).
ONE, CLIP = 1 << 8, (1 << 11) - 1
#: Bits of a fraction in the weights of the first layer and of the others, and how far their biases are shifted.
FIRST, OTHER = 11, 10
FIRST_BIAS, OTHER_BIAS = 3, 8
#: The most seats.
SEATS = 4
#: The largest weight of the third layer: with more, a sum could overflow.
HEAVY_THIRD = 16_000
#: As many of the largest weights of the second layer as a network is wide (`heavy`), added up.
TOGETHER = 172_800
#: The narrowest a network can be.
NARROWEST = 16
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
    hidden: Vector  # [seats, 2 * wide] each seat's, and the largest of the others'
    total: Vector  # [wide] the sum of all seats'
    pooled: Vector  # [MIDDLE] the part of the sums of the second layer that is the same for all seats
    middle: Vector  # [seats, MIDDLE]
    narrow: Vector  # [seats, NARROW]
    values: Vector  # [seats]


def evaluator_fields(seats: int, inputs: int, wide: int) -> list[tuple[Any, ...]]:
    """The fields of a scratch struct that the evaluator needs, beside `kibitz.game.scratch_fields`; to come last.

    `wide` is a power of two, 16 or more.
    """
    if not _is_width(wide):
        raise ValueError(f"a network is as wide as a power of two, {NARROWEST} or more, not {wide}")
    if inputs % 2 or seats > SEATS:
        raise ValueError(f"the evaluator takes an even number of inputs from up to {SEATS} seats, not {inputs} from {seats}")
    return [
        ("pooled", np.int32, (MIDDLE,)),
        ("total", np.int16, (wide,)),
        ("middle", np.int16, (seats * MIDDLE,)),
        ("narrow", np.int16, (seats * NARROW,)),
        ("hidden", np.int16, (seats * 2 * wide,)),
        ("inputs", np.int16, (seats * inputs,)),
    ]


def network_size(inputs: int, wide: int) -> int:
    """How many numbers make a network for so many inputs a seat."""
    return 1 + (inputs + 1) * wide + (3 * wide + 1) * MIDDLE + (MIDDLE + 1) * NARROW + NARROW + 1


def width_of(size: int, inputs: int) -> int:
    """How wide a network of so many numbers is; 0 if there is no such network, or none of a width that can be computed with.

    >>> width_of(network_size(150, 128), 150), width_of(1000, 150)
    (128, 0)
    """
    wide = (size - network_size(inputs, 0)) // (inputs + 1 + 3 * MIDDLE)
    return wide if _is_width(wide) and network_size(inputs, wide) == size else 0


def _is_width(wide: int) -> bool:
    return wide >= NARROWEST and wide & (wide - 1) == 0


def heavy(wide: int) -> int:
    """The largest weight of the second layer: with more, a sum could overflow.

    It adds up the clipped numbers of the seat, the largest of the others', those of all seats, and a bias.

    >>> (2 + SEATS) * CLIP * TOGETHER + (1 << 15 << OTHER_BIAS) < 1 << 31
    True
    """
    return TOGETHER // wide


# --- the layers ---------------------------------------------------------------------------------------------


def _clip(sums: Any, shift: int) -> Any:
    return (sums >> shift).clip(0, CLIP)


def _of_seats(x: Any, seats: int) -> Any:
    """[seats, 2 * wide] the hidden numbers, to be written to."""
    wide = len(x.total)
    return np.asarray(x.hidden)[: seats * 2 * wide].reshape(seats, 2 * wide)


def _first_layer(x: Any, seats: int, n: int, weights: int) -> None:
    wide = len(x.total)
    for seat in range(seats):
        sums = summed(x, "inputs", seat * n, n, weights, wide) + biases(weights, n, wide, FIRST_BIAS)
        _of_seats(x, seats)[seat, :wide] = _clip(sums, FIRST - 8)


def _total(x: Any, seats: int) -> None:
    x.total[:] = _of_seats(x, seats)[:, : len(x.total)].sum(axis=0)


def _most(x: Any, seats: int) -> None:
    hidden, wide = _of_seats(x, seats), len(x.total)
    for seat in range(seats):
        hidden[seat, wide:] = np.delete(hidden[:, :wide], seat, 0).max(axis=0, initial=0)


def _pool_layer(x: Any, seats: int, n: int, weights: int) -> None:
    x.pooled[:] = summed(x, "total", 0, n, weights, MIDDLE) + biases(weights, n, MIDDLE, OTHER_BIAS)


def _second_layer(x: Any, seats: int, n: int, weights: int) -> None:
    for seat in range(seats):
        sums = summed(x, "hidden", seat * n, n, weights, MIDDLE) + np.asarray(x.pooled)
        x.middle[seat * MIDDLE : (seat + 1) * MIDDLE] = _clip(sums, OTHER)


def _third_layer(x: Any, seats: int, n: int, weights: int) -> None:
    for seat in range(seats):
        sums = summed(x, "middle", seat * n, n, weights, NARROW) + biases(weights, n, NARROW, OTHER_BIAS)
        x.narrow[seat * NARROW : (seat + 1) * NARROW] = _clip(sums, OTHER)


_first_code: Any = _first_layer
_total_code: Any = _total
_most_code: Any = _most
_pool_code: Any = _pool_layer
_second_code: Any = _second_layer
_third_code: Any = _third_layer
if COMPILED:
    _first_code = layer_code("inputs", "total", "hidden", spread=2, bias=FIRST_BIAS, shift=FIRST - 8, most=CLIP)
    _total_code = sum_code("hidden", "total")
    _most_code = most_code("hidden", "total")
    _pool_code = layer_code("total", MIDDLE, "pooled", bias=OTHER_BIAS)
    _second_code = layer_code("hidden", MIDDLE, "middle", start="pooled", shift=OTHER, most=CLIP)
    _third_code = layer_code("middle", NARROW, "narrow", bias=OTHER_BIAS, shift=OTHER, most=CLIP)


@jit(twin=_first_layer)
def first_layer(x: Judging, seats: int, n: int, weights: int) -> None:
    """The hidden numbers of all seats, from the `n` inputs of each."""
    _first_code(x, seats, n, weights)


@jit(twin=_total)
def add_seats(x: Judging, seats: int) -> None:
    """The sum of all seats' hidden numbers, into ``x.total``."""
    _total_code(x, seats)


@jit(twin=_most)
def look_at_others(x: Judging, seats: int) -> None:
    """Writes the largest of the other seats' numbers behind each seat's own."""
    _most_code(x, seats)


@jit(twin=_pool_layer)
def pool_layer(x: Judging, seats: int, n: int, weights: int) -> None:
    """The part of the second layer that is the same for all seats, and its biases."""
    _pool_code(x, seats, n, weights)


@jit(twin=_second_layer)
def second_layer(x: Judging, seats: int, n: int, weights: int) -> None:
    """The rest of the second layer."""
    _second_code(x, seats, n, weights)


@jit(twin=_third_layer)
def third_layer(x: Judging, seats: int, n: int, weights: int) -> None:
    """The third layer."""
    _third_code(x, seats, n, weights)


# --- the network --------------------------------------------------------------------------------------------


@jit
def judge(x: Judging, last: int, seat: int) -> int:
    """What speaks for a seat, in parts of `ONE`: the last layer, whose weights begin at `last`."""
    speaks = word(last, NARROW) << OTHER_BIAS
    for k in range(NARROW):
        speaks += x.narrow[seat * NARROW + k] * word(last, k)
    return speaks >> OTHER


@jit
def evaluate(x: Judging, seats: int, n: int, network: int) -> int:
    """Each seat's chance to win, from ``x.inputs``, into ``x.values``; 0 where there is no such network, else 1."""
    wide = len(x.total)
    net = x.net + 2 * network * (1 + (n + 1) * wide + (3 * wide + 1) * MIDDLE + (MIDDLE + 1) * NARROW + NARROW + 1)
    if x.net == 0 or word(net, 0) != NETWORK:
        return 0
    first_layer(x, seats, n, net + 2)
    add_seats(x, seats)
    look_at_others(x, seats)
    second = net + 2 + 2 * (n + 1) * wide
    pool_layer(x, 1, wide, second + 2 * 2 * wide * MIDDLE)
    second_layer(x, seats, 2 * wide, second)
    third = second + 2 * (3 * wide + 1) * MIDDLE
    third_layer(x, seats, MIDDLE, third)
    last = third + 2 * (MIDDLE + 1) * NARROW
    best = -(1 << 40)
    for seat in range(seats):
        x.values[seat] = judge(x, last, seat)
        best = max(best, x.values[seat])
    total = 0
    for seat in range(seats):
        behind = best - x.values[seat]
        x.values[seat] = EXP[behind] if behind < HOPELESS else 0
        total += x.values[seat]
    for seat in range(seats):
        x.values[seat] = (SURE * x.values[seat] + total // 2) // total
    return 1
