"""What a mesh file claims is worth no more than what it holds."""

import time

import pytest

from brickbybrick.errors import InputError
from brickbybrick.targets import meshes


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
