"""Pictures of a target's cells: flat, a rectangle for each, or in space by the faces that are seen, without studs, so
that it takes a blink also where there are thousands of them."""

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from brickbybrick.bodies import Look
from brickbybrick.geometry.camera import FRONT
from brickbybrick.geometry.faces import PLATE
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.geometry.voxels import Voxels, bounds
from brickbybrick.picture import RGB, tones
from brickbybrick.sheets import contact_sheet, image_of_view
from brickbybrick.targets.inputs import VIEWS
from brickbybrick.targets.target import Paint, Target

ACROSS = 320  # pixels of the longer side, at most
CELL = 12  # pixels of a cell of a view
MARGIN = 2  # pixels around what is drawn in space
FINER = 2  # times as large as it is shown is what is drawn in space, so that its edges are smooth
ANY: RGB = (200, 200, 200)  # where any colour will do

Colours = npt.NDArray[np.uint8]  # (x, y, z, 3)


def picture_of_views(target: Target) -> Image.Image:
    """What an agent sees: its one view, or front, side and top side by side."""
    fine_rows = len(target.images) == 1 and target.layer < BRICK_HIGH
    height = CELL * PLATE * target.layer if fine_rows else CELL  # of a row; three views are in cells of bricks
    views = [image_of_view(view, (CELL * view.shape[1] + 1, int(height * view.shape[0]) + 1)) for view in target.images]
    return contact_sheet([views], column_labels=VIEWS if len(views) == 3 else ())


def picture_of_paint(volume: Voxels, paint: Paint, layer: int, across: int = ACROSS) -> Image.Image:
    """What is wanted in colour, as models are drawn; its cells are so many plates high."""
    colours = np.where(paint[..., 3:] > 0, paint[..., :3], np.array(ANY, np.uint8))
    return in_space(volume, colours, PLATE * layer, across)


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
    corners = np.array([corner for *_, corners in faces for corner in corners]) * (1, 1, height) @ FRONT.projection
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


def _faces(volume: Voxels) -> list[tuple[tuple[int, int, int], Look, npt.NDArray[np.int64]]]:
    """The faces to draw, those behind first: the cell of each, which one it is, and its corners (4, 3)."""
    around = np.pad(volume, 1)
    free: dict[Look, Voxels] = {
        "front": ~around[1:-1, :-2, 1:-1],
        "side": ~around[2:, 1:-1, 1:-1],
        "top": ~around[1:-1, 1:-1, 2:],
    }
    shapes: dict[Look, npt.NDArray[np.int64]] = {
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
