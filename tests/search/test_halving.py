"""Root actions that meet the same luck, sequential halving, trees that widen slowly and end with the turn."""

from typing import Any

import pytest

from kibitz.compute.runtime import Threads
from kibitz.coup.core.policy import HEURISTIC
from kibitz.game import CHANCE, OVER
from kibitz.game.evaluator import SURE
from kibitz.search.ismcts import SearchConfig, SearchResult, search
from tests.search.searchable import Choice, Toy
from tests.search.test_ismcts import asked, coup_position, everything, imagined, values, visits

PAIRED = SearchConfig(iterations=70, trees=1, paired=True)
HALVED = SearchConfig(iterations=70, trees=1, paired=True, halving=True)


class Lottery(Toy):
    """Seat 0 bets 0, 1 or 2, and three coins are flipped: most of what comes of it is luck, the rest is the bet."""

    def actor(self) -> int:
        return [0, CHANCE, CHANCE, CHANCE, OVER][len(self.done)]

    def options(self) -> list[int]:
        return [0, 1] if self.done else [0, 1, 2]

    def worth(self) -> int:
        bet, *coins = self.done
        return bet + 2 * sum(coins) + 2 * self.world


class Turn(Toy):
    """Seat 0 decides four times; its turn ends, and all is settled, after the second. Only the first choice matters."""

    def actor(self) -> int:
        return OVER if len(self.done) == 4 else 0

    def options(self) -> list[int]:
        return [1, 2, 3, 4, 5]

    def worth(self) -> int:
        return 2 * self.done[0]

    def choose(self, x: Any, policy: int) -> int:
        return 3

    def settled(self) -> int:
        return int(len(self.done) == 2)


def root_values(config: SearchConfig) -> dict[int, float]:
    return values(search([Lottery(0), Lottery(1)], 0, config, views=[(0, 0), (0, 1)]))


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(3))
def test_paired_actions_differ_by_what_they_do_and_not_by_luck(seed):
    found = root_values(SearchConfig(iterations=30, trees=1, exploration=100.0, paired=True, seed=seed))
    assert found[1] - found[0] == pytest.approx(0.1)
    assert found[2] - found[1] == pytest.approx(0.1)
    alone = root_values(SearchConfig(iterations=30, trees=1, exploration=100.0, seed=seed))
    assert abs(alone[1] - alone[0] - 0.1) + abs(alone[2] - alone[1] - 0.1) > 1e-6


@pytest.mark.plain
def test_halving_takes_the_better_half_twice_as_often():
    result = search([Choice()], 0, HALVED)  # of seven: each once, the better two twice more
    assert visits(result) == {6: 30, 5: 30, 3: 10}
    assert result.best.action == 6


@pytest.mark.plain
def test_after_halving_the_better_of_the_last_two_is_best_whoever_was_visited_more():
    result = search([Choice()], 0, SearchConfig(iterations=4, trees=1, paired=True, halving=True))
    assert sum(visits(result).values()) == 4
    assert result.best.action == 6


@pytest.mark.plain
def test_in_a_slowly_widening_tree_the_guide_is_followed_first():
    """In the node below the root that was visited most, one action is tried for every so many visits."""
    below = [tried_below(search([Turn()], 0, SearchConfig(iterations=60, trees=1, guide=1, widening=n))) for n in (0, 20, 1000)]
    assert below[0] == {1, 2, 3, 4, 5}
    assert 3 in below[1] < below[0]
    assert below[2] == {3}


def tried_below(result: SearchResult) -> set[int]:
    (forest,) = result._forests
    most = max(forest.children(forest.root).values(), key=lambda node: forest.nodes["visits"][node])
    return {*forest.children(most)}


@pytest.mark.plain
@pytest.mark.parametrize("paired", [False, True])
def test_a_planned_tree_ends_where_all_is_settled(paired):
    deep = search([Turn()], 0, SearchConfig(iterations=200, trees=1, paired=paired))
    turn = search([Turn()], 0, SearchConfig(iterations=200, trees=1, paired=paired, planning=True))
    assert max(len(line) for line in deep.lines(5, 9)) == 4
    assert max(len(line) for line in turn.lines(5, 9)) == 2
    assert deep.best.action == turn.best.action == 5


@pytest.mark.plain
def test_what_was_available_is_counted_for_paired_actions_too():
    result = search([Choice()], 0, HALVED)
    assert sorted(one.available for one in result.actions) == [68, 69, 70]


def test_any_number_of_threads_gives_the_same_halving():
    worlds = imagined(coup_position(3), 0, 100)
    config = SearchConfig(iterations=1001, trees=3, paired=True, halving=True, widening=3, guide=HEURISTIC, policy=HEURISTIC)
    one, three = (search(worlds, 0, config, workers=Threads(n)) for n in (1, 3))
    assert everything(one) == everything(three)


def test_halving_decides_by_nothing_that_is_hidden():
    truth = coup_position(3, steps=4)
    seat = asked(truth)
    other = imagined(truth, seat, 1, seed=99)
    assert other.tobytes() != truth.tobytes()
    config = SearchConfig(iterations=500, paired=True, halving=True, widening=2, policy=HEURISTIC, guide=HEURISTIC)
    one, two = (search(imagined(states, seat, 50), seat, config) for states in (truth, other))
    assert everything(one) == everything(two)


class Judged(Toy):
    """Eight steps, and seat 0 has won; every second position is settled, where its chance is one tenth for each step so far."""

    stakes = (0, 1)

    def actor(self) -> int:
        return OVER if len(self.done) == 8 else 0

    def options(self) -> list[int]:
        return [1]

    def worth(self) -> int:
        return 1

    def prize(self, seat: int) -> int:
        return 1 - seat

    def settled(self) -> int:
        return int(len(self.done) % 2 == 0)

    def value(self, x: Any) -> int:
        x.values[0] = SURE * len(self.done) // 10
        x.values[1] = SURE - x.values[0]
        return 1


@pytest.mark.plain
@pytest.mark.parametrize(
    ("horizon", "looks", "worth"),
    [(0, 1, 0.2), (1, 1, 0.4), (0, 2, 0.3), (1, 2, 0.5), (0, 3, 0.4), (0, 4, 0.55), (0, 5, 0.64), (9, 1, 1.0)],
)
def test_the_evaluator_is_asked_where_all_is_settled_and_the_mean_counts(horizon, looks, worth):
    """After the first step, the tree's, come settled positions after two, four and six, and then the end."""
    result = search([Judged()], 0, SearchConfig(iterations=1, trees=1, horizon=horizon, looks=looks))
    assert result.best.values == pytest.approx((worth, 1 - worth), abs=1e-4)
