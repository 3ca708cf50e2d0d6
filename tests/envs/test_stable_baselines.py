"""The compiled batch as Stable-Baselines3 sees it, beside its own way with single environments."""

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="sb3_contrib is not installed: make test-clients")

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from brickbybrick.envs.stable_baselines import CompiledVecEnv
from brickbybrick.envs.wrappers import FlatActions
from brickbybrick.errors import InputError

ENVS = 3


def test_it_plays_as_stable_baselines_own_vector_does() -> None:
    """Observations, rewards, ends and masks are the same, past ends of episodes, and so is what was last seen."""
    ours = CompiledVecEnv(ENVS, "mnist-3")
    theirs = DummyVecEnv([lambda: FlatActions(gymnasium.make("brickbybrick/Mnist-v0", digit=3))] * ENVS)
    choice, ended = np.random.default_rng(0), 0
    for envs in (ours, theirs):
        envs.seed(7)
    seen, others = ours.reset(), theirs.reset()
    for _ in range(60):
        for key, values in others.items():
            np.testing.assert_array_equal(seen[key], values)
        masks = np.stack(ours.env_method("action_masks"))
        np.testing.assert_array_equal(masks, np.stack(theirs.env_method("action_masks")))
        actions = np.array([choice.choice(np.flatnonzero(mask)) for mask in masks])
        seen, rewards, over, infos = ours.step(actions)
        others, other_rewards, other_over, other_infos = theirs.step(actions)
        np.testing.assert_array_equal(rewards, other_rewards)
        np.testing.assert_array_equal(over, other_over)
        for env in np.flatnonzero(over):
            ended += 1
            assert infos[env]["iou"] == other_infos[env]["iou"]
            assert infos[env]["episode"]["l"] == other_infos[env]["n_bricks"] - 1
            for key, values in other_infos[env]["terminal_observation"].items():
                np.testing.assert_array_equal(infos[env]["terminal_observation"][key], values)
    assert ended > ENVS
    ours.close()
    theirs.close()


def test_maskable_ppo_learns_from_it() -> None:
    envs = CompiledVecEnv(8, "mnist-1")
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=32, batch_size=128, n_epochs=2, seed=0, device="cpu")
    model.learn(512)
    assert model.num_timesteps == 512
    assert model.ep_info_buffer
    assert all(2 <= episode["l"] + 1 <= 45 and -1 < episode["r"] < 1 for episode in model.ep_info_buffer)


def test_targets_are_chosen_and_attributes_are_the_batchs() -> None:
    envs = CompiledVecEnv(2, "mnist-1")
    envs.set_options([{"target": 5}, {"target": 9}])
    envs.reset()
    assert envs.env.window.info["target_id"].tolist() == [5, 9]
    assert len(envs.env_method("action_masks", indices=1)) == 1
    assert envs.env_is_wrapped(gymnasium.Wrapper) == [False, False]
    with pytest.raises(InputError, match="of all environments at once"):
        envs.set_attr("budget", 3)
