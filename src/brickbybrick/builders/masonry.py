"""How a mason lays bricks: layer by layer, across the seams below, and anew where the wall would come apart.

Everything works on `MixedArrays`, so that no brick can be laid that overlaps another or is not in the box. A course is
laid cell by cell from a corner of the layer; of all bricks that cover a cell, the one is taken that fills most and
bridges most. Pieces, which no stud joins to each other, are then taken apart around their borders and laid again at
random until they are joined (as in Testuz et al. 2013 and Luo et al. 2015), and where that cannot help, a brick over or
under both is added. What is wanted and what a finished model must be like is `mason.py`'s.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.mixed import MixedArrays, is_free, put_brick, take_brick
from brickbybrick.jit import Ints, compiled, inlined, random_number

# What counts in the choice of a brick, in wanted cells that it fills.
OUTSIDE = 1.2  # a cell filled that is not wanted
SEAM = 0.6  # one more brick below that it ties together
PIECE = 4.0  # one more piece that it joins
BORNE = 2.0  # something below that bears it
FIT = 0.12  # a side of a cell that lies against another brick or the border of what is wanted
JITTER = 0.2  # what is left to chance in the first course, so that the next scan finds other layouts
SHAKEN = 2.0  # the same where bricks are laid anew
# Shares of a brick that must be wanted, first to last: below, it costs more than it fills
SHARES = (1.0, 0.86, 0.7, 0.6, 0.46)
GAIN, LOSS = 7, 6  # of a wanted cell and of one that is not, to a model whose IoU is about the second by the first
NOTHING = -1e9
MOST_RELAID = 64  # bricks taken apart at a time
_BORDER = 16  # cells around the largest brick


class Yard(NamedTuple):
    """Bricks, what is wanted of them, and what they hang together by."""

    bricks: MixedArrays
    wanted: npt.NDArray[np.bool_]  # (x, y, z)
    piece: Ints  # (brick,) the piece it belongs to, named by one of its bricks
    generator: npt.NDArray[np.uint64]  # (1,)
    limits: Ints  # (2,) bricks that may be there at once, and studs that a laid brick must share


@compiled
def find_pieces(yard: Yard) -> int:
    """Names the piece of every brick, and returns how many pieces there are."""
    arrays, piece = yard.bricks, yard.piece
    placed, owner, extent = arrays.placed, arrays.owner, arrays.extent
    bricks, high = arrays.tally[0], owner.shape[2]
    for brick in range(bricks):
        piece[brick] = brick
    pieces = arrays.tally[1]
    for brick in range(bricks):
        kind, x, y, z = placed[brick, 0], placed[brick, 1], placed[brick, 2], placed[brick, 3]
        if kind < 0 or z + 1 == high:
            continue
        for cell_x in range(x, x + extent[kind, 0]):
            for cell_y in range(y, y + extent[kind, 1]):
                over = owner[cell_x, cell_y, z + 1]
                if over < 0:
                    continue
                one, other = _root(piece, brick), _root(piece, over)
                if one != other:
                    piece[max(one, other)] = min(one, other)
                    pieces -= 1
    for brick in range(bricks):
        piece[brick] = _root(piece, brick)
    return int(pieces)


@inlined
def _root(parent: Ints, brick: int) -> int:
    while parent[brick] != brick:
        parent[brick] = parent[parent[brick]]
        brick = parent[brick]
    return brick


@compiled
def piece_sizes(yard: Yard) -> Ints:
    """By how many cells each piece (brick,) brings a model nearer to what is wanted; 0 for what names no piece."""
    arrays = yard.bricks
    sizes = np.zeros(arrays.tally[0], np.int64)
    for brick in range(arrays.tally[0]):
        kind = arrays.placed[brick, 0]
        if kind >= 0:
            inside, cells = inside_of(yard, brick)
            sizes[yard.piece[brick]] += 2 * inside - cells
    return sizes


@compiled
def inside_of(yard: Yard, brick: int) -> tuple[int, int]:
    """Wanted cells of a brick, and all its cells."""
    placed, extent = yard.bricks.placed, yard.bricks.extent
    kind, x, y, z = placed[brick, 0], placed[brick, 1], placed[brick, 2], placed[brick, 3]
    inside = 0
    for cell_x in range(x, x + extent[kind, 0]):
        for cell_y in range(y, y + extent[kind, 1]):
            inside += yard.wanted[cell_x, cell_y, z]
    return inside, extent[kind, 0] * extent[kind, 1]


@compiled
def _worth(yard: Yard, kind: int, x: int, y: int, z: int, near: Ints, share: float) -> float:
    """What a free placement is worth; NOTHING if less than `share` of it is wanted. `near` (2, 16) is for notes."""
    arrays, wanted, piece = yard.bricks, yard.wanted, yard.piece
    owner = arrays.owner
    along_x, along_y = arrays.extent[kind, 0], arrays.extent[kind, 1]
    wide, deep, high = owner.shape
    inside, fit, below, pieces, borne = 0, 0, 0, 0, z == 0
    for cell_x in range(x, x + along_x):
        for cell_y in range(y, y + along_y):
            inside += wanted[cell_x, cell_y, z]
    cells = along_x * along_y
    if inside < share * cells - 1e-9:
        return NOTHING
    for cell_x in range(x, x + along_x):
        for side in range(2):
            cell_y = y - 1 if side == 0 else y + along_y
            fit += cell_y < 0 or cell_y >= deep or not wanted[cell_x, cell_y, z] or owner[cell_x, cell_y, z] >= 0
    for cell_y in range(y, y + along_y):
        for side in range(2):
            cell_x = x - 1 if side == 0 else x + along_x
            fit += cell_x < 0 or cell_x >= wide or not wanted[cell_x, cell_y, z] or owner[cell_x, cell_y, z] >= 0
    if arrays.studs[kind, x, y, z] > 0:
        for step in range(-1, 2, 2):
            if not 0 <= z + step < high:
                continue
            for cell_x in range(x, x + along_x):
                for cell_y in range(y, y + along_y):
                    brick = owner[cell_x, cell_y, z + step]
                    if brick < 0:
                        continue
                    if step < 0:
                        borne = True
                        below += _noted(near[0], below, brick)
                    pieces += _noted(near[1], pieces, piece[brick])
    worth = inside - OUTSIDE * (cells - inside) + FIT * fit + BORNE * borne
    return float(worth + SEAM * max(0, below - 1) + PIECE * max(0, pieces - 1))


@inlined
def _noted(notes: Ints, count: int, value: int) -> int:
    """1 if a value is not yet among the first `count` notes, where it then is; else 0."""
    for place in range(count):
        if notes[place] == value:
            return 0
    notes[count] = value
    return 1


@compiled
def lay(yard: Yard, cells: Ints, jitter: float, share: float, laid: Ints) -> int:
    """Covers cells (cell, 3) in their order, passing over what is taken or not wanted, with bricks of which at least
    `share` is wanted. Writes the new bricks' numbers into `laid`, until it is full, and returns how many."""
    arrays, wanted, extent = yard.bricks, yard.wanted, yard.bricks.extent
    near = np.empty((2, 16), np.int64)
    chosen = np.empty(3, np.int64)  # kind, x, y
    count = 0
    for row in range(cells.shape[0]):
        at_x, at_y, z = cells[row, 0], cells[row, 1], cells[row, 2]
        if count == laid.size or arrays.tally[1] >= yard.limits[0]:
            break
        if not wanted[at_x, at_y, z] or arrays.owner[at_x, at_y, z] >= 0:
            continue
        best = NOTHING
        for kind in range(extent.shape[0]):
            if arrays.left[arrays.size[kind]] <= 0:
                continue
            for x in range(at_x - extent[kind, 0] + 1, at_x + 1):
                for y in range(at_y - extent[kind, 1] + 1, at_y + 1):
                    if not is_free(arrays, kind, x, y, z) or arrays.studs[kind, x, y, z] < yard.limits[1]:
                        continue
                    worth = _worth(yard, kind, x, y, z, near, share)
                    if worth == NOTHING:
                        continue
                    worth += jitter * random_number(yard.generator, 0, 1024) / 1024
                    if worth > best:
                        best = worth
                        chosen[0], chosen[1], chosen[2] = kind, x, y
        if best > NOTHING:
            brick = put_brick(arrays, chosen[0], chosen[1], chosen[2], z)
            yard.piece[brick] = brick
            laid[count] = brick
            count += 1
    return count


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
                after = relay(yard, brick, pieces)
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
            relay(yard, brick, 0)


@compiled
def relay(yard: Yard, brick: int, pieces: int) -> int:
    """Takes a brick and those around it off and lays their cells anew; takes that back where it does harm.

    Cells may be lost, and more bricks be needed, only where that joins some of the `pieces` that there are; how many
    there are then is returned. 0 if that does not matter yet.
    """
    arrays = yard.bricks
    placed, extent = arrays.placed, arrays.extent
    taken = np.empty((MOST_RELAID, 4), np.int64)  # (brick, 4) kind, x, y, z
    numbers = np.empty(MOST_RELAID, np.int64)
    count = _around(yard, brick, random_number(yard.generator, 0, 4), numbers)
    gain, total = 0, 0
    for row in range(count):
        inside, size = inside_of(yard, numbers[row])
        gain, total = gain - (GAIN * inside - LOSS * (size - inside)), total + _BORDER + size
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
        for cell_x in range(max(0, x - 1), min(wide, x + extent[kind, 0] + 1)):
            for cell_y in range(max(0, y - 1), min(deep, y + extent[kind, 1] + 1)):
                if yard.wanted[cell_x, cell_y, z] and arrays.owner[cell_x, cell_y, z] < 0:
                    cells[filled, 0], cells[filled, 1], cells[filled, 2] = cell_x, cell_y, z
                    keys[filled] = _scan_key(cell_x, cell_y, z, scan)
                    filled += 1
    cells = cells[np.argsort(keys[:filled])]
    laid = np.empty(total, np.int64)
    new = 0
    for share in SHARES:
        new += lay(yard, cells, SHAKEN, share, laid[new:])
    for row in range(new):
        inside, size = inside_of(yard, laid[row])
        gain += GAIN * inside - LOSS * (size - inside)
    after = find_pieces(yard) if pieces > 0 else 0
    # What does neither good nor harm may open a way.
    if after < pieces or (after == pieces and (gain > 0 or (gain == 0 and new <= count))):
        return after
    for row in range(new):
        take_brick(arrays, laid[row])
    for row in range(count):
        back = put_brick(arrays, taken[row, 0], taken[row, 1], taken[row, 2], taken[row, 3])
        yard.piece[back] = back
    return find_pieces(yard) if pieces > 0 else 0


@inlined
def _scan_key(x: Any, y: Any, z: int, scan: int) -> Any:
    """Keys that sort cells by layers and then from one of four corners, along x or along y: eight ways. Of one cell, or
    of arrays of them."""
    a = x if scan & 1 else 1023 - x
    b = y if scan & 2 else 1023 - y
    return (z << 20) + ((a << 10) + b if scan & 4 else (b << 10) + a)


@compiled
def _around(yard: Yard, brick: int, reach: int, numbers: Ints) -> int:
    """A brick and those beside it; with `reach` 1 also what lies on it, with 2 what it lies on."""
    arrays = yard.bricks
    owner, extent, placed = arrays.owner, arrays.extent, arrays.placed
    wide, deep, high = owner.shape
    kind, x, y, z = placed[brick, 0], placed[brick, 1], placed[brick, 2], placed[brick, 3]
    numbers[0] = brick
    count = 1
    for cell_x in range(max(0, x - 1), min(wide, x + extent[kind, 0] + 1)):
        for cell_y in range(max(0, y - 1), min(deep, y + extent[kind, 1] + 1)):
            for step in range(-1, 2):
                if (step == 1 and reach != 1) or (step == -1 and reach != 2) or not 0 <= z + step < high:
                    continue
                other = owner[cell_x, cell_y, z + step]
                if other >= 0 and count < MOST_RELAID:
                    count += _noted(numbers, count, other)
    return count


@compiled
def bridge(yard: Yard, main: int, weight: float) -> bool:
    """Adds the brick that gains most by joining other pieces to the main one; False if none gains anything.

    It may fill cells that are not wanted; each counts for `weight` of a wanted one, for that is when IoU grows.
    """
    arrays, extent, placed = yard.bricks, yard.bricks.extent, yard.bricks.placed
    sizes = piece_sizes(yard)
    notes = np.empty(32, np.int64)
    best = 0.0
    chosen = np.empty(4, np.int64)  # kind, x, y, z
    if arrays.tally[1] >= yard.limits[0]:
        return False
    for brick in range(arrays.tally[0]):
        kind, x, y, z = placed[brick, 0], placed[brick, 1], placed[brick, 2], placed[brick, 3]
        if kind < 0 or yard.piece[brick] == main:
            continue
        for other in range(extent.shape[0]):
            for corner_x in range(x - extent[other, 0] + 1, x + extent[kind, 0]):
                for corner_y in range(y - extent[other, 1] + 1, y + extent[kind, 1]):
                    for corner_z in (z - 1, z + 1):
                        if is_free(arrays, other, corner_x, corner_y, corner_z):
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
            gain += 1.0 if yard.wanted[cell_x, cell_y, z] else -weight
            for step in (-1, 1):
                if not 0 <= z + step < owner.shape[2]:
                    continue
                brick = owner[cell_x, cell_y, z + step]
                if brick < 0:
                    continue
                studs += 1
                piece = yard.piece[brick]
                if piece == main:
                    reaches_main = True
                elif _noted(notes, count, piece):
                    count += 1
                    gain += sizes[piece]
    return gain + 0.1 * studs if reaches_main and count else 0.0


def course(wanted: npt.NDArray[np.bool_], z: int, scan: int) -> Ints:
    """The wanted cells (cell, 3) of a layer in one of eight orders, as `_scan_key` has them."""
    x, y = np.nonzero(wanted[:, :, z])
    return np.stack([x, y, np.full(len(x), z)], axis=1)[np.argsort(_scan_key(x, y, z, scan))]
