"""Small drawings of parts: a portrait of each kind of brick, and the frame beside a step that says what it needs."""

from collections.abc import Sequence
from functools import cache

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.parts import Part
from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.geometry.brick import Size
from brickbybrick.picture import RGB, Drawing, draw

CALLOUT: RGB = (232, 241, 248)
CALLOUT_EDGE: RGB = (150, 180, 203)
LABEL = 6.5  # size of a part's name
COUNT = 11.0  # size of "12x"
PITCH = 6.0  # points from stud to stud in a small drawing


@cache
def portrait(size: Size, colour: int) -> Drawing:
    """The brick alone, its long side along x."""
    return draw(Construction((PlacedBrick(str(size), 0, 0, 0, size.directions[-1], colour),)))


def draw_part(pages: Pages, box: Box, part: Part, pitch: float) -> None:
    """The part's portrait at the left of a box, no larger than `pitch` points a stud."""
    drawing = portrait(part.size, part.colour)
    width, height = min(pitch * drawing.width, box.width), min(pitch * drawing.height, box.height)
    pages.drawing(drawing, Box(box.left, box.top + (box.height - height) / 2, width, height))


def draw_callout(pages: Pages, box: Box, parts: Sequence[Part]) -> None:
    """The parts of one step side by side in a frame, as wide as they need and no wider than the box.

    Where there are too many for their names, which the cover has too, only pictures and counts are left.
    """
    pad, gap = 7.0, 12.0
    widths = [portrait(part.size, part.colour).width * PITCH for part in parts]
    for named in (True, False):
        texts = [_text_width(pages, part, named) for part in parts]
        wanted = sum(texts) + sum(widths) + 4 * len(parts) + gap * (len(parts) - 1) + 2 * pad
        if wanted <= box.width:
            break
    scale = min(1.0, box.width / wanted)
    pages.rectangle(Box(box.left, box.top, wanted * scale, box.height), CALLOUT, CALLOUT_EDGE, stroke=0.6, corner=5)
    left = box.left + pad * scale
    middle = box.middle[1]
    for part, text, width in zip(parts, texts, widths, strict=True):
        draw_part(pages, Box(left, box.top + 3, width * scale, box.height - 6), part, PITCH * scale)
        left += (width + 4) * scale
        pages.text((left, middle + (1 if named else 4) * scale), f"{part.count}x", COUNT * scale, font=BOLD)
        if named:
            pages.text((left, middle + 9.5 * scale), part.name, LABEL * scale)
        left += (text + gap) * scale


def _text_width(pages: Pages, part: Part, named: bool) -> float:
    count = pages.text_width(f"{part.count}x", COUNT, BOLD)
    return max(count, pages.text_width(part.name, LABEL)) if named else count
