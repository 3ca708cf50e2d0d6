"""One construction at a time, as Gymnasium and other strangers use it."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from envs.playing import IDS, INFO_KEYS, random_valid
from gymnasium.utils.env_checker import check_env

from brickbybrick.envs.construction_env import ConstructionEnv
from brickbybrick.envs.vector_env import ConstructionVectorEnv
from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("render_mode", [None, "rgb_array", "ansi"])
def test_gymnasium_finds_nothing_to_complain_of(name: str, render_mode: str | None) -> None:
    env = gymnasium.make(name, render_mode=render_mode)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("name", IDS)
def test_the_action_spaces_of_the_tasks(name: str) -> None:
    bricks, offsets = {IDS[0]: (45, 6), IDS[1]: (45, 16), IDS[2]: (70, 32)}[name]
    env = gymnasium.make(name)
    assert env.action_space.nvec.tolist() == [bricks, offsets]
    _, info = env.reset(seed=1)
    assert info["action_mask"].shape == (bricks, offsets)
    assert info["action_mask"].dtype == np.int8


@pytest.mark.parametrize("name", IDS)
def test_an_episode_by_its_masks(name: str) -> None:
    """Masked actions always succeed; the infos always have the same keys; the graph's edges are stud contacts."""
    env = gymnasium.make(name)
    generator = np.random.default_rng(0)
    observation, info = env.reset(seed=3)
    terminated, steps = False, 1
    while not terminated:
        assert set(info) == INFO_KEYS
        observation, reward, terminated, truncated, info = env.step(random_valid(info["action_mask"], generator))
        steps += 1
        assert not truncated
        assert not info["invalid_action"]
        assert observation["n_bricks"] == info["n_bricks"] == steps
        assert reward in (0, info["delta_iou"])
    construction = env.unwrapped.construction()
    assert len(construction.bricks) == steps
    assembly = Assembly()
    for brick in construction.bricks:
        assembly.put(Pose(brick.x, brick.y, brick.z, brick.d))
    for brick in range(steps):
        listed = observation["neighbours"][brick]
        assert listed[listed >= 0].tolist() == sorted(assembly.neighbours(brick))


def test_a_seed_repeats_an_episode() -> None:
    def play(seed: int) -> list[object]:
        env = gymnasium.make(IDS[1])
        generator = np.random.default_rng(5)
        _, info = env.reset(seed=seed)
        seen = [info["target_id"]]
        for _ in range(40):
            action = random_valid(info["action_mask"], generator)
            _, reward, terminated, _, info = env.step(action)
            seen += [tuple(action), reward]
            if terminated:
                _, info = env.reset()
                seen.append(info["target_id"])
        return seen

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_environments_pickle_in_the_middle_of_an_episode() -> None:
    env = gymnasium.make(IDS[0], digit=7).unwrapped
    vector = ConstructionVectorEnv(3, "mnist-7", threads=2)
    _, info = env.reset(seed=1)
    vector.reset(seed=1)
    action = np.argwhere(info["action_mask"])[0]
    vector.step(np.tile(action, (3, 1)))
    for original in (env, vector):
        copy = pickle.loads(pickle.dumps(original))
        actions = action if original is env else np.tile(action, (3, 1))
        one, other = original.step(actions), copy.step(actions)
        for key, values in one[0].items():
            np.testing.assert_array_equal(values, other[0][key])
        np.testing.assert_array_equal(one[1], other[1])


def test_without_masks_an_invalid_action_ends_the_episode() -> None:
    env = gymnasium.make(IDS[0], mask="placed")
    _, info = env.reset(seed=0)
    assert info["action_mask"].sum() == 6  # all offsets of the one brick placed, the underground ones too
    below = next(k for k, o in enumerate(env.unwrapped.sim.offsets.offsets) if o.dz == -1)
    _, reward, terminated, _, info = env.step(np.array([0, below]))
    assert (reward, terminated, info["invalid_action"], info["n_bricks"]) == (0, True, True, 1)
    with pytest.raises(InputError, match="reset"):
        env.unwrapped.step(np.array([0, 0]))


@pytest.mark.parametrize(
    "action",
    [[45, 0], [0, 6], [-1, 0], [0, -1], [0.0, np.nan], [np.nan, np.nan], [0], [[0, 0]], ["a", "b"], [0.5, 0]],
)
def test_actions_outside_the_space_are_refused_and_change_nothing(action: list[object]) -> None:
    env = ConstructionEnv("mnist-0")
    env.reset(seed=0)
    before = pickle.dumps(env.sim.state)
    with pytest.raises(InputError, match="action"):
        env.step(np.array(action))
    assert pickle.dumps(env.sim.state) == before
    vector = ConstructionVectorEnv(2, "mnist-0")
    vector.reset(seed=0)
    before = pickle.dumps(vector.sim.state)
    with pytest.raises(InputError, match="action"):
        vector.step(np.array([action, action]))
    assert pickle.dumps(vector.sim.state) == before


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"budget": 0}, "budget .* is 0"),
        ({"mask": "psychic"}, "no mask named"),
        ({"split": "holdout"}, "no split named"),
        ({"reward": "gold"}, "no reward named"),
        ({"render_mode": "human"}, "no render mode"),
        ({"task": "mnist-12"}, "no task named"),
        ({"task": 3}, "no task"),
        ({"budget": 2.5}, "whole number"),
        ({"budget": 10**30}, "whole number"),
        ({"max_bricks": "many"}, "whole number"),
    ],
)
def test_impossible_options(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        ConstructionEnv(**{"task": "mnist-0", **options})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments",
    [
        {"seed": -1},
        {"seed": 1.5},
        {"options": {"target": 400}},
        {"options": {"target": "a"}},
        {"options": {"target": 2.7}},
        {"options": {"target": 10**30}},
    ],
)
def test_a_reset_that_is_refused_changes_nothing(arguments: dict[str, object]) -> None:
    for env in (ConstructionEnv("mnist-0"), ConstructionVectorEnv(2, "mnist-0")):
        env.reset(seed=0)
        before = pickle.dumps(env.sim.state)
        with pytest.raises(InputError):
            env.reset(**arguments)  # type: ignore[arg-type]
        with pytest.raises(InputError):
            env.reset(**{"seed": 5, "options": {"target": 999}, **arguments})  # type: ignore[arg-type]
        assert pickle.dumps(env.sim.state) == before


def test_a_step_needs_a_reset_first() -> None:
    for env, action in ((ConstructionEnv("mnist-0"), [0, 0]), (ConstructionVectorEnv(2, "mnist-0"), [[0, 0]] * 2)):
        with pytest.raises(InputError, match="reset"):
            env.step(np.array(action))
