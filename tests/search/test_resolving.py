"""A part of a game that is solved again: the opponent never wins more than against the strategy before."""

from collections import defaultdict

import numpy as np
import pytest

from kibitz.examples import kuhn, leduc
from kibitz.game import CHANCE, OVER
from kibitz.search.cfr import solve
from kibitz.search.flat import flatten
from kibitz.search.resolving import GUARDED, PLAIN, TRUNK, hand_values, resolve, subgame, with_gadget
from kibitz.search.response import best_response, exploitability, value


def reach(flat, strategy, seat):
    """How likely chance and a seat come to each node."""
    found = np.ones(len(flat.actor))
    for node in range(1, len(flat.actor)):
        above = flat.parent[node]
        step = flat.probability[node]
        if flat.actor[above] == seat:
            step = strategy[flat.slot[above] + node - flat.first[above]]
        found[node] = found[above] * step
    return found


def parts(flat, depth_of_secrets, begins):
    """The nodes at which a part begins, by all that both have seen: everything but what was dealt first."""
    found = defaultdict(list)
    for node in range(len(flat.actor)):
        path = flat.path(node)
        if len(path) > depth_of_secrets and begins(node):
            found[tuple(path[depth_of_secrets:])].append(node)
    return [np.array(nodes) for nodes in found.values()]


def second_round(flat):
    """Of Leduc: where the common card has been dealt."""
    return parts(flat, 2, lambda node: flat.actor[flat.parent[node]] == CHANCE and flat.actor[node] != OVER)


def refined(flat, trunk, seat, starts, safely):
    """The trunk with all these parts solved again, and how."""
    strategy, likely, told = trunk.copy(), reach(flat, trunk, seat), []
    for nodes in starts:
        part, slots = subgame(flat, nodes, likely[nodes])
        own = np.repeat(part.set_seat == seat, np.diff(part.set_slot))
        theirs = np.unique([flat.path(node)[1 - seat] for node in nodes], return_inverse=True)[1]
        if safely:
            found = resolve(part, trunk[slots], seat, theirs, iterations=3000, target=1e-7, tolerance=1e-6)
            told.append(found.how)
            strategy[slots[own]] = found.strategy[own]
        else:
            strategy[slots[own]] = solve(part, "pdcfr+", 3000, target=1e-7).strategy[own]
    return strategy, told


def slanted(flat, seed):
    """A strategy that is neither good nor absurd."""
    weights = np.random.default_rng(seed).random(len(flat.slot_action)) ** 2 + 0.05
    return weights / np.repeat(np.add.reduceat(weights, flat.set_slot[:-1]), np.diff(flat.set_slot))


@pytest.mark.parametrize("seat", [0, 1])
def test_the_opponent_never_wins_more_against_it_than_against_the_trunk(seat):
    flat = flatten(leduc.new(2, 0))
    starts, ways, worse = second_round(flat), set(), 0
    trunks = [slanted(flat, 1), solve(flat, "cfr+", 6).strategy, solve(flat, "cfr+", 60).strategy]
    for trunk in trunks:
        safe, told = refined(flat, trunk, seat, starts, safely=True)
        before = best_response(flat, trunk, 1 - seat)[0]
        assert best_response(flat, safe, 1 - seat)[0] <= before + 1e-5
        unsafe, _ = refined(flat, trunk, seat, starts, safely=False)
        worse += best_response(flat, unsafe, 1 - seat)[0] > before + 1e-3
        ways |= {*told}
    assert PLAIN in ways
    assert GUARDED in ways
    assert worse  # without the gadget it goes wrong


@pytest.mark.plain
def test_a_part_is_the_game_from_there_on():
    flat = flatten(kuhn.new(2, 0))
    (nodes,) = parts(flat, 2, lambda node: flat.actor[node] >= 0 and flat.path(node)[2:] == [kuhn.BET])
    trunk = slanted(flat, 3)
    part, slots = subgame(flat, nodes, np.ones(len(nodes)))
    assert (part.actor[0], part.children[0], part.level.tolist()) == (CHANCE, 6, [0, 1, 7, 19])
    assert part.slot_action.tolist() == flat.slot_action[slots].tolist()
    assert (flat.children[nodes] == 2).all()
    won = [flat.value[flat.first[node]] * trunk[flat.slot[node]] for node in nodes]
    won += [flat.value[flat.first[node] + 1] * trunk[flat.slot[node] + 1] for node in nodes]
    assert value(part, trunk[slots]) == pytest.approx(np.sum(won) / len(nodes))


@pytest.mark.plain
def test_the_gadget_leaves_the_value_of_the_game_where_the_opponent_is_allowed_what_it_is_worth():
    flat = flatten(kuhn.new(2, 0))
    (nodes,) = parts(flat, 2, lambda node: flat.actor[node] >= 0 and flat.path(node)[2:] == [kuhn.BET])
    part, _ = subgame(flat, nodes, np.ones(len(nodes)))
    views = np.unique([flat.path(node)[0] for node in nodes], return_inverse=True)[1]
    solved = solve(part, "pdcfr+", 500).strategy
    allowed = hand_values(part, solved, 0, views)  # of the one who has bet
    assert allowed.sum() == pytest.approx(best_response(part, solved, 0)[0])
    for share in (0.3, 0.9):
        guarded, places = with_gadget(part, 1, views, allowed, share)
        guarded.check()
        assert part.slot_action.tolist() == guarded.slot_action[places].tolist()
        again = solve(guarded, "pdcfr+", 2000)
        assert again.value == pytest.approx(value(part, solved), abs=1e-4)
        assert exploitability(guarded, again.strategy) == pytest.approx(again.exploitability, abs=1e-12)


@pytest.mark.plain
def test_where_nothing_is_better_the_trunk_stays():
    flat = flatten(kuhn.new(2, 0))
    (nodes,) = parts(flat, 2, lambda node: flat.actor[node] >= 0 and flat.path(node)[2:] == [kuhn.BET])
    part, slots = subgame(flat, nodes, np.ones(len(nodes)))
    views = np.unique([flat.path(node)[0] for node in nodes], return_inverse=True)[1]
    trunk = solve(flat, "pdcfr+", 2000).strategy[slots]
    found = resolve(part, trunk, 1, views, iterations=1)  # no time to find anything
    assert (found.how, found.excess) == (TRUNK, 0.0)
    assert np.array_equal(found.strategy, trunk)
