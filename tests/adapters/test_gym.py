"""The Gymnasium environment of one seat."""

import pytest

pytest.importorskip("gymnasium", reason="the extra `adapters` is not installed")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

from kibitz.adapters.gym import SeatEnv
from kibitz.rng import Stream

TABLES = [*(("catan", seats) for seats in (2, 3, 4)), *(("coup", seats) for seats in range(2, 7)), ("onepiece", 2)]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_gymnasium_has_no_complaints(name, seats):
    check_env(SeatEnv(name, seats, seat=seats - 1), skip_render_check=True)


def played(env, seed, choose):
    """A whole game: the ids that were done, what was reported, and the reward."""
    _, info = env.reset(seed=seed)
    done, over, reward = [], False, 0.0
    while not over:
        _, reward, over, _, info = env.step(choose(info["action_mask"]))
        done.append((info["action"], info["illegal"]))
    assert not info["action_mask"].any()
    return done, reward


@pytest.mark.plain
@pytest.mark.parametrize(
    "wrong",
    [-1, 10**6, 1 << 80, 53, 0.0, 1.5, float("nan"), np.float32("inf"), None, "income", [0], np.zeros(2, int)],
    ids=repr,
)
def test_what_is_no_legal_id_is_replaced_and_reported(wrong):
    env = SeatEnv("coup", 3, opponents="heuristic")
    steps, reward = played(env, 1, lambda mask: wrong)
    assert steps[0] == (env.actions.number("income"), True)  # the default of a turn with few coins
    assert 0 <= reward <= 1
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


@pytest.mark.plain
@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.array])
def test_every_whole_number_is_an_id(kind):
    env = SeatEnv("coup", 2)
    env.reset(seed=1)
    *_, info = env.step(kind(env.actions.number("foreign_aid")))
    assert (env.actions.describe(info["action"]), info["illegal"]) == ("foreign_aid", False)


@pytest.mark.plain
def test_a_legal_id_is_done():
    stream = Stream(2)
    steps, _ = played(SeatEnv("coup", 2), 1, lambda mask: stream.choice(mask.nonzero()[0]))
    assert not any(illegal for _, illegal in steps)


@pytest.mark.plain
def test_the_same_seed_gives_the_same_game():
    env, again = SeatEnv("coup", 4, seat=2, opponents="heuristic"), SeatEnv("coup", 4, seat=2, opponents="heuristic")
    games = [played(one, seed, lambda mask: mask.nonzero()[0][-1]) for one in (env, again) for seed in (5, None)]
    assert games[:2] == games[2:]
    assert games[0] != games[1]


def test_bots_that_search_sit_at_the_same_table():
    steps, _ = played(SeatEnv("coup", 2, opponents="ismcts:20"), 1, lambda mask: mask.nonzero()[0][0])
    assert steps
