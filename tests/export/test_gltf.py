"""GLB files keep to the standard, and other programs find the model in them: sizes, volumes, silhouettes, colours."""

import io
import json
import random
import struct
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import trimesh
from export.silhouettes import VIEWS, bounds, iou, silhouette
from PIL import Image, ImageDraw

from brickbybrick.colours import COLOURS, colour_of
from brickbybrick.construction import Construction, OtherPart, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.gltf import STUD_SIDES, to_glb
from brickbybrick.geometry.brick import BRICK_2X4, Cell, Pose
from brickbybrick.geometry.part import PARTS, Part

METRES = 0.008  # from stud to stud, as sold
SIDE = 600  # pixels of a silhouette, twenty a stud


def heap(seed: int, bricks: int = 15) -> Construction:
    """Parts of all kinds anywhere where there is room; not necessarily connected."""
    chance = random.Random(seed)
    placed: list[PlacedBrick] = []
    filled: set[Cell] = set()
    while len(placed) < bricks:
        part = chance.choice(list(PARTS))
        corner = chance.randrange(-4, 12), chance.randrange(9), chance.randrange(15)
        brick = PlacedBrick(str(part), *corner, chance.choice(part.directions), chance.choice(list(COLOURS)))
        if filled.isdisjoint(brick.cells()):
            placed.append(brick)
            filled.update(brick.cells())
    return Construction(tuple(placed))


def opened(content: bytes) -> trimesh.Scene:
    return trimesh.load_scene(io.BytesIO(content), file_type="glb")


def in_our_frame(scene: trimesh.Scene) -> trimesh.Trimesh:
    """All of it as one mesh, in stud pitches, with z up."""
    mesh = scene.to_mesh()
    mesh.apply_scale(1 / METRES)
    mesh.vertices = mesh.vertices @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # Y up to z up
    return mesh


def seen(mesh: trimesh.Trimesh, middle: npt.NDArray[np.float64], view: str) -> npt.NDArray[np.bool_]:
    """(row, column) where a mesh covers the picture."""
    across, up = {"front": (0, 2), "side": (1, 2), "top": (0, 1)}[view]
    finer = 4  # so that the pen's width does not count
    corners = (mesh.triangles - middle)[..., [across, up]] * (1, -1) * 20 * finer + SIDE * finer / 2  # (triangle, 3, 2)
    image = Image.new("L", (SIDE * finer, SIDE * finer))
    pen = ImageDraw.Draw(image)
    for triangle in corners:
        pen.polygon([tuple(corner) for corner in triangle.tolist()], fill=255)
    return np.asarray(image.reduce(finer)) > 127


@pytest.mark.parametrize("seed", range(4))
def test_silhouettes_are_the_models(seed: int) -> None:
    model = heap(seed)
    mesh = in_our_frame(opened(to_glb(model)))
    middle = bounds(model).sum(axis=0) / 2 * (1, 1, 0.4)
    for view in VIEWS:
        assert iou(seen(mesh, middle, view), silhouette(model, view)) >= 0.98
    swapped = mesh.copy()
    swapped.vertices[:, 1] = 2 * middle[1] - swapped.vertices[:, 1]  # front and back exchanged
    assert iou(seen(swapped, middle, "top"), silhouette(model, "top")) < 0.9


@pytest.mark.parametrize("seed", range(4))
def test_sizes_are_real(seed: int) -> None:
    """A stud pitch is 8 mm, a plate 3.2 mm high, and a stud adds 1.6 mm."""
    model = heap(seed)
    low, high = bounds(model) * (0.008, 0.008, 0.0032)
    top = max(0.0032 * b.top + 0.0016 * any(b.shape.studs(b.pose)) for b in model.bricks)
    expected = [[low[0], low[2], -high[1]], [high[0], top, -low[1]]]
    np.testing.assert_allclose(opened(to_glb(model)).bounds, expected, atol=1e-7)


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_parts_are_closed_solids(part: Part) -> None:
    """Body and studs are closed, look outwards, and have the volume of the profile's prism and of round ones."""
    along, up = np.array(part.profile).T
    body = abs(along @ np.roll(up, 1) - up @ np.roll(along, 1)) / 2 * 0.4 * part.length
    studs = len(list(part.studs(Pose(0, 0, 0))))
    for d in part.directions:
        mesh = in_our_frame(opened(to_glb(Construction((PlacedBrick(str(part), 3, -2, 1, d),)))))
        mesh.merge_vertices(merge_norm=True, merge_tex=True)
        solids = mesh.split(only_watertight=True)
        assert len(solids) == 1 + studs
        prism = 0.2 * 0.3**2 * STUD_SIDES / 2 * np.sin(2 * np.pi / STUD_SIDES)
        volumes = sorted(solid.volume for solid in solids)
        np.testing.assert_allclose(volumes, [*[prism] * studs, body], rtol=1e-4)


def test_normals_are_of_length_one_and_point_outwards() -> None:
    for mesh in opened(to_glb(heap(0))).geometry.values():
        np.testing.assert_allclose(np.linalg.norm(mesh.vertex_normals, axis=1), 1, atol=1e-5)
        towards = np.einsum("fvi,fi->fv", mesh.vertex_normals[mesh.faces], mesh.face_normals)
        assert (towards > 0.9).all()


def test_each_brick_is_a_node_in_building_order() -> None:
    model = heap(2)
    scene = opened(to_glb(model))
    assert set(scene.graph.nodes_geometry) == {f"brick {number}" for number in range(1, 1 + len(model.bricks))}
    for number, brick in enumerate(model.bricks, start=1):
        transform, shape = scene.graph[f"brick {number}"]
        low = scene.geometry[shape].copy().apply_transform(transform).bounds / METRES
        along_x, along_y = brick.shape.extent(brick.d)
        np.testing.assert_allclose(low[:, 0], [brick.x, brick.x + along_x], atol=1e-4)
        np.testing.assert_allclose(low[:, 2], [-brick.y - along_y, -brick.y], atol=1e-4)
        top = 0.4 * brick.top + 0.2 * any(brick.shape.studs(brick.pose))
        np.testing.assert_allclose(low[:, 1], [0.4 * brick.z, top], atol=1e-4)
        assert scene.geometry[shape].visual.material.name == colour_of(brick.colour).name


def chunks(content: bytes) -> tuple[dict[str, Any], bytes]:
    """The two parts of a GLB file, read as the standard lays them out."""
    magic, version, length = struct.unpack_from("<4sII", content)
    assert (magic, version, length) == (b"glTF", 2, len(content))
    size, kind = struct.unpack_from("<I4s", content, 12)
    assert kind == b"JSON"
    assert size % 4 == 0
    rest, kind = struct.unpack_from("<I4s", content, 20 + size)
    assert kind == b"BIN\0"
    assert rest % 4 == 0
    assert 28 + size + rest == len(content)
    return json.loads(content[20 : 20 + size]), content[28 + size :]


def test_the_file_keeps_to_the_standard() -> None:
    scene, buffer = chunks(to_glb(heap(3, bricks=30)))
    assert scene["asset"]["version"] == "2.0"
    assert scene["buffers"] == [{"byteLength": len(buffer)}]
    arrays = []
    for accessor in scene["accessors"]:
        view = scene["bufferViews"][accessor["bufferView"]]
        assert view["byteOffset"] % 4 == 0
        assert view["byteOffset"] + view["byteLength"] <= len(buffer)
        kind = {5126: np.float32, 5123: np.uint16}[accessor["componentType"]]
        width = {"VEC3": 3, "SCALAR": 1}[accessor["type"]]
        raw = buffer[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        arrays.append(np.frombuffer(raw, np.dtype(kind).newbyteorder("<")).reshape(-1, width))
        assert len(arrays[-1]) == accessor["count"]
    for mesh in scene["meshes"]:
        [part] = mesh["primitives"]
        position = scene["accessors"][part["attributes"]["POSITION"]]
        points, normals = (arrays[part["attributes"][name]] for name in ("POSITION", "NORMAL"))
        assert position["min"] == points.min(axis=0).tolist()
        assert position["max"] == points.max(axis=0).tolist()
        assert len(points) == len(normals)
        assert arrays[part["indices"]].max() < len(points)
        assert arrays[part["indices"]].size % 3 == 0
    root, *bricks = scene["nodes"]
    assert root["children"] == list(range(1, 1 + len(bricks)))
    assert all(0 <= level <= 1 for m in scene["materials"] for level in m["pbrMetallicRoughness"]["baseColorFactor"])


def test_colours_look_as_in_pictures() -> None:
    """Materials are linear: as light on a screen they are the table's colours again."""
    row = Construction(tuple(PlacedBrick("1x1", i, 0, 0, 0, code) for i, code in enumerate(COLOURS)))
    scene, _ = chunks(to_glb(row))
    for material, colour in zip(scene["materials"], COLOURS.values(), strict=True):
        linear = np.array(material["pbrMetallicRoughness"]["baseColorFactor"][:3])
        screen = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
        assert np.round(255 * screen).astype(int).tolist() == list(colour.rgb)


def test_files_are_small() -> None:
    sixty = Construction.of_poses(BRICK_2X4, [(0, 0, z, z % 2) for z in range(60)])
    assert len(to_glb(sixty)) < 40_000


def test_what_cannot_be_saved() -> None:
    with pytest.raises(InputError, match="without bricks"):
        to_glb(Construction(()))
    with pytest.raises(InputError, match="no colour 1000000000"):
        to_glb(Construction((PlacedBrick("2x4", 0, 0, 0, 0, 1_000_000_000),)))


def test_other_parts_are_boxes_behind_the_bricks() -> None:
    part = OtherPart("3941.dat", 47, (0, 0, 0), (1, 0, 0, 0, 1, 0, 0, 0, 1), (3, 1, 2), (2, 3, 5))
    scene = opened(to_glb(Construction((PlacedBrick("2x4", 0, 0, 0, 0),), others=(part,))))
    transform, shape = scene.graph["brick 2"]
    box = scene.geometry[shape].copy().apply_transform(transform)
    np.testing.assert_allclose(box.bounds / METRES, [[3, 0.8, -4], [5, 2.8, -1]], atol=1e-4)
    assert box.visual.material.name == "trans clear"
