"""Meshes drawn by code, as the content of files: each function returns the bytes and the ending."""

import json
import struct
from collections.abc import Sequence
from io import BytesIO

import numpy as np
import numpy.typing as npt
from PIL import Image

Points = npt.NDArray[np.float64]
Faces = npt.NDArray[np.int64]
Parts = list[tuple[Points, list[list[int]]]]

# The sides of a cube as left, right, front, back, bottom and top: a corner, and the ways across and up as seen from
# outside.
SIDES = [
    ((0, 1, 0), (0, -1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((0, 0, 0), (1, 0, 0), (0, 0, 1)),
    ((1, 1, 0), (-1, 0, 0), (0, 0, 1)),
    ((0, 1, 0), (1, 0, 0), (0, -1, 0)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
]
SIX = [(200, 30, 30), (30, 160, 40), (30, 60, 200), (240, 200, 20), (250, 250, 250), (20, 20, 20)]  # for the sides
SEA, LAND, ICE = (30, 80, 190), (40, 150, 50), (255, 255, 255)


def off(points: Points, faces: Sequence[Sequence[int]]) -> bytes:
    lines = ["OFF", f"{len(points)} {len(faces)} 0"]
    lines += [" ".join(f"{number:.7g}" for number in point) for point in points]
    lines += [" ".join(map(str, [len(face), *face])) for face in faces]
    return ("\n".join(lines) + "\n").encode()


def together(parts: Parts) -> tuple[Points, list[list[int]]]:
    points, faces, count = [], [], 0
    for some, polygons in parts:
        points.append(np.asarray(some, float))
        faces += [[corner + count for corner in polygon] for polygon in polygons]
        count += len(some)
    return np.concatenate(points), faces


def box(low: Sequence[float], high: Sequence[float], without: str = "") -> tuple[Points, list[list[int]]]:
    """A box, without the sides that are named by their letters: l, r, f, k (back), b and t."""
    points, faces = [], []
    for letter, (corner, across, up) in zip("lrfkbt", SIDES, strict=True):
        if letter not in without:
            a, u, v = (np.array(each, float) for each in (corner, across, up))
            faces.append([len(points) + number for number in range(4)])
            points += [a, a + u, a + u + v, a + v]
    return np.array(low) + np.array(points) * (np.array(high, float) - np.array(low)), faces


def sheet(corners: Sequence[Sequence[float]]) -> tuple[Points, list[list[int]]]:
    return np.array(corners, float), [[0, 1, 2, 3]]


def torus(around: int = 48, across: int = 24) -> tuple[bytes, str]:
    """A ring of radius 2 and thickness 0.7, lying."""
    one, other = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    turn, roll = one * 2 * np.pi / around, other * 2 * np.pi / across
    far = 2 + 0.7 * np.cos(roll)
    points = np.stack([far * np.cos(turn), far * np.sin(turn), 0.7 * np.sin(roll)], axis=-1).reshape(-1, 3)
    next_one, next_other = (one + 1) % around, (other + 1) % across
    quads = [one * across + other, next_one * across + other, next_one * across + next_other, one * across + next_other]
    return off(points, np.stack(quads, axis=-1).reshape(-1, 4).tolist()), ".off"


def chair() -> tuple[bytes, str]:
    """Of closed boxes that reach into each other: a seat 20 wide, a back, and four legs 1 wide."""
    parts = [box((0, 0, 20), (20, 20, 22)), box((0, 18, 21), (20, 20, 45))]
    parts += [box((x, y, 0), (x + 1, y + 1, 21)) for x in (0, 19) for y in (0, 19)]
    points, faces = together(parts)
    lines = [f"v {x:g} {y:g} {z:g}" for x, y, z in points]
    lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in faces]
    return ("\n".join(lines) + "\n").encode(), ".obj"


def icosphere(times: int) -> tuple[Points, Faces]:
    """A ball of radius 1: an icosahedron whose faces are cut in four so many times."""
    golden = (1 + 5**0.5) / 2
    corners = [(one, other * golden, 0.0) for one in (-1, 1) for other in (-1, 1)]
    points = np.array([np.roll(corner, shift) for shift in range(3) for corner in corners])
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    near = np.linalg.norm(points[:, None] - points[None], axis=2) < 1.1
    faces = []
    for a in range(12):
        for b in range(a + 1, 12):
            for c in range(b + 1, 12):
                if near[a, b] and near[b, c] and near[a, c]:
                    outside = np.dot(points[a], np.cross(points[b], points[c])) > 0
                    faces.append([a, b, c] if outside else [a, c, b])
    triangles = points[np.array(faces)]
    for _ in range(times):
        middles = (triangles + np.roll(triangles, -1, axis=1)) / 2
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        ab, bc, ca = middles[:, 0], middles[:, 1], middles[:, 2]
        four = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        triangles = np.concatenate([np.stack(each, axis=1) for each in four])
        triangles /= np.linalg.norm(triangles, axis=2, keepdims=True)
    places, numbers = np.unique(triangles.reshape(-1, 3).round(9), axis=0, return_inverse=True)
    return places, numbers.reshape(-1, 3)


def ball(times: int = 4) -> tuple[bytes, str]:
    points, faces = icosphere(times)
    return off(points, faces.tolist()), ".off"


def car() -> tuple[bytes, str]:
    """An open car 40 long, 16 wide and 13 high, as they are found: a body and a cabin without bottoms, the bonnet
    twice and the other way round, seats and a wall inside, a floor that reaches only halfway, and mirrors of sheet."""
    body, cabin = box((0, 0, 0), (40, 16, 8), "b"), box((10, 1, 8), (30, 15, 13), "b")
    bonnet = sheet([(0, 0, 8), (0, 16, 8), (10, 16, 8), (10, 0, 8)])
    inside = [
        box((14, 3, 2), (18, 13, 7)),
        box((22, 3, 2), (26, 13, 7)),
        sheet([(10, 0, 0), (10, 16, 0), (10, 16, 8), (10, 0, 8)]),
    ]
    floor = sheet([(0, 0, 0.5), (20, 0, 0.5), (20, 16, 0.5), (0, 16, 0.5)])
    mirrors = [sheet([(11, y, 9), (11, y + 3, 9), (11, y + 3, 11), (11, y, 11)]) for y in (-2, 15)]
    points, faces = together([body, cabin, bonnet, *inside, floor, *mirrors])
    faces[1::3] = [face[::-1] for face in faces[1::3]]  # no side is the outer one
    return off(points, faces), ".off"


def six_colours(side: int = 16) -> bytes:
    """A PNG of three by two squares: left, right and front above back, bottom and top."""
    picture = Image.new("RGB", (3 * side, 2 * side))
    for number, colour in enumerate(SIX):
        picture.paste(
            colour, (number % 3 * side, number // 3 * side, (number % 3 + 1) * side, (number // 3 + 1) * side)
        )
    stored = BytesIO()
    picture.save(stored, "PNG")
    return stored.getvalue()


def textured_cube() -> tuple[Points, Points, Faces]:
    """The corners of a cube's sides (24, 3), their places in `six_colours` (24, 2) across and down, and the faces."""
    points, faces = box((0, 0, 0), (1, 1, 1))
    places = []
    for number in range(6):
        left, top = number % 3 / 3, number // 3 / 2
        inset = 0.02  # from the border between two colours
        for across, up in ((0, 0), (1, 0), (1, 1), (0, 1)):
            places.append((left + inset + across * (1 / 3 - 2 * inset), top + inset + (1 - up) * (1 / 2 - 2 * inset)))
    triangles = [each for a, b, c, d in faces for each in ((a, b, c), (a, c, d))]
    return points, np.array(places), np.array(triangles)


def glb(header: dict[str, object], binary: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<2I", len(text), 0x4E4F534A) + text + struct.pack("<2I", len(binary), 0x004E4942) + binary
    return struct.pack("<3I", 0x46546C67, 2, 12 + len(chunks)) + chunks


def cube_parts() -> tuple[dict[str, object], bytes]:
    """The header and the bytes of a GLB of a cube with a texture."""
    points, places, faces = textured_cube()
    up = points[:, [0, 2, 1]] * [1, 1, -1]  # glTF has y up
    arrays = [up.astype("<f4").tobytes(), places.astype("<f4").tobytes(), faces.astype("<u2").tobytes(), six_colours()]
    arrays = [data + bytes(-len(data) % 4) for data in arrays]
    starts = np.cumsum([0] + [len(data) for data in arrays]).tolist()
    header: dict[str, object] = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"bufferView": 3, "mimeType": "image/png"}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5126, "count": len(points), "type": "VEC2"},
            {"bufferView": 2, "componentType": 5123, "count": faces.size, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": len(data)}
            for start, data in zip(starts, arrays, strict=False)
        ],
        "buffers": [{"byteLength": starts[-1]}],
    }
    return header, b"".join(arrays)


def cube_glb() -> tuple[bytes, str]:
    return glb(*cube_parts()), ".glb"


def cube_obj(picture: str = "six.png", library: str = "cube.mtl") -> dict[str, bytes]:
    """The same cube as three files: an OBJ, its materials and a picture."""
    points, places, faces = textured_cube()
    lines = [f"mtllib {library}", *(f"v {x:g} {y:g} {z:g}" for x, y, z in points)]
    lines += [f"vt {across:g} {1 - down:g}" for across, down in places]
    lines += ["usemtl six colours", *("f " + " ".join(f"{n + 1}/{n + 1}" for n in face) for face in faces)]
    materials = f"newmtl six colours\nKd 0.8 0.8 0.8\nmap_Kd -s 1 1 1 {picture}\n"
    return {"cube.obj": "\n".join(lines).encode(), "cube.mtl": materials.encode(), "six.png": six_colours()}


def ground(points: Points) -> npt.NDArray[np.uint8]:
    """The colours of places (point, 3) on a globe of radius 1: two round continents, the one around the x axis large,
    the one around the -y axis small, and ice beyond 65 degrees."""
    colours = np.tile(np.array(SEA, np.uint8), (len(points), 1))
    colours[(points[:, 0] > np.cos(0.7)) | (-points[:, 1] > np.cos(0.4))] = LAND
    colours[np.abs(points[:, 2]) > np.sin(np.radians(65))] = ICE
    return colours


def globe(times: int = 5) -> tuple[bytes, str]:
    points, faces = icosphere(times)
    header = (
        f"ply\nformat ascii 1.0\nelement vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
    )
    header += "property uchar red\nproperty uchar green\nproperty uchar blue\n"
    header += f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    lines = [
        " ".join([*(f"{number:.6f}" for number in point), *map(str, colour)])
        for point, colour in zip(points, ground(points), strict=True)
    ]
    lines += [f"3 {a} {b} {c}" for a, b, c in faces]
    return (header + "\n".join(lines) + "\n").encode(), ".ply"
