"""What an agent starts from: first brick and budget."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra.numpy import arrays

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.voxels import front_view, three_views
from brickbybrick.targets.target import (
    TargetSet,
    budget_for,
    first_brick,
    target_of_image,
    target_of_mosaic,
    target_of_views,
    target_of_voxels,
)


@pytest.mark.parametrize(("cells", "bricks"), [(8, 2), (80, 11), (81, 12), (160, 22), (400, 55), (1, 1)])
def test_budgets_are_110_percent_by_volume(cells: int, bricks: int) -> None:
    assert budget_for(cells) == bricks


@given(arrays(bool, (6, 6, 3)).filter(np.any))
@settings(deadline=None)
def test_the_first_brick_covers_most(hull: np.ndarray) -> None:
    """Against trying every place: most cells covered, then nearest to the box's centre, then lowest x, then y."""
    filled = np.argwhere(hull)
    hull = np.roll(hull, -filled[:, 2].min(), axis=2)
    middle = (filled.min(axis=0)[:2] + filled.max(axis=0)[:2] + 1) / 2
    places = []
    for x in range(-1, 6):
        for y in range(-3, 6):
            cells = [(a, b) for a, b in BRICK_2X4.footprint(Pose(x, y, 0)) if 0 <= a < 6 and 0 <= b < 6]
            covered = sum(hull[a, b, 0] for a, b in cells)
            away = ((x + 1 - middle[0]) ** 2 + (y + 2 - middle[1]) ** 2).item()
            places.append((-covered, away, x, y))
    _, _, x, y = min(places)
    assert first_brick(hull) == Pose(x, y, 0, 0)


@given(arrays(bool, (14, 14)).filter(np.any))
@settings(deadline=None, max_examples=50)
def test_a_picture_stands_on_the_ground(image: np.ndarray) -> None:
    target = target_of_image("any", image)
    assert target.volume[:, :, 0].any()
    lifted = np.roll(target.volume, target.lift, axis=2)
    np.testing.assert_array_equal(front_view(lifted), image)
    assert target.volume.sum() == 4 * image.sum()


@given(arrays(bool, (6, 7, 8)).filter(np.any))
@settings(deadline=None, max_examples=50)
def test_views_alone_start_the_build_as_the_volume_does(voxels: np.ndarray) -> None:
    known = target_of_voxels("volume", voxels)
    unknown = target_of_views("views", known.images)
    assert known.start == unknown.start
    assert known.lift == unknown.lift
    np.testing.assert_array_equal(known.hull, unknown.hull)
    assert unknown.voxels is None
    np.testing.assert_array_equal(three_views(np.roll(known.volume, known.lift, axis=2)), known.images)


def test_a_hull_twice_too_large_halves_the_budget() -> None:
    views = np.ones((3, 14, 14), bool)
    assert target_of_views("cube", views, hull_ratio=2.0).budget == -(-target_of_views("cube", views).budget // 2)


@pytest.mark.parametrize("make", [target_of_image, target_of_voxels])
def test_an_empty_target_is_an_error(make) -> None:  # type: ignore[no-untyped-def]
    shape = (14, 14) if make is target_of_image else (14, 14, 14)
    with pytest.raises(InputError, match="empty"):
        make("nothing", np.zeros(shape, bool))


def test_views_that_contradict_each_other() -> None:
    views = np.zeros((3, 14, 14), bool)
    views[0, 0, 0] = views[1, 13, 0] = views[2, 0, 0] = True
    with pytest.raises(InputError, match="no cell in common"):
        target_of_views("odd", views)


def test_a_set_needs_targets_of_one_shape(flat_targets: TargetSet, solid_targets: TargetSet) -> None:
    with pytest.raises(InputError, match="one shape"):
        TargetSet((*flat_targets, *solid_targets))
    with pytest.raises(InputError, match="at least one"):
        TargetSet(())
    assert len(flat_targets[1:]) == 2


@pytest.mark.parametrize(
    ("make", "values"),
    [
        (target_of_image, np.full((14, 14), np.nan)),
        (target_of_image, np.full((14, 14), 7, np.uint8)),
        (target_of_image, np.ones((3, 14, 14), bool)),
        (target_of_voxels, np.full((14, 14, 14), np.nan)),
        (target_of_voxels, np.ones((14, 14), bool)),
        (target_of_views, np.ones((2, 14, 14), bool)),
        (target_of_views, np.ones((3, 14, 12), bool)),
    ],
)
def test_what_is_not_a_picture(make, values: np.ndarray) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match="odd"):
        make("odd", values)


@pytest.mark.parametrize("ratio", [0, -1, np.nan, np.inf])
def test_impossible_hull_ratios(ratio: float) -> None:
    with pytest.raises(InputError, match="above 0"):
        target_of_views("odd", np.ones((3, 14, 14), bool), hull_ratio=ratio)


def test_a_mosaic_lies_flat_with_its_picture_on_top() -> None:
    """Two rows of three: the upper left corner of the picture is at the back on the left, over a base like it."""
    colours = np.arange(18, dtype=np.uint8).reshape(2, 3, 3)
    target = target_of_mosaic("flat", np.array([[True, True, False], [True, True, True]]), colours)
    assert target.paint is not None
    assert target.volume.shape == (3, 2, 2)
    for layer in range(2):
        assert target.volume[:, :, layer].tolist() == [[True, True], [True, True], [True, False]]
    assert target.paint[0, 1, 1].tolist() == [0, 1, 2, 255]
    assert target.paint[2, 0, 1].tolist() == [15, 16, 17, 255]
    assert not target.paint[:, :, 0, 3].any()


def test_the_base_of_a_mosaic_in_parts_joins_them() -> None:
    target = target_of_mosaic("i", np.array([[True], [False], [True]]))
    assert target.volume[0].tolist() == [[True, True], [True, False], [True, True]]


def test_paint_goes_where_the_cells_go() -> None:
    """Through the depth of a picture, and with a volume to the middle of its grid."""
    colours = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    image = np.array([[True, False], [True, True]])
    flat = target_of_image("flat", image, 3, colours)
    assert flat.paint is not None
    for y in range(3):
        assert flat.paint[0, y, 1].tolist() == [0, 1, 2, 255]
        assert flat.paint[1, y, 0].tolist() == [9, 10, 11, 255]
        assert flat.paint[1, y, 1, 3] == 0
    voxels = np.zeros((5, 5, 5), bool)
    voxels[4, 4, 3:] = True
    paint = np.zeros((5, 5, 5, 4), np.uint8)
    paint[4, 4, 3], paint[4, 4, 4] = (1, 2, 3, 255), (4, 5, 6, 255)
    solid = target_of_voxels("solid", voxels, side=6, paint=paint)
    assert solid.paint is not None
    assert [solid.paint[cell].tolist() for cell in map(tuple, np.argwhere(solid.volume))] == [
        [1, 2, 3, 255],
        [4, 5, 6, 255],
    ]
