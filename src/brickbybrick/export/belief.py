"""What a network believes about what three silhouettes hide, as pictures: the redder a cell, the surer a brick is
there."""

import math

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from brickbybrick.colours import COLOURS, RED
from brickbybrick.export.cells import ACROSS, Colours, in_space
from brickbybrick.geometry.faces import PLATE
from brickbybrick.geometry.part import BRICK_HIGH
from brickbybrick.geometry.voxels import bounds
from brickbybrick.picture import INK, RGB, WHITE, mix
from brickbybrick.sheets import captioned, contact_sheet
from brickbybrick.targets.target import Target

HARDLY: RGB = (253, 240, 190)  # believed to be empty
PERHAPS: RGB = (244, 160, 72)  # as likely filled as not
SURELY: RGB = (150, 10, 20)
MAP = 110  # pixels of the longer side of the map of a layer, at most
MOST_MAPS = 16  # layers that are shown
IN_A_ROW = 8  # maps
LARGE = 440  # pixels of the longer side of what is drawn in space
SCALE = (300, 18)  # pixels of the legend


def shades(likely: npt.NDArray[np.floating]) -> Colours:
    """The colours (..., 3) of cells by how likely they are filled."""
    steps = np.array([HARDLY, PERHAPS, SURELY], float)
    each = [np.interp(likely, (0.0, 0.5, 1.0), steps[:, channel]) for channel in range(3)]
    return np.stack(each, axis=-1).round().astype(np.uint8)


def belief_in_space(target: Target, across: int = ACROSS) -> Image.Image:
    """The room that the silhouettes leave, in shades; transparent around it."""
    return in_space(target.hull, shades(_belief(target)), PLATE * target.layer, across)


def picture_of_belief(target: Target) -> Image.Image:
    """All that is believed, for people: the room that silhouettes leave, what is built of it, and maps of layers as
    high as bricks, seen from above with the front below, in which a line goes around what is built."""
    plain = np.full((*target.volume.shape, 3), COLOURS[RED].rgb, np.uint8)
    built = in_space(target.volume, plain, PLATE * target.layer, LARGE)
    room = int(target.hull.sum())
    empty = room - int(target.volume.sum())
    pictures = [
        captioned(_on_white(belief_in_space(target, LARGE)), f"the silhouettes leave room for {room:,} cells"),
        captioned(_on_white(built), f"what is built: {empty:,} of them stay empty"),
    ]
    maps = [captioned(_map_of(target, layer), f"layer {layer + 1}") for layer in _shown_layers(target)]
    rows = [maps[first : first + IN_A_ROW] for first in range(0, len(maps), IN_A_ROW)]
    said = "layers of bricks from above, the front below; a line goes around what is built"
    return contact_sheet([[contact_sheet([pictures])], [_legend()], [captioned(contact_sheet(rows), said)]])


def _belief(target: Target) -> npt.NDArray[np.floating]:
    """What is believed of a target's cells; a volume that is known is certain."""
    return target.volume.astype(np.float32) if target.belief is None else target.belief


def _shown_layers(target: Target) -> list[int]:
    """Layers of bricks to show: all, or as many as there is room for, evenly over the height."""
    count = math.ceil(int(bounds(target.hull)[2, 1]) * target.layer / BRICK_HIGH)
    shown = min(count, MOST_MAPS)
    return [round(index * (count - 1) / max(shown - 1, 1)) for index in range(shown)]


def _map_of(target: Target, layer: int) -> Image.Image:
    """One layer of bricks from above: each cell in its shade, white where there is no room, a line around what is
    built."""
    finer = BRICK_HIGH // target.layer
    inside = tuple(slice(*span) for span in bounds(target.hull)[:2].tolist())
    cells = (*inside, slice(layer * finer, (layer + 1) * finer))
    # Of the plates in a layer of bricks the likeliest counts.
    room, built = (np.asarray(grid[cells].any(axis=2)) for grid in (target.hull, target.volume))  # (x, y)
    colours = np.where(room[..., None], shades(_belief(target)[cells].max(axis=2)), np.array(WHITE, np.uint8))
    side = max(2, MAP // max(room.shape))  # pixels of a cell
    wide, deep = (side * length for length in room.shape)
    picture = Image.new("RGB", (wide + 3, deep + 3), WHITE)
    pixels = Image.fromarray(np.ascontiguousarray(colours.swapaxes(0, 1)[::-1].astype(np.uint8)))
    picture.paste(pixels.resize((wide, deep), Image.Resampling.NEAREST), (1, 1))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, wide + 2, deep + 2), outline=mix(WHITE, INK, 0.15))
    around = np.pad(built, 1)
    for axis, (x, y) in ((0, (1, 0)), (1, (0, 1))):
        for column, row in np.argwhere(np.diff(around.astype(np.int8), axis=axis)).tolist():
            # The edge lies after a cell of the padded grid, along the axis; rows count from the front, which is below.
            left, low = column + x - 1, row + y - 1
            start = 1 + side * left, 1 + deep - side * low
            pen.line((start, (start[0] + side * y, start[1] - side * x)), fill=INK, width=2)
    return picture


def _legend() -> Image.Image:
    """Which shade means what."""
    wide, high = SCALE
    ramp = shades(np.linspace(0, 1, wide))
    bar = Image.fromarray(np.ascontiguousarray(np.broadcast_to(ramp, (high, wide, 3))))
    return captioned(bar, "hardly a brick     as likely as not     surely a brick")


def _on_white(picture: Image.Image) -> Image.Image:
    """A picture that is transparent in places as it prints."""
    page = Image.new("RGB", picture.size, WHITE)
    page.paste(picture, mask=picture.getchannel("A"))
    return page
