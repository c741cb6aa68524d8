"""Stretches of a series of games: any split, any workers and the GPU's long list give the same outcomes."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz import catan
from kibitz.catan.analysis import rollouts
from kibitz.catan.analysis.rollouts import OUTCOME, UNIT, Unit, play_unit, play_units, split
from kibitz.catan.core.state import new_states
from kibitz.compute import cuda, local
from kibitz.compute.runtime import Threads

RANDOM, SEED_BOT, BUILDER = 0, 1, 2
SHORT = catan.Rules(max_turns=60, domestic_trade=False)


def starts_on(*boards, seats=2, rules=SHORT):
    return new_states([catan.Board.random(number) for number in boards], seats, rules)


def outcomes_of(units):
    return np.concatenate([play_unit(unit) for unit in units])


def one_by_one(starts, seed, first, count, policies):
    """The slow reference: game i of a series, alone, from ``starts[i % len(starts)]`` with its own seed."""
    found = np.zeros(count, OUTCOME)
    for i in range(first, first + count):
        start = np.asarray(starts)[i % len(starts) : i % len(starts) + 1]
        seeds = np.array([local.game_seed(seed, i)], np.uint64)
        batch = local.play(local.Games(catan.GAME, start, np.zeros(1, np.int32), seeds, policies, {"weighing": 1}), jobs=1)
        found[i - first] = (batch.states["winner"][0], batch.states["turn"][0], batch.tallies[0], batch.lucks[0])
    return found


# --- split --------------------------------------------------------------------------------------------------


@pytest.mark.plain
@given(st.integers(0, 500), st.integers(0, 300), st.integers(1, 150))
def test_units_cover_a_stretch_exactly_and_starts_go_round_by_the_series_own_number(first, count, n):
    starts = np.arange(n)
    units = [*split(starts, 7, first, count, (RANDOM,))]
    games = [(unit.first + i, unit.starts[i % len(unit.starts)]) for unit in units for i in range(unit.count)]
    assert games == [(i, i % n) for i in range(first, first + count)]
    assert all(1 <= unit.count <= UNIT and len(unit.starts) <= unit.count for unit in units)


# --- play ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 3, 70])
def test_every_game_is_that_of_its_number(n):
    starts, policies = starts_on(*range(n)), (BUILDER, RANDOM)
    units = [*split(starts, 5, 40, 100, policies)]
    assert [unit.count for unit in units] == [24, 64, 12], "cut at multiples of 64"
    assert np.array_equal(outcomes_of(units), one_by_one(starts, 5, 40, 100, policies))


def test_any_split_gives_the_same_outcomes(monkeypatch):
    starts, policies = starts_on(1, 2, 3, 4, 5), (SEED_BOT, BUILDER)
    whole = outcomes_of(split(starts, 9, 0, 150, policies))
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr(rollouts, "UNIT", size)
        assert np.array_equal(outcomes_of(split(starts, 9, 0, 150, policies)), whole)
        halves = [*split(starts, 9, 0, 83, policies), *split(starts, 9, 83, 67, policies)]
        assert np.array_equal(outcomes_of(halves), whole)


def test_other_seeds_give_other_games():
    one, other = (outcomes_of(split(starts_on(1), seed, 0, 60, (BUILDER, BUILDER))) for seed in (1, 2))
    assert not np.array_equal(one, other)


def test_outcomes_say_who_won_when_and_what_the_robber_took():
    starts = starts_on(1, seats=3, rules=catan.Rules())
    unit = Unit(starts, seed=2, first=0, count=100, policies=(BUILDER,) * 3)
    batch = local.play(unit.games())
    outcomes = play_unit(unit)
    assert outcomes["winner"].tolist() == batch.states["winner"].tolist()
    assert set(outcomes["winner"].tolist()) == {0, 1, 2}
    assert outcomes["turn"].tolist() == batch.states["turn"].tolist()
    assert outcomes["lost"].min() == 0
    assert outcomes["lost"][:, :3].any(axis=0).all()
    assert not outcomes["lost"][:, 3].any()


@pytest.mark.plain
def test_nobody_wins_within_a_few_turns():
    rules = catan.Rules(max_turns=4, domestic_trade=False)
    outcomes = play_unit(Unit(starts_on(1, rules=rules), seed=1, first=0, count=2, policies=(RANDOM, RANDOM)))
    assert outcomes["winner"].tolist() == [-1, -1]
    assert outcomes["turn"].tolist() == [4, 4]


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_threads_give_what_single_units_give(jobs):
    units = [*split(starts_on(1, 2, 3), 9, 10, 300, (BUILDER, SEED_BOT))]
    found = dict(play_units(units, Threads(jobs)))
    assert sorted(found) == [*range(len(units))]
    assert all(np.array_equal(found[i], play_unit(unit)) for i, unit in enumerate(units))


def test_a_unit_can_be_sent_away_and_its_outcomes_back():
    unit = next(split(starts_on(1, 2, 3), 9, 10, 50, (BUILDER, SEED_BOT)))
    sent = pickle.loads(pickle.dumps(unit))
    assert sent.starts.tobytes() == unit.starts.tobytes()
    assert (sent.seed, sent.first, sent.count, sent.policies) == (9, 10, 50, (BUILDER, SEED_BOT))
    back = pickle.loads(pickle.dumps(play_unit(sent)))
    assert back.dtype == OUTCOME
    assert np.array_equal(back, play_unit(unit))


# --- as a GPU plays them ------------------------------------------------------------------------------------


@pytest.mark.plain
def test_joined_units_are_the_same_games():
    units = [
        *split(starts_on(1, 2, 3), 9, 10, 2, (RANDOM, RANDOM)),
        *split(starts_on(4), 8, 0, 1, (RANDOM, RANDOM)),
        *split(starts_on(5, 6), 9, 1, 2, (RANDOM, RANDOM)),
    ]
    joined = rollouts._joined(units)
    assert len(joined) == 5
    single = [unit.games() for unit in units]
    assert joined.seeds.tolist() == [seed for games in single for seed in games.seeds.tolist()]
    begin = np.asarray(joined.starts)[joined.which]
    expected = np.concatenate([np.asarray(games.starts)[games.which] for games in single])
    assert begin.tobytes() == expected.tobytes()


@pytest.mark.parametrize("at_once", [1, 100, 1 << 18])
def test_a_gpu_would_give_what_single_units_give(monkeypatch, at_once):
    """The CPU plays the GPU's lists; `tests/compute/test_cuda.py` compares the two."""
    lists = []

    def play(games):
        lists.append(len(games))
        return local.play(games)

    monkeypatch.setattr(cuda, "require_gpu", lambda: None)
    monkeypatch.setattr(cuda, "play", play)
    monkeypatch.setattr(rollouts, "GPU_GAMES", at_once)
    units = [
        *split(starts_on(1, 2, 3), 9, 10, 150, (BUILDER, SEED_BOT)),
        *split(starts_on(4), 8, 0, 70, (BUILDER, SEED_BOT)),
        *split(starts_on(4), 8, 0, 70, (SEED_BOT, BUILDER)),
    ]
    found = dict(play_units(units, cuda.Gpu()))
    assert sorted(found) == [*range(len(units))]
    assert all(np.array_equal(found[i], play_unit(unit)) for i, unit in enumerate(units))
    assert lists == {1: [54, 64, 32, 64, 6, 64, 6], 100: [54, 96, 70, 70], 1 << 18: [220, 70]}[at_once]
