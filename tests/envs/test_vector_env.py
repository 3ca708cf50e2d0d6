"""Many constructions at once: as if each were alone."""

import gymnasium
import numpy as np
import pytest
from envs.playing import IDS, random_valid
from gymnasium.vector import AutoresetMode

from brickbybrick.envs.vector_env import ConstructionVectorEnv
from brickbybrick.errors import InputError


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_vector_plays_as_single_environments_do(mode: AutoresetMode) -> None:
    vector = gymnasium.make_vec(IDS[0], num_envs=4, digit=3, autoreset_mode=mode, threads=2)
    singles = [gymnasium.make(IDS[0], digit=3) for _ in range(4)]
    generator = np.random.default_rng(0)
    observation, info = vector.reset(seed=20)
    alone = [env.reset(seed=20 + i) for i, env in enumerate(singles)]
    over = np.zeros(4, bool)
    finished = 0
    for _ in range(60):
        assert vector.observation_space.contains(observation)
        for i, (one, one_info) in enumerate(alone):
            for key, values in one.items():
                np.testing.assert_array_equal(observation[key][i], values)
            for key, value in one_info.items():
                np.testing.assert_array_equal(info[key][i], value)
        if mode == AutoresetMode.DISABLED and over.any():
            observation, info = vector.reset(options={"reset_mask": over})
            for i in np.flatnonzero(over):
                alone[i] = singles[i].reset()
            over[:] = False
            continue
        actions = np.stack(
            [
                random_valid(each["action_mask"], generator) if not over[i] else [0, 0]
                for i, (_, each) in enumerate(alone)
            ]
        )
        observation, rewards, terminated, _, info = vector.step(actions)
        for i, env in enumerate(singles):
            if over[i] and mode == AutoresetMode.NEXT_STEP:
                alone[i] = env.reset()
                assert rewards[i] == 0
                assert not terminated[i]
                continue
            one, reward, done, _, one_info = env.step(actions[i])
            assert (rewards[i], terminated[i]) == (reward, done)
            finished += done
            alone[i] = one, one_info
            if done and mode == AutoresetMode.SAME_STEP:
                for key, values in one.items():
                    np.testing.assert_array_equal(info["final_obs"][i][key], values)
                assert info["final_info"]["iou"][i] == one_info["iou"]
                alone[i] = env.reset()
        over = terminated & (mode != AutoresetMode.SAME_STEP)
    assert finished > 8


@pytest.mark.parametrize("mask", [[True], [0, 2, 1], True, "abc", [[True, False, True]], [1.0, 0.0, 0.0]])
def test_reset_masks_of_another_shape_are_refused(mask: object) -> None:
    vector = ConstructionVectorEnv(3, "mnist-0")
    vector.reset(seed=0)
    with pytest.raises(InputError, match="flags"):
        vector.reset(options={"reset_mask": mask})


def test_a_partial_reset_leaves_the_others_alone() -> None:
    vector = ConstructionVectorEnv(3, "mnist-0", autoreset_mode=AutoresetMode.DISABLED)
    vector.reset(seed=0)
    generator = vector.sim.state.generator.copy()
    vector.reset(seed=9, options={"reset_mask": np.array([False, True, False])})
    assert (vector.sim.state.generator == generator).tolist() == [True, False, True]


@pytest.mark.parametrize("seed", [np.int64(3), [3, 4, 5], np.array([3, 4, 5])])
def test_seeds_of_a_vector(seed: object) -> None:
    vector = ConstructionVectorEnv(3, "mnist-0")
    _, info = vector.reset(seed=seed)  # type: ignore[arg-type]
    _, wanted = vector.reset(seed=3)
    assert info["target_id"].tolist() == wanted["target_id"].tolist()
    with pytest.raises(InputError, match="2 seeds for 3"):
        vector.reset(seed=[1, 2])


def test_gymnasiums_statistics_agree() -> None:
    """Gymnasium's own wrapper sums the rewards to the returns that the simulator keeps."""
    vector = gymnasium.wrappers.vector.RecordEpisodeStatistics(gymnasium.make_vec(IDS[0], num_envs=4))
    vector.reset(seed=0)
    actions, checked = np.zeros((4, 2), np.int64), 0
    for _ in range(60):
        vector.unwrapped.sim.random_actions(actions)
        _, _, terminated, _, info = vector.step(actions)
        for env in np.flatnonzero(terminated):
            assert info["episode"]["r"][env] == pytest.approx(vector.unwrapped.sim.state.episode_return[env])
            checked += 1
    assert checked > 4
    vector.close()
