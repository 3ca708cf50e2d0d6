"""Bricks of several sizes on a grid, out of a box that may run empty: which placements are valid next?

A kind is a size in one direction, and a placement is a kind and the corner it is put at. For every placement two
numbers are kept: how many of its cells are taken, and how many studs it would share with bricks above and below. A
brick changes both only for the placements within reach, so that a brick more or less costs the same in any model.
`packed.py` keeps masks of one size for learning; a model of a builder's own may change its mind, and here a brick can
also be taken off again.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.geometry.inventory import MOST, Inventory
from brickbybrick.jit import compiled

OUTSIDE = 64  # of cells taken: more than a brick has, for placements that would leave the grid


class MixedArrays(NamedTuple):
    """What the compiled rules work on."""

    extent: npt.NDArray[np.int64]  # (kind, 2) studs along x and y
    size: npt.NDArray[np.int64]  # (kind,) which of the inventory's sizes it is
    left: npt.NDArray[np.int64]  # (size,) bricks left in the box
    owner: npt.NDArray[np.int64]  # (x, y, z) the brick that fills a cell, or -1
    taken: npt.NDArray[np.int8]  # (kind, x, y, z) cells of a placement that are taken
    studs: npt.NDArray[np.int8]  # (kind, x, y, z) studs that a placement shares with bricks above and below
    # (brick, 4) kind, x, y, z; a number that is vacant has kind -1, and the next vacant number or -1 as x
    placed: npt.NDArray[np.int64]
    tally: npt.NDArray[np.int64]  # (3,) rows of `placed` in use, bricks that are there, a vacant number or -1


@compiled
def put_brick(arrays: MixedArrays, kind: int, x: int, y: int, z: int) -> int:
    """Adds a brick where its cells are free, out of what is left; returns its number."""
    placed, tally = arrays.placed, arrays.tally
    brick = tally[2]
    if brick >= 0:
        tally[2] = placed[brick, 1]
    else:
        brick = tally[0]
        tally[0] += 1
    tally[1] += 1
    placed[brick, 0], placed[brick, 1], placed[brick, 2], placed[brick, 3] = kind, x, y, z
    arrays.left[arrays.size[kind]] -= 1
    _mark(arrays, brick, kind, x, y, z, 1)
    return int(brick)


@compiled
def take_brick(arrays: MixedArrays, brick: int) -> None:
    """Takes a brick off and puts it back into the box; its number goes to the next brick."""
    placed, tally = arrays.placed, arrays.tally
    kind, x, y, z = placed[brick, 0], placed[brick, 1], placed[brick, 2], placed[brick, 3]
    _mark(arrays, -1, kind, x, y, z, -1)
    arrays.left[arrays.size[kind]] += 1
    placed[brick, 0], placed[brick, 1] = -1, tally[2]
    tally[1] -= 1
    tally[2] = brick


@compiled
def _mark(arrays: MixedArrays, brick: int, kind: int, x: int, y: int, z: int, sign: int) -> None:
    """Writes a brick's cells, and what it adds to or takes from all placements within reach."""
    extent, owner, taken, studs = arrays.extent, arrays.owner, arrays.taken, arrays.studs
    along_x, along_y = extent[kind, 0], extent[kind, 1]
    for cell_x in range(x, x + along_x):
        for cell_y in range(y, y + along_y):
            owner[cell_x, cell_y, z] = brick
    wide, deep, high = owner.shape
    for other in range(extent.shape[0]):
        other_x, other_y = extent[other, 0], extent[other, 1]
        for corner_x in range(max(0, x - other_x + 1), min(wide, x + along_x)):
            shared_x = min(corner_x + other_x, x + along_x) - max(corner_x, x)
            for corner_y in range(max(0, y - other_y + 1), min(deep, y + along_y)):
                shared = sign * shared_x * (min(corner_y + other_y, y + along_y) - max(corner_y, y))
                taken[other, corner_x, corner_y, z] += shared
                if z > 0:
                    studs[other, corner_x, corner_y, z - 1] += shared
                if z + 1 < high:
                    studs[other, corner_x, corner_y, z + 1] += shared


@compiled
def is_free(arrays: MixedArrays, kind: int, x: int, y: int, z: int) -> bool:
    """Whether a placement has room on the grid and a brick left for it; corners outside the grid have none."""
    wide, deep, high = arrays.owner.shape
    if x < 0 or y < 0 or z < 0 or x >= wide or y >= deep or z >= high:
        return False
    return bool(arrays.taken[kind, x, y, z] == 0 and arrays.left[arrays.size[kind]] > 0)


class MixedAssembly:
    """Bricks of an inventory in a grid of cells, layer 0 on the ground, with room for so many at once."""

    def __init__(self, shape: tuple[int, int, int], inventory: Inventory, room: int = 10_000) -> None:
        self.inventory = inventory
        self.kinds = [(size, d) for size in inventory.sizes for d in size.directions]
        limits = [MOST if count is None else count for _, count in inventory.counts]
        self.arrays = MixedArrays(
            extent=np.array([size.extent(d) for size, d in self.kinds], dtype=np.int64),
            size=np.array([inventory.sizes.index(size) for size, _ in self.kinds], dtype=np.int64),
            left=np.array(limits, dtype=np.int64),
            owner=np.full(shape, -1, dtype=np.int64),
            taken=np.zeros((len(self.kinds), *shape), dtype=np.int8),
            studs=np.zeros((len(self.kinds), *shape), dtype=np.int8),
            placed=np.full((room, 4), -1, dtype=np.int64),
            tally=np.array([0, 0, -1], dtype=np.int64),
        )
        for kind, (along_x, along_y) in enumerate(self.arrays.extent.tolist()):
            self.arrays.taken[kind, max(0, shape[0] - along_x + 1) :] = OUTSIDE
            self.arrays.taken[kind, :, max(0, shape[1] - along_y + 1) :] = OUTSIDE

    def __len__(self) -> int:
        return int(self.arrays.tally[1])

    @property
    def left(self) -> dict[Size, int | None]:
        """What is left in the box; None where there is no end of it."""
        left = zip(self.inventory.counts, self.arrays.left.tolist(), strict=True)
        return {size: None if limit is None else count for (size, limit), count in left}

    @property
    def bricks(self) -> dict[int, tuple[Size, Pose]]:
        """The bricks that are there, by their numbers."""
        found = {}
        for brick, (kind, x, y, z) in enumerate(self.arrays.placed[: self.arrays.tally[0]].tolist()):
            if kind >= 0:
                size, d = self.kinds[kind]
                found[brick] = size, Pose(x, y, z, d)
        return found

    def neighbours(self, brick: int) -> set[int]:
        """The bricks that share a stud with one."""
        kind, x, y, z = self.arrays.placed[brick].tolist()
        along_x, along_y = self.arrays.extent[kind]
        around = self.arrays.owner[x : x + along_x, y : y + along_y, max(0, z - 1) : z + 2]
        return set(around.ravel().tolist()) - {-1, brick}
