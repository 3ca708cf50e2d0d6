"""Pictures of brick models: an isometric painter, target views as pixels, and labelled sheets of both.

`draw` decides everything about geometry and colour and returns a `Drawing`, a list of filled polygons in
the order to paint them. `paint` and `svg` only fill them in; instructions do the same with the same list.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from itertools import groupby
from math import cos, inf, pi, radians, sin
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from brickbybrick.colours import COLOURS, colour_of
from brickbybrick.colours import RGB as RGB  # every drawing speaks of it
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.faces import PLATE, faces_of

Point = tuple[float, float]
Face = Literal["top", "front", "side", "roof", "stud side", "stud top"]

PALETTE: dict[int, RGB] = {code: colour.rgb for code, colour in COLOURS.items()}  # by LDraw code
STEP_COLOURS = (4, 14, 1, 27, 25, 71, 2, 19)  # easy to tell apart, in an order that puts unlike ones together

WHITE: RGB = (255, 255, 255)
BLACK: RGB = (0, 0, 0)
INK: RGB = (40, 44, 52)  # text and the filled pixels of a view
FAULT: RGB = (0xFF, 0x2D, 0x1E)  # a brick at fault; no brick of the palette is as bright a red

# Real proportions, in stud pitches.
STUD_RADIUS = 0.3
STUD_HEIGHT = 0.2
STROKE = 0.05  # outlines, at most
STRIPES, STRIPE = 0.5, 0.07  # from stripe to stripe, and the breadth of one
PITCH_MM = 8.0  # from stud to stud
LABEL, CAPTION = 16, 13  # height of text in pixels
VISIBLE_ACROSS = 900  # pixels of the larger side when looking for what can be seen

# The viewer stands in front of the xz plane, at low y, and has stepped to the right and up. The front turns
# away by less than an isometric view's 45 degrees, so that a digit built in that plane stays readable.
YAW = radians(24)
PITCH = radians(23)
# (3, 2) from x, y, z in stud pitches to the picture's right and down. A horizontal circle becomes an upright
# ellipse, sin(PITCH) as high as it is wide.
PROJECTION = np.array(
    [[cos(YAW), sin(YAW) * sin(PITCH)], [sin(YAW), -cos(YAW) * sin(PITCH)], [0.0, -cos(PITCH)]], dtype=np.float64
)

_AROUND = np.arange(32) * (2 * pi / 32)
_STUD_FOOT = STUD_RADIUS * np.stack([np.cos(_AROUND), np.sin(_AROUND) * sin(PITCH)], axis=1)  # (32, 2)
_STUD_TOP = _STUD_FOOT - (0.0, STUD_HEIGHT * cos(PITCH))
_STUD_SIDE = np.concatenate([_STUD_FOOT[:17], _STUD_TOP[[16, 0]]])  # the near half of the wall

TO_VIEWER = np.array([sin(YAW) * cos(PITCH), -cos(YAW) * cos(PITCH), sin(PITCH)])


@dataclass(frozen=True)
class Polygon:
    """One filled shape with a thin outline."""

    points: tuple[Point, ...]  # right and down from the drawing's top left corner, in stud pitches
    fill: RGB
    outline: RGB
    brick: int  # the index of the brick it belongs to
    face: Face


@dataclass(frozen=True)
class Drawing:
    """Shapes in the order to paint them, and the frame that holds them all."""

    shapes: tuple[Polygon, ...]
    width: float
    height: float
    stroke: float  # width of every outline


def draw(
    construction: Construction,
    *,
    colours: Literal["own", "steps"] = "own",
    highlight: Collection[int] | None = None,
    fault: Collection[int] = (),
    studs: bool = True,
    within: Construction | None = None,
) -> Drawing:
    """Draws a model as seen from the front, the right and above.

    Args:
        construction: The model.
        colours: "own" paints each brick in its colour; "steps" changes the colour from brick to brick, so that
            touching bricks differ. A brick's colour then depends on earlier bricks only.
        highlight: Indices of the bricks to show in full colour while all others are pale; None pales nothing.
        fault: Indices of the bricks to show in bright red, whatever their colour, while all others are pale, except
            those to highlight.
        studs: Whether to draw the studs.
        within: The model whose extent frames the drawing; give the finished model to make the pictures of its
            steps line up. By default the model itself.
    """
    bricks = construction.bricks
    owner = {cell: index for index, brick in enumerate(bricks) for cell in brick.cells()}
    base = _step_colours(bricks, owner) if colours == "steps" else [own_colour(brick) for brick in bricks]
    base = [FAULT if index in fault else rgb for index, rgb in enumerate(base)]
    vivid = range(len(bricks)) if highlight is None and not fault else {*(highlight or ()), *fault}
    shades = [tones(rgb, index not in vivid) for index, rgb in enumerate(base)]
    low, high = _frame((within or construction).bricks)
    shapes: list[Polygon] = []
    for slab in _slabs(bricks, owner, studs):
        for place in far_to_near(np.array([thing.box for thing in slab])):
            index = slab[place].brick
            for face, outline in _outlines(slab[place], bricks[index], owner):
                points = tuple(map(tuple, (outline - low).tolist()))
                shapes.append(Polygon(points, shades[index][face], shades[index]["line"], index, face))
                if bricks[index].extra and len(outline) == 4:
                    line = shades[index]["line"]
                    shapes += [Polygon(stripe, line, line, index, face) for stripe in _stripes(outline - low)]
    width, height = (high - low).tolist()
    # Where a few bricks fill the picture, outlines in proportion to the bricks would look like cartoon ink.
    return Drawing(tuple(shapes), width, height, stroke=min(STROKE, 0.004 * max(width, height)))


def far_to_near(boxes: npt.NDArray[np.float64]) -> list[int]:
    """The order in which to paint things (thing, 6), from x, y, z to x, y, z: each after all that it can hide.

    A thing hides another when it is nearer along an axis, unless it is farther along another one: then they are side by
    side in the picture. For things of one layer that do not overlap this relation has no cycles, whatever their shapes,
    and for those of a slab hardly ever; sorting by one number per thing cannot express it. Takes time and memory for
    each pair of things.
    """
    low, high = boxes[:, :3].T, boxes[:, 3:].T  # (3, things)
    farther = [high[0][:, None] <= low[0], low[1][:, None] >= high[1], high[2][:, None] <= low[2]]
    some_farther, some_nearer = np.any(farther, axis=0), np.any([each.T for each in farther], axis=0)
    hidden = some_farther & ~some_nearer  # (things, things) row behind column
    behind = hidden.sum(axis=0)  # things that are not painted yet and lie behind each
    left = np.ones(len(boxes), dtype=bool)
    order: list[int] = []
    while left.any():
        ready = np.flatnonzero(left & (behind == 0))
        if not ready.size:  # things that overlap, or three around each other, have no right order
            ready = np.flatnonzero(left)[:1]
        left[ready] = False
        behind -= hidden[ready].sum(axis=0)
        order += ready.tolist()
    return order


def visible(drawing: Drawing) -> Drawing:
    """The drawing without the shapes that others hide, for files that would only carry them along.

    Found by painting each shape in a colour of its own: what shows through a gap narrower than a pixel of
    `VISIBLE_ACROSS` is left out too.
    """
    if not drawing.shapes:
        return drawing
    scale = VISIBLE_ACROSS / max(drawing.width, drawing.height)
    canvas = Image.new("I", (int(scale * drawing.width) + 2, int(scale * drawing.height) + 2))
    pen = ImageDraw.Draw(canvas)
    for number, shape in enumerate(drawing.shapes, start=1):
        pen.polygon([(scale * x, scale * y) for x, y in shape.points], fill=number, outline=number)
    pixels = np.bincount(np.asarray(canvas).ravel(), minlength=len(drawing.shapes) + 1)[1:]
    return replace(drawing, shapes=tuple(shape for shape, seen in zip(drawing.shapes, pixels, strict=True) if seen))


def paint(drawing: Drawing, size: tuple[int, int] = (400, 400), background: RGB = WHITE) -> Image.Image:
    """Paints a drawing as large as fits into a picture of `size` (width, height) pixels, in its centre."""
    width, height = _checked(size)
    oversampling = max(2, min(4, 2400 // max(size)))
    canvas = Image.new("RGB", (width * oversampling, height * oversampling), background)
    if drawing.shapes:
        margin = 0.04 * min(canvas.size)
        scale = min((canvas.width - 2 * margin) / drawing.width, (canvas.height - 2 * margin) / drawing.height)
        left, top = (canvas.width - scale * drawing.width) / 2, (canvas.height - scale * drawing.height) / 2
        stroke = max(1, round(scale * drawing.stroke))
        pen = ImageDraw.Draw(canvas)
        for shape in drawing.shapes:
            points = [(left + scale * x, top + scale * y) for x, y in shape.points]
            pen.polygon(points, fill=shape.fill)
            pen.line([*points, *points[:2]], fill=shape.outline, width=stroke, joint="curve" if stroke > 8 else None)
    return canvas.reduce(oversampling)


def svg(drawing: Drawing) -> str:
    """The drawing as an SVG file, one polygon a shape; what is behind the model is transparent.

    Lengths are millimetres of the real bricks, so the file opens at the model's own size and scales to any other.
    """
    width, height = _millimetres(drawing.width), _millimetres(drawing.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}mm" height="{height}mm" role="img">',
        f'<g stroke-width="{_millimetres(drawing.stroke)}" stroke-linejoin="round">',
    ]
    for (fill, outline), shapes in groupby(drawing.shapes, key=lambda shape: (shape.fill, shape.outline)):
        painted = f'fill="#{bytes(fill).hex()}" stroke="#{bytes(outline).hex()}"'
        lines.append(f"<g {painted}>{''.join(map(_polygon, shapes))}</g>")
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _polygon(shape: Polygon) -> str:
    return f'<polygon points="{" ".join(f"{_millimetres(x)},{_millimetres(y)}" for x, y in shape.points)}"/>'


def _millimetres(pitches: float) -> str:
    """A length in hundredths of a millimetre, without the zeros that nobody needs."""
    text = f"{pitches * PITCH_MM:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def image_of_view(view: npt.NDArray[np.bool_], size: tuple[int, int] = (400, 400)) -> Image.Image:
    """Paints what is filled in a view (row, column), the top row first, as square pixels with faint lines between them.

    The picture is `size` pixels wide and high.
    """
    rows, columns = view.shape
    image = Image.new("RGB", _checked(size), WHITE)
    if not view.size:
        return image
    cell = min((image.width - 1) // columns, (image.height - 1) // rows)  # the last line needs a pixel of its own
    if cell < 1:
        raise InputError(f"a view of {columns}x{rows} does not fit into {size[0]}x{size[1]} pixels: ask for more")
    left, top = (image.width - cell * columns - 1) // 2, (image.height - cell * rows - 1) // 2
    line = _mix(WHITE, INK, 0.15) if cell >= 4 else None
    pen = ImageDraw.Draw(image)
    for row, column in np.ndindex(rows, columns):
        x, y = left + column * cell, top + row * cell
        pen.rectangle((x, y, x + cell, y + cell), fill=INK if view[row, column] else WHITE, outline=line)
    return image


def contact_sheet(
    rows: Sequence[Sequence[Image.Image | None]],
    row_labels: Sequence[str] = (),
    column_labels: Sequence[str] = (),
    gap: int = 12,
) -> Image.Image:
    """Lays pictures out in a grid with labels to the left of the rows and above the columns.

    Args:
        rows: The pictures, row by row; None leaves a cell empty, and rows may differ in length.
        row_labels: One text per row, or none at all; a text may have several lines.
        column_labels: One text per column, or none at all.
        gap: Pixels between pictures and around the sheet.
    """
    columns = max((len(row) for row in rows), default=0)
    for labels, wanted, what in ((row_labels, len(rows), "rows"), (column_labels, columns, "columns")):
        if labels and len(labels) != wanted:
            raise InputError(f"{len(labels)} labels for {wanted} {what} of pictures: give one for each or none")
    cells: list[list[Image.Image | None]] = [[*row, *[None] * (columns - len(row))] for row in rows]
    if column_labels:
        cells.insert(0, [_text(label, LABEL) for label in column_labels])
    if row_labels:
        heads = [None] * (len(cells) - len(rows)) + [_text(label, LABEL) for label in row_labels]
        cells = [[head, *row] for head, row in zip(heads, cells, strict=True)]

    heights = [max((image.height for image in row if image), default=0) for row in cells]
    widths = [max((image.width for image in column if image), default=0) for column in zip(*cells, strict=True)]
    tops = gap + np.cumsum([0, *(height + gap for height in heights)])
    lefts = gap + np.cumsum([0, *(width + gap for width in widths)])
    sheet = Image.new("RGB", (int(lefts[-1]), int(tops[-1])), WHITE)
    for top, height, row in zip(tops.tolist(), heights, cells, strict=False):
        for left, width, image in zip(lefts.tolist(), widths, row, strict=False):
            if image:
                sheet.paste(image, (left + (width - image.width) // 2, top + (height - image.height) // 2))
    return sheet


def to_png(image: Image.Image, *, small: bool = False) -> bytes:
    """A picture as the content of a PNG file; `small` takes longer and saves some room."""
    content = BytesIO()
    image.save(content, "png", optimize=small)
    return content.getvalue()


def captioned(image: Image.Image, text: str) -> Image.Image:
    """The picture with a line of text below it."""
    return contact_sheet([[image], [_text(text, CAPTION)]], gap=0)


def _text(text: str, size: int) -> Image.Image:
    font = ImageFont.load_default(size)
    bounds = ImageDraw.Draw(Image.new("RGB", (1, 1))).multiline_textbbox((0, 0), text, font)
    image = Image.new("RGB", (max(1, round(bounds[2])), round(1.3 * size) * (1 + text.count("\n"))), WHITE)
    centre = image.width / 2, image.height / 2
    ImageDraw.Draw(image).multiline_text(centre, text, INK, font, anchor="mm", align="center")
    return image


def _checked(size: tuple[int, int]) -> tuple[int, int]:
    if min(size) < 1:
        raise InputError(f"a picture of {size[0]}x{size[1]} pixels: ask for at least 1x1")
    return size


def _frame(bricks: Iterable[PlacedBrick]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The projected top left and bottom right corner around bricks, studs and outlines."""
    boxes = [
        (brick.pose[:3], (*brick.shape.extent(brick.d), brick.shape.height + STUD_HEIGHT / PLATE)) for brick in bricks
    ]
    if not boxes:
        return np.zeros(2), np.zeros(2)
    corner, extent = np.array(boxes, dtype=np.float64).transpose(1, 0, 2)  # (bricks, 3) each
    corners = corner[:, None] + np.array(list(np.ndindex(2, 2, 2))) * extent[:, None]  # (bricks, 8, 3)
    seen = corners * (1, 1, PLATE) @ PROJECTION
    return seen.min(axis=(0, 1)) - STROKE / 2, seen.max(axis=(0, 1)) + STROKE / 2


class _Thing(NamedTuple):
    """A part without its studs, or a stud."""

    box: tuple[float, ...]  # from x, y, z to x, y, z
    brick: int
    is_stud: bool


def _slabs(bricks: Sequence[PlacedBrick], owner: dict[Cell, int], studs: bool) -> Iterator[list[_Thing]]:
    """What there is to paint, from the ground up, cut where a plane goes between all parts: the viewer is above it, so
    what is below cannot hide what is above. A stud stands above its brick, where others hide it or it hides others."""
    things = []
    for index, brick in enumerate(bricks):
        along_x, along_y = brick.shape.extent(brick.d)
        box = brick.x, brick.y, brick.z, brick.x + along_x, brick.y + along_y, brick.top
        things.append(_Thing(box, index, False))
        for x, y in brick.shape.studs(brick.pose) if studs else ():
            if (x, y, brick.top) not in owner:
                top = brick.top + STUD_HEIGHT / PLATE
                things.append(_Thing((x, y, brick.top, x + 1, y + 1, top), index, True))
    slab: list[_Thing] = []
    end = -inf
    for thing in sorted(things, key=lambda thing: thing.box[2]):
        if slab and thing.box[2] >= end:
            yield slab
            slab = []
        slab.append(thing)
        end = max(end, thing.box[2] + 0.5 if thing.is_stud else thing.box[5])
    if slab:
        yield slab


def _outlines(
    thing: _Thing, brick: PlacedBrick, owner: dict[Cell, int]
) -> Iterator[tuple[Face, npt.NDArray[np.float64]]]:
    """The projected outlines of the faces that can be seen, except those wholly against other bricks."""
    corner = np.array(thing.box[:3])
    if thing.is_stud:
        foot = (corner + (0.5, 0.5, 0)) * (1, 1, PLATE) @ PROJECTION
        yield "stud side", foot + _STUD_SIDE
        yield "stud top", foot + _STUD_TOP
        return
    for face in faces_of(brick.shape, brick.d):
        beyond = [(brick.x + x, brick.y + y, brick.z + z) in owner for x, y, z in face.beyond]
        if face.normal @ TO_VIEWER > 0 and not (beyond and all(beyond)):
            yield _looks(face.normal), (corner + face.corners) * (1, 1, PLATE) @ PROJECTION


def _looks(normal: npt.NDArray[np.float64]) -> Face:
    """What light falls on a face: that of the axis that it looks along most, or of a roof."""
    if 0.1 < normal[2] < 0.9:
        return "roof"
    return ("side", "front", "top")[int(np.abs(normal).argmax())]


def _stripes(outline: npt.NDArray[np.float64]) -> Iterator[tuple[Point, ...]]:
    """Stripes across a face (4, 2), which tell bricks that are there only so that a model stands."""
    along, up = outline[1] - outline[0], outline[3] - outline[0]
    sides = float(np.linalg.norm(along)), float(np.linalg.norm(up))

    def ends(far: float) -> list[npt.NDArray[np.float64]]:
        """Where the line meets the border that is so far from the first corner, along one side and up the other."""
        right, top = min(far, sides[0]), min(far, sides[1])
        places = (right, far - right), (far - top, top)
        return [outline[0] + along * (x / sides[0]) + up * (y / sides[1]) for x, y in places]

    for far in np.arange(STRIPES / 2, sum(sides) - STRIPE, STRIPES).tolist():
        (one, other), (next_one, next_other) = ends(far), ends(far + STRIPE)
        yield tuple(tuple(point.tolist()) for point in (one, other, next_other, next_one))


def own_colour(brick: PlacedBrick) -> RGB:
    return colour_of(brick.colour).rgb


def _step_colours(bricks: Iterable[PlacedBrick], owner: dict[Cell, int]) -> list[RGB]:
    chosen: list[int] = []
    for index, brick in enumerate(bricks):
        touching = {
            owner.get((x + dx, y + dy, z + dz), index)
            for x, y, z in brick.cells()
            for dx, dy, dz in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
        }
        taken = {chosen[other] for other in touching if other < index}
        wheel = [STEP_COLOURS[(index + turn) % len(STEP_COLOURS)] for turn in range(len(STEP_COLOURS))]
        chosen.append(next((colour for colour in wheel if colour not in taken), wheel[0]))
    return [PALETTE[colour] for colour in chosen]


@cache
def tones(colour: RGB, pale: bool = False) -> dict[str, RGB]:
    """What a brick's faces and outlines look like in the light."""
    dark = sum(colour) < 170  # a darker outline would not show
    shades = {
        "top": _mix(colour, WHITE, 0.25),
        "roof": _mix(colour, WHITE, 0.12),
        "front": colour,
        "side": _mix(colour, BLACK, 0.28),
        "stud top": _mix(colour, WHITE, 0.35),
        "stud side": _mix(colour, BLACK, 0.15),
        "line": _mix(colour, WHITE, 0.55) if dark else _mix(colour, BLACK, 0.65),
    }
    return {face: _mix(tone, WHITE, 0.75) for face, tone in shades.items()} if pale else shades


def _mix(one: RGB, other: RGB, share: float) -> RGB:
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(one, other, strict=True))
    return red, green, blue
