"""What three views cannot tell apart: volumes drawn at random from those that look alike, and what that costs.

An agent that sees silhouettes cannot know which of the volumes that cast them is meant. How much of what it misses is
due to that is estimated with other volumes of the same views: whoever builds one of them perfectly has made no mistake
that the images show.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from brickbybrick.builders.beam.planner import WORK, SearchBuilder, from_views, from_volume
from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.geometry.voxels import Voxels, iou
from brickbybrick.jit import compiled, random_number, seeded
from brickbybrick.targets.target import Target

BURN_IN = 100  # moves for each cell of the hull before the first volume is taken
THINNING = 20  # moves for each cell of the hull between two volumes
SLACK = 8  # cells that a volume may have too many on its way to the next one


def volumes_alike(target: Target, number: int, seed: int = 0) -> list[Voxels]:
    """Volumes with exactly the views of a target and as many cells, which the budget tells within a brick.

    A Markov chain begins at the target's volume and flips cells of the hull, or swaps a filled one for an empty one; a
    move is not made if it would leave a pixel of a view without a cell, or too few cells, or more than `SLACK` too
    many. Moves are as likely there as back, so that in the long run every volume that can be reached is as likely as
    any other; those with too many cells are passed over. Without them some volumes could not be reached, as where each
    cell is needed by some pixel.
    """
    if len(target.images) != 3 or target.voxels is None:
        raise InputError(f"{target.name}: volumes that look alike are drawn for targets of three views and a volume")
    x, y, z = np.nonzero(target.hull)  # (cell,) each
    filled = target.voxels[target.hull]  # (cell,)
    side = max(target.hull.shape)
    pixels = np.stack([x * side + z, (side + y) * side + z, (2 * side + x) * side + y], axis=1)  # (cell, view)
    behind = np.bincount(pixels[filled].ravel(), minlength=3 * side * side)  # (pixel,) filled cells
    generator = seeded(1, seed)
    drawn = []
    for sample in range(number):
        moves = len(filled) * (THINNING if sample else BURN_IN)
        _wander(filled, pixels, behind, generator, moves)
        volume = np.zeros(target.hull.shape, np.bool_)
        volume[target.hull] = filled
        drawn.append(volume)
    return drawn


@compiled
def _wander(
    filled: npt.NDArray[np.bool_],
    pixels: npt.NDArray[np.int64],
    behind: npt.NDArray[np.int64],
    generator: npt.NDArray[np.uint64],
    moves: int,
) -> None:
    """Makes moves of the chain, a flip or a swap, each as often; those count that lead to as many cells as before."""
    extra = 0
    while moves > 0:
        cell = random_number(generator, 0, filled.size)
        if random_number(generator, 0, 2) == 0:
            if filled[cell]:
                if extra > 0 and _can_go(pixels, behind, cell):
                    _turn(filled, pixels, behind, cell)
                    extra -= 1
            elif extra < SLACK:
                _turn(filled, pixels, behind, cell)
                extra += 1
        else:
            other = random_number(generator, 0, filled.size)
            if filled[cell] != filled[other]:
                if filled[cell]:
                    cell, other = other, cell
                _turn(filled, pixels, behind, cell)  # filled first: it may cover what the other one leaves
                if _can_go(pixels, behind, other):
                    _turn(filled, pixels, behind, other)
                else:
                    _turn(filled, pixels, behind, cell)
        moves -= extra == 0


@compiled
def _can_go(pixels: npt.NDArray[np.int64], behind: npt.NDArray[np.int64], cell: int) -> bool:
    """Whether all pixels of a filled cell are covered without it."""
    spare = True
    for view in range(pixels.shape[1]):
        spare &= behind[pixels[cell, view]] > 1
    return spare


@compiled
def _turn(
    filled: npt.NDArray[np.bool_], pixels: npt.NDArray[np.int64], behind: npt.NDArray[np.int64], cell: int
) -> None:
    """Fills an empty cell, empties a filled one."""
    filled[cell] = not filled[cell]
    for view in range(pixels.shape[1]):
        behind[pixels[cell, view]] += 1 if filled[cell] else -1


def ambiguity(
    targets: Sequence[Target],
    offsets: OffsetSet,
    samples: int = 5,
    work: int = WORK,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> dict[str, float]:
    """What the views of targets leave open, and what the search loses by that; means over targets and samples.

    Returns:
        hull_iou: IoU of the visual hull with the volume.
        alike_iou: IoU of volumes that look alike with the volume.
        search_volume_iou: The search told the volume: what is missing to 1 is lost by building.
        search_views_iou: The search from the images.
        search_alike_own_iou: The search told a volume that looks alike, by that volume: whether those are harder.
        search_alike_iou: The same models by the true volume.
        share_alike, share_views: The last two by the true volume, as shares of the search told the volume.
    """
    if not targets or samples < 1:
        raise InputError(f"{len(targets)} targets, {samples} samples: give at least one of each")
    told = SearchBuilder(offsets, work=work, estimate=from_volume)
    seeing = SearchBuilder(offsets, work=work, estimate=from_views)
    figures: list[dict[str, float]] = []  # of each target
    for done, target in enumerate(targets):
        drawn = volumes_alike(target, samples, seed)
        models = [told.build(replace(target, voxels=volume)) for volume in drawn]
        true = [iou(offsets.brick, each.poses, target.volume) for each in models]
        figures.append(
            {
                "hull_iou": _iou(target.hull, target.volume),
                "search_volume_iou": told.build(target).iou or 0.0,
                "search_views_iou": seeing.build(target).iou or 0.0,
                "alike_iou": float(np.mean([_iou(volume, target.volume) for volume in drawn])),
                "search_alike_own_iou": float(np.mean([each.iou or 0.0 for each in models])),
                "search_alike_iou": float(np.mean(true)),
            }
        )
        progress(done + 1, len(targets))
    means = {name: float(np.mean([each[name] for each in figures])) for name in figures[0]}
    means["share_alike"] = means["search_alike_iou"] / means["search_volume_iou"]
    means["share_views"] = means["search_views_iou"] / means["search_volume_iou"]
    return {"targets": float(len(targets)), "samples": float(samples), **means}


def _iou(one: Voxels, other: Voxels) -> float:
    return float((one & other).sum() / (one | other).sum())
