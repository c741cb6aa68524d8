"""Endgames solved again in the middle: a perfect opponent never wins more than against the blueprint."""

import numpy as np
import pytest

from kibitz.coup.advise import belief_of
from kibitz.coup.core.setup import setup
from kibitz.coup.core.situation import read_situation
from kibitz.coup.endgames import policy
from kibitz.coup.endgames.policy import equilibrium
from kibitz.coup.endgames.safely import WholeEndgame
from kibitz.coup.endgames.solve import Endgame, solve_endgame


@pytest.fixture(scope="module")
def whole():
    return WholeEndgame(Endgame((3, 3), turns=2))


@pytest.mark.parametrize("seat", [0, 1])
def test_it_never_concedes_more_than_the_blueprint(whole, seat):
    trunk, told = whole.blueprint(), []
    refined = whole.resolved(trunk, seat, 2, told=told)
    assert whole.conceded(refined, seat) <= whole.conceded(trunk, seat) + 1e-6
    assert 0 < len(told) <= len(whole.turn_starts(2)) == 8  # all to which the blueprint comes
    # The strategy of the opponent, and what was done in the first turn, are as they were.
    changed = np.flatnonzero(refined != trunk)
    assert len(changed)
    owners = np.repeat(whole.flat.set_seat, np.diff(whole.flat.set_slot))[changed]
    assert (owners == seat).all()
    first = np.unique(whole.flat.infoset[np.asarray(whole.positions)["turn"] == 1])
    assert not set(np.repeat(np.arange(len(whole.flat.set_seat)), np.diff(whole.flat.set_slot))[changed]) & {*first}


def test_without_the_gadget_it_might(whole):
    trunk = whole.solved()
    unsafe, safe = (whole.resolved(trunk, 1, 2, safely=safely) for safely in (False, True))
    assert whole.conceded(unsafe, 1) > whole.conceded(trunk, 1) + 1e-3
    assert whole.conceded(safe, 1) <= whole.conceded(trunk, 1) + 1e-6


@pytest.mark.plain
def test_a_small_endgame():
    gone = [card for card in ("duke", "assassin", "captain") for _ in range(3)]
    whole = WholeEndgame(Endgame((6, 6), turns=2, revealed=(*gone, "contessa")))
    trunk, told = whole.blueprint(), []
    for seat in range(2):
        refined = whole.resolved(trunk, seat, 2, told=told)
        assert whole.conceded(refined, seat) <= whole.conceded(trunk, seat) + 1e-6
    assert told


def test_parts_begin_where_the_public_knows_the_same(whole):
    for nodes in whole.turn_starts(2):
        (path,) = {tuple(whole.flat.path(node)[2:]) for node in nodes}
        assert len(path)
        assert len(nodes) <= 25
        hands = np.asarray(whole.positions)["hand"][nodes, :2].argmax(axis=2)
        for seat in range(2):
            assert len({*zip(hands[:, seat], whole.known[nodes, seat], strict=True)}) == len({*hands[:, seat]})


def test_solved_from_the_first_turn_on_nobody_gains_anything(whole):
    solved = whole.solved()
    assert whole.exploitability(solved) < 1e-6
    assert whole.exploitability(solved) < whole.exploitability(whole.blueprint())
    assert whole.exploitability("equilibrium") == whole.exploitability(whole.blueprint())  # the bot that plays the blueprint


def test_the_turn_limit_of_the_game_is_the_horizon():
    # Two turns are left: what is undecided then is a draw, whoever has more coins.
    states = setup([4, 4], hands={0: ["ambassador"], 1: ["contessa"]}, influence=[1, 1])
    states["max_turns"] = states["turn"] + 1
    worlds, weights = policy.possible_worlds(states)
    asked = policy.deal_number(worlds, states, 0)
    found = policy.endgame_policy(worlds, weights, asked=asked, turns=5, exchange=False, target=1e-5, iterations=20_000)
    assert found.turns == 2
    whole = solve_endgame(Endgame((4, 4), turns=2), target=1e-5).strategy(0, ["ambassador"])
    for action, often in found.actions.items():
        assert often == pytest.approx(whole[action], abs=0.05)


def test_the_horizon_is_that_of_the_question():
    told = read_situation("cards contessa; coins 2 3; I lost duke; 2 lost captain; 2 steals from me")
    belief = belief_of(told)
    assert equilibrium(told.states, belief) is None  # too far from the end, unless it is asked for
    for turns in (1, 2):
        found = equilibrium(told.states, belief, turns)
        assert found.turns == turns
        assert sum(found.actions.values()) == pytest.approx(1)


def test_a_contessa_lets_the_assassin_pass():
    told = read_situation("cards contessa; coins 4 5; I lost duke; 2 lost captain; 2 assassinates me")
    found = equilibrium(told.states, belief_of(told))
    assert found.actions[policy.ALLOW] > 0.99
    assert found.values[policy.ALLOW] > found.values[policy.DO_CHALLENGE]
