"""The simulator as TorchRL sees it, beside the compiled batch of Gymnasium."""

import gymnasium
import numpy as np
import pytest

pytest.importorskip("torchrl", reason="torchrl is not installed: make test-clients")

import torch
from torchrl.envs import ActionMask, TransformedEnv
from torchrl.envs.utils import check_env_specs

from brickbybrick.envs.torchrl import ConstructionTorchEnv
from brickbybrick.errors import InputError

ENVS = 4
SEEN = ["nodes", "neighbours", "n_bricks", "bricks_left", "images", "start"]


@pytest.mark.parametrize("task", ["mnist-3", "random", "modelnet-airplane"])
def test_specs_are_what_torchrl_takes_them_for(task: str) -> None:
    check_env_specs(ConstructionTorchEnv(ENVS, task), seed=0, break_when_any_done="both")
    check_env_specs(TransformedEnv(ConstructionTorchEnv(ENVS, task), ActionMask()), seed=0, break_when_any_done="both")


def test_it_plays_as_the_compiled_batch_does() -> None:
    """Observations, masks, rewards and ends are the same, past ends of episodes, and so is what was last seen."""
    ours = ConstructionTorchEnv(ENVS, "mnist-3")
    theirs = gymnasium.make_vec("brickbybrick/Mnist-v0", ENVS, digit=3, autoreset_mode="SameStep")
    ours.set_seed(7)
    theirs.action_space.seed(0)
    now, (seen, info) = ours.reset(), theirs.reset(seed=7)
    ended = 0
    for _ in range(60):
        for key in SEEN:
            np.testing.assert_array_equal(now[key], seen[key])
        np.testing.assert_array_equal(now["action_mask"], info["action_mask"].reshape(ENVS, -1))
        actions = theirs.action_space.sample(mask=info["action_mask"])
        seen, reward, over, _, info = theirs.step(actions)
        now["action"] = torch.from_numpy(actions[:, 0] * len(ours.sim.offsets) + actions[:, 1])
        played, now = ours.step_and_maybe_reset(now)
        np.testing.assert_array_equal(played["next", "done"][:, 0], over)
        np.testing.assert_allclose(played["next", "reward"][:, 0], reward, rtol=1e-6)
        for env in np.flatnonzero(over):
            ended += 1
            assert played["next", "iou"][env] == info["final_info"]["iou"][env]
            for key in SEEN:
                np.testing.assert_array_equal(played["next", key][env], info["final_obs"][env][key])
    assert ended > ENVS
    ours.close()
    theirs.close()


def test_masked_choices_are_valid_and_others_end_an_episode_at_once() -> None:
    env = ConstructionTorchEnv(32, "random")
    masked = TransformedEnv(env, ActionMask())
    masked.set_seed(0)
    played = masked.rollout(40, break_when_any_done=False)
    assert played["action_mask"].gather(2, played["action"][..., None]).all()
    assert played["next", "done"].any()
    assert not played["next", "invalid_action"].any()
    assert (played["next", "iou"] > 0).all()
    now = env.reset()
    now["action"] = now["action_mask"].int().argmin(dim=1)  # the first that is not valid
    after = env.step(now)["next"]
    assert after["invalid_action"].all()
    assert after["done"].all()
    assert not after["reward"].any()


def test_what_is_seen_is_ones_own_unless_one_asks_for_the_simulators() -> None:
    own, shared = ConstructionTorchEnv(ENVS, "mnist-3"), ConstructionTorchEnv(ENVS, "mnist-3", copy=False)
    for env in (own, shared):
        env.set_seed(3)
    first, looked_at = own.reset(), shared.reset()
    kept = first.clone()
    for env, now in ((own, first.clone()), (shared, looked_at.clone())):
        env.step(now.set("action", kept["action_mask"].int().argmax(dim=1)))
    assert (first == kept).all()
    assert looked_at["n_bricks"].tolist() == [2] * ENVS
    assert looked_at["nodes"].data_ptr() == shared.sim.state.nodes.ctypes.data
    assert looked_at["action_mask"].data_ptr() == shared.window.info["action_mask"].ctypes.data


def test_targets_and_seeds_can_be_chosen_and_a_reset_of_some_leaves_the_others_alone() -> None:
    env = ConstructionTorchEnv(ENVS, "mnist-3")
    assert env.reset(target=5)["target_id"].tolist() == [5] * ENVS
    env.set_seed(1)
    first = env.reset()
    begun = torch.tensor([True, False, True, False])[:, None]
    again = env.reset(first.clone().set("_reset", begun), target=torch.arange(ENVS))
    assert again["target_id"].tolist() == [0, int(first["target_id"][1]), 2, int(first["target_id"][3])]
    env.set_seed(1)
    assert (env.reset() == first).all()
    torch.manual_seed(0)
    drawn = [ConstructionTorchEnv(ENVS, "mnist-3").reset() for _ in range(2)]
    assert (drawn[0]["target_id"] != drawn[1]["target_id"]).any()


def test_actions_outside_the_space_are_told() -> None:
    env = ConstructionTorchEnv(ENVS, "mnist-3")
    now = env.reset()
    for action in (-1, env.action_spec.n):
        with pytest.raises(InputError, match="outside the action space"):
            env.step(now.set("action", torch.full((ENVS,), action)))
