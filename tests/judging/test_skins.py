"""Surfaces and how far they are from each other: planes and stairs, of which everything is known."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickbybrick.judging.skins import mean_distance, nearest_in, skin_of

Floats = npt.NDArray[np.float64]


def strip(outline: Floats, breadth: float) -> Floats:
    """The triangles of a surface that runs along an outline (corner, 2) in x and z, so broad in y."""
    here, there = (np.insert(outline, 1, y, axis=1) for y in (0.0, breadth))
    one = np.stack([here[:-1], here[1:], there[1:]], axis=1)
    return np.concatenate([one, np.stack([here[:-1], there[1:], there[:-1]], axis=1)])


def stairs(steps: int, wide: float, high: float) -> Floats:
    """The outline of stairs that a straight line from their foot crosses in the middle of each tread and riser."""
    corners = [(0.0, 0.0), (wide / 2, 0.0)]
    for step in range(1, steps):
        corners += [(corners[-1][0], step * high), (corners[-1][0] + wide, step * high)]
    return np.array([*corners[:-1], (corners[-1][0] - wide / 2, (steps - 1) * high)])


@pytest.mark.parametrize("high", [9.6, 3.2])
def test_stairs_are_as_far_from_a_plane_as_geometry_says(high: float) -> None:
    """Between two crossings, stairs and plane are the sides of a triangle with a right angle."""
    wide, steps = 8.0, 12
    slope = strip(np.array([(0.0, 0.0), ((steps - 1) * wide, (steps - 1) * high)]), 300.0)
    plane, flight = skin_of(slope), skin_of(strip(stairs(steps, wide, high), 300.0))
    length = np.hypot(wide, high)
    assert mean_distance(flight, plane) == pytest.approx(wide * high / (4 * length), rel=0.01)
    assert mean_distance(plane, flight) == pytest.approx(wide * high / (4 * (wide + high)), rel=0.01)


def test_a_surface_is_nowhere_apart_from_itself_however_its_points_lie() -> None:
    square = strip(np.array([(0.0, 0.0), (30.0, 10.0)]), 30.0)
    shifted = strip(np.array([(0.0, 0.0), (7.0, 7.0 / 3), (30.0, 10.0)]), 30.0)
    assert mean_distance(skin_of(square), skin_of(shifted)) < 1e-6


def test_parallel_planes_are_as_far_apart_as_they_are() -> None:
    flat = strip(np.array([(0.0, 0.0), (40.0, 0.0)]), 40.0)
    assert mean_distance(skin_of(flat), skin_of(flat + np.array([0, 0, 2.5]))) == pytest.approx(2.5)


numbers = st.floats(-10, 10).map(lambda value: round(value, 2))
points = st.tuples(numbers, numbers, numbers)


@given(st.tuples(points, points, points), points)
def test_no_place_of_a_triangle_is_nearer_than_the_nearest(
    corners: tuple[tuple[float, ...], ...], place: Floats
) -> None:
    """Also of triangles that are lines or points."""
    triangle, at = np.array(corners), np.array(place)
    found = nearest_in(triangle[None], at[None])[0]
    one, other = np.meshgrid(np.linspace(0, 1, 41), np.linspace(0, 1, 41))
    inside = one + other <= 1 + 1e-9
    b, c = one[inside][:, None], other[inside][:, None]
    all_places = triangle[0] + b * (triangle[1] - triangle[0]) + c * (triangle[2] - triangle[0])
    least = np.linalg.norm(all_places - at, axis=1).min()
    far = np.linalg.norm(found - at)
    assert far <= least + 1e-6
    assert far >= least - 1.0  # and it is a place of the triangle: the others lie no farther apart
