"""When bricks alone explain what three views show."""

import numpy as np
import pytest

from brickbybrick.builders.beam.planner import SearchBuilder
from brickbybrick.builders.explaining import MOST_WRONG, is_explained, share_wrong
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.voxels import fill, silhouettes
from brickbybrick.targets.catalog import load_task
from brickbybrick.targets.random_assembly import assembled_targets
from brickbybrick.targets.target import target_of_voxels


def test_objects_made_of_bricks_are_explained_and_others_are_not() -> None:
    """Random objects that nobody built before; a chair of thin legs and a slanted wall, which no 2x4 bricks make."""
    joints = offset_set("random")
    made = [each.target for each in assembled_targets(20, seed=31)]
    assert sum(is_explained(target, joints) for target in made) >= 19
    chair = np.zeros((14, 14, 14), bool)
    chair[2:12, 2:12, 6] = chair[2:12, 11, 6:14] = True
    for x, y in ((2, 2), (11, 2), (2, 11), (11, 11)):
        chair[x, y, :6] = True
    wall = np.zeros((14, 14, 14), bool)
    for x in range(14):
        wall[x, x, :9] = True
    for name, voxels in (("chair", chair), ("wall", wall)):
        assert not is_explained(target_of_voxels(name, voxels), offset_set("modelnet"))


def test_what_is_wrong_is_counted_cell_by_cell() -> None:
    """A model of one brick too few, and of one that sticks out, against the silhouettes of what it fills."""
    assembled = assembled_targets(1, seed=4)[0]
    target, joints = assembled.target, offset_set("random")
    poses = [Pose(*pose) for pose in assembled.poses.tolist()]
    assert share_wrong(target, poses, joints) == 0
    pixels = sum(int(view.sum()) for view in silhouettes(target.hull))
    fewer = fill(BRICK_2X4, poses[:-1], (14, 14, 14))
    bare = sum(int((full & ~part).sum()) for full, part in zip(*map(silhouettes, (target.hull, fewer)), strict=True))
    assert share_wrong(target, poses[:-1], joints) == pytest.approx(bare / pixels)
    assert share_wrong(target, [*poses, Pose(40, 40, 0, 0)], joints) == pytest.approx(8 / pixels)


def test_what_is_shown_wrong_in_one_pixel_of_a_hundred_is_explained_all_the_same() -> None:
    """So that a search which looks at little need not be perfect."""
    task = load_task("random")
    shares = [
        share_wrong(target, SearchBuilder(task.offsets, work=1_000).build(target).poses, task.offsets)
        for target in task.train.targets[:30]
    ]
    assert max(shares) > 0
    assert np.mean(np.array(shares) <= MOST_WRONG) > 0.9
