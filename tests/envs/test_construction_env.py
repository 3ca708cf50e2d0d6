"""One construction at a time, as Gymnasium and other strangers use it, and many at once as if each were alone."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from envs.playing import IDS, INFO_KEYS, random_valid
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from brickbybrick.envs.construction_env import ConstructionEnv, ConstructionVectorEnv
from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly


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
    for pose in construction.poses:
        assembly.put(pose)
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


@pytest.mark.parametrize("name", IDS)
def test_what_was_seen_stays_as_it_was(name: str) -> None:
    """Replay buffers keep observations and infos: no later step or reset writes to them."""
    env = gymnasium.make(name).unwrapped
    generator = np.random.default_rng(0)
    kept = [env.reset(seed=1)]
    dumps = [pickle.dumps(kept[-1])]
    for _ in range(60):
        observation, _, terminated, _, info = env.step(random_valid(kept[-1][1]["action_mask"], generator))
        kept.append((observation, info))
        dumps.append(pickle.dumps(kept[-1]))
        if terminated:
            kept.append(env.reset())
            dumps.append(pickle.dumps(kept[-1]))
    assert [pickle.dumps(each) for each in kept] == dumps


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


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_views_show_what_copies_do(mode: AutoresetMode) -> None:
    """Without copies every step writes to the same arrays, but what is kept of an episode's end stays as it was."""
    copies, views = (ConstructionVectorEnv(4, "mnist-3", autoreset_mode=mode, copy=copy) for copy in (True, False))
    first, _ = views.reset(seed=4)
    copies.reset(seed=4)
    actions, kept = np.zeros((4, 2), np.int64), []
    for _ in range(60):
        copies.sim.random_actions(actions)
        views.sim.state.generator[:] = copies.sim.state.generator
        seen, *outcome, info = views.step(actions)
        other_seen, *other_outcome, other_info = copies.step(actions)
        for values, others in zip(outcome, other_outcome, strict=True):
            np.testing.assert_array_equal(values, others)
        for key, values in seen.items():
            assert values is first[key]
            np.testing.assert_array_equal(values, other_seen[key])
        np.testing.assert_array_equal(info["action_mask"], other_info["action_mask"])
        if mode == AutoresetMode.SAME_STEP and outcome[1].any():
            kept += [(each["final_info"], each["final_obs"].tolist()) for each in (info, other_info)]
        if mode == AutoresetMode.DISABLED and outcome[1].any():
            for envs in (copies, views):
                envs.reset(options={"reset_mask": outcome[1].copy()})
    assert bool(kept) == (mode == AutoresetMode.SAME_STEP)
    for one, other in zip(kept[::2], kept[1::2], strict=True):
        np.testing.assert_equal(one, other)


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
