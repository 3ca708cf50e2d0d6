"""Points spread evenly over a surface: what is asked of it cell by cell, how much of it a cell holds and in which
colours, is asked of them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from brickbybrick.jit import compiled

SPACING = 0.25  # cells between points
MOST_POINTS = 12_000_000  # beyond which they lie less close

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Samples:
    """Points of a surface, in cells of the grid that it spans."""

    places: npt.NDArray[np.float64]  # (point, axis)
    faces: npt.NDArray[np.int64]  # (point,) on which each lies
    shares: npt.NDArray[np.float64]  # (point, corner) of the face's corners in it; they sum to 1
    areas: npt.NDArray[np.float64]  # (point,) for how much of the surface each stands, in squares of cells


def sampled(triangles: Floats, spacing: float = SPACING, most: int = MOST_POINTS) -> Samples:
    """Points on each triangle (face, corner, axis), at least one, about as far apart as `spacing`."""
    sides = np.linalg.norm(np.roll(triangles, -1, axis=1) - triangles, axis=2)  # (face, side)
    longest = sides.argmax(axis=1)
    order = (longest[:, None] + np.arange(3)) % 3  # of corners, so that the first side is the longest
    turned = np.take_along_axis(triangles, order[:, :, None], axis=1)
    base = np.take_along_axis(sides, longest[:, None], axis=1)[:, 0]
    area = np.linalg.norm(np.cross(turned[:, 1] - turned[:, 0], turned[:, 2] - turned[:, 0]), axis=1) / 2
    height = 2 * area / np.maximum(base, 1e-300)
    while _points(base, height, spacing).sum() > most:
        spacing *= 1.5
        if spacing > 1e6:
            break  # one point for each face, and there are no fewer
    rows = np.ceil(height / spacing).clip(1)
    count = int(_points(base, height, spacing).sum())
    faces, shares, areas = np.empty(count, np.int64), np.empty((count, 3)), np.empty(count)
    written = _spread(base, rows.astype(np.int64), area, spacing, faces, shares, areas)
    faces, shares, areas = faces[:written], shares[:written], areas[:written]
    places = np.einsum("pc,pca->pa", shares, turned[faces])
    unturned = np.empty_like(shares)
    np.put_along_axis(unturned, order[faces], shares, axis=1)
    return Samples(places, faces, unturned, areas)


def _points(base: Floats, height: Floats, spacing: float) -> npt.NDArray[np.float64]:
    """No fewer than `_spread` writes for each face."""
    rows = np.ceil(height / spacing).clip(1)
    return np.asarray(rows * (np.ceil(base / spacing).clip(1) + 1) / 2 + rows)


@compiled
def _spread(
    base: Floats,
    rows: npt.NDArray[np.int64],
    area: Floats,
    spacing: float,
    faces: npt.NDArray[np.int64],
    shares: Floats,
    areas: Floats,
) -> int:
    """Writes the points of each face in rows along its longest side, and returns how many they are."""
    written = 0
    for face in range(len(base)):
        for row in range(rows[face]):
            up = (row + 0.5) / rows[face]  # share of the corner that is not on the longest side
            along = max(1, int(np.ceil(base[face] * (1 - up) / spacing)))
            strip = area[face] * 2 * (1 - up) / rows[face]
            for step in range(along):
                across = (step + 0.5) / along
                faces[written] = face
                shares[written, 0] = (1 - up) * (1 - across)
                shares[written, 1] = (1 - up) * across
                shares[written, 2] = up
                areas[written] = strip / along
                written += 1
    return written
