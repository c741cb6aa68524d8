"""Solver against solver, where OpenSpiel is installed: the same exploitability after every number of iterations."""

import numpy as np
import pytest

from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.game import CHANCE, OVER
from kibitz.search.cfr import solve
from kibitz.search.flat import Flat, flatten
from tests.search.plain_games import KuhnCoup

pyspiel = pytest.importorskip("pyspiel")

SOLVERS = {"cfr": "CFRSolver", "cfr+": "CFRPlusSolver"}


def curve(theirs, method: str, iterations: tuple[int, ...]) -> list[float]:
    """Exploitability of OpenSpiel's average strategy after so many iterations."""
    solver = getattr(pyspiel, SOLVERS[method])(theirs)
    found = []
    for t in range(1, iterations[-1] + 1):
        solver.evaluate_and_update_policy()
        if t in iterations:
            found.append(pyspiel.nash_conv(theirs, solver.average_policy()) / 2)
    return found


@pytest.mark.parametrize("method", SOLVERS)
@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("kuhn_poker", lambda: kuhn.new(2, 0)),
        ("leduc_poker", lambda: leduc.new(2, 0)),
        ("liars_dice(numdice=1,dice_sides=3)", lambda: liars_dice.start(1, 3)),
        ("liars_dice(numdice=2,dice_sides=2)", lambda: liars_dice.start(2, 2)),
    ],
    ids=["kuhn", "leduc", "dice", "two dice"],
)
def test_the_same_curve_on_the_same_game(name, start, method):
    flat = flatten(start())
    iterations = (1, 2, 7, 30)
    ours = [solve(flat, method, n).exploitability for n in iterations]
    assert ours == pytest.approx(curve(pyspiel.load_game(name), method, iterations), abs=1e-10)


def to_efg(flat: Flat) -> str:
    """The tree in the format of Gambit, which OpenSpiel reads."""
    lines = ['EFG 2 R "game" { "one" "two" } ""', ""]

    def write(node: int) -> None:
        children = range(flat.first[node], flat.first[node] + flat.children[node])
        if flat.actor[node] == OVER:
            lines.append(f't "" {node + 1} "" {{ {flat.value[node]} {-flat.value[node]} }}')
        elif flat.actor[node] == CHANCE:
            outcomes = " ".join(f'"{flat.action[child]}" {float(flat.probability[child])!r}' for child in children)
            lines.append(f'c "" {node + 1} "" {{ {outcomes} }} 0')
        else:
            actions = " ".join(f'"{flat.action[child]}"' for child in children)
            seat, infoset = flat.actor[node], flat.infoset[node]
            number = np.count_nonzero(flat.set_seat[: infoset + 1] == seat)
            lines.append(f'p "" {seat + 1} {number} "{infoset}" {{ {actions} }} 0')
        for child in children:
            write(child)

    write(0)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("method", SOLVERS)
@pytest.mark.parametrize("start", [lambda: kuhn.new(2, 0), KuhnCoup], ids=["kuhn", "kuhn coup"])
def test_the_same_curve_on_an_exported_tree(start, method):
    flat = flatten(start())
    iterations = (1, 2, 7, 30)
    ours = [solve(flat, method, n).exploitability for n in iterations]
    assert ours == pytest.approx(curve(pyspiel.load_efg_game(to_efg(flat)), method, iterations), abs=1e-10)
