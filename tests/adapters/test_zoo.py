"""The PettingZoo environment of a whole table."""

import pytest

pytest.importorskip("gymnasium", reason="the extra `adapters` is not installed")
pytest.importorskip("pettingzoo", reason="the extra `adapters` is not installed")

from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from kibitz.adapters.zoo import TableEnv

TABLES = [
    *(("catan", seats) for seats in (2, 3, 4)),
    *(("coup", seats) for seats in range(2, 7)),
    ("onepiece", 2),
    ("leduc", 2),
    ("examples/love_letter.py", 3),
]


# It would rather have observations without a mask, and something to draw.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Environment has not defined a render:UserWarning")
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_pettingzoo_has_no_complaints(name, seats):
    api_test(TableEnv(name, seats), num_cycles=100)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_seed_decides_everything(name, seats):
    seed_test(lambda: TableEnv(name, seats), num_cycles=30)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_parallel_form_has_no_complaints_either(name, seats):
    parallel_api_test(turn_based_aec_to_parallel(TableEnv(name, seats)), num_cycles=100)


@pytest.mark.plain
def test_a_game_ends_with_what_it_is_worth_to_each():
    env = TableEnv("coup", 3)
    env.reset(seed=4)
    total = {}
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        assert (observation["action_mask"].any()) != terminated
        total[agent] = total.get(agent, 0.0) + reward
        env.step(None if terminated else observation["action_mask"].nonzero()[0][-1])
    assert sorted(total.values()) == [0.0, 0.0, 1.0]


@pytest.mark.plain
def test_an_illegal_id_is_replaced_and_reported():
    env = TableEnv("coup", 2)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(env.actions.number("show duke"))
    assert env.infos[agent] == {"action": env.actions.number("income"), "illegal": True}
    assert env.agent_selection != agent
