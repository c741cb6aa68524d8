"""All seats of many games at once: the same games as one by one, whoever sits where, and rewards for everybody."""

import numpy as np
import pytest

from kibitz.adapters.setting import setting
from kibitz.adapters.vector_table import VectorTableEnv
from kibitz.catan import Rules
from kibitz.game import actor_at
from kibitz.game.doors import hidden_from
from kibitz.game.verbs import inputs
from kibitz.ground.jit import COMPILED
from kibitz.learn.measure import evaluated


def drawn(masks, dice):
    """A random legal id for each place."""
    return np.argmax(masks * dice.random(masks.shape), axis=1)


def run(tables, steps, seed=1):
    """What random legal actions lead to, step by step."""
    step, dice = tables.reset(seed), np.random.default_rng(seed)
    for _ in range(steps):
        masks = step.masks.max(axis=1) if step.masks.ndim == 3 else step.masks
        step = tables.step(drawn(masks, dice))
        yield step


def check_against_the_rules(tables, steps):
    """Every observation, mask, actor, reward and end, as the rules have them of the very states."""
    here, ends = tables.setting, 0
    step = tables.reset(3)
    dice = np.random.default_rng(3)
    for _ in range(steps):
        for i in range(tables.num_envs):
            assert step.actors[i] == actor_at(tables.states, i)
            for seat in range(tables.seats):
                shown = here.layout.observe(tables.states[i : i + 1], seat)[0]
                assert (step.observations[i, seat] == shown).all()
                legal = here.actions.legal(tables.states, i) if seat == step.actors[i] else []
                assert step.masks[i, seat].nonzero()[0].tolist() == legal
        step = tables.step(drawn(step.masks.max(axis=1), dice))
        assert (step.rewards[step.over].sum(axis=1) == 1).all()
        assert not step.rewards[~step.over].any()
        ends += step.over.sum()
    return ends


@pytest.mark.plain
def test_every_seat_sees_what_the_rules_say():
    assert check_against_the_rules(VectorTableEnv(2, "coup", 3, observe="all", starts=1, jobs=1), 25) > 0


def test_every_seat_sees_what_the_rules_say_in_catan():
    check_against_the_rules(VectorTableEnv(3, "catan", observe="all", starts=2, jobs=2), 60)


@pytest.mark.plain
def test_the_player_to_move_sees_its_row_of_all():
    every, mine = (VectorTableEnv(2, "coup", 4, observe=which, starts=1, jobs=1, reuse=True) for which in ("all", "actor"))
    rows = np.arange(2)
    for left, right in zip(run(every, 20), run(mine, 20), strict=True):
        assert (left.observations[rows, left.actors] == right.observations).all()
        assert (left.masks[rows, left.actors] == right.masks).all()
        assert (left.masks.sum(axis=2) > 0).sum() == 2  # nobody else may do anything
        for a, b in zip(left[2:7], right[2:7], strict=True):
            assert (a == b).all()


@pytest.mark.parametrize(("name", "rival"), [("catan", "builder"), ("coup", "heuristic")])
def test_with_policies_at_the_other_seats_it_is_the_environment_of_one_seat(name, rival):
    gymnasium = pytest.importorskip("gymnasium", reason="the extra `adapters` is not installed")
    from kibitz.adapters.vector import VectorSeatEnv

    seat = VectorSeatEnv(6, name, 2, seat=1, opponents=rival, starts=2, autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP)
    table = VectorTableEnv(6, name, 2, players=[rival, None], starts=2)
    observations, infos = seat.reset(seed=4)
    for i in range(6):
        table._places.begin_series(i, seat._places.series(i))
    table._places.make_starts(2)
    table._places.step(np.arange(6))  # the games begin
    dice, ends = np.random.default_rng(1), 0
    for _ in range(150):
        actions = drawn(infos["action_mask"], dice)
        observations, rewards, over, _, infos = seat.step(actions)
        step = table.step(actions)
        assert (step.observations == observations).all()
        assert (step.masks == infos["action_mask"]).all()
        assert (step.actors == 1).all()
        assert (step.rewards[:, 1] == rewards).all()
        assert (step.over == over).all()
        ends += over.sum()
    assert ends or name == "catan"


def test_threads_do_not_matter():
    for left, right in zip(
        *(run(VectorTableEnv(10, "catan", starts=2, jobs=jobs, inputs=True), 40) for jobs in (1, 16)), strict=True
    ):
        for a, b in zip(left, right, strict=True):
            assert (a == b).all()


@pytest.mark.plain
def test_places_take_the_tables_in_turn():
    tables = VectorTableEnv(6, "coup", 2, players=[[None, None], ["random", None], [None, "heuristic"]], starts=1, jobs=1)
    seen = [set() for _ in range(6)]
    for step in run(tables, 30):
        for place, actor in enumerate(step.actors):
            seen[place].add(int(actor))
    assert seen == [{0, 1}, {1}, {0}] * 2


@pytest.mark.plain
def test_what_is_shown_is_kept_unless_it_may_be_used_again():
    for reuse in (False, True):
        tables = VectorTableEnv(2, "coup", 2, starts=1, jobs=1, reuse=reuse)
        first = tables.reset(1)
        before = first.observations.copy()
        for _ in range(2):
            tables.step(tables.action_masks().argmax(axis=1))
        assert (first.observations == before).all() != reuse


@pytest.mark.plain
def test_illegal_ids_are_replaced():
    tables = VectorTableEnv(4, "coup", 2, starts=1, jobs=1)
    with pytest.raises(RuntimeError, match="call reset"):
        tables.step(np.zeros(4, int))
    tables.reset(1)
    step = tables.step(np.array([-1, 10**6, 0, 53]))
    assert step.illegal.tolist() == [True, True, False, True]
    assert step.actions.tolist() == [0, 0, 0, 0]


def test_shaping_adds_up_to_nothing_but_the_end():
    """With discount 1 the sum over a game is its reward, less what its first position was worth: whatever was played."""
    rules = Rules(domestic_trade=False, max_turns=30)
    bare, shaped = (VectorTableEnv(3, "catan", 2, rules=rules, starts=1, shaping=shaping) for shaping in (0, 0.5))
    total, reward = np.zeros((3, 2)), np.zeros((3, 2))
    under_way, differs = np.ones(3, bool), False
    for plain, step in zip(run(bare, 400), run(shaped, 400), strict=True):
        assert (plain.observations == step.observations).all()
        total[under_way] += step.rewards[under_way]
        reward[under_way] += plain.rewards[under_way]
        differs |= bool((step.rewards != plain.rewards).any())
        under_way &= ~step.over
    assert not under_way.any()
    assert differs
    start = evaluated(shaped.setting.game, shaped._places.starts)[0]
    assert total == pytest.approx(reward - 0.5 * start, abs=1e-4)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0, "game": "coup"}, "expected at least 1"),
        ({"num_envs": 1, "game": "coup", "observe": "both"}, "expected 'actor' or 'all'"),
        ({"num_envs": 1, "game": "onepiece"}, "its rules are not compiled; kibitz.adapters.zoo has it"),
        ({"num_envs": 1, "game": "coup", "seats": 2, "players": [None]}, "1 players at a table: expected 2"),
        ({"num_envs": 1, "game": "coup", "seats": 2, "players": ["random"] * 2}, "nobody is asked from outside"),
        ({"num_envs": 1, "game": "coup", "seats": 2, "players": ["ismcts", None]}, "expected compiled policies"),
        ({"num_envs": 1, "game": "kuhn", "shaping": 1.0}, "kuhn has no evaluator for these rules"),
        ({"num_envs": 1, "game": "coup", "floats": "squared"}, "floats 'squared': expected scaled"),
    ],
)
def test_what_cannot_be(arguments, message):
    with pytest.raises(ValueError, match=message):
        VectorTableEnv(**arguments)


@pytest.mark.plain
def test_floats_come_out_of_the_same_observations():
    bare, scaled = (VectorTableEnv(2, "coup", 2, starts=1, jobs=1, observe="all", floats=floats) for floats in (None, "scaled"))
    low, high = (bound.astype(float) for bound in setting("coup").layout.bounds())
    for left, right in zip(run(bare, 5), run(scaled, 5), strict=True):
        assert right.observations == pytest.approx((left.observations - low) / (high - low), abs=1e-6)


@pytest.mark.plain
def test_what_the_evaluator_looks_at_is_what_the_seat_may_know():
    tables = VectorTableEnv(2, "coup", 2, observe="all", inputs=True, starts=1, jobs=1)
    x = tables.setting.game.scratches()[0]
    for step in run(tables, 8):
        for place in range(2):
            for seat in range(2):
                n = inputs(hidden_from(tables.states[place : place + 1], seat)[0], x)
                of_seats = np.array([(x["inputs"] if COMPILED else x.inputs)[k] for k in range(2 * n)]).reshape(2, n)
                assert np.array_equal(step.inputs[place, seat], of_seats[[seat, 1 - seat]])


@pytest.mark.plain
def test_where_there_is_no_evaluator_there_is_nothing_to_look_at():
    for name, seats in (("kuhn", 2), ("coup", 3)):
        with pytest.raises(ValueError, match=f"inputs=True: {name} has no evaluator for these rules"):
            VectorTableEnv(2, name, seats, inputs=True)
