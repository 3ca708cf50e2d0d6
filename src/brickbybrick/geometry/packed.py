"""Many assemblies at once, as arrays, with exact validity in constant time: the compiled rules.

A row of each array is one assembly. Placing a brick looks up the bricks within reach one layer above
and below through a grid of buckets, ANDs one table entry into each of their masks and one into its own,
and notes the stud contacts. What that costs depends on how densely bricks lie around the new one, not
on how many there are. `assembly.py` says the same slowly; targets and rewards are the environments'.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Size
from brickbybrick.geometry.relations import WORD, Relations
from brickbybrick.jit import compiled, inlined, kernel, lowest_bit, popcount, random_number

BUCKET_BITS = 3  # a bucket is 8 studs wide: fewer to look at than with 4, fewer strangers in each than with 16
FEW_BRICKS = 128  # a model this small has so few bricks in a layer that one bucket for the whole layer is faster


class PackedAssemblies(NamedTuple):
    """A batch of assemblies of up to `brick` bricks each."""

    bricks: npt.NDArray[np.int32]  # (row,) how many are placed
    # (row, brick, 5) corner x, y, z and direction, then the brick before it in its bucket or -1: side by side,
    # because the search for neighbours reads them together
    placed: npt.NDArray[np.int16]
    words: npt.NDArray[np.uint64]  # (row, brick, word) valid offsets as bits, see `Relations.bit`
    pivots: npt.NDArray[np.int32]  # (row,) bricks that have a valid offset
    degrees: npt.NDArray[np.int16]  # (row, brick) number of neighbours
    neighbours: npt.NDArray[np.int16]  # (row, brick, neighbour) bricks in stud contact, ascending, then -1
    buckets: npt.NDArray[np.int16]  # (row, z, y, x) the newest brick whose corner is in the bucket, or -1
    # (row, brick * word / 64) which mask words changed, as bits, until whoever shows them clears these
    changed: npt.NDArray[np.uint64]


def allocate(size: Size, rel: Relations, rows: int, max_bricks: int) -> PackedAssemblies:
    """Empty assemblies. Their memory never grows."""
    most = np.iinfo(np.int16).max // size.length
    if not 1 <= max_bricks <= most:
        raise InputError(f"room for {max_bricks} bricks of {size}: between 1 and {most} are possible")
    # Bricks far apart may share a bucket, since the grid wraps around. That costs a comparison, never a wrong
    # answer, as long as the buckets looked at in one search are different ones.
    edge, layers = 1, 16
    if max_bricks > FEW_BRICKS:
        while edge << BUCKET_BITS < 2 * rel.reach + 1 + (1 << BUCKET_BITS):
            edge *= 2
        while edge * edge * layers < 2 * max_bricks:
            edge, layers = (edge, 2 * layers) if layers < 4 * edge else (2 * edge, layers)
    return PackedAssemblies(
        bricks=np.zeros(rows, np.int32),
        placed=np.zeros((rows, max_bricks, 5), np.int16),
        words=np.zeros((rows, max_bricks, rel.every.size), np.uint64),
        pivots=np.zeros(rows, np.int32),
        degrees=np.zeros((rows, max_bricks), np.int16),
        neighbours=np.full((rows, max_bricks, rel.neighbours), -1, np.int16),
        buckets=np.full((rows, layers, edge, edge), -1, np.int16),
        changed=np.zeros((rows, -(-max_bricks * rel.every.size // WORD)), np.uint64),
    )


@inlined
def clear(packed: PackedAssemblies, row: int) -> None:
    """Takes all bricks of one assembly away."""
    placed, words, buckets = packed.placed, packed.words, packed.buckets
    degrees, neighbours = packed.degrees, packed.neighbours
    layers, edge = buckets.shape[1] - 1, buckets.shape[2] - 1
    for brick in range(packed.bricks[row]):
        x, y, z = placed[row, brick, 0], placed[row, brick, 1], placed[row, brick, 2]
        buckets[row, z & layers, (y >> BUCKET_BITS) & edge, (x >> BUCKET_BITS) & edge] = -1
        for k in range(placed.shape[2]):
            placed[row, brick, k] = 0
        for w in range(words.shape[2]):
            words[row, brick, w] = 0
            _note(packed.changed, row, brick * words.shape[2] + w, True)
        for k in range(degrees[row, brick]):
            neighbours[row, brick, k] = -1
        degrees[row, brick] = 0
    packed.bricks[row] = 0
    packed.pivots[row] = 0


@inlined
def is_valid(packed: PackedAssemblies, rel: Relations, row: int, pivot: int, offset: int) -> bool:
    """Whether the action (pivot, offset) is allowed. Pivots that are not placed yet have no bit set."""
    bit = rel.bit[offset]
    return bool((packed.words[row, pivot, bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1))


@inlined
def joined_pose(
    packed: PackedAssemblies, rel: Relations, row: int, pivot: int, offset: int
) -> tuple[int, int, int, int]:
    """The pose that the action (pivot, offset) leads to."""
    placed, shift = packed.placed, rel.shift
    d = placed[row, pivot, 3]
    x = placed[row, pivot, 0] + shift[d, offset, 0]
    y = placed[row, pivot, 1] + shift[d, offset, 1]
    z = placed[row, pivot, 2] + shift[d, offset, 2]
    return x, y, z, shift[d, offset, 3]


@kernel
def action_to(packed: PackedAssemblies, rel: Relations, row: int, pose: npt.NDArray[np.int64]) -> tuple[int, int]:
    """The first valid action that leads to a pose; (-1, -1) if there is none."""
    for pivot in range(packed.bricks[row]):
        for offset in range(rel.bit.shape[0]):
            if is_valid(packed, rel, row, pivot, offset):
                x, y, z, d = joined_pose(packed, rel, row, pivot, offset)
                if x == pose[0] and y == pose[1] and z == pose[2] and d == pose[3]:
                    return pivot, offset
    return -1, -1


@inlined
def put(packed: PackedAssemblies, rel: Relations, row: int, x: int, y: int, z: int, d: int) -> None:
    """Adds a brick where there is room for it, and brings masks and contacts up to date."""
    bricks, placed, words, pivots = packed.bricks, packed.placed, packed.words, packed.pivots
    degrees, neighbours, buckets, changed = packed.degrees, packed.neighbours, packed.buckets, packed.changed
    extent, spared, every, grounded, reach = rel.extent, rel.spared, rel.every, rel.grounded, rel.reach
    layers, edge = buckets.shape[1] - 1, buckets.shape[2] - 1  # powers of two less one, to wrap around
    first_x, first_y = (x - reach + 1) >> BUCKET_BITS, (y - reach + 1) >> BUCKET_BITS
    last_x = min((x + reach - 1) >> BUCKET_BITS, first_x + edge)
    last_y = min((y + reach - 1) >> BUCKET_BITS, first_y + edge)
    layer_words = spared.shape[4]
    new = bricks[row]

    for w in range(words.shape[2]):
        words[row, new, w] = grounded[w] if z == 0 else every[w]
        _note(changed, row, new * words.shape[2] + w, True)

    for below in range(2):  # the bricks in the layer above, then those in the layer below
        layer = z + 1 - 2 * below
        own, facing = below * layer_words, (1 - below) * layer_words  # the words that look at each other
        for bucket_y in range(first_y, last_y + 1):
            for bucket_x in range(first_x, last_x + 1):
                other = buckets[row, layer & layers, bucket_y & edge, bucket_x & edge]
                while other >= 0:
                    dx, dy = placed[row, other, 0] - x, placed[row, other, 1] - y
                    if placed[row, other, 2] == layer and abs(dx) < reach and abs(dy) < reach:
                        other_d = placed[row, other, 3]
                        could = _any_word(words, row, other)
                        for w in range(layer_words):
                            words[row, new, own + w] &= spared[d, other_d, reach + dx, reach + dy, w]
                            before = words[row, other, facing + w]
                            after = before & spared[other_d, d, reach - dx, reach - dy, w]
                            words[row, other, facing + w] = after
                            _note(changed, row, other * words.shape[2] + facing + w, before != after)
                        pivots[row] -= could & (not _any_word(words, row, other))
                        if -extent[other_d, 0] < dx < extent[d, 0] and -extent[other_d, 1] < dy < extent[d, 1]:
                            _connect(degrees, neighbours, row, new, other)
                    other = placed[row, other, 4]

    pivots[row] += _any_word(words, row, new)
    bucket_z, bucket_y, bucket_x = z & layers, (y >> BUCKET_BITS) & edge, (x >> BUCKET_BITS) & edge
    placed[row, new, 0], placed[row, new, 1], placed[row, new, 2], placed[row, new, 3] = x, y, z, d
    placed[row, new, 4] = buckets[row, bucket_z, bucket_y, bucket_x]
    buckets[row, bucket_z, bucket_y, bucket_x] = new
    bricks[row] = new + 1


@inlined
def _any_word(words: npt.NDArray[np.uint64], row: int, brick: int) -> bool:
    found = False
    for w in range(words.shape[2]):
        found |= words[row, brick, w] != 0
    return found


@inlined
def _note(changed: npt.NDArray[np.uint64], row: int, word: int, flag: bool) -> None:
    """Without a branch: whether a word changed is anybody's guess."""
    changed[row, word >> 6] |= np.uint64(flag) << np.uint64(word & 63)


@inlined
def _connect(degrees: npt.NDArray[np.int16], neighbours: npt.NDArray[np.int16], row: int, new: int, other: int) -> None:
    """Notes the stud contact of the newest brick with an older one, which buckets bring in any order."""
    neighbours[row, other, degrees[row, other]] = new
    degrees[row, other] += 1
    k = degrees[row, new]
    while k > 0 and neighbours[row, new, k - 1] > other:
        neighbours[row, new, k] = neighbours[row, new, k - 1]
        k -= 1
    neighbours[row, new, k] = other
    degrees[row, new] += 1


@kernel
def put_all(packed: PackedAssemblies, rel: Relations, row: int, poses: npt.NDArray[np.int16]) -> None:
    """Clears an assembly and builds it anew from poses (brick, 4): the full mask from scratch."""
    clear(packed, row)
    for brick in range(poses.shape[0]):
        put(packed, rel, row, poses[brick, 0], poses[brick, 1], poses[brick, 2], poses[brick, 3])


@compiled
def full_mask(poses: npt.NDArray[np.int16], rel: Relations, words: npt.NDArray[np.uint64]) -> None:
    """Writes the mask words (brick, word) of a model given as poses (brick, 4), from scratch.

    Sorted by layer, the bricks that can restrict each other lie in two runs of memory, and a loop without
    branches over them beats a search for each brick.
    """
    spared, every, grounded, reach = rel.spared, rel.every, rel.grounded, rel.reach
    side, layer_words = spared.shape[3], spared.shape[4]
    table = spared.reshape(-1, layer_words)
    bricks = poses.shape[0]
    order, start = _by_layer(poses)
    x, y, d = np.empty(bricks, np.int64), np.empty(bricks, np.int64), np.empty(bricks, np.int64)
    for place in range(bricks):
        x[place], y[place], d[place] = poses[order[place], 0], poses[order[place], 1], poses[order[place], 3]

    above, below = np.empty(bricks, np.uint64), np.empty(bricks, np.uint64)  # (place,) one word of each mask
    for w in range(layer_words):
        for place in range(bricks):
            above[place] = every[w]
            below[place] = (grounded if poses[order[place], 2] == 0 else every)[layer_words + w]
        for layer in range(start.size - 2):
            for lower in range(start[layer], start[layer + 1]):
                x0, y0, d0, mask = x[lower], y[lower], d[lower], above[lower]
                for upper in range(start[layer + 1], start[layer + 2]):
                    # Bricks out of reach read the border of the table, which spares everything.
                    dx = min(max(x[upper] - x0, -reach), reach)
                    dy = min(max(y[upper] - y0, -reach), reach)
                    mask &= table[((2 * d0 + d[upper]) * side + reach + dx) * side + reach + dy, w]
                    below[upper] &= table[((2 * d[upper] + d0) * side + reach - dx) * side + reach - dy, w]
                above[lower] = mask
        for place in range(bricks):
            words[order[place], w] = above[place]
            words[order[place], layer_words + w] = below[place]


@compiled
def _by_layer(poses: npt.NDArray[np.int16]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The bricks from the lowest layer up, and where each layer begins, with an empty layer on top."""
    bricks, lowest, highest = poses.shape[0], np.int64(poses[0, 2]), np.int64(poses[0, 2])
    for brick in range(bricks):
        lowest, highest = min(lowest, poses[brick, 2]), max(highest, poses[brick, 2])
    start = np.zeros(highest - lowest + 3, np.int64)  # (layer,)
    for brick in range(bricks):
        start[poses[brick, 2] - lowest + 1] += 1
    for layer in range(1, start.size):
        start[layer] += start[layer - 1]
    free = start.copy()
    order = np.empty(bricks, np.int64)  # (place,)
    for brick in range(bricks):
        layer = poses[brick, 2] - lowest
        order[free[layer]] = brick
        free[layer] += 1
    return order, start


@inlined
def random_action(packed: PackedAssemblies, rel: Relations, row: int, state: npt.NDArray[np.uint64]) -> tuple[int, int]:
    """A valid action, each equally likely; (-1, -1) when there is none."""
    words, bricks = packed.words, packed.bricks[row]
    total = 0
    for brick in range(bricks):
        for w in range(words.shape[2]):
            total += popcount(words[row, brick, w])
    if total == 0:
        return -1, -1
    rank = random_number(state, row, total)
    for brick in range(bricks):
        for w in range(words.shape[2]):
            word = words[row, brick, w]
            here = popcount(word)
            if rank < here:
                for _ in range(rank):
                    word &= word - np.uint64(1)  # drop the lowest bit set
                return brick, rel.offset[WORD * w + lowest_bit(word)]
            rank -= here
    return -1, -1
