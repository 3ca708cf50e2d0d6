"""The pages around the steps: the cover with the model and its parts, further parts, and the finished model.

Parts are drawn as small portraits, here and in the frame beside a step that says what it needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import ceil

import numpy as np
import numpy.typing as npt
from PIL import Image

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.parts import Needed
from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.export.stud_map import GREY, GRID
from brickbybrick.geometry.part import Part
from brickbybrick.picture import INK, RGB, Drawing, draw, visible
from brickbybrick.targets.inputs import VIEWS

RULE: RGB = (208, 213, 220)
PART = (128.0, 44.0)  # width and height of an entry of the parts list
COVER_PARTS = 12  # entries that the cover has room for; longer lists get pages of their own
ASIDE = 176.0  # width of the column with the target and the verdict
VERDICT = 240.0  # points that the verdict may take
VIEW = 52.0  # side of a target's view
PICTURE = 96.0  # height of a target's picture
CALLOUT: RGB = (232, 241, 248)  # the frame beside a step
CALLOUT_EDGE: RGB = (150, 180, 203)
LABEL = 6.5  # size of a part's name in it
COUNT = 11.0  # size of "12x"
SMALL_PITCH = 6.0  # points from stud to stud in its portraits
MOST_PITCH = 40.0  # points from stud to stud, so that a small model stays a picture of bricks


@dataclass(frozen=True)
class Cover:
    """What the first page says besides the parts."""

    title: str
    target: npt.NDArray[np.bool_] | Image.Image | None  # views (view, row, column), or a picture
    verdict: Sequence[str]


def draw_cover(pages: Pages, body: Box, construction: Construction, parts: Sequence[Needed], cover: Cover) -> None:
    """The title, the model as large as the rest leaves room for, the parts, and what the model is for."""
    pages.text((body.left, body.top + 22), cover.title, 28, font=BOLD, most=body.width)
    pages.text((body.left, body.top + 42), facts(construction), 10.5, colour=GREY, most=body.width)
    has_aside = cover.target is not None or bool(cover.verdict)
    width = body.width - (ASIDE + 24 if has_aside else 0)
    columns = int(width // PART[0])
    rows = ceil(len(parts) / columns) if len(parts) <= COVER_PARTS else 1
    low = max(26 + rows * PART[1], _aside_height(pages, cover) if has_aside else 0)
    foot = Box(body.left, body.bottom - low, width, low)
    if len(parts) <= COVER_PARTS:
        draw_parts(pages, foot, parts)
    else:
        _heading(pages, foot, "Parts")
        pages.text((foot.left, foot.top + 34), f"{len(parts)} kinds of bricks: see the next page.", 9)
    if has_aside:
        _draw_aside(pages, Box(body.right - ASIDE, foot.top, ASIDE, low), cover)
    top = body.top + 62
    draw_model(pages, Box(body.left, top, body.width, foot.top - top - 24), construction)


def facts(construction: Construction) -> str:
    """Bricks, studs and centimetres in one line."""
    count = len(construction.bricks)
    bricks = f"{count} brick{'s' if count > 1 else ''}"
    return f"{bricks}  ·  {construction.measures}  ·  {construction.centimetres} wide, deep and high"


def draw_model(pages: Pages, box: Box, construction: Construction) -> None:
    pages.drawing(visible(draw(construction)), box, MOST_PITCH)


@cache
def portrait(part: Part, colour: int) -> Drawing:
    """The brick alone, its long side along x."""
    d = 0 if part.slopes else part.directions[-1]
    return draw(Construction((PlacedBrick(str(part), 0, 0, 0, d, colour),)))


def draw_part(pages: Pages, box: Box, needed: Needed, pitch: float) -> None:
    """The part's portrait at the left of a box, no larger than `pitch` points a stud."""
    drawing = portrait(needed.part, needed.colour)
    width, height = min(pitch * drawing.width, box.width), min(pitch * drawing.height, box.height)
    pages.drawing(drawing, Box(box.left, box.top + (box.height - height) / 2, width, height))


def draw_parts(pages: Pages, box: Box, parts: Sequence[Needed]) -> None:
    """A list of parts in columns, each with its picture, its count and its name."""
    _heading(pages, box, "Parts")
    columns = int(box.width // PART[0])
    for number, part in enumerate(parts):
        left = box.left + number % columns * (box.width / columns)
        top = box.top + 26 + number // columns * PART[1]
        draw_part(pages, Box(left, top + 4, 50, PART[1] - 8), part, 10.0)
        middle = top + PART[1] / 2
        pages.text((left + 57, middle + 1), f"{part.count}x", 13, font=BOLD)
        pages.text((left + 57, middle + 12), part.name, 8, most=box.width / columns - 63)


def parts_pages(body: Box, parts: Sequence[Needed]) -> list[Sequence[Needed]]:
    """The parts of each page that the parts need besides the cover."""
    if len(parts) <= COVER_PARTS:
        return []
    room = int(body.width // PART[0]) * int((body.height - 26) // PART[1])
    return [parts[start : start + room] for start in range(0, len(parts), room)]


def draw_callout(pages: Pages, box: Box, parts: Sequence[Needed]) -> None:
    """The parts of one step side by side in a frame, as wide as they need and no wider than the box.

    Where there are too many for their names, which the cover has too, only pictures and counts are left.
    """
    pad, gap = 7.0, 12.0
    widths = [portrait(part.part, part.colour).width * SMALL_PITCH for part in parts]
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
        draw_part(pages, Box(left, box.top + 3, width * scale, box.height - 6), part, SMALL_PITCH * scale)
        left += (width + 4) * scale
        pages.text((left, middle + (1 if named else 4) * scale), f"{part.count}x", COUNT * scale, font=BOLD)
        if named:
            pages.text((left, middle + 9.5 * scale), part.name, LABEL * scale)
        left += (text + gap) * scale


def _text_width(pages: Pages, part: Needed, named: bool) -> float:
    count = pages.text_width(f"{part.count}x", COUNT, BOLD)
    return max(count, pages.text_width(part.name, LABEL)) if named else count


def draw_last_page(pages: Pages, body: Box, construction: Construction) -> None:
    """The finished model, and once more from behind."""
    pages.text((body.left, body.top + 22), "Finished", 28, font=BOLD)
    pages.text((body.left, body.top + 42), facts(construction), 10.5, colour=GREY, most=body.width)
    room = Box(body.left, body.top + 62, body.width, body.height - 62)
    high = 0.62 * room.height
    draw_model(pages, Box(room.left, room.top, room.width, high - 20), construction)
    back = Box(room.left, room.top + high, room.width, room.height - high)
    _heading(pages, back, "From behind")
    draw_model(pages, Box(back.left, back.top + 26, back.width, back.height - 32), from_behind(construction))


def from_behind(construction: Construction) -> Construction:
    """The model after half a turn, so that its back is the front."""
    bricks = []
    for brick in construction.bricks:
        along_x, along_y = brick.shape.extent(brick.d)
        bricks.append(replace(brick, x=-brick.x - along_x, y=-brick.y - along_y))
    return replace(construction, bricks=tuple(bricks))


def _heading(pages: Pages, box: Box, text: str) -> None:
    pages.text((box.left, box.top + 11), text, 11, font=BOLD)
    pages.lines([(box.left, box.top + 18, box.right, box.top + 18)], RULE, 0.7)


def _aside_height(pages: Pages, cover: Cover) -> float:
    sentences = _fitting(pages, cover.verdict)
    return _target_height(cover) + (26 + sum(10.5 * len(lines) + 4 for lines in sentences) if sentences else 0)


def _target_height(cover: Cover) -> float:
    if cover.target is None:
        return 0
    return 26 + (PICTURE + 12 if isinstance(cover.target, Image.Image) else VIEW + 22)


def _fitting(pages: Pages, sentences: Sequence[str]) -> list[list[str]]:
    """The lines of as many sentences as there is room for, so that the model stays in sight."""
    shown: list[list[str]] = []
    room = VERDICT
    for sentence in sentences:
        lines = pages.wrapped(sentence, 8.5, ASIDE - 10)
        room -= 10.5 * len(lines) + 4
        if room < 0:
            return [*shown, [f"({len(sentences) - len(shown)} more)"]]
        shown.append(lines)
    return shown


def _draw_aside(pages: Pages, box: Box, cover: Cover) -> None:
    top = box.top
    if cover.target is not None:
        _heading(pages, box, "Target")
        _draw_target(pages, Box(box.left, top + 27, box.width, PICTURE), cover.target)
        top += _target_height(cover)
    if cover.verdict:
        _heading(pages, Box(box.left, top, box.width, 0), "Verdict")
        top += 29
        for lines in _fitting(pages, cover.verdict):
            pages.circle((box.left + 2, top + 2), 1.6, GREY)
            for line in lines:
                pages.text((box.left + 9, top + 5), line, 8.5)
                top += 10.5
            top += 4


def _draw_target(pages: Pages, box: Box, target: npt.NDArray[np.bool_] | Image.Image) -> None:
    if isinstance(target, Image.Image):
        pages.picture(target, box)
        return
    for number, view in enumerate(target[:3]):
        place = Box(box.left + number * (VIEW + 10), box.top, VIEW, VIEW)
        draw_view(pages, place, view)
        if len(target) > 1:
            pages.text((place.middle[0], place.bottom + 9), VIEWS[number], 7, colour=GREY, align="middle")


def draw_view(pages: Pages, box: Box, view: npt.NDArray[np.bool_]) -> None:
    """A view's filled pixels, each row's runs as one bar."""
    rows, columns = view.shape
    frame = box.holding(columns, rows)
    cell = frame.width / columns
    for row in range(rows):
        edges = np.flatnonzero(np.diff(np.pad(view[row].astype(np.int8), 1)))  # starts and ends of runs, in turn
        for start, end in edges.reshape(-1, 2).tolist():
            bar = Box(frame.left + start * cell, frame.top + row * cell, (end - start) * cell, cell)
            pages.rectangle(bar, INK, INK, stroke=0.1)  # the thin outline closes the seams between bars
    pages.rectangle(frame, None, GRID, stroke=0.7)
