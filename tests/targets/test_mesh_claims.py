"""What a mesh file claims is worth no more than what it holds."""

import json
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brickbybrick.errors import InputError
from brickbybrick.targets import meshes


def glb(header: dict[str, Any], binary: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<2I", len(text), 0x4E4F534A) + text + struct.pack("<2I", len(binary), 0x004E4942) + binary
    return struct.pack("<3I", 0x46546C67, 2, 12 + len(chunks)) + chunks


def loose_triangles(count: int) -> tuple[dict[str, Any], bytes]:
    """The header and the bytes of a GLB of triangles at random, without corners of their own."""
    points = np.random.default_rng(0).random((3 * count, 3)).astype("<f4").tobytes()
    header = {
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3 * count, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": len(points)}],
        "buffers": [{"byteLength": len(points)}],
    }
    return header, points


def test_a_small_glb_that_claims_gigabytes_takes_none(tmp_path: Path) -> None:
    header, _ = loose_triangles(1)
    header["accessors"][0]["count"] = 10**9
    del header["accessors"][0]["bufferView"]  # then all points are said to be 0
    script = """
import resource, sys
from pathlib import Path
from brickbybrick.errors import InputError
from brickbybrick.targets.meshes import read_mesh
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read_mesh(Path(sys.argv[1]))
except InputError as error:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, error)
"""
    (tmp_path / "a.glb").write_bytes(glb(header))
    ran = subprocess.run([sys.executable, "-c", script, tmp_path / "a.glb"], capture_output=True, text=True, check=True)
    kilobytes, _, message = ran.stdout.partition(" ")
    assert int(kilobytes) < 50_000
    assert "more than 5000000 triangles" in message


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"accessors": [{"bufferView": 0, "componentType": 5126, "count": 39, "type": "VEC3"}]}, "claims more"),
        ({"bufferViews": [{"buffer": 0, "byteLength": 10**12}]}, "claims more"),
        ({"bufferViews": [{"buffer": 0, "byteLength": 360, "byteOffset": 4}]}, "claims more"),
        ({"buffers": [{"byteLength": 360, "uri": "/etc/passwd"}]}, "another file"),
        ({"buffers": [{"byteLength": 360, "uri": "data:;base64,AAAA"}]}, "another file"),
        ({"bufferViews": [{"buffer": 1, "byteLength": 360}]}, "another file"),
        ({"accessors": [{"componentType": 5126, "count": 30, "type": "VEC3"}]}, "compress"),
        ({"nodes": [{"mesh": 0, "children": [0]}]}, "nested deeper"),
        ({"nodes": [{"children": [1] * 1000}, {"children": [2] * 1000}, {"mesh": 0}]}, "more than 100000"),
        ({"nodes": [{"children": [1] * 500}, {"children": [2] * 190}, {"mesh": 0}], "extra": 0}, ""),
        ({"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}] * 600_000}]}, "more than 5000000 triangles"),
        ({"nodes": [{"mesh": -1}]}, "index"),
        ({"scenes": 7}, "not a whole GLB"),
    ],
)
def test_a_glb_is_read_as_far_as_it_holds_what_it_claims(change: dict[str, Any], what: str) -> None:
    header, points = loose_triangles(10)
    assert len(meshes.decoded_mesh(glb(header, points), ".glb", "a").faces) == 10
    if what:
        with pytest.raises(InputError, match=what):
            meshes.decoded_mesh(glb(header | change, points), ".glb", "a")
    else:
        assert len(meshes.decoded_mesh(glb(header | change, points), ".glb", "a").faces) == 10 * 500 * 190


def test_a_glb_is_read_as_trimesh_reads_it() -> None:
    trimesh = pytest.importorskip("trimesh")
    random = np.random.default_rng(1)
    scene = trimesh.Scene()
    for part in range(5):
        place = trimesh.transformations.random_rotation_matrix(random.random(3))
        place[:3, 3] = random.normal(size=3)
        scene.add_geometry(trimesh.creation.box((1, 2, 3 + part)), transform=place)
    ours = meshes.decoded_mesh(scene.export(file_type="glb"), ".glb", "a")
    theirs = scene.to_mesh().apply_transform(trimesh.transformations.rotation_matrix(np.pi / 2, [1, 0, 0]))
    wanted = np.sort(theirs.triangles_center, axis=0)
    np.testing.assert_allclose(np.sort(ours.vertices[ours.faces].mean(axis=1), axis=0), wanted, atol=1e-5)


def test_an_obj_has_points_and_faces_and_nothing_else() -> None:
    """Groups, materials, normals and other files make no difference, and corners may be counted back."""
    text = b"mtllib /dev/zero\no a\nv 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nvt 0 0\ng b\nusemtl c\n"
    text += b"f 1/1/1 2//1 \\\n 3\nv 0 1 0\nf -4 -2 -1 # a fan\nf 1 2 3 4\n"
    mesh = meshes.decoded_mesh(text, ".obj", "a")
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 2, 3]]
    for line in (b"f 1 2\n", b"f 0 1 2\n", b"f 1 2 9\n", b"f 1 2 -9\n", b"v 1 2\n", b"v a b c\n", b"f " + b"9" * 5_000):
        with pytest.raises(InputError):
            meshes.decoded_mesh(text + line, ".obj", "a")


def test_very_many_groups_and_solids_are_read_in_a_moment() -> None:
    pytest.importorskip("trimesh")
    obj = b"".join(b"g g%d\nv %d 0 0\nv 0 1 0\nv 0 0 1\nf -1 -2 -3\n" % (n, n) for n in range(20_000))
    facet = b"facet normal 0 0 1\nouter loop\nvertex %d 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\n"
    stl = b"".join(b"solid s%d\n" % n + facet % n + b"endsolid s%d\n" % n for n in range(20_000))
    start = time.process_time()
    for data, ending in ((obj, ".obj"), (stl, ".stl")):
        mesh = meshes.decoded_mesh(data, ending, "a")
        assert len(mesh.faces) == 20_000
        assert mesh.vertices[:, 0].max() == 19_999
    assert time.process_time() - start < 5


@pytest.mark.parametrize("kind", [b"ascii", b"binary_little_endian", b"binary_big_endian"])
def test_a_ply_that_claims_more_than_it_holds(kind: bytes) -> None:
    pytest.importorskip("trimesh")
    lists = b"property list uint int vertex_indices\nend_header\n"
    for points, faces in ((4_000_000_000, 1), (1, 10**17)):
        text = b"ply\nformat %s 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
        data = text % (kind, points) + b"element face %d\n" % faces + lists + b"\xff" * 100
        with pytest.raises(InputError, match="not a whole PLY"):
            meshes.decoded_mesh(data, ".ply", "a")
