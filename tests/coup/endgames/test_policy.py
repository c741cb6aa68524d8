"""What to do in an endgame under way: solved from what the public knows, at any table."""

import numpy as np
import pytest

from kibitz.coup import allow, assassinate, challenge, coup, income, steal, tax
from kibitz.coup.core.actions import Action
from kibitz.coup.core.setup import setup
from kibitz.coup.endgames.policy import deal_number, endgame_policy, possible_worlds, two_seats
from kibitz.coup.endgames.solve import Endgame, TooLarge, solve_endgame
from kibitz.game import legal_actions

LOST = {0: ["duke"], 1: ["captain"]}


def ask(states, seat, **options):
    worlds, weights = possible_worlds(states)
    return endgame_policy(worlds, weights, asked=deal_number(worlds, states, seat), **options).actions


def test_who_can_strike_strikes():
    states = setup([7, 6], hands={0: ["duke"], 1: ["contessa"]}, revealed=LOST)
    assert ask(states, 0) == {coup(1).code: 1.0}


def test_the_duke_taxes_where_that_is_best():
    states = setup([6, 6], hands={0: ["duke"], 1: ["contessa"]}, influence=[1, 1])
    policy = ask(states, 0, turns=3, exchange=False)
    assert policy[tax().code] > 0.95
    assert sum(policy.values()) == pytest.approx(1)
    assert policy.keys() == set(legal_actions(states)) - {Action("exchange").code}


def test_worlds_are_weighed_by_counting():
    states = setup([6, 6], hands={0: ["duke"], 1: ["contessa"]}, revealed={0: ["duke"], 1: ["duke"]})
    worlds, weights = possible_worlds(states)
    assert len(worlds) == 24  # not a Duke each: only one is left
    assert sum(weights) == 13 * 12
    both = {tuple(hands.argmax(axis=1)[:2]): n for hands, n in zip(worlds["hand"], weights, strict=True)}
    assert (both[0, 1], both[1, 0], both[1, 1]) == (3, 3, 6)
    assert (worlds["hand"].sum(axis=1) + worlds["revealed"].sum(axis=1) + worlds["deck"] == 3).all()


def test_the_same_value_as_before_the_deal():
    # The opponent must not know the asker's card: an Ambassador steals exactly because nobody sees it.
    states = setup([4, 4], hands={0: ["ambassador"], 1: ["contessa"]}, influence=[1, 1])
    whole = solve_endgame(Endgame((4, 4), turns=2), target=1e-5)
    policy = ask(states, 0, turns=2, exchange=False, target=1e-5, iterations=20_000, lead=0)
    bluff = steal(1).code
    assert whole.strategy(0, ["ambassador"])[bluff] > 0.5
    assert policy[bluff] == pytest.approx(whole.strategy(0, ["ambassador"])[bluff], abs=0.05)
    known = endgame_policy(states, turns=2, exchange=False, lead=0).actions
    assert known[bluff] < 1e-3


def test_at_a_larger_table_the_targets_are_those_of_the_table():
    revealed = {0: ["duke", "duke"], 1: ["captain"], 2: ["contessa", "captain"], 3: ["assassin"]}
    states = setup([0, 7, 0, 6], hands={1: ["duke"], 3: ["contessa"]}, revealed=revealed, player=1)
    assert ask(states, 1) == {coup(3).code: 1.0}
    small = two_seats(states)
    assert int(small["seats"][0]) == 2
    assert small["coins"][0, :2].tolist() == [7, 6]
    assert (np.asarray(small)["revealed"].sum(axis=1) == np.asarray(states)["revealed"].sum(axis=1)).all()


def test_answers_in_the_middle_of_a_turn():
    hands = {0: ["assassin"], 1: ["contessa"]}
    states = setup([3, 6], hands=hands, revealed=LOST, table=[(0, assassinate(1))], asked=1)
    worlds, weights = possible_worlds(states)
    assert ask(states, 1, turns=2, exchange=False)[challenge().code] > 0.9  # by counting cards most assassins are false
    believed = [n if hand[0, 1] else 0.0 for n, hand in zip(weights, worlds["hand"], strict=True)]
    policy = endgame_policy(worlds, believed, asked=deal_number(worlds, states, 1), turns=2, exchange=False).actions
    assert policy.keys() == {allow().code, challenge().code}
    assert policy[allow().code] > 0.9  # the block with the Contessa comes next


def test_looks_no_further_ahead_than_the_room_allows():
    states = setup([2, 2], hands={0: ["duke"], 1: ["contessa"]}, revealed=LOST)
    worlds, weights = possible_worlds(states)
    policy = endgame_policy(worlds, weights, asked=deal_number(worlds, states, 0), turns=8, max_nodes=40_000)
    assert 1 <= policy.turns < 8  # it says so
    assert policy.actions == ask(states, 0, turns=policy.turns)
    with pytest.raises(TooLarge, match="allowed are 50 nodes"):
        ask(states, 0, max_nodes=50)


def test_only_for_two_who_are_left():
    with pytest.raises(ValueError, match="3 players are left"):
        endgame_policy(setup([2, 2, 2], hands={seat: ["duke", "captain"] for seat in range(1)}))
    before = setup([2, 2], influence=[1, 1])
    with pytest.raises(ValueError, match="nobody is to decide"):
        endgame_policy(before)


def test_what_is_undecided_at_the_end_counts_by_coins():
    # One turn from the end only coins are left to win: the Duke takes three, which nobody dares to doubt.
    states = setup([2, 2], hands={0: ["duke"], 1: ["contessa"]}, revealed=LOST)
    policy = ask(states, 0, turns=1)
    assert income().code in policy
    assert policy[tax().code] > 0.95
