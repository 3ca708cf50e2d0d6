"""How long exact validity takes: the whole mask of a model, and keeping it up to date when a brick is placed."""

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from brickbybrick.bench.naive import cell_by_cell_mask, pairwise_mask
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.packed import PackedAssemblies, allocate, full_mask, put, put_all
from brickbybrick.geometry.relations import Relations, relations, unpack_mask
from brickbybrick.jit import compiled, seeded
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


@compiled
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
