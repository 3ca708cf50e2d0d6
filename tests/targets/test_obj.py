"""OBJ files, their materials and the pictures beside them."""

import pytest

from brickbybrick.errors import InputError
from brickbybrick.targets.meshes import decoded_mesh
from brickbybrick.targets.obj import read_obj


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
    mesh = read_obj(cube.export(file_type="obj").encode())
    assert mesh.faces.shape == (12, 3)
    again = trimesh.Trimesh(mesh.vertices, mesh.faces)
    assert again.is_watertight
    assert again.volume == pytest.approx(6)
    squares = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n" + b"f 1 2 3 4\n" * 3
    assert read_obj(squares).faces.tolist() == [[0, 1, 2], [0, 2, 3]] * 3
