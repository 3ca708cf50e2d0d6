"""GLB files, of which only the surface is read: what the header claims is checked before room is made for it.

A few hundred bytes can claim arrays of gigabytes, or thousands of copies of one mesh. So every array must lie in the
part of the file that holds them, and the triangles of all copies are counted first. Textures, colours, skins and
whatever lies in other files are passed over or refused.
"""

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.files import parsed_json

Surface = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]  # points (vertex, 3) and triangles (face, 3)

MAGIC, JSON, BINARY = 0x46546C67, 0x4E4F534A, 0x004E4942
NUMBERS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}  # by glTF's codes
TRIANGLES, STRIP, FAN = 4, 5, 6  # of the ways in which corners are joined; the others draw points and lines
DEEPEST = 100  # nodes inside each other
MOST_NODES = 100_000


def read_glb(data: bytes, most_faces: int) -> Surface:
    """The surface of the scene, in glTF's frame, y up; an InputError that goes after the file's name, or another
    exception, if it is not whole."""
    header, binary = _chunks(data)
    parts = list(_parts(header))
    primitives = {mesh: _primitives(header, mesh) for mesh in {mesh for mesh, _ in parts}}
    most = {mesh: sum(_most_faces(header, each) for each in some) for mesh, some in primitives.items()}
    if sum(most[mesh] for mesh, _ in parts) > most_faces:
        raise InputError(f"has more than {most_faces} triangles; give a simpler mesh")
    surfaces = {mesh: _joined([_surface(header, binary, each) for each in some]) for mesh, some in primitives.items()}
    placed = []
    for mesh, place in parts:
        points, triangles = surfaces[mesh]
        placed.append((points @ place[:3, :3].T + place[:3, 3], triangles))
    return _joined(placed)


def _chunks(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the bytes that it describes."""
    magic, version, _, length, kind = struct.unpack_from("<5I", data)
    if (magic, version, kind) != (MAGIC, 2, JSON):
        raise InputError("is no GLB of version 2; export it again")
    header = parsed_json(data[20 : 20 + length])
    if not isinstance(header, dict):
        raise InputError("has no header; export it again")
    start = 20 + length
    while start + 8 <= len(data):
        length, kind = struct.unpack_from("<2I", data, start)
        if kind == BINARY:
            return header, data[start + 8 : start + 8 + length]
        start += 8 + length
    return header, b""


def _parts(header: dict[str, Any]) -> Iterator[tuple[int, npt.NDArray[np.float64]]]:
    """The meshes of the scene, from its roots on, each with its place there as a matrix (4, 4)."""
    nodes, scenes = header.get("nodes", []), header.get("scenes", [])
    if scenes:
        roots = scenes[_index(header.get("scene", 0))].get("nodes", [])
    else:  # a file without scenes is a library of meshes: all of them
        inside = {child for node in nodes for child in node.get("children", [])}
        roots = [node for node in range(len(nodes)) if node not in inside]
    todo = [(root, np.eye(4), 1) for root in roots]
    met = 0
    while todo:
        index, around, depth = todo.pop()
        node = nodes[_index(index)]
        children = node.get("children", [])
        met += 1
        if depth > DEEPEST or met + len(todo) + len(children) > MOST_NODES:
            raise InputError(f"has nodes nested deeper than {DEEPEST}, or more than {MOST_NODES}; export it flat")
        place = around @ _placed(node)
        if "mesh" in node:
            yield _index(node["mesh"]), place
        todo += [(child, place, depth + 1) for child in children]


def _placed(node: dict[str, Any]) -> npt.NDArray[np.float64]:
    """Where a node lies in the one around it, as a matrix (4, 4)."""
    if "matrix" in node:
        return np.array(node["matrix"], np.float64).reshape(4, 4).T
    x, y, z, w = np.array(node.get("rotation", [0, 0, 0, 1]), np.float64)
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    place = np.eye(4)
    place[:3, :3] = turn * np.array(node.get("scale", [1, 1, 1]), np.float64).reshape(3)
    place[:3, 3] = np.array(node.get("translation", [0, 0, 0]), np.float64).reshape(3)
    return place


def _primitives(header: dict[str, Any], mesh: int) -> list[dict[str, Any]]:
    """The pieces of a mesh that have a surface."""
    pieces = header["meshes"][mesh]["primitives"]
    return [piece for piece in pieces if piece.get("mode", TRIANGLES) in (TRIANGLES, STRIP, FAN)]


def _most_faces(header: dict[str, Any], primitive: dict[str, Any]) -> int:
    """How many triangles a piece has at most, or would have with all its points."""
    named = [primitive["attributes"]["POSITION"], primitive.get("indices")]
    points, *corners = (_index(header["accessors"][_index(each)]["count"]) for each in named if each is not None)
    most = max([points, *corners])
    return 1 + most // 3 if primitive.get("mode", TRIANGLES) == TRIANGLES else most


def _surface(header: dict[str, Any], binary: bytes, primitive: dict[str, Any]) -> Surface:
    points = _array(header, binary, primitive["attributes"]["POSITION"], 3).astype(np.float64)
    if "indices" in primitive:
        corners = _array(header, binary, primitive["indices"], 1).reshape(-1).astype(np.int64)
    else:
        corners = np.arange(len(points))
    mode = primitive.get("mode", TRIANGLES)
    if mode == TRIANGLES:
        return points, corners.reshape(-1, 3)
    first = corners[:-2] if mode == STRIP else np.broadcast_to(corners[:1], corners[2:].shape)
    return points, np.stack([first, corners[1:-1], corners[2:]], axis=1)


def _array(header: dict[str, Any], binary: bytes, accessor: object, columns: int) -> npt.NDArray[np.generic]:
    """An array of the file, (row, columns), if it lies where the file says."""
    claim = header["accessors"][_index(accessor)]
    if "bufferView" not in claim or "sparse" in claim:
        raise InputError("holds compressed or sparse meshes; export it without compression")
    if claim["type"] != {1: "SCALAR", 3: "VEC3"}[columns]:
        raise InputError("has points or corners of another shape; export it again")
    view = header["bufferViews"][_index(claim["bufferView"])]
    if _index(view["buffer"]) != 0 or "uri" in header["buffers"][0]:
        raise InputError("keeps its mesh in another file; export all into the GLB")
    number = np.dtype(NUMBERS[claim["componentType"]])
    count, start = _index(claim["count"]), _index(claim.get("byteOffset", 0))
    row = columns * number.itemsize
    stride = _index(view.get("byteStride", row))
    first, length = _index(view.get("byteOffset", 0)), _index(view["byteLength"])
    end = start + (count - 1) * stride + row if count else start
    if end > length or first + length > len(binary) or stride < row:
        raise InputError("claims more points or corners than it holds; export it again")
    if not count:
        return np.zeros((0, columns), number)
    inside = np.frombuffer(binary, np.uint8, end - start, first + start)
    rows = np.lib.stride_tricks.as_strided(inside, (count, row), (stride, 1), writeable=False)
    values = np.ascontiguousarray(rows).view(number)
    # Whole numbers may stand for shares of their range.
    return values / float(np.iinfo(number).max) if claim.get("normalized") and number.kind in "iu" else values


def _index(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InputError("has a count or an index that is none; export it again")
    return value


def _joined(surfaces: list[Surface]) -> Surface:
    """Surfaces as one, their points in a row."""
    points, faces, count = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)], 0
    for some, triangles in surfaces:
        # A corner beyond a piece's own points must not become one of the next piece.
        if triangles.size and triangles.max() >= len(some):
            raise InputError("has a corner that is none of its points; export it again")
        points.append(some)
        faces.append(triangles + count)
        count += len(some)
    return np.concatenate(points), np.concatenate(faces)
