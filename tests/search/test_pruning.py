"""Smaller trees: what is left out changes no value, or is another game; their size is known before they are made."""

import pytest

from kibitz.coup.core.state import COINS, DO_COUP, DO_EXCHANGE, Rules, new_states
from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.game import OVER, actor_at, apply_at
from kibitz.search.cfr import solve
from kibitz.search.flat import flatten
from kibitz.search.walk import count_nodes, node_states, prune
from tests.search.plain_games import ASSASSINATE, BLOCK, COUP, DEAL, INCOME, KuhnCoup, Rounds

NO_EXCHANGE = (DO_EXCHANGE,)
COUPS = (DO_COUP, DO_COUP + 1)


def endgame(coins, turns, influence=(1, 1)):
    states = new_states(2, Rules(max_turns=turns))
    states["coins"][0, :2] = coins
    states["treasury"] = COINS - sum(coins)
    states["influence"][0, :2] = influence
    return states


@pytest.mark.plain
def test_nobody_takes_what_the_tree_is_without():
    flat = flatten(KuhnCoup(), without=[ASSASSINATE])
    assert ASSASSINATE not in flat.slot_action
    assert INCOME in flat.slot_action
    # Income, income, then the first player has two coins and strikes first.
    assert solve(flat, iterations=50).value == pytest.approx(1, abs=1e-3)


@pytest.mark.plain
def test_where_a_decisive_action_is_legal_nothing_else_is_looked_at():
    flat = flatten(KuhnCoup(), decisive=[COUP])
    for node in range(len(flat.actor)):
        children = flat.action[flat.first[node] : flat.first[node] + flat.children[node]]
        assert COUP not in children or len(children) == 1
    assert solve(flat, "pdcfr+", 200).value == pytest.approx(2 / 3, abs=1e-4)


@pytest.mark.plain
def test_a_short_tree_ends_where_no_choice_is_left():
    whole, short = flatten(Rounds((0, 1, 0))), flatten(Rounds((0, 1, 0)), short=True)
    assert [len(flat.actor) for flat in (whole, short)] == [15, 15]
    whole, short = flatten(KuhnCoup()), flatten(KuhnCoup(), short=True)
    assert len(short.actor) < len(whole.actor)
    forced = [n for n in range(len(short.actor)) if short.children[n] == 1 and short.actor[short.first[n]] == OVER]
    assert not forced
    assert short.path(short.follow([DEAL, DEAL + 1, ASSASSINATE, BLOCK])) == [DEAL, DEAL + 1, ASSASSINATE, BLOCK]
    assert solve(short, "pdcfr+", 200).value == pytest.approx(2 / 3, abs=1e-4)


@pytest.mark.parametrize(("coins", "turns"), [((6, 6), 2), ((3, 7), 2), ((2, 3), 2)])
def test_a_pruned_endgame_of_coup_is_worth_the_same(coins, turns):
    whole = flatten(endgame(coins, turns), without=NO_EXCHANGE)
    small = flatten(endgame(coins, turns), without=NO_EXCHANGE, decisive=COUPS, short=True)
    assert len(small.actor) < 0.8 * len(whole.actor)
    one, other = (solve(flat, "pdcfr+", 5000, target=1e-6) for flat in (whole, small))
    assert one.value == pytest.approx(other.value, abs=1e-5)


@pytest.mark.plain
def test_the_size_of_small_games_is_known_beforehand():
    assert count_nodes(kuhn.new(2, 0)) == len(flatten(kuhn.new(2, 0)).actor)
    dice = liars_dice.start(1, 2)
    assert count_nodes(dice, short=True) == len(flatten(dice, short=True).actor)


@pytest.mark.parametrize(
    ("start", "pruning"),
    [
        (lambda: leduc.new(2, 0), {}),
        (lambda: liars_dice.start(1, 5), {}),
        (lambda: liars_dice.start(1, 5), {"short": True}),
        (lambda: endgame((6, 6), 2), {}),
        (lambda: endgame((5, 6), 3), {"without": NO_EXCHANGE, "decisive": COUPS, "short": True}),
        (lambda: endgame((4, 4), 2, (2, 1)), {"without": NO_EXCHANGE, "short": True}),
    ],
    ids=["leduc", "dice", "short dice", "exchange", "pruned", "two against one"],
)
def test_the_size_is_known_beforehand(start, pruning):
    assert count_nodes(start(), **pruning) == len(flatten(start(), **pruning).actor)


def test_the_positions_of_all_nodes_are_in_the_order_of_the_tree():
    start, pruning = endgame((5, 6), 2), {"without": NO_EXCHANGE, "decisive": COUPS, "short": True}
    flat, states = flatten(start, **pruning), node_states(start, prune(**pruning))
    assert [actor_at(states, i) for i in range(len(states))] == flat.actor.tolist()
    for node in range(0, len(states), 199):
        at = start.copy()
        for action in flat.path(node):
            apply_at(at, 0, action)
        assert flat.actor[node] == OVER or at.tobytes() == states[node : node + 1].tobytes()
    several = kuhn.new(2, 0).repeat(2)
    assert len(node_states(several, prune())) == len(flatten(several).actor) - 1


def test_several_states_have_a_root_above_them():
    states = kuhn.new(2, 0).repeat(3)
    assert count_nodes(states) == 1 + 3 * count_nodes(kuhn.new(2, 0)) == len(flatten(states).actor)


def test_counting_stops_when_it_is_enough():
    states = endgame((2, 2), 30)
    assert 10**6 < count_nodes(states, enough=10**6) < 10**9
