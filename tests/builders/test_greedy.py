"""The greedy builder: against trying every next brick."""

import numpy as np
import pytest

from brickbybrick.builders.base import RandomBuilder
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.voxels import iou
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.target import TargetSet, target_of_views


def test_greedy_takes_the_best_next_brick(solid_targets: TargetSet) -> None:
    """Against trying every valid action with the readable rules."""
    offsets = offset_set("modelnet")
    target = solid_targets[1]
    poses = GreedyBuilder(offsets).build(target).poses
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


def test_views_alone_are_built_as_their_hull_and_it_is_said(solid_targets: TargetSet) -> None:
    target = target_of_views("views", solid_targets[0].images)
    construction = GreedyBuilder(offset_set("modelnet")).build(target)
    assert construction.iou is not None
    assert any("hull" in note for note in construction.notes)
