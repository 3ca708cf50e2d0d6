"""The optimum, against trying everything."""

from dataclasses import replace

import numpy as np
import pytest
from bounds.small_targets import random_image, random_solid
from builders.brute_force import every_model

from brickbybrick.bounds import optimum as module
from brickbybrick.bounds.optimum import optimum
from brickbybrick.builders.greedy import GreedyBuilder
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.geometry.voxels import iou
from brickbybrick.targets.target import Target, target_of_image


def best_by_trying(target: Target, offsets: OffsetSet) -> float:
    """The best IoU over all sequences of actions that spend the budget, sets of bricks being visited once."""
    return max(iou(BRICK_2X4, bricks, target.volume) for bricks in every_model(target, offsets))


def assert_built(construction: Construction | None, target: Target, offsets: OffsetSet) -> None:
    """Brick by brick, by actions that the readable rules allow, with all of the budget and the IoU it claims."""
    assert construction is not None
    assembly = Assembly(offsets=offsets)
    assembly.put(target.start)
    poses = construction.poses
    assert poses[0] == target.start
    for pose in poses[1:]:
        actions = np.argwhere(assembly.mask()).tolist()
        assembly.place(*next(a for a in actions if offsets.place(assembly.poses[a[0]], a[1]) == pose))
    assert len(poses) == target.budget
    assert construction.iou == pytest.approx(iou(BRICK_2X4, poses, target.volume))


@pytest.mark.parametrize("seed", range(12))
def test_flat_targets_against_every_sequence(seed: int) -> None:
    target, offsets = replace(random_image(seed), budget=4 + seed % 2), offset_set("mnist")
    found = optimum(target, offsets)
    assert found.proven
    assert found.iou == pytest.approx(best_by_trying(target, offsets))
    assert_built(found.construction, target, offsets)


@pytest.mark.parametrize("how", ["levels", "cuts"])
@pytest.mark.parametrize(("name", "budget"), [("random", 4), ("modelnet", 3)])
@pytest.mark.parametrize("seed", range(3))
def test_solid_targets_against_every_sequence(
    seed: int, name: str, budget: int, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With both ways to keep bricks joined."""
    monkeypatch.setattr(module, "MOST_TREE_JOINTS", 10**9 if how == "levels" else -1)
    target, offsets = random_solid(seed, budget), offset_set(name)
    found = optimum(target, offsets)
    assert found.proven
    assert found.iou == pytest.approx(best_by_trying(target, offsets))
    assert_built(found.construction, target, offsets)


def test_two_ways_to_keep_bricks_joined_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where greedy is not the best, so that something is to be found."""
    offsets = offset_set("mnist")
    for seed in range(21, 24):
        target = random_image(seed, side=7)
        found = []
        for most in (10**9, -1):
            monkeypatch.setattr(module, "MOST_TREE_JOINTS", most)
            found.append(optimum(target, offsets, seconds=1.5))
        assert found[0].iou <= found[1].bound
        assert found[1].iou <= found[0].bound


def test_a_bridge_outside_the_image_is_found() -> None:
    """Two towers at the edges of a picture: only bricks beside the picture's ink can join them."""
    offsets = offset_set("mnist")
    image = np.zeros((14, 14), bool)
    image[8:14, 0:2] = image[8:14, 4:6] = True
    target = replace(target_of_image("towers", image), budget=15)
    found = optimum(target, offsets)
    assert found.proven
    assert found.iou == pytest.approx(96 / (96 + 15 * 8 - 96))  # 12 bricks fill both towers, 3 bridge the gap
    assert_built(found.construction, target, offsets)


def test_too_little_time_leaves_a_bound(solid_targets: list[Target]) -> None:
    offsets = offset_set("modelnet")
    target = solid_targets[1]
    hurried = optimum(target, offsets, seconds=1.0)
    assert_built(hurried.construction, target, offsets)
    assert hurried.bound >= hurried.iou >= max((GreedyBuilder(offsets).build(target).iou or 0.0), 0.0)


def test_hints_must_be_constructions_of_the_target() -> None:
    offsets = offset_set("mnist")
    target = random_image(1)
    floating = [target.start, Pose(target.start.x, target.start.y, 7, 0)]
    with pytest.raises(InputError, match="none can be joined"):
        optimum(target, offsets, [Construction.of_poses(BRICK_2X4, floating)])
