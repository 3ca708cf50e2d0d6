"""What models look like from three sides, worked out cell by cell in LDraw's units, one pixel a unit.

The oracle that pictures of exported files are compared with; it knows nothing of files.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.part import Part

Image = npt.NDArray[np.bool_]
VIEWS = ("front", "side", "top")
UNITS = np.array([20, 20, 8])  # of LDraw, in a stud and in a plate


def bounds(construction: Construction) -> npt.NDArray[np.int64]:
    """(2, 3) the lowest and the highest corner of the model's cells, in cells."""
    cells = np.array([cell for brick in construction.bricks for cell in brick.cells()])
    return np.array([cells.min(axis=0), cells.max(axis=0) + 1])


def silhouette(construction: Construction, view: str, side: int = 600) -> Image:
    """(side, side) what is seen from low y, from high x or from above; the middle of the model is in the middle."""
    low, high = bounds(construction) * UNITS
    middle = (low + high) // 2
    across, up = {"front": (0, 2), "side": (1, 2), "top": (0, 1)}[view]
    image = np.zeros((side, side), bool)

    def fill(near: tuple[int, ...], far: tuple[int, ...]) -> None:
        left, right = (end[across] - middle[across] + side // 2 for end in (near, far))
        bottom, top = (side // 2 + middle[up] - end[up] for end in (near, far))
        image[top:bottom, left:right] = True

    for brick in construction.bricks:
        for box in _body(brick):
            fill(*box)
        for x, y in brick.shape.studs(brick.pose) if view != "top" else ():
            foot = 20 * x + 4, 20 * y + 4, 8 * brick.top
            fill(foot, (foot[0] + 12, foot[1] + 12, foot[2] + 4))
    return image


def _body(brick: PlacedBrick) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """A part as boxes, one unit long along its fall if it slopes."""
    part, corner = brick.shape, np.array([brick.x, brick.y, brick.z]) * UNITS
    along_x, along_y = part.extent(brick.d)
    if not part.slopes:
        yield tuple(corner), tuple(corner + np.array([along_x, along_y, part.height]) * UNITS)
        return
    low, high = _outline(part)
    for slice_, (bottom, top) in enumerate(zip(low, high, strict=True)):
        place = slice_ if brick.d < 2 else 20 * part.width - 1 - slice_
        near = np.array([place, 0, bottom] if brick.d % 2 == 0 else [0, place, bottom])
        size = np.array(
            [1, 20 * part.length, top - bottom] if brick.d % 2 == 0 else [20 * part.length, 1, top - bottom]
        )
        yield tuple(corner + near), tuple(corner + near + size)


def _outline(part: Part) -> tuple[list[int], list[int]]:
    """Where the body of a slope begins and ends in each unit from its high end on, from LDraw's own part files."""
    units = np.arange(20 * part.width) + 0.5
    face = np.interp(units, *{
        "slope 45": ((20, 40), (24, 4)),
        "slope 33": ((20, 60), (24, 4)),
        "slope 30": ((0, 20), (16, 4)),
        "inverted slope 45": ((20, 40), (0, 20)),
    }[part.kind])  # fmt: skip
    whole = np.full_like(face, 8 * part.height)
    low, high = (face, whole) if part.kind == "inverted slope 45" else (np.zeros_like(face), face)
    return np.rint(low).astype(int).tolist(), np.rint(high).astype(int).tolist()


def iou(one: Image, other: Image) -> float:
    return float((one & other).sum() / (one | other).sum())
