"""Building instructions as a PDF: a cover with the parts, the steps, and the finished model.

A step shows the model so far in the frame of the finished one, new bricks in their colour and older ones pale,
the parts it needs, and a map of the layer they go to. Of a mosaic it shows one section, and a small map where that
lies. The order of the bricks is given; here it is only shown.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import numpy as np
import numpy.typing as npt
from PIL import Image

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.cover import RULE, Cover, draw_callout, draw_cover, draw_last_page, draw_parts, parts_pages
from brickbybrick.export.parts import parts_of
from brickbybrick.export.sections import Chapter
from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.export.steps import Arrival, Steps, arrivals, check_steps, grouped
from brickbybrick.export.stud_map import (
    CAPTION,
    DASH,
    EDGE,
    FRONT,
    GREY,
    JOINED,
    MARKS,
    Extent,
    Layer,
    draw_map,
    draw_mark,
    draw_sections,
)
from brickbybrick.picture import Drawing, draw, own_colour, tones, visible
from brickbybrick.targets.target import binary

MARGIN = 40.0
FOOTER = 30.0  # points from the lowest line to the page's end
GUTTER = 30.0  # points between steps
HEADER = 46.0  # a step's number and its parts
GAP = 14.0  # points between a picture and its map
GRIDS = ((2, 3), (2, 2), (1, 2), (1, 1))  # columns and rows of steps on a page, the fullest first
EASY_PITCH = 8.5  # points from stud to stud in a picture; a model that needs less gets fewer steps a page,
LEAST_GAIN = 2.4  # unless a page for each step would make it less than this many times larger, as with towers,
LEAST_PITCH = 6.0  # but never smaller pictures than this
MOST_PITCH = 34.0  # so that a model of three bricks does not fill the page
MAP_SHARE = 0.6  # a map's scale as a share of the picture's, at least
MOST_CELL = 15.0  # points from stud to stud in a map
BAND = (110.0, 62.0)  # width and height of the map of all sections


@dataclass(frozen=True)
class Moment:
    """One step: the bricks there before it and those it adds."""

    number: int  # from 1
    before: tuple[PlacedBrick, ...]
    new: tuple[PlacedBrick, ...]
    arrivals: tuple[Arrival, ...]  # how each new brick gets to its place


@dataclass(frozen=True)
class Scene:
    """What the steps show: the whole model, or one section of a mosaic."""

    construction: Construction  # all bricks that are there in the end
    frame: Drawing  # of them
    extent: Extent  # the studs of the maps
    chapter: Chapter | None = None  # the section

    @classmethod
    def of(cls, construction: Construction, chapter: Chapter | None = None) -> "Scene":
        if chapter is not None:
            construction = Construction(tuple(construction.bricks[index] for index in chapter.shown))
        return cls(construction, draw(construction), Extent.of(construction), chapter)


@dataclass(frozen=True)
class Arrangement:
    """How a step's picture and map share their room."""

    beside: bool  # whether the map is to the right of the picture, not below it
    pitch: float  # points from stud to stud in the picture


Act = tuple[Scene, Sequence[Moment]]  # steps that show one scene
Leaf = tuple[str, Callable[[], None]]  # a page's name, and what fills it


def instructions(
    construction: Construction,
    steps: Steps | None = None,
    *,
    chapters: Sequence[Chapter] = (),
    target: npt.NDArray[np.bool_] | Image.Image | None = None,
    verdict: Sequence[str] = (),
    paper: str = "a4",
) -> bytes:
    """Writes building instructions; the same model gives the same bytes.

    Args:
        construction: The finished model.
        steps: Indices of the bricks to place in each step, every brick once; by default the construction's own
            order, cut into steps by `grouped`.
        chapters: The sections of a mosaic, in the order of the steps, of which each belongs to one.
        target: What was to be built, for the cover: views (view, row, column), a front view, or front, side and top;
            or a picture.
        verdict: Sentences for the cover, such as whether the model stands.
        paper: "a4" or "letter".
    """
    if not construction.bricks:
        raise InputError("a model without bricks needs no instructions: build one first")
    steps = grouped(range(len(construction.bricks)), construction) if steps is None else steps
    check_steps(steps, construction)
    if isinstance(target, np.ndarray):
        target = binary(target, "the target's views", 3)
    title = construction.target or "A model"
    pages = Pages(paper, title)
    body = Box(MARGIN, MARGIN, pages.width - 2 * MARGIN, pages.height - 2 * MARGIN - FOOTER)
    leaves = list(
        _leaves(pages, body, construction, _acts(construction, steps, chapters), Cover(title, target, verdict))
    )
    for number, (chapter, fill) in enumerate(leaves, start=1):
        if number > 1:
            pages.turn()
        pages.begin_chapter(chapter)
        fill()
        pages.text((pages.width - MARGIN, pages.height - FOOTER), f"{number} / {len(leaves)}", 9, align="right")
    return pages.close()


def _leaves(pages: Pages, body: Box, construction: Construction, acts: Sequence[Act], cover: Cover) -> Iterator[Leaf]:
    """Every page's name and what fills it."""
    parts = parts_of(construction.bricks)
    yield "Cover", partial(draw_cover, pages, body, construction, parts, cover)
    for some in parts_pages(body, parts):
        yield "Parts", partial(draw_parts, pages, body, some)
    for scene, moments in acts:
        yield from _leaves_of_steps(pages, body, construction, scene, moments)
    yield "Finished", partial(draw_last_page, pages, body, construction)


def _leaves_of_steps(
    pages: Pages, body: Box, construction: Construction, scene: Scene, moments: Sequence[Moment]
) -> Iterator[Leaf]:
    """The pages of steps that show one scene; those of a section have a band that says which it is."""
    high = BAND[1] + GUTTER if scene.chapter else 0.0
    band, rest = Box(*body[:3], high), Box(body.left, body.top + high, body.width, body.height - high)
    columns, rows = _grid(rest, scene, len(moments))

    def fill(some: Sequence[Moment]) -> None:
        if scene.chapter:
            _draw_band(pages, band, scene.chapter, construction)
        _draw_steps(pages, _panels(rest, columns, rows), some, scene)

    for start in range(0, len(moments), columns * rows):
        some = moments[start : start + columns * rows]
        name = f"Steps {some[0].number} to {some[-1].number}" if len(some) > 1 else f"Step {some[0].number}"
        yield f"{scene.chapter.title}: {name.lower()}" if scene.chapter else name, partial(fill, some)


def _draw_band(pages: Pages, box: Box, chapter: Chapter, construction: Construction) -> None:
    """Which section is built, and where it lies."""
    section = chapter.section
    left = draw_sections(pages, Box(box.left, box.top, *BAND), construction, section).right + 14
    pages.text((left, box.top + 22), chapter.title, 17, font=BOLD)
    count = len(chapter.bricks)
    said = f"{section.width} x {section.depth} studs  ·  {count} brick{'s' if count > 1 else ''}"
    pages.text((left, box.top + 38), said, 10.5, colour=GREY)


def _acts(construction: Construction, steps: Steps, chapters: Sequence[Chapter]) -> list[Act]:
    """The steps of each chapter with what they show; all of them, showing the whole model, if there are none."""
    moments = list(_moments(steps, construction))
    if not chapters:
        return [(Scene.of(construction), moments)]
    chapter_of = {index: number for number, chapter in enumerate(chapters) for index in chapter.bricks}
    acts: list[Act] = []
    for number, some in groupby(zip(steps, moments, strict=True), key=lambda pair: chapter_of[pair[0][0]]):
        scene = Scene.of(construction, chapters[number])
        there = set(scene.construction.bricks)
        seen = [replace(moment, before=tuple(brick for brick in moment.before if brick in there)) for _, moment in some]
        acts.append((scene, seen))
    return acts


def _moments(steps: Steps, construction: Construction) -> Iterator[Moment]:
    order = [index for step in steps for index in step]
    ways = list(arrivals(order, construction))
    bricks = tuple(construction.bricks[index] for index in order)
    done = 0
    for number, step in enumerate(steps, start=1):
        until = done + len(step)
        yield Moment(number, bricks[:done], bricks[done:until], tuple(ways[done:until]))
        done = until


def _grid(body: Box, scene: Scene, steps: int) -> tuple[int, int]:
    """Columns and rows of steps on a page: as many as stay legible, and no more than there are steps."""
    pitches = [_arrange(_room(_panels(body, *grid)[0]), scene).pitch for grid in GRIDS]
    least = min(EASY_PITCH, max(LEAST_PITCH, pitches[-1] / LEAST_GAIN))
    fitting = [grid for grid, pitch in zip(GRIDS, pitches, strict=True) if pitch >= least]
    return next((grid for grid in fitting if steps > grid[0] * grid[1] // 2), GRIDS[-1])


def _panels(body: Box, columns: int, rows: int) -> list[Box]:
    width = (body.width - GUTTER * (columns - 1)) / columns
    height = (body.height - GUTTER * (rows - 1)) / rows
    return [
        Box(body.left + column * (width + GUTTER), body.top + row * (height + GUTTER), width, height)
        for row in range(rows)
        for column in range(columns)
    ]


def _room(panel: Box) -> Box:
    """What a step's header leaves of its panel."""
    return Box(panel.left, panel.top + HEADER, panel.width, panel.height - HEADER)


def _arrange(room: Box, scene: Scene) -> Arrangement:
    """The arrangement that shows the model larger."""
    frame, extent = scene.frame, scene.extent
    wide, deep = MAP_SHARE * extent.width, MAP_SHARE * extent.depth
    text = CAPTION + FRONT
    below = min(
        room.width / frame.width, room.width / wide, (room.height - text - GAP) / (frame.height + deep), MOST_PITCH
    )
    beside = min(
        (room.width - GAP) / (frame.width + wide), room.height / frame.height, (room.height - text) / deep, MOST_PITCH
    )
    return Arrangement(True, beside) if beside > below else Arrangement(False, below)


def _shares(room: Box, arrangement: Arrangement, scene: Scene, maps: int) -> tuple[Box, list[Box]]:
    """The room of the picture and of each map; what the picture leaves goes to the maps."""
    frame, extent = scene.frame, scene.extent
    text, pitch = CAPTION + FRONT, arrangement.pitch
    if arrangement.beside:
        across, down = room.width - GAP - pitch * frame.width, room.height - text
    else:
        across, down = room.width, room.height - text - GAP - pitch * frame.height
    cell = min(across / extent.width, down / extent.depth, pitch, MOST_CELL)
    width, height = cell * extent.width, cell * extent.depth + text
    if arrangement.beside:
        share = room.height / maps
        boxes = [Box(room.right - width, room.top + place * share, width, share) for place in range(maps)]
        return Box(room.left, room.top, room.width - width - GAP, room.height), boxes
    share = (room.width + GAP) / maps
    boxes = [Box(room.left + place * share, room.bottom - height, share - GAP, height) for place in range(maps)]
    return Box(room.left, room.top, room.width, room.height - height - GAP), boxes


def _draw_steps(pages: Pages, panels: Sequence[Box], moments: Sequence[Moment], scene: Scene) -> None:
    _rules(pages, panels[: len(moments)], panels[-1].right)
    for moment, panel in zip(moments, panels, strict=False):
        _draw_step(pages, panel, moment, scene)
    _key(pages, moments[0].new[0], {way for moment in moments for way in moment.arrivals})


def _rules(pages: Pages, panels: Sequence[Box], right: float) -> None:
    """Thin lines between the panels that are used; level ones reach to `right` even where a row is not full."""
    left, top = panels[0].left, panels[0].top
    bottom = panels[-1].bottom
    level = [(left, y - GUTTER / 2, right, y - GUTTER / 2) for y in sorted({panel.top for panel in panels} - {top})]
    columns = sorted({panel.left for panel in panels} - {left})
    pages.lines(level + [(x - GUTTER / 2, top, x - GUTTER / 2, bottom) for x in columns], RULE, 0.7)


def _draw_step(pages: Pages, panel: Box, moment: Moment, scene: Scene) -> None:
    arrangement = _arrange(_room(panel), scene)
    number = str(moment.number)
    pages.text((panel.left, panel.top + 27), number, 34, font=BOLD)
    left = panel.left + pages.text_width(number, 34, BOLD) + 14
    draw_callout(pages, Box(left, panel.top, panel.right - left, HEADER - 12), parts_of(moment.new))
    layers = list(_layers(moment, scene.construction))
    picture, maps = _shares(_room(panel), arrangement, scene, len(layers))
    _draw_model_so_far(pages, picture, moment, scene.construction, arrangement.pitch)
    for layer, box in zip(layers, maps, strict=True):
        draw_map(pages, box, layer, scene.extent, scene.chapter.section if scene.chapter else None)


def _layers(moment: Moment, construction: Construction) -> Iterator[Layer]:
    """A map for each layer that gets bricks; bricks that hang need one of their own, with the layer above."""
    number = {z: place for place, z in enumerate(construction.layers, start=1)}
    ways = list(zip(moment.new, moment.arrivals, strict=True))
    for z, hangs in sorted({(brick.z, way == "from below") for brick, way in ways}):
        new = [(brick, way) for brick, way in ways if brick.z == z and (way == "from below") == hangs]
        tops = {brick.top for brick, _ in new}
        there = [brick for brick in moment.before if brick.z <= z < brick.top]
        so_far = (*moment.before, *moment.new)
        joined = [brick for brick in so_far if (brick.z in tops if hangs else brick.top == z)]
        yield Layer(number[z], new, there, joined)


def _draw_model_so_far(pages: Pages, box: Box, moment: Moment, construction: Construction, pitch: float) -> None:
    """New bricks in colour, older ones pale; those that nothing can be seen of as dashes through what hides them."""
    there = len(moment.before)
    bricks = (*moment.before, *moment.new)
    drawing = visible(draw(Construction(bricks), highlight=range(there, len(bricks)), within=construction))
    frame = pages.drawing(drawing, box, pitch)
    seen = {shape.brick for shape in drawing.shapes}
    for brick in (brick for index, brick in enumerate(moment.new, start=there) if index not in seen):
        for shape in draw(Construction((brick,)), studs=False, within=construction).shapes:
            corners = [(frame.left + pitch * x, frame.top + pitch * y) for x, y in shape.points]
            pages.polygon(corners, None, tones(own_colour(brick))["side"], stroke=0.9, dash=DASH)


def _key(pages: Pages, brick: PlacedBrick, ways: set[Arrival]) -> None:
    """What the colours and lines mean, at the foot of the page."""
    baseline = pages.height - FOOTER
    left = MARGIN
    new, old = tones(own_colour(brick)), tones(own_colour(brick), pale=True)

    def explain(text: str) -> float:
        pages.text((left + 13, baseline), text, 7, colour=GREY)
        return left + 13 + pages.text_width(text, 7) + 16

    swatch = (baseline - 6, 9, 7)
    pages.rectangle(Box(left, *swatch), new["front"], new["line"], stroke=0.7)
    left = explain("new")
    pages.rectangle(Box(left, *swatch), old["front"], EDGE, stroke=0.7)
    left = explain("already there")
    pages.rectangle(Box(left, *swatch), None, JOINED, stroke=0.6, dash=DASH)
    left = explain("layer it joins: below, or above if it hangs")
    for way in sorted(ways & MARKS.keys()):
        draw_mark(pages, (left + 5, baseline - 2.5), 4, way)
        left = explain(MARKS[way])
