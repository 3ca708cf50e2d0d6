"""Meshes are read strictly, and their voxels are the cells that the surface touches or encloses."""

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import binary_fill_holes

from brickbybrick.errors import InputError
from brickbybrick.targets import meshes
from brickbybrick.targets.meshes import Mesh, decoded_mesh, parse_off, read_mesh, read_obj, voxelise

Points = npt.NDArray[np.float64]

SQUARES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TETRAHEDRON = b"OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"


def box(low: tuple[float, float, float], high: tuple[float, float, float], squares: int = 6) -> Mesh:
    """A box from corner to corner, or the first squares of it."""
    corners = np.array(
        [[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    )
    faces = [triangle for a, b, c, d in SQUARES[:squares] for triangle in ((a, b, c), (a, c, d))]
    return Mesh(corners.astype(float), np.array(faces))


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
    scale = resolution * (1 - meshes.SHRINK) / (high - low).max()
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


@pytest.mark.parametrize(
    "text",
    [
        TETRAHEDRON,
        TETRAHEDRON.replace(b"OFF\n4", b"OFF4"),  # as in ModelNet40
        TETRAHEDRON.replace(b"OFF\n", b"OFF "),
        TETRAHEDRON.replace(b"OFF", b"off"),
        TETRAHEDRON.replace(b"4 4 6", b"4 4"),
        TETRAHEDRON.replace(b"\n", b"\r\n"),
        TETRAHEDRON.replace(b"\n", b"\r"),
        TETRAHEDRON.replace(b"\n", b" \n\n\t"),
        b"\xef\xbb\xbf" + TETRAHEDRON,
        b"# made by hand\n" + TETRAHEDRON.replace(b"4 4 6\n", b"# counts\n4 4 6 # points, faces, edges\n\n"),
        TETRAHEDRON.replace(b"3 1 2 3\n", b"3 1 2 3 255 0 0\n"),  # a colour
        TETRAHEDRON.replace(b"1 0 0", b"1.0e0 0 -0.0"),
        TETRAHEDRON.rstrip(),
    ],
)
def test_off_files_are_read_with_all_their_quirks(text: bytes) -> None:
    mesh = parse_off(text, "t.off")
    np.testing.assert_array_equal(mesh.vertices, [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    np.testing.assert_array_equal(mesh.faces, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    assert mesh.vertices.dtype == np.float64
    assert mesh.faces.dtype == np.int64


def test_polygons_become_fans_of_triangles() -> None:
    text = "OFF\n8 6 12\n" + "".join(f"{x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    text += "".join(f"4 {a} {b} {c} {d}\n" for a, b, c, d in SQUARES)
    mesh = parse_off(text.encode(), "cube.off")
    np.testing.assert_array_equal(mesh.faces, box((0, 0, 0), (1, 1, 1)).faces)
    assert voxelise(mesh, 3).all()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "begin with OFF"),
        (b"ply\nformat ascii 1.0\n", "begin with OFF"),
        (b"OFF\n", "begin with OFF"),
        (b"OFF BINARY\n\x00\x00\x00\x04", "begin with OFF"),
        (b"OFF\n-4 4 0\n", "begin with OFF"),
        (bytes(range(256)), "begin with OFF"),
        (TETRAHEDRON[:-20], "cut short"),
        (TETRAHEDRON + b"3 0 1 2\n", "announces 4 points and 4 faces but has 9 lines"),
        (TETRAHEDRON.replace(b"4 4 6", b"5 4 6"), "announces 5 points"),
        (TETRAHEDRON.replace(b"4 4 6", b"4 999999999999 6"), "announces"),
        (TETRAHEDRON.replace(b"4 4 6", b"5 3 6"), "neither a point"),
        (TETRAHEDRON.replace(b"1 0 0", b"nan 0 0"), "not a number or infinite"),
        (TETRAHEDRON.replace(b"1 0 0", b"inf 0 0"), "not a number or infinite"),
        (TETRAHEDRON.replace(b"1 0 0", b"1e999 0 0"), "not a number or infinite"),
        (TETRAHEDRON.replace(b"1 0 0", b"one 0 0"), "neither a point"),
        (TETRAHEDRON.replace(b"1 0 0", b"1 0"), "neither a point"),
        (TETRAHEDRON.replace(b"1 0 0", b"\xff\x00 0 0"), "neither a point"),
        (TETRAHEDRON.replace(b"3 1 2 3", b"3 1 2 4"), "none of its 4 points"),
        (TETRAHEDRON.replace(b"3 1 2 3", b"3 1 2 -1"), "none of its 4 points"),
        (TETRAHEDRON.replace(b"3 1 2 3", b"3 1 2 1.5"), "none of its 4 points"),
        (TETRAHEDRON.replace(b"3 1 2 3", b"3 1 2 1e300"), "none of its 4 points"),
        (TETRAHEDRON.replace(b"3 1 2 3", b"3 1 2 nan"), "none of its 4 points"),
        (TETRAHEDRON.replace(b"3 1 2 3", b"4 1 2 3"), "neither a point"),
        (TETRAHEDRON.replace(b"3 1 2 3", b"2 1 2"), "neither a point"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_damaged_off_files_are_refused_in_one_line(text: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what) as refused:
        parse_off(text, "data/t.off")
    assert str(refused.value).startswith("data/t.off: ")
    assert "\n" not in str(refused.value)


@given(text=st.binary(max_size=60))
def test_no_junk_raises_anything_else(text: bytes) -> None:
    for data in (text, b"OFF1 1 0\n" + text, TETRAHEDRON[: len(text)] + text):
        try:
            parse_off(data, "junk.off")
        except InputError:
            continue


@pytest.mark.parametrize("ending", ["stl", "obj", "ply"])
def test_other_formats_are_read_as_they_are(tmp_path: Path, ending: str) -> None:
    trimesh = pytest.importorskip("trimesh")
    cuboid = box((0, 0, 0), (2, 4, 6))
    path = tmp_path / f"cuboid.{ending.upper()}"
    trimesh.Trimesh(cuboid.vertices, cuboid.faces).export(path, file_type=ending)
    np.testing.assert_array_equal(voxelise(read_mesh(path), 6), voxelise(cuboid, 6))


def test_glb_has_y_up_and_may_hold_several_meshes(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    slab, post = box((0, 0, 0), (6, 2, 6)), box((0, 2, 4), (2, 6, 6))
    scene = trimesh.Scene([trimesh.Trimesh(part.vertices, part.faces) for part in (slab, post)])
    scene.export(tmp_path / "corner.glb")
    voxels = voxelise(read_mesh(tmp_path / "corner.glb"), 6)
    wanted = np.zeros((6, 6, 6), bool)
    wanted[:, :, :2] = True
    wanted[:2, :2, 2:] = True  # far in glTF's z is near in y
    assert voxels[wanted].all()
    assert not voxels[3:, :, 2:].any()
    assert not voxels[:, 3:, 2:].any()


@pytest.mark.parametrize("ending", ["stl", "obj", "ply", "glb"])
@pytest.mark.parametrize(
    "data", [b"", b"junk", bytes(range(256)) * 3, b"ply\nformat ascii 1.0\nelement vertex 2\nend_header\n1"]
)
def test_damaged_files_of_other_formats_are_refused(tmp_path: Path, ending: str, data: bytes) -> None:
    pytest.importorskip("trimesh")
    path = tmp_path / f"bad.{ending}"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"bad\.\w+: "):
        voxelise(read_mesh(path), 14)


def test_without_trimesh_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trimesh", None)
    (tmp_path / "a.stl").write_bytes(b"solid a\nendsolid a\n")
    with pytest.raises(InputError, match=r"pip install 'brickbybrick\[meshes\]'"):
        read_mesh(tmp_path / "a.stl")
    (tmp_path / "a.off").write_bytes(TETRAHEDRON)
    assert len(read_mesh(tmp_path / "a.off").faces) == 4


def test_files_that_are_too_large_absent_or_no_meshes_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.off").write_bytes(TETRAHEDRON)
    monkeypatch.setattr(meshes, "MOST_BYTES", 10)
    with pytest.raises(InputError, match=r"a\.off: larger than"):
        read_mesh(tmp_path / "a.off")
    with pytest.raises(InputError, match=r"b\.off: cannot be read: No such file"):
        read_mesh(tmp_path / "b.off")
    with pytest.raises(InputError, match=r"a\.txt: not a mesh"):
        read_mesh(tmp_path / "a.txt")


def test_an_obj_has_points_and_faces_and_nothing_else() -> None:
    """Groups, materials, normals and other files make no difference, and corners may be counted back."""
    text = b"mtllib /dev/zero\no a\nv 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nvt 0 0\ng b\nusemtl c\n"
    text += b"f 1/1/1 2//1 \\\n 3\nv 0 1 0\nf -4 -2 -1 # a fan\nf 1 2 3 4\n"
    mesh = decoded_mesh(text, ".obj", "a")
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 2, 3]]
    for line in (b"f 1 2\n", b"f 0 1 2\n", b"f 1 2 9\n", b"f 1 2 -9\n", b"v 1 2\n", b"v a b c\n", b"f " + b"9" * 5_000):
        with pytest.raises(InputError):
            decoded_mesh(text + line, ".obj", "a")


def test_a_cube_is_read_as_trimesh_reads_it() -> None:
    """Six squares, each cut in two."""
    trimesh = pytest.importorskip("trimesh")
    cube = trimesh.creation.box((1, 2, 3))
    vertices, faces = read_obj(cube.export(file_type="obj").encode())
    assert faces.shape == (12, 3)
    again = trimesh.Trimesh(vertices, faces)
    assert again.is_watertight
    assert again.volume == pytest.approx(6)
    squares = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n" + b"f 1 2 3 4\n" * 3
    assert read_obj(squares)[1].tolist() == [[0, 1, 2], [0, 2, 3]] * 3
