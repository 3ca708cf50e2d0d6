"""The readable reference: one assembly, its rules checked cell by cell.

Slow on purpose and plain on purpose. The compiled rules in `packed.py` must agree with this class on
every state, and the tests hold them to it.
"""

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4, Cell, Pose, Size
from brickbybrick.geometry.offsets import OffsetSet, offset_set


class Assembly:
    """Bricks of one size, each joined to one that was there before it.

    Args:
        size: Size of every brick.
        offsets: The joints an action may choose from; all of them if not given.
        ground: Whether nothing may be placed below layer 0.
    """

    def __init__(self, size: Size = BRICK_2X4, offsets: OffsetSet | None = None, ground: bool = True) -> None:
        self.size = size
        self.offsets = offsets or offset_set("all", size)
        self.ground = ground
        self.poses: list[Pose] = []
        self.owner: dict[Cell, int] = {}  # which brick fills a cell

    def fits(self, pose: Pose) -> bool:
        """Whether every cell of a brick at `pose` is free and none lies underground."""
        if self.ground and pose.z < 0:
            return False
        return not any(cell in self.owner for cell in self.size.cells(pose))

    def put(self, pose: Pose) -> None:
        """Adds a brick at `pose`, whether or not it touches another."""
        if not self.fits(pose):
            raise InputError(f"no room for a brick at {tuple(pose)}")
        for cell in self.size.cells(pose):
            self.owner[cell] = len(self.poses)
        self.poses.append(pose)

    def is_valid(self, pivot: int, offset: int) -> bool:
        """Whether the action (pivot, offset) is allowed."""
        return pivot < len(self.poses) and self.fits(self.offsets.place(self.poses[pivot], offset))

    def place(self, pivot: int, offset: int) -> None:
        """Takes the action (pivot, offset)."""
        self.put(self.offsets.place(self.poses[pivot], offset))

    def mask(self) -> npt.NDArray[np.bool_]:
        """Which actions are valid."""
        pivots, offsets = len(self.poses), len(self.offsets)
        valid = [[self.is_valid(pivot, offset) for offset in range(offsets)] for pivot in range(pivots)]
        return np.array(valid, dtype=bool).reshape(pivots, offsets)  # (brick, offset)

    def neighbours(self, brick: int) -> set[int]:
        """The bricks that share at least one stud with this one."""
        pose = self.poses[brick]
        around = {(x, y, pose.z + up) for x, y in self.size.footprint(pose) for up in (-1, 1)}
        return {self.owner[cell] for cell in around & self.owner.keys()}
