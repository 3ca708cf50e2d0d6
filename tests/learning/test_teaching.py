"""How B3+ is taught: mirrors, lessons, what the search shows, and runs that go on where they were stopped."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from policies.begun import few, played, slow_scene

from brickbybrick.builders.agent import SpatialAgent
from brickbybrick.builders.beam.planner import SearchBuilder
from brickbybrick.evaluation import evaluate
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.learning.teaching import Apprenticeship, Classroom, Lessons, TeachingConfig, mirrored
from brickbybrick.policies.spatial import SpatialPolicy


def test_a_mirror_shows_what_the_rules_say_of_the_mirrored_model() -> None:
    """Everything is rebuilt mirrored, brick by brick, and looked at anew."""
    task = few("random", 2)
    scenes = played(task, bricks=5)
    scene = scenes.look()
    packed = scenes.sim.state.packed
    seen = mirrored(Lessons(scene, scene.free), BRICK_2X4, flip_x=True, flip_y=True, swap=True)
    side = task.train[0].hull.shape[0]
    for env, target in enumerate(task.train):
        poses = []
        for x, y, z, d in packed.placed[env, : packed.bricks[env], :4].tolist():
            along_x, along_y = BRICK_2X4.extent(d)
            poses.append(Pose(side - y - along_y, side - x - along_x, z, 1 - d))
        built, free = slow_scene(target, poses, offset_set("random"))
        assert np.array_equal(seen.scene.built[env].numpy(), built)
        # Corners at the rim belong to bricks that began outside the grid before.
        inner = (..., slice(3, -3), slice(3, -3))
        assert np.array_equal(seen.scene.free[env].numpy()[inner], free[inner])
        assert torch.equal(seen.right, seen.scene.free)


def test_what_is_right_is_what_the_search_plans() -> None:
    task = few("mnist-3", 6)
    room = Classroom(task, TeachingConfig())
    with ThreadPoolExecutor(1) as pool:
        lessons = list(room.build(None, 0, pool))
    # Built as the search would, each target ends as good as the search's own model of it.
    best = [room.teacher.build(task.train[index]).iou for index in room.sim.state.target.tolist()]
    assert room.sim.state.iou.tolist() == pytest.approx(best)
    for lesson in lessons:
        assert bool((lesson.right & ~lesson.scene.free).any()) is False
        assert bool(lesson.right.flatten(1).any(dim=1).all())


def test_an_apprentice_learns() -> None:
    """In seconds, from 24 digits, to build them nearly as well as the search."""
    task = few("mnist-0", 24)
    learner = Apprenticeship(TeachingConfig(rounds=2, epochs=12, batch=32, width=16), task)
    tested = [report.figures["round"] for report in learner.run() if report.due == "test"]
    assert tested == [1, 2]
    builders = (
        learner.builder(),
        SpatialAgent(SpatialPolicy(learner.policy.config), task.offsets),
        SearchBuilder(task.offsets),
    )
    taught, untaught, best = (evaluate(builder, task.train.targets).iou.mean() for builder in builders)
    assert untaught < 0.7 * best
    assert taught > 0.9 * best
