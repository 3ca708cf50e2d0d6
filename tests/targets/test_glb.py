"""GLB files: read as others read them, and no further than they hold what they claim."""

import copy
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from targets.drawn_meshes import SIX, cube_glb, cube_parts, glb

from brickbybrick.errors import InputError
from brickbybrick.targets import meshes
from brickbybrick.targets.surface import Mesh, colours_at


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


def colours_of_sides(mesh: Mesh) -> list[tuple[int, ...]]:
    """The colours in the middles of the twelve triangles of a cube, of which every second one begins a side."""
    colours = colours_at(mesh, np.arange(len(mesh.faces)), np.full((len(mesh.faces), 3), 1 / 3))
    return [tuple(map(int, colour)) for colour in colours[::2]]


def changed(path: list[str | int], value: object) -> bytes:
    """The cube's GLB with something else in its header; None takes it away."""
    header, binary = copy.deepcopy(cube_parts())
    there: Any = header
    for step in path[:-1]:
        there = there[step]
    there[path[-1]] = value
    return glb(header, binary)


def test_a_texture_gives_each_side_its_colour() -> None:
    mesh = meshes.decoded_mesh(cube_glb()[0], ".glb", "cube")
    assert colours_of_sides(mesh) == SIX
    assert mesh.notes == ()


def test_factor_texture_and_colours_of_points_are_multiplied_in_linear_light() -> None:
    header, binary = cube_parts()
    points: Any = header["accessors"]
    views: Any = header["bufferViews"]
    # Half for red, all for green and none for blue, in sixteen bits.
    colours = np.tile(np.array([32768, 65535, 0, 65535], "<u2"), (24, 1)).tobytes()
    points.append({"bufferView": 4, "componentType": 5123, "normalized": True, "count": 24, "type": "VEC4"})
    views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(colours)})
    primitive: Any = header["meshes"][0]["primitives"][0]  # type: ignore[index]
    primitive["attributes"]["COLOR_0"] = 3
    material: Any = header["materials"][0]["pbrMetallicRoughness"]  # type: ignore[index]
    material["baseColorFactor"] = [1, 0.5, 1, 1]
    found = colours_of_sides(meshes.decoded_mesh(glb(header, binary + colours), ".glb", "cube"))

    def dimmed(level: int) -> int:  # half the light, by sRGB's definition
        light = level / 255 / 12.92 if level <= 10 else ((level / 255 + 0.055) / 1.055) ** 2.4
        light /= 2
        return round(255 * (12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055))

    for (red, green, blue), (wanted_red, wanted_green, _) in zip(found, SIX, strict=True):
        assert abs(red - dimmed(wanted_red)) <= 1
        assert abs(green - dimmed(wanted_green)) <= 1
        assert blue == 0


def test_a_factor_alone_is_a_colour_and_nothing_at_all_is_none() -> None:
    plain = changed(["materials", 0], {"pbrMetallicRoughness": {"baseColorFactor": [0, 1, 0, 1]}})
    assert set(colours_of_sides(meshes.decoded_mesh(plain, ".glb", "a"))) == {(0, 255, 0)}
    assert meshes.decoded_mesh(changed(["materials", 0], {}), ".glb", "a").look is None
    header, points = loose_triangles(3)
    assert meshes.decoded_mesh(glb(header, points), ".glb", "a").look is None


@pytest.mark.parametrize(("code", "wanted"), [(10497, SIX[0]), (33071, SIX[2]), (33648, SIX[2])])
def test_beyond_its_border_a_texture_repeats_stays_or_turns_back(code: int, wanted: tuple[int, int, int]) -> None:
    """The left side is moved by a whole texture to the right, or in the mirror by two less its own place."""
    header, binary = cube_parts()
    header["samplers"] = [{"wrapS": code, "wrapT": 33071}]
    header["textures"] = [{"source": 0, "sampler": 0}]
    moved = {"extensions": {"KHR_texture_transform": {"offset": [1, 0]}}}
    header["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, **moved}}}]
    assert colours_of_sides(meshes.decoded_mesh(glb(header, binary), ".glb", "a"))[0] == wanted


@pytest.mark.parametrize(
    ("path", "value", "note"),
    [
        (["images", 0], {"uri": "../../six.png"}, "image 0 lies in another file"),
        (["images", 0], {"uri": "data:image/png;base64,AAAA"}, "image 0 lies in another file"),
        (["images", 0, "bufferView"], 99, "makes no sense"),
        (["bufferViews", 3, "byteLength"], 10**12, "image 0 is not in the file"),
        (["bufferViews", 3, "byteOffset"], 10**12, "image 0 is not in the file"),
        (["bufferViews", 3, "buffer"], 1, "image 0 is not in the file"),
        (["bufferViews", 3, "byteLength"], 40, "image 0: not a whole picture"),
        (["textures", 0], {}, "index that is none"),
        (["textures"], 7, "makes no sense"),
        (["materials", 0, "pbrMetallicRoughness", "baseColorTexture", "index"], 3, "makes no sense"),
        (["materials", 0, "pbrMetallicRoughness", "baseColorTexture", "texCoord"], 5, "no places on the surface"),
        (["meshes", 0, "primitives", 0, "attributes", "TEXCOORD_0"], 0, "of another shape"),
        (["accessors", 1, "count"], 10**9, "claims more"),
        (["accessors", 1, "count"], 3, "not as many as the points"),
    ],
)
def test_a_texture_that_cannot_be_had_is_left_out_with_a_note(path: list[str | int], value: object, note: str) -> None:
    mesh = meshes.decoded_mesh(changed(path, value), ".glb", "a")
    assert len(mesh.faces) == 12
    (found,) = mesh.notes
    assert note in found
    assert "\n" not in found


def test_a_texture_that_claims_a_thousand_million_pixels_is_left_out() -> None:
    header, binary = cube_parts()
    claim = png_of(50_000, 20_000)
    views: Any = header["bufferViews"]
    views[3] = {"buffer": 0, "byteOffset": len(binary), "byteLength": len(claim)}
    (note,) = meshes.decoded_mesh(glb(header, binary + claim), ".glb", "a").notes
    assert "more than 50 million pixels" in note


def png_of(width: int, height: int) -> bytes:
    """A PNG that says how large it is, and holds nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
