"""What B3+ sees, against the readable rules."""

import numpy as np
import pytest
import torch
from policies.begun import TASKS, few, played, slow_scene

from brickbybrick.geometry.brick import Pose
from brickbybrick.policies.scenes import weigh
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
