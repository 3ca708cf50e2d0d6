"""The outer surface of a thing, as points that are spread over it, and how far two such surfaces are from each other.

A point stands for the bit of a triangle around it, so that distances are those between surfaces, not between points.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from brickbybrick.targets.sampling import sampled

SPACING = 1.0  # millimetres between points
MOST_POINTS = 600_000  # beyond which they lie less close
MOST_ASKED = 200_000  # of them, how far they are from another surface
NEAREST = 6  # points around whose bits of surface the nearest place is looked for
ASKED_AT_ONCE = 50_000

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Skin:
    """Points of a surface, in millimetres."""

    triangles: Floats  # (face, corner, axis)
    places: Floats  # (point, axis)
    faces: Ints  # (point,) on which each lies
    areas: Floats  # (point,) for how much of the surface each stands
    spacing: float = SPACING  # how far apart they lie, at most about

    def of(self, some: Flags) -> "Skin":
        """Some of its points (point,) alone."""
        return Skin(self.triangles, self.places[some], self.faces[some], self.areas[some], self.spacing)

    @property
    def normals(self) -> Floats:
        """Across the surface at each point (point, axis), of length 1, or 0 on a face of no area."""
        first, second, third = self.triangles.swapaxes(0, 1)
        normals = np.cross(second - first, third - first)
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        return np.asarray((normals / np.where(lengths > 0, lengths, 1))[self.faces])


def skin_of(triangles: Floats) -> Skin:
    """All of the surface of triangles (face, corner, axis) in millimetres."""
    across, up = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    area = np.linalg.norm(np.cross(across, up), axis=1).sum() / 2
    spacing = max(SPACING, float(np.sqrt(area / MOST_POINTS)))
    points = sampled(triangles, spacing)
    return Skin(triangles, points.places, points.faces, points.areas, spacing)


def distance_between(one: Skin, other: Skin) -> float:
    """Millimetres from a place of either surface to the nearest of the other: the mean of both ways' means."""
    return (mean_distance(one, other) + mean_distance(other, one)) / 2


def mean_distance(here: Skin, there: Skin) -> float:
    """Millimetres from a place of the one surface to the nearest of the other, on average by area."""
    if not len(here.places) or not len(there.places):
        return float("nan") if len(here.places) == len(there.places) else float("inf")
    tree = cKDTree(there.places)
    asked = np.arange(0, len(here.places), -(-len(here.places) // MOST_ASKED))
    total = 0.0
    for first in range(0, len(asked), ASKED_AT_ONCE):
        some = asked[first : first + ASKED_AT_ONCE]
        total += float(here.areas[some] @ _distances(here.places[some], there, tree))
    return total / float(here.areas[asked].sum())


def _distances(places: Floats, there: Skin, tree: cKDTree) -> Floats:
    """How far places (point, axis) are from a surface, of whose points there is a tree."""
    _, near = tree.query(places, k=min(NEAREST, len(there.places)))
    near = near.reshape(len(places), -1)
    least = np.full(len(places), np.inf)
    for column in near.T:
        corners, middle = there.triangles[there.faces[column]], there.places[column]
        way = nearest_in(corners, places) - middle
        # No farther than to the next point: beyond it the triangle may be hidden.
        length = np.linalg.norm(way, axis=1)
        way *= np.minimum(1, there.spacing / np.maximum(length, 1e-300))[:, None]
        least = np.minimum(least, np.linalg.norm(middle + way - places, axis=1))
    return least


def nearest_in(triangles: Floats, places: Floats) -> Floats:
    """The place of each triangle (row, corner, axis) that is nearest to a place (row, axis)."""
    first, across, up = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    way = places - first
    aa, au, uu, wa, wu = (
        np.einsum("ra,ra->r", one, other)
        for one, other in ((across, across), (across, up), (up, up), (way, across), (way, up))
    )
    area = aa * uu - au**2
    flat = area > 1e-12 * np.maximum(aa * uu, 1e-300)  # not a line
    b = np.where(flat, (uu * wa - au * wu) / np.where(flat, area, 1), -1)
    c = np.where(flat, (aa * wu - au * wa) / np.where(flat, area, 1), -1)
    best = first + b[:, None] * across + c[:, None] * up
    outside = (b < 0) | (c < 0) | (b + c > 1)
    least = np.where(outside, np.inf, 0.0)
    for corner in range(3):
        start, side = triangles[:, corner], triangles[:, (corner + 1) % 3] - triangles[:, corner]
        along = np.einsum("ra,ra->r", places - start, side) / np.maximum(np.einsum("ra,ra->r", side, side), 1e-300)
        on_side = start + along.clip(0, 1)[:, None] * side
        far = np.linalg.norm(places - on_side, axis=1)
        best = np.where((far < least)[:, None], on_side, best)
        least = np.minimum(far, least)
    return np.asarray(best)
