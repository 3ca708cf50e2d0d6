"""Parts that a mason sets before it lays any: slopes, where they follow the surface of a mesh better than steps do, and
tiles, where tops are to be smooth.

What is inside a mesh is known in grains, finer than cells. A slope's error is the number of grains in its box in which
it and the mesh differ; that of steps is the same of the cells of the box, each of which is filled or not. What a slope
is better by it is worth, and the worthiest come first. None is set where nothing would be joined to it, or where
something that is wanted would lie on its face. Bricks and plates are laid around them by `masonry.py`.
"""

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from brickbybrick.builders.masonry import Yard, off_shade
from brickbybrick.geometry.grains import ALL, FULL, Words, counted, grains_of
from brickbybrick.geometry.mixed import KEPT, MixedAssembly, put_brick
from brickbybrick.jit import Floats, Ints, compiled, popcount

LEAST = 4.0  # grains that a slope must be better by for each stud of its breadth
# A slope four times as broad is as good as one if it is better by twice as much: fewer parts, or a truer surface.
BREADTH = 0.5

NOBODY = (0, 0, 0, 0, 0, 0)

Box = tuple[int, int, int, int, int, int]  # from x, y, z to x, y, z
Errors = npt.NDArray[np.uint8]  # (x, y, z) grains


def set_slopes(assembly: MixedAssembly, yard: Yard, grains: Words) -> int:
    """Sets slopes where they follow a mesh better than steps do, and returns how many.

    Args:
        assembly: Where they go, out of what is left.
        yard: The same with what is wanted, to which the slopes' boxes are added.
        grains: (x, y, z) what of each cell is inside the mesh.
    """
    steps = counted(grains ^ np.where(yard.wanted, FULL, np.uint32(0)))
    placements, worths = [np.zeros((0, 4), np.int64)], [np.zeros(0)]
    for kind, (part, d) in enumerate(assembly.kinds):
        if part.slopes:
            better = gains(grains, steps, grains_of(part, d))
            found = np.argwhere(better >= LEAST * part.length)
            placements.append(np.insert(found, 0, kind, axis=1))
            worths.append(better[tuple(found.T)] / part.length**BREADTH)
    rows = np.concatenate(placements)
    return _set(yard, rows, np.concatenate(worths) - ALL * _off_shades(yard, rows), borne=False)


def set_tiles(assembly: MixedAssembly, yard: Yard) -> int:
    """Covers tops that are wanted and on which nothing is to lie by tiles, large ones first; returns how many."""
    tops = yard.wanted & (yard.bricks.owner == -1)
    tops[:, :, :-1] &= ~yard.wanted[:, :, 1:]
    placements = [np.zeros((0, 4), np.int64)]
    for kind, (part, d) in enumerate(assembly.kinds):
        if part.kind == "tile":
            windows = sliding_window_view(tops, (*part.extent(d), 1))
            found = np.argwhere(windows.all(axis=(3, 4, 5)))
            placements.append(np.insert(found, 0, kind, axis=1))
    rows = np.concatenate(placements)
    areas = yard.bricks.extent[rows[:, 0], :2].prod(axis=1)
    return _set(yard, rows, areas - _off_shades(yard, rows), borne=True)


@compiled
def gains(grains: Words, steps: Errors, box: Words) -> npt.NDArray[np.int32]:
    """By how many grains a part with these in its box is truer than steps, for each corner (x, y, z) that it may be put
    at.

    Args:
        grains: What of each cell is inside.
        steps: In how many grains of each cell steps differ from that.
        box: What of each cell of its box is in the part.
    """
    wide, deep, high = box.shape
    better = np.zeros(grains.shape, np.int32)
    for x in range(grains.shape[0] - wide + 1):
        for y in range(grains.shape[1] - deep + 1):
            for z in range(grains.shape[2] - high + 1):
                total = 0
                for i in range(wide):
                    for j in range(deep):
                        for k in range(high):
                            total += steps[x + i, y + j, z + k]
                if total == 0:
                    continue
                for i in range(wide):
                    for j in range(deep):
                        for k in range(high):
                            total -= popcount(np.uint64(grains[x + i, y + j, z + k] ^ box[i, j, k]))
                better[x, y, z] = total
    return better


@compiled
def _off_shades(yard: Yard, rows: Ints) -> Floats:
    """What it costs, in cells, that each of some placements (placement, 4) has one shade."""
    costs = np.zeros(len(rows))
    for row in range(len(rows)):
        costs[row] = off_shade(yard, rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3])
    return costs


def _set(yard: Yard, rows: Ints, worth: Floats, borne: bool) -> int:
    """Puts placements (placement, 4) of some worth where they can be, and returns how many.

    The worthiest come first, and of those that are alike the outermost, so that what is the same on both sides is built
    the same, and few parts cover a long row.
    """
    kinds, corners = rows[:, 0], rows[:, 1:]
    middle = np.argwhere(yard.wanted.any(axis=2)).mean(axis=0) + 0.5 if yard.wanted.any() else np.zeros(2)
    away = np.abs(corners[:, :2] + yard.bricks.extent[kinds, :2] / 2 - middle).sum(axis=1)
    worth = worth.round()
    order = np.lexsort((*rows.T, -away, -worth))
    return put_all(yard, rows[order][worth[order] > 0], borne)


@compiled
def put_all(yard: Yard, rows: Ints, borne: bool) -> int:
    """Puts those of some placements (placement, 4), in their order, that have room and will be held, and returns how
    many; those alone that lie on something everywhere, if they are to be borne."""
    arrays, wanted, extent = yard.bricks, yard.wanted, yard.bricks.extent
    count = 0
    for row in range(len(rows)):
        kind, x, y, z = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3]
        if arrays.left[arrays.size[kind]] <= 0 or arrays.tally[1] >= yard.limits[0]:
            continue
        if not _has_room(yard, kind, x, y, z) or not _is_held(yard, kind, x, y, z):
            continue
        if not borne or _is_borne(yard, kind, x, y, z):
            brick = put_brick(arrays, kind, x, y, z)
            yard.piece[brick] = brick
            wanted[x : x + extent[kind, 0], y : y + extent[kind, 1], z : z + extent[kind, 2]] = True
            count += 1
    return count


@compiled
def _has_room(yard: Yard, kind: int, x: int, y: int, z: int) -> bool:
    """Whether a part's cells are free, and nothing is to lie against its bare columns."""
    owner, extent = yard.bricks.owner, yard.bricks.extent
    for cell_x in range(x, x + extent[kind, 0]):
        for cell_y in range(y, y + extent[kind, 1]):
            for cell_z in range(z, z + extent[kind, 2]):
                if owner[cell_x, cell_y, cell_z] != -1:
                    return False
            for side in range(2):
                layer = z + extent[kind, 2] if side == 0 else z - 1
                if yard.bricks.bare[kind, side, cell_x - x, cell_y - y] and (
                    layer < 0 or (layer < owner.shape[2] and yard.wanted[cell_x, cell_y, layer])
                ):
                    return False
    return True


@compiled
def _is_held(yard: Yard, kind: int, x: int, y: int, z: int) -> bool:
    """Whether a part would be joined to what is yet to be laid, or to a part that is set and still would be.

    So none can be put where two hold each other alone.
    """
    arrays = yard.bricks
    placed, extent = arrays.placed, arrays.extent
    if _joints(yard, kind, x, y, z, NOBODY) > 0:
        return True
    box = (x, y, z, x + extent[kind, 0], y + extent[kind, 1], z + extent[kind, 2])
    for cell_x in range(x, box[3]):
        for cell_y in range(y, box[4]):
            for side in range(2):
                layer = box[5] if side == 0 else z - 1
                if 0 <= layer < arrays.owner.shape[2] and not arrays.bare[kind, side, cell_x - x, cell_y - y]:
                    other = arrays.owner[cell_x, cell_y, layer]
                    if other >= 0 and _joints(
                        yard, placed[other, 0], placed[other, 1], placed[other, 2], placed[other, 3], box
                    ):
                        return True
    return False


@compiled
def _joints(yard: Yard, kind: int, x: int, y: int, z: int, but: Box) -> int:
    """In how many columns something that is yet to be laid, but not in a box, would be joined to a part."""
    owner, extent, bare = yard.bricks.owner, yard.bricks.extent, yard.bricks.bare
    count = 0
    for cell_x in range(x, x + extent[kind, 0]):
        for cell_y in range(y, y + extent[kind, 1]):
            for side in range(2):
                layer = z + extent[kind, 2] if side == 0 else z - 1
                if not 0 <= layer < owner.shape[2] or bare[kind, side, cell_x - x, cell_y - y]:
                    continue
                inside = but[0] <= cell_x < but[3] and but[1] <= cell_y < but[4] and but[2] <= layer < but[5]
                count += yard.wanted[cell_x, cell_y, layer] and owner[cell_x, cell_y, layer] == -1 and not inside
    return count


@compiled
def _is_borne(yard: Yard, kind: int, x: int, y: int, z: int) -> bool:
    """Whether there is, or is to be, something under all columns of a part that it is joined to."""
    if z == 0:
        return False
    for cell_x in range(x, x + yard.bricks.extent[kind, 0]):
        for cell_y in range(y, y + yard.bricks.extent[kind, 1]):
            if not yard.wanted[cell_x, cell_y, z - 1] or yard.bricks.owner[cell_x, cell_y, z - 1] == KEPT:
                return False
    return True
