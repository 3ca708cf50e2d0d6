"""B3+: what it sees, how it is taught, and how well it builds."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from brickbybrick.builders.agent import HEADROOM, MARGIN, Apprentice, Scenes, weigh
from brickbybrick.builders.base import RandomBuilder
from brickbybrick.builders.register import named_builder
from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.learning.teaching import Classroom, Lessons, Teaching, mirrored, teach
from brickbybrick.policies.spatial import Scene, SpatialConfig, SpatialPolicy, is_spatial, load_spatial, save_spatial
from brickbybrick.targets.catalog import Task, load_task
from brickbybrick.targets.target import Target, TargetSet

TASKS = ("mnist-3", "random")


def few(name: str, number: int) -> Task:
    task = load_task(name)
    return replace(task, train=TargetSet(task.train.targets[:number]))


def played(task: Task, bricks: int) -> Scenes:
    """Each training target begun at random."""
    sim = RandomBuilder(task.offsets).begin(task.train.targets)
    actions = np.zeros((sim.num_envs, 2), np.int64)
    for _ in range(bricks):
        sim.random_actions(actions)
        sim.step(actions)
    return Scenes(sim, len(task.train[0].images))


def slow_scene(target: Target, poses: Sequence[Pose], offsets: OffsetSet) -> tuple[np.ndarray, np.ndarray]:
    """The cells built and the places for the next brick, cell by cell from the readable rules."""
    assembly = Assembly(BRICK_2X4, offsets)
    for pose in poses:
        assembly.put(pose)
    flat = len(target.images) == 1
    wide = target.hull.shape[0] + 2 * MARGIN
    shape = (target.hull.shape[2] + HEADROOM, 1 if flat else wide, wide)
    first_y = target.start.y if flat else -MARGIN
    built, free = np.zeros(shape, bool), np.zeros((1 if flat else 2, *shape), bool)
    filled = {cell for pose in poses for cell in BRICK_2X4.cells(pose)}
    joined = {offsets.place(pivot, index) for pivot in poses for index in range(len(offsets))}
    for z in range(shape[0]):
        for y in range(shape[1]):
            for x in range(shape[2]):
                cell = (x - MARGIN, y + first_y, z)
                built[z, y, x] = cell in filled
                for d in range(free.shape[0]):
                    free[d, z, y, x] = Pose(*cell, d) in joined and assembly.fits(Pose(*cell, d))
    return built, free


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


@pytest.mark.parametrize("name", TASKS)
def test_only_places_that_are_free_can_be_chosen(name: str) -> None:
    scenes = played(few(name, 3), bricks=3)
    policy = SpatialPolicy(SpatialConfig(1 if name == "mnist-3" else 3, width=4, layers=3))
    scene = scenes.look()
    logits = weigh(policy, scene)
    assert torch.equal(logits.isfinite(), scene.free.flatten(1))
    alone = weigh(policy, Scene(*(part[1:2] for part in scene)))
    torch.testing.assert_close(alone, logits[1:2])


def test_probabilities_are_those_of_places() -> None:
    task = few("random", 2)
    sim = played(task, bricks=3).sim
    agent = Apprentice(SpatialPolicy(SpatialConfig(3, width=4, layers=3)), task.offsets)
    likely = agent.probabilities(sim)
    assert likely.sum(axis=(1, 2)) == pytest.approx(1)
    masks = np.zeros((2, sim.max_bricks, len(task.offsets)), np.int8)
    sim.write_masks(masks)
    assert not likely[masks == 0].any()
    actions = np.zeros((2, 2), np.int64)
    agent.choose(sim, actions)
    for env in range(2):
        assert likely[env, actions[env, 0], actions[env, 1]] == likely[env].max()


def test_what_is_right_is_what_the_search_plans() -> None:
    task = few("mnist-3", 6)
    with ThreadPoolExecutor(1) as pool:
        room = Classroom(task, Teaching(), pool)
        lessons = list(room.build(None))
    # Built as the search would, each target ends as good as the search's own model of it.
    best = [room.teacher.build(task.train[index]).iou for index in room.sim.state.target.tolist()]
    assert room.sim.state.iou.tolist() == pytest.approx(best)
    for lesson in lessons:
        assert bool((lesson.right & ~lesson.scene.free).any()) is False
        assert bool(lesson.right.flatten(1).any(dim=1).all())


def test_an_apprentice_learns() -> None:
    """In seconds, from 24 digits, to build them nearly as well as the search."""
    task = few("mnist-0", 24)
    told: list[int] = []
    config = Teaching(rounds=2, epochs=12, batch=32, width=16)
    policy = teach(task, config, progress=lambda number, _loss, _policy: told.append(number))
    assert told == [1, 2]
    built = Apprentice(policy, task.offsets).build_all(task.train.targets)
    plain = Apprentice(SpatialPolicy(policy.config), task.offsets).build_all(task.train.targets)
    taught, untaught = (np.mean([each.iou for each in models]) for models in (built, plain))
    search = named_builder("search", task.offsets)
    assert search
    best = np.mean([each.iou for each in search.build_all(task.train.targets)])
    assert untaught < 0.7 * best
    assert taught > 0.9 * best


def test_on_disk(tmp_path: Path) -> None:
    policy = SpatialPolicy(SpatialConfig(1, width=4, layers=3))
    save_spatial(tmp_path / "plus.safetensors", policy, {"task": "mnist"})
    assert is_spatial(tmp_path / "plus.safetensors")
    again = load_spatial(tmp_path / "plus.safetensors")
    for one, other in zip(policy.state_dict().values(), again.state_dict().values(), strict=True):
        assert torch.equal(one, other)
    builder = named_builder(str(tmp_path / "plus.safetensors"), offset_set("mnist"))
    assert isinstance(builder, Apprentice)
    with pytest.raises(InputError, match="does not build with the offsets random"):
        named_builder(str(tmp_path / "plus.safetensors"), offset_set("random"))
