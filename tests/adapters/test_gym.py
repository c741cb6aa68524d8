"""The Gymnasium environment of one seat."""

from collections import Counter

import pytest

pytest.importorskip("gymnasium", reason="the extra `adapters` is not installed")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv

from kibitz.adapters.gym import SeatEnv
from kibitz.ground.rng import Stream

TABLES = [
    *(("catan", seats) for seats in (2, 3, 4)),
    *(("coup", seats) for seats in range(2, 7)),
    ("onepiece", 2),
    ("leduc", 2),
    ("examples/love_letter.py", 3),
]


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
    env = SeatEnv("coup", 2, opponents="ismcts:20")
    steps, _ = played(env, 1, lowest)
    assert steps
    assert "lost_decisions" not in env.reset()[1]


BOTS = """
import time


class Raises:
    def decide(self, observation, actions, events):
        raise KeyError("no ore")


class Illegal:
    def decide(self, observation, actions, events):
        return "show duke" if observation.turn_number > 3 else actions[0]


class Sleeps:
    def decide(self, observation, actions, events):
        time.sleep(60)
"""


@pytest.fixture
def bots(tmp_path):
    (tmp_path / "bots.py").write_text(BOTS)
    return lambda name: f"{tmp_path / 'bots.py'}:{name}"


def lowest(mask):
    return mask.nonzero()[0][0]


def test_lost_decisions_are_told(bots):
    env = SeatEnv("coup", 3, seat=1, opponents=[bots("Raises"), bots("Illegal")])
    _, info = env.reset(seed=1)
    assert info["lost_decisions"] == [{"raised": 1}, {}, {}]  # the first takes its turn before
    lost = Counter()
    for game in range(2):
        if game:
            _, info = env.reset()
            assert info["lost_decisions"][2] == {}  # they are those of this game
        over = False
        while not over:
            *_, over, _, info = env.step(lowest(info["action_mask"]))
        assert [set(whys) for whys in info["lost_decisions"]] == [{"raised"}, set(), {"illegal"}]
        lost += sum(map(Counter, info["lost_decisions"]), Counter())
    assert sum((Counter(conduct.lost) for conduct in env.conduct.values()), Counter()) == lost
    with pytest.warns(UserWarning, match=r"Raises lost (\d+) of \1 decisions \(\1 raised\)\n  first: turn 1: KeyError: 'no"):
        env.close()


def test_a_bot_that_is_late_is_told_too(bots):
    env = SeatEnv("coup", 2, opponents=bots("Sleeps:0.1s"))
    env.reset(seed=1)
    *_, info = env.step(env.actions.number("foreign_aid"))  # which it could block
    assert info["lost_decisions"][1]["late"] > 0


def test_gymnasiums_vector_hands_them_on(bots):
    envs = SyncVectorEnv([lambda: SeatEnv("coup", 2, opponents=bots("Raises"))])
    _, infos = envs.reset(seed=1)
    assert infos["lost_decisions"][0] == [{}, {}]
    *_, infos = envs.step([0])
    assert infos["lost_decisions"][0][1]["raised"] > 0
    with pytest.warns(UserWarning, match="Raises lost"):
        envs.close()
