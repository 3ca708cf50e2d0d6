"""Models as GLB files, glTF 2.0 in one binary piece, for viewers on the web and programs for 3D.

Each size of brick is stored once, with its studs; each brick is a node named "brick 1", "brick 2" ... in building order
that puts a size somewhere in a colour, so a viewer can show the model step by step. Bricks are measured in stud pitches
inside the file, and the root node scales them to the metres that glTF asks for.
"""

import json
import struct
from math import pi, sqrt

import numpy as np
import numpy.typing as npt

from brickbybrick.colours import Colour, colour_of, light_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Size
from brickbybrick.picture import BRICK_HEIGHT, STUD_HEIGHT, STUD_RADIUS

METRES = 0.008  # a stud pitch
STUD_SIDES = 16
TO_Y_UP = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # (3, 3) our x, y, z to glTF's: a turn, so nothing is mirrored
QUARTER_TURN = (0.0, sqrt(0.5), 0.0, sqrt(0.5))  # about the upright axis, as a quaternion

# Numbers that the standard gives to things.
MAGIC, VERSION, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
FLOAT, UNSIGNED_SHORT = 5126, 5123
VERTICES, TRIANGLES = 34962, 34963

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Node = dict[str, object]


def to_glb(construction: Construction) -> bytes:
    """A model as the content of a .glb file."""
    bricks = construction.bricks
    if not bricks:
        raise InputError("a model without bricks cannot be saved: build something first")
    sizes = sorted({brick.shape for brick in bricks})
    colours = [colour_of(code) for code in sorted({brick.colour for brick in bricks})]
    kinds = sorted({(brick.shape, brick.colour) for brick in bricks})
    views, accessors, content = _stored(sizes)
    places = [colour.code for colour in colours]
    root: Node = {"name": "model", "scale": [METRES] * 3, "children": list(range(1, len(bricks) + 1))}
    nodes = [_node(b, number, kinds.index((b.shape, b.colour))) for number, b in enumerate(bricks, start=1)]
    scene = {
        "asset": {"version": "2.0", "generator": "brickbybrick"},
        "scene": 0,
        "scenes": [{"name": construction.target or "model", "nodes": [0]}],
        "nodes": [root, *nodes],
        "meshes": [_mesh(size, sizes.index(size), colour, places.index(colour)) for size, colour in kinds],
        "materials": [_material(colour) for colour in colours],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(content)}],
    }
    return _packed(json.dumps(scene, separators=(",", ":")).encode(), content)


def _node(brick: PlacedBrick, number: int, mesh: int) -> Node:
    along_x, along_y = brick.shape.extent(brick.d)
    centre = np.array([brick.x + along_x / 2, brick.y + along_y / 2, brick.z * BRICK_HEIGHT]) @ TO_Y_UP
    node: Node = {"name": f"brick {number}", "mesh": mesh, "translation": centre.round(6).tolist()}
    if brick.d == 1:
        node["rotation"] = QUARTER_TURN
    return node


def _mesh(size: Size, shape: int, colour: int, material: int) -> Node:
    positions, normals, triangles = range(3 * shape, 3 * shape + 3)
    primitive = {
        "attributes": {"POSITION": positions, "NORMAL": normals},
        "indices": triangles,
        "material": material,
    }
    return {"name": f"{size} {colour_of(colour).name}", "primitives": [primitive]}


def _material(colour: Colour) -> Node:
    # Factors are linear while the table's colours are made for screens (sRGB).
    surface = {
        "baseColorFactor": [*(round(level, 6) for level in light_of(colour.rgb).tolist()), 1],
        "metallicFactor": 0,
        "roughnessFactor": 0.4,
    }
    return {"name": colour.name, "pbrMetallicRoughness": surface}


def _stored(sizes: list[Size]) -> tuple[list[Node], list[Node], bytes]:
    """The sizes' shapes as views of one buffer, three a size: positions, normals and triangles."""
    views: list[Node] = []
    accessors: list[Node] = []
    content = b""
    for size in sizes:
        positions, normals, triangles = brick_shape(size)
        for array, purpose in ((positions, VERTICES), (normals, VERTICES), (triangles, TRIANGLES)):
            stored = array.astype("<f4") if purpose == VERTICES else array.astype("<u2").reshape(-1)
            accessor: Node = {
                "bufferView": len(views),
                "componentType": FLOAT if purpose == VERTICES else UNSIGNED_SHORT,
                "count": len(stored),
                "type": "VEC3" if purpose == VERTICES else "SCALAR",
            }
            if array is positions:
                accessor |= {"min": stored.min(axis=0).tolist(), "max": stored.max(axis=0).tolist()}
            accessors.append(accessor)
            views.append({"buffer": 0, "byteOffset": len(content), "byteLength": stored.nbytes, "target": purpose})
            content += _padded(stored.tobytes(), b"\0")
    return views, accessors, content


def brick_shape(size: Size) -> tuple[Floats, Floats, Whole]:
    """A brick of direction 0 around the middle of its bottom, Y up, as closed solids: the body and each stud.

    Returns:
        (vertex, 3) positions in stud pitches, (vertex, 3) normals, (triangle, 3) vertices seen anticlockwise from
        outside.
    """
    solids = [_body(size)]
    for x, y in np.ndindex(size.width, size.length):
        foot = np.array([x + 0.5 - size.width / 2, y + 0.5 - size.length / 2, BRICK_HEIGHT])
        positions, normals, triangles = _stud()
        solids.append((positions + foot, normals, triangles))
    before = np.cumsum([0, *(len(positions) for positions, _, _ in solids)])
    return (
        np.concatenate([positions for positions, _, _ in solids]) @ TO_Y_UP,
        np.concatenate([normals for _, normals, _ in solids]) @ TO_Y_UP,
        np.concatenate([triangles + first for (_, _, triangles), first in zip(solids, before, strict=False)]),
    )


def _body(size: Size) -> tuple[Floats, Floats, Whole]:
    """A box with corners of its own for each face, because a corner has one normal; z is up."""
    half = np.array([size.width, size.length, BRICK_HEIGHT]) / 2
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])  # anticlockwise
    faces, normals = [], []
    for x, y, z in (np.roll(np.eye(3), turn, axis=0) for turn in range(3)):
        for side in (-1, 1):  # an axis turned round changes the sense of rotation, so two of them are
            faces.append(square @ np.stack([side * x, y]) + side * z)
            normals.append(np.tile(side * z, (4, 1)))
    corners = np.concatenate(faces) * half
    corners[:, 2] += half[2]
    triangles = np.array([[0, 1, 2], [0, 2, 3]]) + 4 * np.arange(6)[:, None, None]  # (face, 2, 3)
    return corners, np.concatenate(normals), triangles.reshape(-1, 3)


def _stud() -> tuple[Floats, Floats, Whole]:
    """A closed prism on the origin whose wall is shaded as round; z is up."""
    angles = np.arange(STUD_SIDES) * (2 * pi / STUD_SIDES)
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(STUD_SIDES)], axis=1)  # (side, 3)
    foot, top = STUD_RADIUS * ring, STUD_RADIUS * ring + (0, 0, STUD_HEIGHT)
    up = np.tile([0.0, 0.0, 1.0], (STUD_SIDES, 1))
    here, there = np.arange(STUD_SIDES), np.roll(np.arange(STUD_SIDES), -1)
    wall = np.concatenate(
        [
            np.stack([here, there, there + STUD_SIDES], axis=1),
            np.stack([here, there + STUD_SIDES, here + STUD_SIDES], axis=1),
        ]
    )
    fan = np.stack([np.zeros(STUD_SIDES - 2, np.int64), here[1:-1], here[2:]], axis=1)
    return (
        np.concatenate([foot, top, top, foot]),
        np.concatenate([ring, ring, up, -up]),
        np.concatenate([wall, fan + 2 * STUD_SIDES, fan[:, ::-1] + 3 * STUD_SIDES]),
    )


def _packed(scene: bytes, content: bytes) -> bytes:
    """The two chunks of a GLB file behind its header."""
    chunks = b""
    for kind, chunk in ((JSON_CHUNK, _padded(scene, b" ")), (BINARY_CHUNK, content)):
        chunks += struct.pack("<2I", len(chunk), kind) + chunk
    return struct.pack("<3I", MAGIC, VERSION, 12 + len(chunks)) + chunks


def _padded(content: bytes, filler: bytes) -> bytes:
    """Content filled up to a multiple of four bytes, where glTF lets the next piece begin."""
    return content + filler * (-len(content) % 4)
