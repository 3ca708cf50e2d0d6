"""Posts that carry what nothing joins: the dot of an i over its stem, or the stem of an exclamation mark over its dot.

A post is a thin pile of bricks between two pieces, right over each other, with nothing in between. It is not part of
what is wanted, so it must be worth it; what lies beside the rest has none.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from brickbybrick.builders.masonry import Yard, piece_sizes
from brickbybrick.geometry.mixed import OUTSIDE, MixedArrays, is_free, put_brick
from brickbybrick.jit import Ints

MOST_HIGH = 36  # plates of a post
MOST_TRIED = 8  # pieces
# What a post costs, the least being the best.
BULK = 0.1 / 3  # a cell of one plate
WIDTH = 0.5  # a stud from left to right, for that is how it is seen
AWAY = 1.0  # a stud from the middle of what it carries to its own
HELD = 1.0  # a stud less, of those that hold its ends
STUDS_FOR = 180  # cells of one plate, of a piece, for each stud beyond the first two that is worth having


class Pile(NamedTuple):
    """A post or a pillar: bricks on top of each other, as broad as those of a kind."""

    cost: float  # the least is the best
    kind: int
    x: int
    y: int
    foot: int  # the lowest layer
    top: int  # the highest


def put_pile(bricks: MixedArrays, pile: Pile) -> list[int]:
    """Puts a pile where it belongs, in bricks of its breadth that are as high as there is room for, and returns their
    numbers. None is lower than those of its kind, so that these always fill the rest of it."""
    extent = bricks.extent[: len(bricks.taken)]  # (kind, 3)
    broad, high = (extent[:, :2] == extent[pile.kind, :2]).all(axis=1), extent[:, 2] > extent[pile.kind, 2]
    alike = np.flatnonzero(broad & high).tolist()
    numbers, layer = [], pile.foot
    while layer <= pile.top:
        kinds = [kind for kind in alike if layer % extent[kind, 2] == 0 and layer + extent[kind, 2] <= pile.top + 1]
        kinds = [kind for kind in kinds if is_free(bricks, kind, pile.x, pile.y, layer)]
        kind = max(kinds, key=lambda kind: int(extent[kind, 2]), default=pile.kind)
        numbers.append(put_brick(bricks, kind, pile.x, pile.y, layer))
        layer += int(extent[kind, 2])
    return numbers


def best_post(yard: Yard, main: int, layer: int) -> Pile | None:
    """The best post between the main piece and the largest other that one can carry; None if it can carry none.

    The pieces must be named, as by `find_pieces`. Layers are so many plates high. What a post carries must be more than
    the post adds.
    """
    worth, owner = piece_sizes(yard), yard.bricks.owner
    piece = np.where(owner >= 0, yard.piece[owner], owner)  # (x, y, z)
    loose = [other for other in np.unique(piece).tolist() if other >= 0 and other != main and worth[other] > 0]
    for other in sorted(loose, key=lambda other: -worth[other])[:MOST_TRIED]:
        found = (post for post in _posts(yard, piece, main, other, layer) if _bulk(yard, post) < worth[other])
        if (best := min(found, default=None)) is not None:
            return best
    return None


def _bulk(yard: Yard, post: Pile) -> int:
    """Cells of a post."""
    return int(np.prod(yard.bricks.extent[post.kind, :2])) * (post.top - post.foot + 1)


def _posts(yard: Yard, piece: Ints, main: int, other: int, layer: int) -> Iterator[Pile]:
    """Every post between two pieces, of those that cells (x, y, z) belong to, for which there are bricks."""
    bricks, cells = yard.bricks, np.argwhere(piece == other)  # (cell, 3)
    middle, studs = cells[:, :2].mean(axis=0) + 0.5, 2 + layer * len(cells) // STUDS_FOR
    (low_x, low_y), (high_x, high_y) = cells[:, :2].min(axis=0).tolist(), cells[:, :2].max(axis=0).tolist()
    for kind, (along_x, along_y, up) in enumerate(bricks.extent[: len(bricks.taken)].tolist()):
        left = int(bricks.left[bricks.size[kind]]), int(yard.limits[0] - bricks.tally[1])
        there = min(*left, MOST_HIGH // (layer * up))
        for x in range(max(0, low_x - along_x + 1), high_x + 1):
            for y in range(max(0, low_y - along_y + 1), high_y + 1):
                over = piece[x : x + along_x, y : y + along_y]  # (along x, along y, z)
                away = float(np.hypot(x + along_x / 2 - middle[0], y + along_y / 2 - middle[1]))
                if bricks.taken[kind, x, y, 0] >= OUTSIDE:
                    continue
                for foot, top, held in _gaps(over, main, other, up * there):
                    if (top - foot + 1) % up or foot % up:
                        continue
                    post = Pile(0.0, kind, x, y, foot, top)
                    cost = BULK * layer * _bulk(yard, post) + WIDTH * along_x + AWAY * away - HELD * min(held, studs)
                    yield post._replace(cost=cost)


def _gaps(over: Ints, main: int, other: int, most: int) -> Iterator[tuple[int, int, int]]:
    """Runs of up to so many layers, free in all columns (along x, along y, z), between two pieces: the first, the last,
    and the studs at the weaker end."""
    layers = np.flatnonzero((over != -1).any(axis=(0, 1))).tolist()  # or kept free
    for below, above in pairwise(layers):
        if 1 < above - below <= most + 1:
            ends = [
                int(min((over[..., below] == one).sum(), (over[..., above] == another).sum()))
                for one, another in ((main, other), (other, main))
            ]
            if max(ends) > 0:
                yield below + 1, above - 1, max(ends)
