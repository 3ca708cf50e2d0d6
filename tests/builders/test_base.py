"""Builders that need no training."""

import pytest

from brickbybrick.builders.base import Builder, RandomBuilder
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.voxels import iou
from brickbybrick.targets.target import TargetSet


@pytest.mark.parametrize("make", [RandomBuilder, GreedyBuilder])
@pytest.mark.parametrize("offsets", ["mnist", "modelnet", "all"])
def test_what_is_built_obeys_the_rules(make: type, offsets: str, solid_targets: TargetSet) -> None:
    builder: Builder = make(offset_set(offsets), seed=3)
    for target, construction in zip(solid_targets, builder.build_all(solid_targets.targets), strict=True):
        assembly = Assembly()
        for pose in construction.poses:
            assembly.put(pose)  # refuses bricks that overlap or lie underground
        assert all(assembly.neighbours(brick) for brick in range(len(assembly.poses)))
        assert assembly.poses[0] == target.start
        assert len(assembly.poses) <= target.budget
        assert construction.iou == pytest.approx(iou(assembly.size, assembly.poses, target.volume))
        assert (construction.builder, construction.target) == (builder.name, target.name)


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
