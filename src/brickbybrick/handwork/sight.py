"""Can a builder see a brick? Whoever looks on a model from one of its four upper corners sees what no cell hides."""

from collections.abc import Collection, Iterator
from math import cos, radians, sin, tan

from brickbybrick.geometry.brick import Cell

YAW, PITCH = radians(24), radians(23)  # of the pictures in instructions, which are turned by quarters
CORNERS = tuple(
    (sin(YAW + radians(quarter)), -cos(YAW + radians(quarter)), tan(PITCH) / 0.4) for quarter in (0, 90, 180, 270)
)  # studs along x and y, and plates up, towards the viewer
STRIDE = 0.3  # studs between two looks along a line of sight


class Sight:
    """What is there to be seen of cells, layers counted from the table up."""

    def __init__(self, filled: Collection[Cell]) -> None:
        self.filled = filled
        xs, ys, zs = zip(*filled, strict=True)
        self.low, self.high = (min(xs), min(ys)), (max(xs) + 1, max(ys) + 1)
        self.top = max(zs) + 1

    def sees(self, cells: Collection[Cell]) -> bool:
        """Whether the middle of some outer face of some cells can be seen from a corner."""
        return any(
            self._is_clear(point, corner) for corner in CORNERS for cell in cells for point in _faces(cell, corner)
        )

    def _is_clear(self, point: tuple[float, float, float], way: tuple[float, float, float]) -> bool:
        """Whether a line of sight from a point meets no cell."""
        x, y, z = point
        along_x, along_y, up = (STRIDE * part for part in way)
        while self.low[0] <= x < self.high[0] and self.low[1] <= y < self.high[1] and z < self.top:
            if (int(x // 1), int(y // 1), int(z // 1)) in self.filled:
                return False
            x, y, z = x + along_x, y + along_y, z + up
        return True


def _faces(cell: Cell, way: tuple[float, float, float]) -> Iterator[tuple[float, float, float]]:
    """Points just outside the middles of the faces of a cell that look towards a viewer."""
    x, y, z = cell
    yield x + 0.5, y + 0.5, z + 1.01
    yield x + (1.01 if way[0] > 0 else -0.01), y + 0.5, z + 0.5
    yield x + 0.5, y + (1.01 if way[1] > 0 else -0.01), z + 0.5
