"""Animated pictures of a model that grows brick by brick, as GIF and WebP.

Every picture is painted in the frame of the finished model, so nothing moves but what arrives, and the last one
is the picture of the finished model.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np
from PIL import Image

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError, whole_number
from brickbybrick.export.steps import check_steps
from brickbybrick.picture import PALETTE, RGB, STEP_COLOURS, WHITE, draw, own_colour, paint, tones

Colours = Literal["own", "steps"]

MOST_PIXELS = 1200  # of a side; a film would be smaller than an animation of that size
MOST_FRAMES = 150
GIF_COLOURS = 256


def animation(
    construction: Construction,
    order: Sequence[int] | None = None,
    *,
    kind: Literal["gif", "webp"] = "gif",
    size: tuple[int, int] = (400, 400),
    seconds: float = 0.25,
    hold: float = 2.0,
    colours: Colours = "own",
    most_frames: int = MOST_FRAMES,
) -> bytes:
    """The bricks arriving one by one, again and again.

    Args:
        construction: The finished model.
        order: Indices of its bricks as they arrive; by default the order they are in.
        kind: "gif" is shown everywhere; "webp" keeps every colour exactly.
        size: Width and height in pixels.
        seconds: How long each brick is awaited. A brick that others hide from sight takes its time too.
        hold: How long the finished model stays.
        colours: Each brick's own colour, or colours that change from brick to brick, as the painter has them.
        most_frames: Pictures at most; a model of more bricks grows by several at a time.
    """
    if kind not in ("gif", "webp"):
        raise InputError(f"no animation of kind {kind!r}: choose gif or webp")
    _check(size, seconds, hold)
    finished = _ordered(construction, order)
    counts = _counts(len(finished.bricks), whole_number(most_frames, "the most frames", 1))
    durations = [round(1000 * seconds)] * (len(counts) - 1) + [round(1000 * hold)]
    frames = _frames(finished, counts, size, colours)
    if kind == "webp":
        return _encoded(frames, durations, "webp", lossless=True, quality=40, method=2)
    palette = _palette(finished, size, colours)
    indexed = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    return _encoded(indexed, durations, "gif", optimize=False, disposal=1)


def _check(size: tuple[int, int], seconds: float, hold: float) -> None:
    if not (0 < size[0] <= MOST_PIXELS and 0 < size[1] <= MOST_PIXELS):
        raise InputError(f"an animation of {size[0]}x{size[1]} pixels: ask for 1 to {MOST_PIXELS} a side")
    if not (0.02 <= seconds <= 60 and 0.02 <= hold <= 60):  # browsers slow down what is faster
        raise InputError(f"{seconds} seconds a brick and {hold} at the end: choose from 0.02 to 60")


def _ordered(construction: Construction, order: Sequence[int] | None) -> Construction:
    if not construction.bricks:
        raise InputError("a model without bricks has nothing to show: build one first")
    if order is None:
        return construction
    check_steps([order], construction)
    return Construction(tuple(construction.bricks[index] for index in order))


def _counts(bricks: int, most_frames: int) -> list[int]:
    """How many bricks each picture shows: evenly spaced, the last one all."""
    frames = min(bricks, most_frames)
    return [bricks * frame // frames for frame in range(1, frames + 1)]


def _frames(
    finished: Construction, counts: Iterable[int], size: tuple[int, int], colours: Colours
) -> Iterator[Image.Image]:
    for count in counts:
        yield paint(draw(Construction(finished.bricks[:count]), colours=colours, within=finished), size)


def _palette(finished: Construction, size: tuple[int, int], colours: Colours) -> Image.Image:
    """One palette for all pictures: every shade of the bricks as it is, then the blends that soft edges need most.

    A palette chosen for each picture would make bricks flicker, and one chosen by frequency alone would bend the
    colours of small faces.
    """
    bases = {PALETTE[code] for code in STEP_COLOURS} if colours == "steps" else set(map(own_colour, finished.bricks))
    shades = sorted({shade for base in bases for shade in tones(base).values()})
    pixels = np.asarray(paint(draw(finished, colours=colours), size)).reshape(-1, 3)
    blends, frequency = np.unique(pixels, axis=0, return_counts=True)
    frequent = [_rgb(blends[place].tolist()) for place in np.argsort(-frequency, kind="stable")]
    entries = list(dict.fromkeys([WHITE, *shades, *frequent]))[:GIF_COLOURS]
    image = Image.new("P", (1, 1))
    image.putpalette([value for entry in entries for value in entry])
    return image


def _rgb(values: Sequence[int]) -> RGB:
    red, green, blue = values
    return red, green, blue


def _encoded(frames: Iterator[Image.Image], durations: Sequence[int], kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    first = next(frames)
    # A single picture has no durations to list.
    timing: dict[str, object] = {"save_all": True, "append_images": frames, "loop": 0, "duration": list(durations)}
    first.save(file, kind, **options, **(timing if len(durations) > 1 else {}))
    return file.getvalue()
