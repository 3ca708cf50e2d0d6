"""Bricks and plates of several sizes on a grid, out of a box that may run empty: which placements are valid next?

A kind is a part in one direction, and a placement is a kind and the corner it is put at. For every placement two
numbers are kept: how many of its cells are taken, and how many studs it would share with bricks above and below. A
brick changes both only for the placements within reach, so that a brick more or less costs the same in any model.
A layer of the grid is as high as a brick, where there are bricks alone, or as a plate.

The numbers are kept for bricks and plates. Parts that are not plain, slopes and tiles, are put where others chose to
have them, and against a side of theirs that neither has studs nor takes any, cells are kept free: whatever lies on a
part or under it is then joined to it.
`packed.py` keeps masks of one size for learning; a model of a builder's own may change its mind, and here a brick can
also be taken off again.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.inventory import MOST, Inventory
from brickbybrick.geometry.part import LONGEST, Part
from brickbybrick.jit import compiled

OUTSIDE = 64  # of cells taken: more than a brick has, for placements that would leave the grid
KEPT = -2  # in place of a brick's number, where no brick may be


class MixedArrays(NamedTuple):
    """What the compiled rules work on."""

    extent: npt.NDArray[np.int64]  # (kind, 3) studs along x and y, and layers; plain kinds come first
    bare: npt.NDArray[np.bool_]  # (kind, 2, x, y) columns without a stud on top, and those that take none from below
    size: npt.NDArray[np.int64]  # (kind,) which of the inventory's parts it is
    left: npt.NDArray[np.int64]  # (part,) bricks left in the box
    owner: npt.NDArray[np.int64]  # (x, y, z) the brick that fills a cell, or -1, or KEPT
    taken: npt.NDArray[np.int8]  # (plain kind, x, y, z) cells of a placement that are taken or kept free
    studs: npt.NDArray[np.int8]  # (plain kind, x, y, z) studs that a placement shares with bricks above and below
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
    if kind >= arrays.taken.shape[0]:
        _keep_free(arrays, kind, x, y, z)
    return int(brick)


@compiled
def take_brick(arrays: MixedArrays, brick: int) -> None:
    """Takes a brick off and puts it back into the box; its number goes to the next brick. Cells that were kept free for
    it stay so."""
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
    along_x, along_y, up = extent[kind, 0], extent[kind, 1], extent[kind, 2]
    for cell_x in range(x, x + along_x):
        for cell_y in range(y, y + along_y):
            for cell_z in range(z, z + up):
                owner[cell_x, cell_y, cell_z] = brick
    wide, deep, high = owner.shape
    for other in range(taken.shape[0]):
        other_x, other_y, other_up = extent[other, 0], extent[other, 1], extent[other, 2]
        for corner_x in range(max(0, x - other_x + 1), min(wide, x + along_x)):
            shared_x = min(corner_x + other_x, x + along_x) - max(corner_x, x)
            for corner_y in range(max(0, y - other_y + 1), min(deep, y + along_y)):
                shared = sign * shared_x * (min(corner_y + other_y, y + along_y) - max(corner_y, y))
                for corner_z in range(max(0, z - other_up + 1), min(high, z + up)):
                    layers = min(corner_z + other_up, z + up) - max(corner_z, z)
                    taken[other, corner_x, corner_y, corner_z] += shared * layers
                if z >= other_up:
                    studs[other, corner_x, corner_y, z - other_up] += shared
                if z + up < high:
                    studs[other, corner_x, corner_y, z + up] += shared


@compiled
def _keep_free(arrays: MixedArrays, kind: int, x: int, y: int, z: int) -> None:
    """Keeps the cells free that lie against the bare columns of a part."""
    extent, owner, taken = arrays.extent, arrays.owner, arrays.taken
    for side in range(2):
        layer = z + extent[kind, 2] if side == 0 else z - 1
        if not 0 <= layer < owner.shape[2]:
            continue
        for cell_x in range(x, x + extent[kind, 0]):
            for cell_y in range(y, y + extent[kind, 1]):
                if not arrays.bare[kind, side, cell_x - x, cell_y - y] or owner[cell_x, cell_y, layer] != -1:
                    continue
                owner[cell_x, cell_y, layer] = KEPT
                for other in range(taken.shape[0]):
                    taken[
                        other,
                        max(0, cell_x - extent[other, 0] + 1) : cell_x + 1,
                        max(0, cell_y - extent[other, 1] + 1) : cell_y + 1,
                        max(0, layer - extent[other, 2] + 1) : layer + 1,
                    ] += 1


@compiled
def is_free(arrays: MixedArrays, kind: int, x: int, y: int, z: int) -> bool:
    """Whether a plain placement has room on the grid and a brick left for it; corners outside the grid have none."""
    wide, deep, high = arrays.owner.shape
    if x < 0 or y < 0 or z < 0 or x >= wide or y >= deep or z >= high:
        return False
    return bool(arrays.taken[kind, x, y, z] == 0 and arrays.left[arrays.size[kind]] > 0)


class MixedAssembly:
    """Parts of an inventory in a grid of cells, layer 0 on the ground, with room for so many at once.

    Args:
        shape: Cells along x, y and z.
        inventory: The parts there are.
        room: Parts at most.
        layer: Plates that a layer of the grid is high; every part must be so many layers high.
    """

    def __init__(self, shape: tuple[int, int, int], inventory: Inventory, room: int = 10_000, layer: int = 1) -> None:
        for part in inventory.parts:
            if part.height % layer:
                raise InputError(f"a {part} is no layers of {layer} plates high: leave it out")
        self.inventory, self.layer = inventory, layer
        kinds = [(part, d) for part in inventory.parts for d in part.directions]
        self.kinds = sorted(kinds, key=lambda kind: not kind[0].plain)
        plain = sum(part.plain for part, _ in kinds)
        limits = [MOST if count is None else count for _, count in inventory.counts]
        self.arrays = MixedArrays(
            extent=np.array([(*part.extent(d), part.height // layer) for part, d in self.kinds], dtype=np.int64),
            bare=np.array([_bare(part, d) for part, d in self.kinds]),
            size=np.array([inventory.parts.index(part) for part, _ in self.kinds], dtype=np.int64),
            left=np.array(limits, dtype=np.int64),
            owner=np.full(shape, -1, dtype=np.int64),
            taken=np.zeros((plain, *shape), dtype=np.int8),
            studs=np.zeros((plain, *shape), dtype=np.int8),
            placed=np.full((room, 4), -1, dtype=np.int64),
            tally=np.array([0, 0, -1], dtype=np.int64),
        )
        for kind, extent in enumerate(self.arrays.extent[:plain].tolist()):
            for axis, along in enumerate(extent):
                beyond = [slice(None)] * 3
                beyond[axis] = slice(max(0, shape[axis] - along + 1), None)
                self.arrays.taken[kind][tuple(beyond)] = OUTSIDE

    def __len__(self) -> int:
        return int(self.arrays.tally[1])

    @property
    def left(self) -> dict[Part, int | None]:
        """What is left in the box; None where there is no end of it."""
        left = zip(self.inventory.counts, self.arrays.left.tolist(), strict=True)
        return {part: None if limit is None else count for (part, limit), count in left}

    @property
    def bricks(self) -> dict[int, tuple[Part, Pose]]:
        """The parts that are there, by their numbers, in the grid of plates."""
        found = {}
        for brick, (kind, x, y, z) in enumerate(self.arrays.placed[: self.arrays.tally[0]].tolist()):
            if kind >= 0:
                part, d = self.kinds[kind]
                found[brick] = part, Pose(x, y, z * self.layer, d)
        return found

    def neighbours(self, brick: int) -> set[int]:
        """The bricks that share a stud with one."""
        kind, x, y, z = self.arrays.placed[brick].tolist()
        along_x, along_y, up = self.arrays.extent[kind]
        around = self.arrays.owner[x : x + along_x, y : y + along_y, max(0, z - 1) : z + up + 1]
        return set(around.ravel().tolist()) - {-1, KEPT, brick}


def _bare(part: Part, d: int) -> npt.NDArray[np.bool_]:
    """The columns of a part without a stud on top, and those that take none from below, as (2, x, y)."""
    bare = np.zeros((2, LONGEST, LONGEST), bool)
    corner = Pose(0, 0, 0, d)
    for side, joined in enumerate((part.studs, part.sockets)):
        for x, y in set(part.footprint(corner)) - set(joined(corner)):
            bare[side, x, y] = True
    return bare
