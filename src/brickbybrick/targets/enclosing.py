"""Which cells an open surface holds: by lines through their centres in thirteen directions.

Meshes of everyday things are seldom closed: faces lie on each other, walls stand inside, bottoms are missing, and no
side of a face is the outer one. So no single line can be trusted, and no orientation. A line that meets the surface an
even number of times says what is inside of it, and the lines vote; and whoever looks from a cell in 26 directions and
sees nothing but the surface is inside, too. What stands on the ground needs no bottom: downwards need not be looked.
"""

import numpy as np
import numpy.typing as npt
from scipy.ndimage import convolve

from brickbybrick.errors import InputError
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.jit import compiled

# Straight, across the sides and across the corners of a cell; each stands for the opposite direction too.
DIRECTIONS = (
    *((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    *((1, 1, 0), (-1, 1, 0), (1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)),
    *((1, 1, 1), (-1, 1, 1), (1, -1, 1), (-1, -1, 1)),
)
FEWEST_VOTES = 4  # lines that meet the surface an even number of times
SHUT_IN = 26  # of 26 directions
SHUT_IN_ABOVE = 17  # of the 17 that do not go down
CRACK = 20  # of a cell's 26 neighbours that are filled; in the corner of a room there are 19
ASIDE_X, ASIDE_Y = 1.234567e-7 * 3**0.5, 1.234567e-7 * 7**0.5  # cells, so that no line meets an edge of a triangle
SAME = 1e-3  # cells; faces closer to each other are one
MOST_PLACES = 200_000_000  # columns in all triangles' boxes, in one direction: two seconds
MOST_CROSSINGS = 50_000_000  # kept at once
TOO_OFTEN = "its faces cover each other too often; give a simpler mesh"

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Shape = tuple[int, int, int]


def enclosed(triangles: Floats, shape: Shape) -> Voxels:
    """The cells (x, y, z) of a grid whose centres are inside a surface of triangles (face, corner, axis), in cells."""
    inside, lines, shut, shut_above = (np.zeros(shape, np.int8) for _ in range(4))
    for direction in DIRECTIONS:
        main = max(axis for axis in range(3) if direction[axis])
        axes = ((main + 1) % 3, (main + 2) % 3, main)  # the line goes along the last of them
        slopes = np.array([direction[axes[0]], direction[axes[1]]])
        turned = shape[axes[0]], shape[axes[1]], shape[axes[2]]
        crossings, starts = _crossings(np.ascontiguousarray(triangles[:, :, axes]), slopes, turned)
        before, after, even = (np.zeros(turned, np.int8) for _ in range(3))
        _count(crossings, starts, slopes, before, after, even)
        for total, part in (
            (inside, before & even),
            (lines, even),
            (shut, (before > 0).astype(np.int8) + (after > 0)),
            (shut_above, (after > 0).astype(np.int8) + ((before > 0) & (direction[2] == 0))),
        ):
            total.transpose(axes)[:] += part
    voted = (2 * inside > lines) & (lines >= FEWEST_VOTES)
    return _without_cracks(voted | (shut >= SHUT_IN) | (shut_above >= SHUT_IN_ABOVE))


def _without_cracks(inside: Voxels) -> Voxels:
    """The cells, and those among them from which one can see out through a slit by chance."""
    for _ in range(2):
        around = convolve(inside.astype(np.int8), np.ones((3, 3, 3), np.int8), mode="constant")
        inside = inside | (around >= CRACK)
    return inside


def _crossings(triangles: Floats, slopes: Ints, shape: Shape) -> tuple[Floats, Ints]:
    """How high lines of these slopes meet the triangles, column after column, and where each column's begin.

    The space is sheared so that the lines stand upright; a column has the number of its line at height 0, counted from
    the first that meets the grid.
    """
    wide, deep, high_up = shape
    first = np.where(slopes > 0, high_up - 1, 0)
    sheared = triangles.copy()
    sheared[:, :, :2] += first - slopes * (triangles[:, :, 2:] - 0.5)
    columns = np.array([wide, deep]) + np.abs(slopes) * (high_up - 1)
    low = np.floor(sheared[:, :, :2].min(axis=1) - 0.5).clip(0, columns - 1).astype(np.int64)  # (face, 2)
    high = np.ceil(sheared[:, :, :2].max(axis=1) - 0.5).clip(0, columns - 1).astype(np.int64)
    if (high - low + 1).prod(axis=1, dtype=np.float64).sum() > MOST_PLACES:
        raise InputError(TOO_OFTEN)
    counts = np.zeros((int(columns[0]), int(columns[1])), np.int64)
    _cross(sheared, low, high, counts, np.zeros_like(counts), np.empty(0))
    ends = counts.cumsum()
    if ends[-1] > MOST_CROSSINGS:
        raise InputError(TOO_OFTEN)
    crossings = np.empty(ends[-1])
    starts = (ends - counts.reshape(-1)).reshape(counts.shape)
    counts[:] = 0
    _cross(sheared, low, high, counts, starts, crossings)
    return crossings, np.append(starts.reshape(-1), ends[-1])


@compiled
def _cross(triangles: Floats, low: Ints, high: Ints, counts: Ints, starts: Ints, crossings: Floats) -> None:
    """Counts how often each column (x, y) meets a triangle, and writes down how high where there is room for it."""
    for face in range(len(triangles)):
        ax, ay, az = triangles[face, 0]
        bx, by, bz = triangles[face, 1]
        cx, cy, cz = triangles[face, 2]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-12:
            continue  # upright: lines pass it by
        for x in range(low[face, 0], high[face, 0] + 1):
            for y in range(low[face, 1], high[face, 1] + 1):
                px, py = x + 0.5 + ASIDE_X, y + 0.5 + ASIDE_Y
                b = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / area
                c = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / area
                if b >= 0 and c >= 0 and b + c <= 1:
                    if len(crossings):
                        crossings[starts[x, y] + counts[x, y]] = az + b * (bz - az) + c * (cz - az)
                    counts[x, y] += 1


@compiled
def _count(
    crossings: Floats,
    starts: Ints,
    slopes: Ints,
    before: npt.NDArray[np.int8],
    after: npt.NDArray[np.int8],
    even: npt.NDArray[np.int8],
) -> None:
    """For each cell how often its line meets the surface before and after it, up to 3 or 2 times, and whether the line
    does so an even number of times."""
    wide, deep, high = before.shape
    first_x, first_y = (high - 1) * (slopes[0] > 0), (high - 1) * (slopes[1] > 0)
    depth = deep + abs(slopes[1]) * (high - 1)
    for column in range(len(starts) - 1):
        met = np.sort(crossings[starts[column] : starts[column + 1]])
        different = 0
        for height in met:
            if different == 0 or height - met[different - 1] > SAME:
                met[different] = height
                different += 1
        passed = 0
        for z in range(high):
            x = column // depth - first_x + slopes[0] * z
            y = column % depth - first_y + slopes[1] * z
            while passed < different and met[passed] < z + 0.5:
                passed += 1
            if 0 <= x < wide and 0 <= y < deep:
                before[x, y, z] = 2 * (passed > 1) + passed % 2 if passed else 0
                after[x, y, z] = min(2, different - passed)
                even[x, y, z] = different % 2 == 0
