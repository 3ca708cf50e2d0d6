"""Builders that need no training."""

import numpy as np
import pytest

from brickbybrick.builders.base import Builder, RandomBuilder
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.voxels import iou
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import TargetSet, target_of_views


@pytest.mark.parametrize("make", [RandomBuilder, GreedyBuilder])
@pytest.mark.parametrize("offsets", ["mnist", "modelnet", "all"])
def test_what_is_built_obeys_the_rules(make: type, offsets: str, solid_targets: TargetSet) -> None:
    builder: Builder = make(offset_set(offsets), seed=3)
    for target, construction in zip(solid_targets, builder.build_all(solid_targets.targets), strict=True):
        assembly = Assembly()
        for brick in construction.bricks:
            assembly.put(brick.pose)  # refuses bricks that overlap or lie underground
        assert all(assembly.neighbours(brick) for brick in range(len(assembly.poses)))
        assert assembly.poses[0] == target.start
        assert len(assembly.poses) <= target.budget
        assert construction.iou == pytest.approx(iou(assembly.size, assembly.poses, target.volume))
        assert (construction.builder, construction.target) == (builder.name, target.name)


def test_greedy_takes_the_best_next_brick(solid_targets: TargetSet) -> None:
    """Against trying every valid action with the readable rules."""
    offsets = offset_set("modelnet")
    target = solid_targets[1]
    poses = [brick.pose for brick in GreedyBuilder(offsets).build(target).bricks]
    for step in range(1, 12):
        assembly = Assembly(offsets=offsets)
        for pose in poses[:step]:
            assembly.put(pose)
        scores = []
        for pivot, offset in np.argwhere(assembly.mask()).tolist():
            new = offsets.place(assembly.poses[pivot], offset)
            scores.append(iou(assembly.size, [*poses[:step], new], target.volume))
        assert iou(assembly.size, poses[: step + 1], target.volume) == pytest.approx(max(scores))


def test_greedy_beats_chance_on_real_digits() -> None:
    task = load_task("mnist-3")
    scores = {
        make.name: np.mean([construction.iou for construction in make(task.offsets).build_all(task.test.targets)])
        for make in (RandomBuilder, GreedyBuilder)
    }
    assert scores["greedy"] > scores["random"] + 0.2


def test_a_seed_repeats_a_build(flat_targets: TargetSet) -> None:
    offsets = offset_set("mnist")
    assert RandomBuilder(offsets, 1).build(flat_targets[0]) == RandomBuilder(offsets, 1).build(flat_targets[0])
    assert RandomBuilder(offsets, 1).build(flat_targets[0]) != RandomBuilder(offsets, 2).build(flat_targets[0])


@pytest.mark.parametrize("make", [RandomBuilder, GreedyBuilder])
def test_a_targets_result_is_its_own(make: type, solid_targets: TargetSet) -> None:
    """Built alone, or with others in any order: the same."""
    builder: Builder = make(offset_set("modelnet"), seed=4)
    alone = [builder.build(target) for target in solid_targets]
    assert builder.build_all(solid_targets.targets[::-1]) == alone[::-1]


def test_views_alone_are_built_as_their_hull_and_it_is_said(solid_targets: TargetSet) -> None:
    target = target_of_views("views", solid_targets[0].images)
    construction = GreedyBuilder(offset_set("modelnet")).build(target)
    assert construction.iou is not None
    assert any("hull" in note for note in construction.notes)
