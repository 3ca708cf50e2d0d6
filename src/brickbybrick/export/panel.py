"""One step on a page: its number, the parts and chunks that it needs, the picture, and a map where that helps.

The picture is as large as its panel allows. New bricks have a band around them, and an arrow where little is
seen of them.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.book import Apart, Scene
from brickbybrick.export.callout import Entry, arranged, draw_callout
from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.export.signs import draw_arrow, draw_hold, draw_turn, draw_turn_over
from brickbybrick.export.stud_map import CAPTION, DASH, FRONT, Extent, Layer, cell_of, draw_map
from brickbybrick.export.where import maps_of
from brickbybrick.geometry.camera import View
from brickbybrick.geometry.faces import PLATE
from brickbybrick.picture import INK, RGB, Drawing, Point, draw, own_colour, tones, visible

NUMBER, SMALL_NUMBER = 30.0, 21.0  # sizes of the numbers of steps, and of those of chunks
GAP = 8.0  # points between what is in a panel
MOST_PITCH = 26.0  # points from stud to stud, so that one brick does not fill its panel
MAP_SHARE, SECTION_SHARE = 0.34, 0.55  # of the picture's room that maps take, and those of a mosaic's sections
LEAST_CELL, MOST_CELL = 5.0, 13.0  # points from stud to stud in a map
MAP_EASE = 1.8  # times that studs of a map may be closer than those of a picture
CHUNK = (92.0, 62.0)  # width and height of the picture of a chunk that is put on
CHUNK_PITCH = 9.0  # points from stud to stud in it, at most
SHOWN = 0.35  # of a brick that needs no arrow
ARROW = (15.0, 26.0)  # points that arrows are long, at least and at most
ARROW_ROOM = 14.0  # points above a picture, so that they do not reach into the parts above it
FRAME: RGB = (255, 246, 224)  # what is built apart
FRAME_EDGE: RGB = (222, 170, 70)


class Header(NamedTuple):
    """What stands above a step's picture."""

    entries: Sequence[Entry]
    parts: Box  # the frame of parts, from its corner
    indent: float  # points that the number takes
    height: float


class Fit(NamedTuple):
    """Where everything of a step is in its panel."""

    header: Header
    picture: Box
    maps: Sequence[tuple[Layer, Extent, Box]]  # each with the studs on it
    pitch: float  # points from stud to stud in the picture, or what maps are as good as; of a mosaic, in maps alone


def fitted(pages: Pages, panel: Box, scene: Scene, named: Collection[int], section: Extent | None = None) -> Fit:
    """Measures a step in a panel; colours to be named are told, and the section if it is one of a mosaic's."""
    header = _header(pages, scene, panel.width, named)
    high = header.height + GAP + (ARROW_ROOM if _has_arrows(scene) else 0.0)
    room = Box(panel.left, panel.top + high, panel.width, max(panel.height - high, 1.0))
    maps = [(layer, _extent(layer, section)) for layer in _layers(scene, section is not None)]
    while True:
        picture, boxes = _shared(room, scene.size, [extent for _, extent in maps], section is not None)
        cells = [cell_of(box, extent) for (_, extent), box in zip(maps, boxes, strict=True)]
        kept = [each for each, cell in zip(maps, cells, strict=True) if cell >= LEAST_CELL or each[0].needed]
        if len(kept) == len(maps):
            break
        maps = kept  # the picture, which grows, says more than a map with such fine studs
    shown = picture.width / scene.size[0], picture.height / scene.size[1]
    eased = [MAP_EASE * cell for cell in cells]
    pitch = min(MOST_PITCH, *eased, *(() if section else shown))
    return Fit(header, picture, [(*each, box) for each, box in zip(maps, boxes, strict=True)], pitch)


def _has_arrows(scene: Scene) -> bool:
    """Whether arrows point down at new things, which may be the highest of the picture."""
    return bool(scene.chunks and scene.before) or any(share < SHOWN for share in scene.shares)


@lru_cache(maxsize=300)
def _layers(scene: Scene, always: bool) -> Sequence[Layer]:
    return maps_of(scene, always=always)


def _header(pages: Pages, scene: Scene, width: float, named: Collection[int]) -> Header:
    indent = pages.text_width(scene.name, _size(scene), BOLD) + 10
    entries, parts = arranged(pages, scene.parts, width - indent - _signs_width(scene), named)
    chunks = CHUNK[1] + 4 if scene.chunks else 0.0
    return Header(entries, parts, indent, max(chunks + (parts.height if entries else 0.0), NUMBER))


def draw_scene(
    pages: Pages, panel: Box, scene: Scene, named: Collection[int], *, section: Extent | None = None
) -> None:
    """Draws a step into its panel, as `fitted` has it."""
    header, picture, maps, _ = fitted(pages, panel, scene, named, section)
    pages.text((panel.left, panel.top + 0.78 * _size(scene)), scene.name, _size(scene), font=BOLD)
    left, top = panel.left + header.indent, panel.top
    if scene.chunks:
        across = panel.right - left - _signs_width(scene)
        wide = min(CHUNK[0], (across - 6 * (len(scene.chunks) - 1)) / len(scene.chunks))
        for place, chunk in enumerate(scene.chunks):
            _draw_chunk(pages, Box(left + place * (wide + 6), top, wide, CHUNK[1]), chunk, scene.view)
        top += CHUNK[1] + 4
    if header.entries:
        draw_callout(pages, (left, top), header.entries, header.parts)
    _draw_picture(pages, picture, scene, picture_of(scene))
    _draw_signs(pages, panel, scene)
    for layer, extent, box in maps:
        draw_map(pages, box, layer, extent, section)


def _size(scene: Scene) -> float:
    return NUMBER if scene.name.isdigit() else SMALL_NUMBER


def picture_of(scene: Scene) -> Drawing:
    """What is there after a step, its new bricks outlined."""
    first, new = len(scene.before), []
    for size in (*scene.sizes, *(1 for _ in scene.ways)):
        new.append(range(first, first + size))
        first += size
    return draw(Construction(scene.bricks), view=scene.view, new=new, only=scene.seen)


def _shared(room: Box, size: tuple[float, float], extents: Sequence[Extent], section: bool) -> tuple[Box, list[Box]]:
    """The room of a picture of that size in stud pitches and those of the maps, beside it or below it, whichever shows
    the model larger."""
    if not extents:
        return room, []
    part, (across, down) = SECTION_SHARE if section else MAP_SHARE, size
    wide = min(part * room.width, max(MOST_CELL * extent.width for extent in extents))
    deep, text = max(extent.depth for extent in extents), CAPTION + FRONT
    tall = min(max(part * room.height, LEAST_CELL * deep + text), 0.55 * room.height, MOST_CELL * deep + text)
    wide = max(wide, 76.0)  # the caption needs it
    beside = min((room.width - wide - GAP) / across, room.height / down, MOST_PITCH)
    below = min(room.width / across, (room.height - tall - GAP) / down, MOST_PITCH)
    count = len(extents)
    if beside >= below:
        share = min(room.height / count, room.height * 0.7)
        top = room.bottom - share * count
        boxes = [Box(room.right - wide, top + place * share, wide, share) for place in range(count)]
        return Box(room.left, room.top, room.width - wide - GAP, room.height), boxes
    share = room.width / count
    boxes = [Box(room.left + place * share, room.bottom - tall, share - GAP, tall) for place in range(count)]
    return Box(room.left, room.top, room.width, room.height - tall - GAP), boxes


def _extent(layer: Layer, section: Extent | None) -> Extent:
    """The studs of a map: what is on it, and all of its section."""
    extent = Extent.of(layer.bricks)
    return extent if section is None else extent.with_all_of(section)


def _draw_picture(pages: Pages, box: Box, scene: Scene, drawing: Drawing) -> None:
    frame = pages.drawing(drawing, box, MOST_PITCH)
    pitch = frame.width / drawing.width

    def place(x: float, y: float, z: float) -> Point:
        right, down = (np.array((x, y, PLATE * z)) @ scene.view.projection - drawing.origin).tolist()
        return frame.left + pitch * right, frame.top + pitch * down

    first = len(scene.bricks) - len(scene.single)
    each = zip(scene.single, scene.shares, scene.ways, strict=True)
    for number, (brick, share, way) in enumerate(each, start=first):
        if number not in scene.seen:
            _draw_ghost(pages, brick, scene, drawing, frame)
        if way == "from below":
            draw_arrow(pages, place(*_middle_of(brick, scene.view, upper=False)), -_length(pitch))
        elif share < SHOWN:
            draw_arrow(pages, place(*_middle_of(brick, scene.view)), _length(pitch))
    for chunk in _parts_put_on(scene) if scene.before else ():
        highest = max(chunk, key=lambda brick: -brick.z if scene.view.upside_down else brick.top)
        draw_arrow(pages, place(*_middle_of(highest, scene.view)), _length(pitch))


def _parts_put_on(scene: Scene) -> list[Sequence[PlacedBrick]]:
    """The bricks of each chunk that is put on, copies by themselves."""
    bricks = list(scene.new[: len(scene.new) - len(scene.ways)])
    found: list[Sequence[PlacedBrick]] = []
    for size in scene.sizes:
        found.append(bricks[:size])
        bricks = bricks[size:]
    return found


def _length(pitch: float) -> float:
    return min(max(1.6 * pitch, ARROW[0]), ARROW[1])


def _middle_of(brick: PlacedBrick, view: View, *, upper: bool = True) -> tuple[float, float, float]:
    """The middle of what is the upper side of a brick as it lies, or the lower one."""
    wide, deep = brick.shape.extent(brick.d)
    return brick.x + wide / 2, brick.y + deep / 2, brick.top if upper != view.upside_down else brick.z


def _draw_ghost(pages: Pages, brick: PlacedBrick, scene: Scene, drawing: Drawing, frame: Box) -> None:
    """A brick of which nothing can be seen, as dashes through what hides it."""
    pitch = frame.width / drawing.width
    alone = draw(Construction((brick,)), view=scene.view, studs=False)
    left, top = alone.origin[0] - drawing.origin[0], alone.origin[1] - drawing.origin[1]
    for shape in alone.shapes:
        corners = [(frame.left + pitch * (left + x), frame.top + pitch * (top + y)) for x, y in shape.points]
        pages.polygon(corners, None, tones(own_colour(brick))["side"], stroke=0.9, dash=DASH)


def _draw_chunk(pages: Pages, box: Box, chunk: Apart, view: View) -> None:
    """What was built apart and is put on now, as it is put on; turned over first if it was built the other way up."""
    pages.rectangle(box, FRAME, FRAME_EDGE, stroke=0.9, corner=4)
    texts = 26.0 if chunk.times > 1 or chunk.upside_down else 18.0
    room = Box(box.left + texts, box.top + 4, box.width - texts - 4, box.height - 8)
    pages.drawing(visible(draw(Construction(chunk.bricks), view=view)), room, CHUNK_PITCH)
    pages.text((box.left + 5, box.top + 16), chunk.name, 14, font=BOLD, colour=INK)
    if chunk.times > 1:
        pages.text((box.left + 5, box.top + 31), f"{chunk.times}x", 12, font=BOLD)
    if chunk.upside_down:
        draw_turn_over(pages, (box.left + 14, box.bottom - 14), 10)


def _signs_width(scene: Scene) -> float:
    return 30.0 * scene.turned + 46.0 * scene.hold


def _draw_signs(pages: Pages, panel: Box, scene: Scene) -> None:
    """At the upper right."""
    right = panel.right
    if scene.turned:
        draw_turn(pages, (right - 13, panel.top + 13), 12)
        pages.text((right - 13, panel.top + 33), "turn", 6.5, align="middle")
        right -= 30
    if scene.hold:
        draw_hold(pages, (right - 42, panel.top + 2))
