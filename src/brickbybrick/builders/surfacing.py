"""Parts that a mason sets before it lays anything: slopes, where they follow the surface of a mesh better than steps
do, and tiles, where a top is to be smooth.

What is inside of a mesh is known in grains, finer than cells. A slope's error is the number of grains in its box where
it and the mesh differ; that of steps is the same of the cells of the box, each of which is whole or not there. A slope
is worth what it is better by. Those that are worth most come first, and none is set where it would not be joined to
anything, or where something wanted would lie on its face. Bricks and plates are laid around them by `masonry.py`.
"""

import numpy as np
import numpy.typing as npt

from brickbybrick.builders.masonry import Yard, off_shade
from brickbybrick.geometry.grains import ALL, FULL, Words, counted, grains_of
from brickbybrick.geometry.mixed import MixedAssembly, put_brick
from brickbybrick.geometry.part import Part
from brickbybrick.jit import Ints, compiled, popcount

LEAST = 0.0  # grains that a slope must be better by for each stud of its breadth
MODE = 0
ODD = 0.0

Errors = npt.NDArray[np.uint8]  # (x, y, z) grains


def set_slopes(assembly: MixedAssembly, yard: Yard, grains: Words) -> int:
    """Sets the slopes that follow a mesh better than steps do, and returns how many there are.

    Args:
        assembly: Where they go, as long as there are slopes left.
        yard: The same, with what is wanted, which from then on includes the slopes' boxes.
        grains: (x, y, z) what of each cell is inside the mesh.
    """
    kinds = [kind for kind, (part, _) in enumerate(assembly.kinds) if part.slopes]
    if not kinds:
        return 0
    steps = counted(grains ^ np.where(yard.wanted, FULL, np.uint32(0)))
    found = [_slopes(yard, kind, *assembly.kinds[kind], grains, steps) for kind in kinds]
    return _set(yard, np.concatenate([row for row, _ in found]), np.concatenate([worth for _, worth in found]), False)


def _slopes(yard: Yard, kind: int, part: Part, d: int, grains: Words, steps: Errors) -> tuple[Ints, npt.NDArray[np.float64]]:
    """The placements (placement, 4) of a slope that are better than steps, and what they are worth."""
    least = LEAST * part.length
    better = _better(grains, steps, grains_of(part, d), least)
    x, y, z = np.nonzero(better > least)
    rows = np.stack([np.full(len(x), kind), x, y, z], axis=1)
    gain = better[x, y, z].astype(np.float64)
    if MODE == 0: worth = gain
    elif MODE == 1: worth = gain / part.area + 1e-3*part.area
    elif MODE == 2: worth = gain / part.length + 1e-3*part.length
    elif MODE == 3: worth = gain / np.sqrt(part.length)
    elif MODE == 4: worth = gain / np.sqrt(part.area)
    worth += ODD * (z % 3 == 0)
    if yard.shades.cost.size:
        worth -= ALL * np.array([off_shade(yard, *row) for row in rows.tolist()])
    return rows[worth > 0], worth[worth > 0]


@compiled
def _better(grains: Words, steps: Errors, box: Words, least: float) -> npt.NDArray[np.int32]:
    """By how many grains a part, with these in its box, is nearer to what is inside than steps are, at every corner."""
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
                if total <= least:
                    continue
                for i in range(wide):
                    for j in range(deep):
                        for k in range(high):
                            total -= popcount(np.uint64(grains[x + i, y + j, z + k] ^ box[i, j, k]))
                better[x, y, z] = total
    return better


def set_tiles(assembly: MixedAssembly, yard: Yard) -> int:
    """Covers wanted tops, on which nothing is to lie, by tiles, large ones first; returns how many there are."""
    rows: list[Ints] = []
    for kind, (part, d) in enumerate(assembly.kinds):
        if part.kind == "tile":
            along_x, along_y = part.extent(d)
            tops = yard.wanted & (yard.bricks.owner == -1)
            tops[:, :, :-1] &= ~yard.wanted[:, :, 1:]
            windows = np.lib.stride_tricks.sliding_window_view(tops, (along_x, along_y), axis=(0, 1))  # type: ignore[call-overload]
            x, y, z = np.nonzero(windows.all(axis=(3, 4)))
            rows.append(np.stack([np.full(len(x), kind), x, y, z], axis=1))
    if not rows:
        return 0
    found = np.concatenate(rows)
    worth = yard.bricks.extent[found[:, 0]].prod(axis=1).astype(np.float64)
    if yard.shades.cost.size:
        worth -= np.array([off_shade(yard, *row) for row in found.tolist()])
    return _set(yard, found[worth > 0], worth[worth > 0], True)


def _set(yard: Yard, rows: Ints, worth: npt.NDArray[np.float64], wholly: bool) -> int:
    order = np.lexsort((*rows.T, -worth))
    return _take(yard, rows[order], wholly)


@compiled
def _take(yard: Yard, rows: Ints, wholly: bool) -> int:
    """Puts placements (placement, 4) where they can be, the first first, and returns how many that are.

    If they are to be held wholly, a stud must go into each of their columns from below; else one joint will do.
    """
    arrays, wanted, count = yard.bricks, yard.wanted, 0
    extent = arrays.extent
    for row in range(len(rows)):
        kind, x, y, z = rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3]
        if arrays.left[arrays.size[kind]] <= 0 or arrays.tally[1] >= yard.limits[0]:
            continue
        least = extent[kind, 0] * extent[kind, 1] if wholly else 1
        if _has_room(yard, kind, x, y, z) and _joints(yard, kind, x, y, z) >= least:
            brick = put_brick(arrays, kind, x, y, z)
            yard.piece[brick] = brick
            wanted[x : x + extent[kind, 0], y : y + extent[kind, 1], z : z + extent[kind, 2]] = True
            count += 1
    return count


@compiled
def _has_room(yard: Yard, kind: int, x: int, y: int, z: int) -> bool:
    """Whether all cells of a box are free, and nothing is to lie against its bare columns."""
    owner, wanted, extent = yard.bricks.owner, yard.wanted, yard.bricks.extent
    for cell_x in range(x, x + extent[kind, 0]):
        for cell_y in range(y, y + extent[kind, 1]):
            for cell_z in range(z, z + extent[kind, 2]):
                if owner[cell_x, cell_y, cell_z] != -1:
                    return False
            for side in range(2):
                if yard.bricks.bare[kind, side, cell_x - x, cell_y - y]:
                    layer = z + extent[kind, 2] if side == 0 else z - 1
                    if layer < 0 or (layer < owner.shape[2] and wanted[cell_x, cell_y, layer]):
                        return False
    return True


@compiled
def _joints(yard: Yard, kind: int, x: int, y: int, z: int) -> int:
    """The columns in which something that is there, or is to be, is joined to a part from above or below."""
    owner, wanted, extent, bare = yard.bricks.owner, yard.wanted, yard.bricks.extent, yard.bricks.bare
    count = 0
    for cell_x in range(x, x + extent[kind, 0]):
        for cell_y in range(y, y + extent[kind, 1]):
            for side in range(2):
                layer = z + extent[kind, 2] if side == 0 else z - 1
                if 0 <= layer < owner.shape[2] and not bare[kind, side, cell_x - x, cell_y - y]:
                    count += wanted[cell_x, cell_y, layer] and owner[cell_x, cell_y, layer] != -2
    return count
