"""The recipe for Catan: a few updates of it, and what its network sees, with PyTorch (``make test-train``)."""

import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from kibitz.adapters.vector_table import VectorTableEnv, inputs_of
from kibitz.learn import advantages

torch = pytest.importorskip("torch", reason="PyTorch is not installed (make test-train)")

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = {
    "places": 16, "steps": 8, "updates": 4, "epochs": 1, "batches": 2, "width": 16, "corner_width": 8, "measure_every": 2,
    "games": 4,
}  # fmt: skip


@pytest.fixture
def ppo(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    torch.set_num_threads(1)
    yield import_module("ppo_catan")
    for name in ("ppo_catan", "catan_net", "learning_curve", "training_folder"):
        sys.modules.pop(name, None)


def test_it_trains_and_goes_on_where_it_stopped(ppo, tmp_path, capsys):
    recipe = ppo.Recipe(**SMALL)
    first = ppo.Training(recipe, tmp_path, "cpu")
    first.run()
    assert [point["updates"] for point in first.curve] == [2, 4]
    again = ppo.Training(recipe, tmp_path, "cpu")
    assert (again.done, again.checksum(), again.curve) == (4, first.checksum(), first.curve)
    with pytest.raises(SystemExit, match="holds another training"):
        ppo.Training(replace(recipe, width=8), tmp_path, "cpu")
    assert "against builder-0.1" in capsys.readouterr().out


def test_both_seats_are_seen_alike(ppo):
    """A position with the seats exchanged is the same to whoever is to move."""
    tables = VectorTableEnv(8, "catan", 2, starts=2, rules=ppo.RULES, inputs=True)
    here = tables.setting
    net = ppo.CatanNet(here, inputs_of(here), 16, 8)
    step, dice = tables.reset(seed=3), np.random.default_rng(1)
    for _ in range(40):
        step = tables.step(np.argmax(step.masks * dice.random(step.masks.shape), axis=1))
    swapped = step.observations.copy()
    swapped[:, 0] = 1 - swapped[:, 0]
    for part in here.layout.parts:
        numbers = swapped[:, here.layout.slices[part.name]]
        if part.name in ("settlements", "cities", "roads", "hand_size", "dev_size", "played", "road_length", "discards"):
            rows = numbers.reshape(len(swapped), 4, -1)
            rows[:, :2] = rows[:, 1::-1].copy()
        elif part.name in ("player", "road_holder", "army_holder", "victim"):
            numbers[:] = np.where(numbers >= 0, 1 - numbers, numbers)
    inputs, masks = torch.from_numpy(step.inputs), torch.from_numpy(step.masks).bool()
    with torch.no_grad():
        left, right = (net(torch.from_numpy(seen), inputs, masks) for seen in (step.observations, swapped))
    for one, other in zip(left, right, strict=True):
        assert torch.allclose(one, other, atol=1e-5)
    assert left[0].exp().sum(1).numpy() == pytest.approx(1, abs=1e-5)
    assert (left[0].exp()[~masks] == 0).all()


def test_lessons_are_those_of_the_library(ppo):
    dice = np.random.default_rng(2)
    steps, places = 12, 30
    values, rewards = dice.random((steps + 1, places), np.float32), dice.random((steps, places, 2), np.float32)
    actors, over = dice.integers(0, 2, (steps + 1, places)), dice.random((steps, places)) < 0.1
    expected = advantages.advantages(values, rewards, actors, over, 1.0, 0.9)
    found = ppo.advantages(*(torch.from_numpy(one) for one in (values, rewards, actors, over)), 0.9)
    known = expected.known
    assert np.array_equal(found.known.numpy(), known)
    assert found.gains.numpy()[known] == pytest.approx(expected.advantages[known], abs=1e-5)
    assert found.returns.numpy()[known] == pytest.approx(expected.returns[known], abs=1e-5)
