"""Many games at once: the same games as one by one, whatever the number of threads."""

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="the extra `adapters` is not installed")

import gymnasium
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from kibitz.adapters.gym import SeatEnv
from kibitz.adapters.vector import VectorSeatEnv
from kibitz.catan import Board
from kibitz.catan.core.state import Rules

TABLES = [*(("catan", seats) for seats in (2, 3, 4)), *(("coup", seats) for seats in range(2, 7)), ("kuhn", 2)]


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
    one, many = (VectorSeatEnv(10, name, opponents=opponents, starts=2, jobs=jobs) for jobs in (1, 16))
    for left, right in zip(run(one, 40), run(many, 40), strict=True):
        for a, b in zip(left[:4], right[:4], strict=True):
            assert (a == b).all()
        assert (left[4]["action_mask"] == right[4]["action_mask"]).all()


BOARD = Board.beginner()
#: Short games, so that many end.
ALIKE = [
    ("catan", {"seats": 3, "seat": 1, "opponents": ["builder", "random"], "board": BOARD, "rules": Rules(max_turns=6)}),
    ("coup", {"seats": 4, "seat": 3, "opponents": "heuristic"}),
]


def same(ours, theirs):
    """Whether infos say the same, wherever Gymnasium's mean something."""
    for key in (key for key in theirs if not key.startswith("_")):
        where = theirs[f"_{key}"]
        if isinstance(theirs[key], dict):
            same(ours[key], theirs[key])
        else:
            assert all(np.array_equal(a, b) for a, b in zip(ours[key][where], theirs[key][where], strict=True)), key
        assert ours[f"_{key}"].tolist() == where.tolist(), key


@pytest.mark.plain
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(("name", "table"), ALIKE[1:])
def test_it_is_gymnasiums_own_vector_of_single_environments(name, table, mode):
    """The same seeds, step by step: observations, rewards, ends and infos, over several games, with illegal ids."""
    alike(name, table, mode, 60)


def test_it_is_that_of_catan_too():
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        alike(*ALIKE[0], mode, 120)


def alike(name, table, mode, steps):
    ours = VectorSeatEnv(3, name, starts=1, jobs=2, autoreset_mode=mode, **table)
    theirs = SyncVectorEnv([lambda: SeatEnv(name, **table)] * 3, autoreset_mode=mode)
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    left, right = ours.reset(seed=5), theirs.reset(seed=5)
    ends = 0
    for step, dice in enumerate(np.random.default_rng(1).random((steps, 3, len(ours.setting.actions)))):
        assert (left[0] == right[0]).all()
        same(left[-1], right[-1])
        actions = np.argmax(left[-1]["action_mask"] * dice, axis=1) if step % 5 else np.array([-1, 10**6, 30])
        left, right = ours.step(actions), theirs.step(actions)
        for a, b in zip(left[1:4], right[1:4], strict=True):
            assert (a == b).all()
        ends += left[2].sum()
    assert ends > 3
    left, right = ours.reset(seed=[8, None, 9]), theirs.reset(seed=[8, None, 9])  # the one in the middle goes on
    assert (left[0] == right[0]).all()


@pytest.mark.plain
def test_games_begin_where_the_mask_says():
    envs = VectorSeatEnv(3, "coup", 2, starts=1, jobs=1, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros(3, int))
    observations, infos = envs.reset(seed=1)
    over = np.zeros(3, np.bool_)
    while not over.any():
        observations, _, over, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros(3, int))
    after, infos = envs.reset(options={"reset_mask": over})
    assert infos["_action_mask"].tolist() == over.tolist()
    assert infos["action_mask"].any(axis=1).all()
    assert (after[~over] == observations[~over]).all()
    assert (after[over] != observations[over]).any()
    with pytest.raises(ValueError, match="there are 3 places"):
        envs.reset(seed=[1, 2])


def test_gymnasiums_wrappers_take_it():
    """Returns of whole games, and infos one by one."""
    envs = DictInfoToList(RecordEpisodeStatistics(VectorSeatEnv(4, "coup", 2, starts=1)))
    _, infos = envs.reset(seed=3)
    returns = []
    for _ in range(60):
        _, rewards, over, _, infos = envs.step(np.array([info["action_mask"].argmax() for info in infos]))
        returns += [(info["episode"]["r"], reward) for info, reward, end in zip(infos, rewards, over, strict=True) if end]
    assert len(returns) > 3
    assert all(total == reward for total, reward in returns)


@pytest.mark.plain
def test_illegal_ids_are_replaced():
    envs = VectorSeatEnv(4, "coup", 2, starts=1, jobs=1)
    envs.reset(seed=1)
    *_, infos = envs.step(np.array([-1, 10**6, 0, 53]))
    assert infos["illegal"].tolist() == [True, True, False, True]
    assert infos["action"].tolist() == [0, 0, 0, 0]
    for wrong in (np.full(4, np.nan), np.zeros(4), ["income"] * 4, [None] * 4, np.full(4, 1 << 63, np.uint64)):
        envs.reset(seed=1)
        assert envs.step(wrong)[4]["illegal"].all()
    with pytest.raises(ValueError, match="reshape"):
        envs.step(np.zeros(3, int))


def test_the_turn_limit_ends_games_without_a_winner():
    envs = VectorSeatEnv(8, "catan", 2, starts=1, rules=Rules(max_turns=2))
    ended = sum(over.sum() for _, rewards, over, _, _ in run(envs, 200) if not rewards.any())
    assert ended > 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0, "game": "coup"}, "expected at least 1"),
        ({"num_envs": 2, "game": "coup", "jobs": 0}, "expected at least 1"),
        ({"num_envs": 2, "game": "onepiece"}, "onepiece: its rules are not compiled"),
        ({"num_envs": 2, "game": "coup", "opponents": "ismcts"}, "expected compiled policies: random"),
    ],
)
def test_what_cannot_be_vectorised(arguments, message):
    with pytest.raises(ValueError, match=message):
        VectorSeatEnv(**arguments)
