"""GLB files, of which the surface and its colours are read: what the header claims is checked before room is made for
it.

A few hundred bytes can claim arrays of gigabytes, or thousands of copies of one mesh. So every array must lie in the
part of the file that holds them, and the triangles of all copies are counted first. Colours are those of the materials
under white light. Skins and whatever lies in other files are passed over or refused.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.files import parsed_json
from brickbybrick.targets.surface import CLAMP, MIRROR, REPEAT, Look, Mesh, Pictures

MAGIC, JSON, BINARY = 0x46546C67, 0x4E4F534A, 0x004E4942
NUMBERS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}  # by glTF's codes
TRIANGLES, STRIP, FAN = 4, 5, 6  # of the ways in which corners are joined; the others draw points and lines
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}  # by how many numbers are in a row
WRAPS = {33071: CLAMP, 33648: MIRROR, 10497: REPEAT}  # by glTF's codes
DEEPEST = 100  # nodes inside each other
MOST_NODES = 100_000


@dataclass(frozen=True, eq=False)
class Piece:
    """Some of the surface, with one material."""

    points: npt.NDArray[np.float64]  # (vertex, 3)
    faces: npt.NDArray[np.int64]  # (face, 3)
    colour: npt.NDArray[np.float32] | None = None  # (3,) of all of it, in linear light; None if nothing is said
    colours: npt.NDArray[np.float32] | None = None  # (vertex, 3) by which it is multiplied
    places: npt.NDArray[np.float32] | None = None  # (vertex, 2) in its texture
    texture: int = -1


def read_glb(data: bytes, most_faces: int) -> Mesh:
    """The surface of the scene, in glTF's frame, y up; an InputError that goes after the file's name, or another
    exception, if it is not whole."""
    header, binary = _chunks(data)
    parts = list(_parts(header))
    primitives = {mesh: _primitives(header, mesh) for mesh in {mesh for mesh, _ in parts}}
    most = {mesh: sum(_most_faces(header, each) for each in some) for mesh, some in primitives.items()}
    if sum(most[mesh] for mesh, _ in parts) > most_faces:
        raise InputError(f"has more than {most_faces} triangles; give a simpler mesh")
    finish = Finish(header, binary)
    pieces = {mesh: [_piece(header, binary, each, finish) for each in some] for mesh, some in primitives.items()}
    mirrored = np.linalg.det(np.array([place[:3, :3] for _, place in parts]).reshape(-1, 3, 3)) < 0
    placed = [
        _moved(piece, place, flipped)
        for (mesh, place), flipped in zip(parts, mirrored.tolist(), strict=True)
        for piece in pieces[mesh]
    ]
    return _joined(placed, finish.pictures)


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


def _piece(header: dict[str, Any], binary: bytes, primitive: dict[str, Any], finish: "Finish") -> Piece:
    points = _array(header, binary, primitive["attributes"]["POSITION"], 3).astype(np.float64)
    if "indices" in primitive:
        corners = _array(header, binary, primitive["indices"], 1).reshape(-1).astype(np.int64)
    else:
        corners = np.arange(len(points))
    mode = primitive.get("mode", TRIANGLES)
    if mode == TRIANGLES:
        faces = corners.reshape(-1, 3)
    elif mode == FAN:
        faces = np.stack([np.broadcast_to(corners[:1], corners[2:].shape), corners[1:-1], corners[2:]], axis=1)
    else:
        faces = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
        faces[1::2] = faces[1::2, [1, 0, 2]]  # every second one is turned the other way round
    # A corner beyond a piece's own points must not become one of the next piece.
    if faces.size and faces.max() >= len(points):
        raise InputError("has a corner that is none of its points; export it again")
    return finish.applied(Piece(points, faces), primitive)


def _moved(piece: Piece, place: npt.NDArray[np.float64], mirrored: bool) -> Piece:
    points = piece.points @ place[:3, :3].T + place[:3, 3]
    return replace(piece, points=points, faces=piece.faces[:, ::-1] if mirrored else piece.faces)


class Finish:
    """The materials of a file, applied to pieces of its surface.

    A piece has the colour of its material, times that of its texture, times that of its points, as glTF says.
    """

    def __init__(self, header: dict[str, Any], binary: bytes) -> None:
        self.pictures = Pictures()
        self._header, self._binary = header, binary
        self._textures: dict[tuple[int, int, int], int] = {}  # of image and wraps

    def applied(self, piece: Piece, primitive: dict[str, Any]) -> Piece:
        """The piece with its colours; what is wrong with them leaves a note, and the piece as it is."""
        try:
            return self._painted(piece, primitive)
        except InputError as error:
            self.pictures.missing(str(error))
        except Exception:  # what a header holds instead of numbers and names raises many kinds
            self.pictures.missing("what it says about colours makes no sense; export it again")
        return piece

    def _painted(self, piece: Piece, primitive: dict[str, Any]) -> Piece:
        attributes = primitive["attributes"]
        if "COLOR_0" in attributes:
            colours = self._attribute(attributes["COLOR_0"], (3, 4), len(piece.points))[:, :3]
            piece = replace(piece, colours=colours, colour=np.ones(3, np.float32))
        if "material" not in primitive:
            return piece
        material = self._header["materials"][_index(primitive["material"])]
        older = material.get("extensions", {}).get("KHR_materials_pbrSpecularGlossiness", {})
        surface = material.get("pbrMetallicRoughness", {})
        factor = surface.get("baseColorFactor", older.get("diffuseFactor"))
        if factor is not None:
            colour = np.array(factor[:3], np.float32).reshape(3)
            piece = replace(piece, colour=np.nan_to_num(colour).clip(0, 1))
        textured = surface.get("baseColorTexture", older.get("diffuseTexture"))
        return piece if textured is None else self._textured(piece, attributes, textured)

    def _textured(self, piece: Piece, attributes: dict[str, Any], textured: dict[str, Any]) -> Piece:
        changed = textured.get("extensions", {}).get("KHR_texture_transform", {})
        named = f"TEXCOORD_{_index(changed.get('texCoord', textured.get('texCoord', 0)))}"
        if named not in attributes:
            raise InputError("a texture has no places on the surface; export it again")
        places = _transformed(self._attribute(attributes[named], (2,), len(piece.points)), changed)
        number = self._texture(_index(textured["index"]))
        if number < 0:
            return piece
        colour = np.ones(3, np.float32) if piece.colour is None else piece.colour
        return replace(piece, texture=number, places=places, colour=colour)

    def _texture(self, index: int) -> int:
        """The number of a texture of the file among those that are kept, or -1."""
        texture = self._header["textures"][index]
        sampler = self._header["samplers"][_index(texture["sampler"])] if "sampler" in texture else {}
        across, down = (WRAPS.get(sampler.get(name, 10497), REPEAT) for name in ("wrapS", "wrapT"))
        webp = texture.get("extensions", {}).get("EXT_texture_webp", {})
        source = _index(webp.get("source", texture.get("source")))
        key = (source, across, down)
        if key not in self._textures:
            data = self._image(source)
            self._textures[key] = -1 if data is None else self.pictures.add(data, f"image {source}", (across, down))
        return self._textures[key]

    def _image(self, source: int) -> bytes | None:
        """The bytes of an image inside the file, or None, with a note."""
        image = self._header["images"][source]
        if "bufferView" not in image:
            self.pictures.missing(f"image {source} lies in another file; export all into the GLB")
            return None
        view = self._header["bufferViews"][_index(image["bufferView"])]
        first, length = _index(view.get("byteOffset", 0)), _index(view["byteLength"])
        if _index(view["buffer"]) != 0 or "uri" in self._header["buffers"][0] or first + length > len(self._binary):
            self.pictures.missing(f"image {source} is not in the file; export it again")
            return None
        return self._binary[first : first + length]

    def _attribute(self, accessor: object, columns: tuple[int, ...], count: int) -> npt.NDArray[np.float32]:
        """What is said of each point, (vertex, column), with a type that has one of these numbers of columns."""
        kind = self._header["accessors"][_index(accessor)]["type"]
        fitting = [number for number in columns if TYPES[number] == kind]
        if not fitting:
            raise InputError("colours are left out, they are of another shape; export it again")
        values = _array(self._header, self._binary, accessor, fitting[0])
        if len(values) != count:
            raise InputError("colours are left out, they are not as many as the points; export it again")
        whole = values.dtype.kind in "iu"  # the file should have said that they stand for shares
        shares = values.astype(np.float32) / (256**values.dtype.itemsize - 1 if whole else 1)
        return np.nan_to_num(shares, posinf=0.0, neginf=0.0)


def _transformed(places: npt.NDArray[np.float32], changed: dict[str, Any]) -> npt.NDArray[np.float32]:
    """Places in a texture (vertex, 2), scaled, turned and moved as `KHR_texture_transform` says."""
    if not changed:
        return places
    angle = float(changed.get("rotation", 0))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    scaled = places * np.array(changed.get("scale", [1, 1]), np.float64).reshape(2)
    moved = scaled @ turn.T + np.array(changed.get("offset", [0, 0]), np.float64).reshape(2)
    return np.asarray(moved, dtype=np.float32)


def _array(header: dict[str, Any], binary: bytes, accessor: object, columns: int) -> npt.NDArray[np.generic]:
    """An array of the file, (row, columns), if it lies where the file says."""
    claim = header["accessors"][_index(accessor)]
    if "bufferView" not in claim or "sparse" in claim:
        raise InputError("holds compressed or sparse meshes; export it without compression")
    if claim["type"] != TYPES[columns]:
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


def _joined(pieces: list[Piece], pictures: Pictures) -> Mesh:
    """Pieces as one mesh, their points in a row."""
    points, faces, count = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)], 0
    for piece in pieces:
        points.append(piece.points)
        faces.append(piece.faces + count)
        count += len(piece.points)
    mesh = Mesh(np.concatenate(points), np.concatenate(faces), notes=pictures.notes())
    if all(piece.colour is None for piece in pieces):
        return mesh
    corners, places = np.ones((len(mesh.faces), 3, 3), np.float32), np.zeros((len(mesh.faces), 3, 2), np.float32)
    texture = np.full(len(mesh.faces), -1, np.int16)
    start = 0
    for piece in pieces:
        here = slice(start, start + len(piece.faces))
        start = here.stop
        if piece.colour is not None:
            corners[here] = piece.colour
        if piece.colours is not None:
            corners[here] *= piece.colours[piece.faces]
        if piece.places is not None:
            texture[here], places[here] = piece.texture, piece.places[piece.faces]
    return replace(mesh, look=Look(corners, tuple(pictures.textures), texture, places))
