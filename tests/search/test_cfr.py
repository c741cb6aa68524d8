"""The solver: known values and exploitability curves, the four methods by hand, limits, and the same result every time."""

from types import SimpleNamespace

import numpy as np
import pytest

from kibitz.compute.runtime import Limit, Runtime
from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.search.cfr import METHODS, Method, Quality, Solver, solve
from kibitz.search.flat import flatten
from kibitz.search.response import exploitability, uniform, value
from tests.search.plain_games import (
    ASSASSIN,
    ASSASSINATE,
    BLOCK,
    CHALLENGE,
    CIVILIAN,
    CONTESSA,
    DEAL,
    INCOME,
    KuhnCoup,
    Rounds,
)


@pytest.fixture(scope="module")
def trees():
    return SimpleNamespace(kuhn=flatten(kuhn.new(2, 0)), leduc=flatten(leduc.new(2, 0)))


# --- ground truth ---------------------------------------------------------------------------------------------

#: Exploitability (NashConv / 2) after so many iterations, as other implementations have it.
CURVES = {
    ("kuhn", "cfr"): {10: 0.068699, 100: 0.008226, 1000: 0.000938},
    ("kuhn", "cfr+"): {10: 0.032687, 100: 0.001194, 1000: 0.000087},
    ("leduc", "cfr"): {10: 0.888579, 100: 0.095716},
    ("leduc", "cfr+"): {10: 0.610439, 100: 0.013416},
}


@pytest.mark.parametrize(("name", "method"), CURVES)
def test_exploitability_falls_as_published(trees, name, method):
    tree = getattr(trees, name)
    for iterations, expected in CURVES[name, method].items():
        assert solve(tree, method, iterations).exploitability == pytest.approx(expected, abs=5e-7)


@pytest.mark.plain
@pytest.mark.parametrize("method", ["cfr", "cfr+"])
def test_exploitability_of_kuhn_after_ten_iterations(trees, method):
    assert solve(trees.kuhn, method, 10).exploitability == pytest.approx(CURVES["kuhn", method][10], abs=5e-7)


@pytest.mark.parametrize(
    ("start", "expected", "iterations"),
    [
        (lambda: kuhn.new(2, 0), -1 / 18, 10_000),
        (lambda: leduc.new(2, 0), -0.08560642, 8_000),
        (lambda: liars_dice.start(1, 2), 1 / 2, 2_000),
        (lambda: liars_dice.start(1, 3), 1 / 9, 2_000),
        (lambda: liars_dice.start(1, 4), 1 / 16, 2_000),
        (lambda: liars_dice.start(1, 5), 0.008, 1_500),
        (KuhnCoup, 2 / 3, 2_000),
    ],
    ids=["kuhn", "leduc", "dice 2", "dice 3", "dice 4", "dice 5", "kuhn coup"],
)
def test_values(start, expected, iterations):
    solution = solve(flatten(start()), "dcfr", iterations)
    assert solution.value == pytest.approx(expected, abs=1e-6)
    assert abs(solution.value - expected) <= 2 * solution.exploitability + 1e-8
    assert solution.exploitability < 5e-5


def test_all_methods_agree(trees):
    for method in ("cfr", "cfr+", "dcfr"):
        assert solve(trees.kuhn, method, 20_000).value == pytest.approx(-1 / 18, abs=1e-5)


def test_kuhn_coup_is_won_by_a_coin():
    """Income threatens a coup, so that the second player has to assassinate: that wins with the Assassin, if nobody blocks."""
    flat = flatten(KuhnCoup())
    solution = solve(flat, "dcfr", 2000)
    for card, other in ((ASSASSIN, CIVILIAN), (CONTESSA, CIVILIAN), (CIVILIAN, ASSASSIN)):
        deal = [DEAL + card, DEAL + other]
        assert solution.probabilities(flat.follow(deal))[INCOME] == pytest.approx(1, abs=1e-3)
        answer = BLOCK if card == CONTESSA else CHALLENGE
        assert solution.probabilities(flat.follow([*deal, INCOME, ASSASSINATE]))[answer] == pytest.approx(1, abs=1e-3)


# --- one iteration by hand ------------------------------------------------------------------------------------


class Pennies(Rounds):
    """Two players choose in secret; seat 0 wins 3 if both choose 1, and 1 if both choose 0, else loses 1."""

    def score(self, seat: int) -> int:
        one, two = self.done
        won = (3 if one else 1) if one == two else -1
        return won if seat == 0 else -won

    def seen(self, a: int, seat: int) -> int:
        return a if self.actor() == seat else -1


@pytest.mark.plain
def test_two_iterations_by_hand():
    flat = flatten(Pennies(order=(0, 1)))
    solver = Solver(flat, "cfr")
    assert solver.current.tolist() == [1 / 2] * 4
    solver.run(1)
    # Seat 0 expects 0 from action 0 and 1 from action 1; seat 1 then faces action 1 for sure, which pays -1 and 3.
    assert solver.regret.tolist() == [-0.5, 0.5, 2.0, -2.0]
    assert solver.current.tolist() == [0, 1, 1, 0]
    # Seat 1 does not know at which of two nodes it is: its information set counts once.
    assert solver.total.tolist() == [1 / 2] * 4
    solver.run(1)
    # Seat 0 expects -1 and plays it: action 0 would win 1. Then its regrets are 1.5 and 0.5, and it plays 3 to 1.
    assert solver.regret[:2].tolist() == [1.5, 0.5]
    assert solver.total[:2].tolist() == [0.5, 1.5]
    assert solver.current[:2].tolist() == [3 / 4, 1 / 4]
    # Seat 1, which plays 0, loses 3/4 - 1/4 with it; action 1 would win 3/4 - 3/4.
    assert solver.regret[2:].tolist() == [2.0, -1.5]
    assert solver.average().tolist() == [1 / 4, 3 / 4, 3 / 4, 1 / 4]


@pytest.mark.plain
def test_the_methods_forget_as_they_say():
    flat = flatten(Pennies(order=(0, 1)))
    plus, discounted = Solver(flat, "cfr+"), Solver(flat, "dcfr")
    for solver in (plus, discounted):
        solver.run(1)
    assert plus.regret.tolist() == [0, 0.5, 2.0, 0]
    assert discounted.regret.tolist() == [-0.25, 0.25, 1.0, -1.0]  # 1 / (1 + 1) of everything
    for solver in (plus, discounted):
        solver.run(1)
    assert plus.total[:2].tolist() == [0.5, 0.5 + 2]
    assert discounted.total[:2].tolist() == [0.5, 0.5 + 4]
    kept = 2**1.5 / (2**1.5 + 1)
    assert discounted.regret[:2].tolist() == pytest.approx([kept * (-0.25 + 2), kept * 0.25])


@pytest.mark.plain
def test_schedules():
    assert METHODS["cfr"].schedule(0, 3).tolist() == [[1, 1, 1]] * 3
    assert METHODS["cfr+"].schedule(4, 2).tolist() == [[1, 0, 5], [1, 0, 6]]
    assert METHODS["dcfr"].schedule(3, 1)[0].tolist() == pytest.approx([8 / 9, 1 / 2, 16])


# --- sampling -------------------------------------------------------------------------------------------------


def test_sampling_converges(trees):
    curve = [solve(trees.kuhn, "mccfr", n, seed=1).exploitability for n in (100, 10_000, 1_000_000)]
    assert curve[0] > curve[1] > curve[2]
    assert curve[2] < 0.002
    leduc_solution = solve(trees.leduc, "mccfr", 1_000_000, seed=1)
    assert leduc_solution.exploitability < 0.03
    assert leduc_solution.value == pytest.approx(-0.0856, abs=0.02)


def test_sampled_regrets_are_right_on_average(trees):
    """Over many seeds the mean of the first regrets is what one iteration over the whole tree gives."""
    whole = Solver(trees.kuhn, "cfr")
    whole.run(1)
    first = flat_slots(trees.kuhn, seat=0)
    sums = np.zeros(len(trees.kuhn.slot_action))
    seeds = 4000
    for seed in range(seeds):
        solver = Solver(trees.kuhn, "mccfr", seed)
        solver.run(1)
        sums += solver.regret
    assert sums[first] / seeds == pytest.approx(whole.regret[first], abs=0.06)


def flat_slots(flat, seat):
    return flat.set_seat.repeat(np.diff(flat.set_slot)) == seat


@pytest.mark.plain
def test_a_seed_gives_the_same_samples_however_they_are_cut(trees):
    one, two, other = Solver(trees.kuhn, "mccfr", 5), Solver(trees.kuhn, "mccfr", 5), Solver(trees.kuhn, "mccfr", 6)
    one.run(60)
    for n in (1, 19, 40):
        two.run(n)
    other.run(60)
    assert np.array_equal(one.regret, two.regret)
    assert one.visits == two.visits < 60 * 2 * len(trees.kuhn.actor)
    assert not np.array_equal(one.regret, other.regret)


# --- limits and progress --------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize("method", METHODS)
def test_progress_is_told_and_changes_nothing(trees, method):
    heard = []
    solution = solve(trees.kuhn, method, 50, runtime=Runtime(on_info=heard.append))
    solver = Solver(trees.kuhn, method)
    solver.run(50)
    assert np.array_equal(solution.strategy, solver.average())
    assert [info.done for info in heard] == sorted({info.done for info in heard})
    assert (heard[0].done, heard[-1].done, heard[-1].total) == (1, 50, 50)
    assert heard[-1].ranking == Quality(solution.value, solution.exploitability)
    assert solution.exploitability == pytest.approx(exploitability(trees.kuhn, solution.strategy), abs=1e-14)
    assert solution.value == pytest.approx(value(trees.kuhn, solution.strategy), abs=1e-14)
    assert (solution.iterations, solution.stopped) == (50, None)


def test_limits(trees):
    assert solve(trees.kuhn, iterations=50, runtime=Runtime(Limit(iterations=20))).iterations == 20
    assert solve(trees.kuhn, iterations=20, runtime=Runtime(Limit(iterations=50))).iterations == 20
    timed = solve(trees.leduc, iterations=10**9, runtime=Runtime(Limit(time=0.05)))
    assert timed.stopped == "time"
    assert 0 < timed.iterations < 10**9
    runtime = Runtime(on_info=lambda info: runtime.cancel())
    assert solve(trees.leduc, iterations=10**9, runtime=runtime).stopped == "cancelled"
    aimed = solve(trees.kuhn, "dcfr", 10**6, target=1e-3)
    assert aimed.exploitability <= 1e-3
    assert aimed.iterations < 1000


@pytest.mark.plain
def test_what_cannot_be_asked_for(trees):
    with pytest.raises(ValueError, match="iterations=0"):
        solve(trees.kuhn, iterations=0)
    with pytest.raises(ValueError, match=r"method 'cfr2': expected one of cfr, cfr\+, dcfr, mccfr"):
        solve(trees.kuhn, "cfr2")
    with pytest.raises(ValueError, match="nobody decides after"):
        solve(trees.kuhn, iterations=1).probabilities(0)


@pytest.mark.plain
def test_own_methods(trees):
    """Linear CFR is discounted CFR with all exponents 1."""
    linear = solve(trees.kuhn, Method(alpha=1, beta=1, gamma=1), 100)
    assert linear.exploitability < 0.01
    with pytest.raises(ValueError, match="sampled lines all count alike"):
        Method(gamma=1, sampled=True)


@pytest.mark.plain
def test_information_sets_that_were_never_reached_are_uniform(trees):
    solver = Solver(trees.kuhn, "mccfr")
    assert np.array_equal(solver.average(), uniform(trees.kuhn))


@pytest.mark.plain
def test_a_game_that_is_over_has_its_value():
    game = Rounds(order=(0,), done=(1,))
    solution = solve(flatten(game), "cfr", 2)
    assert (solution.value, solution.exploitability, len(solution.strategy)) == (1, 0, 0)
