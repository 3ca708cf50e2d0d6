"""Parts of a surface that are thinner than a cell: legs, wings and sheets that hold no cell's centre.

They get cells of their own where the surface is: all that it passes through at first, of which those go that are not
needed. What is left of a part is as long and as wide as the part, one cell thick, and in one piece with what it was in
one piece with, side by side, since bricks do not hold at corners.
"""

import numpy as np
import numpy.typing as npt
from scipy import ndimage, sparse
from scipy.sparse import csgraph

from brickbybrick.geometry.voxels import Voxels
from brickbybrick.jit import compiled
from brickbybrick.targets.sampling import Samples

SPACING = 0.125  # cells between the points of the surface
ASIDE = 1e-6  # cells; a sheet between two layers, as in the very middle, is in one of them everywhere
LEAST = 0.01  # squares of a cell; a surface that takes less of a cell does not pass through it
SURROUNDINGS = 2.0  # cells
ACROSS = 0.5  # of the largest share: an axis along which this much of the surface looks may be across the part
SAME_SIDE = 0.75  # squared correlation of two axes; beyond it the surface is one tilted sheet
LONGEST_GAP = 4.0  # cells on the way between two pieces, those of little surface counted up to twice

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# The cells of 3 x 3 x 3 as the bits of a word, and for each the word of those beside it, and of those around it.
PLACES = np.stack(np.unravel_index(np.arange(27), (3, 3, 3)), axis=1)  # (cell, axis)
APART = np.abs(PLACES[:, None] - PLACES[None])  # (cell, cell, axis)
BESIDE = ((APART.sum(axis=2) == 1) << np.arange(27)).sum(axis=1)
TOUCHING = ((APART.max(axis=2) == 1) << np.arange(27)).sum(axis=1)
MIDDLE = 1 << 13
AROUND = int(TOUCHING[13])


def thickened(solid: Voxels, samples: Samples, normals: Floats) -> Voxels:
    """The cells inside a surface, and those that its thin parts need.

    Args:
        solid: Cells whose centres are inside.
        samples: Points of the surface.
        normals: Of its faces (face, axis), of any length but 0.
    """
    at = np.floor(samples.places + ASIDE).astype(np.int64).clip(0, np.array(solid.shape) - 1)
    number = np.ravel_multi_index(tuple(at.T), solid.shape)
    coverage = np.asarray(np.bincount(number, samples.areas, solid.size).reshape(solid.shape), np.float64)  # (x, y, z)
    touched = coverage > LEAST
    around = np.ones((3, 3, 3), bool)
    lost = touched & ~ndimage.binary_dilation(solid, around)
    if lost.any():
        kept = ndimage.binary_fill_holes(solid | (touched & ndimage.binary_dilation(lost, around)))
        candidates = np.argwhere(kept & ~solid)
        weight = np.where(solid, np.inf, _weight(coverage, lost))
        order = np.argsort(weight[tuple(candidates.T)], kind="stable")
        _thin(kept, candidates[order], _looks(number, samples, normals, solid.shape), weight)
        solid = kept
    return _joined(solid, touched, coverage)


def _weight(coverage: Floats, lost: Voxels) -> Floats:
    """How much of a thin part is in a cell, averaged with its surroundings, or a part between two layers would be now
    in this one and now in the other; rounded, so that chance does not choose between cells that are alike."""
    total = ndimage.gaussian_filter(np.where(lost, coverage, 0), SURROUNDINGS)
    cells = ndimage.gaussian_filter(lost.astype(np.float64), SURROUNDINGS)
    return np.asarray((total / np.maximum(cells, 1e-6)).round(2))


def _looks(number: Ints, samples: Samples, normals: Floats, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Which axes are across the part of the surface in each cell, (x, y, z, axis).

    Of a sheet it is one, however the sheet is tilted; of a leg, whose sides look in different directions, it may be
    another as well.
    """
    cells = int(np.prod(shape))
    facing = normals[samples.faces]
    sums = np.empty((cells, 3, 3))  # of the products of the normals' parts
    for one in range(3):
        for other in range(one, 3):
            product = facing[:, one] * facing[:, other] * samples.areas
            sums[:, one, other] = sums[:, other, one] = np.bincount(number, product, cells)
    each = np.einsum("caa->ca", sums)
    first = each.argmax(axis=1)
    most = np.take_along_axis(each, first[:, None], axis=1)
    together = np.take_along_axis(sums, first[:, None, None], axis=1)[:, 0]  # of the first axis and each
    different = together**2 <= SAME_SIDE * most * each
    looks = (each >= ACROSS * most) & different
    np.put_along_axis(looks, first[:, None], True, axis=1)
    return np.asarray(looks.reshape(*shape, 3))


@compiled
def _thin(kept: Voxels, candidates: Ints, looks: npt.NDArray[np.bool_], weight: Floats) -> None:
    """Takes candidates (cell, axis) away, in their order, if a neighbour across the part has at least their weight and
    they can go."""
    wide, deep, high = kept.shape
    for candidate in range(len(candidates)):
        x, y, z = candidates[candidate, 0], candidates[candidate, 1], candidates[candidate, 2]
        near = 0
        shared = False
        for number in range(27):
            i, j, k = number // 9 - 1, number // 3 % 3 - 1, number % 3 - 1
            u, v, w = x + i, y + j, z + k
            if 0 <= u < wide and 0 <= v < deep and 0 <= w < high and kept[u, v, w]:
                near |= 1 << number
                if abs(i) + abs(j) + abs(k) == 1 and looks[x, y, z, abs(j) + 2 * abs(k)]:
                    shared = shared or weight[u, v, w] >= weight[x, y, z]
        if shared and can_go(near):
            kept[x, y, z] = False


@compiled
def can_go(near: int) -> bool:
    """Whether the cell in the middle of 3 x 3 x 3, of which those with a bit are filled, can go without parting
    anything or piercing a sheet: the cells beside it hang together without it, side by side, and so do the empty cells
    around it, corners included."""
    around = near & ~MIDDLE
    return _pieces(around, around & BESIDE[13], BESIDE) == 1 and _pieces(~near & AROUND, ~near & AROUND, TOUCHING) == 1


@compiled
def _pieces(cells: int, starts: int, joined: Ints) -> int:
    """How many pieces of the cells there are that hold a start; those with a bit in each other's word are joined."""
    pieces = 0
    while starts:
        piece, before = starts & -starts, 0
        while piece != before:
            before = piece
            for number in range(27):
                if before >> number & 1:
                    piece |= joined[number] & cells
        starts &= ~piece
        pieces += 1
    return pieces


def _joined(solid: Voxels, touched: Voxels, coverage: Floats) -> Voxels:
    """The cells, and those of the surface on the shortest ways to thin pieces that lie apart from the rest."""
    pieces, count = ndimage.label(solid)
    if count < 2:
        return solid
    block = ndimage.binary_opening(solid, np.ones((2, 2, 2), bool))
    thick = np.zeros(count + 1, bool)
    thick[np.unique(pieces[block])] = True
    ways = np.flatnonzero(touched & ~solid)
    node = np.full(solid.shape, -1, np.int32)  # pieces first, then cells of the surface
    node[solid] = pieces[solid] - 1
    node.reshape(-1)[ways] = count + np.arange(len(ways))
    length = np.concatenate([np.zeros(count), 2 - coverage.reshape(-1)[ways].clip(0, 1)])
    pairs = np.concatenate([_pairs(node, axis) for axis in range(3)])
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    weights = length[pairs].sum(axis=1) / 2
    graph = sparse.coo_matrix((weights, tuple(pairs.T)), shape=(len(length),) * 2).tocsr()
    far, before, source = csgraph.dijkstra(
        graph, directed=False, indices=np.arange(count), return_predecessors=True, min_only=True, limit=LONGEST_GAP
    )
    chosen = _bridges(weights + far[pairs].sum(axis=1), source[pairs], thick[1:])
    joined = solid.reshape(-1).copy()
    for end in pairs[chosen].reshape(-1):
        while end >= count:
            joined[ways[end - count]] = True
            end = before[end]
    return joined.reshape(solid.shape)


def _pairs(node: npt.NDArray[np.int32], axis: int) -> Ints:
    """The nodes that lie side by side along an axis, (pair, 2)."""
    along = np.moveaxis(node, axis, 0)
    pairs = np.stack([along[:-1].reshape(-1), along[1:].reshape(-1)], axis=1)
    return np.asarray(pairs[(pairs >= 0).all(axis=1)])


def _bridges(lengths: Floats, between: Ints, thick: npt.NDArray[np.bool_]) -> Ints:
    """Which pairs lie in the middle of the shortest ways (pair,) that join pieces; two thick ones need none."""
    usable = np.isfinite(lengths) & (lengths <= LONGEST_GAP) & (between[:, 0] != between[:, 1])
    usable[usable] &= ~thick[between[usable]].all(axis=1)
    numbers = np.flatnonzero(usable)
    numbers = numbers[np.argsort(lengths[numbers], kind="stable")]
    ends = np.sort(between[numbers].astype(np.int64), axis=1)
    _, first = np.unique(ends[:, 0] * len(thick) + ends[:, 1], return_index=True)  # the shortest between any two
    number_of = np.arange(len(thick))

    def root(piece: int) -> int:
        while number_of[piece] != piece:
            number_of[piece] = number_of[number_of[piece]]
            piece = int(number_of[piece])
        return piece

    chosen = []
    for number in numbers[np.sort(first)]:
        one, other = (root(int(piece)) for piece in between[number])
        if one != other:
            number_of[one] = other
            chosen.append(number)
    return np.array(chosen, np.int64)
