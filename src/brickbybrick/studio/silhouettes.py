"""What a growing model looks like from where its target was seen, pixel for pixel beside the target's own views."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.targets.target import Target

View = dict[str, list[str]]


class Silhouettes:
    """The views of a model in the frame of a target's; each brick is added as it is placed.

    What lies outside the frame is not shown, however deep a flat target's bricks reach.
    """

    def __init__(self, target: Target, size: Size) -> None:
        self.size, self.lift = size, target.lift
        self.images = np.zeros_like(target.images)  # (view, row, column)

    def add(self, poses: Iterable[Pose]) -> None:
        """Shows more bricks."""
        for pose in poses:
            along_x, along_y = self.size.extent(pose.d)
            spans = ((pose.x, along_x), (pose.y, along_y), (pose.z + self.lift, 1))
            # The axes that run across and up each view: front, side, top.
            for image, (across, up) in zip(self.images, ((0, 2), (1, 2), (0, 1)), strict=False):
                upright = image[::-1].T  # (across, up) a window onto the image, the lowest row first
                upright[_within(*spans[across]), _within(*spans[up])] = True

    def views(self) -> list[View]:
        """The views as the page reads them."""
        return views_of(self.images)


def _within(first: int, length: int) -> slice:
    """A span of cells without what lies before the first; what lies behind the last, a slice leaves out itself."""
    return slice(max(0, first), max(0, first + length))


def views_of(images: npt.NDArray[np.bool_]) -> list[View]:
    """Images (view, row, column) as rows of 0 and 1, the top row first."""
    return [{"rows": ["".join("1" if pixel else "0" for pixel in row) for row in image.tolist()]} for image in images]
