"""Small pictures of what will be built, before any brick is laid: its cells in the nearest colours of bricks.

Pictures are drawn flat, a rectangle for each cell, and whatever has depth in space.
"""

import numpy as np
from PIL import Image

from brickbybrick.builders.shades import in_bricks, in_colours
from brickbybrick.colours import COLOURS, RED
from brickbybrick.export.cells import ACROSS, Colours, flat, in_space
from brickbybrick.geometry.inventory import ALL_BRICKS
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.targets.reading import Reading
from brickbybrick.targets.target import Paint, Target


def preview(target: Target, reading: Reading, palette: tuple[int, ...], across: int = ACROSS) -> Image.Image:
    """A picture of what will be built, transparent where nothing is; red where any colour will do."""
    colours = _colours(target.volume, target.paint, palette)
    if len(target.images) == 3:
        return in_space(target.volume, colours, reading.height, across)
    # A mosaic is seen from above, and what stands from the front.
    seen = np.s_[:, :, -1] if reading.mosaic else np.s_[:, 0]
    return flat(target.volume[seen], colours[seen], 1.0 if reading.mosaic else reading.height, across)


def _colours(volume: Voxels, paint: Paint | None, palette: tuple[int, ...]) -> Colours:
    """The colour of bricks that each cell wants."""
    colours = np.full((*volume.shape, 3), COLOURS[RED].rgb, np.uint8)
    if paint is not None:
        _, made = in_colours(ALL_BRICKS, palette)
        counts = volume & (paint[..., 3] > 0)
        colours[counts] = in_bricks(paint[counts][:, :3], tuple(made))
    return colours
