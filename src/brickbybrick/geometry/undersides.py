"""What parts look like from below: hollow, with a rim around and tubes that hold the studs of others."""

from functools import cache
from math import pi
from typing import Literal

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.part import Part

Inside = Literal["hollow", "tube", "bore", "pin"]

# Real proportions, in stud pitches.
WALL = 0.19
TUBE, BORE = 0.41, 0.3  # radii of the tubes of parts two or more studs wide: they touch the studs around them
PIN = 0.2  # radius of the pins of narrow parts
_AROUND = np.arange(16) * (2 * pi / 16)
_CIRCLE = np.stack([np.cos(_AROUND), np.sin(_AROUND)], axis=1)  # (16, 2)


@cache
def underside(part: Part, d: int) -> tuple[tuple[Inside, npt.NDArray[np.float64]], ...]:
    """Outlines (corner, 2) within a part's lowest face, from the corner of its box, in the order to paint them."""
    columns = np.array(list(part.sockets(Pose(0, 0, 0, d)))).reshape(-1, 2)
    if not len(columns):
        return ()
    (left, front), (right, back) = columns.min(axis=0).tolist(), (columns.max(axis=0) + 1).tolist()
    inner = np.array([(left, front), (right, front), (right, back), (left, back)]) + WALL * np.array(
        [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    )
    shapes: list[tuple[Inside, npt.NDArray[np.float64]]] = [("hollow", inner)]
    across, along = range(left + 1, right), range(front + 1, back)
    if across and along:
        for x in across:
            for y in along:
                shapes += [("tube", (x, y) + TUBE * _CIRCLE), ("bore", (x, y) + BORE * _CIRCLE)]
    else:
        middles = [(x, front + 0.5) for x in across] or [(left + 0.5, y) for y in along]
        shapes += [("pin", middle + PIN * _CIRCLE) for middle in middles]
    return tuple(shapes)
