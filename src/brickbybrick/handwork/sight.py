"""Can a builder see a brick? Whoever looks on a model from one of its four upper corners sees what no cell hides."""

from collections.abc import Collection, Iterable, Iterator
from math import inf

from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.camera import in_book
from brickbybrick.geometry.faces import PLATE

CORNERS = tuple(
    (float(x), float(y), float(up) / PLATE) for x, y, up in (in_book(quarters).to_viewer for quarters in range(4))
)  # studs along x and y, and plates up, towards whoever looks at the pictures in instructions
STRIDE = 0.3  # studs between two looks along a line of sight


class Sight:
    """What is there to be seen of cells, layers counted from the table up."""

    def __init__(self, filled: Iterable[Cell] = ()) -> None:
        self.filled: set[Cell] = set()
        self.low, self.high, self.top = (inf, inf), (-inf, -inf), -inf  # of the box around them
        self.add(filled)

    def add(self, cells: Iterable[Cell]) -> None:
        """Fills more cells."""
        for x, y, z in cells:
            self.filled.add((x, y, z))
            self.low = min(self.low[0], x), min(self.low[1], y)
            self.high = max(self.high[0], x + 1), max(self.high[1], y + 1)
            self.top = max(self.top, z + 1)

    def sees(self, *things: Collection[Cell]) -> bool:
        """Whether there is a corner from which each of some things can be seen: the middle of a face of its cells."""
        return any(
            all(any(self._is_clear(point, way) for cell in cells for point in _faces(cell, way)) for cells in things)
            for way in CORNERS
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
