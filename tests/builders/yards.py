"""Yards for masons, and what hangs together in them by trying."""

import numpy as np

from brickbybrick.builders.masonry import Yard
from brickbybrick.builders.shades import no_shades
from brickbybrick.geometry.inventory import ALL_BRICKS
from brickbybrick.geometry.mixed import MixedAssembly
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.jit import seeded


def yard_of(wanted: Voxels, seed: int = 0) -> tuple[MixedAssembly, Yard]:
    assembly, shades = MixedAssembly(wanted.shape, ALL_BRICKS, 200), no_shades(wanted.shape, ALL_BRICKS)
    return assembly, Yard(assembly.arrays, wanted, np.zeros(200, np.int64), seeded(1, seed), np.array([200, 0]), shades)


def pieces_by_trying(assembly: MixedAssembly) -> set[frozenset[int]]:
    """What hangs together, brick by brick from neighbour to neighbour."""
    found: set[frozenset[int]] = set()
    for brick in assembly.bricks:
        piece, waiting = {brick}, [brick]
        while waiting:
            for other in assembly.neighbours(waiting.pop()) - piece:
                piece.add(other)
                waiting.append(other)
        found.add(frozenset(piece))
    return found
