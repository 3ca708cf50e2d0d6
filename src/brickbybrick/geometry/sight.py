"""Sight: how much of each body is seen from one side while more of them are put there.

A grid of points of the picture remembers which body is nearest at each, and how near. Adding a body asks only the
points that it covers, so that all steps of a model cost little more than the finished one. Bodies are convex.
"""

from functools import cache
from math import ceil, floor

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.camera import View
from brickbybrick.geometry.faces import PLATE, faces_of
from brickbybrick.geometry.part import Part

Floats = npt.NDArray[np.float64]
FINE = 10  # points a stud pitch
MOST_POINTS = 1_000_000  # a larger picture has coarser points
SLACK = 1.5  # points that a place may lie behind what is nearest: planes are seen at a slant
NEARER = 1e-6  # stud pitches by which a body must be nearer than another to hide it


class Sight:
    """What is seen of parts, by their numbers from 0 on."""

    def __init__(self, view: View, low: Floats, high: Floats) -> None:
        """Of parts within a frame, from its top left to its bottom right corner in the view's picture."""
        self.view = view
        self._low = low
        wide, tall = (high - low).tolist()
        self._fine = min(float(FINE), (MOST_POINTS / max(wide * tall, 1.0)) ** 0.5)
        shape = ceil(tall * self._fine) + 1, ceil(wide * self._fine) + 1
        self._depth = np.full(shape, -np.inf)
        self._owner = np.full(shape, -1, dtype=np.int32)
        self._seen = {-1: 0}  # points that each is seen at; -1 for where nothing is
        self._alone: list[int] = []  # points that each would cover if nothing were in front of it

    def add(self, part: Part, pose: Pose) -> int:
        """Puts a part there, and returns its number."""
        number = len(self._alone)
        corner = np.array(pose[:3]) * (1.0, 1.0, PLATE)
        body = _body(part, pose.d, self.view)
        seen_at = (corner @ self.view.projection - self._low) * self._fine
        left, top = (floor(value) for value in (seen_at + self._fine * body[0]).tolist())
        right, bottom = (ceil(value) for value in (seen_at + self._fine * body[1]).tolist())
        rows = slice(max(top, 0), max(bottom + 1, 0))
        columns = slice(max(left, 0), max(right + 1, 0))
        depth = self._depth[rows, columns]
        tall, wide = depth.shape
        across = (np.arange(columns.start, columns.start + wide) - seen_at[0]) / self._fine  # (column,)
        down = (np.arange(rows.start, rows.start + tall) - seen_at[1])[:, None] / self._fine  # (row, 1)
        ends, begins = (
            [first + second * across + third * down for first, second, third in planes.tolist()] for planes in body[2:]
        )
        near = np.minimum.reduce(ends)
        inside = np.maximum.reduce(begins) <= near
        near = near + float(corner @ self.view.to_viewer)
        shown = inside & (near > depth + NEARER)
        depth[shown] = near[shown]
        owner = self._owner[rows, columns]
        for hidden, count in zip(*np.unique(owner[shown], return_counts=True), strict=True):
            self._seen[hidden] -= int(count)
        owner[shown] = number
        self._seen[number] = int(shown.sum())
        self._alone.append(int(inside.sum()))
        return number

    def points(self, first: int = 0) -> npt.NDArray[np.int64]:
        """(part,) points at which each is seen, from the first on that is asked for."""
        return np.array([self._seen[number] for number in range(first, len(self._alone))], dtype=np.int64)

    def shares(self, first: int = 0) -> Floats:
        """(part,) of what each would show if nothing were in front of it, from the first on that is asked for."""
        return self.points(first) / np.maximum(self._alone[first:], 1)

    def is_free(self, places: Floats) -> npt.NDArray[np.bool_]:
        """Whether nothing is in front of places (..., 3), in stud pitches."""
        seen_at = ((places @ self.view.projection - self._low) * self._fine).round().astype(int)
        column, row = np.moveaxis(seen_at, -1, 0)
        row, column = row.clip(0, self._depth.shape[0] - 1), column.clip(0, self._depth.shape[1] - 1)
        return np.asarray(self._depth[row, column] <= places @ self.view.to_viewer + SLACK / self._fine)


@cache
def _body(part: Part, d: int, view: View) -> tuple[Floats, Floats, Floats, Floats]:
    """Where a part is in the picture, from the corner of its box: the top left and bottom right corners around it, and
    (face, 3) how near the planes of its faces are to the viewer, as first + second * right + third * down. A line of
    sight leaves the part through the first of those faces that look at the viewer, and enters through the last of the
    others."""
    faces = faces_of(part, d)
    outlines = [face.corners * (1.0, 1.0, PLATE) for face in faces]
    seen = np.concatenate(outlines) @ view.projection
    planes: tuple[list[Floats], list[Floats]] = ([], [])
    for face, outline in zip(faces, outlines, strict=True):
        slant = float(face.normal @ view.to_viewer)
        if abs(slant) > 1e-9:
            across = -face.normal @ view.projection
            planes[slant < 0].append(np.array([outline[0] @ face.normal, *across]) / slant)
    return seen.min(axis=0), seen.max(axis=0), np.array(planes[0]), np.array(planes[1])
