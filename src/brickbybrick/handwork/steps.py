"""Steps: portions of bricks that a builder can take in at a glance.

Bricks are put on layer by layer. A portion has a few bricks of one layer, or of some small ones, mirror images
together; and none that the others of it hide.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from brickbybrick.geometry.brick import Cell
from brickbybrick.handwork.pile import Pile, Side
from brickbybrick.handwork.sight import Sight

MOST = 8  # bricks that a step may ask for; more are hard to find in a picture,
STEPS = 60  # but a large model would need too many pages: its steps may have this share of its bricks,
MOST_LARGE = 24  # up to so many
SPAN = 12  # layers from the lowest brick of a step to the highest: four bricks


def most_of(bricks: int) -> int:
    """How many bricks a step of a model of so many may have."""
    return min(max(MOST, bricks // STEPS), MOST_LARGE)


@dataclass(frozen=True)
class Portion:
    """What is put on in one go: chunks by their numbers, or bricks."""

    items: tuple[int, ...]  # as the one who orders them names them
    bricks: tuple[int, ...]  # all of them, those of chunks too


class Portioner:
    """Cuts what is put on into portions."""

    def __init__(self, pile: Pile, side: Side, most: int, middle: tuple[int, int], mirrored: bool) -> None:
        """
        Args:
            pile: The bricks.
            side: How they lie.
            most: Bricks of a portion.
            middle: Around which mirror images lie, in half studs.
            mirrored: Whether mirror images come together; else bricks come from side to side.
        """
        self.pile, self.side, self.most, self.middle, self.mirrored = pile, side, most, middle, mirrored
        self.sight = Sight()  # of all that was laid
        self.portions: list[Portion] = []
        self.waiting: list[int] = []  # bricks of the portion that is being filled

    def put_on(self, items: Sequence[int], bricks: Sequence[int]) -> None:
        """Chunks, which have these bricks."""
        self._close()
        self._see(bricks)
        self.portions.append(Portion(tuple(items), tuple(bricks)))

    def lay(self, layer: Sequence[int]) -> None:
        """Bricks of one layer."""
        units = self._units(layer)
        self._see(layer)
        if len(self.waiting) + len(layer) <= self.most and self._fit(layer):
            self.waiting += [brick for unit in units for brick in unit]
            return
        self._close()
        size = ceil(len(layer) / ceil(len(layer) / self.most))
        for unit in units:
            if self.waiting and len(self.waiting) + len(unit) > max(size, self.most if len(unit) > 1 else size):
                self._close()
            for first in range(0, len(unit), self.most):
                if first:
                    self._close()
                self.waiting += unit[first : first + self.most]

    def take(self, bricks: Sequence[int]) -> None:
        """A portion of bricks, which comes together with what waits if all of it is seen then."""
        self._see(bricks)
        if len(self.waiting) + len(bricks) > self.most or not self._fit(bricks):
            self._close()
        self.waiting += bricks

    def finish(self) -> list[Portion]:
        self._close()
        return self.portions

    def _close(self) -> None:
        if self.waiting:
            self.portions.append(Portion(tuple(self.waiting), tuple(self.waiting)))
            self.waiting = []

    def _fit(self, layer: Sequence[int]) -> bool:
        """Whether a layer may come together with what waits: all of it is near, and stays in sight."""
        if not self.waiting:
            return True
        begins = self.side.begins
        if max(begins[brick] for brick in layer) - min(begins[brick] for brick in self.waiting) > SPAN:
            return False
        return self.sight.sees(*(self.cells(brick) for brick in [*self.waiting, *layer]))

    def _see(self, bricks: Iterable[int]) -> None:
        for brick in bricks:
            self.sight.add(self.cells(brick))

    def cells(self, brick: int) -> list[Cell]:
        """The cells of a brick, from the table up."""
        cells = self.pile.bricks[brick].cells()
        return [(x, y, -z - 1) for x, y, z in cells] if self.side.turned else list(cells)

    def _units(self, layer: Sequence[int]) -> list[list[int]]:
        """Bricks of a layer that come together, one unit after the other: mirror images, from the middle outwards.

        A layer that is mostly unlike its mirror image has one brick a unit, from side to side.
        """
        away = {brick: self._away(brick) for brick in layer}
        reach = [max(places) - min(places) for places in zip(*away.values(), strict=True)]
        along = 0 if reach[0] >= reach[1] else 1
        alike: dict[tuple[int | str, ...], list[int]] = defaultdict(list)
        for brick, place in away.items():
            placed = self.pile.bricks[brick]
            alike[abs(place[along]), abs(place[1 - along]), placed.part, placed.d % 2].append(brick)
        several = sum(len(unit) for unit in alike.values() if len(unit) > 1)
        if self.mirrored and 2 * several >= len(layer):
            return [sorted(alike[key], key=lambda brick: away[brick]) for key in sorted(alike)]
        return [[brick] for brick in sorted(layer, key=lambda brick: (away[brick][along], away[brick], brick))]

    def _away(self, brick: int) -> tuple[int, int]:
        """Half studs from the middle."""
        placed = self.pile.bricks[brick]
        along_x, along_y = placed.shape.extent(placed.d)
        return 2 * placed.x + along_x - self.middle[0], 2 * placed.y + along_y - self.middle[1]
