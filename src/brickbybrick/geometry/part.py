"""Parts: bricks, plates, tiles and slopes, on a grid of studs and plates.

One grid unit is one stud pitch in x and y and one plate in z, a third of a brick. A part fills the box around it, for
nothing else has room in there; what it looks like is its profile, which runs through all of its breadth. Where it has
studs, and where a stud goes into it from below, it is joined to others.

Numbers are those of LDraw, which BrickLink and Rebrickable share but for letters behind them; weights were taken with a
scale, and are in proportion to the studs where nobody weighed a part.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Literal, NamedTuple

from brickbybrick.errors import InputError, shown
from brickbybrick.geometry.brick import Cell, Pose

Kind = Literal["brick", "plate", "tile", "slope 45", "slope 33", "slope 30", "inverted slope 45", "box"]
Profile = tuple[tuple[float, float], ...]  # a convex outline of points: studs from the high end, plates from the bottom

HIGH: dict[Kind, int] = {  # plates
    "brick": 3,
    "plate": 1,
    "tile": 1,
    "slope 45": 3,
    "slope 33": 3,
    "slope 30": 2,
    "inverted slope 45": 3,
}
BRICK_HIGH = 3  # plates
LIP = 0.5  # plates that the low end of a slope is high: 4 of LDraw's units
# As in 2x4, plate 2x4 and box 2x4x3.
WRITTEN = re.compile(r"(?:([a-z]+(?: [a-z]+)?(?: [0-9]{2})?) )?([0-9]{1,2})x([0-9]{1,2})(?:x([0-9]{1,3}))?")


class Known(NamedTuple):
    """What catalogues know of a part."""

    number: str
    grams: float | None  # None where nobody weighed it


@dataclass(frozen=True, order=True)
class Part:
    """A part by its kind and its studs: the short side first, but of slopes the side along which the face falls.

    In direction 0 the first side lies along x, in direction 1 along y. Bricks, plates and tiles look the same after
    half a turn; of slopes, the face falls towards +x, +y, -x and -y in directions 0 to 3. A box stands in pictures for
    a part that nobody here builds with: it has neither studs nor sockets, and tells how high it is.
    """

    kind: Kind
    width: int
    length: int
    tall: int = 0  # plates, of a box alone

    def __str__(self) -> str:
        studs = f"{self.width}x{self.length}"
        if self.kind == "box":
            return f"box {studs}x{self.tall}"
        return studs if self.kind == "brick" else f"{self.kind} {studs}"

    @classmethod
    @cache
    def parse(cls, text: str) -> "Part":
        """The part written as in `2x4`, `plate 2x4` or `slope 45 2x1`."""
        found = WRITTEN.fullmatch(text)
        kind = (found[1] or "brick") if found else ""
        if found is None or (kind == "box") != (found[4] is not None) or kind not in (*HIGH, "box"):
            raise InputError(f"{shown(text)} is no part: write it as 2x4, plate 2x4, tile 1x2 or slope 45 2x1")
        return cls(kind, int(found[2]), int(found[3]), int(found[4] or 0))

    @property
    def slopes(self) -> bool:
        return "slope" in self.kind

    @property
    def plain(self) -> bool:
        """Whether there is a stud on top of every column of it, and one goes into every column from below."""
        return self.kind in ("brick", "plate")

    @property
    def area(self) -> int:
        """Columns of the grid that its box covers."""
        return self.width * self.length

    @property
    def height(self) -> int:
        """Plates, without the studs on top."""
        return self.tall if self.kind == "box" else HIGH[self.kind]

    @property
    def directions(self) -> tuple[int, ...]:
        """The directions that differ."""
        if self.slopes:
            return 0, 1, 2, 3
        return (0,) if self.width == self.length else (0, 1)

    def extent(self, d: int) -> tuple[int, int]:
        """Studs along x and along y in direction `d`."""
        return (self.width, self.length) if d % 2 == 0 else (self.length, self.width)

    def footprint(self, pose: Pose) -> Iterator[tuple[int, int]]:
        """The (x, y) columns that its box covers."""
        along_x, along_y = self.extent(pose.d)
        return product(range(pose.x, pose.x + along_x), range(pose.y, pose.y + along_y))

    def cells(self, pose: Pose) -> Iterator[Cell]:
        """The cells that its box fills."""
        return ((x, y, pose.z + up) for x, y in self.footprint(pose) for up in range(self.height))

    def studs(self, pose: Pose) -> Iterator[tuple[int, int]]:
        """The (x, y) columns that have a stud on top, in layer `pose.z + height`."""
        if self.kind in ("slope 45", "slope 33"):
            return self._high_end(pose)
        return iter(()) if self.kind in ("tile", "slope 30", "box") else self.footprint(pose)

    def sockets(self, pose: Pose) -> Iterator[tuple[int, int]]:
        """The (x, y) columns into which a stud goes from below."""
        if self.kind == "box":
            return iter(())
        return self._high_end(pose) if self.kind == "inverted slope 45" else self.footprint(pose)

    def _high_end(self, pose: Pose) -> Iterator[tuple[int, int]]:
        """The columns of a slope from which it falls, or of an inverted one those of its foot."""
        along_x, along_y = self.extent(pose.d)
        row = (0, 0, along_x - 1, along_y - 1)[pose.d]
        return ((x, y) for x, y in self.footprint(pose) if (x - pose.x, y - pose.y)[pose.d % 2] == row)

    @property
    def profile(self) -> Profile:
        """What is seen of it from the side, the high end on the left; the box's own outline unless it slopes."""
        wide, high = float(self.width), float(self.height)
        if self.kind == "inverted slope 45":
            return (0.0, 0.0), (1.0, 0.0), (wide, high - LIP), (wide, high), (0.0, high)
        if self.kind == "slope 30":
            return (0.0, 0.0), (wide, 0.0), (wide, LIP), (0.0, high)
        if self.slopes:  # behind the studs
            return (0.0, 0.0), (wide, 0.0), (wide, LIP), (1.0, high), (0.0, high)
        return (0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)


def _known() -> dict[Part, Known]:
    """All parts that are built with, by kinds, small ones first."""
    table: dict[Kind, str] = {
        "brick": (
            "1x1 3005 .43, 1x2 3004 .81, 1x3 3622 1.20, 1x4 3010 1.57, 1x6 3009 2.28, 1x8 3008 3.03, "
            "2x2 3003 1.15, 2x3 3002 1.71, 2x4 3001 2.16, 2x6 2456 3.23, 2x8 3007"
        ),
        "plate": (
            "1x1 3024 .22, 1x2 3023 .36, 1x3 3623 .50, 1x4 3710 .65, 1x6 3666 .99, 1x8 3460 1.30, 2x2 3022 .60, "
            "2x3 3021 .90, 2x4 3020 1.15, 2x6 3795 1.72, 2x8 3034 2.24, 2x10 3832 2.84, 4x4 3031 2.24, "
            "4x6 3032 3.28, 4x8 3035 4.27"
        ),
        "tile": (
            "1x1 3070b .14, 1x2 3069b .25, 1x3 63864 .41, 1x4 2431 .54, 1x6 6636 .78, 1x8 4162 1.05, 2x2 3068b .49, "
            "2x3 26603, 2x4 87079 .93"
        ),
        "slope 45": "2x1 3040b .66, 2x2 3039 1.06, 2x3 3038, 2x4 3037",
        "slope 33": "3x1 4286 .89, 3x2 3298 1.35, 3x4 3297",
        "slope 30": "1x1 54200 .24, 1x2 85984 .35",
        "inverted slope 45": "2x1 3665 .70, 2x2 3660 1.21",
    }
    known = {}
    for kind, rows in table.items():
        for row in rows.split(", "):
            studs, number, *grams = row.split()
            width, length = map(int, studs.split("x"))
            known[Part(kind, width, length)] = Known(number, float(grams[0]) if grams else None)
    return known


PARTS = _known()
LONGEST = max(part.length for part in PARTS)  # studs


def of_its_kind(part: Part) -> str:
    """The parts of a kind that there are, for messages about one that there is not."""
    return ", ".join(str(known) for known in PARTS if known.kind == part.kind)


def grams(part: Part) -> float:
    """What a part weighs; if nobody weighed it, stud for stud as much as the largest of its kind that was weighed."""
    known = PARTS.get(part)
    if known is not None and known.grams is not None:
        return known.grams
    others = [(other.area, its.grams) for other, its in PARTS.items() if other.kind == part.kind]
    area, weight = max((area, weight) for area, weight in others if weight is not None)
    return weight * part.area / area
