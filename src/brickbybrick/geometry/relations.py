"""The bit tables: what one brick leaves another, looked up by relative pose.

Whether a brick stands in the way of an offset depends only on where it lies relative to the pivot. So
the offsets it spares are a few bits in a table of some kilobytes, and a mask is kept up to date by
ANDing table entries, never by testing cells.

A mask is two groups of words for each brick: what may be joined above it, then what may be joined
below. Both groups number the joints (dx, dy, direction) alike, so one table serves both layers.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import OffsetSet

WORD = 64  # bits in a mask word


class Relations(NamedTuple):
    """What the compiled rules know about a brick size and its offsets: arrays and numbers only."""

    extent: npt.NDArray[np.int64]  # (direction, 2) studs along x and y
    shift: npt.NDArray[np.int64]  # (pivot's direction, offset, 4) x, y, z to add, and the new direction
    bit: npt.NDArray[np.int64]  # (offset,) the offset's bit in a brick's mask words
    offset: npt.NDArray[np.int64]  # (bit,) the offset that a bit stands for, or -1
    every: npt.NDArray[np.uint64]  # (word,) all offsets allowed
    grounded: npt.NDArray[np.uint64]  # (word,) what is allowed to a brick in layer 0
    # The joints a pivot keeps towards a layer when an obstacle is in that layer:
    # (pivot's direction, obstacle's direction, dx + reach, dy + reach, word of the layer)
    spared: npt.NDArray[np.uint64]
    neighbours: int  # the most bricks that can share studs with one
    reach: int  # an obstacle whose corner is as far as this from the pivot's, along x or y, spares everything


@lru_cache(maxsize=32)  # every episode asks for them, and nobody writes to them
def relations(offsets: OffsetSet, ground: bool = True) -> Relations:
    """The tables for the joints of `offsets`; with `ground`, nothing may be placed below layer 0."""
    size = offsets.brick
    # One more than matters: a joined brick's corner is up to length - 1 studs away, and an obstacle's again as far from
    # that, so that the border of the table spares everything.
    reach = 2 * size.length - 1
    joints = list(dict.fromkeys((offset.dx, offset.dy, offset.d) for offset in offsets.offsets))
    layer_bits = -(-len(joints) // WORD) * WORD
    bit = np.array(
        [joints.index((o.dx, o.dy, o.d)) + (layer_bits if o.dz < 0 else 0) for o in offsets.offsets], dtype=np.int64
    )
    offset = np.full(2 * layer_bits, -1, dtype=np.int64)
    offset[bit] = np.arange(len(offsets))
    above = (offset >= 0) & (np.arange(2 * layer_bits) < layer_bits)
    every = pack_bits(offset >= 0)
    return Relations(
        extent=np.array([size.extent(d) for d in range(2)], dtype=np.int64),
        shift=offsets.shifts,
        bit=bit,
        offset=offset,
        every=every,
        grounded=pack_bits(above) if ground else every,
        spared=_spared(offsets, joints, reach),
        neighbours=most_neighbours(offsets),
        reach=reach,
    )


def _spared(offsets: OffsetSet, joints: list[tuple[int, int, int]], reach: int) -> npt.NDArray[np.uint64]:
    size, side = offsets.brick, 2 * reach + 1
    free = np.ones((2, 2, side, side, len(joints)), dtype=bool)
    representative = {(o.dx, o.dy, o.d): k for k, o in enumerate(offsets.offsets)}
    for pivot_d in size.directions:
        for joint, key in enumerate(joints):
            pose = offsets.place(Pose(0, 0, 0, pivot_d), representative[key])
            joined_x, joined_y = size.extent(pose.d)
            for obstacle_d in size.directions:
                along_x, along_y = size.extent(obstacle_d)
                # Obstacles whose corner lies here would share a cell with the joined brick.
                xs = slice(pose.x - along_x + 1 + reach, pose.x + joined_x + reach)
                ys = slice(pose.y - along_y + 1 + reach, pose.y + joined_y + reach)
                free[pivot_d, obstacle_d, xs, ys, joint] = False
    return pack_bits(free)


def most_neighbours(offsets: OffsetSet) -> int:
    """A bound on how many bricks can share studs with one brick.

    Each of them has a square as wide as the brick over the footprint. Those squares are disjoint, so along
    a side of n studs at most (n + 2 (width - 1)) // width of them fit, in each of two layers. Where offsets only
    shift bricks sideways, all bricks are as long and lie side by side.
    """
    size = offsets.brick
    along_x, along_y = ((side + 2 * (size.width - 1)) // size.width for side in size.extent(0))
    return 2 * along_x * (1 if offsets.flat else along_y)


def pack_bits(flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    """Packs flags (..., bit) into words (..., word)."""
    padded = np.pad(flags, [(0, 0)] * (flags.ndim - 1) + [(0, -flags.shape[-1] % WORD)])
    return np.packbits(padded, axis=-1, bitorder="little").view("<u8").astype(np.uint64)


def unpack_mask(words: npt.NDArray[np.uint64], rel: Relations) -> npt.NDArray[np.bool_]:
    """Unpacks mask words (..., word) into one flag for each offset (..., offset)."""
    octets = np.ascontiguousarray(words.astype("<u8")).view(np.uint8)
    bits = np.unpackbits(octets, axis=-1, bitorder="little")
    return bits[..., rel.bit].astype(bool)
