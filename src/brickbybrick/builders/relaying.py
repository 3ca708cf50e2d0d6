"""How a mason lays bricks anew: where pieces are not joined, and where fewer bricks or truer shades will do.

Pieces, which no stud joins to each other, are taken apart around their borders and laid again at random until they are
joined (as in Testuz et al. 2013 and Luo et al. 2015), and where that cannot help, a brick over or under both is added.
"""

import numpy as np

from brickbybrick.builders.masonry import (
    MOST_NEAR,
    NOTHING,
    SHAKEN,
    SHARES,
    Yard,
    find_pieces,
    inside_of,
    lay,
    noted,
    off_shade,
    piece_sizes,
    scan_key,
    worth_of,
)
from brickbybrick.geometry.mixed import is_free, put_brick, take_brick
from brickbybrick.jit import Ints, compiled, random_number

GAIN, LOSS = 7, 6  # of a wanted cell and of one that is not, to a model whose IoU is about the second by the first
TYING = 8.0  # cells; what is left to chance in the choice of a brick that joins pieces
ROUNDING = 1e-4  # of gains
MOST_RELAID = 64  # bricks taken apart at a time


@compiled
def join(yard: Yard, tries: int) -> int:
    """Lays bricks anew around the smaller pieces until all are joined or so many tries brought none nearer."""
    pieces = find_pieces(yard)
    loose = np.empty(yard.bricks.placed.shape[0], np.int64)
    left = tries
    while pieces > 1 and left > 0:
        main = np.argmax(piece_sizes(yard))
        count = 0
        for brick in range(yard.bricks.tally[0]):
            if yard.bricks.placed[brick, 0] >= 0 and yard.piece[brick] != main:
                loose[count] = brick
                count += 1
        after = pieces
        while after == pieces and left > 0 and count > 0:
            # A brick that was laid anew has another number: those that are vacant or joined by now are passed over.
            brick = loose[random_number(yard.generator, 0, count)]
            left -= 1
            if yard.bricks.placed[brick, 0] >= 0:
                after = relay(yard, brick, pieces, left % 2 == 0, left % 4 < 2)
        if after < pieces:
            left = max(left, tries // 2)
        pieces = after
    return int(pieces)


@compiled
def polish(yard: Yard, tries: int) -> None:
    """Lays bricks anew around one after the other wherever that covers more, or as much with fewer bricks."""
    for _ in range(tries):
        brick = random_number(yard.generator, 0, yard.bricks.tally[0])
        if yard.bricks.placed[brick, 0] >= 0:
            relay(yard, brick, 0, False, False)


@compiled
def relay(yard: Yard, brick: int, pieces: int, tying: bool, flat: bool) -> int:
    """Takes a brick and those around it off and lays their cells anew; takes that back where it does harm.

    If it is to be tying, a brick that joins pieces comes first, wherever it lies, and the others around it: from a
    corner on, larger bricks come before it, and may leave no room for it. If it is to be flat, what is laid is one
    layer high: a plate beside a brick is joined to it only where plates take the brick's place.

    Cells may be lost, and more bricks be needed, only where that joins some of the `pieces` that there are; how many
    there are then is returned. 0 if that does not matter yet.
    """
    arrays = yard.bricks
    placed, extent = arrays.placed, arrays.extent
    taken = np.empty((MOST_RELAID, 4), np.int64)  # (brick, 4) kind, x, y, z
    numbers = np.empty(MOST_RELAID, np.int64)
    count = _around(yard, brick, random_number(yard.generator, 0, 4), numbers)
    gain, total = 0.0, 0
    for row in range(count):
        gain -= _gain_of(yard, numbers[row])
        kind = placed[numbers[row], 0]
        total += (extent[kind, 0] + 2) * (extent[kind, 1] + 2) * extent[kind, 2]
        for field in range(4):
            taken[row, field] = placed[numbers[row], field]
    for row in range(count):
        take_brick(arrays, numbers[row])
    cells = np.empty((total, 3), np.int64)
    keys = np.empty(total, np.int64)
    scan, filled = random_number(yard.generator, 0, 8), 0
    wide, deep, _ = arrays.owner.shape
    for row in range(count):
        kind, x, y, z = taken[row, 0], taken[row, 1], taken[row, 2], taken[row, 3]
        for cell_z in range(z, z + extent[kind, 2]):
            for cell_x in range(max(0, x - 1), min(wide, x + extent[kind, 0] + 1)):
                for cell_y in range(max(0, y - 1), min(deep, y + extent[kind, 1] + 1)):
                    if yard.wanted[cell_x, cell_y, cell_z] and arrays.owner[cell_x, cell_y, cell_z] < 0:
                        cells[filled, 0], cells[filled, 1], cells[filled, 2] = cell_x, cell_y, cell_z
                        keys[filled] = scan_key(cell_x, cell_y, cell_z, scan)
                        filled += 1
    cells = cells[np.argsort(keys[:filled])]
    laid = np.empty(total, np.int64)
    new = _tie(yard, cells, laid) if tying else 0
    highest = 1 if flat else extent[:, 2].max()
    for share in SHARES:
        new += lay(yard, cells, SHAKEN, share, laid[new:], highest)
    for row in range(new):
        gain += _gain_of(yard, laid[row])
    after = find_pieces(yard) if pieces > 0 else 0
    # What does neither good nor harm may open a way.
    if after < pieces or (after == pieces and (gain > ROUNDING or (gain > -ROUNDING and new <= count))):
        return after
    for row in range(new):
        take_brick(arrays, laid[row])
    for row in range(count):
        back = put_brick(arrays, taken[row, 0], taken[row, 1], taken[row, 2], taken[row, 3])
        yard.piece[back] = back
    return find_pieces(yard) if pieces > 0 else 0


@compiled
def _tie(yard: Yard, cells: Ints, laid: Ints) -> int:
    """Lays, within wanted cells (cell, 3), a brick that joins at least two pieces; returns 0 if there is none.

    As in `lay` the worthiest is taken, after what is left to chance, and its number is written into `laid`.
    """
    arrays, extent = yard.bricks, yard.bricks.extent
    near = np.empty((2, MOST_NEAR), np.int64)
    chosen = np.empty(4, np.int64)  # kind, x, y, z
    best = NOTHING
    for row in range(cells.shape[0]):
        x, y, z = cells[row, 0], cells[row, 1], cells[row, 2]
        for kind in range(arrays.taken.shape[0]):
            if (
                z % extent[kind, 2]
                or not is_free(arrays, kind, x, y, z)
                or _pieces_at(yard, kind, x, y, z, near[0]) < 2
            ):
                continue
            worth = worth_of(yard, kind, x, y, z, near, 1.0)
            if worth > NOTHING:
                worth += TYING * random_number(yard.generator, 0, 1024) / 1024
                if worth > best:
                    best = worth
                    chosen[0], chosen[1], chosen[2], chosen[3] = kind, x, y, z
    if best == NOTHING or arrays.tally[1] >= yard.limits[0]:
        return 0
    laid[0] = put_brick(arrays, chosen[0], chosen[1], chosen[2], chosen[3])
    yard.piece[laid[0]] = laid[0]
    return 1


@compiled
def _pieces_at(yard: Yard, kind: int, x: int, y: int, z: int, notes: Ints) -> int:
    """How many pieces a brick would share studs with."""
    owner, extent, count = yard.bricks.owner, yard.bricks.extent, 0
    if yard.bricks.studs[kind, x, y, z] < 2:
        return count
    for layer in (z - 1, z + extent[kind, 2]):
        if 0 <= layer < owner.shape[2]:
            for cell_x in range(x, x + extent[kind, 0]):
                for cell_y in range(y, y + extent[kind, 1]):
                    brick = owner[cell_x, cell_y, layer]
                    if brick >= 0:
                        count += noted(notes, count, yard.piece[brick])
    return count


@compiled
def _gain_of(yard: Yard, brick: int) -> float:
    """What a brick brings to a model."""
    placed = yard.bricks.placed
    inside, cells = inside_of(yard, brick)
    off = off_shade(yard, placed[brick, 0], placed[brick, 1], placed[brick, 2], placed[brick, 3])
    return float(GAIN * (inside - off) - LOSS * (cells - inside))


@compiled
def _around(yard: Yard, brick: int, reach: int, numbers: Ints) -> int:
    """A brick and those beside it; with `reach` 1 also what lies on it, with 2 what it lies on."""
    arrays = yard.bricks
    owner, extent, placed = arrays.owner, arrays.extent, arrays.placed
    wide, deep, high = owner.shape
    kind, x, y, z = placed[brick, 0], placed[brick, 1], placed[brick, 2], placed[brick, 3]
    numbers[0] = brick
    count = int(kind < arrays.taken.shape[0])  # parts that are not plain stay where they are
    for cell_x in range(max(0, x - 1), min(wide, x + extent[kind, 0] + 1)):
        for cell_y in range(max(0, y - 1), min(deep, y + extent[kind, 1] + 1)):
            for cell_z in range(max(0, z - (reach == 2)), min(high, z + extent[kind, 2] + (reach == 1))):
                other = owner[cell_x, cell_y, cell_z]
                if other >= 0 and placed[other, 0] < arrays.taken.shape[0] and count < MOST_RELAID:
                    count += noted(numbers, count, other)
    return count


@compiled
def bridge(yard: Yard, main: int, weight: float) -> bool:
    """Adds the brick that gains most by joining other pieces to the main one; False if none gains anything.

    It may fill cells that are not wanted; each counts for `weight` of a wanted one, for that is when IoU grows.
    """
    arrays, extent, placed = yard.bricks, yard.bricks.extent, yard.bricks.placed
    sizes = piece_sizes(yard)
    notes = np.empty(MOST_NEAR, np.int64)
    best = 0.0
    chosen = np.empty(4, np.int64)  # kind, x, y, z
    if arrays.tally[1] >= yard.limits[0]:
        return False
    for brick in range(arrays.tally[0]):
        kind, x, y, z = placed[brick, 0], placed[brick, 1], placed[brick, 2], placed[brick, 3]
        if kind < 0 or yard.piece[brick] == main:
            continue
        for other in range(arrays.taken.shape[0]):
            for corner_x in range(x - extent[other, 0] + 1, x + extent[kind, 0]):
                for corner_y in range(y - extent[other, 1] + 1, y + extent[kind, 1]):
                    for corner_z in (z - extent[other, 2], z + extent[kind, 2]):
                        if corner_z % extent[other, 2] == 0 and is_free(arrays, other, corner_x, corner_y, corner_z):
                            gain = _bridge_gain(yard, other, corner_x, corner_y, corner_z, main, weight, sizes, notes)
                            if gain > best:
                                best = gain
                                chosen[0], chosen[1], chosen[2], chosen[3] = other, corner_x, corner_y, corner_z
    if best == 0:
        return False
    put_brick(arrays, chosen[0], chosen[1], chosen[2], chosen[3])
    return True


@compiled
def _bridge_gain(
    yard: Yard, kind: int, x: int, y: int, z: int, main: int, weight: float, sizes: Ints, notes: Ints
) -> float:
    """Cells gained by a brick that joins pieces to the main one; 0 if it does not."""
    owner, extent = yard.bricks.owner, yard.bricks.extent
    gain, count, reaches_main, studs = 0.0, 0, False, 0
    for cell_x in range(x, x + extent[kind, 0]):
        for cell_y in range(y, y + extent[kind, 1]):
            for cell_z in range(z, z + extent[kind, 2]):
                gain += 1.0 if yard.wanted[cell_x, cell_y, cell_z] else -weight
            for layer in (z - 1, z + extent[kind, 2]):
                if not 0 <= layer < owner.shape[2]:
                    continue
                brick = owner[cell_x, cell_y, layer]
                if brick < 0:
                    continue
                studs += 1
                piece = yard.piece[brick]
                if piece == main:
                    reaches_main = True
                elif noted(notes, count, piece):
                    count += 1
                    gain += sizes[piece]
    return gain + 0.1 * studs - off_shade(yard, kind, x, y, z) if reaches_main and count else 0.0
