"""Ids of actions: they never change, and they are the legal actions, no more and no less."""

import hashlib

import numpy as np
import pytest

from kibitz import game
from kibitz.adapters.actions import action_table
from kibitz.adapters.setting import NAMES, setting
from kibitz.catan.state import Rules
from kibitz.examples import kuhn
from kibitz.game import CHANCE, OVER, legal_actions
from kibitz.rng import Stream

pytestmark = pytest.mark.plain

#: What all ids mean, in their order. A new kind of action may be appended: then the first so many must still be these.
GOLDEN = {
    "catan": (582, 21, "38345be4cf2063db"),
    "coup": (54, 20, "594adbd07a4baab2"),
    "onepiece": (300, 36, "152da75c49d924eb"),
}


@pytest.mark.parametrize("name", NAMES)
def test_the_ids_of_all_versions_mean_the_same(name):
    table = setting(name).actions
    size, outcomes, digest = GOLDEN[name]
    meanings = "\n".join(table.describe(number) for number in range(size))
    assert hashlib.sha256(meanings.encode()).hexdigest()[:16] == digest
    assert (len(table), len(table.outcomes)) == (size, outcomes)


@pytest.mark.parametrize("name", NAMES)
def test_ids_and_texts_are_one_to_one(name):
    table = setting(name).actions
    assert [table.number(table.describe(number)) for number in range(len(table))] == list(range(len(table)))


def positions(name, steps, seats=None, **options):
    """Positions of a random game, chance included."""
    here = setting(name, seats, **options)
    states, stream = here.start(3), Stream(5)
    for _ in range(steps):
        if game.actor_at(states, 0) == OVER:
            return
        yield here, states
        game.apply_at(states, 0, stream.choice(legal_actions(states)))


@pytest.mark.parametrize("name", NAMES)
def test_the_mask_is_the_list_of_legal_actions(name):
    for here, states in positions(name, 120):
        legal, table = legal_actions(states), here.actions
        if game.actor_at(states, 0) == CHANCE:
            assert {*legal} <= {*table.outcomes}
        else:
            mask = table.mask(table.legal(states))
            assert sorted(table.codes[number] for number in mask.nonzero()[0]) == legal
            assert table.default(table.legal(states)) in table.legal(states)
            assert mask.dtype == np.int8


def test_phased_turns_have_ids_and_defaults_too():
    phased = {}
    for here, states in positions("catan", 400, 2, rules=Rules(phased_turns=True)):
        if game.actor_at(states, 0) >= 0:
            table = here.actions
            phased[int(states["phase"][0])] = table.describe(table.default(table.legal(states))).split()[0]
    assert {"end_trade_phase", "end_build_phase", "end_turn"} <= {*phased.values()}


def test_the_default_passes_where_it_can():
    table = setting("catan").actions
    turn = [table.number(text) for text in ("trade_bank 4 wood for ore", "build_road 17-18", "end_turn")]
    assert table.describe(table.default(sorted(turn))) == "end_turn"
    discard = [table.number("discard_resource ore"), table.number("discard_resource brick")]
    assert table.describe(table.default(sorted(discard))) == "discard_resource brick"


def test_other_games_have_no_ids():
    with pytest.raises(ValueError, match="kuhn: its actions have no numbers"):
        action_table(kuhn.GAME)
