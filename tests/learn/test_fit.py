"""Training itself, with PyTorch: ``make test-train`` installs it and runs these."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (make test-train)")

from kibitz.game.evaluator import SURE
from kibitz.learn.fit import Learner, Schedule
from tests.game.test_evaluator import WIDE, evaluated

INPUTS = 20


def lessons(n: int, seed: int = 0):
    """Whoever has the largest first number wins."""
    inputs = np.random.default_rng(seed).integers(0, 12, (n, 4, INPUTS)).astype(np.int8)
    return inputs, np.eye(4, dtype=np.float32)[inputs[:, :, 0].argmax(axis=1)]


def test_a_learner_learns_and_its_integers_say_the_same():
    inputs, targets = lessons(8000)
    learner = Learner(Learner.scale_of(inputs), WIDE, seed=1)
    before = learner.learn(inputs, targets, Schedule(epochs=0.3, batch=64))
    after = learner.learn(inputs, targets, Schedule(epochs=4, batch=64))
    assert after < before / 2
    fresh, _ = lessons(20, seed=9)
    weights = learner.layers.quantised()
    for values, position in zip(learner.values(fresh), fresh, strict=True):
        assert np.array(evaluated(weights, position.astype(np.int16))) / SURE == pytest.approx(values, abs=0.02)


@pytest.mark.parametrize("wide", [32, WIDE])
def test_what_is_known_is_known_from_the_start(wide):
    """Even if it was known to a narrower network."""
    inputs, targets = lessons(2000)
    learner = Learner(Learner.scale_of(inputs), wide, seed=1)
    learner.learn(inputs, targets, Schedule(batch=64))
    pupil = Learner(Learner.scale_of(inputs[:500]), WIDE, seed=2, start=learner.layers)
    assert pupil.values(inputs[:50]) == pytest.approx(learner.values(inputs[:50]), abs=1e-4)


def test_the_same_seed_gives_the_same_network():
    inputs, targets = lessons(500)
    made = []
    for _ in range(2):
        learner = Learner(Learner.scale_of(inputs), WIDE, seed=3)
        learner.learn(inputs, targets, Schedule(batch=64))
        made.append(learner.layers.quantised().tolist())
    assert made[0] == made[1]


def test_a_learner_goes_on_from_what_it_kept_as_if_nothing_had_happened():
    inputs, targets = lessons(500)

    def learner():
        return Learner(Learner.scale_of(inputs), WIDE, seed=3)

    whole = learner()
    whole.learn(inputs, targets, Schedule(batch=64))
    kept = whole.state
    loss = whole.learn(inputs, targets, Schedule(batch=64))
    again = learner()
    again.restore(kept)
    assert again.learn(inputs, targets, Schedule(batch=64)) == loss
    assert again.layers.quantised().tolist() == whole.layers.quantised().tolist()
