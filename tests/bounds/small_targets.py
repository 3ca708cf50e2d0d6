"""Targets that are small enough to try everything."""

import numpy as np

from brickbybrick.targets.target import Target, target_of_image, target_of_voxels


def random_image(seed: int, side: int = 5) -> Target:
    """A few pixels, often in several pieces."""
    rng = np.random.default_rng(seed)
    image = np.zeros((14, 14), bool)
    image[4 : 4 + side, 4 : 4 + side] = rng.random((side, side)) < 0.5
    return target_of_image(f"pixels {seed}", image)


def random_solid(seed: int, budget: int) -> Target:
    """A few boxes of cells, often in several pieces."""
    rng = np.random.default_rng(seed)
    voxels = np.zeros((14, 14, 14), bool)
    for _ in range(3):
        x, y, z = rng.integers(0, 5, 3)
        voxels[x : x + rng.integers(1, 4), y : y + rng.integers(1, 5), z : z + rng.integers(1, 3)] = True
    return target_of_voxels(f"boxes {seed}", voxels, budget=budget)
