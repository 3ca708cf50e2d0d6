"""What of a mason's bricks hangs together: pieces, each joined by studs, none joined to another."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.mixed import MixedArrays
from brickbybrick.jit import compiled, inlined


class Yard(NamedTuple):
    """Bricks, what is wanted of them, and what they hang together by."""

    bricks: MixedArrays
    wanted: npt.NDArray[np.bool_]  # (x, y, z)
    piece: npt.NDArray[np.int64]  # (brick,) the piece it belongs to, named by one of its bricks
    generator: npt.NDArray[np.uint64]  # (1,)
    limits: npt.NDArray[np.int64]  # (2,) bricks that may be there at once, and studs that a laid brick must share


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
def _root(parent: npt.NDArray[np.int64], brick: int) -> int:
    while parent[brick] != brick:
        parent[brick] = parent[parent[brick]]
        brick = parent[brick]
    return brick


@compiled
def piece_sizes(yard: Yard) -> npt.NDArray[np.int64]:
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
