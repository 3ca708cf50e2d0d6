"""Models as GLB files, glTF 2.0 in one binary piece, for viewers on the web and programs for 3D.

Each size of brick is stored once, with its studs; each brick is a node named "brick 1", "brick 2" ... in building order
that puts a size somewhere in a colour, so a viewer can show the model step by step. Bricks are measured in stud pitches
inside the file, and the root node scales them to the metres that glTF asks for.
"""

import json
import struct
from math import pi

import numpy as np
import numpy.typing as npt

from brickbybrick.bodies import STUD_HEIGHT, STUD_RADIUS
from brickbybrick.colours import Colour, colour_of, light_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.faces import PLATE, faces_of
from brickbybrick.geometry.part import Part

METRES = 0.008  # a stud pitch
STUD_SIDES = 16
TO_Y_UP = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # (3, 3) our x, y, z to glTF's: a turn, so nothing is mirrored

# Numbers that the standard gives to things.
MAGIC, VERSION, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
FLOAT, UNSIGNED_SHORT = 5126, 5123
VERTICES, TRIANGLES = 34962, 34963

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Node = dict[str, object]


def to_glb(construction: Construction) -> bytes:
    """A model as the content of a .glb file."""
    bricks = construction.drawn.bricks
    if not bricks:
        raise InputError("a model without bricks cannot be saved: build something first")
    shapes = sorted({(brick.shape, brick.d) for brick in bricks})
    colours = [colour_of(code) for code in sorted({brick.colour for brick in bricks})]
    kinds = sorted({(brick.shape, brick.d, brick.colour) for brick in bricks})
    views, accessors, content = _stored(shapes)
    places = [colour.code for colour in colours]
    root: Node = {"name": "model", "scale": [METRES] * 3, "children": list(range(1, len(bricks) + 1))}
    nodes = [_node(b, number, kinds.index((b.shape, b.d, b.colour))) for number, b in enumerate(bricks, start=1)]
    scene = {
        "asset": {"version": "2.0", "generator": "brickbybrick"},
        "scene": 0,
        "scenes": [{"name": construction.target or "model", "nodes": [0]}],
        "nodes": [root, *nodes],
        "meshes": [_mesh(part, shapes.index((part, d)), colour, places.index(colour)) for part, d, colour in kinds],
        "materials": [_material(colour) for colour in colours],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(content)}],
    }
    return _packed(json.dumps(scene, separators=(",", ":")).encode(), content)


def _node(brick: PlacedBrick, number: int, mesh: int) -> Node:
    corner = np.array([brick.x, brick.y, brick.z * PLATE]) @ TO_Y_UP
    return {"name": f"brick {number}", "mesh": mesh, "translation": corner.round(6).tolist()}


def _mesh(part: Part, shape: int, colour: int, material: int) -> Node:
    positions, normals, triangles = range(3 * shape, 3 * shape + 3)
    primitive = {
        "attributes": {"POSITION": positions, "NORMAL": normals},
        "indices": triangles,
        "material": material,
    }
    return {"name": f"{part} {colour_of(colour).name}", "primitives": [primitive]}


def _material(colour: Colour) -> Node:
    # Factors are linear while the table's colours are made for screens (sRGB).
    surface = {
        "baseColorFactor": [*(round(level, 6) for level in light_of(colour.rgb).tolist()), 1],
        "metallicFactor": 0,
        "roughnessFactor": 0.4,
    }
    return {"name": colour.name, "pbrMetallicRoughness": surface}


def _stored(shapes: list[tuple[Part, int]]) -> tuple[list[Node], list[Node], bytes]:
    """Parts in their directions as views of one buffer, three each: positions, normals and triangles."""
    views: list[Node] = []
    accessors: list[Node] = []
    content = b""
    for part, d in shapes:
        positions, normals, triangles = brick_shape(part, d)
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


def brick_shape(part: Part, d: int = 0) -> tuple[Floats, Floats, Whole]:
    """A part from the corner of its box on, Y up, as closed solids: the body and each stud.

    Returns:
        (vertex, 3) positions in stud pitches, (vertex, 3) normals, (triangle, 3) vertices seen anticlockwise from
        outside.
    """
    solids = [_body(part, d)]
    for x, y in part.studs(Pose(0, 0, 0, d)):
        positions, normals, triangles = _stud()
        solids.append((positions + np.array([x + 0.5, y + 0.5, part.height * PLATE]), normals, triangles))
    before = np.cumsum([0, *(len(positions) for positions, _, _ in solids)])
    return (
        np.concatenate([positions for positions, _, _ in solids]) @ TO_Y_UP,
        np.concatenate([normals for _, normals, _ in solids]) @ TO_Y_UP,
        np.concatenate([triangles + first for (_, _, triangles), first in zip(solids, before, strict=False)]),
    )


def _body(part: Part, d: int) -> tuple[Floats, Floats, Whole]:
    """A part with corners of its own for each face, because a corner has one normal; z is up."""
    corners, normals, triangles = [], [], []
    count = 0
    for face in faces_of(part, d):
        corners.append(face.corners * (1, 1, PLATE))
        normals.append(np.tile(face.normal, (len(face.corners), 1)))
        fan = np.arange(1, len(face.corners) - 1)
        triangles.append(np.stack([np.zeros_like(fan), fan, fan + 1], axis=1) + count)
        count += len(face.corners)
    return np.concatenate(corners), np.concatenate(normals), np.concatenate(triangles)


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
