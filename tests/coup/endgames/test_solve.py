"""Exact endgames: known and hand-computed values, what is proven of them, strategies by what a seat has seen."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.compute.runtime import Limit, Runtime
from kibitz.coup import allow, assassinate, challenge, coup, income, show, tax
from kibitz.coup.core.setup import SetupError
from kibitz.coup.core.state import CHARACTERS, Rules
from kibitz.coup.endgames.solve import UNIT, Endgame, SolvedEndgame, TooLarge, simplest_between, solve_endgame
from kibitz.coup.endgames.strategy import decisions
from kibitz.search.response import best_response, exploitability

#: What is left when these are revealed: two Ambassadors and three Contessas, so that every claim to act is false.
NO_CLAIMS = ("duke",) * 3 + ("assassin",) * 3 + ("captain",) * 3 + ("ambassador",)


@pytest.fixture(scope="module")
def solved():
    return solve_endgame(Endgame((6, 6), turns=3))


def test_an_endgame_without_a_decision_has_no_strategy():
    assert list(decisions(solve_endgame(Endgame((7, 7), turns=2)))) == []


# --- values -----------------------------------------------------------------------------------------------


def test_six_coins_each_and_three_turns_are_worth_four_sevenths(solved):
    assert solved.value == pytest.approx(4 / 7, abs=1e-6)
    assert solved.low - 1e-12 <= 4 / 7 <= solved.high + 1e-12
    assert solved.high - solved.low <= 2e-6
    assert solved.fraction == Fraction(4, 7)
    assert (solved.stopped, solved.stored) == (None, False)


def test_the_bounds_are_what_best_responses_say(solved):
    assert best_response(solved.flat, solved.slots, 0)[0] / UNIT == solved.high
    assert -best_response(solved.flat, solved.slots, 1)[0] / UNIT == solved.low
    assert exploitability(solved.flat, solved.slots) / UNIT == pytest.approx(solved.exploitability)
    assert solved.exploitability / 2 < 1e-6  # of the range from -1 to 1


@pytest.mark.parametrize(
    ("coins", "turns", "revealed", "value"),
    [
        ((7, 0), 1, (), 1),  # a coup
        ((2, 2), 1, (), 0),  # nothing that could end the game
        ((6, 6), 2, NO_CLAIMS, 0),  # one coin more each, then a draw
        ((6, 6), 3, NO_CLAIMS, 1),  # and with a third turn a coup
        ((5, 6), 3, NO_CLAIMS, 1),  # foreign aid, which no Duke is left to block
        ((4, 6), 3, NO_CLAIMS, 0),
        ((4, 6), 4, NO_CLAIMS, -1),  # the other has seven coins first
    ],
)
def test_values_by_hand(coins, turns, revealed, value):
    solved = solve_endgame(Endgame(coins, turns, revealed))
    assert solved.low - 1e-9 <= value <= solved.high + 1e-9
    assert solved.value == pytest.approx(value, abs=1e-6)


def test_more_influence_is_worth_more(solved):
    worth = [solve_endgame(Endgame((6, 6), 2, influence=pair), target=1e-4).value for pair in ((1, 1), (2, 1))]
    assert worth[0] < worth[1]


def test_the_exchange_is_part_of_the_tree_only_if_asked_for():
    without, with_it = (Endgame((2, 2), 1, exchange=exchange) for exchange in (False, True))
    assert without.count() < with_it.count() == len(with_it.tree().actor)


def test_rule_options_count():
    mild = Endgame((3, 0), turns=2)
    harsh = Endgame((3, 0), turns=2, rules=Rules(steal_from_zero=True))
    assert mild.count() < harsh.count()
    assert mild.to_json() != harsh.to_json()


def test_deals_make_up_the_value(solved):
    total = 0.0
    for mine, theirs in product(CHARACTERS, repeat=2):
        odds = 3 / 15 * (2 if mine == theirs else 3) / 14
        total += odds * solved.value_of_deal([mine], [theirs])
    assert total == pytest.approx(solved.value, abs=1e-12)


# --- what cannot be asked for -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"revealed": ("duke",) * 4}, "four Dukes are revealed: there are only three"),
        ({"revealed": ("joker",)}, "'joker' is not a character; these are duke, assassin"),
        ({"revealed": ("duke", "assassin", "captain", "contessa") * 2 + ("ambassador",) * 3}, "11 cards are revealed"),
        ({"coins": (6, 13)}, "player 2 has 13 coins"),
        ({"coins": (6, 6, 6)}, "expected two numbers"),
        ({"turns": 0}, "turns=0: expected a whole number"),
        ({"influence": (0, 1)}, "who has no influence is out"),
        ({"influence": (3, 1)}, "player 1 cannot have 3 cards"),
    ],
)
@pytest.mark.plain
def test_what_cannot_be(arguments, message):
    with pytest.raises(SetupError, match=message):
        Endgame(**{"coins": (6, 6), "turns": 3, **arguments})


def test_too_large_a_tree_is_refused_with_its_size():
    with pytest.raises(TooLarge, match=r"the tree has 28,456 nodes and needs about 4 MiB; allowed are 10,000 nodes") as refused:
        solve_endgame(Endgame((6, 6), turns=3), max_nodes=10_000)
    assert refused.value.nodes == 28_456


def test_what_is_stopped_says_so_and_still_proves_its_bounds():
    runtime = Runtime(on_info=lambda info: runtime.cancel())
    partial = solve_endgame(Endgame((6, 6), turns=3), runtime=runtime)
    assert partial.stopped == "cancelled"
    assert partial.low < 4 / 7 < partial.high
    few = solve_endgame(Endgame((6, 6), turns=3), runtime=Runtime(Limit(iterations=2)))
    assert (few.stopped, few.iterations) == ("iterations", 2)


# --- strategies -------------------------------------------------------------------------------------------


def test_strategies_by_what_a_seat_has_seen(solved):
    assert solved.strategy(0, ["duke"])[tax().code] > 0.99
    reply = solved.strategy(1, ["contessa"], [assassinate(1).code])
    assert reply.keys() == {allow().code, challenge().code}
    assert sum(reply.values()) == pytest.approx(1)
    with pytest.raises(KeyError, match="cannot see"):
        solved.strategy(1, ["contessa"], [coup(1).code])
    with pytest.raises(ValueError, match="nothing to decide"):
        solved.strategy(0, ["duke"], [tax().code])


def test_what_is_forced_is_certain(solved):
    assert solved.strategy(0, ["duke"], [tax().code, challenge().code]) == {show("duke").code: 1.0}
    third = [income().code, income().code]
    assert solved.strategy(0, ["contessa"], third) == {coup(1).code: 1.0}


def test_every_information_set_is_one_decision(solved):
    found = list(decisions(solved))
    assert len(found) == len({(d.seat, d.cards, d.history) for d in found}) == solved.sets
    first = [decision for decision in found if not decision.history]
    assert [decision.cards for decision in first] == [(card,) for card in CHARACTERS]
    assert sum(decision.reach for decision in first) == pytest.approx(1)
    for decision in found[::97]:
        assert decision.actions == solved.strategy(decision.seat, decision.cards, [step.code for step in decision.history])


def test_only_what_is_near_the_top_and_not_rare(solved):
    shallow = list(decisions(solved, depth=2, rare=0.01))
    assert {len(decision.history) for decision in shallow} == {0, 1}
    assert all(decision.reach >= 0.01 for decision in shallow)
    assert len(list(decisions(solved, rare=0.01))) == sum(decision.reach >= 0.01 for decision in decisions(solved))


def test_with_the_exchange_a_seat_sees_its_own_draws_only():
    solved = solve_endgame(Endgame((2, 2), turns=2, exchange=True), target=1e-2)
    found = list(decisions(solved))
    assert len(found) == solved.sets
    texts = {" ".join(step.text for step in d.history) for d in found if d.seat == 1 and len(d.history) == 4}
    assert "exchange allow draws two cards returns two cards" in texts
    mine = {d.history[2].text for d in found if d.seat == 0 and len(d.history) == 3 and d.history[0].text == "exchange"}
    assert "drawn duke duke" in mine


# --- fractions --------------------------------------------------------------------------------------------


@pytest.mark.plain
@settings(max_examples=50, deadline=None)
@given(st.floats(-3, 3), st.floats(1e-4, 0.5))
def test_the_simplest_fraction_has_the_smallest_denominator(low, width):
    high = low + width
    found = simplest_between(low, high)
    assert Fraction(low) <= found <= Fraction(high)
    for denominator in range(1, found.denominator):
        assert (Fraction(low) * denominator).__ceil__() > Fraction(high) * denominator


def test_a_draw_is_a_fraction_too(monkeypatch):
    """Nobody can win in one turn without coins; the value is shown without a proof as well."""
    solved = solve_endgame(Endgame((0, 0), turns=1))
    monkeypatch.setattr(SolvedEndgame, "proven", None)
    assert solved.fraction == 0


def test_sizes_that_are_lower_bounds_say_so():
    assert "has 28,456 nodes and needs about" in str(TooLarge(28_456, 1000))
    with pytest.raises(TooLarge, match=r"has at least [0-9,]+ nodes and needs at least"):
        Endgame((2, 2), turns=30).count(1000)


def test_a_wide_interval_has_no_fraction():
    assert solve_endgame(Endgame((3, 3), turns=2), target=0.05).fraction is None
