"""Stable-Baselines3 on our games: ``make test-train`` installs it and runs these."""

import numpy as np
import pytest

pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 is not installed (make test-train)")

from kibitz.adapters.sb3 import SeatVecEnv
from kibitz.adapters.vector import VectorSeatEnv


def test_the_games_are_those_of_the_vector_environment():
    ours = SeatVecEnv(4, "coup", seats=2, opponents="heuristic", starts=1)
    ours.seed(3)
    theirs = VectorSeatEnv(
        4, "coup", seats=2, opponents="heuristic", starts=1, autoreset_mode=ours.envs.metadata["autoreset_mode"]
    )
    observations = ours.reset()
    others, _ = theirs.reset(seed=3)
    ends = 0
    for _ in range(60):
        assert (observations == others).all()
        masks = np.array(ours.env_method("action_masks"))
        assert (masks == theirs.action_masks()).all()
        actions = masks.argmax(axis=1)
        observations, rewards, over, infos = ours.step(actions)
        others, theirs_rewards, theirs_over, _, more = theirs.step(actions)
        assert (rewards == theirs_rewards).all()
        assert (over == theirs_over).all()
        for i in np.flatnonzero(over):
            assert (infos[i]["terminal_observation"] == more["final_obs"][i]).all()
        ends += over.sum()
    assert ends > 3
    assert ours.has_attr("action_masks")
    with pytest.raises(AttributeError, match="expected action_masks"):
        ours.env_method("render")


def test_maskable_ppo_learns_with_it():
    from sb3_contrib import MaskablePPO

    envs = SeatVecEnv(8, "coup", seats=2, opponents="random", floats="scaled", starts=1)
    model = MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=64, n_epochs=1, seed=1)
    model.learn(256)
    observations = envs.reset()
    actions, _ = model.predict(observations, action_masks=envs.action_masks())
    assert envs.action_masks()[np.arange(8), actions].all()


def test_algorithms_without_masks_take_it_too():
    from stable_baselines3 import A2C
    from stable_baselines3.common.vec_env import VecMonitor

    envs = VecMonitor(SeatVecEnv(4, "coup", seats=2, floats="scaled", starts=1))
    A2C("MlpPolicy", envs, seed=1).learn(200)
