"""Views: which side is in front after a turn, and pictures that keep lengths."""

import numpy as np
import pytest

from brickbybrick.geometry.camera import FRONT, View, in_book

LEFT, RIGHT, NEAR, FAR, UP, DOWN = map(np.array, ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1)))


@pytest.mark.parametrize(
    ("view", "in_front", "at_the_right", "above"),
    [
        (View(0), NEAR, RIGHT, UP),
        (View(1), LEFT, NEAR, UP),
        (View(2), FAR, LEFT, UP),
        (View(3), RIGHT, FAR, UP),
        (View(0, True), FAR, RIGHT, DOWN),
        (View(2, True), NEAR, LEFT, DOWN),
    ],
    ids=str,
)
def test_a_turn_brings_a_side_to_the_front(view: View, in_front: object, at_the_right: object, above: object) -> None:
    for side, where in ((in_front, NEAR), (at_the_right, RIGHT), (above, UP)):
        assert (np.asarray(side) @ view.turn).tolist() == where.tolist()
        assert np.asarray(side) @ view.to_viewer > 0  # so it is seen


@pytest.mark.parametrize("view", [FRONT, *(in_book(quarters, over) for over in (False, True) for quarters in range(4))])
def test_the_picture_and_the_way_to_the_viewer_are_at_right_angles_and_keep_lengths(view: View) -> None:
    axes = np.column_stack([view.projection, view.to_viewer])
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(view.turn @ view.turn.T, np.eye(3))
    assert np.linalg.det(view.turn) == pytest.approx(1)  # no mirror


def test_four_quarters_are_none() -> None:
    assert in_book(4) == in_book(0)
    assert in_book(-1) == in_book(3)
