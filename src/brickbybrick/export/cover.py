"""The first page of a book, with the model and what it is for, and the one that shows it finished."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from brickbybrick.construction import Construction
from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.export.stud_map import GREY, GRID
from brickbybrick.geometry.camera import in_book
from brickbybrick.picture import INK, RGB, draw, visible
from brickbybrick.targets.inputs import VIEWS

RULE: RGB = (208, 213, 220)
ASIDE = 176.0  # width of the column with the target
VERDICT = 200.0  # points that the verdict may take
VIEW = 52.0  # side of a target's view
PICTURE = 96.0  # height of a target's picture
MOST_PITCH = 40.0  # points from stud to stud, so that a small model stays a picture of bricks


@dataclass(frozen=True)
class Cover:
    """What the first page says besides the parts."""

    title: str
    target: npt.NDArray[np.bool_] | Image.Image | None  # views (view, row, column), or a picture
    verdict: Sequence[str]


def draw_cover(pages: Pages, body: Box, construction: Construction, cover: Cover) -> None:
    """The title, the model as large as the rest leaves room for, and what the model is for."""
    pages.text((body.left, body.top + 22), cover.title, 28, font=BOLD, most=body.width)
    pages.text((body.left, body.top + 42), facts(construction), 10.5, colour=GREY, most=body.width)
    low = 0.0
    if cover.target is not None or cover.verdict:
        sides = _target_height(cover), _verdict_height(pages, cover, body)
        low = max(sides) + 20
        foot = Box(body.left, body.bottom - max(sides), body.width, max(sides))
        _draw_target_and_verdict(pages, foot, cover)
    top = body.top + 62
    draw_model(pages, Box(body.left, top, body.width, body.bottom - low - top), construction, 0)


def facts(construction: Construction) -> str:
    """Bricks, studs and centimetres in one line."""
    return f"{counted(construction)}  ·  {construction.measures}  ·  {construction.centimetres} wide, deep and high"


def counted(construction: Construction) -> str:
    """How many bricks there are, and other parts."""
    bricks, others = len(construction.bricks), len(construction.others)
    more = f" and {others} other part{'s' if others > 1 else ''}" if others else ""
    return f"{bricks} brick{'s' if bricks > 1 else ''}{more}"


def draw_model(pages: Pages, box: Box, construction: Construction, quarters: int) -> None:
    """The model, after so many quarter turns, as large as fits."""
    pages.drawing(visible(draw(construction, view=in_book(quarters))), box, MOST_PITCH)


def draw_last_page(pages: Pages, body: Box, construction: Construction) -> None:
    """The finished model, and once more from behind."""
    pages.text((body.left, body.top + 22), "Finished", 28, font=BOLD)
    pages.text((body.left, body.top + 42), facts(construction), 10.5, colour=GREY, most=body.width)
    room = Box(body.left, body.top + 62, body.width, body.height - 62)
    high = 0.62 * room.height
    draw_model(pages, Box(room.left, room.top, room.width, high - 20), construction, 0)
    back = Box(room.left, room.top + high, room.width, room.height - high)
    _heading(pages, back, "From behind")
    draw_model(pages, Box(back.left, back.top + 26, back.width, back.height - 32), construction, 2)


def _heading(pages: Pages, box: Box, text: str) -> None:
    pages.text((box.left, box.top + 11), text, 11, font=BOLD)
    pages.lines([(box.left, box.top + 18, box.right, box.top + 18)], RULE, 0.7)


def _verdict_width(cover: Cover, body: Box) -> float:
    """What the target leaves of the page's width."""
    return body.width if cover.target is None else body.width - ASIDE - 24


def _verdict_height(pages: Pages, cover: Cover, body: Box) -> float:
    sentences = _fitting(pages, cover.verdict, _verdict_width(cover, body))
    return 26 + sum(10.5 * len(lines) + 4 for lines in sentences) if sentences else 0.0


def _target_height(cover: Cover) -> float:
    if cover.target is None:
        return 0
    return 26 + (PICTURE + 12 if isinstance(cover.target, Image.Image) else VIEW + 22)


def _fitting(pages: Pages, sentences: Sequence[str], width: float) -> list[list[str]]:
    """The lines of as many sentences as there is room for, so that the model stays in sight."""
    shown: list[list[str]] = []
    room = VERDICT
    for sentence in sentences:
        lines = pages.wrapped(sentence, 8.5, width - 10)
        room -= 10.5 * len(lines) + 4
        if room < 0:
            return [*shown, [f"({len(sentences) - len(shown)} more)"]]
        shown.append(lines)
    return shown


def _draw_target_and_verdict(pages: Pages, box: Box, cover: Cover) -> None:
    left = box.left
    if cover.target is not None:
        _heading(pages, Box(left, box.top, ASIDE, 0), "Target")
        _draw_target(pages, Box(left, box.top + 27, ASIDE, PICTURE), cover.target)
        left += ASIDE + 24
    if cover.verdict:
        _heading(pages, Box(left, box.top, box.right - left, 0), "Verdict")
        top = box.top + 29
        for lines in _fitting(pages, cover.verdict, box.right - left):
            pages.circle((left + 2, top + 2), 1.6, GREY)
            for line in lines:
                pages.text((left + 9, top + 5), line, 8.5)
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
