"""Many games at once: the same games as one by one, whatever the number of threads."""

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="the extra `adapters` is not installed")

from kibitz import game
from kibitz.adapters.setting import setting
from kibitz.adapters.vector import VectorSeatEnv
from kibitz.catan.state import Rules

TABLES = [*(("catan", seats) for seats in (2, 3, 4)), *(("coup", seats) for seats in range(2, 7))]


def run(envs, steps, seed=1):
    """What random legal actions lead to, step by step."""
    observations, infos = envs.reset(seed=seed)
    dice = np.random.default_rng(seed)
    for _ in range(steps):
        mask = infos["action_mask"]
        observations, rewards, over, truncated, infos = envs.step(np.argmax(mask * dice.random(mask.shape), axis=1))
        yield observations, rewards, over, truncated, infos


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_steps_are_what_the_spaces_say(name, seats):
    envs = VectorSeatEnv(20, name, seats, seat=seats - 1, starts=3)
    before = np.zeros(20, np.bool_)
    for observations, rewards, over, truncated, infos in run(envs, 60):
        assert envs.observation_space.contains(observations)
        assert envs.action_space.contains(infos["action"])
        assert ((rewards >= 0) & (rewards <= 1) & (over | (rewards == 0))).all()
        assert not truncated.any()
        assert not infos["illegal"].any()
        assert (infos["action_mask"].any(axis=1) != over).all()
        assert not (over & before).any()  # a new game begins before anything ends
        before = over


@pytest.mark.parametrize(("name", "opponents"), [("catan", "builder"), ("coup", "heuristic")])
def test_threads_do_not_matter(name, opponents):
    one, three = (VectorSeatEnv(10, name, opponents=opponents, starts=2, jobs=jobs) for jobs in (1, 3))
    for left, right in zip(run(one, 40), run(three, 40), strict=True):
        for a, b in zip(left[:4], right[:4], strict=True):
            assert (a == b).all()
        assert (left[4]["action_mask"] == right[4]["action_mask"]).all()


@pytest.mark.plain
def test_masks_and_views_are_those_of_the_rules():
    envs = VectorSeatEnv(3, "coup", 3, seat=1, starts=1, jobs=1)
    here = setting("coup", 3)
    for observations, _, over, _, infos in run(envs, 25):
        for i in range(3):
            state = envs._states[i : i + 1].copy()
            assert (observations[i] == here.layout.observe(state, 1)[0]).all()
            if not over[i]:
                assert game.actor_at(state, 0) == 1
                assert (infos["action_mask"][i] == here.actions.mask(here.actions.legal(state))).all()


@pytest.mark.plain
def test_illegal_ids_are_replaced():
    envs = VectorSeatEnv(4, "coup", 2, starts=1, jobs=1)
    envs.reset(seed=1)
    *_, infos = envs.step(np.array([-1, 10**6, 0, 53]))
    assert infos["illegal"].tolist() == [True, True, False, True]
    assert infos["action"].tolist() == [0, 0, 0, 0]


def test_the_turn_limit_ends_games_without_a_winner():
    envs = VectorSeatEnv(8, "catan", 2, starts=1, rules=Rules(max_turns=2))
    ended = sum(over.sum() for _, rewards, over, _, _ in run(envs, 200) if not rewards.any())
    assert ended > 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "expected at least 1"),
        ({"num_envs": 2, "game": "onepiece"}, "onepiece: its rules are not compiled"),
        ({"num_envs": 2, "game": "coup", "opponents": "ismcts"}, "expected compiled policies: random"),
    ],
)
def test_what_cannot_be_vectorised(arguments, message):
    with pytest.raises(ValueError, match=message):
        VectorSeatEnv(**arguments)
