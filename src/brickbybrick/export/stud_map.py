"""Maps of a layer as seen from straight above: where the new bricks of a step go, stud by stud.

The picture of the model says what it looks like; the map says where exactly, also for bricks that the picture
cannot show. x grows to the right, and what is in front in the picture beside it is at the bottom.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.sheet import BOLD, NORMAL, Box, Pages
from brickbybrick.export.steps import Arrival
from brickbybrick.picture import BAND, BRIGHT, INK, RGB, WHITE, Point, own_colour, tones

CAPTION = 13.0  # points above the map
FRONT = 11.0  # points below it, for the mark of the front
GREY: RGB = (110, 117, 128)
GROUND: RGB = (247, 248, 250)
GRID: RGB = (222, 226, 232)
EDGE: RGB = (168, 174, 184)  # around a pale brick
JOINED: RGB = (134, 141, 152)  # dashes around a brick of the layer below
PALE: RGB = (236, 238, 242)
DASH = (2.0, 1.6)
MARKS: dict[Arrival, str] = {"from below": "from below", "in between": "slide in", "held by nothing": "hold in place"}


@dataclass(frozen=True)
class Extent:
    """The studs that a model covers when seen from above."""

    left: int
    front: int
    width: int
    depth: int

    @classmethod
    def of(cls, bricks: Iterable[PlacedBrick]) -> "Extent":
        columns = [column for brick in bricks for column in brick.shape.footprint(brick.pose)]
        xs, ys = {x for x, _ in columns}, {y for _, y in columns}
        return cls(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)

    def with_all_of(self, other: "Extent") -> "Extent":
        """The studs around both."""
        left, front = min(self.left, other.left), min(self.front, other.front)
        right = max(self.left + self.width, other.left + other.width)
        back = max(self.front + self.depth, other.front + other.depth)
        return Extent(left, front, right - left, back - front)

    @classmethod
    def of_brick(cls, brick: PlacedBrick) -> "Extent":
        return cls(brick.x, brick.y, *brick.shape.extent(brick.d))


@dataclass(frozen=True)
class Layer:
    """What a map shows: one layer at the moment of a step."""

    new: Sequence[tuple[PlacedBrick, Arrival]]
    there: Sequence[PlacedBrick]  # bricks of the layer that are already in place
    joined: Sequence[PlacedBrick]  # bricks of the layer below, or of the one above for bricks that hang from it
    upside_down: bool = False  # whether parts show their undersides
    as_one: bool = False  # whether the new bricks are put on together, so that only the lines around all of them count
    needed: bool = True  # whether a picture cannot tell where its bricks go, however large it is

    @property
    def bricks(self) -> list[PlacedBrick]:
        return [*(brick for brick, _ in self.new), *self.there, *self.joined]


def draw_map(pages: Pages, box: Box, layer: Layer, extent: Extent, section: Extent | None = None) -> None:
    """Draws a map with its caption and the mark of the front, as large as fits into a box; a section is framed."""
    field = _field(box, extent)
    cell = cell_of(box, extent)

    def place(brick: PlacedBrick) -> Box:
        return _place(Extent.of_brick(brick), extent, field)

    _caption(pages, field, layer, box)
    pages.rectangle(field, GROUND)
    pages.lines(_grid(field, cell, extent), GRID, 0.35)
    pages.rectangle(field, None, GRID, stroke=0.7)
    for brick in layer.there:
        pages.rectangle(place(brick), tones(own_colour(brick))["front"], tones(own_colour(brick))["line"], stroke=0.5)
    for brick, _ in layer.new:
        _new_brick(pages, place(brick), brick, cell, layer)
    if layer.as_one:
        for brick, _ in layer.new:
            pages.rectangle(place(brick), tones(own_colour(brick))["front"])
    for brick in layer.joined:
        outline = place(brick).inset(0.08 * cell)
        pages.rectangle(outline, None, PALE, stroke=0.6)  # so that the dashes show on bricks of any colour
        pages.rectangle(outline, None, JOINED, stroke=0.6, dash=DASH)
    for brick, arrival in layer.new:
        if arrival != "from above":
            draw_mark(pages, place(brick).middle, max(3.2, min(0.62 * cell, 7.0)), arrival)
    if section is not None:
        pages.rectangle(_place(section, extent, field), None, INK, stroke=1.1)
    _front(pages, field)


def cell_of(box: Box, extent: Extent) -> float:
    """Points from stud to stud in a map of some studs that fills a box."""
    return _field(box, extent).width / extent.width


def _field(box: Box, extent: Extent) -> Box:
    room = Box(box.left, box.top + CAPTION, box.width, max(box.height - CAPTION - FRONT, 1.0))
    return room.holding(extent.width, extent.depth)


def draw_sections(pages: Pages, box: Box, construction: Construction, section: Extent) -> Box:
    """Draws a whole mosaic from above, as large as fits into the left of a box, with one of its sections framed.

    Returns where it is.
    """
    whole, top = Extent.of(construction.bricks), max(brick.z for brick in construction.bricks)
    cell = min(box.width / whole.width, box.height / whole.depth)
    field = Box(box.left, box.top, cell * whole.width, cell * whole.depth)
    pages.rectangle(field, GROUND)
    for brick in construction.bricks:
        if brick.z == top:
            pages.rectangle(_place(Extent.of_brick(brick), whole, field), own_colour(brick))
    pages.rectangle(field, None, EDGE, stroke=0.5)
    framed = _place(section, whole, field)
    pages.rectangle(framed, None, WHITE, stroke=3.2)
    pages.rectangle(framed, None, INK, stroke=1.6)
    return field


def _place(some: Extent, whole: Extent, field: Box) -> Box:
    """Where some studs are on a map of others, which fills a field."""
    cell = field.width / whole.width
    behind = whole.front + whole.depth - some.front - some.depth
    return Box(
        field.left + (some.left - whole.left) * cell, field.top + behind * cell, some.width * cell, some.depth * cell
    )


def _caption(pages: Pages, field: Box, layer: Layer, box: Box) -> None:
    """What the marks on a map mean, if there are any."""
    baseline, left = field.top - 5, box.left
    marks = sorted({arrival for _, arrival in layer.new} & MARKS.keys())
    if not marks:
        pages.text((field.left, baseline), "Seen from above", 7.5, font=BOLD)
    for arrival in marks:
        draw_mark(pages, (left + 4, baseline - 2.6), 3.4, arrival)
        pages.text((left + 10, baseline), MARKS[arrival], 7, most=box.right - left - 10)
        left += 20 + pages.text_width(MARKS[arrival], 7)


def _grid(field: Box, cell: float, extent: Extent) -> list[tuple[float, float, float, float]]:
    across = [field.left + column * cell for column in range(1, extent.width)]
    down = [field.top + row * cell for row in range(1, extent.depth)]
    upright = [(x, field.top, x, field.bottom) for x in across]
    return upright + [(field.left, y, field.right, y) for y in down]


def _new_brick(pages: Pages, box: Box, brick: PlacedBrick, cell: float, layer: Layer) -> None:
    tone = tones(own_colour(brick))
    pages.rectangle(box, tone["front"], BAND, stroke=1.8)
    pages.rectangle(box, None, BRIGHT, stroke=0.9)
    if layer.as_one:
        return
    if layer.upside_down:
        pages.rectangle(box.inset(0.19 * cell), tone["hollow"], tone["line"], stroke=0.3)
        return
    for x, y in brick.shape.studs(brick.pose):
        middle = box.left + (x - brick.x + 0.5) * cell, box.bottom - (y - brick.y + 0.5) * cell
        pages.circle(middle, 0.3 * cell, tone["stud top"], tone["line"], 0.3)


def _front(pages: Pages, field: Box) -> None:
    """A wedge that points at the side which the pictures show."""
    x, y = field.middle[0], field.bottom + 2.5
    width = pages.text_width("front", 6.5)
    left = x - (width + 9) / 2
    pages.polygon([(left, y + 5.5), (left + 3, y), (left + 6, y + 5.5)], GREY)
    pages.text((left + 9, y + 5.5), "front", 6.5, font=NORMAL, colour=GREY)


def draw_mark(pages: Pages, middle: Point, radius: float, arrival: Arrival) -> None:
    """A white disc whose wedges say from where a brick comes: below, both layers around it, or hands alone."""
    x, y = middle
    pages.circle(middle, radius, WHITE, INK, 0.6)
    reach = 0.62 * radius
    if arrival == "from below":
        pages.polygon([(x - reach, y + 0.45 * reach), (x, y - 0.9 * reach), (x + reach, y + 0.45 * reach)], INK)
    elif arrival == "in between":
        for way in (-1, 1):
            tip, foot = x + way * 1.1 * reach, x + way * 0.2 * reach
            pages.polygon([(tip, y), (foot, y - 0.75 * reach), (foot, y + 0.75 * reach)], INK)
    else:
        pages.text((x, y + 0.6 * radius), "!", 1.7 * radius, font=BOLD, align="middle")
