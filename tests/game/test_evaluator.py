"""The network in integers: beside the same network in floating point, in plain Python, at its limits, with seats renamed."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kibitz.game import structs
from kibitz.game.definition import scratch_fields
from kibitz.game.evaluator import (
    CLIP,
    HEAVY_THIRD,
    MIDDLE,
    NARROW,
    NETWORK,
    ONE,
    SURE,
    evaluate,
    evaluator_fields,
    heavy,
    network_size,
)  # fmt: skip
from kibitz.game.nets import FloatLayers, widened
from kibitz.ground.jit import plain, rows, struct
from kibitz.ground.memory import keep

SEATS, INPUTS, WIDE = 4, 20, 128
SCRATCH = struct("evaluator_test", [*scratch_fields(SEATS, 4, 4), *evaluator_fields(SEATS, INPUTS, WIDE)])


def layers(seed: int, size: float = 1.0, wide: int = WIDE) -> FloatLayers:
    rng = np.random.default_rng(seed)

    def some(*shape: int) -> npt.NDArray[np.float64]:
        return rng.normal(0, size, shape)

    return FloatLayers(
        0.1 * some(INPUTS, wide),
        0.3 * some(wide),
        0.05 * some(3 * wide, MIDDLE),
        0.2 * some(MIDDLE),
        0.12 * some(MIDDLE, NARROW),
        0.2 * some(NARROW),
        0.4 * some(NARROW),
        some(1),
    )


def in_floats(net: FloatLayers, inputs: npt.NDArray[np.int16]) -> npt.NDArray[np.float64]:
    """The same network in floating point."""
    hidden = np.clip(inputs @ net.first + net.first_bias, 0, CLIP / ONE)
    most = np.array([np.delete(hidden, seat, 0).max(0) for seat in range(len(hidden))])
    mixed = np.concatenate([hidden, most, np.broadcast_to(hidden.sum(0), hidden.shape)], 1)
    middle = np.clip(mixed @ net.second + net.second_bias, 0, CLIP / ONE)
    speaks = np.clip(middle @ net.third + net.third_bias, 0, CLIP / ONE) @ net.last + net.last_bias
    shares = np.exp(speaks - speaks.max())
    return shares / shares.sum()


def evaluated(
    weights: npt.NDArray[np.int16], inputs: npt.NDArray[np.int16], run: Any = evaluate, network: int = 0
) -> list[int]:
    return worked_out(weights, inputs, run, network)["values"][0, : len(inputs)].tolist()


def worked_out(
    weights: npt.NDArray[np.int16],
    inputs: npt.NDArray[np.int16],
    run: Any = evaluate,
    network: int = 0,
    scratch: Any = SCRATCH,
) -> Any:
    """The scratch struct after an evaluation."""
    xs = structs(scratch) if run is evaluate else rows(np.zeros(1, scratch))
    xs["net"] = keep(weights)
    xs["inputs"][0, : inputs.size] = inputs.ravel()
    assert run(xs[0], len(inputs), INPUTS, network) == 1
    return xs


@pytest.mark.plain
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_integers_say_what_floating_point_says(seats):
    for seed in range(5):
        net, inputs = layers(seed), np.random.default_rng(seed).integers(0, 12, (seats, INPUTS)).astype(np.int16)
        found = np.array(evaluated(net.quantised(), inputs)) / SURE
        assert found == pytest.approx(in_floats(net, inputs), abs=0.01)
        assert found.sum() == pytest.approx(1, abs=seats / SURE)


def test_compiled_and_plain_agree_to_the_bit():
    for seed in range(3):
        weights, inputs = layers(seed).quantised(), np.random.default_rng(seed).integers(0, 128, (4, INPUTS)).astype(np.int16)
        assert evaluated(weights, inputs) == evaluated(weights, inputs, plain(evaluate))


def test_without_the_instruction_that_adds_products_the_integers_are_the_same():
    """On a machine for which Numba may only use what all of its kind have."""
    code = """
from kibitz.game.layers import _pairs_at_once
from tests.game.test_evaluator import test_compiled_and_plain_agree_to_the_bit
assert not _pairs_at_once()
test_compiled_and_plain_agree_to_the_bit()
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "NUMBA_CPU_NAME": "generic"})


def test_no_sum_overflows_even_with_the_heaviest_weights():
    """Python's integers cannot overflow: the compiled code agrees with them at the limits of all weights and inputs."""
    inputs = np.full((4, INPUTS), 127, np.int16)
    for sign in (1, -1):
        net = FloatLayers(
            *(
                np.full(shape, sign * 1e9)
                for shape in ((INPUTS, WIDE), WIDE, (3 * WIDE, MIDDLE), MIDDLE, (MIDDLE, NARROW), NARROW, NARROW, 1)
            )
        )
        weights = net.quantised()
        assert abs(weights[1 + (INPUTS + 1) * WIDE :][: 3 * WIDE * MIDDLE]).max() == heavy(WIDE)
        third = 1 + (INPUTS + 1) * WIDE + (3 * WIDE + 1) * MIDDLE
        assert abs(weights[third : third + MIDDLE * NARROW]).max() == HEAVY_THIRD
        weights[1 : 1 + (INPUTS + 1) * WIDE] = 32767  # whatever the second layer says, it is given as much as there can be
        ours, theirs = worked_out(weights, inputs), worked_out(weights, inputs, plain(evaluate))
        for field in ("hidden", "pooled", "middle", "narrow", "values"):
            assert ours[field].tolist() == theirs[field].tolist(), field
        assert abs(int(theirs["pooled"][0, 0])) > 1 << 29  # the sums come near to the limit


@pytest.mark.plain
@pytest.mark.parametrize("wide", [16, 64])
def test_a_narrow_network_says_the_same_in_the_place_of_a_wide_one(wide):
    """To the bit, and compiled code for that width says it, too."""
    narrow = layers(5, wide=wide).quantised()
    scratch = struct(f"evaluator_test_{wide}", [*scratch_fields(SEATS, 4, 4), *evaluator_fields(SEATS, INPUTS, wide)])
    for number in range(5):
        inputs = np.random.default_rng(number).integers(0, 9, (4, INPUTS)).astype(np.int16)
        by_itself = [worked_out(narrow, inputs, run, scratch=scratch)["values"].tolist() for run in (evaluate, plain(evaluate))]
        assert by_itself == 2 * [worked_out(widened(narrow, INPUTS, WIDE), inputs)["values"].tolist()]


@pytest.mark.plain
@pytest.mark.parametrize("wide", [0, 8, 96])
def test_there_is_no_network_of_any_width(wide):
    with pytest.raises(ValueError, match=f"as wide as a power of two, 16 or more, not {wide}"):
        evaluator_fields(SEATS, INPUTS, wide)


@pytest.mark.plain
def test_seats_that_change_places_change_values():
    net = layers(7).quantised()
    inputs = np.random.default_rng(7).integers(0, 9, (4, INPUTS)).astype(np.int16)
    for order in ([1, 2, 3, 0], [3, 2, 1, 0]):
        assert evaluated(net, inputs[order]) == [evaluated(net, inputs)[seat] for seat in order]


@pytest.mark.plain
def test_where_there_is_no_network_nothing_is_judged():
    xs = structs(SCRATCH)
    assert evaluate(xs[0], 4, INPUTS, 0) == 0
    both = np.zeros(2 * network_size(INPUTS, WIDE), np.int16)
    both[network_size(INPUTS, WIDE) :] = layers(1).quantised()
    xs["net"] = keep(both)
    assert both[0] != NETWORK
    assert [evaluate(xs[0], 4, INPUTS, network) for network in (0, 1)] == [0, 1]
