"""Pillars under what would fall: piles of bricks from the ground, or from another brick, up to where a hand would have
to hold the model.

They are not part of what is wanted, so the nearest and thinnest are the best.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np

from brickbybrick.builders.posts import Pile
from brickbybrick.geometry.mixed import MixedAssembly
from brickbybrick.geometry.stability import where_to_hold
from brickbybrick.geometry.statics import Ground, Statics

REACH = 4.0  # studs from where a hand would hold a model to the bricks that a pillar may go under
NARROW = 1.0  # studs that a pillar one stud wide may be nearer to where it is needed than a wider one
BULK = 0.02 / 3  # studs that a pillar may be farther for each cell of one plate that it has less


def best_pillar(assembly: MixedAssembly, budget: int) -> Pile | None:
    """The best pillar where a hand would have to hold a model most, or where else it would have to, so that the model
    has no more bricks than its budget; None if it stands, or if none fits.

    Where there is no room under the brick to be held, the bricks around it are tried: it may be part of a wall.
    """
    model = list(assembly.bricks.values())
    numbers, statics, room = list(assembly.bricks), Statics(model), budget - len(assembly)
    ground = statics.ground // assembly.layer
    for hold in sorted(where_to_hold(model, Ground.TABLE), key=lambda hold: -hold.force):
        away = np.hypot(*(statics.centres - (hold.x, hold.y)).T)  # (brick,)
        around = np.flatnonzero(away < REACH).tolist()
        for some in ([hold.brick], around):
            found = [_pillars_under(assembly, numbers[brick], hold.x, hold.y, ground, room) for brick in some]
            if (best := min(chain.from_iterable(found), default=None)) is not None:
                return best
    return None


def _pillars_under(
    assembly: MixedAssembly, brick: int, at_x: float, at_y: float, ground: int, room: int
) -> Iterator[Pile]:
    """Every pillar of up to so many bricks that fits under a brick, down to the ground or onto another brick, and that
    there are bricks for; it is the better the nearer it is to a place and the fewer cells it has."""
    bricks, (kind, x, y, z) = assembly.arrays, assembly.arrays.placed[brick].tolist()
    wide, deep, _ = bricks.owner.shape
    for other, (along_x, along_y, up) in enumerate(bricks.extent[: len(bricks.taken)].tolist()):
        there = min(int(bricks.left[bricks.size[other]]), room)
        for from_x in range(max(0, x - along_x + 1), min(wide, x + int(bricks.extent[kind, 0]))):
            for from_y in range(max(0, y - along_y + 1), min(deep, y + int(bricks.extent[kind, 1]))):
                free = bricks.taken[other, from_x, from_y, ground : z - up + 1][::-up] == 0  # (brick,)
                height = up * int(np.argmin(np.append(free, False)))
                lands = z - height == ground or bricks.owner[from_x, from_y, z - height - 1] >= 0
                if 0 < height <= there * up and lands:
                    away = float(np.hypot(from_x + along_x / 2 - at_x, from_y + along_y / 2 - at_y))
                    bulk = along_x * along_y * height * assembly.layer
                    cost = away + BULK * bulk + NARROW * (min(along_x, along_y) == 1)
                    yield Pile(cost, other, from_x, from_y, z - height, z - 1)
