"""Building instructions as a PDF: a cover, the contents, the steps, the finished model, and its parts.

What is shown of each step, and in which order, comes from `book.py`, which page it stands on from `layout.py`, and what
a step looks like from `panel.py`. The same model gives the same bytes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import numpy as np
import numpy.typing as npt
from PIL import Image

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.book import Apart, Passage, Scene, passages_of
from brickbybrick.export.callout import to_name
from brickbybrick.export.contents import Entry, contents_pages, draw_contents
from brickbybrick.export.cover import RULE, Cover, counted, draw_cover, draw_last_page
from brickbybrick.export.layout import GUTTER, Page, Row, pages_of
from brickbybrick.export.other_steps import with_others
from brickbybrick.export.panel import FRAME, FRAME_EDGE, draw_scene, fitted
from brickbybrick.export.parts import others_among, parts_of
from brickbybrick.export.parts_page import draw_parts, parts_pages
from brickbybrick.export.sections import Chapter
from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.export.signs import SIGN, draw_turn_over
from brickbybrick.export.steps import grouped
from brickbybrick.export.stud_map import GREY, draw_sections
from brickbybrick.handwork.work import Handwork, in_one_go
from brickbybrick.picture import RGB
from brickbybrick.targets.target import binary

MARGIN = 40.0
FOOTER = 30.0  # points from the lowest line to the page's end
BAND = (110.0, 62.0)  # width and height of the map of all sections
LISTED = 12  # pages of a book that has contents, though nothing in it is built apart
BAR: RGB = (226, 230, 236)


@dataclass(frozen=True)
class Leaf:
    """A page of the book."""

    name: str  # in the reader's table of contents
    fill: Callable[[], None]
    placed: int | None = None  # bricks that are in their places when its steps are done


def instructions(
    construction: Construction,
    handwork: Handwork | None = None,
    *,
    chapters: Sequence[Chapter] = (),
    target: npt.NDArray[np.bool_] | Image.Image | None = None,
    verdict: Sequence[str] = (),
    paper: str = "a4",
) -> bytes:
    """Writes building instructions.

    Args:
        construction: The finished model.
        handwork: How it is put together; by default in the construction's own order, cut into steps by `grouped`.
        chapters: The sections of a mosaic, in the order of the steps, of which each belongs to one.
        target: What was to be built, for the cover: views (view, row, column), a front view, or front, side and top;
            or a picture.
        verdict: Sentences for the cover, such as whether the model stands.
        paper: "a4" or "letter".
    """
    if not construction.bricks:
        raise InputError("a model without bricks needs no instructions: build one first")
    handwork = handwork or in_one_go(grouped(range(len(construction.bricks)), construction))
    handwork = with_others(construction, handwork)
    total = len(construction.drawn.bricks)
    handwork.check(total)
    if isinstance(target, np.ndarray):
        target = binary(target, "the target's views", 3)
    title = construction.target or "A model"
    pages = Pages(paper, title)
    body = Box(MARGIN, MARGIN, pages.width - 2 * MARGIN, pages.height - 2 * MARGIN - FOOTER)
    # Whoever builds does not care which bricks the target does not show: none is striped.
    construction = replace(construction, bricks=tuple(replace(brick, extra=False) for brick in construction.bricks))
    passages = passages_of(construction, handwork, () if construction.others else chapters)
    leaves = list(_leaves(pages, body, construction, passages, Cover(title, target, verdict)))
    for number, leaf in enumerate(leaves, start=1):
        if number > 1:
            pages.turn()
        pages.begin_chapter(leaf.name)
        leaf.fill()
        _draw_foot(pages, number, len(leaves), None if leaf.placed is None else leaf.placed / total)
    return pages.close()


def _draw_foot(pages: Pages, number: int, count: int, done: float | None) -> None:
    """The page's number, and how much of the model is built."""
    baseline = pages.height - FOOTER
    pages.text((pages.width - MARGIN, baseline), f"{number} / {count}", 9, align="right")
    if done is not None:
        bar = Box(MARGIN, baseline - 5, pages.width - 2 * MARGIN - 60, 5)
        pages.rectangle(bar, BAR, corner=2.4)
        pages.rectangle(Box(bar.left, bar.top, max(bar.width * done, 5.0), bar.height), SIGN, corner=2.4)


def _leaves(
    pages: Pages, body: Box, construction: Construction, passages: Sequence[Passage], cover: Cover
) -> Iterator[Leaf]:
    """All pages."""
    high = BAND[1] + GUTTER if passages[0].chapter else 0.0
    room = Box(body.left, body.top + high, body.width, body.height - high)
    named = to_name({brick.colour for brick in construction.drawn.bricks})

    parts = [*parts_of(construction.bricks), *others_among(construction.others)]

    def pitch(panel: Box, scene: Scene, chapter: Chapter | None) -> float:
        return fitted(pages, panel, scene, named, chapter.section if chapter else None).pitch

    flow, lists = pages_of(passages, room, pitch), parts_pages(body, parts)
    yield Leaf("Cover", partial(draw_cover, pages, body, construction, cover))
    if len(passages) > 1 or len(flow) > LISTED:
        for entries in _contents(body, flow):
            yield Leaf("Contents", partial(draw_contents, pages, body, entries))
    done = 0
    for page in flow:
        done += sum(len(scene.single) * _times(row.passage) for row in page.rows for scene in row.scenes)
        yield Leaf(_name(page), partial(_draw_steps, pages, room, construction, page, named), done)
    yield Leaf("Finished", partial(draw_last_page, pages, body, construction))
    for some in lists:
        yield Leaf("Parts", partial(draw_parts, pages, body, some, counted(construction)))


def _times(passage: Passage) -> int:
    return 1 if passage.apart is None else passage.apart.times


def _contents(body: Box, flow: Sequence[Page]) -> list[list[tuple[Box, Entry]]]:
    """The pages of contents, which themselves move what comes after them."""
    entries: list[Entry] = []
    for number, page in enumerate(flow):
        for _, some in groupby(page.rows, key=lambda row: id(row.passage)):
            rows = list(some)
            passage, first = rows[0].passage, rows[0].first
            if passage.apart is not None:
                if first and passage.begins:
                    entries.append(Entry(f"Build {passage.apart.name}", number, passage.apart))
            elif passage.chapter is None:
                entries.append(Entry(_steps([scene for row in rows for scene in row.scenes]), number))
            elif first:
                entries.append(Entry(passage.chapter.title, number))
    entries += [Entry("Finished", len(flow)), Entry("Parts", len(flow) + 1)]
    before = 2 + len(contents_pages(body, entries))  # the cover, and pages count from 1
    return contents_pages(body, [entry._replace(page=entry.page + before) for entry in entries])


def _steps(scenes: Sequence[Scene]) -> str:
    return f"Steps {scenes[0].name} to {scenes[-1].name}" if len(scenes) > 1 else f"Step {scenes[0].name}"


def _name(page: Page) -> str:
    name = _steps(page.scenes)
    return f"{page.chapter.title}: {name.lower()}" if page.chapter else name


def _draw_steps(pages: Pages, body: Box, construction: Construction, page: Page, named: frozenset[int]) -> None:
    """A page of steps; those of a section have a band that says which it is."""
    chapter = page.chapter
    if chapter:
        _draw_band(pages, Box(body.left, body.top - BAND[1] - GUTTER, *BAND), chapter, construction)
    for number, (_, some) in enumerate(groupby(page.rows, key=lambda row: id(row.passage))):
        rows = list(some)
        if rows[0].passage.apart is not None:
            _draw_frame(pages, body, rows, rows[0].passage.apart)
        for row in rows:
            panels = row.panels(body)
            _rules(pages, panels, above=row is not rows[0] or (number > 0 and rows[0].passage.apart is None))
            for panel, scene in zip(panels, row.scenes, strict=True):
                draw_scene(pages, panel, scene, named, section=chapter.section if chapter else None)


def _rules(pages: Pages, panels: Sequence[Box], *, above: bool) -> None:
    """Thin lines between the steps of a row, and above it if the row before belongs to the same."""
    lines = [(box.left - GUTTER / 2, box.top, box.left - GUTTER / 2, box.bottom) for box in panels[1:]]
    if above:
        top = panels[0].top - GUTTER / 2
        lines.append((panels[0].left, top, panels[-1].right, top))
    pages.lines(lines, RULE, 0.7)


def _draw_frame(pages: Pages, body: Box, rows: Sequence[Row], apart: Apart) -> None:
    """Around what is built apart, with its letter and how many of it are needed."""
    top, last = body.top + rows[0].top, rows[-1]
    frame = Box(body.left - 8, top - 4, body.width + 16, last.top + last.height - rows[0].top + 10)
    pages.rectangle(frame, FRAME, FRAME_EDGE, stroke=1.4, corner=8)
    pages.text((body.left + 6, top + 16), apart.name, 20, font=BOLD)
    left = body.left + 6 + pages.text_width(apart.name, 20, BOLD) + 12
    said = "built apart" if rows[0].first and rows[0].passage.begins else "continued"
    if apart.upside_down:
        draw_turn_over(pages, (left + 9, top + 9), 9)
        left += 26
        said += ", upside down: studs towards the table"
    pages.text((left, top + 14), said, 9, colour=GREY)
    if apart.times > 1:
        pages.text((body.right - 6, top + 17), f"{apart.times}x", 24, font=BOLD, align="right")


def _draw_band(pages: Pages, box: Box, chapter: Chapter, construction: Construction) -> None:
    """Which section is built, and where it lies."""
    section = chapter.section
    left = draw_sections(pages, box, construction, section).right + 14
    pages.text((left, box.top + 22), chapter.title, 17, font=BOLD)
    count = len(chapter.bricks)
    said = f"{section.width} x {section.depth} studs  ·  {count} brick{'s' if count > 1 else ''}"
    pages.text((left, box.top + 38), said, 10.5, colour=GREY)
