"""The pages around the steps: the cover with the model and its parts, further parts, and the finished model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
import numpy.typing as npt

from brickbybrick.construction import Construction
from brickbybrick.export.callout import draw_part
from brickbybrick.export.parts import Part
from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.export.stud_map import GREY, GRID, Extent
from brickbybrick.picture import INK, RGB, draw, visible

PITCH_CM = 0.8  # from stud to stud
LAYER_CM = 0.96  # a brick without its studs
RULE: RGB = (208, 213, 220)
PART = (128.0, 44.0)  # width and height of an entry of the parts list
COVER_PARTS = 12  # entries that the cover has room for; longer lists get pages of their own
ASIDE = 176.0  # width of the column with the target and the verdict
VERDICT = 240.0  # points that the verdict may take
VIEW = 52.0  # side of a target's view
MOST_PITCH = 40.0  # points from stud to stud, so that a small model stays a picture of bricks
VIEW_NAMES = ("front", "side", "top")


@dataclass(frozen=True)
class Cover:
    """What the first page says besides the parts."""

    title: str
    views: npt.NDArray[np.bool_] | None  # (view, row, column)
    verdict: Sequence[str]


def draw_cover(pages: Pages, body: Box, construction: Construction, parts: Sequence[Part], cover: Cover) -> None:
    """The title, the model as large as the rest leaves room for, the parts, and what the model is for."""
    pages.text((body.left, body.top + 22), cover.title, 28, font=BOLD, most=body.width)
    pages.text((body.left, body.top + 42), facts(construction), 10.5, colour=GREY, most=body.width)
    has_aside = cover.views is not None or bool(cover.verdict)
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
    extent = Extent.of(construction)
    heights = [brick.z for brick in construction.bricks]
    layers = max(heights) - min(heights) + 1
    count = len(construction.bricks)
    bricks = f"{count} brick{'s' if count > 1 else ''}"
    studs = f"{extent.width} x {extent.depth} studs, {layers} layer{'s' if layers > 1 else ''}"
    sides = f"{extent.width * PITCH_CM:.1f} x {extent.depth * PITCH_CM:.1f} x {layers * LAYER_CM:.1f} cm"
    return f"{bricks}  ·  {studs}  ·  {sides} wide, deep and high"


def draw_model(pages: Pages, box: Box, construction: Construction) -> None:
    drawing = visible(draw(construction))
    pitch = min(MOST_PITCH, box.width / drawing.width, box.height / drawing.height)
    x, y = box.middle
    width, height = pitch * drawing.width, pitch * drawing.height
    pages.drawing(drawing, Box(x - width / 2, y - height / 2, width, height))


def draw_parts(pages: Pages, box: Box, parts: Sequence[Part]) -> None:
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


def parts_pages(body: Box, parts: Sequence[Part]) -> list[Sequence[Part]]:
    """The parts of each page that the parts need besides the cover."""
    if len(parts) <= COVER_PARTS:
        return []
    room = int(body.width // PART[0]) * int((body.height - 26) // PART[1])
    return [parts[start : start + room] for start in range(0, len(parts), room)]


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
        along_x, along_y = brick.size.extent(brick.d)
        bricks.append(replace(brick, x=-brick.x - along_x, y=-brick.y - along_y))
    return replace(construction, bricks=tuple(bricks))


def _heading(pages: Pages, box: Box, text: str) -> None:
    pages.text((box.left, box.top + 11), text, 11, font=BOLD)
    pages.lines([(box.left, box.top + 18, box.right, box.top + 18)], RULE, 0.7)


def _aside_height(pages: Pages, cover: Cover) -> float:
    views = 26 + VIEW + 22 if cover.views is not None else 0
    sentences = _fitting(pages, cover.verdict)
    return views + (26 + sum(_sentence_height(pages, sentence) for sentence in sentences) if sentences else 0)


def _fitting(pages: Pages, sentences: Sequence[str]) -> list[str]:
    """As many sentences as there is room for, so that the model stays in sight."""
    room = VERDICT
    for number, sentence in enumerate(sentences):
        room -= _sentence_height(pages, sentence)
        if room < 0:
            return [*sentences[:number], f"({len(sentences) - number} more)"]
    return list(sentences)


def _sentence_height(pages: Pages, sentence: str) -> float:
    return 10.5 * len(pages.wrapped(sentence, 8.5, ASIDE - 10)) + 4


def _draw_aside(pages: Pages, box: Box, cover: Cover) -> None:
    top = box.top
    if cover.views is not None:
        _heading(pages, box, "Target")
        for number, view in enumerate(cover.views[:3]):
            place = Box(box.left + number * (VIEW + 10), top + 27, VIEW, VIEW)
            draw_view(pages, place, view)
            if len(cover.views) > 1:
                pages.text((place.middle[0], place.bottom + 9), VIEW_NAMES[number], 7, colour=GREY, align="middle")
        top += 26 + VIEW + 22
    if cover.verdict:
        _heading(pages, Box(box.left, top, box.width, 0), "Verdict")
        top += 29
        for sentence in _fitting(pages, cover.verdict):
            pages.circle((box.left + 2, top + 2), 1.6, GREY)
            for line in pages.wrapped(sentence, 8.5, ASIDE - 10):
                pages.text((box.left + 9, top + 5), line, 8.5)
                top += 10.5
            top += 4


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
