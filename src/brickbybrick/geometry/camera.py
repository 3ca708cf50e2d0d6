"""Views: from where a model is seen, and what its points are in the picture.

The viewer is far away, above the table, in front of the model and to the right. To see another side the model is
turned, by quarters, and to see it from below it is turned over.
"""

from dataclasses import dataclass
from functools import cached_property
from math import cos, radians, sin

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# The front turns away by less than an isometric view's 45 degrees, so that a digit built in that plane stays readable.
YAW = radians(24)
PITCH = radians(23)
# Whoever builds looks at studs: more from above, and more of the side.
BOOK_YAW = radians(33)
BOOK_PITCH = radians(32)


@dataclass(frozen=True)
class View:
    """How a model lies before its viewer."""

    quarters: int = 0  # turns anticlockwise, as seen from above: after one, what was at the left is in front
    upside_down: bool = False  # turned over before that, about the axis along x, so that its back is in front
    yaw: float = YAW  # how far the viewer has stepped to the right,
    pitch: float = PITCH  # and up, in radians

    @cached_property
    def turn(self) -> Floats:
        """(3, 3) from the model's x, y, z to those of the picture, in which x is to the right and y away."""
        across, away = ((1, 0), (0, 1), (-1, 0), (0, -1))[self.quarters % 4]
        quarter = np.array([[across, away, 0.0], [-away, across, 0.0], [0.0, 0.0, 1.0]])
        return np.diag((1.0, -1.0, -1.0)) @ quarter if self.upside_down else quarter

    @cached_property
    def projection(self) -> Floats:
        """(3, 2) from x, y, z in stud pitches to the picture's right and down. A level circle becomes an upright
        ellipse, sin(pitch) as high as it is wide."""
        yaw, pitch = self.yaw, self.pitch
        seen = [[cos(yaw), sin(yaw) * sin(pitch)], [sin(yaw), -cos(yaw) * sin(pitch)], [0.0, -cos(pitch)]]
        return np.asarray(self.turn @ np.array(seen))

    @cached_property
    def to_viewer(self) -> Floats:
        """(3,) of length 1."""
        yaw, pitch = self.yaw, self.pitch
        return np.asarray(self.turn @ np.array([sin(yaw) * cos(pitch), -cos(yaw) * cos(pitch), sin(pitch)]))


FRONT = View()


def in_book(quarters: int, upside_down: bool = False) -> View:
    """How instructions show a model."""
    return View(quarters % 4, upside_down, BOOK_YAW, BOOK_PITCH)
