"""Yards for masons, and what hangs together in them by trying."""

import numpy as np

from brickbybrick.builders.masonry import Yard
from brickbybrick.builders.shades import no_shades
from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.inventory import ALL_BRICKS, Inventory
from brickbybrick.geometry.mixed import MixedAssembly
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.jit import seeded


def yard_of(
    wanted: Voxels, seed: int = 0, inventory: Inventory = ALL_BRICKS, layer: int = BRICK_HIGH
) -> tuple[MixedAssembly, Yard]:
    """A yard with room for 200 parts, whose layers are so many plates high."""
    assembly = MixedAssembly(wanted.shape, inventory, 200, layer)
    shades = no_shades(wanted.shape, inventory)
    return assembly, Yard(assembly.arrays, wanted, np.zeros(200, np.int64), seeded(1, seed), np.array([200, 0]), shades)


def in_plates(wanted: Voxels, layer: int = BRICK_HIGH) -> set[Cell]:
    """The cells of models, which are a plate high, in a volume whose layers are so many plates high."""
    return {(x, y, z) for x, y, z in np.argwhere(np.repeat(wanted, layer, axis=2)).tolist()}


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
