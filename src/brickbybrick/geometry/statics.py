"""Where bricks touch and what they weigh: all that the forces between them depend on.

The figures are those of StableLego (Liu, Deng, Wang, Liu 2024), measured on real bricks: a stud meets the brick above
it in a few points, each of which pushes as hard as it must and holds by friction up to a limit. Lengths are in studs,
forces in weights of a 2x4 brick.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Cell, Pose
from brickbybrick.geometry.part import Part, grams

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

HEIGHT = 3.2 / 7.8  # of a plate, in studs: 3.2 mm by a pitch of 7.8 mm, the side of a brick without its play
LAYER = 3.2 / 8.0  # how much higher the next layer is, in the studs of a model that stands there: 8 mm apart
PLAY = 0.1 / 8.0  # how far the rim of a brick stays inside its cells: a 2x4 is 0.2 mm shorter than four pitches
USUAL = grams(Part("brick", 2, 4))
FRICTION = 0.98 / (9.8 * 0.001 * USUAL)  # 0.98 N: what one contact point holds, in weights of a 2x4

# Where a stud meets the brick above it, from the stud's centre. Under a brick two or more wide it touches a tube and
# the walls, under a narrow one the four walls around it.
WIDE = np.array([(0.125, 0.125), (0.125, -0.125), (-0.25, 0.0)])
NARROW = np.array([(0.0, -0.25), (0.0, 0.25), (-0.25, 0.0), (0.25, 0.0)])
QUARTER_TURN = np.array([(0, 1), (-1, 0)])
# Places that lie within the three points of WIDE however these are turned. What pushes and holds here can be shared out
# among the three: of four that hold with 1 each, none of the three gets more than 4/3.
SHARED = np.array([(0.0, -1 / 12), (0.0, 1 / 12), (-1 / 12, 0.0), (1 / 12, 0.0)])
LEAST_SHARE = 3 / 4  # of the friction of a point, with which four such places make do


class Ground(Enum):
    """What a model stands on."""

    TABLE = "table"  # pushes the rim of a brick up; smooth, and holds nothing back
    PLATE = "plate"  # has studs, which hold a brick as another brick would


class Points(NamedTuple):
    """Where bricks press on what is under them; one row a point."""

    lower: Ints  # (point,) the brick below, -1 for the ground
    upper: Ints  # (point,) the brick above
    place: Floats  # (point, 2) x and y
    holds: npt.NDArray[np.bool_]  # (point,) whether friction can also hold the upper brick down here


@dataclass(frozen=True)
class Statics:
    """Bricks and where they touch.

    A model that lies upside down is told by the poses that its bricks have upright. Layers are then counted downwards:
    that is the model in a mirror on the ground, which falls or stands as the model that was turned over does.
    """

    bricks: Sequence[tuple[Part, Pose]]
    level: int | None = None  # the layer that stands on the ground; the lowest one if not given
    turned: bool = False  # whether it lies upside down

    @cached_property
    def owner(self) -> dict[Cell, int]:
        """Which brick fills a cell."""
        return {cell: brick for brick, (part, pose) in enumerate(self.bricks) for cell in part.cells(pose)}

    @cached_property
    def ground(self) -> int:
        """The layer that stands on the ground."""
        return min(self.layers.tolist(), default=0) if self.level is None else self.level

    @cached_property
    def layers(self) -> Ints:
        """The layer that each brick begins in, seen from the ground."""
        begins = [-pose.z - part.height if self.turned else pose.z for part, pose in self.bricks]
        return np.array(begins, dtype=np.int64)  # (brick,)

    @cached_property
    def heights(self) -> Ints:
        """Layers that each brick takes."""
        return np.array([part.height for part, _ in self.bricks], dtype=np.int64)  # (brick,)

    @cached_property
    def weights(self) -> Floats:
        return np.array([grams(part) / USUAL for part, _ in self.bricks])  # (brick,)

    @cached_property
    def centres(self) -> Floats:
        """The middle of each brick, where its weight is taken to be, as seen from above."""
        return np.asarray(self.corners.mean(axis=1))  # (brick, 2)

    @cached_property
    def centre_of_mass(self) -> Floats:
        """Of all bricks: x, y, and how high over the ground, in studs."""
        heights = LAYER * (self.layers - self.ground + self.heights / 2)  # (brick,)
        return np.average(np.column_stack([self.centres, heights]), axis=0, weights=self.weights)

    @cached_property
    def corners(self) -> Floats:
        """The rim of each brick: any pressure along it is a sum of pushes at its corners."""
        rims = []
        for part, pose in self.bricks:
            along_x, along_y = part.extent(pose.d)
            rims.append([(pose.x + x, pose.y + y) for y in (PLAY, along_y - PLAY) for x in (PLAY, along_x - PLAY)])
        return np.array(rims).reshape(-1, 4, 2)  # (brick, corner, 2)

    @cached_property
    def standing(self) -> list[int]:
        """The bricks that stand on the ground: of the lowest layer, and with a foot to stand on."""
        lowest = np.flatnonzero(self.layers == self.ground).tolist()
        return [brick for brick in lowest if any(foot(*self.bricks[brick], self.turned))]

    @cached_property
    def rims(self) -> Floats:
        """The rim of what each brick stands on, where it stands."""
        rims = [rim_of(*self.bricks[brick], self.turned) for brick in self.standing]
        return np.array(rims).reshape(-1, 4, 2)  # (standing, corner, 2)

    @cached_property
    def studs(self) -> list[tuple[int, int, int, int]]:
        """Every stud inside a brick: the brick it is on (-1 for a plate under the model), that brick, x, y."""
        on_top = {
            (x, y, pose.z + part.height): brick
            for brick, (part, pose) in enumerate(self.bricks)
            for x, y in part.studs(pose)
        }
        joined = []
        for upper, (part, pose) in enumerate(self.bricks):
            for x, y in part.sockets(pose):
                if pose.z == self.ground and not self.turned:
                    joined.append((-1, upper, x, y))
                elif (below := on_top.get((x, y, pose.z))) is not None:
                    joined.append((upper, below, x, y) if self.turned else (below, upper, x, y))
        return joined

    @cached_property
    def sides(self) -> list[tuple[int, int, int]]:
        """Bricks that touch side by side: one, the next one along an axis, the axis (0 for x, 1 for y)."""
        touching = set()
        for (x, y, z), brick in self.owner.items():
            for axis, beside in enumerate([(x + 1, y, z), (x, y + 1, z)]):
                other = self.owner.get(beside, brick)
                if other != brick:
                    touching.add((brick, other, axis))
        return sorted(touching)

    def points(self, ground: Ground, turn: int | None = 0) -> Points:
        """The contact points, with those of wide bricks turned by `turn` quarter turns; if that is None, places that
        are within those of all turns, see `SHARED`."""
        around = SHARED if turn is None else WIDE @ np.linalg.matrix_power(QUARTER_TURN, turn)
        joined = np.array(self.studs, dtype=np.int64).reshape(-1, 4)  # (stud, 4)
        if ground is Ground.TABLE:
            joined = joined[joined[:, 0] >= 0]
        is_wide = np.array([_is_wide(part) for part, _ in self.bricks], dtype=bool)  # (brick,)
        wide = is_wide[joined[:, 0 if self.turned else 1]] if len(joined) else np.zeros(0, dtype=bool)
        bricks, places = [], []
        for studs, offsets in ((joined[wide], around), (joined[~wide], NARROW)):
            bricks.append(np.repeat(studs[:, :2], len(offsets), axis=0))
            places.append((studs[:, None, 2:] + 0.5 + offsets).reshape(-1, 2))
        if ground is Ground.TABLE:
            standing = np.repeat(np.array(self.standing, dtype=np.int64), 4)
            bricks.append(np.column_stack([np.full_like(standing, -1), standing]))
            places.append(self.rims.reshape(-1, 2))
        pairs = np.concatenate(bricks)  # (point, 2)
        holds = (pairs[:, 0] >= 0) | (ground is Ground.PLATE)
        return Points(pairs[:, 0], pairs[:, 1], np.concatenate(places), holds)

    def turns(self) -> range:
        """The turns that matter. StableLego's three points are not the same on all sides of a stud, so that a model
        could stand or fall by the way it is turned on the table; the worst of four quarter turns cannot."""
        return range(4 if any(_is_wide(part) for part, _ in self.bricks) else 1)


def foot(part: Part, pose: Pose, turned: bool) -> Iterator[tuple[int, int]]:
    """The columns in which a part can stand on a table: on its walls, or on its studs if it lies upside down."""
    return part.studs(pose) if turned else part.sockets(pose)


def rim_of(part: Part, pose: Pose, turned: bool) -> list[tuple[float, float]]:
    """The corners of what a part stands on."""
    columns = list(foot(part, pose, turned))
    (left, front), (right, back) = min(columns), max(columns)
    return [(x, y) for y in (front + PLAY, back + 1 - PLAY) for x in (left + PLAY, right + 1 - PLAY)]


def _is_wide(part: Part) -> bool:
    """Whether there are tubes under it."""
    return min(part.width, part.length) > 1
