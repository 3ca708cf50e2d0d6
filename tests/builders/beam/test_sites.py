"""Places for bricks: against cells."""

import numpy as np

from brickbybrick.builders.beam.beam import improve
from brickbybrick.builders.beam.sites import UNIT, sites_of
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.voxels import fill
from brickbybrick.targets.target import TargetSet


def test_sites_know_what_bricks_do() -> None:
    """Joints, clashes, worth and pixels of some sites, against cells."""
    offsets = offset_set("modelnet")
    worth = np.random.default_rng(3).random((6, 7, 4)).round(1)
    begun = [Pose(1, 1, 0, 0), Pose(2, 1, 1, 1)]
    front = worth.max(axis=1)
    sites = sites_of(offsets, worth, begun, [((0, 2), front)])
    poses = [Pose(*pose) for pose in sites.poses.tolist()]
    assert poses[:2] == begun
    assert len(set(poses)) == len(poses)
    assert {pose.z for pose in poses} == set(range(5))  # the four layers of the target and one above them
    cells = [set(BRICK_2X4.cells(pose)) for pose in poses]
    for site in (0, 1, 17, len(poses) // 2, len(poses) - 1):
        joined = {offsets.place(poses[site], offset) for offset in range(len(offsets))} & set(poses)
        assert {poses[other] for other in sites.joins[site] if other >= 0} == joined
        clashing = {pose for pose, other in zip(poses, cells, strict=True) if other & cells[site]}
        assert {poses[other] for other in sites.clashes[site] if other >= 0} == clashing
        inside = fill(BRICK_2X4, [poses[site]], worth.shape)
        assert sites.worths[site] == (worth[inside] * UNIT).round().sum()
        shown = inside.any(axis=1) & (front > 0)
        pixels = sites.pixels[site][sites.pixels[site] >= 0]
        if all(0 <= y < 7 for _, y, _ in cells[site]):  # cells outside the grid cover pixels too
            assert sorted(sites.prizes[pixels]) == sorted((front[shown] * UNIT).round())


def test_bricks_far_away_do_not_matter(flat_targets: TargetSet) -> None:
    offsets = offset_set("mnist")
    target = flat_targets[0]
    sites = sites_of(offsets, target.volume.astype(float), [Pose(900, 5, 0, 0)])
    (found,) = improve(sites, 5, seed=0, work=100)
    assert found.sites.size == 0
