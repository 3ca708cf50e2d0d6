"""Pictures in colour: which cells of a mosaic are filled, and with what, from any picture.

The picture's background is left out where it has one, what remains is laid on a grid of cells with the proportions of
bricks, and each cell gets the colour that is commonest in it. Which brick colours come nearest is decided elsewhere;
pictures as the paper's agents saw them, black and white, are made in `images`.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from brickbybrick.colours import lab
from brickbybrick.errors import InputError
from brickbybrick.targets.backgrounds import (
    Background,
    Lab,
    Mask,
    background_of,
    is_something,
    object_before,
    stands_out,
)
from brickbybrick.targets.images import eight_bits
from brickbybrick.targets.mosaics import Samples, colours_of, fill_of
from brickbybrick.targets.reading import CELL_HEIGHT, Keeping, check_contrast, check_size

if TYPE_CHECKING:
    from PIL.Image import Image

Box = tuple[float, float, float, float]  # left, top, right and bottom, in pixels of the picture

SIZES = (24, 32, 48)  # studs of the longest side to choose from
FINEST = 96  # studs; what is smaller in a picture is noise rather than detail
FAITHFUL = 4.2  # mean difference in CIELAB between an object and its cells that is small enough
FAITHFUL_SCENE = 3.0  # the same for a picture that is kept whole: the things in it are smaller than it is
MISSING = 20.0  # the difference that counts where a cell is filled and the picture is not, or the other way round
GLANCE = 400  # pixels of the longer side when looking for the background
SMALL = 1 / 2  # of the picture; what is smaller is looked at again, larger
FINE = 10  # samples of a cell across,
LESS_FINE, MORE_FINE = 6, 25  # fewer where there are very many cells, more where so few that lines would blur
HALF_OPAQUE = 128  # of 255; below, a pixel is transparent
LEAST_CLEAR = 0.005  # of the picture; less that is transparent is no background
LUMA = (0.2126, 0.7152, 0.0722)  # of red, green and blue


class Shown(NamedTuple):
    """What is to be built of a picture."""

    filled: Mask  # (row, column)
    colours: npt.NDArray[np.uint8]  # (row, column, 3) sRGB of what fills a cell, 0 elsewhere
    size: int  # studs of the longest side
    background: Keeping  # whether it was dropped or, where there is none, kept
    notes: tuple[str, ...] = ()  # what the user should know


class _Source(NamedTuple):
    """A picture that parts are looked at in, and what is known of its background."""

    picture: "Image"  # RGB, or RGBA where transparency is the background
    background: Background | None

    @property
    def drops(self) -> bool:
        """Whether anything is left out."""
        return self.picture.mode == "RGBA" or self.background is not None


class _Look(NamedTuple):
    """A part of a picture, reduced or enlarged."""

    rgb: npt.NDArray[np.uint8]  # (row, column, 3)
    colours: Lab
    object: Mask


def shown_picture(
    picture: "Image",
    name: str,
    size: int | None = None,
    cell: float = CELL_HEIGHT,
    background: Keeping = "auto",
    contrast: float = 1.0,
) -> Shown:
    """What is to be built of a picture, in colour.

    Args:
        picture: Any picture, as `read_picture` gives it.
        name: What messages call it.
        size: Studs of the longest side, upright ones measured in studs too; None chooses by the picture's detail
            (see `size_for`).
        cell: How many times as high as wide cells are: as bricks if not given, so that a circle of 24 studs is 20
            layers high.
        background: `auto` leaves the background out where there is one without doubt, `keep` builds the whole
            picture, `drop` leaves out what touches the border and is alike. Transparency is background; kept, it
            is white.
        contrast: How far each cell's lightness is from the mean one, as a multiple of how far it was.
    """
    check_size(size)
    check_contrast(contrast)
    source, notes = _source(picture, name, background)
    box, look = _object(source, name)
    if size is None:
        size = size_for(look.colours, look.object, max(cell, 1.0))  # as many studs with plates as with bricks
    rows, columns = grid_of(box[2] - box[0], box[3] - box[1], size, cell)
    samples = _samples(source, box, rows, columns)
    filled, lost = fill_of(samples.object)
    if not filled.any():
        raise InputError(f"{name}: its strokes are too thin to be seen at {size} studs: take a larger size")
    if lost:
        notes = (*notes, f"thin parts of the picture are lost or broken at {size} studs: take a larger size")
    colours = contrasted(colours_of(samples, filled), filled, contrast)
    return Shown(filled, colours, size, "drop" if source.drops else "keep", notes)


def grid_of(width: float, height: float, size: int, cell: float) -> tuple[int, int]:
    """How many rows and columns of cells, so many times as high as wide, show something of this width and height whose
    longest side is `size` studs."""
    stud = max(width, height) / size
    return max(1, round(height / stud / cell)), max(1, round(width / stud))


def size_for(colours: Lab, mask: Mask, cell: float = CELL_HEIGHT) -> int:
    """How many studs the longest side of an object needs: 24, 32 or 48, the fewest that show it faithfully.

    The object is laid on a grid of each size, every cell in its mean colour, and compared with the same on a grid of
    96 studs, where noise is gone. Faithful is a mean difference in CIELAB below 4.2 over all that either of them
    fills, or below 3 if the object is the whole picture; where only one fills it, the difference counts as 20. So a
    heart or a letter takes 24 studs, a drawn face 32 and most photos 48. Once there are as many studs as pixels, no
    larger size is tried.
    """
    faithful = FAITHFUL_SCENE if mask.all() else FAITHFUL
    finest = _meant(colours, mask, FINEST, cell)
    for size in SIZES:
        cells = _meant(colours, mask, size, cell)
        unlike = np.sqrt(((finest.colours - cells.colours) ** 2).sum(axis=2))
        unlike = np.where(finest.coloured & cells.coloured, unlike, 0.0)
        unlike = np.where(finest.filled != cells.filled, MISSING, unlike)
        if unlike[finest.filled | cells.filled].mean() < faithful or size >= max(mask.shape):
            return size
    return SIZES[-1]


def contrasted(colours: npt.NDArray[np.uint8], filled: Mask, contrast: float) -> npt.NDArray[np.uint8]:
    """Colours (row, column, 3) whose lightness is `contrast` times as far from the mean of the filled cells."""
    light = colours @ np.array(LUMA)  # (row, column)
    moved = (contrast - 1) * (light - light[filled].mean())
    changed = (colours + moved[..., None]).round().clip(0, 255).astype(np.uint8)
    return np.where(filled[..., None], changed, 0).astype(np.uint8)


def _source(picture: "Image", name: str, keeping: Keeping) -> tuple[_Source, tuple[str, ...]]:
    """A picture with its background, if that is to be left out, and notes on what became of it."""
    from PIL import Image

    picture = _layers(picture)
    if picture.mode == "RGBA":
        levels = np.array(picture.getchannel("A").histogram())
        clear = levels[:HALF_OPAQUE].sum() / levels.sum()
        if keeping == "keep" or clear < LEAST_CLEAR:
            picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
        elif clear == 1:
            raise InputError(f"{name}: the picture is transparent all over: draw something, or keep its background")
        else:
            return _Source(picture, None), ()
    whole = _Source(picture, None)
    if keeping == "keep":
        return whole, ()
    colours = _look(whole, (0.0, 0.0, *picture.size), *_within(picture.size)).colours
    found = background_of(colours)
    rest = np.zeros(colours.shape[:2], bool)
    if found is not None:
        rest = object_before(found, colours, pixel=colours.shape[1] / picture.width)
    if keeping == "drop":
        if not rest.any():
            raise InputError(f"{name}: no background is found around anything: keep it, or draw on one plain colour")
        return _Source(picture, found), ()
    if found is None or not found.sure or not stands_out(found, colours, rest):
        return whole, ("the picture has no plain background and is kept whole",)
    if not is_something(rest):
        return whole, ("hardly anything stands out from the background, so the picture is kept whole",)
    return _Source(picture, found), ("the background is left out",)


def _layers(picture: "Image") -> "Image":
    """The picture as RGB, or RGBA if any of it may be transparent."""
    picture = eight_bits(picture)
    mode = "RGBA" if picture.has_transparency_data else "RGB"
    return picture if picture.mode == mode else picture.convert(mode)


def _object(source: _Source, name: str) -> tuple[Box, _Look]:
    """The box around what is not background, in pixels of the picture, and a look at it."""
    width, height = source.picture.size
    box, look = _cropped(source, (0.0, 0.0, float(width), float(height)), name)
    across, down = box[2] - box[0], box[3] - box[1]
    if max(width, height) > GLANCE and max(across / width, down / height) < SMALL:
        margin = max(across, down) / 4
        wider = max(0.0, box[0] - margin), max(0.0, box[1] - margin)
        box, look = _cropped(source, (*wider, min(width, box[2] + margin), min(height, box[3] + margin)), name)
    return box, look


def _cropped(source: _Source, box: Box, name: str) -> tuple[Box, _Look]:
    """The box around what is not background inside another, and a look at it."""
    across, down = box[2] - box[0], box[3] - box[1]
    look = _look(source, box, *_within((across, down)))
    if not look.object.any():
        raise InputError(f"{name}: nothing stands out from the background: keep the background")
    rows, columns = (np.flatnonzero(look.object.any(axis=axis)) for axis in (1, 0))
    top, bottom, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    by_x, by_y = across / look.object.shape[1], down / look.object.shape[0]
    window = slice(top, bottom), slice(left, right)
    tight = (box[0] + left * by_x, box[1] + top * by_y, box[0] + right * by_x, box[1] + bottom * by_y)
    return tight, _Look(look.rgb[window], look.colours[window], look.object[window])


def _samples(source: _Source, box: Box, rows: int, columns: int) -> Samples:
    """The cells of a grid on a box of the picture, each in many samples.

    Around the box is a margin of one cell where the picture goes on, so that its background is seen to be outside.
    """
    fine = int(np.clip(GLANCE // max(rows, columns), FINE, MORE_FINE)) if rows * columns <= FINEST**2 else LESS_FINE
    width, height = source.picture.size
    across, down = (box[2] - box[0]) / columns, (box[3] - box[1]) / rows
    left, top = int(box[0] >= across), int(box[1] >= down)
    right, bottom = int(box[2] + across <= width), int(box[3] + down <= height)
    wider = (box[0] - left * across, box[1] - top * down, box[2] + right * across, box[3] + bottom * down)
    look = _look(source, wider, (columns + left + right) * fine, (rows + top + bottom) * fine)
    window = slice(top * fine, (top + rows) * fine), slice(left * fine, (left + columns) * fine)
    return Samples.of(look.rgb[window], look.colours[window], look.object[window], fine)


def _look(source: _Source, box: Box, columns: int, rows: int) -> _Look:
    """A part of a picture in so many columns and rows of pixels, and where its object is."""
    from PIL import Image

    reduced = source.picture.resize((columns, rows), Image.Resampling.BOX, box, reducing_gap=2.0)
    pixels = np.asarray(reduced)
    rgb, mask = pixels[..., :3], np.ones((rows, columns), bool)
    colours = lab(rgb).astype(np.float32)
    if reduced.mode == "RGBA":
        mask = pixels[..., 3] >= HALF_OPAQUE
    elif source.background is not None:
        width, height = source.picture.size
        frame = (box[0] / width, box[1] / height, box[2] / width, box[3] / height)
        mask = object_before(source.background, colours, frame, columns / (box[2] - box[0]))
    return _Look(rgb, colours, mask)


def _within(size: tuple[float, float]) -> tuple[int, int]:
    """The same proportions within 400 pixels."""
    scale = min(1.0, GLANCE / max(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


class _Meant(NamedTuple):
    """An object on a grid of some size, enlarged to the finest."""

    filled: Mask
    colours: Lab
    coloured: Mask  # where the colours count: at the very edge they are mixed with the background


def _meant(colours: Lab, mask: Mask, size: int, cell: float) -> _Meant:
    """An object in its mean colours on a grid of so many studs."""
    from PIL import Image

    rows, columns = grid_of(mask.shape[1], mask.shape[0], size, cell)
    fine_rows, fine_columns = grid_of(mask.shape[1], mask.shape[0], FINEST, cell)

    def reduced(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        small = Image.fromarray(values).resize((columns, rows), Image.Resampling.BOX)
        return np.asarray(small.resize((fine_columns, fine_rows), Image.Resampling.NEAREST))

    inner = ndimage.binary_erosion(mask, border_value=True).astype(np.float32)
    share = reduced(inner)
    means = [reduced(colours[..., axis] * inner) / np.maximum(share, 1e-3) for axis in range(3)]
    return _Meant(reduced(mask.astype(np.float32)) >= 0.5, np.stack(means, axis=2), share > 0.1)
