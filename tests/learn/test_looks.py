"""Looks ahead: what networks say while a round is played on."""

import numpy as np
import pytest

from kibitz.catan import Rules
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.evaluator import NETS
from kibitz.catan.core.policy import BUILDER
from kibitz.catan.setup import setup
from kibitz.game.nets import Network, NoNetwork
from kibitz.learn.looks import looked
from kibitz.learn.measure import error_of, evaluated, win_rates
from kibitz.learn.positions import Sampling, sample


def positions(games: int, rules: Rules = Rules()):  # noqa: B008
    starts = setup(seed=4, rules=rules).starts(4, 0, games)
    return sample(GAME, starts, [[BUILDER] * 4], games, 6, Sampling(1), states=True).states


def test_looks_come_nearer_to_what_happens_than_the_position_itself():
    states = positions(120)
    rates = win_rates(GAME, states, 200, [BUILDER] * 4, seed=1)
    ahead = looked(GAME, states, [0], BUILDER, rounds=16)
    assert np.allclose(ahead.sum(axis=1), 1, atol=1e-3)
    assert error_of(ahead, rates, 200) < 0.9 * error_of(evaluated(GAME, states), rates, 200)


def test_the_same_seed_gives_the_same_looks_and_leaves_the_positions_alone():
    states = positions(10)
    before = np.asarray(states).tobytes()
    one, again, other = (looked(GAME, states, [0], BUILDER, rounds=2, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert np.asarray(states).tobytes() == before


def test_several_networks_say_their_mean():
    states = positions(10)
    shipped = NETS.book(0)["4-players-offers"]
    another = Network(
        shipped.game, shipped.inputs, shipped.layout, shipped.variant, NETS.book(0)["4-players"].weights, shipped.about
    )
    book = NETS.add([another])
    first, second, both = (looked(GAME, states, books, BUILDER, rounds=2) for books in ([0], [book], [0, book]))
    assert not np.array_equal(first, second)
    assert np.allclose(both, (first + second) / 2)


def test_a_game_that_ends_within_the_round_is_worth_its_end():
    states = positions(40)
    won = np.flatnonzero(win_rates(GAME, states, 50, [BUILDER] * 4).max(axis=1) == 1)
    near = looked(GAME, states[won], [0], BUILDER, rounds=8)
    assert len(won)
    assert (near.max(axis=1) > 0.8).all()


def test_rules_without_a_network_are_refused():
    states = positions(4)
    book = NETS.add([NETS.book(0)["2-players"]])
    with pytest.raises(NoNetwork, match="catan: there is no network for these rules"):
        looked(GAME, states, [book], BUILDER, rounds=1)
