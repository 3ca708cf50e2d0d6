"""How long exact validity takes: the whole mask of a model, and keeping it up to date when a brick is placed.

Beside it stands the rule as one would first write it: no tables, no memory of the last step. That is compiled too, so
that a ratio compares the rules and not the languages.
"""

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.packed import PackedAssemblies, allocate, full_mask, put, put_all
from brickbybrick.geometry.relations import Relations, relations, unpack_mask
from brickbybrick.jit import compiled, kernel, random_number, seeded
from brickbybrick.targets.random_assembly import grow

BRICKS = (10, 30, 100, 300, 1000)
MODELS = 64  # different ones, so that the processor cannot learn one model's branches by heart
REPEATS = 5  # the fastest counts: other work on the machine only ever adds time


def bench_validity(progress: Callable[[str], None] = lambda _: None) -> dict[str, float]:
    """Microseconds for all 92 offsets of uniformly random assemblies, and ratios to plain implementations."""
    rel = relations(offset_set("all"))
    figures: dict[str, float] = {}
    for bricks in BRICKS:
        progress(f"models of {bricks} bricks")
        figures |= _figures(bricks, rel)
    figures["incremental_growth_100_to_1000"] = figures["incremental_us_1000"] / figures["incremental_us_100"]
    return figures


def _figures(bricks: int, rel: Relations) -> dict[str, float]:
    poses = _random_models(rel, bricks)
    models = poses[:, :bricks].copy()  # (model, brick, 4)
    words = np.empty((MODELS, bricks, rel.every.size), np.uint64)
    mask = np.empty((bricks, rel.bit.size), bool)
    some, few = (models[: max(1, min(MODELS, enough // bricks))] for enough in (6400, 640))  # for the slow ones
    full = _fastest(lambda: _full_masks(models, rel, words)) / MODELS
    _check(models[0], rel, words[0])
    cells = _fastest(lambda: [cell_by_cell_mask(model, rel, mask) for model in some]) / len(some)
    pairwise = _fastest(lambda: [pairwise_mask(model, rel, mask) for model in few]) / len(few)
    incremental = _incremental(poses, bricks, rel)
    return {
        f"full_mask_us_{bricks}": full,
        f"incremental_us_{bricks}": incremental,
        f"cell_by_cell_us_{bricks}": cells,
        f"pairwise_us_{bricks}": pairwise,
        f"ratio_to_cell_by_cell_{bricks}": cells / full,
        f"ratio_to_pairwise_{bricks}": pairwise / full,
        f"incremental_ratio_to_cell_by_cell_{bricks}": cells / incremental,
        f"incremental_ratio_to_pairwise_{bricks}": pairwise / incremental,
    }


def _random_models(rel: Relations, bricks: int) -> npt.NDArray[np.int16]:
    """Random assemblies of `bricks` bricks and the ones to be placed on them (model, brick, 4)."""
    size = offset_set("all").brick
    room = bricks + max(8, bricks // 20)
    packed = allocate(size, rel, MODELS, room)
    generator = seeded(MODELS, seed=bricks)
    for model in range(MODELS):
        grow(packed, rel, model, room, generator, np.empty((room, 2), np.int16))
    return packed.placed[:, :, :4].copy()


def _incremental(poses: npt.NDArray[np.int16], bricks: int, rel: Relations) -> float:
    """Microseconds to place one more brick, masks and contacts brought up to date.

    Models are taken a few at a time, so that they stay in the processor's cache as a model being built does.
    """
    together = max(1, min(MODELS, 2000 // bricks))
    packed = allocate(offset_set("all").brick, rel, together, poses.shape[1])
    _place_more(packed, rel, poses[:0], bricks)  # compiled before the clock starts
    fastest = float("inf")
    for _ in range(REPEATS):
        spent = 0.0
        for first in range(0, MODELS - together + 1, together):
            batch = poses[first : first + together]
            for row, model in enumerate(batch):
                put_all(packed, rel, row, model[:bricks])
            start = time.perf_counter()
            _place_more(packed, rel, batch, bricks)
            spent += time.perf_counter() - start
        fastest = min(fastest, spent)
    placements = MODELS // together * together * int(poses.shape[1] - bricks)
    return 1e6 * fastest / placements


@kernel
def _place_more(packed: PackedAssemblies, rel: Relations, poses: npt.NDArray[np.int16], first: int) -> None:
    for model in range(poses.shape[0]):
        for brick in range(first, poses.shape[1]):
            x, y, z = poses[model, brick, 0], poses[model, brick, 1], poses[model, brick, 2]
            put(packed, rel, model, x, y, z, poses[model, brick, 3])


@compiled
def _full_masks(models: npt.NDArray[np.int16], rel: Relations, words: npt.NDArray[np.uint64]) -> None:
    for model in range(models.shape[0]):
        full_mask(models[model], rel, words[model])


def _fastest(work: Callable[[], object]) -> float:
    """Microseconds of the fastest of some repeats, after one that compiles."""
    work()
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1e6


def _check(poses: npt.NDArray[np.int16], rel: Relations, words: npt.NDArray[np.uint64]) -> None:
    """What was timed is right: the mask equals the readable one."""
    assembly = Assembly()
    for pose in poses.tolist():
        assembly.put(Pose(*pose))
    assert (unpack_mask(words, rel) == assembly.mask()).all()


@compiled
def cell_by_cell_mask(poses: npt.NDArray[np.int16], rel: Relations, mask: npt.NDArray[np.bool_]) -> None:
    """Marks all filled cells in a grid, then tests every cell of every possible new brick (brick, offset)."""
    bricks, margin = poses.shape[0], 2 * rel.reach
    low, high = np.empty(3, np.int64), np.empty(3, np.int64)
    for axis in range(3):
        low[axis], high[axis] = poses[:, axis].min() - margin, poses[:, axis].max() + margin
    grid = np.zeros((high[0] - low[0], high[1] - low[1], high[2] - low[2]), np.bool_)
    for brick in range(bricks):
        x, y, z, d = poses[brick, 0] - low[0], poses[brick, 1] - low[1], poses[brick, 2] - low[2], poses[brick, 3]
        grid[x : x + rel.extent[d, 0], y : y + rel.extent[d, 1], z] = True
    for brick in range(bricks):
        for offset in range(mask.shape[1]):
            shift = rel.shift[poses[brick, 3], offset]
            x, y = poses[brick, 0] + shift[0] - low[0], poses[brick, 1] + shift[1] - low[1]
            z, d = poses[brick, 2] + shift[2], shift[3]
            free = z >= 0
            for i in range(rel.extent[d, 0]):
                for j in range(rel.extent[d, 1]):
                    free = free and not grid[x + i, y + j, z - low[2]]
            mask[brick, offset] = free


@kernel
def pairwise_mask(poses: npt.NDArray[np.int16], rel: Relations, mask: npt.NDArray[np.bool_]) -> None:
    """Compares every possible new brick with every brick placed: the paper's O(offsets * bricks^2)."""
    bricks = poses.shape[0]
    for brick in range(bricks):
        for offset in range(mask.shape[1]):
            shift = rel.shift[poses[brick, 3], offset]
            x, y, z, d = poses[brick, 0] + shift[0], poses[brick, 1] + shift[1], poses[brick, 2] + shift[2], shift[3]
            free = z >= 0
            for other in range(bricks):
                dx, dy, other_d = poses[other, 0] - x, poses[other, 1] - y, poses[other, 3]
                if (
                    poses[other, 2] == z
                    and -rel.extent[other_d, 0] < dx < rel.extent[d, 0]
                    and -rel.extent[other_d, 1] < dy < rel.extent[d, 1]
                ):
                    free = False
            mask[brick, offset] = free


@compiled
def naive_episode(rel: Relations, bricks: int, pairwise: bool, generator: npt.NDArray[np.uint64]) -> int:
    """Places up to `bricks` bricks at random, computing the whole mask anew at each step. Returns the steps taken."""
    poses = np.zeros((bricks, 4), np.int16)
    mask = np.zeros((bricks, rel.bit.shape[0]), np.bool_)
    for new in range(1, bricks):
        if pairwise:
            pairwise_mask(poses[:new], rel, mask[:new])
        else:
            cell_by_cell_mask(poses[:new], rel, mask[:new])
        valid = np.flatnonzero(mask[:new])
        if valid.size == 0:
            return new - 1
        pivot, offset = divmod(valid[random_number(generator, 0, valid.size)], mask.shape[1])
        shift = rel.shift[poses[pivot, 3], offset]
        for axis in range(3):
            poses[new, axis] = poses[pivot, axis] + shift[axis]
        poses[new, 3] = shift[3]
    return bricks - 1
