"""Where bricks can lie in a construction that fills enough of a target, and which of them can be joined.

A brick wastes those of its cells that are outside the target. A construction that fills `overlap` cells with a budget
of n bricks, 8 cells each, wastes at most 8 n - overlap. It holds a chain of joined bricks from the first one to each
other, so a pose that only chains of more waste lead to is no part of it. There is no other window: bricks may leave
the target's box and the images.
"""

import heapq
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.target import Target

# (direction, joint): what to add to x, y and z, and the direction that follows.
Moves = list[list[tuple[int, int, int, int]]]


@dataclass(frozen=True)
class Placements:
    """Poses, the first brick's first, with what is known about a brick there; lists run alike."""

    poses: list[Pose]
    gains: list[int]  # cells of the target that it fills
    pivots: list[list[int]]  # the poses whose bricks it can be joined to
    depths: list[int]  # bricks in the shortest chain that ends with it, the first one included


def placements(target: Target, offsets: OffsetSet, overlap: int) -> Placements:
    """All poses that are needed to fill at least `overlap` cells of the target, as well as it can be done.

    In a tree of joints, a brick that fills nothing and carries none that fills something can be left out. So a pose
    that fills nothing is kept only where a chain, within the same waste, goes on to one that does.
    """
    size, start = offsets.brick, target.start
    wanted = {(x, y, z) for x, y, z in np.argwhere(target.volume).tolist()}
    taken = set(size.cells(start))

    @cache
    def waste(pose: Pose) -> float:
        cells = list(size.cells(pose))
        if pose != start and (pose.z < 0 or not taken.isdisjoint(cells)):
            return math.inf
        return size.studs - len(wanted.intersection(cells))

    ahead, back = moves(offsets)
    limit = size.studs * target.budget - overlap
    to = least_waste([start], ahead, waste, limit)
    useful = [pose for pose in to if waste(pose) < size.studs]
    on = least_waste(useful, back, lambda pose: waste(pose) if pose in to else math.inf, limit)
    kept = {pose for pose in on if to[pose] + on[pose] - waste(pose) <= limit} | {start}
    depth = least_waste([start], ahead, lambda pose: 1 if pose in kept else math.inf, target.budget)

    poses = [start, *sorted(depth.keys() - {start})]
    number = {pose: index for index, pose in enumerate(poses)}
    return Placements(
        poses=poses,
        gains=[size.studs - int(waste(pose)) for pose in poses],
        pivots=[[number[pivot] for pivot in moved(pose, back) if pivot in number] for pose in poses],
        depths=[int(depth[pose]) for pose in poses],
    )


def moves(offsets: OffsetSet) -> tuple[Moves, Moves]:
    """From a pivot to the bricks that can be joined to it, and from a brick to the pivots that it can be joined to.

    These differ where offsets only lead upwards.
    """
    ahead: Moves = [[], []]
    back: Moves = [[], []]
    for pivot_d in offsets.brick.directions:
        for dx, dy, dz, d in offsets.shifts[pivot_d].tolist():
            ahead[pivot_d].append((dx, dy, dz, d))
            back[d].append((-dx, -dy, -dz, pivot_d))
    return ahead, back


def moved(pose: Pose, table: Moves) -> list[Pose]:
    return [Pose(pose.x + dx, pose.y + dy, pose.z + dz, d) for dx, dy, dz, d in table[pose.d]]


def least_waste(
    sources: Iterable[Pose], table: Moves, waste: Callable[[Pose], float], limit: float
) -> dict[Pose, float]:
    """The least waste of a chain of bricks from a source to each pose, where that is at most `limit` (Dijkstra)."""
    best = {pose: waste(pose) for pose in sources}
    queue = [(total, pose) for pose, total in best.items()]
    heapq.heapify(queue)
    while queue:
        total, pose = heapq.heappop(queue)
        if total > best[pose]:
            continue
        for after in moved(pose, table):
            longer = total + waste(after)
            if longer <= limit and longer < best.get(after, math.inf):
                best[after] = longer
                heapq.heappush(queue, (longer, after))
    return best
