"""The colours that the cells at a model's surface take from the mesh that they stand for."""

import numpy as np
import numpy.typing as npt
from scipy.ndimage import binary_erosion
from scipy.spatial import cKDTree

from brickbybrick.colours import lab, seen
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.targets.sampling import Samples
from brickbybrick.targets.surface import Look, linear_at
from brickbybrick.targets.target import Paint

POINTS = 16  # of the surface that a cell looks at
REACH = 0.5  # cells; points that are this much farther away than the nearest count a third
TILT = np.array([1.0, 1.2, 1.4])  # so that along an edge all cells take the colour of the same side
ALIKE = 25.0  # CIE Lab; colours closer to each other are averaged

Floats = npt.NDArray[np.float64]


def painted(voxels: Voxels, look: Look, samples: Samples, height: float) -> Paint:
    """The colours of the cells that have an empty one beside them, and none for those inside.

    Each looks at the points of the surface that are nearest to its outer side, and takes the colour that most of them
    agree on: their average where they are alike, so that a fine pattern does not come out as noise, and the most
    common where they are not, so that no colour appears that is nowhere.

    Args:
        voxels: The cells (x, y, z).
        look: Of the mesh.
        samples: Points of its surface, in cells.
        height: Of a cell, over its width.
    """
    paint = np.zeros((*voxels.shape, 4), np.uint8)
    outer = np.argwhere(voxels & ~binary_erosion(voxels))  # (cell, 3); beyond the grid is empty
    if not len(outer):
        return paint
    size = np.array([1, 1, height])
    tree = cKDTree(samples.places * size, balanced_tree=False, compact_nodes=False)
    count = min(POINTS, len(samples.faces))
    found = tree.query((outer + 0.5 + 0.5 * _outwards(voxels, outer)) * size, count)
    far, near = (np.asarray(each).reshape(len(outer), count) for each in found)
    light = linear_at(look, samples.faces[near.reshape(-1)], samples.shares[near.reshape(-1)])
    weights = samples.areas[near] * np.exp((far[:, :1] - far) / REACH) + 1e-12
    paint[tuple(outer.T)] = np.append(
        seen(agreed(light.reshape(len(outer), count, 3), weights)), np.full((len(outer), 1), 255, np.uint8), axis=1
    )
    return paint


def _outwards(voxels: Voxels, cells: npt.NDArray[np.int64]) -> Floats:
    """Which way the empty neighbours of the cells (cell, 3) lie, with length 1, or 0 where they lie all around."""
    around = np.pad(voxels, 1)
    outwards = np.zeros(cells.shape)
    for axis in range(3):
        for step in (-1, 1):
            beside = cells + 1
            beside[:, axis] += step
            outwards[:, axis] += np.where(around[tuple(beside.T)], 0, step)
    outwards *= TILT
    lengths = np.linalg.norm(outwards, axis=1, keepdims=True)
    return np.asarray(outwards / np.where(lengths > 0, lengths, 1))


def agreed(light: npt.NDArray[np.floating], weights: Floats) -> Floats:
    """One colour (cell, 3) for each set of weighted colours (cell, point, 3), all in linear light."""
    perceived = lab(seen(light)).astype(np.float32)
    alike = np.zeros((*weights.shape, weights.shape[1]), bool)  # (cell, point, point)
    for point in range(weights.shape[1]):
        apart = ((perceived - perceived[:, point : point + 1]) ** 2).sum(axis=2)
        alike[:, point] = apart <= ALIKE**2
    support = np.einsum("cpq,cq->cp", alike, weights)
    best = support.argmax(axis=1)
    chosen = alike[np.arange(len(best)), best] * weights  # (cell, point)
    return np.asarray((light * chosen[:, :, None]).sum(axis=1) / chosen.sum(axis=1, keepdims=True))
