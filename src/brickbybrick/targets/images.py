"""Pictures of one's own, brought to what the agent was trained on: MNIST's frame, then 14 x 14 black and white.

Digits and pictures share `halved`, so that a drawing is reduced exactly as in training; `digit_like` repeats
what MNIST's makers did to a scan before that. Targets are made from the result elsewhere.
"""

import warnings
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.files import files_ending, read_file
from brickbybrick.targets.target import VIEW_SIDE

if TYPE_CHECKING:
    from PIL.Image import Image

ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp")
FORMATS = ("PNG", "JPEG", "BMP", "GIF", "WEBP")
MOST_BYTES = 200_000_000  # of one file
MOST_PIXELS = 50_000_000
MOST_SIDE = 30_000  # pixels; 50 million in one row would take a hundred times as long as in a square
FRAME = 28  # pixels of MNIST's frame
DIGIT = 20  # pixels of the square inside it that a digit fills
MIDDLE = 14  # MNIST's centre of mass is at this pixel, to the nearest one
HALF = 128  # ink from here on is a pixel, of 255
FAINTEST_INK = 16  # grey levels; less is one colour with noise
FAINT = 1 / 4  # of the darkest ink; what is fainter, such as JPEG's ripples, does not widen the crop
FAINT_IN_FRAME = 1 / 16  # the same for pictures as small as MNIST's, where faint pixels are the edges of strokes


def halved(grey: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Where there is ink, (14, 14), in a picture of (28, 28) grey levels 0 to 255, ink bright, as MNIST has them."""
    if grey.dtype != np.uint8 or grey.shape != (FRAME, FRAME):
        raise InputError(f"a {grey.dtype} picture of shape {grey.shape}: give 28 x 28 grey levels 0 to 255 as uint8")
    pillow = _pillow()
    small = pillow.fromarray(grey).resize((VIEW_SIDE, VIEW_SIDE), pillow.Resampling.BICUBIC)
    return np.asarray(np.asarray(small) >= HALF)


def digit_like(picture: "Image", name: str) -> npt.NDArray[np.uint8]:
    """Any picture prepared as MNIST prepared its scans, (28, 28) grey levels, ink bright; messages call it `name`.

    Transparency is laid over white. What differs from the border's colour is ink, dark or bright. The ink is cropped,
    fitted into 20 x 20 pixels and put with its centre of mass in the middle of 28 x 28. A digit of MNIST itself comes
    out almost as it went in.
    """
    pillow = _pillow()
    ink = ink_of(picture, name)
    crop = cropped(ink, FAINT if max(ink.shape) > FRAME else FAINT_IN_FRAME)
    height, width = (max(1, round(DIGIT * side / max(crop.shape))) for side in crop.shape)
    fitted = np.asarray(pillow.fromarray(crop).resize((width, height), pillow.Resampling.BICUBIC)).clip(0)
    # Faint or thin strokes become as bright as MNIST's, or halving would lose them.
    fitted = np.rint(fitted * (255 / fitted.max())).astype(np.uint8)
    frame = np.zeros((FRAME, FRAME), dtype=np.uint8)
    top, left = (_first(fitted.sum(axis=1 - axis, dtype=np.float64)) for axis in (0, 1))
    frame[top : top + height, left : left + width] = fitted
    return frame


def ink_of(picture: "Image", name: str) -> npt.NDArray[np.float32]:
    """How much each pixel (row, column) differs from the border's colour, in grey levels; transparency is white."""
    grey = _grey(picture)
    border = np.concatenate([grey[0], grey[-1], grey[1:-1, 0], grey[1:-1, -1]])
    ink: npt.NDArray[np.float32] = np.abs(grey - np.int16(np.median(border))).astype(np.float32)
    if ink.max() < FAINTEST_INK:
        raise InputError(f"{name}: the picture is of one colour: draw something that stands out from the background")
    return ink


def cropped(ink: npt.NDArray[np.float32], faint: float) -> npt.NDArray[np.float32]:
    """The part of a picture's ink that is more than a share of the darkest."""
    strokes = ink > ink.max() * faint
    rows, columns = (np.flatnonzero(strokes.any(axis=axis)) for axis in (1, 0))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def shape_of(ink: npt.NDArray[np.float32], rows: int, columns: int) -> npt.NDArray[np.bool_]:
    """A crop of ink reduced to so many rows and columns: cells that are at least half full."""
    pillow = _pillow()
    full = (ink > ink.max() / 2).astype(np.float32)
    share = np.asarray(pillow.fromarray(full).resize((columns, rows), pillow.Resampling.BOX))
    return np.asarray(share >= 0.5)


def read_picture(path: Path) -> "Image":
    """A picture from a file, upright as its camera says; of an animation the first frame."""
    if not path.exists():
        raise InputError(f"{path}: no such picture; give a PNG, JPEG, BMP, GIF or WebP file")
    return decoded_picture(BytesIO(read_file(path, MOST_BYTES)), str(path))


def decoded_picture(source: BinaryIO, name: str) -> "Image":
    """The same from the bytes of a picture; `name` is what messages call it."""
    pillow = _pillow()
    from PIL import ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is wrong is said in one line
            with pillow.open(source, formats=FORMATS) as opened:
                width, height = opened.size
                # Known from the header, before a small file can unfold into gigabytes.
                if width * height <= MOST_PIXELS and max(width, height) <= MOST_SIDE:
                    opened.load()
                    return ImageOps.exif_transpose(opened)
    except pillow.DecompressionBombError:
        pass  # Pillow's own limit, above ours
    except Exception as error:  # the decoders raise many kinds on damaged files
        raise InputError(f"{name}: not a whole picture; give a PNG, JPEG, BMP, GIF or WebP file") from error
    millions = MOST_PIXELS // 1_000_000
    raise InputError(
        f"{name}: the picture has more than {millions} million pixels, or {MOST_SIDE} in a row; make it smaller"
    )


def load_image_folder(folder: Path) -> list[tuple[str, npt.NDArray[np.bool_]]]:
    """The pictures of a folder as (file name, (14, 14) image), in the order of their names."""
    paths = files_ending(folder, ENDINGS)
    if not paths:
        raise InputError(f"{folder}: no pictures in this folder; put PNG, JPEG, BMP, GIF or WebP files into it")
    return [(path.name, load_image(path)) for path in paths]


def load_image(path: Path) -> npt.NDArray[np.bool_]:
    """A picture file as the agent sees it, (14, 14)."""
    return seen_image(read_picture(path), str(path))


def seen_image(picture: "Image", name: str, side: int = VIEW_SIDE) -> npt.NDArray[np.bool_]:
    """A picture, which messages call `name`, as the agent sees it, (14, 14).

    In a frame of another size the ink is in the middle, as large as fits.
    """
    if side == VIEW_SIDE:
        image = halved(digit_like(picture, name))
    else:
        ink = cropped(ink_of(picture, name), 0.5)
        rows, columns = (max(1, round(side * length / max(ink.shape))) for length in ink.shape)
        image = np.zeros((side, side), bool)
        top, left = (side - rows) // 2, (side - columns) // 2
        image[top : top + rows, left : left + columns] = shape_of(ink, rows, columns)
    if not image.any():
        raise InputError(
            f"{name}: the strokes are too thin to be seen in {side} x {side} pixels; draw with a wider pen"
        )
    return image


def _grey(picture: "Image") -> npt.NDArray[np.int16]:
    """The grey levels 0 to 255 of a picture over white, as (row, column)."""
    pillow = _pillow()
    layers = eight_bits(picture).convert("RGBA")
    white = pillow.new("RGBA", layers.size, "white")
    return np.asarray(pillow.alpha_composite(white, layers).convert("L")).astype(np.int16)


def eight_bits(picture: "Image") -> "Image":
    """A picture whose grey levels had 16 bits with 8 of them, scaled, where Pillow would clip; others as they are."""
    if not picture.mode.startswith("I"):
        return picture
    grey: Image = _pillow().fromarray((np.asarray(picture).astype(np.int64) >> 8).clip(0, 255).astype(np.uint8))
    return grey


def _first(weights: npt.NDArray[np.float64]) -> int:
    """Where rows or columns of these weights begin so that their centre of mass is in the frame's middle."""
    centre = float(np.average(np.arange(len(weights)), weights=weights))
    return min(max(int(np.floor(MIDDLE + 0.5 - centre)), 0), FRAME - len(weights))


def _pillow() -> ModuleType:
    try:
        from PIL import Image
    except ImportError as error:
        raise InputError("pictures are read with Pillow: pip install pillow") from error
    return Image
