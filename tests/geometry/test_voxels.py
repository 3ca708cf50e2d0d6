"""Silhouettes, hulls and IoU."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4, Pose, Size
from brickbybrick.geometry.voxels import (
    bounds,
    cells_iou,
    centred,
    extrude,
    fill,
    front_view,
    hollowed,
    iou,
    three_views,
    visual_hull,
)

grids = arrays(bool, (5, 5, 5), elements=st.booleans())


@given(grids)
def test_the_hull_is_the_largest_volume_with_the_same_views(voxels: np.ndarray) -> None:
    hull = visual_hull(three_views(voxels))
    assert (hull | ~voxels).all()  # nothing of the object is cut away
    np.testing.assert_array_equal(three_views(hull), three_views(voxels))
    for cell in np.argwhere(~hull):  # any cell more would show in a view
        larger = hull.copy()
        larger[tuple(cell)] = True
        assert (three_views(larger) != three_views(hull)).any()


def test_views_are_the_right_way_up() -> None:
    """One cell at x=1, y=2, z=3 of five."""
    voxels = np.zeros((5, 5, 5), bool)
    voxels[1, 2, 3] = True
    front, side, top = three_views(voxels)
    assert np.argwhere(front).tolist() == [[1, 1]]  # one from the top, x across
    assert np.argwhere(side).tolist() == [[1, 2]]  # one from the top, y across
    assert np.argwhere(top).tolist() == [[2, 1]]  # y up, x across


@given(arrays(bool, (6, 4)))
def test_extruding_keeps_the_front_view(image: np.ndarray) -> None:
    volume = extrude(image, 4)
    np.testing.assert_array_equal(front_view(volume), image)
    assert volume.sum() == 4 * image.sum()


@given(grids.filter(np.any), st.tuples(*[st.integers(0, 4)] * 3))
def test_centring_forgets_where_it_was(voxels: np.ndarray, shift: tuple[int, int, int]) -> None:
    shape, moved = (14, 13, 30), np.zeros((9, 9, 9), bool)
    moved[tuple(slice(s, s + 5) for s in shift)] = voxels
    middle = centred(moved, shape, moved)
    np.testing.assert_array_equal(middle, centred(voxels, shape, voxels))
    before, after = bounds(middle)[:, 0], np.array(shape) - bounds(middle)[:, 1]
    assert (np.abs(before - after) <= 1).all()


def test_iou_counts_cells_outside_the_grid() -> None:
    """A brick half outside: 4 of 8 cells are shared, and 4 more are in the union."""
    target = np.zeros((2, 2, 1), bool)
    target[:, :] = True
    assert iou(BRICK_2X4, [Pose(0, 0, 0, 0)], target) == 4 / 8
    assert iou(BRICK_2X4, [Pose(0, 0, 0, 0), Pose(0, 0, 5, 0)], target) == 4 / 16
    assert fill(BRICK_2X4, [Pose(0, 0, 0, 0)], target.shape).all()


def test_a_cell_that_two_bricks_share_counts_once() -> None:
    """A 2x2 in a 2x4, on a target of 2x3 cells: 6 are shared, 8 are in the union, whatever lies in them twice."""
    target = np.ones((2, 3, 1), bool)
    cells = [*BRICK_2X4.cells(Pose(0, 0, 0)), *Size(2, 2).cells(Pose(0, 0, 0))]
    assert cells_iou(cells, target) == 6 / 8


def test_an_empty_target_is_an_error() -> None:
    with pytest.raises(InputError, match="empty"):
        bounds(np.zeros((3, 3, 3), bool))


def test_too_large_an_object_is_an_error() -> None:
    with pytest.raises(InputError, match="15 cells long"):
        centred(long := np.ones((15, 1, 1), bool), (14, 14, 42), long)


def test_walls_are_as_many_layers_of_plates_as_they_are_thick_in_bricks() -> None:
    box = np.ones((12, 12, 36), bool)
    assert hollowed(box, 2, 3).sum() == 12 * 12 * 36 - 8 * 8 * 24
    np.testing.assert_array_equal(hollowed(box, 2, 3)[:, :, ::3], hollowed(box[:, :, ::3], 2))
