"""What a model looks like beside its target."""

import numpy as np

from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.studio.silhouettes import Silhouettes, views_of
from brickbybrick.targets.target import TargetSet


def test_a_brick_is_seen_from_the_front_the_side_and_the_top(solid_targets: TargetSet) -> None:
    """A 2x4 brick along y at (3, 5), on the ground: 2 wide from the front, 4 from the side, 2 x 4 from the top."""
    target = solid_targets[0]
    shown = Silhouettes(target, BRICK_2X4)
    shown.add([Pose(3, 5, 0, 0)])
    front, side, top = (np.argwhere(image) for image in shown.images)
    row = 13 - target.lift  # the lowest that the target reaches
    assert front.tolist() == [[row, 3], [row, 4]]
    assert side.tolist() == [[row, 5], [row, 6], [row, 7], [row, 8]]
    assert top.tolist() == [[13 - y, x] for y in (8, 7, 6, 5) for x in (3, 4)]


def test_of_a_flat_target_only_the_front_is_shown(flat_targets: TargetSet) -> None:
    shown = Silhouettes(flat_targets[0], BRICK_2X4)
    shown.add([Pose(3, 5, 2, 0)])
    assert len(shown.views()) == 1


def test_rows_are_text_from_the_top_down() -> None:
    assert views_of(np.array([[[True, False], [False, False]]])) == [{"rows": ["10", "00"]}]


def test_silhouettes_leave_out_what_is_outside(solid_targets: TargetSet) -> None:
    shown = Silhouettes(solid_targets[0], BRICK_2X4)
    shown.add([Pose(-9, -9, 0, 0), Pose(40, 40, 40, 1), Pose(5, 5, -40, 0)])
    assert not shown.images[:2].any()
    assert shown.images[2].sum() == 8  # far below, yet seen from above
    shown.add([Pose(-1, 12, 0, 0)])
    assert shown.images[0].sum() == 1
    assert shown.images[1].sum() == 2
