"""Voxels: boolean grids [x, y, z] with z up, their silhouettes, and how well a model fills them.

An image has its first row at the top, so heights run against the row number. Three views are always in
the order front (x across, z up), side (y across, z up), top (x across, y up).
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Cell, Pose, Size
from brickbybrick.geometry.faces import PLATE

Voxels = npt.NDArray[np.bool_]  # (x, y, z)
Values = TypeVar("Values", bound=npt.NDArray[np.generic])  # (x, y, z, ...)
Image = npt.NDArray[np.bool_]  # (row, column)


def front_view(voxels: Voxels) -> Image:
    """The silhouette seen along y: x across, z up."""
    return np.asarray(np.any(voxels, axis=1).T[::-1])


def silhouettes(voxels: Voxels) -> list[Image]:
    """The front, side and top silhouettes."""
    side = np.any(voxels, axis=0).T[::-1]
    top = np.any(voxels, axis=2).T[::-1]
    return [front_view(voxels), side, top]


def three_views(voxels: Voxels) -> npt.NDArray[np.bool_]:
    """The same of a cubic grid, as (view, row, column)."""
    return np.stack(silhouettes(voxels))


def extrude(image: Values, depth: int) -> Values:
    """The volume (x, y, z, ...) `depth` cells deep whose front view is `image`, (row, column, ...)."""
    across_up = image[::-1].swapaxes(0, 1)  # (x, z, ...)
    return np.repeat(across_up[:, None], depth, axis=1)  # type: ignore[return-value]


def visual_hull(views: Sequence[Image] | npt.NDArray[np.bool_]) -> Voxels:
    """The largest volume that shows nothing outside the three views (row, column)."""
    front, side, top = (view[::-1].T for view in views)  # (x, z), (y, z), (x, y)
    return np.asarray(front[:, None, :] & side[None, :, :] & top[:, :, None])


def hollowed(volume: Voxels, walls: int, finer: int = 1) -> Voxels:
    """A volume without what lies more than `walls` cells inside it, or so many times as many layers; whole if that is
    0."""
    if not walls:
        return volume
    around = np.zeros((3, 3, 1 + 2 * finer), bool)  # what must be filled for a cell to be inside
    around[1, 1], around[:, 1, finer], around[1, :, finer] = True, True, True
    return volume & ~ndimage.binary_erosion(volume, around, iterations=walls)


def bounds(voxels: Voxels) -> npt.NDArray[np.int64]:
    """The first and one past the last filled cell along each axis, as (axis, 2)."""
    if not voxels.any():
        raise InputError("the target is empty: nothing of it is filled")
    filled = [np.flatnonzero(voxels.any(axis=others)) for others in ((1, 2), (0, 2), (0, 1))]
    return np.array([(cells[0], cells[-1] + 1) for cells in filled], dtype=np.int64)


def centred(values: Values, shape: tuple[int, int, int], filled: Voxels) -> Values:
    """What fills cells of values (x, y, z, ...), moved to the middle of a grid of a shape."""
    spans = bounds(filled)
    extents = spans[:, 1] - spans[:, 0]
    if (extents > shape).any():
        raise InputError(f"the target is {extents.max()} cells long and does not fit into {max(shape)}")
    before = (np.array(shape) - extents) // 2
    around = [*zip(before, np.array(shape) - extents - before, strict=True), *[(0, 0)] * (values.ndim - 3)]
    return np.pad(values[tuple(slice(*span) for span in spans)], around)  # type: ignore[return-value]


def moved(values: Values, by: npt.NDArray[np.int64], shape: tuple[int, ...]) -> Values:
    """Values (x, y, z) moved by so many cells along each axis into a grid of a shape, without what leaves it."""
    result = np.zeros(shape, values.dtype)
    ends = np.minimum(values.shape, np.array(shape) - by)
    there = tuple(slice(max(0, -step), end) for step, end in zip(by.tolist(), ends.tolist(), strict=True))
    here = tuple(slice(part.start + step, part.stop + step) for part, step in zip(there, by.tolist(), strict=True))
    result[here] = values[there]
    return result  # type: ignore[return-value]


def fill(size: Size, poses: Iterable[Pose], shape: tuple[int, int, int]) -> Voxels:
    """The cells of a grid that bricks fill; cells outside the grid are left out."""
    voxels = np.zeros(shape, dtype=bool)
    for pose in poses:
        for cell in size.cells(pose):
            if all(0 <= at < side for at, side in zip(cell, shape, strict=True)):
                voxels[cell] = True
    return voxels


def iou(size: Size, poses: Iterable[Pose], target: Voxels) -> float:
    """Shared cells over all cells of a model and a target. Every cell of every brick counts, inside the grid or not."""
    return cells_iou((cell for pose in poses for cell in size.cells(pose)), target)


def cells_iou(cells: Iterable[Cell], target: Voxels) -> float:
    """The same of the cells of a model whose bricks may have any sizes; a cell that comes twice counts once."""
    filled, wanted = set(cells), {(x, y, z) for x, y, z in np.argwhere(target).tolist()}
    return len(filled & wanted) / len(filled | wanted)


def visible_area(filled: Voxels, layer: int = 1) -> npt.NDArray[np.float64]:
    """What can be seen of each filled cell of something that stands on the ground, layer 0: squares of a stud's side.

    Cells are so many plates high. A face is seen if empty cells lead from it to the outside, side by side: not in a
    cavity, nor under the model.
    """
    around = np.pad(filled, ((1, 1), (1, 1), (0, 1)))
    labels, _ = ndimage.label(~around)
    outside = labels == labels[0, 0, -1]
    area = np.zeros(around.shape)
    for axis, face in enumerate((layer * PLATE, layer * PLATE, 1.0)):
        here, beyond = np.moveaxis(area, axis, 0), np.moveaxis(outside, axis, 0)
        here[1:] += face * beyond[:-1]
        here[:-1] += face * beyond[1:]
    return np.where(filled, area[1:-1, 1:-1, :-1], 0.0)
