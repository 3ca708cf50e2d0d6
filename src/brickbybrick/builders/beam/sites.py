"""Sites: every place where a brick of a model could lie, numbered, with what it is worth and what it excludes.

A search that tries the same places millions of times should not work out poses, cells and joints each time. For one
target all of that is a few lists of site numbers.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.geometry.voxels import bounds
from brickbybrick.jit import Ints, compiled

UNIT = 64  # a cell that is certainly wanted is worth this much: worths are whole numbers, so that sums are exact
HEADROOM = 1  # layers above the target in which bricks may lie, to join what is below them
FAR = 32  # cells from the target, beyond which bricks that others placed are left alone

Numbers = npt.NDArray[np.int32]  # of sites and of pixels
View = tuple[tuple[int, int], npt.NDArray[np.floating]]  # the axes that it shows, the worth of pixels along them


class Sites(NamedTuple):
    """The places for bricks around one target."""

    begun: int  # bricks that lie at the first sites
    poses: Ints  # (site, 4)
    worths: Ints  # (site,) what the cells of a brick there are worth
    hopes: Ints  # (site,) the most that a brick there can promise, see `beam.grow`
    joins: Numbers  # (site, offset) the sites that actions with this one as pivot lead to, then -1
    clashes: Numbers  # (site, other) the sites that share a cell with this one, itself too, then -1
    pixels: Numbers  # (site, pixel) the silhouettes' pixels that a brick there covers, then -1
    prizes: Ints  # (pixel,) what covering it is worth, once


def sites_of(
    offsets: OffsetSet, worth: npt.NDArray[np.floating], begun: Sequence[Pose], views: Sequence[View] = ()
) -> Sites:
    """The sites around a target and the bricks already placed.

    Args:
        offsets: The joints an action may choose from.
        worth: What it is worth to fill each cell (x, y, z), 1 being certainly wanted.
        begun: The bricks that are there; the first sites are theirs, in this order, less those far away.
        views: What it is worth to cover pixels of silhouettes.
    """
    size = offsets.brick
    extent = np.array([size.extent(d) for d in (0, 1)], np.int64)  # (direction, 2)
    there = np.array([tuple(pose) for pose in begun], np.int64).reshape(-1, 4)
    spans = _spans(worth, there, extent)
    near = np.all((there[:, :3] >= spans[:, 0] - 2 * size.length) & (there[:, :3] < spans[:, 1] + size.length), axis=1)
    there = there[near]
    in_a_row = len(there) > 0 and bool(np.all((there[:, 3] == 0) & (there[:, 1] == there[0, 1])))
    flat = offsets.flat and in_a_row  # so that all others are too
    poses = [there]
    for d in (0,) if flat else size.directions:
        axes = [
            np.arange(spans[0, 0] - extent[d, 0] + 1, spans[0, 1]),
            there[:1, 1] if flat else np.arange(spans[1, 0] - extent[d, 1] + 1, spans[1, 1]),
            np.arange(spans[2, 0], spans[2, 1]),
            np.array([d]),
        ]
        poses.append(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 4))
    every = np.concatenate(poses)
    lowest = np.append(every[:, :3].min(axis=0), 0)
    number = np.full((*np.ptp(every[:, :3], axis=0) + 1, 2), -1, np.int32)  # (x, y, z, d) the site of a pose
    places = np.ravel_multi_index(tuple((every - lowest).T), number.shape)
    first = np.sort(np.unique(places, return_index=True)[1])  # the bricks begun are among all others once more
    every, number.flat[places[first]] = every[first], np.arange(len(first))
    worths = _worths(every, extent, np.rint(np.asarray(worth) * UNIT).astype(np.int64))
    joins = np.full((len(every), len(offsets)), -1, np.int32)
    _number_joins(every, offsets.shifts, lowest, number, joins)
    clashes = np.full((len(every), 4 * size.width * size.length + 4 * size.length**2), -1, np.int32)
    most = _number_clashes(every, extent, lowest, number, clashes)
    pixels, prizes = _pixels(every, extent, views)
    best_join = np.append(worths, 0)[joins].max(axis=1, initial=0)  # where there is none, -1 leads to the 0
    hopes = worths + (best_join >> 1) + np.append(prizes, 0)[pixels].sum(axis=1)
    return Sites(len(there), every, worths, hopes, joins, np.ascontiguousarray(clashes[:, :most]), pixels, prizes)


def _spans(worth: npt.NDArray[np.floating], there: Ints, extent: Ints) -> Ints:
    """The box (axis, 2) that bricks may lie in or reach into: around the target and what is built near it."""
    spans = bounds(worth != 0)
    spans[2] = 0, spans[2, 1] + HEADROOM
    if len(there):
        last = there[:, :3] + np.concatenate([extent[there[:, 3]], np.ones((len(there), 1), np.int64)], axis=1)
        spans[:, 0] = np.minimum(spans[:, 0], np.maximum(there[:, :3].min(axis=0), spans[:, 0] - FAR))
        spans[:, 1] = np.maximum(spans[:, 1], np.minimum(last.max(axis=0), spans[:, 1] + FAR))
    spans[2, 0] = 0
    return spans


def _worths(poses: Ints, extent: Ints, worth: Ints) -> Ints:
    """What the cells of a brick at each pose are worth, (site,): sums over rectangles, from sums from the corner on.
    One layer more is for those above and below the grid, where nothing is."""
    sums = np.zeros(np.add(worth.shape, 1), np.int64)
    worth.cumsum(axis=0).cumsum(axis=1, out=sums[1:, 1:, :-1])
    ends = np.stack([poses[:, :2], poses[:, :2] + extent[poses[:, 3]]])  # (end, site, 2)
    (x, y), (far_x, far_y) = np.clip(ends, 0, worth.shape[:2]).transpose(0, 2, 1)
    z = np.where(poses[:, 2] < 0, worth.shape[2], np.minimum(poses[:, 2], worth.shape[2]))
    found: Ints = sums[far_x, far_y, z] - sums[x, far_y, z] - sums[far_x, y, z] + sums[x, y, z]
    return found


@compiled
def _number_joins(poses: Ints, shifts: Ints, lowest: Ints, number: Numbers, joins: Numbers) -> None:
    for site in range(poses.shape[0]):
        d, count = poses[site, 3], 0
        for offset in range(shifts.shape[1]):
            x = poses[site, 0] + shifts[d, offset, 0] - lowest[0]
            y = poses[site, 1] + shifts[d, offset, 1] - lowest[1]
            z = poses[site, 2] + shifts[d, offset, 2] - lowest[2]
            if 0 <= x < number.shape[0] and 0 <= y < number.shape[1] and 0 <= z < number.shape[2]:
                joined = number[x, y, z, shifts[d, offset, 3]]
                if joined >= 0:
                    joins[site, count] = joined
                    count += 1


@compiled
def _number_clashes(poses: Ints, extent: Ints, lowest: Ints, number: Numbers, clashes: Numbers) -> int:
    """Fills in the clashes and returns the most that a site has."""
    most = 0
    for site in range(poses.shape[0]):
        d, z, count = poses[site, 3], poses[site, 2] - lowest[2], 0
        corner_x, corner_y = poses[site, 0] - lowest[0], poses[site, 1] - lowest[1]
        for other in range(2):
            for x in range(max(corner_x - extent[other, 0] + 1, 0), min(corner_x + extent[d, 0], number.shape[0])):
                for y in range(max(corner_y - extent[other, 1] + 1, 0), min(corner_y + extent[d, 1], number.shape[1])):
                    if number[x, y, z, other] >= 0:
                        clashes[site, count] = number[x, y, z, other]
                        count += 1
        most = max(most, count)
    return most


def _pixels(poses: Ints, extent: Ints, views: Sequence[View]) -> tuple[Numbers, Ints]:
    """The pixels of positive worth that each site covers, numbered through all views, and their worths."""
    listed: list[Numbers] = []
    prizes: list[Ints] = [np.zeros(0, np.int64)]
    across = np.concatenate([extent[poses[:, 3]], np.ones((len(poses), 1), np.int64)], axis=1)  # (site, axis)
    count = 0
    for (first, second), worth in views:
        scaled = np.rint(np.asarray(worth) * UNIT).astype(np.int64)
        shown = scaled > 0
        number = np.full(shown.shape, -1, np.int32)
        number[shown] = count + np.arange(int(shown.sum()))
        count += int(shown.sum())
        prizes.append(scaled[shown])
        for u in range(int(across[:, first].max())):
            for v in range(int(across[:, second].max())):
                at_u, at_v = poses[:, first] + u, poses[:, second] + v
                there = (u < across[:, first]) & (v < across[:, second])
                there &= (at_u >= 0) & (at_u < shown.shape[0]) & (at_v >= 0) & (at_v < shown.shape[1])
                column = np.full(len(poses), -1, np.int32)
                column[there] = number[at_u[there], at_v[there]]
                listed.append(column)
    if not listed:
        return np.zeros((len(poses), 0), np.int32), np.concatenate(prizes)
    pixels = -np.sort(-np.stack(listed, axis=1), axis=1)  # the -1 go to the end
    most = int((pixels >= 0).sum(axis=1).max())
    return np.ascontiguousarray(pixels[:, :most]), np.concatenate(prizes)
