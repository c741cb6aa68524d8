"""Figures of simulated games, on games written down by hand."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.catan.analysis.rollouts import (
    OUTCOME,
    Outcomes,
    average_robber_loss,
    average_win_turn,
    paired_difference,
    summarize,
    win_share,
)
from kibitz.catan.analysis.types import Difference
from kibitz.catan.core.luck import LUCK
from kibitz.play.share import Share

pytestmark = pytest.mark.plain

fixed = settings(derandomize=True, database=None, deadline=None)


def games(*rows: tuple[int, int, tuple[int, int, int, int]]) -> Outcomes:
    """Winner, turn and cards lost by each seat, game by game; without luck."""
    return np.array([(*row, (0, 0, 0, 0)) for row in rows], OUTCOME)


def won(*wins: int) -> Outcomes:
    """Games of seat 0: 1 won, 0 lost."""
    return games(*((0 if win else 1, 50, (0, 0, 0, 0)) for win in wins))


#: Seat 0 wins in turns 60 and 81, seat 2 in turn 70; nobody wins the last game.
FOUR = games((0, 60, (1, 9, 0, 0)), (2, 70, (4, 9, 0, 0)), (0, 81, (0, 9, 2, 0)), (-1, 300, (5, 9, 0, 0)))


def test_a_summary_by_hand():
    found = summarize(FOUR, seats=3)
    assert found.rollout_count == 4
    assert found.player_win_rates == {0: 0.5, 1: 0.0, 2: 0.25}
    assert found.player_win_intervals == {seat: Share(n, 4).interval for seat, n in {0: 2, 1: 0, 2: 1}.items()}
    assert found.expected_turns_to_victory == {0: 70.5, 1: None, 2: 70.0}
    assert found.average_game_length_turns == (60 + 70 + 81 + 300) / 4
    assert found.unfinished == 1


def test_a_summary_of_no_games():
    found = summarize(FOUR[:0], seats=2)
    assert (found.rollout_count, found.average_game_length_turns, found.unfinished) == (0, 0.0, 0)
    assert found.player_win_rates == {0: 0.0, 1: 0.0}
    assert found.player_win_intervals == {0: (0.0, 1.0), 1: (0.0, 1.0)}
    assert found.expected_turns_to_victory == {0: None, 1: None}


def test_many_long_games_do_not_overflow():
    long = games(*[(0, 30000, (30000, 0, 0, 0))] * 1000)
    assert summarize(long, 2).average_game_length_turns == 30000
    assert average_win_turn(long, 0, 300) == 30000
    assert average_robber_loss(long, 0) == 30000


def test_what_one_seat_won_and_lost():
    assert [win_share(FOUR, seat) for seat in range(3)] == [Share(2, 4), Share(0, 4), Share(1, 4)]
    assert [average_robber_loss(FOUR, seat) for seat in range(4)] == [2.5, 9.0, 0.5, 0.0]
    assert average_robber_loss(FOUR[:0], 0) == 0.0


def test_the_average_turn_of_victory_is_that_of_the_seat_or_the_cap():
    assert average_win_turn(FOUR, 0, cap=300) == 70.5
    assert average_win_turn(FOUR, 2, cap=300) == 70.0
    assert average_win_turn(FOUR, 1, cap=300) == 300.0
    assert average_win_turn(FOUR[:0], 0, cap=40) == 40.0


# --- differences ----------------------------------------------------------------------------------------------


def test_a_difference_by_hand():
    """Of five games one was won instead of lost, two lost instead of won; with one more of each 2 and 3 of 7."""
    found = paired_difference(won(1, 0, 0, 1, 0), won(0, 1, 1, 1, 0), seat=0)
    margin = 1.96 * sqrt((5 / 7 - 1 / 49) / 7)
    assert found.mean == pytest.approx(-0.2)
    assert (found.low, found.high) == pytest.approx((-1 / 7 - margin, -1 / 7 + margin))


def test_a_difference_counts_the_games_that_both_have():
    assert paired_difference(won(1, 1, 0, 0, 0), won(0, 1), seat=0) == paired_difference(won(1, 1), won(0, 1), seat=0)
    assert paired_difference(won(), won(1, 1), seat=0) == Difference(0.0, -1.0, 1.0)


def test_equal_games_are_no_proof_of_equality():
    found = paired_difference(won(1, 0, 1, 0), won(1, 0, 1, 0), seat=0)
    assert found.mean == 0
    assert found.low < 0 < found.high


def test_one_game_is_no_proof_of_anything():
    found = paired_difference(won(0), won(1), seat=0)
    assert found.mean == -1
    assert found.low == -1
    assert found.high > 0


def test_luck_cancels_out():
    """8 games more of 400: told apart where the games are paired, not where they are shuffled."""
    base = np.tile([1, 0], 200)
    better = base.copy()
    better[1::50] = 1  # 8 lost games are won
    wins = paired_difference(won(*better), won(*base), 0)
    assert wins.low > 0
    apart = paired_difference(won(*better), won(*(1 - base)), 0)
    assert apart.low < 0 < apart.high


wins = st.lists(st.integers(0, 1), min_size=1, max_size=60)


@fixed
@given(wins, wins)
def test_a_difference_turned_round(ours, theirs):
    there, back = paired_difference(won(*ours), won(*theirs), 0), paired_difference(won(*theirs), won(*ours), 0)
    assert (there.mean, there.low, there.high) == pytest.approx((-back.mean, -back.high, -back.low))
    assert -1 <= there.mean <= 1
    assert -1 <= there.low <= there.mean <= there.high <= 1
    assert there.low < there.high


def test_intervals_of_differences_hold_what_they_promise():
    """Pairs with a true difference of 0.05, much of the luck shared: 95 % of the intervals hold it, also with few games."""
    rng = np.random.default_rng(1)
    for n in (10, 60, 300):
        held = 0
        for _ in range(1000):
            luck = np.where(rng.random((2, n)) < 2 / 3, rng.random(n), rng.random((2, n)))
            found = paired_difference(won(*(luck[0] < 0.35)), won(*(luck[1] < 0.3)), 0)
            held += found.low <= 0.05 <= found.high
        assert 935 <= held <= (1000 if n == 10 else 970), n


# --- luck -------------------------------------------------------------------------------------------------------


def lucky(wins: np.ndarray, luck: np.ndarray) -> Outcomes:
    """Games of seat 0 with its luck, as a share of a win."""
    found = won(*wins.astype(int))
    found["luck"][:, 0] = np.round(luck * LUCK)
    return found


def test_a_share_without_luck_by_hand():
    """Two of four games won, both with luck: 0.5, less 0.1 on average. Twenty more games without luck are imagined."""
    found = win_share(lucky(np.array([1, 1, 0, 0]), np.array([0.4, 0.2, 0.0, -0.2])), 0)
    assert (found.won, found.games) == (2, 4)
    assert found.fair == pytest.approx(0.4)
    variance = np.var([0.6, 0.8, 0.0, 0.2])
    left = (4 * variance / 0.25 + 20) / (4 + 20)
    assert found.as_good_as == pytest.approx(4 / max(0.5, left))


def test_where_all_or_none_were_won_luck_says_nothing():
    for wins in (np.zeros(5), np.ones(5)):
        assert win_share(lucky(wins, np.full(5, 0.1)), 0) == Share(int(wins.sum()), 5)


def test_a_share_without_luck_stays_between_0_and_1():
    found = win_share(lucky(np.array([1, 0, 0, 0]), np.array([0.9, 0.9, 0.9, 0.9])), 0)
    assert found.rate == 0.0
    assert 0 <= found.interval[0] <= found.rate <= found.interval[1] <= 1


def test_intervals_without_luck_hold_what_they_promise():
    """Wins that luck explains in part: the intervals are narrower, and 95 % of them hold the truth, also with few games."""
    rng = np.random.default_rng(2)
    for n in (20, 60, 300):
        held = held_apart = 0
        narrower = []
        for _ in range(1000):
            shared, own = rng.normal(size=n), rng.normal(size=(2, n))
            luck = 0.6 * shared + 0.8 * own
            wins = luck + rng.normal(size=(2, n)) > 0.9539  # of a variance of 2: one game in four
            one, other = (lucky(wins[i], 0.19 * luck[i]) for i in range(2))
            share, difference = win_share(one, 0), paired_difference(one, other, 0)
            held += share.interval[0] <= 0.25 <= share.interval[1]
            held_apart += difference.low <= 0 <= difference.high
            narrower.append(share.margin / Share(share.won, share.games).margin)
        assert 930 <= held <= 972, n
        assert 930 <= held_apart <= 985, n
        assert np.mean(narrower) < 0.95


def test_differences_without_luck_are_fair_and_surer():
    rng = np.random.default_rng(3)
    n = 4000
    luck = rng.normal(size=(2, n))
    wins = luck + rng.normal(size=(2, n)) > [[0.9], [1.0]]
    raw = paired_difference(won(*wins[0].astype(int)), won(*wins[1].astype(int)), 0)
    fair = paired_difference(lucky(wins[0], 0.2 * luck[0]), lucky(wins[1], 0.2 * luck[1]), 0)
    assert fair.margin < 0.9 * raw.margin
    assert raw.low < fair.mean < raw.high
