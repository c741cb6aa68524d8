"""One entry for each idea, and each missed chance is counted once."""

import pytest

from kibitz.catan.analysis.types import Difference
from kibitz.catan.review.ideas import entries_of, losses_of
from kibitz.catan.review.types import Verdict, grade_of

pytestmark = [pytest.mark.plain, pytest.mark.once]


def verdict(step, best, loss, seat=0, turn=None, played="end_turn"):
    return Verdict(
        step, turn if turn is not None else step, seat, played, best, Difference(loss, loss, loss), 100, grade_of(loss)
    )


def test_a_road_that_is_missed_nine_times_is_one_entry():
    missed = [verdict(step, "build_road 17-18", 0.03 + step / 1000) for step in range(1, 10)]
    (entry,) = entries_of(missed, {})
    assert entry.steps == tuple(range(1, 10))
    assert entry.verdict == missed[-1]  # the costliest
    assert losses_of(missed) == {9: pytest.approx(0.039)}


def test_other_players_and_other_places_are_other_ideas():
    found = entries_of(
        [
            verdict(1, "build_road 17-18", 0.03),
            verdict(2, "build_road 18-19", 0.05),
            verdict(3, "build_road 17-18", 0.04, seat=1),
            verdict(4, "move_robber 3", 0.06),
            verdict(5, "move_robber 3", 0.07),
        ],
        {},
    )
    assert [entry.steps for entry in found] == [(5,), (4,), (2,), (3,), (1,)]


def test_a_card_is_one_idea_whatever_it_names():
    found = entries_of([verdict(1, "play_monopoly ore", 0.1), verdict(9, "play_monopoly wheat", 0.2)], {})
    assert [entry.steps for entry in found] == [(1, 9)]


def test_decisions_of_a_turn_that_miss_the_same_building_belong_together():
    trade = verdict(7, "cancel_offer", 0.5, turn=3, played="confirm_trade P2")
    road = verdict(9, "trade_bank 4 sheep for brick", 0.6, turn=3)
    other = verdict(8, "trade_bank 4 sheep for ore", 0.4, turn=3)
    lines = {7: ("cancel_offer", "build_road 17-18"), 9: ("trade_bank 4 sheep for brick", "build_road 17-18")}
    found = entries_of([trade, road, other], lines)
    assert [entry.steps for entry in found] == [(7, 9), (8,)]


def test_a_turn_costs_what_its_costliest_decision_did_but_every_settlement_of_the_draft_counts():
    turn = [verdict(7, "cancel_offer", 0.5, turn=3), verdict(9, "buy_dev_card", 0.6, turn=3)]
    draft = [verdict(0, "place_setup_settlement 3", 0.1, turn=0), verdict(14, "place_setup_settlement 9", 0.2, turn=0)]
    fine = [verdict(20, "end_turn", 0.0, turn=6)]
    assert losses_of([*turn, *draft, *fine]) == {9: 0.6, 14: 0.2, 0: 0.1}
