"""Values that are proven in fractions, and what proves nothing."""

from fractions import Fraction

import numpy as np
import pytest

from kibitz.examples import kuhn, liars_dice
from kibitz.search import exact
from kibitz.search.cfr import solve
from kibitz.search.flat import flatten
from kibitz.search.response import best_response, uniform
from tests.search.plain_games import KuhnCoup


@pytest.mark.plain
@pytest.mark.parametrize(
    ("start", "value"),
    [
        (lambda: kuhn.new(2, 0), Fraction(-1, 18)),
        (lambda: liars_dice.start(dice=1, sides=2), Fraction(1, 2)),
        (KuhnCoup, Fraction(2, 3)),
    ],
    ids=["kuhn", "liar's dice", "kuhn coup"],
)
def test_known_values_are_proven(start, value):
    flat = flatten(start())
    assert exact.proven_value(flat, solve(flat, "pdcfr+", 600).strategy) == value


@pytest.mark.plain
def test_strategies_that_are_no_equilibrium_prove_nothing():
    flat = flatten(kuhn.new(2, 0))
    assert exact.proven_value(flat, uniform(flat)) is None
    assert exact.proven_value(flat, solve(flat, "cfr", 5).strategy) is None


@pytest.mark.plain
def test_an_exact_response_wins_what_the_response_in_floating_point_wins():
    flat = flatten(kuhn.new(2, 0))
    strategy = np.random.default_rng(1).random(len(flat.slot_action))
    strategy /= np.repeat(np.add.reduceat(strategy, flat.set_slot[:-1]), np.diff(flat.set_slot))
    chances = exact._chances(flat)
    assert sum(chances[1:4]) == 1
    for seat in range(2):
        won = exact.response(flat, [Fraction(float(p)) for p in strategy], chances, seat)
        assert float(won) == pytest.approx(best_response(flat, strategy, seat)[0], abs=1e-12)
