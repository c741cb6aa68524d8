"""The referee follows whole games of the engine, and the rules in question really occur in them.

This is the reduced form; `benchmarks/prove.py` judges more than a thousand games.
"""

import pytest

from tests.catan.proof import judged

CARDS = ("knight", "road_building", "year_of_plenty", "monopoly")


def absent(totals, *names: str) -> list[str]:
    return [name for name in names if not totals[name]]


def test_random_games_without_trade():
    totals = judged("random", range(0, 72, 3))
    assert totals["games"] == 24
    assert totals["kinds offer_trade"] == 0
    expected = (
        "shortages", "sole_claimant_shortages", "partial_payments", "longest_road_changes", "roads_cut", "roads_blocked",
        "largest_army_changes", "cards_before_roll", "empty_victims", "bank_trades 2", "bank_trades 3", "bank_trades 4",
        "short_road_building", "kinds discard_resource", *(f"dev_cards_played {card}" for card in CARDS),
    )  # fmt: skip
    assert absent(totals, *expected) == []


def test_random_games_with_trade():
    totals = judged("random, trade", range(6))
    assert totals["games"] == 6
    assert absent(totals, "trades_made", "kinds accept_offer", "kinds decline_offer", "kinds cancel_offer", "shortages") == []


def test_builders_with_trade():
    totals = judged("builder, trade", range(10))
    assert totals["games won"] == 10
    assert (
        absent(totals, "trades_made", "bank_trades 4", "largest_army_changes", "longest_road_changes", "cards_before_roll")
        == []
    )


def test_the_friendly_robber():
    totals = judged("friendly robber", range(4))
    assert absent(totals, "friendly_refusals", "kinds stolen", "trades_made") == []


def test_phased_turns_with_all_or_nothing_bank():
    totals = judged("phased turns", range(4))
    expected = (
        "kinds end_trade_phase",
        "kinds end_build_phase",
        "kinds skip_steal",
        "kinds reveal_vp",
        "sole_claimant_shortages",
    )
    assert absent(totals, *expected) == []
    assert totals["partial_payments"] == totals["cards_before_roll"] == totals["empty_victims"] == 0


def test_the_turn_limit():
    totals = judged("turn limit", range(4))
    assert totals["games won"] < 4
    assert totals["turns"] <= 4 * 40


def test_unusual_numbers():
    totals = judged("odd numbers", [0, 2])
    assert absent(totals, "kinds discard_resource", "trades_made") == []


@pytest.mark.plain
@pytest.mark.parametrize(("series", "index"), [("turn limit", 0), ("turn limit", 1)])
def test_a_short_game(series, index):
    totals = judged(series, [index])
    assert totals["turns"] <= 40
