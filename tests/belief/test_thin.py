"""A sample of worlds that stands for all of them."""

import numpy as np
import pytest

from kibitz.belief.pieces import Rule
from kibitz.belief.worlds import WeightedWorlds

pytestmark = pytest.mark.plain


def many(draws: int = 5) -> WeightedWorlds:
    """A few hundred worlds of different weights."""
    worlds = WeightedWorlds([9, 7, 5, 3, 1, *[0] * 10], labels=5)
    for tag in range(draws):
        worlds.draw(0, 5 * (1 + tag % 2), 5, tag=tag)
    return worlds


def test_few_worlds_stay_as_they_are():
    worlds = many(1)
    before = worlds.prob.copy()
    assert worlds.thin(len(worlds)) == []
    assert (worlds.prob == before).all()
    assert worlds.error_bound == 0


def test_a_sample_is_a_distribution_of_so_many_worlds():
    worlds = many()
    assert len(worlds) > 300
    worlds.thin(100)
    worlds.check()
    assert 60 <= len(worlds) <= 100
    assert worlds.error_bound > 0.99  # nothing is promised any more


def test_the_sample_shows_what_all_worlds_show():
    whole, some = many(), many()
    some.thin(200)
    expected = [np.arange(len(table)) @ table for table in whole.distributions()]
    sampled = [np.arange(len(table)) @ table for table in some.distributions()]
    assert sampled == pytest.approx(expected, abs=0.15)
    for tag, odds in whole.all_odds().items():
        assert some.odds(tag) == pytest.approx(odds, abs=0.1)


def test_likely_worlds_keep_their_weight():
    worlds = WeightedWorlds([1000 % 30, 1, 1, 1, 1, *[0] * 5], labels=5)
    worlds.draw(0, 5, 5, tag=0)
    likeliest = max(worlds.prob)
    worlds.thin(3)
    assert max(worlds.prob) == pytest.approx(likeliest)


def test_the_same_worlds_give_the_same_sample():
    one, other = many(), many()
    one.thin(50)
    other.thin(50)
    assert (one.key == other.key).all()


def test_an_answer_survives():
    worlds = many()
    worlds.answer(0, 4)
    worlds.thin(20)
    assert worlds.probabilities().sum() == pytest.approx(1)
    assert worlds.odds(0)[4] == pytest.approx(1)


def test_evidence_still_counts():
    worlds = many()
    worlds.thin(100)
    worlds.filter((Rule((5,), at_least=2),))
    assert (worlds.counts()[:, 5] >= 2).all()
