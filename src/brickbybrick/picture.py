"""Pictures of brick models: an isometric painter. `sheets.py` puts them side by side.

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
from PIL import Image, ImageDraw

from brickbybrick.colours import COLOURS, colour_of
from brickbybrick.colours import RGB as RGB  # every drawing speaks of it
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.faces import PLATE, faces_of
from brickbybrick.geometry.hiding import far_to_near, hidden, tangled

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

_STUD_CENTRE = np.array([0.5, 0.5, 0.0])  # from the corner of its cell
_AROUND = np.arange(32) * (2 * pi / 32)
_STUD_FOOT = STUD_RADIUS * np.stack([np.cos(_AROUND), np.sin(_AROUND) * sin(PITCH)], axis=1)  # (32, 2)
_STUD_TOP = _STUD_FOOT - (0.0, STUD_HEIGHT * cos(PITCH))
_STUD_SIDE = np.concatenate([_STUD_FOOT[:17], _STUD_TOP[[16, 0]]])  # the near half of the wall

TO_VIEWER = np.array([sin(YAW) * cos(PITCH), -cos(YAW) * cos(PITCH), sin(PITCH)])


@dataclass(frozen=True)
class Polygon:
    """One filled shape with a thin outline; of two points, a line."""

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
    bricks = construction.drawn.bricks
    owner = {cell: index for index, brick in enumerate(bricks) for cell in _cells(brick)}
    solid = {cell for cell, index in owner.items() if not bricks[index].shape.slopes}
    base = _step_colours(bricks, owner) if colours == "steps" else [own_colour(brick) for brick in bricks]
    base = [FAULT if index in fault else rgb for index, rgb in enumerate(base)]
    vivid = range(len(bricks)) if highlight is None and not fault else {*(highlight or ()), *fault}
    shades = [tones(rgb, index not in vivid) for index, rgb in enumerate(base)]
    low, high = _frame((within or construction).drawn.bricks)
    shapes: list[Polygon] = []
    for slab in _slabs(bricks, owner, studs):
        for thing in _far_to_near(slab):
            index = thing.brick
            line = shades[index]["line"]
            for face, outline, edges in _outlines(thing, bricks[index], solid):
                points = tuple(map(tuple, (outline - low).tolist()))
                fill = shades[index][face]
                shapes.append(Polygon(points, fill, line if all(edges) else fill, index, face))
                if bricks[index].extra and len(outline) == 4:
                    shapes += [Polygon(stripe, line, line, index, face) for stripe in _stripes(outline - low)]
                if not all(edges):
                    ends = [(points[end - 1], points[end]) for end, is_edge in enumerate(edges) if is_edge]
                    shapes += [Polygon(each, line, line, index, face) for each in ends]
    width, height = (high - low).tolist()
    # Where a few bricks fill the picture, outlines in proportion to the bricks would look like cartoon ink.
    return Drawing(tuple(shapes), width, height, stroke=min(STROKE, 0.004 * max(width, height)))


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
    width, height = checked_size(size)
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


def to_png(image: Image.Image, *, small: bool = False) -> bytes:
    """A picture as the content of a PNG file; `small` takes longer and saves some room."""
    content = BytesIO()
    image.save(content, "png", optimize=small)
    return content.getvalue()


def checked_size(size: tuple[int, int]) -> tuple[int, int]:
    """A picture's width and height, if it has any pixels."""
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

    def layers(self) -> list["_Thing"]:
        """A part cut into pieces one plate high."""
        x, y, low, end_x, end_y, top = self.box
        if self.is_stud:
            return [self]
        return [self._replace(box=(x, y, z, end_x, end_y, z + 1)) for z in range(int(low), int(top))]


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


def _far_to_near(slab: list[_Thing]) -> list[_Thing]:
    """What there is to paint in the right order.

    Things of one layer never lie around each other, so that each were to be painted before the next. Those of several
    layers may; they are cut into layers.
    """
    behind_which = hidden(_boxes(slab), TO_VIEWER)
    cut = tangled(behind_which)
    if cut.any():
        slab = [piece for thing, cuts in zip(slab, cut, strict=True) for piece in (thing.layers() if cuts else [thing])]
        behind_which = hidden(_boxes(slab), TO_VIEWER)
    return [slab[place] for place in far_to_near(behind_which)]


def _boxes(slab: list[_Thing]) -> npt.NDArray[np.float64]:
    """Corners of things (thing, 6) in stud pitches."""
    return np.array([thing.box for thing in slab]) * (1, 1, PLATE, 1, 1, PLATE)


def _outlines(
    thing: _Thing, brick: PlacedBrick, solid: Collection[Cell]
) -> Iterator[tuple[Face, npt.NDArray[np.float64], list[bool]]]:
    """The projected outlines of the faces that can be seen, except those wholly against cells that are solid; and
    whether what goes to each of their corners from the one before is an edge of the part, or where it was cut."""
    low, high = thing.box[2], thing.box[5]
    if thing.is_stud:
        foot = (np.array(thing.box[:3]) + _STUD_CENTRE) * (1, 1, PLATE) @ PROJECTION
        yield "stud side", foot + _STUD_SIDE, [True]
        yield "stud top", foot + _STUD_TOP, [True]
        return
    cuts = {low, high} - {brick.z, brick.top}
    for face in faces_of(brick.shape, brick.d):
        if face.normal @ TO_VIEWER <= 0:
            continue
        cells = [(brick.x + x, brick.y + y, brick.z + z) for x, y, z in face.beyond]
        cells = [cell for cell in cells if low <= cell[2] < high] if cuts and not face.normal[2] else cells
        corners = brick.pose[:3] + face.corners
        corners = _between(corners, low, high) if cuts else corners
        if len(corners) and not (cells and all(cell in solid for cell in cells)):
            heights = corners[:, 2].tolist()
            edges = [not (here == heights[end - 1] and here in cuts) for end, here in enumerate(heights)]
            yield _looks(face.normal), corners * (1, 1, PLATE) @ PROJECTION, edges


def _between(corners: npt.NDArray[np.float64], low: float, high: float) -> npt.NDArray[np.float64]:
    """What of an outline (corner, 3) is between two heights; nothing if that is a line at most."""
    for sign, limit in ((1.0, low), (-1.0, high)):
        inside = sign * (corners[:, 2] - limit)  # (corner,) how far
        kept = []
        for here in range(len(corners)):
            before = inside[here - 1]
            if inside[here] * before < 0:
                kept.append(corners[here - 1] + before / (before - inside[here]) * (corners[here] - corners[here - 1]))
            if inside[here] >= 0:
                kept.append(corners[here])
        corners = np.array(kept).reshape(-1, 3)
    flat = len(corners) > 0 and bool(np.ptp(corners, axis=0)[:2].max() == 0)
    return corners[:0] if len(corners) < 3 or flat else corners


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


def _cells(brick: PlacedBrick) -> Iterable[Cell]:
    """The cells of a brick; of a box that stands for another part, which may be as large as a house, its lowest."""
    if brick.shape.kind != "box":
        return brick.cells()
    return ((x, y, brick.z) for x, y in brick.shape.footprint(brick.pose))


def _step_colours(bricks: Iterable[PlacedBrick], owner: dict[Cell, int]) -> list[RGB]:
    chosen: list[int] = []
    for index, brick in enumerate(bricks):
        touching = {
            owner.get((x + dx, y + dy, z + dz), index)
            for x, y, z in _cells(brick)
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
        "top": mix(colour, WHITE, 0.25),
        "roof": mix(colour, WHITE, 0.12),
        "front": colour,
        "side": mix(colour, BLACK, 0.28),
        "stud top": mix(colour, WHITE, 0.35),
        "stud side": mix(colour, BLACK, 0.15),
        "line": mix(colour, WHITE, 0.55) if dark else mix(colour, BLACK, 0.65),
    }
    return {face: mix(tone, WHITE, 0.75) for face, tone in shades.items()} if pale else shades


def mix(one: RGB, other: RGB, share: float) -> RGB:
    """A colour that is so far on the way from one to the other."""
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(one, other, strict=True))
    return red, green, blue
