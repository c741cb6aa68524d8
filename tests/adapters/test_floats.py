"""Observations as floats: between 0 and 1, one number for each name, or of mean 0 and variance 1."""

import numpy as np
import pytest

from kibitz.adapters.floats import FAR, Floats
from kibitz.adapters.setting import setting

pytestmark = pytest.mark.plain
COUP = setting("coup", seats=2).layout


def some(n=50, seed=1):
    """Numbers within the bounds of Coup's layout."""
    low, high = COUP.bounds()
    return np.random.default_rng(seed).integers(low, high.astype(int) + 1, (n, COUP.size)).astype(np.int16)


def test_scaled_numbers_reach_from_0_to_1():
    low, high = COUP.bounds()
    assert (Floats(COUP)(low) == 0).all()
    assert Floats(COUP)(high) == pytest.approx(1)
    assert Floats(COUP)(some().reshape(5, 10, -1)).shape == (5, 10, COUP.size)


def test_names_become_one_number_each():
    floats, seen = Floats(COUP, one_hot=True), some(20)
    found = floats(seen)
    assert found.shape == (20, floats.size)
    at = 0
    for part in COUP.parts:
        own = seen[:, COUP.slices[part.name]]
        width = part.high - part.low + 1 if part.choice else 1
        mine = found[:, at : at + own.shape[1] * width].reshape(20, -1, width)
        if part.choice:
            assert (mine.argmax(axis=2) + part.low == own).all()
            assert (mine.sum(axis=2) == 1).all()
        else:
            assert mine[:, :, 0] == pytest.approx((own - part.low) / (part.high - part.low), abs=1e-6)
        at += own.shape[1] * width
    assert at == floats.size


def test_a_name_that_was_not_declared_is_none_of_them():
    strange = some(1)
    strange[0, COUP.slices["phase"]] = 99
    assert Floats(COUP, one_hot=True)(strange).sum() == pytest.approx(Floats(COUP, one_hot=True)(some(1)).sum() - 1, abs=1e-4)


def test_standardised_numbers_have_mean_0_and_variance_1():
    floats, seen = Floats(COUP, standardised=True), some(4000)
    for part in np.split(seen, 20):
        floats.learn(part)
    floats.frozen = True
    found, varies = floats(seen), seen.std(axis=0) > 0
    assert found[:, varies].mean(axis=0) == pytest.approx(0, abs=1e-3)
    assert found[:, varies].std(axis=0) == pytest.approx(1, abs=1e-3)
    assert not found[:, ~varies].any()
    far = seen[:1].copy()
    far[0, COUP.slices["treasury"]] = 30_000
    assert floats(far).max() == FAR


def test_what_was_learnt_can_be_kept():
    floats = Floats(COUP, standardised=True)
    floats(some(100))
    again = Floats(COUP, standardised=True)
    again.moments, again.frozen, floats.frozen = floats.moments, True, True
    assert (again(some(9, 2)) == floats(some(9, 2))).all()
    with pytest.raises(ValueError, match="moments of 3 numbers: there are 64"):
        again.moments = {"count": 1.0, "mean": np.zeros(3), "squares": np.zeros(3)}
