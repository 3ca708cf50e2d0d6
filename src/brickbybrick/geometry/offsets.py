"""Offsets: every way to join a new brick to a pivot, enumerated from the footprints.

An offset lives in the pivot's frame: it says how the new brick lies relative to a pivot of direction
0. For a pivot of direction 1 the whole arrangement is given a quarter turn, so an offset means the
same joint whichever way the pivot points.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4, Pose, Size

OFFSET_SETS = ("all", "mnist", "random", "modelnet")


@dataclass(frozen=True)
class Offset:
    """Where the new brick's corner lies, seen from the corner of a pivot of direction 0."""

    dx: int
    dy: int
    dz: int  # +1 above the pivot, -1 below
    d: int  # the new brick's direction; 0 is parallel to the pivot
    studs: int  # shared with the pivot


@dataclass(frozen=True)
class OffsetSet:
    """The offsets an agent may choose from; an action's second number indexes them."""

    name: str
    brick: Size  # of the pivot and of the new brick
    offsets: tuple[Offset, ...]

    def __len__(self) -> int:
        return len(self.offsets)

    @cached_property
    def flat(self) -> bool:
        """Whether bricks stay in the plane of the first one, as for digits."""
        return all(offset.d == 0 and offset.dy == 0 for offset in self.offsets)

    @cached_property
    def shifts(self) -> npt.NDArray[np.int64]:
        """What to add to a pivot's corner, and the new direction, for a pivot of direction 0 and of 1."""
        straight, turned = [], []
        for offset in self.offsets:
            straight.append((offset.dx, offset.dy, offset.dz, offset.d))
            # A quarter turn takes cell (a, b) to (-b-1, a): the new minimum in x comes from the old maximum in y.
            dx = self.brick.length - offset.dy - self.brick.extent(offset.d)[1]
            turned.append((dx, offset.dx, offset.dz, self.brick.directions[-1] - offset.d))
        return np.array([straight, turned], np.int64).reshape(2, len(self), 4)  # (pivot's direction, offset, x y z d)

    def place(self, pivot: Pose, index: int) -> Pose:
        """The pose of a brick joined to `pivot` by the offset number `index`."""
        dx, dy, dz, d = self.shifts[pivot.d, index]
        return Pose(pivot.x + int(dx), pivot.y + int(dy), pivot.z + int(dz), int(d))


def offset_set(name: str, brick: Size = BRICK_2X4) -> OffsetSet:
    """One of the named sets of offsets.

    Args:
        name: `all`: every joint (92 for 2x4 bricks). `mnist`: parallel and shifted along the short side
            only (6). `random`: at least half of the studs shared, above (16). `modelnet`: the same, above
            and below (32).
        brick: Size of the bricks.
    """
    every, half = _enumerate(brick), brick.studs / 2
    sets = {
        "all": every,
        "mnist": [offset for offset in every if offset.d == 0 and offset.dy == 0],
        "random": [offset for offset in every if offset.studs >= half and offset.dz == 1],
        "modelnet": [offset for offset in every if offset.studs >= half],
    }
    if name not in OFFSET_SETS:
        raise InputError(f"no offset set named {name!r}: choose one of {', '.join(OFFSET_SETS)}")
    return OffsetSet(name, brick, tuple(sets[name]))


def _enumerate(brick: Size) -> list[Offset]:
    """All offsets: above before below, parallel before perpendicular, then by shift."""
    pivot_x, pivot_y = brick.extent(0)
    offsets = []
    for dz in (1, -1):
        for d in brick.directions:
            along_x, along_y = brick.extent(d)
            for dx in range(1 - along_x, pivot_x):
                for dy in range(1 - along_y, pivot_y):
                    shared_x = min(pivot_x, dx + along_x) - max(0, dx)
                    shared_y = min(pivot_y, dy + along_y) - max(0, dy)
                    offsets.append(Offset(dx, dy, dz, d, shared_x * shared_y))
    return offsets
