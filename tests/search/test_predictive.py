"""Predictive CFR: iteration by iteration against a slow reference, and how soon it is accurate."""

import numpy as np
import pytest

from kibitz.examples import kuhn, leduc
from kibitz.game import CHANCE, OVER
from kibitz.search.cfr import METHODS, Method, Solver, solve
from kibitz.search.flat import flatten
from tests.search.plain_games import KuhnCoup


class Reference:
    """Regrets by information set in dictionaries, by recursion."""

    def __init__(self, flat):
        self.flat = flat
        self.regret = {i: np.zeros(flat.set_slot[i + 1] - flat.set_slot[i]) for i in range(len(flat.set_seat))}
        self.strategy = {i: np.full(len(r), 1 / len(r)) for i, r in self.regret.items()}

    def value(self, node, seat, other, found):
        flat = self.flat
        if flat.actor[node] == OVER:
            return flat.value[node] if seat == 0 else -flat.value[node]
        children = range(flat.first[node], flat.first[node] + flat.children[node])
        if flat.actor[node] == CHANCE:
            return sum(flat.probability[c] * self.value(c, seat, other * flat.probability[c], found) for c in children)
        play = self.strategy[flat.infoset[node]]
        if flat.actor[node] != seat:
            return sum(p * self.value(c, seat, other * p, found) for p, c in zip(play, children, strict=True))
        values = np.array([self.value(c, seat, other, found) for c in children])
        found.setdefault(flat.infoset[node], np.zeros(len(values)))
        found[flat.infoset[node]] += other * (values - play @ values)
        return play @ values

    def iterate(self, t, alpha):
        for seat in range(2):
            found = {}
            self.value(0, seat, 1.0, found)
            for i, latest in found.items():
                self.regret[i] = np.maximum(self.regret[i] + latest, 0) * t**alpha / (t**alpha + 1)
                expected = np.maximum(self.regret[i] + latest, 0)
                total = expected.sum()
                self.strategy[i] = expected / total if total > 0 else np.full(len(latest), 1 / len(latest))


@pytest.mark.plain
@pytest.mark.parametrize("start", [lambda: kuhn.new(2, 0), KuhnCoup], ids=["kuhn", "kuhn coup"])
def test_every_iteration_is_that_of_the_reference(start):
    flat = flatten(start())
    solver, reference = Solver(flat, "pdcfr+"), Reference(flat)
    for t in range(1, 9):
        solver.run(1)
        reference.iterate(t, METHODS["pdcfr+"].alpha)
        assert solver.regret == pytest.approx(np.concatenate(list(reference.regret.values())))
        assert solver.current == pytest.approx(np.concatenate(list(reference.strategy.values())))


def test_it_is_accurate_long_before_the_others():
    flat = flatten(kuhn.new(2, 0))
    assert solve(flat, "pdcfr+", 200).exploitability < 1e-6
    assert solve(flat, "cfr+", 200).exploitability > 1e-4
    assert solve(flatten(leduc.new(2, 0)), "pdcfr+", 4000).value == pytest.approx(-0.08560642, abs=1e-6)


@pytest.mark.plain
def test_sampled_lines_are_not_predicted():
    with pytest.raises(ValueError, match="predictions cannot be given"):
        Method(predictive=True, sampled=True)
