"""The environments under the names by which learning code asks for them, and what is said where a library is missing."""

import subprocess
import sys

import pytest

pytest.importorskip("gymnasium", reason="the extra `adapters` is not installed")

import gymnasium
import numpy as np

import kibitz.adapters.gym
from kibitz.adapters.vector import VectorSeatEnv

pytestmark = pytest.mark.plain


def test_every_game_is_registered():
    ours = {name for name in gymnasium.registry if name.startswith("kibitz/")}
    assert ours >= {"kibitz/Catan-v0", "kibitz/Coup-v0", "kibitz/Onepiece-v0"}
    before = dict(gymnasium.registry)
    kibitz.adapters.gym.register()  # again, and nothing changes
    assert {name: gymnasium.registry[name] for name in before} == before


def test_make_makes_a_seat_with_masks():
    env = gymnasium.make("kibitz/Coup-v0", seats=3, opponents="heuristic", floats="scaled")
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert masks.tolist() == info["action_mask"].astype(bool).tolist()
    observation, _, _, _, info = env.step(int(masks.argmax()))
    assert env.get_wrapper_attr("action_masks")().tolist() == info["action_mask"].astype(bool).tolist()


def test_make_vec_makes_the_compiled_vector():
    envs = gymnasium.make_vec("kibitz/Coup-v0", num_envs=3, seats=2, starts=1, floats="one-hot")
    assert isinstance(envs.unwrapped, VectorSeatEnv)
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    assert set(np.unique(envs.unwrapped.action_masks().astype(int) - infos["action_mask"])) == {0}


def test_standardised_observations_stay_in_their_space():
    envs = VectorSeatEnv(4, "coup", 2, starts=1, jobs=1, floats="standardised", autoreset_mode="SameStep")
    _, infos = envs.reset(seed=2)
    finals = 0
    for _ in range(25):
        observations, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert envs.observation_space.contains(observations)
        for final in infos.get("final_obs", ()):
            assert final is None or envs.single_observation_space.contains(final)
            finals += final is not None
    assert finals


#: The modules that need a library: which, and the extra that brings it.
NEEDS = {
    "kibitz.adapters.gym": ("gymnasium", "adapters"),
    "kibitz.adapters.vector": ("gymnasium", "adapters"),
    "kibitz.adapters.zoo": ("gymnasium", "adapters"),
    "kibitz.adapters.spiel": ("pyspiel", "spiel"),
    "kibitz.adapters.sb3": ("stable_baselines3", "sb3"),
    "kibitz.web.server": ("uvicorn", "web"),
    "kibitz.web.app": ("nicegui", "web"),
}
WITHOUT = f"""
import sys
from importlib import import_module
import kibitz.adapters.vector_table  # needs nothing
for package in {[package for package, _ in NEEDS.values()]}:
    sys.modules[package] = None
for module in {list(NEEDS)}:
    try:
        import_module(module)
    except ImportError as error:
        print(error)
"""


def test_a_missing_library_names_its_pip_line():
    said = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True).stdout
    expected = [f"the package {package} is not installed (pip install 'kibitz[{extra}]')" for package, extra in NEEDS.values()]
    assert said.splitlines() == expected
