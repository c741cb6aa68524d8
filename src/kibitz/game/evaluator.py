"""The evaluator: a small network that judges a whole state, in integers alone.

A game writes some small numbers for each seat (the verb `inputs`). One network serves all seats: each seat's numbers become
`WIDE` hidden ones; those of the seat, the maximum of the others', and the sum of all become `NARROW` further ones, and these
one number, from which the chances of all seats follow (softmax). Nothing depends on how seats are numbered. Weights are 16
bits wide and read by address (`kibitz.ground.memory`), activations are clipped, sums are 32 bits wide and cannot overflow:
CPU, GPU and plain Python agree to the bit.

The weights of a network stand one after the other: a mark that tells a network from empty room, the first layer
``[inputs, WIDE]`` and its biases, the second ``[3 * WIDE, NARROW]`` and its biases, the last ``[NARROW]`` and its bias.
"""

from math import exp
from typing import Any, Protocol

import numpy as np

from kibitz.game.definition import Scratch
from kibitz.ground.jit import COMPILED, Vector, jit, table
from kibitz.ground.memory import word, words

#: Certainty, in the chances that are written to ``x.values``.
SURE = 1 << 16
WIDE, NARROW = 64, 32
#: What stands for 1 in activations, and the largest of them (8).
ONE, CLIP = 1 << 8, (1 << 11) - 1
#: Bits of a fraction in the weights of the first layer and of the others, and how far their biases are shifted.
FIRST, OTHER = 11, 10
FIRST_BIAS, OTHER_BIAS = 3, 8
#: The largest weight of the second layer: with more, a sum could overflow.
HEAVY = 2700
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
    judged: Vector  # [NARROW] sums
    pooled: Vector  # [NARROW] the part of them that is the same for all seats
    sums: Vector  # [WIDE]
    mixed: Vector  # [2 * WIDE] what the second layer is given
    values: Vector  # [seats]


def evaluator_fields(seats: int, inputs: int) -> list[tuple[Any, ...]]:
    """The fields of a scratch struct that the evaluator needs, beside `kibitz.game.scratch_fields`; to come last."""
    return [
        ("judged", np.int32, (NARROW,)),
        ("pooled", np.int32, (NARROW,)),
        ("sums", np.int32, (WIDE,)),
        ("hidden", np.int16, (seats * WIDE,)),
        ("mixed", np.int16, (2 * WIDE,)),
        ("inputs", np.int16, (seats * inputs,)),
    ]


def network_size(inputs: int) -> int:
    """How many numbers make a network for so many inputs a seat."""
    return 1 + (inputs + 1) * WIDE + (3 * WIDE + 1) * NARROW + NARROW + 1


def _vector_code(source: str, target: str, width: int) -> Any:
    """A function for compiled code: add rows of weights, each as often as a number of `source` says, to the sums in `target`.

    Both are fields of the scratch struct. It is written as vector instructions, since the compiler does not find them by itself
    where an address comes from an integer.
    """
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    short, integer, long = ir.IntType(16), ir.IntType(32), ir.IntType(64)
    narrow, wide = ir.VectorType(short, width), ir.VectorType(integer, width)

    @intrinsic  # type: ignore[untyped-decorator]
    def add(context: Any, x: Any, first: Any, n: Any, weights: Any) -> Any:
        source_at, target_at = x.offset(source), x.offset(target)

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            scratch, first, n, weights = arguments
            start = builder.bitcast(scratch, ir.IntType(8).as_pointer())
            numbers = builder.bitcast(builder.gep(start, [long(source_at)]), short.as_pointer())
            sums = builder.bitcast(builder.gep(start, [long(target_at)]), wide.as_pointer())
            rows = builder.inttoptr(weights, narrow.as_pointer())
            total = cgutils.alloca_once_value(builder, builder.load(sums, align=4))
            with cgutils.for_range(builder, n, intp=long) as loop:
                number = builder.load(builder.gep(numbers, [builder.add(first, loop.index)]), align=2)
                one = builder.insert_element(wide(ir.Undefined), builder.sext(number, integer), integer(0))
                times = builder.shuffle_vector(one, wide(ir.Undefined), wide(None))
                row = builder.sext(builder.load(builder.gep(rows, [loop.index]), align=2), wide)
                builder.store(builder.add(builder.load(total), builder.mul(row, times)), total)
            builder.store(builder.load(total), sums, align=4)
            return context.get_dummy_value()

        return types.void(x, types.int64, types.int64, types.int64), code

    return add


def _add_inputs(x: Any, first: int, n: int, weights: int) -> None:
    x.sums[:] = x.sums + x.inputs[first : first + n].astype(np.int64) @ words(weights, n * WIDE).reshape(n, WIDE)


def _add_mixed(x: Any, first: int, n: int, weights: int) -> None:
    x.judged[:] = x.judged + x.mixed[first : first + n].astype(np.int64) @ words(weights, n * NARROW).reshape(n, NARROW)


_inputs_adder: Any = _add_inputs
_mixed_adder: Any = _add_mixed
if COMPILED:
    _inputs_adder, _mixed_adder = _vector_code("inputs", "sums", WIDE), _vector_code("mixed", "judged", NARROW)


@jit(twin=_add_inputs)
def add_inputs(x: Judging, first: int, n: int, weights: int) -> None:
    """Add the first layer's rows at the address `weights`, as often as `n` of ``x.inputs`` say, to ``x.sums``."""
    _inputs_adder(x, first, n, weights)


@jit(twin=_add_mixed)
def add_mixed(x: Judging, first: int, n: int, weights: int) -> None:
    """Add the second layer's rows at the address `weights`, as often as `n` of ``x.mixed`` say, to ``x.judged``."""
    _mixed_adder(x, first, n, weights)


@jit
def encode(x: Judging, net: int, seat: int, n: int) -> None:
    """The hidden numbers of a seat: the first layer, whose weights begin at `net`."""
    for j in range(WIDE):
        x.sums[j] = word(net, n * WIDE + j) << FIRST_BIAS
    add_inputs(x, seat * n, n, net)
    for j in range(WIDE):
        x.hidden[seat * WIDE + j] = min(CLIP, max(0, x.sums[j] >> (FIRST - 8)))


@jit
def pool(x: Judging, net: int, seats: int) -> None:
    """What all seats together say, the same for each of them: a third of the second layer, and its biases."""
    for k in range(NARROW):
        x.judged[k] = word(net, 3 * WIDE * NARROW + k) << OTHER_BIAS
    for j in range(WIDE):
        total = 0
        for seat in range(seats):
            total += x.hidden[seat * WIDE + j]
        x.mixed[j] = total
    add_mixed(x, 0, WIDE, net + 2 * 2 * WIDE * NARROW)
    for k in range(NARROW):
        x.pooled[k] = x.judged[k]


@jit
def judge(x: Judging, net: int, seats: int, seat: int) -> int:
    """What speaks for a seat, in parts of `ONE`: the rest of the second layer and the last, whose weights begin at `net`."""
    for k in range(NARROW):
        x.judged[k] = x.pooled[k]
    for j in range(WIDE):
        most = 0
        for other in range(seats):
            if other != seat:
                most = max(most, x.hidden[other * WIDE + j])
        x.mixed[j], x.mixed[WIDE + j] = x.hidden[seat * WIDE + j], most
    add_mixed(x, 0, 2 * WIDE, net)
    last = (3 * WIDE + 1) * NARROW
    speaks = word(net, last + NARROW) << OTHER_BIAS
    for k in range(NARROW):
        speaks += min(CLIP, max(0, x.judged[k] >> OTHER)) * word(net, last + k)
    return speaks >> OTHER


@jit
def evaluate(x: Judging, seats: int, n: int, network: int) -> int:
    """Each seat's chance to win, from ``x.inputs``, into ``x.values``; 0 where there is no such network, else 1."""
    net = x.net + 2 * network * (1 + (n + 1) * WIDE + (3 * WIDE + 1) * NARROW + NARROW + 1)
    if x.net == 0 or word(net, 0) != NETWORK:
        return 0
    for seat in range(seats):
        encode(x, net + 2, seat, n)
    second = net + 2 + 2 * (n + 1) * WIDE
    pool(x, second, seats)
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
