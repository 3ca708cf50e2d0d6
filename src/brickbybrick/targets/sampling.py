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
    along, up = turned[:, 1] - turned[:, 0], turned[:, 2] - turned[:, 0]
    area = np.linalg.norm(np.cross(along, up), axis=1) / 2
    height = 2 * area / np.maximum(base, 1e-300)
    foot = np.einsum("fa,fa->f", along, up) / np.maximum(base**2, 1e-300)  # of the third corner, as a share of the base
    while _points(base, height, spacing).sum() > most and spacing < 1e6:  # then there is one for each face
        spacing *= 1.5
    count = int(_points(base, height, spacing).sum())
    faces, shares, areas = np.empty(count, np.int64), np.empty((count, 3)), np.empty(count)
    written = _spread(base, height, foot.clip(1e-9, 1 - 1e-9), spacing, faces, shares, areas)
    faces, shares, areas = faces[:written], shares[:written], areas[:written]
    areas *= (area / np.maximum(np.bincount(faces, areas, len(area)), 1e-300))[faces]
    places = np.einsum("pc,pca->pa", shares, turned[faces])
    unturned = np.empty_like(shares)
    np.put_along_axis(unturned, order[faces], shares, axis=1)
    return Samples(places, faces, unturned, areas)


def _points(base: Floats, height: Floats, spacing: float) -> Floats:
    """No fewer than `_spread` writes for each face."""
    steps, rows = np.ceil(base / spacing).clip(1), np.ceil(height / spacing).clip(1)
    return np.asarray(np.where(rows == 1, steps, np.floor(steps * rows / 2) + steps + rows))


@compiled
def _spread(
    base: Floats,
    height: Floats,
    foot: Floats,
    spacing: float,
    faces: npt.NDArray[np.int64],
    shares: Floats,
    areas: Floats,
) -> int:
    """Writes the points of each face in rows that stand on its longest side, and returns how many they are."""
    written = 0
    for face in range(len(base)):
        steps = max(1, int(np.ceil(base[face] / spacing)))
        for step in range(steps):
            at = (step + 0.5) / steps
            first = at < foot[face]  # whether the row ends on the side from the first corner to the third
            reach = at / foot[face] if first else (1 - at) / (1 - foot[face])  # how far up that side
            rows = max(1, int(np.ceil(height[face] * reach / spacing)))
            for row in range(rows):
                up = (row + 0.5) / rows
                faces[written] = face
                shares[written, 0] = (1 - up) * (1 - at) + (up * (1 - reach) if first else 0)
                shares[written, 1] = (1 - up) * at + (0 if first else up * (1 - reach))
                shares[written, 2] = up * reach
                areas[written] = reach / rows
                written += 1
    return written
