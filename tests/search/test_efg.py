"""Trees in the format of Gambit: every node is there, and where OpenSpiel is installed it finds the same in them."""

import re
from fractions import Fraction

import pytest

from kibitz.coup.core.actions import describe
from kibitz.coup.endgames.solve import UNIT, Endgame, solve_endgame
from kibitz.examples import kuhn
from kibitz.game import CHANCE, OVER
from kibitz.search.cfr import solve
from kibitz.search.flat import efg_lines, flatten
from tests.search.plain_games import KuhnCoup

OPEN_SPIEL = "pyspiel"


def test_every_node_is_a_line():
    flat = flatten(kuhn.new(2, 0))
    head, blank, *nodes = efg_lines(flat, 'Kuhn "poker"', kuhn.GAME.describe)
    assert head == r'EFG 2 R "Kuhn \"poker\"" { "player 1" "player 2" } ""'
    assert blank == ""
    assert [line[0] for line in nodes].count("t") == 30
    assert [line[0] for line in nodes].count("c") == 4
    decisions = [re.match(r'p "" (\d) (\d+) "" \{ "(\w+)" "(\w+)" \} 0', line) for line in nodes if line[0] == "p"]
    assert len(decisions) == 24
    assert {(found[1], found[2]) for found in decisions} == {(seat, str(n)) for seat in "12" for n in range(1, 7)}


@pytest.mark.plain
def test_chance_is_written_in_fractions_that_sum_to_one():
    for line in efg_lines(flatten(kuhn.new(2, 0))):
        if line.startswith("c"):
            assert sum(map(Fraction, re.findall(r'" (\d+/\d+)', line))) == 1


@pytest.mark.plain
def test_payoffs_are_counted_in_the_unit_and_sum_to_zero():
    ends = [line for line in efg_lines(flatten(kuhn.new(2, 0)), unit=2.0) if line.startswith("t")]
    for line in ends:
        mine, theirs = map(float, re.search(r"\{ (\S+) (\S+) \}", line).groups())
        assert mine == -theirs
        assert abs(mine) in (0.5, 1.0)


def test_weights_that_are_no_fractions_stay_decimals():
    flat = flatten([KuhnCoup(), KuhnCoup()], weights=[1, 2**0.5], views=[(0, 0), (1, 0)])
    line = next(line for line in efg_lines(flat) if line.startswith("c"))
    assert "/" not in line


# --- OpenSpiel --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported():
    """An endgame of Coup, and the same in OpenSpiel."""
    pyspiel = pytest.importorskip(OPEN_SPIEL)
    solved = solve_endgame(Endgame((6, 6), turns=2))
    text = "\n".join(efg_lines(solved.flat, "Coup", describe, UNIT)) + "\n"
    return solved, pyspiel.load_efg_game(text), pyspiel


def test_open_spiel_finds_the_same_exploitability_after_every_number_of_iterations(exported):
    solved, theirs, pyspiel = exported
    solver = pyspiel.CFRPlusSolver(theirs)
    for t in range(1, 16):
        solver.evaluate_and_update_policy()
        if t in (1, 5, 15):
            ours = solve(solved.flat, "cfr+", t).exploitability / UNIT
            assert pyspiel.nash_conv(theirs, solver.average_policy()) / 2 == pytest.approx(ours, abs=1e-10)


def test_open_spiel_confirms_value_and_exploitability_of_our_strategies(exported):
    solved, theirs, pyspiel = exported
    flat, table = solved.flat, {}

    def walk(node, state):
        if flat.actor[node] == OVER:
            assert state.is_terminal()
            return
        children = range(flat.first[node], flat.first[node] + flat.children[node])
        names = {state.action_to_string(state.current_player(), a): a for a in state.legal_actions()}
        if flat.actor[node] != CHANCE:
            assert state.current_player() == flat.actor[node]
            slot = flat.slot[node]
            table[state.information_state_string()] = [
                (names[describe(int(flat.action[child]))], float(solved.slots[slot + j])) for j, child in enumerate(children)
            ]
        for child in children:
            walk(child, state.child(names[describe(int(flat.action[child]))]))

    walk(0, theirs.new_initial_state())
    policy = pyspiel.TabularPolicy(table)
    value, _ = pyspiel.expected_returns(theirs.new_initial_state(), policy, -1, False)
    assert len(table) == solved.sets
    assert value == pytest.approx(solved.value, abs=1e-9)
    assert pyspiel.nash_conv(theirs, policy) == pytest.approx(solved.high - solved.low, abs=1e-9)
