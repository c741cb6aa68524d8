"""The recipes of examples/: a few updates of each, with PyTorch (``make test-train``)."""

import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (make test-train)")

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = {"places": 16, "steps": 8, "batches": 2, "epochs": 1, "width": 16, "depth": 1, "games": 10, "measure_every": 2}


@pytest.fixture
def ppo(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    torch.set_num_threads(1)
    yield import_module("ppo")
    for name in ("ppo", "ppo_coup", "learning_curve", "training_folder"):
        sys.modules.pop(name, None)


def trained(ppo, recipe, folder):
    training = ppo.Training(recipe, folder, "cpu")
    training.run()
    return training


def test_a_recipe_trains_and_goes_on_where_it_stopped(ppo, tmp_path, capsys):
    recipe = replace(import_module("ppo_coup").COUP, updates=4, **SMALL)
    first = trained(ppo, recipe, tmp_path)
    assert [point["updates"] for point in first.curve] == [2, 4]
    again = ppo.Training(recipe, tmp_path, "cpu")
    assert (again.done, again.checksum(), again.curve) == (4, first.checksum(), first.curve)
    with pytest.raises(SystemExit, match="holds another training"):
        ppo.Training(replace(recipe, width=8), tmp_path, "cpu")
    assert f"against {recipe.rival}" in capsys.readouterr().out
    picture = ElementTree.parse(tmp_path / "curve.svg").getroot()
    assert len(picture.findall(".//{*}circle")) == 2


def test_the_same_recipe_gives_the_same_network(ppo, tmp_path):
    recipe = replace(import_module("ppo_coup").COUP, updates=2, **SMALL)
    one, two = (trained(ppo, recipe, tmp_path / name) for name in "ab")
    assert one.checksum() == two.checksum()


def test_it_learns_to_beat_random(ppo, tmp_path):
    recipe = ppo.Recipe(game="coup", seats=2, rival="random", places=128, steps=16, updates=25, measure_every=25, games=500)
    assert trained(ppo, recipe, tmp_path).curve[-1]["won"] > 0.6


def test_illegal_actions_are_never_chosen(ppo):
    player = ppo.Player(numbers=5, ids=7, width=8, depth=1)
    masks = torch.rand(200, 7) < 0.3
    masks[:, 2] = True
    logs, values = player(torch.rand(200, 5), masks)
    assert masks[torch.arange(200), ppo.drawn(logs)].all()
    assert logs.exp().sum(dim=1).detach().numpy() == pytest.approx(1, abs=1e-5)
    assert values.shape == (200,)
