"""Mesh files of all kinds, read as they are, and refused in one line."""

import sys
from pathlib import Path

import numpy as np
import pytest
from meshes import box

from brickbybrick.errors import InputError
from brickbybrick.targets import meshes
from brickbybrick.targets.meshes import read_mesh
from brickbybrick.targets.voxelising import voxelise

TETRAHEDRON = b"OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"


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
