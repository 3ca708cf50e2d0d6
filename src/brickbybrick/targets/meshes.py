"""Meshes and their voxels: triangles from a file, and the cells of a cubic grid that they touch or enclose.

ModelNet's own format, OFF, is read here, because its files have defects that other readers refuse and because
thousands of them must be read fast; so are OBJ here and GLB beside this, because small files of them can claim or take
without end; STL and PLY are left to trimesh.
"""

import re
import warnings
from array import array
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import numpy as np
import numpy.typing as npt
from scipy.ndimage import binary_fill_holes

from brickbybrick.errors import InputError, how_to_install
from brickbybrick.files import read_file
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.jit import compiled, inlined
from brickbybrick.targets.glb import Surface, read_glb

ENDINGS = (".off", ".stl", ".obj", ".ply", ".glb")
MOST_BYTES = 500_000_000  # of one file
MOST_FACES = 5_000_000  # half a gigabyte of corners while they are laid into the grid
MOST_CELLS = 256  # along one side of the grid
FLATTEST = 1e-9  # shortest over longest side; less is a plane with rounding errors
SHRINK = 1e-5  # see `voxelise`; larger than what six decimals in a file leave open
CELL_HEIGHT = 1.2  # of a brick, in stud pitches
ASIDE_X, ASIDE_Y = 1.234567e-7 * 3**0.5, 1.234567e-7 * 7**0.5  # cells; see `_flip_above`
SLACK = 1e-9  # cells; rounding must not decide whether a surface on the border of a cell touches it

SOLID = re.compile(rb"^[ \t]*(?:end)?solid\b[^\n]*", re.MULTILINE | re.IGNORECASE)
PLY_COUNT = re.compile(rb"^[ \t]*element[ \t]+\S+[ \t]+(\d{1,18})", re.MULTILINE)
PLY_EDGES = re.compile(rb"\belement[ \t]+edge\b")  # trimesh would make a path of them
OBJ_CONTINUED = re.compile(rb"\\[ \t\r]*\n")  # a line that goes on in the next
OBJ_LINE = re.compile(rb"^[ \t]*(v|f)[ \t]+([^\n#]*)", re.MULTILINE)
OFF_HEADER = re.compile(rb"\s*OFF\s*(\d{1,12})[ \t]+(\d{1,12})(?:[ \t]+-?\d{1,12})?[ \t]*(?:\n|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Mesh:
    """A surface of triangles, z up."""

    vertices: npt.NDArray[np.float64]  # (vertex, 3)
    faces: npt.NDArray[np.int64]  # (face, 3) numbers of vertices
    name: str = "the mesh"  # for messages


def read_mesh(path: Path) -> Mesh:
    """A mesh from an OFF, STL, OBJ, PLY or GLB file.

    GLB files have y up by their standard and are turned; the others are taken as they are, with z up.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"{path}: not a mesh; give an OFF, STL, OBJ, PLY or GLB file")
    return decoded_mesh(read_file(path, MOST_BYTES), ending, str(path))


def decoded_mesh(data: bytes, ending: str, name: str) -> Mesh:
    """The mesh that a file holds, of the kind that one of `ENDINGS` names; `name` is what messages call it."""
    if ending == ".off":
        return parse_off(data, name)
    kind = ending[1:].upper()
    try:
        # What is no number after all is found among the points, and warnings about it are not for users.
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if ending == ".glb":
                vertices, faces = read_glb(data, MOST_FACES)
                vertices = vertices[:, [0, 2, 1]] * [1, -1, 1]
            elif ending == ".obj":
                vertices, faces = read_obj(data)
            else:
                vertices, faces = _read_with_trimesh(data, ending[1:])
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    except Exception as error:  # damaged files make readers raise many kinds
        raise InputError(f"{name}: not a whole {kind} mesh; export it again") from error
    return _checked(vertices, faces, name)


def _read_with_trimesh(data: bytes, kind: str) -> Surface:
    try:
        import trimesh
    except ImportError as error:
        raise InputError(f"{kind.upper()} files need trimesh: {how_to_install('trimesh')}") from error
    plain = plain_stl(data) if kind == "stl" else plain_ply(data)
    # Without a path, so that a file cannot make it read others.
    mesh = trimesh.load_scene(BytesIO(plain), file_type=kind, process=False).to_mesh()
    return np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)


def plain_stl(data: bytes) -> bytes:
    """An STL file as one solid: each of thousands would become a mesh of its own, which takes minutes."""
    faces = int.from_bytes(data[80:84], "little")
    if len(data) == 84 + 50 * faces:
        return data  # binary, where there is but one
    if not SOLID.search(data):
        raise ValueError("neither text nor as long as announced")
    return b"solid\n" + SOLID.sub(b"", data) + b"\nendsolid\n"


def plain_ply(data: bytes) -> bytes:
    """A PLY file whose header claims no more rows than it has bytes, without what is neither points nor faces."""
    header, end, body = data.partition(b"end_header")
    if not end or sum(int(count) for count in PLY_COUNT.findall(header)) > len(body):
        raise ValueError("more is announced than there is")
    return PLY_EDGES.sub(b"element other", header) + end + body


def read_obj(data: bytes) -> Surface:
    """The surface that the text of an OBJ file describes; a ValueError if a line of it makes no sense.

    Groups, materials and other files make no difference. Polygons are cut into fans of triangles.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n")
    if b"\\" in text:
        text = OBJ_CONTINUED.sub(b" ", text)
    points, faces = array("d"), array("q")  # a tenth of what lists of numbers take
    for line in OBJ_LINE.finditer(text):
        words = line[2].split()
        if line[1] == b"v":
            x, y, z, *_ = map(float, words)
            points.extend((x, y, z))
        else:
            count = len(points) // 3
            corners = [int(word.partition(b"/")[0]) for word in words]
            if len(corners) < 3 or 0 in corners:
                raise ValueError("a face of fewer than three corners")
            # They count from 1; those below 0 back from the last point so far.
            corners = [corner - 1 if corner > 0 else count + corner for corner in corners]
            for pair in pairwise(corners[1:]):
                faces.extend((corners[0], *pair))
    vertices = np.frombuffer(points, np.float64).reshape(-1, 3)
    return vertices, np.frombuffer(faces, np.int64).reshape(-1, 3)


def parse_off(data: bytes, name: str) -> Mesh:
    """A mesh from the text of an OFF file, which messages call `name`.

    The counts may be glued to the header, as in `OFF700 664 0`. Polygons are cut into fans of triangles, colours after
    a face are passed over.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n")
    if b"#" in text:
        text = re.sub(rb"#[^\n]*", b"", text)
    header = OFF_HEADER.match(text)
    if header is None:
        raise InputError(f"{name}: not an OFF file; it must begin with OFF and the numbers of points and faces")
    points, polygons = int(header[1]), int(header[2])
    text = text[header.end() :]
    try:
        numbers = np.fromstring(text, sep=" ")
    except ValueError:
        numbers = np.empty(0)  # the reading by lines finds out where
    rows = numbers[3 * points :]
    if len(numbers) == 3 * points + 4 * polygons and (rows[::4] == 3).all():
        faces = rows.reshape(-1, 4)[:, 1:]
        return _checked(numbers[: 3 * points].reshape(-1, 3), faces, name)
    return _parse_lines(text, points, polygons, name)


def _parse_lines(text: bytes, points: int, polygons: int, name: str) -> Mesh:
    """The same for polygons, colours and mistakes: one point or face a line."""
    lines = sum(not line.isspace() for line in BytesIO(text))
    if lines != points + polygons:
        raise InputError(
            f"{name}: announces {points} points and {polygons} faces but has {lines} lines of them; "
            "it was cut short or damaged: fetch it again"
        )
    vertices, faces = array("d"), array("d")  # a tenth of what lists of numbers take
    try:
        for number, line in enumerate(line for line in BytesIO(text) if not line.isspace()):
            if number < points:
                x, y, z = map(float, line.split())
                vertices.extend((x, y, z))
            else:
                count, *words = line.split()
                corners = [float(corner) for corner in words[: int(count)]]
                if not 3 <= int(count) == len(corners):
                    raise ValueError
                for pair in pairwise(corners[1:]):
                    faces.extend((corners[0], *pair))
    except ValueError:
        _damaged(name, "a line that is neither a point of three numbers nor a face of three or more corners")
    return _checked(np.array(vertices).reshape(-1, 3), np.array(faces).reshape(-1, 3), name)


def _checked(vertices: npt.NDArray[np.float64], faces: npt.NDArray[np.generic], name: str) -> Mesh:
    if len(faces) > MOST_FACES:
        raise InputError(f"{name}: has more than {MOST_FACES} triangles; give a simpler mesh")
    if not np.isfinite(vertices).all():
        _damaged(name, "a point that is not a number or infinite")
    with np.errstate(invalid="ignore"):  # what does not fit becomes negative
        whole = faces.astype(np.int64)
    if whole.size and (whole.min() < 0 or whole.max() >= len(vertices) or (whole != faces).any()):
        _damaged(name, f"a face with a corner that is none of its {len(vertices)} points")
    return Mesh(vertices, whole, name)


def _damaged(name: str, what: str) -> NoReturn:
    raise InputError(f"{name}: has {what}; fetch or export it again")


def voxelise(mesh: Mesh, resolution: int) -> Voxels:
    """The cells of a cubic grid that a mesh's surface touches or encloses, as (x, y, z).

    The longest side of the mesh spans the grid; it is centred in x and y and stands on z = 0. It is first shrunk by a
    hundred-thousandth towards the middle of its foot: a face that lies on a border between cells then belongs to the
    cell on that side, and one on the border of the grid does not leave it. One in the very middle sets both sides.
    """
    triangles = _in_cells(mesh, resolution, (1.0, 1.0, 1.0))
    filled = np.zeros((resolution, resolution, resolution), dtype=bool)
    _mark_touched(triangles, filled)
    return np.asarray(binary_fill_holes(filled), dtype=bool)


def voxelise_real(mesh: Mesh, resolution: int) -> Voxels:
    """The cells, 1.2 times as high as wide, whose centres are inside a closed mesh, as (x, y, z).

    So a model has the mesh's proportions when it is built, and thin parts do not swell. The grid is as for `voxelise`.
    """
    edges = open_edges(mesh)
    if edges:
        raise InputError(
            f"{mesh.name}: its surface is open, {edges} edges have no second face; close it, or build it cubic"
        )
    triangles = _in_cells(mesh, resolution, (1.0, 1.0, 1 / CELL_HEIGHT))
    filled = np.zeros((resolution, resolution, resolution), dtype=bool)
    _flip_above(triangles, filled)
    return filled


def open_edges(mesh: Mesh) -> int:
    """How many edges do not lie between an even number of faces; points at one place count as one."""
    _, place = np.unique(mesh.vertices, axis=0, return_inverse=True)
    faces = np.sort(place.reshape(-1)[mesh.faces], axis=1)
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2])]  # those of no area have no inside
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [0, 2]]])
    _, counts = np.unique(edges, axis=0, return_counts=True)
    return int(np.count_nonzero(counts % 2))


def _in_cells(mesh: Mesh, resolution: int, stretch: tuple[float, float, float]) -> npt.NDArray[np.float64]:
    """The triangles (face, corner, axis) of a stretched mesh in cells of the grid that it spans."""
    if not 1 <= resolution <= MOST_CELLS:
        raise InputError(f"a grid of {resolution} cells a side: choose 1 to {MOST_CELLS}")
    if not len(mesh.faces):
        raise InputError(f"{mesh.name}: has no volume: there are no faces in it")
    triangles = mesh.vertices[mesh.faces] * stretch  # (face, corner, axis)
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    with np.errstate(over="ignore"):
        sides = high - low
    longest = sides.max()
    if not np.finfo(np.float64).tiny * MOST_CELLS < longest < np.inf:
        raise InputError(f"{mesh.name}: has no volume: it is {longest:.3g} long")
    if sides.min() <= FLATTEST * longest:
        raise InputError(f"{mesh.name}: has no volume: it is flat; give a closed surface")
    foot = np.array([0.5, 0.5, 0])
    in_cells: npt.NDArray[np.float64] = (triangles - (low + foot * sides)) / longest * (resolution * (1 - SHRINK))
    return np.asarray(in_cells + foot * resolution)


@compiled
def _flip_above(triangles: npt.NDArray[np.float64], filled: Voxels) -> None:
    """Flips the cells above each triangle (face, corner, axis), in cells: in the end those inside are set.

    A ray goes up through the middle of each column, a little beside it, so that none meets an edge between triangles.
    """
    cells = filled.shape[0]
    for triangle in triangles:
        ax, ay, az = triangle[0]
        bx, by, bz = triangle[1]
        cx, cy, cz = triangle[2]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if area == 0:
            continue  # upright: rays pass it by
        first_x, last_x = int(min(ax, bx, cx)) - 1, int(max(ax, bx, cx)) + 1
        first_y, last_y = int(min(ay, by, cy)) - 1, int(max(ay, by, cy)) + 1
        for x in range(max(0, first_x), min(cells, last_x + 1)):
            for y in range(max(0, first_y), min(cells, last_y + 1)):
                px, py = x + 0.5 + ASIDE_X, y + 0.5 + ASIDE_Y
                b = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / area
                c = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / area
                if b >= 0 and c >= 0 and b + c <= 1:
                    height = az + b * (bz - az) + c * (cz - az)
                    for z in range(cells):
                        if z + 0.5 > height:
                            filled[x, y, z] = not filled[x, y, z]


@compiled
def _mark_touched(triangles: npt.NDArray[np.float64], filled: Voxels) -> None:
    """Sets every cell that one of the triangles (face, corner, axis), in cells, touches."""
    cells = filled.shape[0]
    first = np.empty(3, np.int64)
    last = np.empty(3, np.int64)
    edges = np.empty((3, 3))  # (edge, axis)
    normal = np.empty(3)
    near = np.empty((3, 3))  # (corner, axis) seen from a cell's centre
    for triangle in triangles:
        for axis in range(3):
            low = min(triangle[0, axis], triangle[1, axis], triangle[2, axis])
            high = max(triangle[0, axis], triangle[1, axis], triangle[2, axis])
            first[axis] = max(0, int(np.floor(low - SLACK)))
            last[axis] = min(cells - 1, int(np.floor(high + SLACK)))
            for edge in range(3):
                edges[edge, axis] = triangle[(edge + 1) % 3, axis] - triangle[edge, axis]
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            normal[axis] = edges[0, u] * edges[1, v] - edges[0, v] * edges[1, u]
        for x in range(first[0], last[0] + 1):
            for y in range(first[1], last[1] + 1):
                for z in range(first[2], last[2] + 1):
                    if not filled[x, y, z]:
                        for corner in range(3):
                            near[corner, 0] = triangle[corner, 0] - (x + 0.5)
                            near[corner, 1] = triangle[corner, 1] - (y + 0.5)
                            near[corner, 2] = triangle[corner, 2] - (z + 0.5)
                        filled[x, y, z] = _touches(near, edges, normal)


@inlined
def _touches(near: npt.NDArray[np.float64], edges: npt.NDArray[np.float64], normal: npt.NDArray[np.float64]) -> bool:
    """Whether a triangle meets the unit cube around the origin: no axis along which they can be told apart.

    The candidates are the cube's axes, the triangle's normal, and the cross products of the two's edges. The caller's
    range of cells has dealt with the cube's axes.
    """
    half = 0.5 + SLACK
    reach = half * (abs(normal[0]) + abs(normal[1]) + abs(normal[2]))
    if abs(normal[0] * near[0, 0] + normal[1] * near[0, 1] + normal[2] * near[0, 2]) > reach:
        return False
    for edge in range(3):
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            along_u, along_v = edges[edge, u], edges[edge, v]
            # The edge's own corners fall on one value, the third on another.
            a = along_u * near[edge, v] - along_v * near[edge, u]
            b = along_u * near[(edge + 2) % 3, v] - along_v * near[(edge + 2) % 3, u]
            reach = half * (abs(along_u) + abs(along_v))
            if min(a, b) > reach or max(a, b) < -reach:
                return False
    return True
