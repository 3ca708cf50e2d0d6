"""Where bricks touch and what they weigh."""

import numpy as np
from geometry.models import BRICK_2X4, at, brick, grown

from brickbybrick.geometry.part import grams
from brickbybrick.geometry.statics import LEAST_SHARE, QUARTER_TURN, SHARED, WIDE, Ground, Statics


def test_what_bricks_weigh() -> None:
    assert grams(BRICK_2X4) == 2.16
    assert grams(brick(2, 2)) < grams(brick(2, 3)) < grams(BRICK_2X4)
    assert grams(brick(1, 2)) < grams(brick(1, 3)) < grams(brick(1, 4))


def test_a_brick_squarely_on_another_meets_it_in_three_points_a_stud() -> None:
    """Eight studs of a 2x4, and four points each under a brick one stud wide, as StableLego has them."""
    wide = Statics([(BRICK_2X4, at(0, 0, 0, 0)), (BRICK_2X4, at(0, 0, 1, 0))])
    narrow = Statics([(brick(1, 4), at(0, 0, 0, 0)), (brick(1, 4), at(0, 0, 1, 0))])
    for statics, points in ((wide, 24), (narrow, 16)):
        on_plate, on_table = statics.points(Ground.PLATE), statics.points(Ground.TABLE)
        assert len(on_plate.upper) == 2 * points  # the plate has studs too
        assert len(on_table.upper) == points + 4  # the table meets the rim
        assert on_plate.holds.all()
        assert on_table.holds.tolist() == [True] * points + [False] * 4


def test_points_lie_within_a_quarter_of_a_stud_of_its_centre() -> None:
    statics = Statics(grown(8, seed=3))
    for turn in statics.turns():
        places = statics.points(Ground.PLATE, turn).place
        assert np.all(np.abs(places % 1 - 0.5) <= 0.25 + 1e-12)


def test_shared_places_stand_for_the_points_of_every_turn() -> None:
    """Forces there are shared out by where they are between the three points: none is outside, and four that hold with
    as much as they may ask no point for more than it has."""
    for turn in range(4):
        corners = WIDE @ np.linalg.matrix_power(QUARTER_TURN, turn)
        sides = np.column_stack([corners, np.ones(3)]).T
        shares = np.linalg.solve(sides, np.column_stack([SHARED, np.ones(4)]).T)  # (corner, place)
        assert np.all(shares >= -1e-12)
        assert np.all(shares.sum(axis=1) * LEAST_SHARE <= 1 + 1e-12)


def test_neighbours_touch_along_an_axis() -> None:
    row = Statics([(BRICK_2X4, at(0, 0, 0, 0)), (BRICK_2X4, at(2, 0, 0, 0)), (BRICK_2X4, at(0, 4, 0, 0))])
    assert row.sides == [(0, 1, 0), (0, 2, 1)]
    assert row.centres.tolist() == [[1, 2], [3, 2], [1, 6]]
    assert row.weights.tolist() == [1, 1, 1]


def test_the_ground_is_the_lowest_layer_unless_said_otherwise() -> None:
    model = [(BRICK_2X4, at(0, 0, 3, 0)), (BRICK_2X4, at(0, 0, 4, 0))]
    assert Statics(model).ground == 9
    assert len([lower for lower, *_ in Statics(model).studs if lower < 0]) == 8
    assert not [lower for lower, *_ in Statics(model, level=0).studs if lower < 0]  # it floats
