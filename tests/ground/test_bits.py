"""Sets of small numbers as bit masks, compiled and plain."""

import pytest

from kibitz.ground.bits import count, lowest
from kibitz.ground.jit import plain

MASKS = (
    [1 << n for n in range(63)] + [(1 << n) - 1 for n in range(1, 64)] + [0b1011000, 5 << 40, (1 << 54) - 1, 0x5555555555555555]
)


@pytest.mark.plain
@pytest.mark.parametrize("mode", [lambda f: f, plain], ids=["as called", "plain"])
def test_lowest_and_count_agree_with_the_digits(mode):
    for mask in MASKS:
        digits = f"{mask:b}"
        assert mode(lowest)(mask) == len(digits) - 1 - digits.rindex("1")
        assert mode(count)(mask) == digits.count("1")


@pytest.mark.plain
@pytest.mark.parametrize("mode", [lambda f: f, plain], ids=["as called", "plain"])
def test_the_empty_set_has_no_members(mode):
    assert mode(count)(0) == 0


@pytest.mark.plain
def test_members_are_found_one_by_one():
    mask, found = 0b1001_0110 << 30, []
    while mask:
        found.append(lowest(mask))
        mask &= mask - 1
    assert found == [31, 32, 34, 37]
