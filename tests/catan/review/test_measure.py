"""How games are spent on the decisions of a review: who gets how many, and what the intervals are."""

from dataclasses import replace
from importlib import import_module
from typing import ClassVar

import numpy as np
import pytest

from kibitz.catan.analysis.rollouts import OUTCOME, paired_difference
from kibitz.catan.core.board import Board
from kibitz.catan.core.codes import END_TURN, ROLL_DICE
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import Rules, new_states
from kibitz.catan.review import ReviewConfig, look_back
from kibitz.catan.review.decisions import Case
from kibitz.catan.review.measure import TOGETHER, Z_AGAIN, Measure, Suspect
from kibitz.catan.review.types import INACCURACY
from kibitz.compute.runtime import Threads
from kibitz.ground.intervals import Z

BETTER, PLAYED = ROLL_DICE, END_TURN  # any two moves


def outcomes(move, first, count):
    """Of 20 pairs of games the better move wins 9 that the other loses, and the other way round 8."""
    numbers, games = (first + np.arange(count)) % 20, np.zeros(count, OUTCOME)
    games["winner"] = np.where(numbers < 11 if move == BETTER else (numbers > 8) & (numbers < 19), 0, 1)
    return games


@pytest.fixture
def asked(monkeypatch):
    """What games were asked for: the move, the number of the first, and how many. None is played."""
    asked = []

    def play(self, wanted):
        asked.extend(one[1:] for one in wanted)
        self.spent += sum(count for *_, count in wanted)
        return {(case, move): outcomes(move, first, count) for case, move, first, count in wanted}

    monkeypatch.setattr(Measure, "_play", play)
    return asked


@pytest.mark.plain
def test_a_likely_mistake_that_is_not_proven_gets_as_many_games_again(asked):
    """As soon as there are games for it. No game counts twice, and the interval is wider than usual."""
    measure = Measure(ReviewConfig(games=600, tries=4, pairs=300), Threads(1))
    case = Case(5, 3, 0, PLAYED, [PLAYED, BETTER], new_states(Board.beginner(), 2), 1)
    measure._waiting = [Suspect(case, BETTER, 0.05, 0.6)]
    assert len([*measure.measure()]) == 1
    assert (case.verdict.games, measure.waits) == (300, True)
    measure.budget += 600
    assert len([*measure.measure()]) == 1
    assert asked == [(move, first, 300) for first in (8, 308) for move in (BETTER, PLAYED)]
    assert (case.verdict.games, measure.spent, measure.waits) == (600, 1200, False)
    once, loss = paired_difference(outcomes(BETTER, 8, 600), outcomes(PLAYED, 8, 600), 0), case.verdict.loss
    assert loss.mean == once.mean
    assert loss.high - loss.low == pytest.approx(Z_AGAIN / Z * (once.high - once.low))


@pytest.mark.plain
def test_where_first_looks_have_used_up_their_half_the_evaluators_word_stands(asked):
    """As docs/review.md says: such a decision has no games, so that it is never listed."""
    states, merits = new_states(Board.beginner(), 2), np.array([[0.2, 0.3], [0.2, 0.3]])
    cases = [Case(step, 3, 0, PLAYED, [PLAYED, BETTER], states, 1, merits) for step in range(TOGETHER + 1)]
    for case in cases:
        case.supposed(BETTER, case.guess)
    measure = Measure(ReviewConfig(games=4 * 4 * TOGETHER, tries=4), Threads(1))
    assert len([*measure.look(cases)]) == 1
    assert measure.spent >= measure.budget / 2
    *looked_at, last = (case.verdict for case in cases)
    assert all(verdict.loss != cases[-1].guess for verdict in looked_at)
    assert (last.loss, last.games, last.grade) == (cases[-1].guess, 0, INACCURACY)


class Spender:
    """Stands for `Measure`: each seat wants series of so many games, one after the other."""

    WANTED: ClassVar = {0: [40], 1: [100, 40], 2: [100, 20, 900], 3: [100]}
    found: ClassVar = {}

    def __init__(self, config, workers):
        self.budget, self.spent, self.wanted = config.games, 0, []

    @property
    def waits(self):
        return bool(self.wanted)

    def look(self, cases):
        self.wanted = [*self.WANTED[cases[0].seat]]
        self.found[cases[0].seat] = self
        yield

    def measure(self):
        while self.wanted and self.wanted[0] <= self.budget - self.spent:
            self.spent += self.wanted.pop(0)
            yield


@pytest.mark.plain
@pytest.mark.parametrize("seat", [None, 1, 2, 3])
def test_all_that_is_left_over_is_spent_whoever_asks(monkeypatch, seat):
    """Seat 0 leaves 60 games: 40 for seat 1 and 20 for seat 2, whatever the order; for 900 more there are not enough."""
    monkeypatch.setattr(Spender, "found", {})
    monkeypatch.setattr(import_module("kibitz.catan.review.look_back"), "Measure", Spender)
    record = simulate(Board.beginner(), ["random"] * 4, 1, Rules(victory_points=3))
    cut = replace(record, codes=record.codes[:30])
    look_back(cut, ReviewConfig(worlds=1, games=100, seat=seat), workers=Threads(1))
    assert {who: one.spent for who, one in sorted(Spender.found.items())} == {0: 40, 1: 140, 2: 120, 3: 100}
