"""A wider foot for what stands on its tip: larger bricks in its place, which reach out to all sides.

A touch tips such a model over, and a pillar beside it would be as high as its first wide layer. A few bricks on the
ground do better: each is held by studs that go into the layer above, and together they fill what the tip did.
"""

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.mixed import MixedArrays

Floats = npt.NDArray[np.float64]

LEAN = 5.0  # degrees that a table may lean before a model tips over the foot that is laid for it, if that can be had
STUDS = 2  # by which each of its bricks must be held
MOST_BRICKS = 12
MOST_TRIED = 800  # placements; of more, those of a wide layer, only some are
LEAST_GAIN = 0.3  # studs, summed over all sides, that a brick must move the edge of the foot out by
DEAR = 0.05  # studs that a foot may reach less far on its worst side for each brick less
SMALL = 0.001  # studs of the same for all sides together, which settles what is else equal
_TURNS = np.arange(16) * (2 * np.pi / 16)
SIDES = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)  # (side, 2)


def wider_foot(bricks: MixedArrays, layer: int, middle: Floats, reach: float) -> list[tuple[int, int, int]]:
    """Bricks (kind, x, y) for the empty lowest layer of a model; none if nothing above could hold any.

    Each that could be the first is tried, with those after it that move the edge out most.

    Args:
        bricks: What is there.
        layer: The lowest, which stands on the ground.
        middle: (2,) where the centre of mass is, as seen from above.
        reach: Studs from there to which the foot should reach on every side; what is beyond does not count.
    """
    free = (bricks.taken[..., layer] == 0) & (bricks.studs[..., layer] >= STUDS)  # (kind, x, y)
    free &= (bricks.left > 0)[bricks.size[: len(free)], None, None]
    found = np.argwhere(free)  # (placement, 3)
    found = found[:: len(found) // MOST_TRIED + 1]
    low, high = found[:, 1:], found[:, 1:] + bricks.extent[found[:, 0], :2]
    edges = np.maximum((low - middle)[:, None] * SIDES, (high - middle)[:, None] * SIDES).sum(axis=2)
    edges = edges.clip(-reach, reach)  # (placement, side)
    clash = np.asarray(((low[:, None] < high) & (low < high[:, None])).all(axis=2))  # (placement, placement)
    best: list[int] = []
    most = -np.inf
    for first in range(len(found)):
        chosen = _chosen(first, edges, clash)
        foot = edges[chosen].max(axis=0)  # (side,)
        worth = foot.min() + SMALL * foot.sum() - DEAR * len(chosen)
        if worth > most:
            best, most = chosen, worth
    return [(kind, x, y) for kind, x, y in found[best].tolist()]


def _chosen(first: int, edges: Floats, clash: npt.NDArray[np.bool_]) -> list[int]:
    """A placement, and those after it that widen the foot most, one after the other."""
    chosen, foot, room = [first], edges[first], ~clash[first]
    while room.any() and len(chosen) < MOST_BRICKS:
        gain = np.where(room, np.maximum(foot, edges).sum(axis=1), -np.inf) - foot.sum()  # (placement,)
        best = int(gain.argmax())
        if gain[best] < LEAST_GAIN:
            break
        chosen.append(best)
        foot, room = np.maximum(foot, edges[best]), room & ~clash[best]
    return chosen
