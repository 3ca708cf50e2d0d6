"""The voxels of a mesh: cells that its surface touches or encloses, or in real proportions those inside of it."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meshes import box
from scipy.ndimage import binary_fill_holes

from brickbybrick.errors import InputError
from brickbybrick.geometry.grains import ALL, FULL, counted
from brickbybrick.targets import voxelising
from brickbybrick.targets.reading import CELL_HEIGHT
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.voxelising import filled, open_edges, voxelise, voxelise_real

Points = npt.NDArray[np.float64]


def joined(*parts: Mesh) -> Mesh:
    first = np.cumsum([0] + [len(part.vertices) for part in parts])
    return Mesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + start for part, start in zip(parts, first, strict=False)]),
    )


def ball(rings: int = 24) -> Mesh:
    """A sphere of radius 1 in squares and its two caps."""
    down, around = np.meshgrid(
        np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * rings, endpoint=False), indexing="ij"
    )
    points = np.stack([np.sin(down) * np.cos(around), np.sin(down) * np.sin(around), np.cos(down)], axis=-1)
    at = np.arange(points.size // 3).reshape(points.shape[:2])
    right = np.roll(at, -1, axis=1)
    quads = np.stack([at[:-1], at[1:], right[1:], right[:-1]], axis=-1).reshape(-1, 4)
    return Mesh(points.reshape(-1, 3), np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))


def some_mesh(seed: int, triangles: int = 5) -> Mesh:
    random = np.random.default_rng(seed)
    return Mesh(random.normal(size=(3 * triangles, 3)), np.arange(3 * triangles).reshape(-1, 3))


def in_cells(mesh: Mesh, resolution: int) -> Points:
    """The corners of the triangles in the grid of `voxelise`, written down once more: (face, corner, axis)."""
    corners = mesh.vertices[mesh.faces]
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    scale = resolution * (1 - voxelising.SHRINK) / (high - low).max()
    moved: Points = (corners - low) * scale
    moved[..., :2] += (resolution - (high - low)[:2] * scale) / 2
    return moved


def clipped(polygon: list[Points], axis: int, limit: float, sign: int) -> list[Points]:
    """What of a polygon lies on one side of a plane."""
    kept = []
    for here, after in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        a, b = sign * (here[axis] - limit), sign * (after[axis] - limit)
        if a <= 0:
            kept.append(here)
        if a * b < 0:
            kept.append(here + (after - here) * (a / (a - b)))
    return kept


def touched(triangle: Points, cell: tuple[int, int, int]) -> bool:
    polygon = list(triangle)
    for axis in range(3):
        polygon = clipped(polygon, axis, cell[axis] + 1, 1)
        polygon = clipped(polygon, axis, cell[axis], -1)
    return bool(polygon)


@pytest.mark.parametrize("cells", [1, 2, 5, 14, 32])
def test_a_cube_fills_the_grid(cells: int) -> None:
    assert voxelise(box((0, 0, 0), (1, 1, 1)), cells).sum() == cells**3


def test_a_box_of_whole_cells_fills_these() -> None:
    voxels = voxelise(box((3, 3, 3), (7, 17, 9)), 14)  # 4 x 14 x 6 cells
    wanted = np.zeros((14, 14, 14), bool)
    wanted[5:9, :, :6] = True
    np.testing.assert_array_equal(voxels, wanted)


def test_a_ball_holds_its_volume_and_little_more() -> None:
    cells = voxelise(ball(), 32).sum()
    assert 4 / 3 * np.pi * 16**3 * 0.99 < cells < 4 / 3 * np.pi * (16 + np.sqrt(3)) ** 3


def test_a_hollow_is_filled_and_an_open_box_is_not() -> None:
    closed = joined(box((0, 0, 0), (10, 10, 10)), box((2, 2, 2), (8, 8, 8)))
    assert voxelise(closed, 10).all()
    open_box = voxelise(box((0, 0, 0), (10, 10, 10), squares=5), 10)
    assert open_box.sum() == 1000 - 9 * 8 * 8


def test_a_wall_in_the_very_middle_sets_the_cells_on_both_sides() -> None:
    floor = box((0, 0, 0), (10, 10, 1))
    wall = Mesh(np.array([[5.0, 0, 0], [5, 10, 0], [5, 10, 10], [5, 0, 10]]), np.array([[0, 1, 2], [0, 2, 3]]))
    voxels = voxelise(joined(floor, wall), 10)
    assert set(np.flatnonzero(voxels[:, 5, 5])) == {4, 5}


@given(seed=st.integers(0, 10**6), scale=st.floats(1e-3, 1e3), by=st.tuples(*[st.floats(-100, 100)] * 3))
@settings(max_examples=30, deadline=None)
def test_moving_and_scaling_a_mesh_changes_nothing(seed: int, scale: float, by: tuple[float, float, float]) -> None:
    mesh = some_mesh(seed)
    moved = Mesh(mesh.vertices * scale + np.array(by) * scale, mesh.faces)
    np.testing.assert_array_equal(voxelise(moved, 14), voxelise(mesh, 14))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_a_quarter_turn_of_the_mesh_turns_the_voxels(seed: int) -> None:
    mesh = some_mesh(seed)
    turned = Mesh(mesh.vertices[:, [1, 0, 2]] * [-1, 1, 1], mesh.faces)
    np.testing.assert_array_equal(voxelise(turned, 14), np.rot90(voxelise(mesh, 14)))
    np.testing.assert_array_equal(voxelise(Mesh(mesh.vertices, mesh.faces[:, ::-1]), 14), voxelise(mesh, 14))


@given(seed=st.integers(0, 10**6), resolution=st.integers(2, 32))
@settings(max_examples=20, deadline=None)
def test_every_point_of_the_surface_lies_in_a_set_cell(seed: int, resolution: int) -> None:
    mesh = some_mesh(seed)
    shares = np.random.default_rng(seed).dirichlet([0.7, 0.7, 0.7], size=2000)
    points = np.einsum("sc,fca->fsa", shares, in_cells(mesh, resolution)).reshape(-1, 3)
    cells = np.floor(points).astype(int).clip(0, resolution - 1)
    assert voxelise(mesh, resolution)[tuple(cells.T)].all()


@pytest.mark.parametrize("seed", range(12))
def test_the_set_cells_are_those_in_which_a_clipped_triangle_leaves_something(seed: int) -> None:
    mesh = some_mesh(seed, triangles=4)
    triangles = in_cells(mesh, 7)
    surface = np.zeros((7, 7, 7), bool)
    for cell in np.ndindex(7, 7, 7):
        surface[cell] = any(touched(triangle, cell) for triangle in triangles)
    np.testing.assert_array_equal(voxelise(mesh, 7), binary_fill_holes(surface))


def test_points_that_no_face_uses_do_not_count() -> None:
    cube = box((0, 0, 0), (1, 1, 1))
    stray = Mesh(np.concatenate([cube.vertices, [[100.0, 0, 0]]]), cube.faces)
    assert voxelise(stray, 5).all()


@pytest.mark.parametrize(
    ("mesh", "what"),
    [
        (Mesh(np.zeros((3, 3)), np.zeros((0, 3), int), "thing.off"), "no faces"),
        (Mesh(np.ones((3, 3)), np.array([[0, 1, 2]]), "thing.off"), "0 long"),
        (Mesh(np.eye(3)[:, [0, 1, 1]] * [1, 1, 0], np.array([[0, 1, 2]]), "thing.off"), "flat"),
        (
            Mesh(np.array([[-1.7e308, 0, 0], [1.7e308, 0, 0], [0, 1, 1]]), np.array([[0, 1, 2]]), "thing.off"),
            "inf long",
        ),
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_mesh_with_no_volume_is_refused(mesh: Mesh, what: str) -> None:
    with pytest.raises(InputError, match=rf"^thing.off: has no volume: .*{what}"):
        voxelise(mesh, 14)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
@pytest.mark.filterwarnings("error")
def test_very_small_and_very_large_meshes_are_no_mistake(scale: float) -> None:
    assert voxelise(box((0, 0, 0), (scale, scale, scale)), 5).all()


@pytest.mark.parametrize("resolution", [0, -1, 257])
def test_a_grid_that_makes_no_sense_is_refused(resolution: int) -> None:
    with pytest.raises(InputError, match="1 to 256"):
        voxelise(box((0, 0, 0), (1, 1, 1)), resolution)


def centres(low: Points, high: Points, cells: int) -> Points:
    """Where the centres of the cells are in a mesh of this box, in real proportions: (x, y, z, axis)."""
    sides = (high - low) / [1, 1, 1.2]
    width = sides.max() / (cells * (1 - voxelising.SHRINK))
    at = np.stack(np.meshgrid(*[np.arange(cells) + 0.5] * 3, indexing="ij"), axis=-1)
    at[..., :2] -= cells / 2
    return np.asarray(at * width * [1, 1, 1.2] + [*(low + high)[:2] / 2, low[2]])


@given(seed=st.integers(0, 10**6), cells=st.integers(4, 20))
@settings(max_examples=30, deadline=None)
def test_in_real_proportions_boxes_that_reach_into_each_other_are_their_union(seed: int, cells: int) -> None:
    random = np.random.default_rng(seed)
    corners = [np.sort(random.uniform(0, 10, (2, 3)), axis=0) for _ in range(4)]
    corners = [np.array([low, np.maximum(high, low + 4)]) for low, high in corners]  # none of them thin
    mesh = joined(*(box(tuple(low), tuple(high)) for low, high in corners))
    assert open_edges(mesh) == 0
    places = centres(np.min(corners, axis=(0, 1)), np.max(corners, axis=(0, 1)), cells)
    inside = np.any([((places > low) & (places < high)).all(axis=-1) for low, high in corners], axis=0)
    made = filled(mesh, cells)
    np.testing.assert_array_equal(made.voxels & inside, inside)
    assert made.voxels.sum() - inside.sum() == made.thickened
    if cells >= 10:
        assert made.thickened == 0


def test_a_hollow_stays_hollow_if_its_faces_look_into_it() -> None:
    outer, inner = box((0, 0, 0), (10, 10, 12)), box((2, 2, 2.4), (8, 8, 9.6))
    hollow = joined(outer, Mesh(inner.vertices, inner.faces[:, ::-1]))
    wanted = np.ones((10, 10, 10), bool)
    wanted[2:8, 2:8, 2:8] = False
    np.testing.assert_array_equal(voxelise_real(hollow, 10), wanted)
    assert voxelise_real(joined(outer, inner), 10).all()  # a box in a box


def test_edges_are_open_where_faces_do_not_come_in_pairs() -> None:
    whole = box((0, 0, 0), (1, 2, 3))
    apart = Mesh(whole.vertices[whole.faces].reshape(-1, 3), np.arange(36).reshape(-1, 3))
    for mesh in (whole, apart):
        assert open_edges(mesh) == 0
        assert open_edges(Mesh(mesh.vertices, mesh.faces[:-1])) == 3
        assert open_edges(Mesh(mesh.vertices, np.concatenate([mesh.faces, mesh.faces]))) == 0


def test_grains_are_what_is_inside_of_each_cell() -> None:
    # A box that ends amid cells, in a grid that is far from a cube: 12 studs long, 3.5 wide, 2.5 plates high.
    high = 2.5 * CELL_HEIGHT / 3
    made = filled(box((0, 0, 0), (12, 3.5, high)), 12, 3, grains=True)
    assert made.grains is not None
    shares = counted(made.grains) / ALL
    assert shares.sum() == 12 * 3.5 * 2.5
    assert (shares[:, 5:7, :2] == 1).all()
    assert shares[:, :, 3:].max() == 0
    assert (made.voxels == (shares >= 0.5)).all()


def test_grains_of_a_thin_part_are_all_there() -> None:
    made = filled(box((0, 0, 0), (12, 12, 0.05)), 12, 3, grains=True)
    assert made.grains is not None
    assert made.thickened > 0
    assert (made.grains[made.voxels] == FULL).all()
