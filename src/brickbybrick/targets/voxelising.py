"""The cells of a grid that a mesh takes: the surface and all it encloses, as agents were trained on, or in the mesh's
real proportions what is inside of it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.ndimage import binary_fill_holes
from scipy.sparse import csgraph

from brickbybrick.errors import InputError
from brickbybrick.geometry.grains import ALL, FULL, GRAINS, Words, counted, packed
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.jit import compiled, inlined
from brickbybrick.targets.enclosing import ASIDE_X, ASIDE_Y, TOO_OFTEN, Shape, enclosed
from brickbybrick.targets.reading import CELL_HEIGHT
from brickbybrick.targets.sampling import sampled
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.thin import SPACING, thickened

MOST_CELLS = 256  # along one side of the grid
FLATTEST = 1e-9  # shortest over longest side; less is a plane with rounding errors
SHRINK = 1e-5  # see `voxelise`; larger than what six decimals in a file leave open
MOST_FLIPS = 20_000_000_000  # of cells above triangles: ten seconds
SLACK = 1e-9  # cells; rounding must not decide whether a surface on the border of a cell touches it


def voxelise(mesh: Mesh, resolution: int) -> Voxels:
    """The cells of a cubic grid that a mesh's surface touches or encloses, as (x, y, z).

    The longest side of the mesh spans the grid; it is centred in x and y and stands on z = 0. It is first shrunk by a
    hundred-thousandth towards the middle of its foot: a face that lies on a border between cells then belongs to the
    cell on that side, and one on the border of the grid does not leave it. One in the very middle sets both sides.
    """
    triangles = in_cells(mesh, resolution)
    filled = np.zeros((resolution, resolution, resolution), dtype=bool)
    _mark_touched(triangles, filled)
    return np.asarray(binary_fill_holes(filled), dtype=bool)


@dataclass(frozen=True, eq=False)
class Filled:
    """The cells of a mesh, and what became of it on the way."""

    voxels: Voxels  # (x, y, z)
    open_edges: int = 0
    thickened: int = 0  # cells that are there for parts thinner than a cell
    grains: Words | None = None  # (x, y, z) what of each cell is inside, if that was asked for


def touched(mesh: Mesh, resolution: int) -> Filled:
    """The cells of `voxelise`, and how open the surface is."""
    return Filled(voxelise(mesh, resolution), open_edges(mesh))


def voxelise_real(mesh: Mesh, resolution: int) -> Voxels:
    """The cells of `filled`, as (x, y, z)."""
    return filled(mesh, resolution).voxels


def filled(mesh: Mesh, resolution: int, finer: int = 1, grains: bool = False) -> Filled:
    """The cells, as high as bricks or so many times finer, whose centres are inside a mesh, as (x, y, z).

    If the grains are asked for too, they decide: the cells are those of which at least half is inside.

    So a model has the mesh's proportions when it is built, and thin parts do not swell; but they do not vanish either,
    see `targets.thin`. If the surface is open, or faces lie on each other, what is inside is put to the vote, see
    `targets.enclosing`. The grid is as for `voxelise`.
    """
    return filled_in(mesh, in_bricks(mesh, resolution, finer), (resolution, resolution, finer * resolution), grains)


def filled_in(mesh: Mesh, triangles: npt.NDArray[np.float64], shape: Shape, grains: bool = False) -> Filled:
    """The same for a mesh that lies anywhere in a grid of this shape, whose cells its triangles (face, corner, axis)
    are told in."""
    edges, closed = _edges(mesh)
    parts = _parts(mesh) if closed else None
    try:
        words = _grains(triangles, parts, shape) if grains else None
        solid = _solid(triangles, parts, shape) if words is None else 2 * counted(words) >= ALL
    except InputError as error:
        raise InputError(f"{mesh.name}: {error}") from error
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    voxels = thickened(solid, sampled(triangles, SPACING), normals / np.where(lengths > 0, lengths, 1))
    if words is not None:
        words[voxels & ~solid] = FULL
    return Filled(voxels, edges, int(voxels.sum() - solid.sum()), words)


def _solid(triangles: npt.NDArray[np.float64], parts: npt.NDArray[np.int64] | None, shape: Shape) -> Voxels:
    """The cells whose centres are inside a surface of closed parts (face,), or inside an open one, which has None."""
    return enclosed(triangles, shape) if parts is None else _inside(triangles, parts, shape)


def _grains(triangles: npt.NDArray[np.float64], parts: npt.NDArray[np.int64] | None, shape: Shape) -> Words:
    """The grains of all cells whose middles are inside; they are looked at only in the box around the surface."""
    low = np.floor(triangles.min(axis=(0, 1))).astype(np.int64).clip(0)
    high = np.minimum(np.ceil(triangles.max(axis=(0, 1))).astype(np.int64), shape)
    wide, deep, up = ((high - low) * GRAINS).tolist()
    words = np.zeros(shape, np.uint32)
    box = tuple(slice(first, end) for first, end in zip(low.tolist(), high.tolist(), strict=True))
    words[box] = packed(_solid((triangles - low) * GRAINS, parts, (wide, deep, up)))
    return words


def open_edges(mesh: Mesh) -> int:
    """How many edges do not lie between an even number of faces; points at one place count as one."""
    return _edges(mesh)[0]


def _edges(mesh: Mesh) -> tuple[int, bool]:
    """The number of open edges, and whether there are none and no two faces are the same."""
    faces = np.sort(_places(mesh)[mesh.faces], axis=1)
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2])]  # those of no area have no inside
    points = len(mesh.vertices) + 1
    edges = np.concatenate([faces[:, first] * points + faces[:, second] for first, second in ((0, 1), (1, 2), (0, 2))])
    _, names, counts = np.unique(edges, return_inverse=True, return_counts=True)
    # A face is known by its first edge and its last corner.
    different = np.unique(names.reshape(-1)[: len(faces)] * points + faces[:, 2])
    open_ones = int(np.count_nonzero(counts % 2))
    return open_ones, open_ones == 0 and len(different) == len(faces)


def _places(mesh: Mesh) -> npt.NDArray[np.int64]:
    """A number for each point's place (vertex,): the same for points at one place."""
    order = np.lexsort(mesh.vertices.T)
    there = mesh.vertices[order]
    new = np.append(False, (there[1:] != there[:-1]).any(axis=1))
    places = np.empty(len(order), np.int64)
    places[order] = new.cumsum()[: len(order)]
    return places


def _parts(mesh: Mesh) -> npt.NDArray[np.int64]:
    """The number (face,) of the connected part to which each face belongs."""
    faces = _places(mesh)[mesh.faces]
    joins = (np.ones(2 * len(faces), bool), (faces[:, [0, 1]].reshape(-1), faces[:, [1, 2]].reshape(-1)))
    graph = sparse.coo_matrix(joins, shape=(len(mesh.vertices),) * 2)
    _, labels = csgraph.connected_components(graph, directed=False)
    _, parts = np.unique(labels[faces[:, 0]], return_inverse=True)
    return np.asarray(parts.reshape(-1), dtype=np.int64)


def _inside(triangles: npt.NDArray[np.float64], parts: npt.NDArray[np.int64], shape: Shape) -> Voxels:
    """The cells inside any of the closed parts (face,) of a surface, but not in the hollows inside of them.

    A hollow is a part whose faces look inwards, where the others look outwards.
    """
    boxes = np.ptp(triangles, axis=1)[:, :2] + 3  # no fewer columns than are looked at for each triangle
    if boxes.prod(axis=1).sum() * shape[2] > MOST_FLIPS:
        raise InputError(TOO_OFTEN)
    order = np.argsort(parts, kind="stable")
    ends = np.bincount(parts).cumsum()
    inside = np.zeros(shape, np.int32)
    signed = np.einsum("fa,fa->f", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2]))
    outwards = np.where(np.bincount(parts, signed) < 0, -1, 1)
    _add_inside(triangles[order], np.append(0, ends), outwards, inside)
    return np.asarray(inside != 0)


def in_bricks(mesh: Mesh, resolution: int, finer: int = 1) -> npt.NDArray[np.float64]:
    """The triangles (face, corner, axis) of a mesh in cells as high as bricks, or so many times finer."""
    return in_cells(mesh, resolution, CELL_HEIGHT) * (1, 1, finer)


def in_cells(mesh: Mesh, resolution: int, height: float = 1.0) -> npt.NDArray[np.float64]:
    """The triangles (face, corner, axis) of a mesh in cells of the grid it spans, `height` times as high as wide."""
    if not 1 <= resolution <= MOST_CELLS:
        raise InputError(f"a grid of {resolution} cells a side: choose 1 to {MOST_CELLS}")
    if not len(mesh.faces):
        raise InputError(f"{mesh.name}: has no volume: there are no faces in it")
    triangles = mesh.vertices[mesh.faces] * (1, 1, 1 / height)  # (face, corner, axis)
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
def _flip_above(triangles: npt.NDArray[np.float64], filled: Voxels, top: int) -> None:
    """Flips the cells above each triangle (face, corner, axis), up to the top: in the end those inside are set.

    A ray goes up through the middle of each column, a little beside it, so that none meets an edge between triangles.
    """
    wide, deep, _ = filled.shape
    for triangle in triangles:
        ax, ay, az = triangle[0]
        bx, by, bz = triangle[1]
        cx, cy, cz = triangle[2]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if area == 0:
            continue  # upright: rays pass it by
        first_x, last_x = int(min(ax, bx, cx)) - 1, int(max(ax, bx, cx)) + 1
        first_y, last_y = int(min(ay, by, cy)) - 1, int(max(ay, by, cy)) + 1
        for x in range(max(0, first_x), min(wide, last_x + 1)):
            for y in range(max(0, first_y), min(deep, last_y + 1)):
                px, py = x + 0.5 + ASIDE_X, y + 0.5 + ASIDE_Y
                b = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / area
                c = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / area
                if b >= 0 and c >= 0 and b + c <= 1:
                    height = az + b * (bz - az) + c * (cz - az)
                    for z in range(max(0, int(height - 0.5)), top):
                        if z + 0.5 > height:
                            filled[x, y, z] = not filled[x, y, z]


@compiled
def _add_inside(
    triangles: npt.NDArray[np.float64],
    starts: npt.NDArray[np.int64],
    values: npt.NDArray[np.int64],
    total: npt.NDArray[np.int32],
) -> None:
    """Adds each part's value to the cells inside of it; its triangles begin at its start."""
    inside = np.zeros(total.shape, np.bool_)
    for part in range(len(values)):
        some = triangles[starts[part] : starts[part + 1]]
        low, high = np.empty(3, np.int64), np.empty(3, np.int64)
        for axis in range(3):
            low[axis] = max(0, int(some[:, :, axis].min()) - 1)
            high[axis] = min(total.shape[axis], int(some[:, :, axis].max()) + 2)
        _flip_above(some, inside, high[2])
        for x in range(low[0], high[0]):
            for y in range(low[1], high[1]):
                for z in range(low[2], high[2]):
                    if inside[x, y, z]:
                        total[x, y, z] += values[part]
                        inside[x, y, z] = False


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
