"""Where parts are in LDraw's world, and where that is in ours.

LDraw's unit is a twentieth of a stud pitch; X is our x, Z is our y and -Y is up. A part's origin is in the middle of
the top of its body and its long side lies along X; of most slopes it is in the middle of the end from which they fall,
towards -Z, and of the low ones in the middle of the bottom.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from brickbybrick.construction import FARTHEST, MOST, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.part import Part

PITCH, HEIGHT = 20, 8  # a stud and a plate, in LDraw's units
SLANT = 0.001  # how far an entry of a turn may be from a whole number

Triple = tuple[float, float, float]
Nine = tuple[float, ...]

# The turns about the upright axis, row by row, by the direction of a slope that is turned so: where -Z comes to lie.
TURNS: tuple[Nine, ...] = (
    (0, 0, -1, 0, 1, 0, 1, 0, 0),
    (-1, 0, 0, 0, 1, 0, 0, 0, -1),
    (0, 0, 1, 0, 1, 0, -1, 0, 0),
    (1, 0, 0, 0, 1, 0, 0, 0, 1),
)
FALLS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # the same as steps along our x and y


class Move(NamedTuple):
    """A way to put something elsewhere: turned first, then moved."""

    place: Triple = (0.0, 0.0, 0.0)
    turn: Nine = TURNS[3]

    def point(self, at: Sequence[float]) -> Triple:
        """Where a point comes to lie."""
        a, b, c, d, e, f, g, h, i = self.turn
        x, y, z = at
        right, down, back = self.place
        return a * x + b * y + c * z + right, d * x + e * y + f * z + down, g * x + h * y + i * z + back

    def of(self, inner: "Move") -> "Move":
        """This move of what was moved before."""
        a, b, c, d, e, f, g, h, i = self.turn
        columns = [inner.turn[column::3] for column in range(3)]
        turn = tuple(u * x + v * y + w * z for u, v, w in ((a, b, c), (d, e, f), (g, h, i)) for x, y, z in columns)
        made = Move(self.point(inner.place), turn)
        # Not only too far: what is stretched again and again would be so large that nothing can be said about it.
        if not max(map(abs, (*made.place, *made.turn))) <= FARTHEST:
            raise InputError(f"a sub-model is moved too far away: bricks can be {MOST} studs from the origin")
        return made


def move_of(brick: PlacedBrick) -> Move:
    """Where LDraw has a brick."""
    x, y, z = (place + origin for place, origin in zip(brick.pose[:3], origin_of(brick.shape, brick.d), strict=True))
    return Move((PITCH * x, -HEIGHT * z, PITCH * y), TURNS[turn_of(brick.shape, brick.d)])


def turn_of(part: Part, d: int) -> int:
    """The turn, of `TURNS`, that a part is in: parts that do not slope have their long side along X before it."""
    if part.slopes:
        return d
    along_x, along_y = part.extent(d)
    return 3 if along_x >= along_y else 2


def direction_of(part: Part, turn: Nine) -> int | None:
    """The direction of a part that is turned so; None unless it stands upright and is neither slanted nor stretched.

    One that is mirrored looks as it did: all of ours are the same on the left and on the right.
    """
    if max(abs(value - round(value)) for value in turn) > SLANT:
        return None
    a, b, c, d, e, f, g, h, i = (round(value) for value in turn)
    if (b, e, h, d, f) != (0, 1, 0, 0, 0) or (-c, -i) not in FALLS or abs(a) != abs(i) or abs(g) != abs(c):
        return None
    number = FALLS.index((-c, -i))
    if part.slopes:
        return number
    return int(number % 2 == 1 and len(part.directions) > 1)  # turned by half a circle or not at all


def origin_of(part: Part, d: int) -> Triple:
    """Where LDraw has the origin of a part, from the corner of its box: in studs and plates."""
    along_x, along_y = part.extent(d)
    if part.kind == "slope 30":
        return along_x / 2, along_y / 2, 0
    away = (part.width - 1) / 2 if part.slopes else 0  # from the middle to the end that it falls from
    step_x, step_y = FALLS[d]
    return along_x / 2 - away * step_x, along_y / 2 - away * step_y, part.height


class Box(NamedTuple):
    """A box around something, in LDraw's units."""

    low: Triple
    high: Triple

    def moved(self, move: Move) -> "Box":
        """The box around it when it has been moved."""
        return around(move.point(corner) for corner in product(*zip(self.low, self.high, strict=True)))


def around(points: Iterable[Sequence[float]]) -> Box:
    """The box around points, at least one."""
    columns = list(zip(*points, strict=True))
    x, y, z = ((min(column), max(column)) for column in columns)
    return Box((x[0], y[0], z[0]), (x[1], y[1], z[1]))


def box_of(part: Part) -> Box:
    """The box of one of our parts around its origin, before it is turned."""
    d = 3 if part.slopes else int(len(part.directions) > 1)
    x, y, z = origin_of(part, d)
    wide, deep = part.extent(d)
    low = -PITCH * x, -HEIGHT * (part.height - z), -PITCH * y
    return Box(low, (PITCH * (wide - x), HEIGHT * z, PITCH * (deep - y)))
