"""Bricks out of a box, put down by hand."""

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.geometry.mixed import MixedAssembly, is_free, put_brick


def put(assembly: MixedAssembly, size: Size, pose: Pose) -> int:
    """Adds a brick, joined or not, and returns its number."""
    kind = assembly.kinds.index((size, pose.d))
    assert is_free(assembly.arrays, kind, pose.x, pose.y, pose.z)
    return put_brick(assembly.arrays, kind, pose.x, pose.y, pose.z)


def valid(assembly: MixedAssembly) -> npt.NDArray[np.bool_]:
    """Which placements (kind, x, y, z) are valid next; the first brick stands on the ground, others are joined."""
    arrays, free = assembly.arrays, np.zeros(assembly.arrays.taken.shape, bool)
    for kind, x, y, z in np.ndindex(free.shape):
        joined = arrays.studs[kind, x, y, z] > 0 if len(assembly) else z == 0
        free[kind, x, y, z] = joined and is_free(arrays, kind, x, y, z)
    return free
