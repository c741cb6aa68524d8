"""Coup's evaluator for two players: what it looks at, that it knows no seats by their numbers, and what it refuses."""

import numpy as np
import pytest

from kibitz.coup import GAME
from kibitz.coup.core.evaluator import check_served, phase_of
from kibitz.coup.core.layout import AT, INPUTS
from kibitz.coup.core.policy import HEURISTIC, NET
from kibitz.coup.core.state import Rules, new_states
from kibitz.game import verbs
from kibitz.game.evaluator import SURE
from kibitz.game.nets import NoNetwork
from kibitz.ground.jit import plain, rows
from tests.coup.positions import do, position
from tests.coup.test_policy import choice, decisions


def told(states, seat):
    """What the evaluator is told of a seat, by name: the places that are not 0, and what stands there."""
    xs = GAME.scratches()
    assert verbs.inputs(states[0], xs[0]) == INPUTS
    numbers = np.asarray(xs)["inputs"][0, seat * INPUTS : (seat + 1) * INPUTS].tolist()
    ends = [*list(AT.values())[1:], INPUTS]
    parts = {name: numbers[at:end] for (name, at), end in zip(AT.items(), ends, strict=True)}
    return {name: {i: n for i, n in enumerate(part) if n} for name, part in parts.items() if any(part)}


def values(states):
    xs = GAME.scratches()
    assert verbs.value(states[0], xs[0]) == 1
    return np.asarray(xs)["values"][0, :2].tolist()


def swapped(states):
    """The same position with the seats renamed."""
    there = states.copy()
    for name in ("hand", "revealed", "coins", "influence", "claimed"):
        there[name][0, :2] = states[name][0, 1::-1]
    for name in ("player", "active", "target", "blocker", "challenger", "winner"):
        if states[name][0] >= 0:
            there[name][0] = 1 - states[name][0]
    return there


@pytest.mark.plain
def test_it_is_told_cards_coins_and_what_is_under_way():
    states = do(position("DA", "T/C", coins=[3, 8]), "assassinate 2")
    assert told(states, 0) == {
        "coins": {0: 1}, "influence": {1: 1}, "hand": {0: 1, 1: 1}, "holds": {0: 1, 1: 1},
        "its turn": {0: 1}, "announced": {5: 1}, "claims": {1: 1}, "other's coins": {8: 1}, "other's influence": {0: 1},
        "other holds": {4: 1},
    }  # fmt: skip
    assert told(states, 1) == {
        "coins": {8: 1}, "influence": {0: 1}, "hand": {4: 1}, "holds": {4: 1}, "lost": {2: 1}, "asked": {0: 1},
        "target": {0: 1}, "question": {0: 1}, "other's coins": {0: 1}, "other's influence": {1: 1}, "other holds": {0: 1, 1: 1},
    }  # fmt: skip
    bluff = do(position("CC", "TT", coins=[8, 2]), "tax")
    assert told(bluff, 0)["claims"] == {0: 1}
    assert told(position("CC", "TT", coins=[8, 2]), 0)["can coup"] == {0: 1}


@pytest.mark.plain
def test_seats_renamed_keep_their_values_and_plain_python_agrees():
    looked = 0
    for states, _, _ in decisions([HEURISTIC] * 2, 3):
        found = values(states)
        assert found == values(swapped(states))[::-1]
        xs = rows(np.asarray(GAME.scratches()))
        assert plain(GAME.rules.value)(rows(np.asarray(states))[0], xs[0]) == 1
        assert np.asarray(xs)["values"][0, :2].tolist() == found
        assert abs(sum(found) - SURE) <= 1
        looked += 1
    assert looked > 10


@pytest.mark.plain
def test_whoever_has_won_is_sure_of_it_and_a_draw_is_shared():
    assert values(do(position("DA", "T/C", coins=[7, 2]), "coup 2", "lose contessa")) == [SURE, 0]
    drawn = do(position("DA", "TC", rules=Rules(max_turns=1)), "income")
    assert values(drawn) == [SURE // 2, SURE // 2]


def test_it_knows_who_stands_better():
    ahead = position("DA", "T/C", coins=[6, 0])
    assert values(ahead)[0] > 0.8 * SURE
    assert values(position("T/C", "DA", coins=[0, 6]))[0] < 0.2 * SURE


@pytest.mark.plain
def test_larger_tables_and_other_rules_are_refused():
    xs = GAME.scratches()
    assert verbs.value(position("DA", "TC", "MM")[0], xs[0]) == verbs.inputs(position("DA", "TC", "MM")[0], xs[0]) == 0
    with pytest.raises(NoNetwork, match="is for 2 players, not for 3"):
        check_served(new_states(3), 0)
    with pytest.raises(NoNetwork, match=r"steal_from_zero=False, not True; .* --rule steal_from_zero=true$"):
        check_served(new_states(2, Rules(steal_from_zero=True)), 0)
    with pytest.raises(NoNetwork, match="train one: kibitz train coup FOLDER --evaluator"):
        check_served(new_states(2), 9)
    check_served(new_states(2, Rules(max_turns=50)), 0)
    assert phase_of(position("DA", "T/C")).tolist() == ["one against two"]


@pytest.mark.plain
def test_net_takes_what_wins_and_plays_as_heuristic_at_larger_tables():
    assert choice(position("DA", "T/C", coins=[7, 2]), NET) == "coup 2"
    table = position("DA", "TC", "MM")
    assert choice(table, NET, 5) == choice(table, HEURISTIC, 5)
