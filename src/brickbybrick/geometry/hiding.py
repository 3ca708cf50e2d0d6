"""What hides what from a viewer who is far away, for painters: whoever paints from far to near hides what is hidden.

Things are boxes whose sides lie along the axes and which do not overlap. A line of sight passes through them from far
to near, so of two boxes on it one is farther along an axis, and never the other along another.
"""

import numpy as np
import numpy.typing as npt
from scipy.sparse import csgraph

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def far_to_near(behind_which: Flags) -> list[int]:
    """The order in which to paint boxes: each after all that it can hide, as `hidden` tells (box, box).

    Sorting by one number per box cannot express that. Boxes that are tangled have no right order.
    """
    behind = behind_which.sum(axis=0)  # boxes that are not painted yet and lie behind each
    left = np.ones(len(behind), dtype=bool)
    order: list[int] = []
    while left.any():
        ready = np.flatnonzero(left & (behind == 0))
        if not ready.size:
            ready = np.array([np.where(left, behind, len(behind)).argmin()])
        left[ready] = False
        behind -= behind_which[ready].sum(axis=0)
        order += ready.tolist()
    return order


def tangled(behind_which: Flags) -> Flags:
    """Whether each box is hidden by one that is hidden by another, and so on, that it hides itself.

    Boxes of one layer never are, whatever their shapes: who cuts the tangled ones into layers can paint them.
    """
    _, groups = csgraph.connected_components(behind_which.astype(np.int8), connection="strong")
    return np.asarray(np.bincount(groups)[groups] > 1)


def hidden(boxes: Floats, to_viewer: Floats) -> Flags:
    """Whether each box (box, 6), from x, y, z to x, y, z and by rows, may be hidden by each other: one that is nearer
    along an axis, unless they are side by side in the picture. Takes time and memory for each pair."""
    low, high = boxes[:, :3].T, boxes[:, 3:].T  # (3, box)
    ahead = [
        high[axis][:, None] <= low[axis] if to_viewer[axis] > 0 else low[axis][:, None] >= high[axis]
        for axis in range(3)
    ]
    return np.asarray(np.any(ahead, axis=0) & ~_side_by_side(boxes, to_viewer))


def _side_by_side(boxes: Floats, to_viewer: Floats) -> Flags:
    """Whether each two boxes are apart in the picture: then a line along an edge of theirs parts them."""
    corners = boxes.reshape(-1, 2, 3)
    middle, half = corners.mean(axis=1), (corners[:, 1] - corners[:, 0]) / 2  # (box, 3) each
    across = np.cross(np.eye(3), to_viewer)  # (edge, 3) in the picture, at right angles to the edges along x, y and z
    at, reach = middle @ across.T, half @ abs(across.T)  # (box, edge) each
    apart = np.zeros((len(boxes), len(boxes)), bool)
    for place, radius in zip(at.T, reach.T, strict=True):
        apart |= abs(place[:, None] - place) >= radius[:, None] + radius - 1e-9
    return apart
