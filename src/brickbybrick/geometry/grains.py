"""Grains: what of a cell is filled, finer than cells are. A cell, a stud wide and a plate high, has 4 x 4 x 2 of them,
about as high as they are wide, which are the bits of one word; so that shapes are compared by a few counts of bits."""

from functools import cache

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Cell, Pose
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.voxels import Voxels

GRAINS = (4, 4, 2)  # of a cell along x, y and z
ALL = 32  # of a cell
FULL = np.uint32(0xFFFFFFFF)

Words = npt.NDArray[np.uint32]  # (x, y, z) the grains of cells


def packed(filled: Voxels) -> Words:
    """The words of cells from their grains, as many of which are along each axis as `GRAINS` has."""
    wide, deep, high = (side // grains for side, grains in zip(filled.shape, GRAINS, strict=True))
    apart = filled.reshape(wide, GRAINS[0], deep, GRAINS[1], high, GRAINS[2]).transpose(0, 2, 4, 1, 3, 5)
    return np.packbits(apart.reshape(wide, deep, high, ALL), axis=3).view(np.uint32)[..., 0]


def unpacked(words: Words) -> Voxels:
    """The grains of cells from their words."""
    wide, deep, high = words.shape
    bits = np.unpackbits(np.ascontiguousarray(words)[..., None].view(np.uint8), axis=3)
    apart = bits.reshape(wide, deep, high, *GRAINS).transpose(0, 3, 1, 4, 2, 5)
    return apart.reshape(wide * GRAINS[0], deep * GRAINS[1], high * GRAINS[2]).astype(bool)


def counted(words: Words) -> npt.NDArray[np.uint8]:
    """How many grains of each cell are filled."""
    return np.bitwise_count(words)


@cache
def grains_of(part: Part, d: int) -> Words:
    """The words of the cells of a part's box: the grains whose middles are inside its profile."""
    along, up = part.width * GRAINS[0], part.height * GRAINS[2]
    middles = np.stack(
        np.meshgrid((np.arange(along) + 0.5) / GRAINS[0], (np.arange(up) + 0.5) / GRAINS[2], indexing="ij"), axis=2
    )  # (along the fall, up, 2) in studs and plates
    corners = np.array(part.profile)
    inside = np.ones((along, up), bool)
    for here, there in zip(corners, np.roll(corners, -1, axis=0), strict=True):  # it is convex, and anticlockwise
        side, away = there - here, middles - here
        inside &= side[0] * away[..., 1] - side[1] * away[..., 0] >= 0
    if d in (2, 3):
        inside = inside[::-1]
    across = np.repeat(inside[:, None], part.length * GRAINS[1], axis=1)  # (along the fall, across, up)
    return packed(across if d % 2 == 0 else across.swapaxes(0, 1))


def body(part: Part, pose: Pose) -> list[Cell]:
    """The cells of which a part fills at least half; of its box, unless it slopes, all of them."""
    return [(pose.x + x, pose.y + y, pose.z + z) for x, y, z in _body(part, pose.d)]


@cache
def _body(part: Part, d: int) -> tuple[Cell, ...]:
    at_least_half = 2 * counted(grains_of(part, d)) >= ALL
    return tuple((x, y, z) for x, y, z in np.argwhere(at_least_half).tolist())
