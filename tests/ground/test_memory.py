"""Numbers that compiled code reads by their address."""

import numpy as np
import pytest

from kibitz.ground.jit import plain
from kibitz.ground.memory import keep, kept, word


@pytest.mark.plain
def test_numbers_are_read_where_they_lie_and_as_they_are_now():
    numbers = np.array([-32768, 0, 7, 32767], np.int16)
    address = keep(numbers)
    assert [word(address, i) for i in range(4)] == [plain(word)(address, i) for i in range(4)] == numbers.tolist()
    numbers[2] = -9
    assert word(address, 2) == plain(word)(address, 2) == -9
    assert kept(address) is numbers


@pytest.mark.plain
def test_an_address_inside_of_what_is_kept_is_an_address_too():
    address = keep(np.arange(100, dtype=np.int16))
    keep(np.zeros(5, np.int16))
    assert word(address + 2 * 40, 3) == plain(word)(address + 2 * 40, 3) == 43


@pytest.mark.plain
@pytest.mark.parametrize("numbers", [np.zeros(4, np.int32), np.zeros((4, 4), np.int16)[:, 1]], ids=["wide", "gaps"])
def test_other_arrays_are_refused(numbers):
    with pytest.raises(TypeError, match="only arrays without gaps are kept"):
        keep(numbers)
