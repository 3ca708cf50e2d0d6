"""How a mason lays bricks: layer by layer, across the seams below.

Everything works on `MixedArrays`, so that no brick can be laid that overlaps another or is not in the box. A course is
laid cell by cell from a corner of the layer; of all bricks that cover a cell, the one is taken that fills most, bridges
most and has most of the shades that are wanted. What comes apart or could be better is laid anew by `relaying.py`; what
is wanted and what a finished model must be like is `mason.py`'s.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.builders.shades import Shades
from brickbybrick.geometry.mixed import MixedArrays, is_free, put_brick
from brickbybrick.geometry.part import PARTS
from brickbybrick.jit import Ints, compiled, inlined, random_number

# What counts in the choice of a brick, in wanted cells that it fills.
OUTSIDE = 1.2  # a cell filled that is not wanted
SEAM = 0.6  # one more brick below that it ties together
PIECE = 4.0  # one more piece that it joins
BORNE = 2.0  # something below that bears it
FIT = 0.12  # a side of a cell that lies against another brick or the border of what is wanted
JITTER = 0.2  # what is left to chance in the first course, so that the next scan finds other layouts
SHAKEN = 2.0  # the same where bricks are laid anew
ANY = 1_000  # layers that a part may be high where it may be as high as it likes
# Shares of a brick that must be wanted, first to last: below, it costs more than it fills
SHARES = (1.0, 0.86, 0.7, 0.6, 0.46)
NOTHING = -1e9
MOST_NEAR = 2 * max(part.area for part in PARTS)  # that a part can share studs with: one above and below each stud


class Yard(NamedTuple):
    """Bricks, what is wanted of them, and what they hang together by."""

    bricks: MixedArrays
    wanted: npt.NDArray[np.bool_]  # (x, y, z)
    piece: Ints  # (brick,) the piece it belongs to, named by one of its bricks
    generator: npt.NDArray[np.uint64]  # (1,)
    limits: Ints  # (2,) bricks that may be there at once, and studs that a laid brick must share
    shades: Shades


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
        if kind < 0 or z + extent[kind, 2] == high:
            continue
        for cell_x in range(x, x + extent[kind, 0]):
            for cell_y in range(y, y + extent[kind, 1]):
                over = owner[cell_x, cell_y, z + extent[kind, 2]]
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
            for cell_z in range(z, z + extent[kind, 2]):
                inside += yard.wanted[cell_x, cell_y, cell_z]
    return inside, extent[kind, 0] * extent[kind, 1] * extent[kind, 2]


@compiled
def worth_of(yard: Yard, kind: int, x: int, y: int, z: int, near: Ints, share: float) -> float:
    """What a free placement is worth; NOTHING if less than `share` of it is wanted.

    `near` (2, MOST_NEAR) is for notes.
    """
    arrays, wanted, piece = yard.bricks, yard.wanted, yard.piece
    owner = arrays.owner
    along_x, along_y, up = arrays.extent[kind, 0], arrays.extent[kind, 1], arrays.extent[kind, 2]
    wide, deep, high = owner.shape
    inside, fit, below, pieces, borne = 0, 0, 0, 0, z == 0
    for cell_x in range(x, x + along_x):
        for cell_y in range(y, y + along_y):
            for cell_z in range(z, z + up):
                inside += wanted[cell_x, cell_y, cell_z]
    cells = along_x * along_y * up
    if inside < share * cells - 1e-9:
        return NOTHING
    for cell_z in range(z, z + up):
        for cell_x in range(x, x + along_x):
            for side in range(2):
                cell_y = y - 1 if side == 0 else y + along_y
                fit += cell_y < 0 or cell_y >= deep or _is_closed(yard, cell_x, cell_y, cell_z)
        for cell_y in range(y, y + along_y):
            for side in range(2):
                cell_x = x - 1 if side == 0 else x + along_x
                fit += cell_x < 0 or cell_x >= wide or _is_closed(yard, cell_x, cell_y, cell_z)
    if arrays.studs[kind, x, y, z] > 0:
        for layer in (z - 1, z + up):
            if not 0 <= layer < high:
                continue
            for cell_x in range(x, x + along_x):
                for cell_y in range(y, y + along_y):
                    brick = owner[cell_x, cell_y, layer]
                    if brick < 0:
                        continue
                    if layer < z:
                        borne = True
                        below += noted(near[0], below, brick)
                    pieces += noted(near[1], pieces, piece[brick])
    worth = inside - OUTSIDE * (cells - inside) + FIT * fit + BORNE * borne - off_shade(yard, kind, x, y, z)
    return float(worth + SEAM * max(0, below - 1) + PIECE * max(0, pieces - 1))


@inlined
def _is_closed(yard: Yard, x: int, y: int, z: int) -> bool:
    """Whether nothing is to be laid in a cell any more."""
    return not yard.wanted[x, y, z] or yard.bricks.owner[x, y, z] >= 0


@compiled
def off_shade(yard: Yard, kind: int, x: int, y: int, z: int) -> float:
    """What it costs that all of a brick has one shade: the best that its size is made in instead of one it wants."""
    wanted, instead, cost = yard.shades
    size, extent = yard.bricks.size[kind], yard.bricks.extent[kind]
    if not cost.size:
        return 0.0
    best, last = -1.0, -1
    for one_z in range(z, z + extent[2]):
        for one_x in range(x, x + extent[0]):
            for one_y in range(y, y + extent[1]):
                one = wanted[one_x, one_y, one_z]
                if one < 0 or one == last:
                    continue
                total, last = 0.0, one
                shade = instead[size, one]
                for cell_z in range(z, z + extent[2]):
                    for cell_x in range(x, x + extent[0]):
                        for cell_y in range(y, y + extent[1]):
                            other = wanted[cell_x, cell_y, cell_z]
                            if other >= 0:
                                total += cost[other, shade]
                if total == 0.0:
                    return 0.0
                if best < 0 or total < best:
                    best = total
    return max(best, 0.0)


@inlined
def noted(notes: Ints, count: int, value: int) -> int:
    """1 if a value is not yet among the first `count` notes, where it then is; else 0."""
    for place in range(count):
        if notes[place] == value:
            return 0
    notes[count] = value
    return 1


@compiled
def lay(yard: Yard, cells: Ints, jitter: float, share: float, laid: Ints, highest: int = ANY) -> int:
    """Covers cells (cell, 3) in their order, passing over what is taken or not wanted, with bricks up to so many layers
    high of which at least `share` is wanted. Writes the new bricks' numbers into `laid`, until it is full, and returns
    how many."""
    arrays, wanted, extent = yard.bricks, yard.wanted, yard.bricks.extent
    near = np.empty((2, MOST_NEAR), np.int64)
    chosen = np.empty(3, np.int64)  # kind, x, y
    count = 0
    for row in range(cells.shape[0]):
        at_x, at_y, z = cells[row, 0], cells[row, 1], cells[row, 2]
        if count == laid.size or arrays.tally[1] >= yard.limits[0]:
            break
        if not wanted[at_x, at_y, z] or arrays.owner[at_x, at_y, z] >= 0:
            continue
        best = NOTHING
        for kind in range(arrays.taken.shape[0]):
            # What is several layers high begins where all of its kind do, or seams would not meet.
            if arrays.left[arrays.size[kind]] <= 0 or z % extent[kind, 2] or extent[kind, 2] > highest:
                continue
            for x in range(at_x - extent[kind, 0] + 1, at_x + 1):
                for y in range(at_y - extent[kind, 1] + 1, at_y + 1):
                    if not is_free(arrays, kind, x, y, z) or arrays.studs[kind, x, y, z] < yard.limits[1]:
                        continue
                    worth = worth_of(yard, kind, x, y, z, near, share)
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
def scan_key(x: Any, y: Any, z: int, scan: int) -> Any:
    """Keys that sort cells by layers and then from one of four corners, along x or along y: eight ways. Of one cell, or
    of arrays of them."""
    a = x if scan & 1 else 1023 - x
    b = y if scan & 2 else 1023 - y
    return (z << 20) + ((a << 10) + b if scan & 4 else (b << 10) + a)


def course(wanted: npt.NDArray[np.bool_], z: int, scan: int) -> Ints:
    """The wanted cells (cell, 3) of a layer in one of eight orders, as `scan_key` has them."""
    x, y = np.nonzero(wanted[:, :, z])
    return np.stack([x, y, np.full(len(x), z)], axis=1)[np.argsort(scan_key(x, y, z, scan))]
