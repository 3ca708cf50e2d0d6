"""What an open surface holds, against its winding number and against the closed surface that it once was."""

import time

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meshes import box
from targets import drawn_meshes

from brickbybrick.errors import InputError
from brickbybrick.targets import enclosing
from brickbybrick.targets.enclosing import DIRECTIONS, enclosed
from brickbybrick.targets.off import parse_off
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.voxelising import filled, in_cells, voxelise_real

Points = npt.NDArray[np.float64]


def winding_numbers(triangles: Points, cells: int) -> Points:
    """How often the surface winds around each cell's centre, by the solid angles of all its triangles."""
    total = np.zeros((cells, cells, cells))
    for cell in np.ndindex(total.shape):
        a, b, c = (triangles[:, corner] - (np.array(cell) + 0.5) for corner in range(3))
        la, lb, lc = (np.linalg.norm(each, axis=1) for each in (a, b, c))
        above = np.einsum("fa,fa->f", a, np.cross(b, c))
        ab, bc, ca = ((one * other).sum(axis=1) for one, other in ((a, b), (b, c), (c, a)))
        total[cell] = 2 * np.arctan2(above, la * lb * lc + ab * lc + bc * la + ca * lb).sum() / (4 * np.pi)
    return total


def test_thirteen_lines_are_twenty_six_directions() -> None:
    both = {tuple(sign * step for step in direction) for direction in DIRECTIONS for sign in (1, -1)}
    assert len(both) == 26
    assert {max(map(abs, direction)) for direction in both} == {1}


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_of_a_tetrahedron_it_holds_what_lies_behind_all_four_sides(seed: int) -> None:
    points = np.random.default_rng(seed).uniform(0, 12, (4, 3))
    centres = np.stack(np.meshgrid(*[np.arange(12) + 0.5] * 3, indexing="ij"), axis=-1)
    inside = np.ones((12, 12, 12), bool)
    for corner in range(4):
        a, b, c = np.delete(points, corner, axis=0)
        normal = np.cross(b - a, c - a)
        inside &= np.sign((centres - a) @ normal) == np.sign((points[corner] - a) @ normal)
    triangles = np.stack([np.delete(points, corner, axis=0) for corner in range(4)])
    np.testing.assert_array_equal(enclosed(triangles, (12, 12, 12)), inside)


@pytest.mark.parametrize("lost", [0, 0.05])
@pytest.mark.parametrize("drawn", [drawn_meshes.torus, drawn_meshes.ball])
def test_it_agrees_with_the_winding_number_where_faces_are_lost(drawn: object, lost: float) -> None:
    data, _ = drawn_meshes.torus(24, 12) if drawn is drawn_meshes.torus else drawn_meshes.ball(3)
    mesh = parse_off(data, "a")
    triangles = in_cells(mesh, 16)
    triangles = triangles[np.random.default_rng(0).random(len(triangles)) >= lost]
    wanted = winding_numbers(triangles, 16) > 0.5
    assert (enclosed(triangles, (16, 16, 16)) != wanted).sum() <= 0.01 * wanted.sum() * (lost > 0)


def test_it_does_not_mind_doubled_faces_walls_inside_and_faces_the_wrong_way_round() -> None:
    mesh = parse_off(drawn_meshes.torus()[0], "a")
    closed = filled(mesh, 24).voxels
    random = np.random.default_rng(1)
    turned = np.where(random.random((len(mesh.faces), 1)) < 0.5, mesh.faces, mesh.faces[:, ::-1])
    doubled = np.concatenate([turned, turned[::2, ::-1], mesh.faces[::3]])
    assert (voxelise_real(Mesh(mesh.vertices, doubled), 24) == closed).all()
    wall = np.array([[1.4, 0, -0.5], [2.6, 0, -0.5], [2.6, 0, 0.5], [1.4, 0, 0.5]])
    walled = Mesh(
        np.concatenate([mesh.vertices, wall]),
        np.concatenate([turned, len(mesh.vertices) + np.array([[0, 1, 2], [0, 2, 3]])]),
    )
    assert (voxelise_real(walled, 24) == closed).all()


@pytest.mark.parametrize("side", range(6))
@pytest.mark.parametrize("cells", [8, 15, 24])
def test_a_box_without_one_of_its_sides_is_a_box(side: int, cells: int) -> None:
    whole = box((0, 0, 0), (7, 5, 4))
    keep = np.arange(12) // 2 != side
    without = Mesh(whole.vertices, whole.faces[keep])
    np.testing.assert_array_equal(voxelise_real(without, cells), voxelise_real(whole, cells))


def test_a_cup_stays_empty() -> None:
    """With walls of some thickness; one of its faces is there twice, so that it goes by the vote."""
    inner, outer = box((2, 2, 2), (14, 14, 16)), box((0, 0, 0), (16, 16, 16))
    top = np.array([[0, 0], [16, 0], [16, 16], [0, 16], [2, 2], [14, 2], [14, 14], [2, 14]], float)
    rim = [(a, b, b + 4, a + 4) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))]
    vertices = np.concatenate([outer.vertices, inner.vertices, np.column_stack([top, np.full(8, 16.0)])])
    squares = [each for a, b, c, d in rim for each in ((a + 16, b + 16, c + 16), (a + 16, c + 16, d + 16))]
    faces = np.concatenate([outer.faces[:10], inner.faces[:10] + 8, np.array(squares), outer.faces[:1]])
    voxels = enclosed(in_cells(Mesh(vertices, faces), 16), (16, 16, 16))
    hollow = np.zeros((16, 16, 16), bool)
    hollow[2:14, 2:14, 2:] = True
    np.testing.assert_array_equal(voxels, ~hollow)


def test_a_car_without_a_bottom_is_filled_and_keeps_its_mirrors() -> None:
    """40 x 16 x 13, of which the upper 5 are the cabin, 20 x 14; cells are 1 wide and 1.2 high."""
    mesh = parse_off(drawn_meshes.car()[0], "car")
    made = filled(mesh, 40)
    assert made.open_edges > 0
    body, cabin = made.voxels[:, 12:28, :6], made.voxels[10:30, 13:27, 7:10]
    assert body[:, :, 1:].all()
    assert body.mean() > 0.99
    assert cabin.all()
    mirrors = made.voxels[:, [*range(12), *range(28, 40)]]
    assert 4 <= mirrors.sum() <= 16
    assert made.thickened >= mirrors.sum()


def test_faces_that_cover_each_other_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    mesh = Mesh(random.random((30_000, 3)), np.arange(30_000).reshape(-1, 3), "a.stl")
    monkeypatch.setattr(enclosing, "MOST_PLACES", 10_000_000)
    start = time.process_time()
    with pytest.raises(InputError, match=r"^a\.stl: its faces cover each other too often; give a simpler mesh$"):
        voxelise_real(mesh, 256)
    assert time.process_time() - start < 5
