"""The rule of validity as one would first write it, for comparison: no tables, no memory of the last step.

Compiled like the real thing, so that a ratio compares the rules and not the languages.
"""

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.relations import Relations
from brickbybrick.jit import compiled, random_number


@compiled
def cell_by_cell_mask(poses: npt.NDArray[np.int16], rel: Relations, mask: npt.NDArray[np.bool_]) -> None:
    """Marks all filled cells in a grid, then tests every cell of every possible new brick (brick, offset)."""
    bricks, margin = poses.shape[0], 2 * rel.reach
    low, high = np.empty(3, np.int64), np.empty(3, np.int64)
    for axis in range(3):
        low[axis], high[axis] = poses[:, axis].min() - margin, poses[:, axis].max() + margin
    grid = np.zeros((high[0] - low[0], high[1] - low[1], high[2] - low[2]), np.bool_)
    for brick in range(bricks):
        x, y, z, d = poses[brick, 0] - low[0], poses[brick, 1] - low[1], poses[brick, 2] - low[2], poses[brick, 3]
        grid[x : x + rel.extent[d, 0], y : y + rel.extent[d, 1], z] = True
    for brick in range(bricks):
        for offset in range(mask.shape[1]):
            shift = rel.shift[poses[brick, 3], offset]
            x, y = poses[brick, 0] + shift[0] - low[0], poses[brick, 1] + shift[1] - low[1]
            z, d = poses[brick, 2] + shift[2], shift[3]
            free = z >= 0
            for i in range(rel.extent[d, 0]):
                for j in range(rel.extent[d, 1]):
                    free = free and not grid[x + i, y + j, z - low[2]]
            mask[brick, offset] = free


@compiled
def pairwise_mask(poses: npt.NDArray[np.int16], rel: Relations, mask: npt.NDArray[np.bool_]) -> None:
    """Compares every possible new brick with every brick placed: the paper's O(offsets * bricks^2)."""
    bricks = poses.shape[0]
    for brick in range(bricks):
        for offset in range(mask.shape[1]):
            shift = rel.shift[poses[brick, 3], offset]
            x, y, z, d = poses[brick, 0] + shift[0], poses[brick, 1] + shift[1], poses[brick, 2] + shift[2], shift[3]
            free = z >= 0
            for other in range(bricks):
                dx, dy, other_d = poses[other, 0] - x, poses[other, 1] - y, poses[other, 3]
                if (
                    poses[other, 2] == z
                    and -rel.extent[other_d, 0] < dx < rel.extent[d, 0]
                    and -rel.extent[other_d, 1] < dy < rel.extent[d, 1]
                ):
                    free = False
            mask[brick, offset] = free


@compiled
def naive_episode(rel: Relations, bricks: int, pairwise: bool, generator: npt.NDArray[np.uint64]) -> int:
    """Places up to `bricks` bricks at random, computing the whole mask anew at each step. Returns the steps taken."""
    poses = np.zeros((bricks, 4), np.int16)
    mask = np.zeros((bricks, rel.bit.shape[0]), np.bool_)
    for new in range(1, bricks):
        if pairwise:
            pairwise_mask(poses[:new], rel, mask[:new])
        else:
            cell_by_cell_mask(poses[:new], rel, mask[:new])
        valid = np.flatnonzero(mask[:new])
        if valid.size == 0:
            return new - 1
        pivot, offset = divmod(valid[random_number(generator, 0, valid.size)], mask.shape[1])
        shift = rel.shift[poses[pivot, 3], offset]
        for axis in range(3):
            poses[new, axis] = poses[pivot, axis] + shift[axis]
        poses[new, 3] = shift[3]
    return bricks - 1
