"""What a search tries: not what loses by force, and nothing beside what wins at once."""

import pytest

from kibitz.coup import Action
from kibitz.game import legal_actions
from kibitz.game.doors import sensible_actions
from tests.coup.positions import do, position


def tried(states):
    return {Action.from_code(code).to_text() for code in sensible_actions(states)}


@pytest.mark.plain
def test_a_coup_that_wins_is_all_that_is_tried():
    assert tried(position("D/A", "T/C", coins=[7, 2])) == {"coup 2"}
    assert tried(position("D/A", "/TT", "T/C", coins=[8, 0, 5])) == {"coup 3"}
    # It wins neither against two cards nor against two players.
    for states in (position("D/A", "TC", coins=[7, 2]), position("D/A", "T/C", "T/M", coins=[7, 2, 2])):
        assert sensible_actions(states) == legal_actions(states)


@pytest.mark.plain
def test_against_a_coup_that_would_win_only_what_may_stop_it_is_tried():
    assert tried(position("D/A", "T/C", coins=[4, 8])) == {"steal 2", "assassinate 2"}
    assert tried(position("D/A", "T/C", coins=[2, 8])) == {"steal 2"}
    assert tried(position("D/A", "T/C", coins=[4, 9])) == {"assassinate 2"}  # a theft leaves seven
    assert tried(position("D/A", "TC", coins=[4, 8])) == {"steal 2"}
    lost = position("D/A", "T/C", coins=[2, 9])
    assert sensible_actions(lost) == legal_actions(lost)
    safe = position("DA", "T/C", coins=[4, 8])  # with two cards one coup does not lose
    assert sensible_actions(safe) == legal_actions(safe)


@pytest.mark.plain
def test_the_last_card_is_not_given_to_an_assassin():
    last = do(position("A/M", "D/C", coins=[4, 4]), "assassinate 2", "allow")
    assert tried(last) == {"block contessa"}
    assert tried(do(position("A/M", "DD", coins=[4, 4]), "assassinate 2", "allow")) == {"allow", "block contessa"}
    assert tried(do(position("A/M", "D/C", coins=[4, 4]), "steal 2", "allow")) == {"allow", "block captain", "block ambassador"}


@pytest.mark.plain
def test_on_the_last_turn_before_a_draw_nothing_loses_by_force():
    last = position("D/A", "T/C", coins=[4, 8])
    last["max_turns"] = last["turn"]
    assert sensible_actions(last) == legal_actions(last)
