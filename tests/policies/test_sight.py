"""What bricks see of the images, beside a look-up in the targets' own hulls."""

import itertools

import numpy as np
import pytest
import torch

from brickbybrick.policies.sight import REACH, SIGHT, cells_around, hulls_of
from brickbybrick.targets.target import Target, TargetSet


def whole_hull(target: Target) -> np.ndarray:
    """A target's hull where the images have it: targets stand on the ground, images may have empty rows below."""
    return np.roll(target.hull, target.lift, axis=2)


def test_hulls_are_the_targets_own(solid_targets: TargetSet) -> None:
    hulls = hulls_of(torch.from_numpy(solid_targets.images)).numpy()
    for target, hull in zip(solid_targets, hulls, strict=True):
        np.testing.assert_array_equal(hull, whole_hull(target).transpose(2, 1, 0))


@pytest.mark.parametrize("pose", [(3, 5, 0), (0, 0, 0), (13, 13, 13), (7, -2, 4), (40, 3, 2), (-30, -30, 90)])
def test_bricks_see_the_cells_that_bricks_joined_to_them_can_fill(
    solid_targets: TargetSet, pose: tuple[int, int, int]
) -> None:
    poses = torch.tensor([[*pose, 0]] * len(solid_targets), dtype=torch.float32)
    seen = cells_around(torch.from_numpy(solid_targets.images), torch.arange(len(solid_targets)), poses)
    assert seen.shape == (len(solid_targets), SIGHT)
    reach = range(-REACH, REACH)
    for target, own in zip(solid_targets, seen, strict=True):
        hull = whole_hull(target)
        cells = [(pose[0] + x, pose[1] + y, pose[2] + z) for z, y, x in itertools.product((-1, 0, 1), reach, reach)]
        inside = [all(0 <= at < 14 for at in cell) and bool(hull[cell]) for cell in cells]
        assert own.tolist() == [float(each) for each in inside]


def test_one_view_says_nothing_about_depth(flat_targets: TargetSet) -> None:
    hulls = hulls_of(torch.from_numpy(flat_targets.images))
    assert (hulls == hulls[:, :, :1]).all()
    for target, hull in zip(flat_targets, hulls.numpy(), strict=True):
        np.testing.assert_array_equal(hull[:, 0], target.images[0][::-1])
