"""What learning is made of, without PyTorch: positions, what they are worth, evolution, the sequential test, and measuring."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.catan import Rules
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.layout import INPUTS, MOST
from kibitz.catan.core.policy import BUILDER, SEED
from kibitz.catan.setup import setup
from kibitz.learn.evolution import generations
from kibitz.learn.gate import SequentialTest
from kibitz.learn.measure import calibration, error_of, error_of_games, evaluated, win_rates
from kibitz.learn.positions import NoPositions, Sampling, one_a_game, sample
from kibitz.learn.targets import lambda_returns, outcomes

SHORT = Rules(max_turns=40, victory_points=4)


def positions(games: int = 40, jobs: int = 1, **settings: int):
    starts = setup(seed=3, rules=SHORT).starts(4, 0, games)
    tables = [[BUILDER] * 4, [SEED, BUILDER, SEED, BUILDER]]
    return sample(GAME, starts, tables, games, 5, Sampling(**settings), states=True, jobs=jobs)


def test_any_number_of_threads_keeps_the_same_positions():
    one, two = positions(jobs=1, keep=6, switch=20), positions(jobs=2, keep=6, switch=20)
    assert np.array_equal(one.inputs, two.inputs)
    assert np.array_equal(one.winner, two.winner)
    assert np.asarray(one.states).tobytes() == np.asarray(two.states).tobytes()


def test_positions_of_a_game_are_kept_in_their_order_and_know_who_won():
    found = positions(keep=6, switch=20)
    assert found.inputs.shape == (len(found), 4, INPUTS)
    assert found.inputs.min() >= 0
    assert found.inputs.max() <= MOST
    turns = np.asarray(found.states)["turn"].astype(int)
    same = found.game[1:] == found.game[:-1]
    assert (np.diff(found.game) >= 0).all()
    assert (np.diff(turns)[same] >= 0).all()
    assert (found.winner[1:][same] == found.winner[:-1][same]).all()
    assert set(found.winner.tolist()) <= {0, 1, 2, 3}
    assert max(np.bincount(found.game)) == 6


def test_a_game_without_deviations_is_that_of_its_players():
    calm, wild = positions(keep=1, switch=1), positions(keep=1, switch=10_000, deviations=100)
    assert len(calm) > 30
    assert len(wild) < 5  # hardly any game is let alone before it ends


def test_each_of_the_positions_to_measure_is_of_another_game_however_many_end_too_soon():
    asked = []

    def starts(first, n):
        asked.append((first, n))
        return setup(seed=3, rules=SHORT).starts(2, first, n)

    found = one_a_game(GAME, starts, [BUILDER] * 2, 12, 5, jobs=1)
    assert len(found) == 12
    assert len(asked) > 1  # some games had no position
    assert all(n < 12 for _, n in asked[1:])
    with pytest.raises(NoPositions, match="over too soon to keep 3 positions"):
        one_a_game(GAME, starts, [BUILDER] * 2, 3, 5, switch=1_000_000, jobs=1)


@pytest.mark.plain
def test_a_few_positions_are_played_on_and_judged():
    start = setup(seed=3, rules=replace(SHORT, victory_points=3, domestic_trade=False)).starts(2, 0, 1)
    found = sample(GAME, start, [[BUILDER, SEED]], 1, 5, Sampling(keep=2, switch=4), states=True, jobs=1)
    assert len(found) <= 2
    rates = win_rates(GAME, start, 1, [BUILDER, SEED], jobs=1)
    assert rates.sum() <= 1
    assert evaluated(GAME, start).sum() == pytest.approx(1, abs=1e-3)


@pytest.mark.plain
def test_a_return_looks_at_the_next_position_and_beyond():
    values = np.array([[0.2, 0.8], [0.4, 0.6], [0.7, 0.3], [0.5, 0.5]], np.float32)
    winner, game = np.array([1, 1, 1, 0], np.int8), np.array([4, 4, 4, 9])
    by_hand = [[0.5 * 0.4 + 0.5 * (0.5 * 0.7), 0], [0.5 * 0.7, 0], [0, 1], [1, 0]]
    by_hand[0][1], by_hand[1][1] = 1 - by_hand[0][0], 1 - by_hand[1][0]
    assert lambda_returns(values, winner, game, 0.5) == pytest.approx(np.array(by_hand), abs=1e-6)
    assert lambda_returns(values, winner, game, 1.0).tolist() == outcomes(winner, 2).tolist()
    assert lambda_returns(values, winner, game, 0.0)[:2].tolist() == values[1:3].tolist()


@pytest.mark.plain
def test_evolution_finds_a_hidden_list_of_numbers_and_goes_on_where_it_stopped():
    hidden = (30, -7, 400)

    def fitness(many):
        return [-sum(abs(a - b) / (1 + abs(b)) for a, b in zip(one, hidden, strict=True)) for one in many]

    run = generations([10, 0, 300], [5, 3, 60], fitness, population=24, seed=2)
    found = [next(run) for _ in range(60)]
    assert [abs(a - b) / (1 + abs(b)) < 0.1 for a, b in zip(found[-1].weights, hidden, strict=True)] == [True] * 3
    again = generations([10, 0, 300], [5, 3, 60], fitness, population=24, seed=2, after=found[20])
    assert next(again) == found[21]


@pytest.mark.plain
def test_the_sequential_test_errs_as_rarely_as_it_says():
    test = SequentialTest.above(0.25, margin=0.1)
    rng = np.random.default_rng(3)

    def passes(share: float) -> bool:
        wins = games = 0
        while (verdict := test.verdict(wins, games)) is None:
            wins, games = wins + int(rng.random() < share), games + 1
        return verdict

    assert sum(passes(0.25) for _ in range(400)) / 400 < 0.08
    assert sum(passes(0.35) for _ in range(400)) / 400 > 0.92


@pytest.mark.plain
def test_the_noise_of_the_games_is_taken_out_of_the_error():
    rng = np.random.default_rng(0)
    truth = rng.uniform(0.05, 0.95, (5000, 2))
    rates, said = rng.binomial(50, truth) / 50, truth + rng.normal(0, 0.08, truth.shape)
    assert error_of(said, rates, 50) == pytest.approx(0.08, abs=0.005)
    assert error_of(truth, rates, 50) < 0.01
    assert error_of_games(rates, 50, 25) == pytest.approx(np.sqrt(np.mean(truth * (1 - truth)) / 25), abs=0.005)


@pytest.mark.plain
def test_calibration_tells_an_honest_judge_from_a_bold_one():
    rng = np.random.default_rng(1)
    truth = rng.uniform(0, 1, (20_000, 1))
    seen = (rng.random(truth.shape) < truth).astype(float)
    assert all(one.holds or abs(one.said - one.seen) < 0.02 for one in calibration(truth, seen))
    bold = np.clip(0.5 + 1.6 * (truth - 0.5), 0, 1)
    assert sum(not one.holds for one in calibration(bold, seen)) > 4
