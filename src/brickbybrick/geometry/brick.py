"""The brick: a rectangle of studs, one layer high, and the pose it is placed in.

One grid unit is one stud pitch in x and y and one brick height in z. A pose names the minimum
corner cell, because sizes with an odd side have no integer centre.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

from brickbybrick.errors import InputError, shown

Cell = tuple[int, int, int]
WRITTEN = re.compile("([0-9]{1,3})x([0-9]{1,3})")  # as in 2x4


class Pose(NamedTuple):
    """Where a brick is: its minimum corner cell and its direction.

    Direction 0 has the long side along y, direction 1 along x; a square brick has direction 0.
    """

    x: int
    y: int
    z: int
    d: int = 0


@dataclass(frozen=True, order=True)
class Size:
    """A brick's studs, the short side first: `Size(2, 4)` is the 2x4 brick."""

    width: int
    length: int

    def __post_init__(self) -> None:
        if not 1 <= self.width <= self.length:
            raise InputError(f"a brick of {self.width}x{self.length} studs: give the short side first, at least 1")

    def __str__(self) -> str:
        return f"{self.width}x{self.length}"

    @classmethod
    @cache
    def parse(cls, text: str) -> "Size":
        """The size written as in `2x4`."""
        sides = WRITTEN.fullmatch(text)
        if sides is None:
            raise InputError(f"{shown(text)} is not a brick size: write it as 2x4")
        return cls(int(sides[1]), int(sides[2]))

    @property
    def studs(self) -> int:
        """Studs on the top, which is also the number of cells the brick fills."""
        return self.width * self.length

    @property
    def directions(self) -> tuple[int, ...]:
        """The directions that differ: one for a square brick, else two."""
        return (0,) if self.width == self.length else (0, 1)

    def extent(self, d: int) -> tuple[int, int]:
        """Studs along x and along y in direction `d`."""
        return (self.width, self.length) if d == 0 else (self.length, self.width)

    def footprint(self, pose: Pose) -> Iterator[tuple[int, int]]:
        """The (x, y) columns the brick covers."""
        along_x, along_y = self.extent(pose.d)
        return product(range(pose.x, pose.x + along_x), range(pose.y, pose.y + along_y))

    def cells(self, pose: Pose) -> Iterator[Cell]:
        """The cells the brick fills."""
        return ((x, y, pose.z) for x, y in self.footprint(pose))

    def centre(self, pose: Pose) -> Cell:
        """The paper's centre: between the studs for even sides, the cell just past it for odd ones."""
        along_x, along_y = self.extent(pose.d)
        return pose.x + along_x // 2, pose.y + along_y // 2, pose.z


BRICK_2X4 = Size(2, 4)
