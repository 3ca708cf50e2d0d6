"""The faces of parts enclose their solid, look outwards, and know what hides them."""

from itertools import pairwise

import numpy as np
import pytest

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.faces import PLATE, faces_of
from brickbybrick.geometry.part import PARTS, Part

EVERY = [(part, d) for part in PARTS for d in part.directions]


def profile_area(part: Part) -> float:
    """Of the outline, in squares of a stud, by the shoelace formula."""
    along, up = np.array(part.profile).T
    return abs(float(along @ np.roll(up, 1) - up @ np.roll(along, 1))) / 2 * PLATE


@pytest.mark.parametrize(("part", "d"), EVERY, ids=str)
def test_faces_enclose_the_solid(part: Part, d: int) -> None:
    """By Gauss: the volume is a third of the sum, over triangles of all faces, of how far each bulges out."""
    volume = 0.0
    for face in faces_of(part, d):
        corners = face.corners * (1, 1, PLATE)
        for second, third in pairwise(corners[1:]):
            volume += float(np.linalg.det([corners[0], second, third])) / 6
        assert np.allclose((corners - corners[0]) @ face.normal, 0)
    assert volume == pytest.approx(profile_area(part) * part.length)


@pytest.mark.parametrize(("part", "d"), EVERY, ids=str)
def test_faces_stay_in_the_box_and_touch_all_its_sides(part: Part, d: int) -> None:
    corners = np.concatenate([face.corners for face in faces_of(part, d)])
    assert corners.min(axis=0).tolist() == [0, 0, 0]
    assert corners.max(axis=0).tolist() == [*part.extent(d), part.height]


def test_a_slope_falls_where_its_direction_says() -> None:
    part = Part("slope 45", 2, 1)
    for d, step in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
        (slanted,) = [face for face in faces_of(part, d) if 0.1 < face.normal[2] < 0.9]
        assert np.sign(slanted.normal[:2].round(9)).tolist() == list(step)
        assert slanted.beyond == ()


@pytest.mark.parametrize(("part", "d"), EVERY, ids=str)
def test_what_hides_a_face_lies_right_outside(part: Part, d: int) -> None:
    own = set(part.cells(Pose(0, 0, 0, d)))
    for face in faces_of(part, d):
        assert not own & set(face.beyond)
        for x, y, z in face.beyond:
            inwards = tuple(np.array([x, y, z]) - face.normal.round().astype(int))
            assert inwards in own
