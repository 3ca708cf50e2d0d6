"""OBJ files, their materials and the pictures beside them."""

import os
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from targets.drawn_meshes import SIX, cube_obj

from brickbybrick.errors import InputError
from brickbybrick.targets import obj
from brickbybrick.targets.meshes import decoded_mesh, read_mesh
from brickbybrick.targets.obj import parsed_materials, read_obj
from brickbybrick.targets.surface import CLAMP, Mesh, colours_at


def written(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder / "cube.obj"


def middles(mesh: Mesh) -> list[tuple[int, ...]]:
    """The colours in the middles of the faces."""
    colours = colours_at(mesh, np.arange(len(mesh.faces)), np.full((len(mesh.faces), 3), 1 / 3))
    return [tuple(map(int, colour)) for colour in colours]


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


def test_a_material_with_a_picture_gives_each_side_its_colour(tmp_path: Path) -> None:
    mesh = read_mesh(written(tmp_path, cube_obj()))
    assert middles(mesh)[::2] == SIX
    assert mesh.notes == ()
    below = cube_obj("pictures/my six.png")
    below["pictures/my six.png"] = below.pop("six.png")
    assert middles(read_mesh(written(tmp_path / "below", below)))[::2] == SIX


def test_an_upload_has_no_files_beside_it() -> None:
    mesh = decoded_mesh(cube_obj()["cube.obj"], ".obj", "cube.obj")
    assert mesh.look is None
    assert mesh.notes == ("its materials lie in other files, which were not given: it is built without them",)


def test_colours_of_materials_and_of_points() -> None:
    text = b"mtllib a.mtl\nv 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 1 1 0 1 0 0\nv 0 1 1\nf 1 2 3\nusemtl leaf\nf 1 2 4\n"
    text += b"usemtl nowhere\nf 1 2 3\n"
    mesh = read_obj(text, lambda *_: b"newmtl leaf\nKd 0 1 0\nnewmtl other\nKd 1 1 1\n")
    assert middles(mesh) == [(255, 0, 0), (0, 255, 0), (255, 0, 0)]
    bytes_instead = b"v 0 0 0 255 128 0\nv 1 0 0 255 128 0\nv 1 1 0 255 128 0\nf 1 2 3\n"
    assert middles(read_obj(bytes_instead)) == [(255, 128, 0)]


def test_materials_are_read_with_their_options() -> None:
    text = b"# none\nKd 9 9 9\nnewmtl a b\n  Kd 0.1 0.2 0.3\nmap_Kd -clamp on -s 2 3 1 -o 0.5 0 -bm 1 my picture.png\n"
    text += b"newmtl c\nKd spectral file.rfl\nKa 1 1 1\nmap_Kd\n"
    materials = parsed_materials(text)
    assert list(materials) == [b"a b", b"c"]
    first = materials[b"a b"]
    assert (first.colour, first.picture, first.wraps) == ((0.1, 0.2, 0.3), "my picture.png", (CLAMP, CLAMP))
    assert (first.scale, first.offset) == ((2, 3), (0.5, 0))
    assert materials[b"c"].colour is None
    assert materials[b"c"].picture == ""


@pytest.mark.parametrize(
    "name",
    [
        "../six.png",
        "../../x",
        "/etc/passwd",
        "a/../../six.png",
        "..\\six.png",
        "C:\\x.png",
        "link.png",
        "folder/six.png",
    ],
)
@pytest.mark.parametrize("kind", ["picture", "library"])
def test_names_that_lead_out_of_the_folder_are_not_followed(tmp_path: Path, name: str, kind: str) -> None:
    files = cube_obj(picture=name) if kind == "picture" else cube_obj(library=name)
    (tmp_path / "secret").mkdir()
    for secret in (tmp_path / "six.png", tmp_path / "secret" / "six.png"):
        secret.write_bytes(files["six.png"] if kind == "picture" else files["cube.mtl"])
    path = written(tmp_path / "mesh", files)
    os.symlink(tmp_path / "six.png", path.parent / "link.png")
    os.symlink(tmp_path / "secret", path.parent / "folder")
    mesh = read_mesh(path)
    (note,) = mesh.notes
    assert "not followed, it leads out of the mesh's folder" in note
    if kind == "picture":
        assert set(middles(mesh)) == {(204, 204, 204)}  # what the material says besides
    else:
        assert mesh.look is None


def test_what_is_missing_too_large_or_damaged_is_left_out_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, cube_obj())
    for content, what in ((b"junk", "six.png: not a whole picture"), (None, "six.png: cannot be read: No such file")):
        (tmp_path / "six.png").unlink()
        if content:
            (tmp_path / "six.png").write_bytes(content)
        (note,) = read_mesh(path).notes
        assert note.startswith(f"it is built without a texture: {what}")
        assert str(tmp_path) not in note
    os.mkfifo(tmp_path / "six.png")
    assert "a pipe or a device" in read_mesh(path).notes[0]
    monkeypatch.setattr(obj, "MOST_LIBRARY_BYTES", 10)
    (note,) = read_mesh(path).notes
    assert note.startswith("its materials are left out: cube.mtl: larger than")
    (tmp_path / "cube.mtl").unlink()
    assert "cube.mtl: cannot be read" in read_mesh(path).notes[0]


def test_links_inside_the_folder_are_followed(tmp_path: Path) -> None:
    path = written(tmp_path, cube_obj(picture="link.png"))
    os.symlink("six.png", tmp_path / "link.png")
    assert middles(read_mesh(path))[::2] == SIX


def test_many_materials_and_many_large_pictures_take_a_moment(tmp_path: Path) -> None:
    """Ten thousand materials, each with a picture of its own name; a hundred that unfold to 25 million pixels each."""
    faces = b"".join(b"usemtl m%d\nf 1 2 3\n" % number for number in range(10_000))
    text = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 1\nvt 0 0\n" + faces
    materials = b"".join(b"newmtl m%d\nmap_Kd p%d.png\n" % (number, number) for number in range(10_000))
    Image.new("1", (5_000, 5_000)).save(tmp_path / "p0.png")
    for number in range(1, 100):
        (tmp_path / f"p{number}.png").write_bytes((tmp_path / "p0.png").read_bytes())
    start = time.process_time()
    mesh = read_mesh(written(tmp_path, {"cube.obj": text, "a.mtl": materials}))
    assert time.process_time() - start < 10
    (note,) = mesh.notes
    assert "and 9994 more" in note
