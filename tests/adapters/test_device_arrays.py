"""Arrays that others read where they lie, by DLPack."""

import gc
from types import SimpleNamespace

import numpy as np
import pytest

from kibitz.adapters import device_arrays
from kibitz.adapters.device_arrays import Lent

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int64, np.float32, np.bool_])
def test_numpy_reads_it_without_a_copy(kind):
    array = np.arange(12).reshape(3, 4).astype(kind)
    lent = Lent(array)
    taken = np.from_dlpack(lent)
    assert taken.dtype == kind
    assert np.array_equal(taken, array)
    assert np.shares_memory(taken, array)
    assert np.array_equal(np.asarray(lent), array)
    assert np.asarray(lent, np.float64).dtype == np.float64
    assert (len(lent), lent.shape) == (3, (3, 4))


def test_what_is_lent_lives_until_it_is_given_back():
    before = len(device_arrays._LENT)
    taken = np.from_dlpack(Lent(np.arange(5)))
    gc.collect()
    assert len(device_arrays._LENT) == before + 1
    assert taken.tolist() == [0, 1, 2, 3, 4]
    del taken
    gc.collect()
    assert len(device_arrays._LENT) == before


def test_a_capsule_that_nobody_opens_is_given_back_too():
    before = len(device_arrays._LENT)
    capsule = Lent(np.arange(5)).__dlpack__()
    assert len(device_arrays._LENT) == before + 1
    del capsule
    assert len(device_arrays._LENT) == before


def test_rows_that_do_not_lie_one_after_the_other_are_not_lent():
    with pytest.raises(ValueError, match="one after the other"):
        Lent(np.arange(6).reshape(2, 3).T)


def test_on_the_host_there_is_no_array_interface_of_cuda():
    lent = Lent(np.arange(5))
    assert not hasattr(lent, "__cuda_array_interface__")
    assert repr(lent) == "Lent(int64, (5,), host)"


def test_an_array_of_a_gpu_says_where_it_is():
    interface = {"data": (4096, False), "shape": (2, 3), "typestr": "<i2", "version": 3}
    there = SimpleNamespace(
        shape=(2, 3), dtype=np.dtype(np.int16), __cuda_array_interface__=interface, is_c_contiguous=lambda: True
    )
    lent = Lent(there)
    assert lent.__dlpack_device__() == (device_arrays.CUDA, 0)
    assert lent.__cuda_array_interface__["data"] == (4096, False)
    assert repr(lent) == "Lent(int16, (2, 3), GPU)"
