"""How B3+ is taught: mirrors, lessons, what the search shows, and runs that go on where they were stopped."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from learning.small import weights
from policies.begun import few, played, slow_scene

from brickbybrick.builders.agent import SpatialAgent
from brickbybrick.builders.beam.planner import SearchBuilder
from brickbybrick.builders.belief import Belief
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.learning.learner import load_run, save_run
from brickbybrick.learning.teaching import (
    Apprenticeship,
    Classroom,
    Lessons,
    PackedLessons,
    TeachingConfig,
    drawn,
    mirrored,
    pack,
)
from brickbybrick.policies.spatial import SpatialPolicy
from brickbybrick.policies.volume import VolumeConfig, VolumeNetwork
from brickbybrick.targets.target import target_of_voxels


def test_a_mirror_shows_what_the_rules_say_of_the_mirrored_model() -> None:
    """Everything is rebuilt mirrored, brick by brick, and looked at anew."""
    task = few("random", 2)
    scenes = played(task, bricks=5)
    scene = scenes.look()
    packed = scenes.sim.state.packed
    seen = mirrored(Lessons(torch.arange(2), scene, scene.free), BRICK_2X4, flip_x=True, flip_y=True, swap=True)
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


def test_the_search_knows_no_more_than_can_be_known() -> None:
    """It is told the volume of what bricks explain, and goes by what is believed of a chest, which may be full."""
    task = few("random", 2)
    voxels = np.ones((14, 10, 8), bool)
    voxels[1:-1, 1:-1, 1:] = False
    padded = np.zeros((14, 14, 14), bool)
    padded[:, 2:12, :8] = voxels
    chest = target_of_voxels("chest", padded)
    belief = Belief(VolumeNetwork(VolumeConfig(width=4, layers=1, cells=2)))
    teacher = Classroom(task, TeachingConfig(), belief, [chest]).teacher
    for target in task.train:
        assert np.array_equal(teacher.estimate(target).cells, target.volume)
    assert np.array_equal(teacher.estimate(chest).cells, belief.cells(chest))
    assert teacher.estimate(chest).views


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


def test_who_is_taught_on_goes_on_from_what_it_knows() -> None:
    """It builds its first round itself, and learns on; what it was taught with stays as it was."""
    task = few("mnist-0", 12)
    teacher = Apprenticeship(TeachingConfig(rounds=2, epochs=8, batch=32, width=16), task)
    for _ in teacher.run():
        pass
    before = weights(teacher.policy).clone()
    config = TeachingConfig(rounds=1, epochs=1, batch=32, learning_rate=1e-4, width=16)
    learner = Apprenticeship(config, task, start=teacher.policy)
    losses = [report.figures["loss"] for report in learner.run() if "loss" in report.figures]
    anew = Apprenticeship(config, task)
    others = [report.figures["loss"] for report in anew.run() if "loss" in report.figures]
    assert losses[0] < 0.5 * others[0]
    assert torch.equal(weights(teacher.policy), before)
    assert not torch.equal(weights(learner.policy), before)


def test_lessons_come_back_from_their_bits() -> None:
    """Of both shapes: a plane, and space with two directions; in any order, and as often as asked for."""
    for name in ("mnist-3", "random"):
        task = few(name, 3)
        shown: list[Lessons] = []
        for bricks in (1, 3):
            scenes = played(task, bricks)
            scene = scenes.look()
            right = scene.free & (torch.rand(scene.free.shape, generator=torch.Generator().manual_seed(bricks)) < 0.5)
            shown.append(Lessons(torch.arange(3), scene, right))
        packed = PackedLessons(scenes, "cpu")
        packed.add([pack(shown[0])])
        packed.add([pack(shown[1])])
        assert len(packed) == 6
        assert packed.bits.dtype == torch.uint8
        bits = sum(int(np.prod(part.shape[1:])) for part in (scene.built, scene.free, right))
        assert packed.bits.shape[1] == -(-bits // 8)  # a bit for each
        whole = [torch.cat(parts) for parts in zip(*([*each.scene, each.right] for each in shown), strict=True)]
        for chosen in (torch.arange(6), torch.tensor([4, 0, 4])):
            again = packed.some(chosen)
            for part, same in zip((*again.scene, again.right), whole, strict=True):
                assert torch.equal(part, same[chosen].to(part.dtype))
                assert part.shape[1:] == same.shape[1:]


def test_mirrors_undo_themselves() -> None:
    """Twice in a mirror is no mirror; but for corners at the rim, whose bricks reach out of the grid."""
    task = few("random", 2)
    scene = played(task, bricks=5).look()
    lessons = Lessons(torch.arange(2), scene, scene.free)
    for how in ((True, False, False), (False, True, False), (False, False, True)):
        twice = mirrored(mirrored(lessons, BRICK_2X4, *how), BRICK_2X4, *how)
        assert torch.equal(twice.scene.wanted, scene.wanted)
        assert torch.equal(twice.scene.built, scene.built)
        assert torch.equal(twice.right, lessons.right)


TINY = TeachingConfig(rounds=2, epochs=2, batch=16, work=300, width=4, layers=2, targets=3)


def test_places_are_drawn_as_often_as_their_logits_say() -> None:
    shares = np.array([0.0, 0.6, 0.0, 0.3, 0.1])
    with np.errstate(divide="ignore"):
        logits = np.log(np.tile(shares, (20_000, 1))).astype(np.float32)
    found = np.bincount(drawn(logits, np.random.default_rng(0)), minlength=5) / len(logits)
    assert np.abs(found - shares).max() < 0.015  # four standard deviations of the commonest
    assert not found[[0, 2]].any()


def test_a_run_that_was_stopped_goes_on_exactly(tmp_path: Path) -> None:
    """After a round, between two epochs and after a test; the rounds to come are built as they would have been."""
    task = few("mnist-3", 5)
    unbroken = Apprenticeship(TINY, task)
    stops: list[tuple[Path, torch.Tensor]] = []
    for report in unbroken.run():
        if report.due:
            path = tmp_path / f"{len(stops)}.safetensors"
            save_run(path, unbroken)
            stops.append((path, weights(unbroken.policy)))
    assert len(stops) == 6  # each of two rounds is built, and then learned from twice
    for number, (path, there) in enumerate(stops):
        torch.manual_seed(99)
        again = Apprenticeship(TINY, task)
        load_run(path, again)
        assert torch.equal(weights(again.policy), there)
        after = [weights(again.policy) for report in again.run() if report.due]
        assert len(after) == len(stops) - number - 1
        for now, (_, wanted) in zip(after, stops[number + 1 :], strict=True):
            assert torch.equal(now, wanted)
        assert again.done == again.total == unbroken.total
        assert list(again.run()) == []


def test_a_round_is_built_alike_however_many_threads_search() -> None:
    task = few("random", 3)
    config = TeachingConfig(rounds=1, epochs=1, work=300, width=4, layers=1)
    seen = []
    for threads in (1, 2):
        learner = Apprenticeship(config, task, threads=threads)
        assert [report.due for report in learner.run() if report.due] == ["save", "test"]
        seen.append((learner.seen.bits, weights(learner.policy)))
    assert all(torch.equal(*pair) for pair in zip(*seen, strict=True))


def test_lessons_of_another_task_are_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    flat = Apprenticeship(TINY, few("mnist-3", 3))
    save_run(path, flat)
    with pytest.raises(InputError, match="another run, with other task"):
        load_run(path, Apprenticeship(TINY, few("random", 3)))
    with pytest.raises(InputError, match="lessons are missing"):
        flat.recall({})


def test_impossible_settings() -> None:
    for changes in ({"rounds": 0}, {"epochs": 0}, {"targets": -1}, {"work": -1}, {"learning_rate": 0.0}):
        with pytest.raises(InputError, match="teaching needs"):
            TeachingConfig(**changes)  # type: ignore[arg-type]
