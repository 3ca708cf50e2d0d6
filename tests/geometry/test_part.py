"""Parts by what catalogues and LDraw's own part files say of them."""

import pytest

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.part import PARTS, Part, grams

SLOPE = Part("slope 45", 2, 1)


def test_every_part_is_written_and_read() -> None:
    for part in PARTS:
        assert Part.parse(str(part)) == part
    assert str(Part("brick", 2, 4)) == "2x4"
    assert str(SLOPE) == "slope 45 2x1"


@pytest.mark.parametrize("text", ["", "2x", "slope 2x1", "wedge 2x4", "plate  2x4", "2x4 plate", "PLATE 2x4"])
def test_what_is_no_part_is_said(text: str) -> None:
    with pytest.raises(InputError, match="is no part"):
        Part.parse(text)


def test_three_plates_are_as_high_as_a_brick() -> None:
    brick, plate = Part("brick", 2, 4), Part("plate", 2, 4)
    stacked = {cell for z in range(3) for cell in plate.cells(Pose(1, 2, z, 1))}
    assert stacked == set(brick.cells(Pose(1, 2, 0, 1)))
    assert grams(plate) < grams(brick) < 3 * grams(plate)


def test_the_stud_of_a_slope_is_where_it_is_high() -> None:
    """The face falls towards +x, +y, -x and -y; LDraw's 3040b has its one stud at the other end."""
    ends = {d: list(SLOPE.studs(Pose(5, 5, 0, d))) for d in SLOPE.directions}
    assert ends == {0: [(5, 5)], 1: [(5, 5)], 2: [(6, 5)], 3: [(5, 6)]}
    assert all(len(set(SLOPE.sockets(Pose(5, 5, 0, d)))) == 2 for d in SLOPE.directions)


def test_an_inverted_slope_stands_on_its_foot_alone() -> None:
    part = Part("inverted slope 45", 2, 2)
    assert set(part.sockets(Pose(0, 0, 0, 2))) == {(1, 0), (1, 1)}
    assert set(part.studs(Pose(0, 0, 0, 2))) == set(part.footprint(Pose(0, 0, 0, 2)))


def test_profiles_are_those_of_the_part_files() -> None:
    """In LDraw's units, 20 a stud and 8 a plate: 4286 falls from 0 high at -10 to 20 below at -50, and is 24 high."""
    unit = [(20 * along, 8 * up) for along, up in Part("slope 33", 3, 1).profile]
    assert unit == [(0, 0), (60, 0), (60, 4), (20, 24), (0, 24)]
    assert [(20 * along, 8 * up) for along, up in Part("slope 30", 1, 1).profile][2:4] == [(20, 4), (0, 16)]


def test_what_nobody_weighed_weighs_as_its_kind_does() -> None:
    assert grams(Part("slope 45", 2, 4)) == pytest.approx(2 * grams(Part("slope 45", 2, 2)))
    assert all(0.1 < grams(part) < 5 for part in PARTS)
