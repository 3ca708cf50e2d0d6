"""Extra bricks for models that fall."""

import pytest

from brickbybrick.construction import Construction
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.statics import Ground
from brickbybrick.judging.check import judge
from brickbybrick.judging.repair import Repair, joinable, repair


def stairs(bricks: int, shift: int) -> Construction:
    """2x4 bricks, each one layer higher and `shift` studs further along their length."""
    return Construction.of_poses(BRICK_2X4, ((shift * step, 0, step, 1) for step in range(bricks)))


def holds_up(construction: Construction) -> bool:
    verdict = judge(construction)
    return verdict.joined and verdict.no_overlap and verdict.above_ground and verdict.insertable and verdict.stands


def mended(construction: Construction, result: Repair) -> Construction:
    return Construction((*construction.bricks, *result.extra))


def test_what_stands_is_left_alone() -> None:
    assert repair(stairs(4, 1)) == ((), "It stands as it is.")


@pytest.mark.parametrize("bricks", [5, 8, 12])
def test_one_brick_under_the_second_step_keeps_stairs(bricks: int) -> None:
    """The ground then reaches 4 studs further; n steps have their centre at (n + 3)/2, and twelve reach 7.5 of 8."""
    result = repair(stairs(bricks, 1))
    assert len(result.extra) == 1
    assert result.extra[0].step == bricks
    assert holds_up(mended(stairs(bricks, 1), result))


def test_a_pillar_is_better_than_a_counterweight_that_a_touch_undoes() -> None:
    """An arm nine layers up: one brick behind the post holds it, by less than a degree; a pillar stands wide."""
    post = [(5, 0, z, 0) for z in range(9)]
    arm = [(6, 0, 9, 0), (7, 0, 8, 0), (8, 0, 9, 0), (9, 0, 8, 0), (10, 0, 9, 0)]
    gallows = Construction.of_poses(BRICK_2X4, [*post, *arm])
    assert judge(gallows).stands is False
    result = repair(gallows)
    assert len(result.extra) > 1
    assert result.sentence.endswith("extra bricks make it stand; one is not enough.")
    assert all(brick.extra for brick in result.extra)
    assert judge(mended(gallows, result)).steady


def test_what_a_touch_still_tips_over_is_said_to_be_so() -> None:
    """The same on a post of twelve bricks: no pillar of at most three bricks reaches the arm."""
    post = [(0, 0, z, 0) for z in range(12)]
    gallows = Construction.of_poses(BRICK_2X4, [*post, (1, 0, 12, 1), (4, 0, 13, 1), (7, 0, 14, 1)])
    result = repair(gallows, most=3)
    assert result.sentence == "One extra brick makes it stand until it is touched (its foot is too small)."
    verdict = judge(mended(gallows, result))
    assert (verdict.stands, verdict.steady) == (True, False)
    tower = Construction.of_poses(BRICK_2X4, [(0, 0, z, 0) for z in range(40)])
    assert repair(tower) == ((), "It stands as it is until it is touched (its foot is too small).")


def test_a_long_arm_gets_a_pillar() -> None:
    result = repair(stairs(8, 3))
    assert 1 < len(result.extra) <= 4
    assert holds_up(mended(stairs(8, 3), result))
    assert result.sentence.startswith(f"{len(result.extra)} extra bricks make it stand")


def test_a_plate_wants_less() -> None:
    """StableLego mended its stairs of twenty with one brick beside the lowest."""
    result = repair(stairs(20, 2), Ground.PLATE)
    assert len(result.extra) == 1
    assert judge(mended(stairs(20, 2), result)).stands_on_plate


def test_bricks_that_are_not_joined_cannot_be_mended() -> None:
    extra, sentence = repair(Construction.of_poses(BRICK_2X4, [(0, 0, 0, 0), (9, 0, 3, 0)]))
    assert not extra
    assert "cannot mend" in sentence


def test_no_bricks_to_add() -> None:
    extra, sentence = repair(stairs(5, 1), most=0)
    assert not extra
    assert "brick 5" in sentence


def test_every_brick_that_can_be_joined_is_considered() -> None:
    """A 2x4 can be joined to another in 92 ways, 46 of them above it; a 1x1 lies on any of 8 studs."""
    brick, plate = Part("brick", 2, 4), Part("plate", 2, 4)
    alone = [(brick, Pose(0, 0, 0, 0))]
    assert len(joinable(alone, [brick])) == len(joinable(alone, [plate])) == 46
    assert len(joinable(alone, [Part("brick", 1, 1)])) == 8
    high = [*alone, (brick, Pose(1, 3, 3, 0))]  # beside the lower brick there is room under the upper one
    assert {pose.z for _, pose in joinable(high, [brick])} == {0, 3, 6}
    assert {pose.z for _, pose in joinable(high, [plate])} == {2, 3, 6}
