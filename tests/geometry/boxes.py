"""Bricks out of a box, put down by hand."""

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.mixed import MixedAssembly, is_free, put_brick
from brickbybrick.geometry.part import Part


def put(assembly: MixedAssembly, part: Part, pose: Pose) -> int:
    """Adds a part at a pose in plates, joined or not, and returns its number."""
    kind, z = assembly.kinds.index((part, pose.d)), pose.z // assembly.layer
    assert is_free(assembly.arrays, kind, pose.x, pose.y, z)
    return put_brick(assembly.arrays, kind, pose.x, pose.y, z)


def valid(assembly: MixedAssembly) -> npt.NDArray[np.bool_]:
    """Which placements (kind, x, y, z) are valid next; the first brick stands on the ground, others are joined."""
    arrays, free = assembly.arrays, np.zeros(assembly.arrays.taken.shape, bool)
    for kind, x, y, z in np.ndindex(free.shape):
        joined = arrays.studs[kind, x, y, z] > 0 if len(assembly) else z == 0
        free[kind, x, y, z] = joined and is_free(arrays, kind, x, y, z)
    return free
