"""Animated pictures of a model that grows brick by brick, as GIF and WebP.

Every picture is painted in the frame of the finished model, so nothing moves but what arrives, and the last one
is the picture of the finished model.
"""

import io
from typing import Literal, get_args

import numpy as np
from PIL import Image

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.geometry.undersides import Inside
from brickbybrick.picture import WHITE, draw, own_colour, paint, tones

SIZE = (400, 400)  # pixels
SECONDS = 0.25  # that each brick is awaited; one that others hide from sight takes its time too
HOLD = 2.0  # seconds that the finished model stays
MOST_FRAMES = 150  # a model of more bricks grows by several at a time
GIF_COLOURS = 256


def animation(construction: Construction, kind: Literal["gif", "webp"]) -> bytes:
    """The bricks arriving one by one, again and again: a GIF is shown everywhere, a WebP keeps every colour exactly."""
    bricks = construction.bricks
    if not bricks:
        raise InputError("a model without bricks has nothing to show: build one first")
    count = min(len(bricks), MOST_FRAMES)
    shown = [Construction(bricks[: len(bricks) * frame // count]) for frame in range(1, count + 1)]
    frames = (paint(draw(part, within=construction), SIZE) for part in shown)
    options: dict[str, object] = {"lossless": True, "quality": 40, "method": 2}
    if kind == "gif":
        palette = _palette(construction)
        frames = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
        options = {"optimize": False, "disposal": 1}
    first = next(frames)
    if count > 1:  # a single picture has no durations to list
        durations = [round(1000 * SECONDS)] * (count - 1) + [round(1000 * HOLD)]
        options |= {"save_all": True, "append_images": frames, "loop": 0, "duration": durations}
    file = io.BytesIO()
    first.save(file, kind, **options)
    return file.getvalue()


def _palette(finished: Construction) -> Image.Image:
    """One palette for all pictures: every shade of the bricks as it is, then the blends that soft edges need most.

    A palette chosen for each picture would make bricks flicker, and one chosen by frequency alone would bend the
    colours of small faces.
    """
    colours = [tones(base) for base in set(map(own_colour, finished.bricks))]
    # What is seen of parts from below is in none of the pictures.
    shades = sorted({shade for tone in colours for look, shade in tone.items() if look not in get_args(Inside)})
    pixels = np.asarray(paint(draw(finished), SIZE)).reshape(-1, 3)
    blends, frequency = np.unique(pixels, axis=0, return_counts=True)
    blends = blends[np.argsort(-frequency, kind="stable")]
    # Pixels are matched to the palette by the fourth part of their values: what is nearer to a shade would replace it.
    apart = np.abs(blends[:, None].astype(int) - np.array([WHITE, *shades])).max(axis=2).min(axis=1) >= 8
    frequent = map(tuple, blends[apart].tolist())
    entries = list(dict.fromkeys([WHITE, *shades, *frequent]))[:GIF_COLOURS]
    image = Image.new("P", (1, 1))
    image.putpalette([value for entry in entries for value in entry])
    return image
