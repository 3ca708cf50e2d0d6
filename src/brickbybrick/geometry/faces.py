"""The faces of parts: flat outlines in space, of boxes and of slopes alike, for everything that draws them."""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.part import Part

PLATE = 0.4  # how high a plate is, in stud pitches: 3.2 mm by 8 mm

Floats = npt.NDArray[np.float64]


class Face(NamedTuple):
    """A flat side of a part."""

    corners: Floats  # (corner, 3) from the corner of its box, in studs and plates, anticlockwise seen from outside
    normal: Floats  # (3,) outwards, of length 1, where studs and plates have their real proportions
    beyond: tuple[Cell, ...]  # the cells, from the corner of its box, that hide it if all are filled; none if it slopes


@cache
def faces_of(part: Part, d: int) -> tuple[Face, ...]:
    """All sides of a part in a direction, without its studs."""
    profile = part.profile
    ends = [(along, 0.0, up) for along, up in profile], [(along, float(part.length), up) for along, up in profile]
    sides = [list(ends[0]), list(reversed(ends[1]))]
    for here, there in zip(range(len(profile)), [*range(1, len(profile)), 0], strict=True):
        sides.append([ends[0][there], ends[0][here], ends[1][here], ends[1][there]])
    return tuple(_face(part, d, np.array(side)) for side in sides)


def _face(part: Part, d: int, corners: Floats) -> Face:
    """A side whose corners are told as (along the fall, across, up), the right way round in direction 0."""
    along, across, up = corners.T
    if d in (2, 3):
        along = part.width - along
    turned = np.stack([along, across, up] if d % 2 == 0 else [across, along, up], axis=1)
    if d in (1, 2):  # seen in a mirror, so that it runs the other way round
        turned = turned[::-1]
    first, second, third = turned[:3] * (1.0, 1.0, PLATE)
    normal = np.cross(second - first, third - second)
    normal /= np.linalg.norm(normal)
    return Face(turned, normal, _beyond(turned, normal))


def _beyond(corners: Floats, normal: Floats) -> tuple[Cell, ...]:
    axis = int(np.abs(normal).argmax())
    if abs(normal[axis]) < 1 - 1e-9:
        return ()
    outwards = normal[axis] > 0
    low, high = corners.min(axis=0), np.ceil(corners.max(axis=0))
    spans = [range(int(first), int(end)) for first, end in zip(low, high, strict=True)]
    layer = round(float(corners[0, axis])) if outwards else round(float(corners[0, axis])) - 1
    spans[axis] = range(layer, layer + 1)
    return tuple((x, y, z) for x in spans[0] for y in spans[1] for z in spans[2])
