"""How true a model is to the mesh that it was built from, not to the cells that were made of the mesh on the way.

Both are compared on a grid four times finer than studs and plates, and by how far their outer surfaces are from each
other. What a thing shuts in belongs to it, and what cannot be seen does not count: no joints between parts, no walls
inside of a mesh, nor what either stands on. Studs on top do not count either, for they are on all models alike.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import ndimage

from brickbybrick.construction import HEIGHT, PITCH, Construction
from brickbybrick.errors import InputError
from brickbybrick.geometry.faces import faces_of
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.judging.skins import Flags, Floats, Skin, distance_between, skin_of
from brickbybrick.targets.surface import Mesh
from brickbybrick.targets.voxelising import filled_in

FINER = 4  # cells to a stud and to a plate
CELL = np.array([10 * PITCH, 10 * PITCH, 10 * HEIGHT]) / FINER  # millimetres
ON_THE_GROUND = 0.5  # cells above the lowest place
LEVEL = 0.9  # of a normal's length that points up or down on what lies on the ground
MOST_CELLS = 100_000_000  # of the finer grid; what is 64 studs long in each direction has half as many


@dataclass(frozen=True)
class Fidelity:
    """How true a model is to its mesh."""

    distance: float  # millimetres between the outer surfaces, the mean of both ways
    iou: float  # of the volumes


class Frame:
    """The finer grid in which a model and a mesh lie, with a stud and a plate of air around them."""

    def __init__(self, low: Floats, high: Floats) -> None:
        self.low = np.floor(low).astype(np.int64) - 1
        sides = np.ceil(high).astype(np.int64) + 1 - self.low
        self.shape: tuple[int, int, int] = tuple((FINER * sides).tolist())
        if np.prod(sides) * FINER**3 > MOST_CELLS:
            raise InputError(f"a model and a mesh {sides.max()} cells apart or long: compare smaller ones")

    def cells(self, places: Floats) -> Floats:
        """Places (..., axis) in studs and plates, in cells of this grid."""
        return np.asarray((places - self.low) * FINER)

    def around(self, solid: Voxels) -> Voxels:
        """The cells that can be reached from outside."""
        labels, _ = ndimage.label(~solid)
        return np.asarray(labels == labels[0, 0, -1])

    def holds(self, cells: Voxels, places: Floats) -> Flags:
        """Whether places (point, axis) in millimetres of this grid are in some of its cells."""
        x, y, z = np.floor(places / CELL).astype(np.int64).clip(0, np.array(self.shape) - 1).T
        return np.asarray(cells[x, y, z])


def fidelity(construction: Construction, mesh: Mesh, triangles: Floats) -> Fidelity:
    """How true a model is to a mesh whose triangles (face, corner, axis) are told in the model's studs and plates."""
    if not construction.bricks:
        raise InputError("a model without bricks: there is nothing to compare")
    boxes = np.array([cell for brick in construction.bricks for cell in _corners(brick.shape, *brick.pose)])
    low, high = np.minimum(boxes.min(0), triangles.min((0, 1))), np.maximum(boxes.max(0), triangles.max((0, 1)))
    frame = Frame(low, high)
    built = solid_of(construction, frame)
    meant = filled_in(mesh, frame.cells(triangles), frame.shape).voxels
    outside_built, outside_meant = frame.around(built), frame.around(meant)
    both, either = np.count_nonzero(~outside_built & ~outside_meant), np.count_nonzero(~outside_built | ~outside_meant)
    one = built_skin(construction, frame, built, outside_built)
    other = mesh_skin(frame.cells(triangles) * CELL, frame, outside_meant)
    return Fidelity(distance_between(one, other), float(both / either))


def _corners(part: Part, x: int, y: int, z: int, d: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    along_x, along_y = part.extent(d)
    return (x, y, z), (x + along_x, y + along_y, z + part.height)


def solid_of(construction: Construction, frame: Frame) -> Voxels:
    """The finer cells whose middles are in a part."""
    solid = np.zeros(frame.shape, bool)
    for brick in construction.bricks:
        shape = _solid_part(brick.shape, brick.d)
        first = FINER * (np.array([brick.x, brick.y, brick.z]) - frame.low)
        solid[tuple(slice(at, at + along) for at, along in zip(first, shape.shape, strict=True))] |= shape
    return solid


@cache
def _solid_part(part: Part, d: int) -> Voxels:
    """The finer cells (x, y, z) of its box that a part fills in a direction."""
    along = ((np.arange(FINER * part.width) + 0.5) / FINER)[:, None]
    up = ((np.arange(FINER * part.height) + 0.5) / FINER)[None]
    inside = np.ones((along.size, up.size), bool)  # (along the fall, up)
    for (from_along, from_up), (to_along, to_up) in zip(
        part.profile, (*part.profile[1:], part.profile[0]), strict=True
    ):
        inside &= (to_along - from_along) * (up - from_up) - (to_up - from_up) * (along - from_along) >= 0
    if d in (2, 3):
        inside = inside[::-1]
    solid = np.repeat(inside[:, None], FINER * part.length, axis=1)
    return solid if d % 2 == 0 else solid.swapaxes(0, 1)


def built_skin(construction: Construction, frame: Frame, solid: Voxels, outside: Voxels) -> Skin:
    """What can be seen of a model from outside."""
    triangles = frame.cells(_open_faces(construction, frame, solid)) * CELL
    skin = skin_of(triangles)
    normals = skin.normals
    # To the middle of the next cell: what slopes passes through cells that count as filled.
    beyond = skin.places + normals * (np.abs(normals) @ CELL / 2 + 1e-6)[:, None]
    just_beyond = skin.places + normals * 1e-6
    seen = frame.holds(outside, just_beyond) | frame.holds(outside, beyond)
    return skin.of(seen & ~_on_the_ground(skin, normals))


def _open_faces(construction: Construction, frame: Frame, solid: Voxels) -> Floats:
    """The faces of parts that others do not cover as a whole, as triangles (face, corner, axis) in studs and plates."""
    wide, deep, high = (side // FINER for side in frame.shape)
    full = np.asarray(solid.reshape(wide, FINER, deep, FINER, high, FINER).all(axis=(1, 3, 5)))
    alike: dict[tuple[Part, int], list[tuple[int, int, int]]] = defaultdict(list)
    for brick in construction.bricks:
        alike[brick.shape, brick.d].append((brick.x, brick.y, brick.z))
    found = []
    for (part, d), places in alike.items():
        at = np.array(places)  # (brick, axis)
        for face in faces_of(part, d):
            hidden = np.zeros(len(at), bool)
            if face.beyond:
                x, y, z = (at[:, None] + np.array(face.beyond)[None] - frame.low).transpose(2, 0, 1)
                hidden = full[x, y, z].all(axis=1)
            corners = at[~hidden, None] + face.corners[None]  # (brick, corner, axis)
            found += [corners[:, [0, last - 1, last]] for last in range(2, len(face.corners))]
    return np.concatenate(found)


def mesh_skin(triangles: Floats, frame: Frame, outside: Voxels) -> Skin:
    """What can be seen from outside of a mesh whose triangles (face, corner, axis) are told in millimetres of the grid,
    and of the sides of what it shuts in where it is open."""
    skin = skin_of(triangles)
    normals = skin.normals
    across = normals * (np.abs(normals) @ CELL)[:, None]
    seen = frame.holds(outside, skin.places + across) | frame.holds(outside, skin.places - across)
    caps = _caps(skin, frame, outside)
    if len(caps):
        more = skin_of(caps)
        skin = Skin(
            np.concatenate([triangles, caps]),
            np.concatenate([skin.places, more.places]),
            np.concatenate([skin.faces, len(triangles) + more.faces]),
            np.concatenate([skin.areas, more.areas]),
            skin.spacing,
        )
        seen, normals = np.append(seen, np.ones(len(more.places), bool)), skin.normals
    return skin.of(seen & ~_on_the_ground(skin, normals))


def _caps(skin: Skin, frame: Frame, outside: Voxels) -> Floats:
    """The sides of cells (face, corner, axis) in millimetres between inside and outside where no surface is near."""
    near = np.zeros(frame.shape, bool)
    x, y, z = np.floor(skin.places / CELL).astype(np.int64).clip(0, np.array(frame.shape) - 1).T
    near[x, y, z] = True
    near = ndimage.binary_dilation(near, np.ones((3, 3, 3), bool))
    found = []
    for axis in range(3):
        here, there = (np.moveaxis(outside, axis, 0)[part] for part in (np.s_[:-1], np.s_[1:]))
        lone = ~(np.moveaxis(near, axis, 0)[:-1] | np.moveaxis(near, axis, 0)[1:])
        at = np.argwhere(np.moveaxis((here != there) & lone, 0, axis)).astype(np.float64)
        corner = np.eye(3)[axis]
        one, other = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        for way in ((one, one + other), (one + other, other)):
            found.append(np.stack([at + corner, at + corner + way[0], at + corner + way[1]], axis=1) * CELL)
    return np.concatenate(found)


def _on_the_ground(skin: Skin, normals: Floats) -> Flags:
    """Which points (point,) lie on what the thing stands on."""
    low = skin.triangles[:, :, 2].min()
    return np.asarray((skin.places[:, 2] < low + ON_THE_GROUND * CELL[2]) & (np.abs(normals[:, 2]) > LEVEL))
