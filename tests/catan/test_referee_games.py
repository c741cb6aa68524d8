"""The referee follows whole games of the engine, and the rules in question really occur in them.

This is the reduced form; `benchmarks/prove.py` judges more than a thousand games.
"""

import json

import pytest

from kibitz.catan import Rules
from tests.catan.proof import judged, occurrences
from tests.catan.referee import referee
from tests.catan.walks import Walk

CARDS = ("knight", "road_building", "year_of_plenty", "monopoly")


def absent(totals, *names: str) -> list[str]:
    return [name for name in names if not totals[name]]


def test_random_games_without_trade():
    totals = judged("random", range(3, 39, 9))
    assert totals["games"] == 4
    assert totals["kinds offer_trade"] == 0
    expected = (
        "longest_road_changes", "roads_cut", "roads_blocked", "largest_army_changes", "cards_before_roll", "empty_victims",
        "bank_trades 2", "bank_trades 3", "bank_trades 4", "kinds discard_resource", "kinds end_road_building",
        *(f"dev_cards_played {card}" for card in CARDS),
    )  # fmt: skip
    assert absent(totals, *expected) == []


def test_random_games_with_trade():
    totals = judged("random, trade", range(2))
    assert totals["games"] == 2
    assert absent(totals, "trades_made", "kinds accept_offer", "kinds decline_offer", "kinds cancel_offer") == []


def test_builders_with_trade():
    totals = judged("builder, trade", range(3))
    assert totals["games won"] == 3
    assert (
        absent(totals, "trades_made", "bank_trades 4", "largest_army_changes", "longest_road_changes", "cards_before_roll")
        == []
    )


def test_the_friendly_robber():
    totals = judged("friendly robber", range(4))
    assert absent(totals, "friendly_refusals", "kinds stolen", "trades_made") == []


def test_phased_turns_with_all_or_nothing_bank():
    totals = judged("phased turns", range(46, 50))
    expected = (
        "kinds end_trade_phase",
        "kinds end_build_phase",
        "kinds skip_steal",
        "kinds reveal_vp",
        "trades_made",
    )
    assert absent(totals, *expected) == []
    assert totals["cards_before_roll"] == totals["empty_victims"] == 0


def test_a_short_supply():
    totals = judged("hoarders", range(0, 16, 4))
    assert absent(totals, "shortages", "sole_claimant_shortages", "partial_payments") == []
    totals = judged("hoarders, phased", range(0, 16, 4))
    assert absent(totals, "shortages", "sole_claimant_shortages") == []
    assert totals["partial_payments"] == 0


def test_the_turn_limit():
    totals = judged("turn limit", range(4))
    assert totals["games won"] < 4
    assert totals["turns"] <= 4 * 40


def test_unusual_numbers():
    totals = judged("odd numbers", [0, 2])
    assert absent(totals, "kinds discard_resource", "trades_made") == []


@pytest.mark.parametrize(
    ("style", "phased"), [("odd offers", False), ("odd offers", True), ("builds", False), ("any kind", True)]
)
def test_walks_that_no_bot_would_take(style, phased):
    walk = Walk(4, 12, style, Rules(phased_turns=phased, max_turns=60))
    totals = occurrences([referee(map(json.loads, walk.record().lines(full=True)))])
    assert (totals["unlisted_offers"] > 0) == (style == "odd offers")
    assert totals["steps"] > 200


@pytest.mark.untraced
@pytest.mark.plain
@pytest.mark.parametrize(("series", "index"), [("turn limit", 0), ("turn limit", 1)])
def test_a_short_game(series, index):
    totals = judged(series, [index])
    assert totals["turns"] <= 40
