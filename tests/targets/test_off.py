"""OFF files are read with all their quirks, and strictly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from meshes import SQUARES, box

from brickbybrick.errors import InputError
from brickbybrick.targets.off import parse_off
from brickbybrick.targets.surface import colours_at
from brickbybrick.targets.voxelising import voxelise

TETRAHEDRON = b"OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"


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


def test_colours_of_faces_and_of_points() -> None:
    """As numbers of 0 to 255, or with a decimal point of 0 to 1; a number in a table says nothing."""
    faces = TETRAHEDRON.replace(b"3 0 2 1\n", b"3 0 2 1 255 128 0\n").replace(
        b"3 0 1 3\n", b"3 0 1 3 0.0 1.0 0.0 1.0\n"
    )
    mesh = parse_off(faces.replace(b"3 1 2 3\n", b"3 1 2 3 7\n"), "a")
    thirds = np.full((4, 3), 1 / 3)
    assert colours_at(mesh, np.arange(4), thirds).tolist() == [[255, 128, 0], [0, 255, 0], [204] * 3, [204] * 3]
    points = (
        TETRAHEDRON.replace(b"OFF", b"COFF")
        .replace(b"0 0 0\n", b"0 0 0 255 0 0 255\n")
        .replace(b"0 0 1\n", b"0 0 1 0 0 255\n")
    )
    mesh = parse_off(points, "a")
    corners = colours_at(mesh, np.array([0, 1]), np.array([[1.0, 0, 0], [0, 0, 1]]))
    assert corners.tolist() == [[255, 0, 0], [0, 0, 255]]
    assert parse_off(TETRAHEDRON, "a").look is None
    assert parse_off(TETRAHEDRON.replace(b"3 1 2 3\n", b"3 1 2 3 7\n"), "a").look is None
