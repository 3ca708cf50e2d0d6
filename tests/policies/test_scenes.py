"""What B3+ sees, against the readable rules."""

import numpy as np
import pytest
import torch
from policies.begun import TASKS, few, played, slow_scene

from brickbybrick.geometry.brick import Pose
from brickbybrick.policies.scenes import Scenes, weigh
from brickbybrick.policies.spatial import Scene, SpatialConfig, SpatialPolicy


@pytest.mark.parametrize("name", TASKS)
def test_scenes_are_what_the_readable_rules_say(name: str) -> None:
    task = few(name, 2)
    scenes = played(task, bricks=4)
    scene = scenes.look()
    packed = scenes.sim.state.packed
    for env, target in enumerate(task.train):
        poses = [Pose(*pose) for pose in packed.placed[env, : packed.bricks[env], :4].tolist()]
        built, free = slow_scene(target, poses, task.offsets)
        assert np.array_equal(scene.built[env].numpy(), built)
        assert np.array_equal(scene.free[env].numpy(), free)
        assert int(scene.left[env]) == target.budget - len(poses)


@pytest.mark.parametrize("name", TASKS)
def test_places_are_numbered_through_directions_and_cells(name: str) -> None:
    scenes = played(few(name, 3), bricks=4)
    free = scenes.look().free.flatten(1).numpy()
    for env in range(3):
        for place in np.flatnonzero(free[env]):
            pose = Pose(*scenes.poses(np.full(3, place))[env].tolist())
            packed = scenes.sim.state.packed
            there = [Pose(*each) for each in packed.placed[env, : packed.bricks[env], :4].tolist()]
            assert any(
                scenes.sim.offsets.place(pivot, index) == pose
                for pivot in there
                for index in range(len(scenes.sim.offsets))
            )


@pytest.mark.parametrize("name", TASKS)
def test_only_places_that_are_free_can_be_chosen(name: str) -> None:
    scenes = played(few(name, 3), bricks=3)
    policy = SpatialPolicy(SpatialConfig(1 if name == "mnist-3" else 3, width=4, layers=3))
    scene = scenes.look()
    logits = weigh(policy, scene)
    assert torch.equal(logits.isfinite(), scene.free.flatten(1))
    alone = weigh(policy, Scene(*(part[1:2] for part in scene)))
    torch.testing.assert_close(alone, logits[1:2])


@pytest.mark.parametrize("name", TASKS)
def test_a_mirror_shows_the_same_places_from_the_other_side(name: str) -> None:
    """Those of one task, seen as they are and along every axis that there is."""
    task = few(name, 1)
    sim = played(task, bricks=4).sim
    views = 1 if name == "mnist-3" else 3
    plain = Scenes(sim, views)
    for flips in [(True, False)] if views == 1 else [(True, False), (False, True), (True, True)]:
        axes = [axis for axis, flip in ((3, flips[0]), (2, flips[1])) if flip]
        mirror = Scenes(sim, views, flips=np.array([flips]))
        seen, shown = plain.look(), mirror.look()
        assert torch.equal(shown.wanted, seen.wanted.flip(axes))
        assert torch.equal(shown.built, seen.built.flip(axes))
        found, known = (
            {tuple(scenes.poses(np.array([place]))[0].tolist()) for place in np.flatnonzero(scene.free)}
            for scenes, scene in ((mirror, shown), (plain, seen))
        )
        assert found == known
        for place in np.flatnonzero(shown.free)[:5]:  # a brick there fills what a mirror shows of it
            pose = Pose(*mirror.poses(np.array([place]))[0].tolist())
            d, z, y, x = np.unravel_index(place, mirror.free.shape[1:])
            wide, deep = task.offsets.brick.extent(int(d))
            there = np.zeros(plain.built.shape[1:], bool)
            corner = np.array(pose[:3]) - plain.origins[0]
            there[corner[2], corner[1] : corner[1] + deep, corner[0] : corner[0] + wide] = True
            brick = np.zeros_like(there)
            brick[z, y : y + deep, x : x + wide] = True
            assert np.array_equal(np.flip(there, [axis - 1 for axis in axes]), brick)
