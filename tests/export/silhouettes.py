"""What models look like from three sides, worked out cell by cell in LDraw's units, one pixel a unit.

The oracle that pictures of exported files are compared with; it knows nothing of files.
"""

import numpy as np
import numpy.typing as npt

from brickbybrick.construction import Construction

Image = npt.NDArray[np.bool_]
VIEWS = ("front", "side", "top")


def bounds(construction: Construction) -> npt.NDArray[np.int64]:
    """(2, 3) the lowest and the highest corner of the model's cells, in cells."""
    cells = np.array([cell for brick in construction.bricks for cell in brick.cells()])
    return np.array([cells.min(axis=0), cells.max(axis=0) + 1])


def silhouette(construction: Construction, view: str, side: int = 600) -> Image:
    """(side, side) what is seen from low y, from high x or from above; the middle of the model is in the middle."""
    low, high = bounds(construction) * (20, 20, 24)
    middle = (low + high) // 2
    across, up = {"front": (0, 2), "side": (1, 2), "top": (0, 1)}[view]
    image = np.zeros((side, side), bool)
    for brick in construction.bricks:
        for cell in brick.cells():
            x, y, z = (size * place for size, place in zip((20, 20, 24), cell, strict=True))
            body = (x, y, z), (x + 20, y + 20, z + 24)
            stud = (x + 4, y + 4, z + 24), (x + 16, y + 16, z + 28)
            for near, far in (body, stud) if view != "top" else (body,):
                left, right = (end[across] - middle[across] + side // 2 for end in (near, far))
                bottom, top = (side // 2 + middle[up] - end[up] for end in (near, far))
                image[top:bottom, left:right] = True
    return image


def iou(one: Image, other: Image) -> float:
    return float((one & other).sum() / (one | other).sum())
