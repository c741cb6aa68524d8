"""Solver against solver, where OpenSpiel is installed: the same exploitability after every number of iterations."""

import pytest

from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.search.cfr import solve
from kibitz.search.flat import efg_lines, flatten
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


@pytest.mark.parametrize("method", SOLVERS)
@pytest.mark.parametrize("start", [lambda: kuhn.new(2, 0), KuhnCoup], ids=["kuhn", "kuhn coup"])
def test_the_same_curve_on_an_exported_tree(start, method):
    flat = flatten(start())
    iterations = (1, 2, 7, 30)
    ours = [solve(flat, method, n).exploitability for n in iterations]
    theirs = pyspiel.load_efg_game("".join(f"{line}\n" for line in efg_lines(flat)))
    assert ours == pytest.approx(curve(theirs, method, iterations), abs=1e-10)
