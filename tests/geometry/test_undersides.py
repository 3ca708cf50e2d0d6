"""From below parts are hollow: what is inside lies within the part, and tubes where real parts have them."""

import numpy as np
import pytest

from brickbybrick.geometry.part import PARTS, Part
from brickbybrick.geometry.undersides import PIN, TUBE, underside


def middles(part: Part, d: int, kind: str) -> list[list[float]]:
    """Of all that is of a kind inside of a part."""
    return [outline.mean(axis=0).round(6).tolist() for look, outline in underside(part, d) if look == kind]


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_all_that_is_inside_lies_within_the_part(part: Part) -> None:
    for d in part.directions:
        for _, outline in underside(part, d):
            assert (outline >= 0.05).all()
            assert (outline <= np.array(part.extent(d)) - 0.05).all()


def test_tubes_stand_between_four_studs_and_touch_them() -> None:
    """Real ones are 6.51 mm wide, studs 4.8 mm, and from stud to stud it is 8 mm."""
    assert middles(Part("brick", 2, 4), 0, "tube") == [[1, 1], [1, 2], [1, 3]]
    assert pytest.approx(6.51 / 8 / 2, abs=0.01) == TUBE
    assert pytest.approx(4.8 / 8 / 2, abs=0.02) == 0.5 * 2**0.5 - TUBE


def test_narrow_parts_have_pins_between_two_studs() -> None:
    assert middles(Part("brick", 1, 3), 1, "pin") == [[1, 0.5], [2, 0.5]]
    assert pytest.approx(0.3) == 0.5 - PIN
