"""Small pictures of what will be built, before any brick is laid: its cells in the nearest colours of bricks.

Pictures are drawn flat, a rectangle for each cell. Whatever has depth is drawn in space by the faces of its cells that
are seen, without studs, so that it takes a blink also where there are thousands of them.
"""

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from brickbybrick.builders.shades import in_bricks, in_colours
from brickbybrick.colours import COLOURS, RED
from brickbybrick.geometry.inventory import ALL_BRICKS
from brickbybrick.geometry.voxels import Voxels, bounds
from brickbybrick.picture import PROJECTION, RGB, tones
from brickbybrick.targets.reading import CELL_HEIGHT, Reading
from brickbybrick.targets.target import Paint, Target

ACROSS = 320  # pixels of the longer side, at most
MARGIN = 2  # pixels around what is drawn in space
FINER = 2  # times as large as it is shown is what is drawn in space, so that its edges are smooth

Colours = npt.NDArray[np.uint8]  # (x, y, z, 3)


def preview(target: Target, reading: Reading, palette: tuple[int, ...], across: int = ACROSS) -> Image.Image:
    """A picture of what will be built, transparent where nothing is; red where any colour will do."""
    colours = _colours(target.volume, target.paint, palette)
    height = CELL_HEIGHT if reading.proportions == "real" else 1.0
    if len(target.images) == 3:
        return in_space(target.volume, colours, height, across)
    # A mosaic is seen from above, and what stands from the front.
    seen = np.s_[:, :, -1] if reading.mosaic else np.s_[:, 0]
    return flat(target.volume[seen], colours[seen], 1.0 if reading.mosaic else height, across)


def _colours(volume: Voxels, paint: Paint | None, palette: tuple[int, ...]) -> Colours:
    """The colour of bricks that each cell wants."""
    colours = np.full((*volume.shape, 3), COLOURS[RED].rgb, np.uint8)
    if paint is not None:
        _, made = in_colours(ALL_BRICKS, palette)
        counts = volume & (paint[..., 3] > 0)
        colours[counts] = in_bricks(paint[counts][:, :3], tuple(made))
    return colours


def flat(filled: npt.NDArray[np.bool_], colours: Colours, height: float, across: int = ACROSS) -> Image.Image:
    """Cells (across, up), and their colours, that are so many times as high as wide."""
    opaque = np.where(filled, 255, 0).astype(np.uint8)
    pixels = np.concatenate([colours, opaque[..., None]], axis=2).swapaxes(0, 1)[::-1]  # (row, column, 4)
    columns, rows = filled.shape
    cell = max(1, int(across / max(columns, rows * height)))
    size = columns * cell, round(rows * cell * height)
    return Image.fromarray(np.ascontiguousarray(pixels)).resize(size, Image.Resampling.NEAREST)


def in_space(volume: Voxels, colours: Colours, height: float, across: int = ACROSS) -> Image.Image:
    """Cells as seen from the front, the right and above, as all models are drawn."""
    low, high = bounds(volume).T
    inside = tuple(slice(start, end) for start, end in zip(low.tolist(), high.tolist(), strict=True))
    volume, colours = volume[inside], colours[inside]
    faces = _faces(volume)
    corners = np.array([corner for *_, corners in faces for corner in corners]) * (1, 1, height) @ PROJECTION
    first = corners.min(axis=0)
    scale = (across - 2 * MARGIN) * FINER / float((corners.max(axis=0) - first).max())
    places = ((corners - first) * scale + MARGIN * FINER).reshape(-1, 4, 2).tolist()
    wide, tall = (int(length * scale) + 2 * MARGIN * FINER for length in np.ptp(corners, axis=0))
    picture = Image.new("RGBA", (wide, tall))
    draw = ImageDraw.Draw(picture)
    for (cell, face, _), outline in zip(faces, places, strict=True):
        red, green, blue = colours[cell].tolist()
        colour: RGB = (red, green, blue)
        draw.polygon([tuple(point) for point in outline], fill=tones(colour)[face])
    return picture.resize((max(1, wide // FINER), max(1, tall // FINER)), Image.Resampling.BOX)


def _faces(volume: Voxels) -> list[tuple[tuple[int, int, int], str, npt.NDArray[np.int64]]]:
    """The faces to draw, those behind first: the cell of each, which one it is, and its corners (4, 3)."""
    around = np.pad(volume, 1)
    free = {
        "front": ~around[1:-1, :-2, 1:-1],
        "side": ~around[2:, 1:-1, 1:-1],
        "top": ~around[1:-1, 1:-1, 2:],
    }
    shapes = {
        "front": np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]),
        "side": np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]]),
        "top": np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]),
    }
    cells = np.argwhere(volume & (free["front"] | free["side"] | free["top"]))
    cells = cells[np.lexsort((cells[:, 0], -cells[:, 1], cells[:, 2]))]  # upwards, and in a layer towards the viewer
    return [
        ((x, y, z), face, shapes[face] + np.array((x, y, z)))
        for x, y, z in cells.tolist()
        for face in shapes
        if free[face][x, y, z]
    ]
