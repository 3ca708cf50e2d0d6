"""Pictures of brick models: an isometric painter. `sheets.py` puts them side by side.

`draw` decides everything about colours and lines, and `bodies.py` what there is to paint in which order; together they
make a `Drawing`, a list of filled polygons. `paint` and `svg` only fill them in; instructions do the same.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from itertools import groupby
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from brickbybrick.bands import Bands, Rim
from brickbybrick.bodies import Look, Outline, Thing, frame_of, outlines_of, things_of
from brickbybrick.colours import COLOURS, colour_of, light_of
from brickbybrick.colours import RGB as RGB  # every drawing speaks of it
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.camera import FRONT, View

Point = tuple[float, float]
Floats = npt.NDArray[np.float64]

PALETTE: dict[int, RGB] = {code: colour.rgb for code, colour in COLOURS.items()}  # by LDraw code
STEP_COLOURS = (4, 14, 1, 27, 25, 71, 2, 19)  # easy to tell apart, in an order that puts unlike ones together

WHITE: RGB = (255, 255, 255)
BLACK: RGB = (0, 0, 0)
INK: RGB = (40, 44, 52)  # text and the filled pixels of a view
DARK = 0.032  # light of a side, 0 to 1, below which a darker line does not show
FAULT: RGB = (0xFF, 0x2D, 0x1E)  # a brick at fault; no brick of the palette is as bright a red

# In stud pitches.
STROKE = 0.05  # outlines, at most
STRIPES, STRIPE = 0.5, 0.07  # from stripe to stripe, and the breadth of one
PITCH_MM = 8.0  # from stud to stud
VISIBLE_ACROSS = 900  # pixels of the larger side when looking for what can be seen
# Around new bricks: a dark band and a bright line in it, of which one shows on bricks of any colour.
BAND: RGB = (24, 26, 32)
BRIGHT: RGB = (255, 233, 20)
MARKS, MARK_SHARE = (0.1, 0.26), 0.015  # breadth of the band, at least and at most, and of the picture's larger side


class Polygon(NamedTuple):
    """One filled shape with an outline; of two points, a line."""

    points: tuple[Point, ...]  # right and down from the drawing's top left corner, in stud pitches
    fill: RGB
    outline: RGB
    brick: int  # the index of the brick it belongs to
    face: Look
    stroke: float = 1.0  # width of the outline, in those of the drawing


@dataclass(frozen=True)
class Drawing:
    """Shapes in the order to paint them, and the frame that holds them all."""

    shapes: tuple[Polygon, ...]
    width: float
    height: float
    stroke: float  # width of a plain outline
    origin: Point = (0.0, 0.0)  # where the frame's top left corner is, from where the model's x, y, z = 0 are seen


def draw(
    construction: Construction,
    *,
    view: View = FRONT,
    colours: Literal["own", "steps"] = "own",
    new: Sequence[Collection[int]] = (),
    fault: Collection[int] = (),
    only: Collection[int] | None = None,
    studs: bool = True,
    within: Construction | None = None,
) -> Drawing:
    """Draws a model.

    Args:
        construction: The model.
        view: From where it is seen; by default from the front, the right and above.
        colours: "own" paints each brick in its colour; "steps" changes the colour from brick to brick, so that
            touching bricks differ. A brick's colour then depends on earlier bricks only.
        new: Indices of the bricks to draw a strong line around, those together that one line goes around.
        fault: Indices of the bricks to show in bright red, whatever their colour, while all others are pale.
        only: Indices of the bricks to draw where it is known that others hide the rest; all if not given.
        studs: Whether to draw the studs.
        within: The model whose extent frames the drawing; give the finished model to make the pictures of its
            steps line up. By default the model itself.
    """
    bricks = construction.drawn.bricks
    base = _step_colours(bricks) if colours == "steps" else [own_colour(brick) for brick in bricks]
    base = [FAULT if index in fault else rgb for index, rgb in enumerate(base)]
    shades = [tones(rgb, bool(fault) and index not in fault) for index, rgb in enumerate(base)]
    low, high = frame_of((within or construction).drawn.bricks, view)
    width, height = (high - low + STROKE).tolist()
    # Where a few bricks fill the picture, outlines in proportion to the bricks would look like cartoon ink.
    stroke = min(STROKE, 0.004 * max(width, height))
    mark = min(max(MARKS[0], MARK_SHARE * max(width, height)), MARKS[1]) / stroke if new else 0.0
    cells = [{cell for index in group for cell in _cells(bricks[index])} for group in new]
    together = {index: own for group, own in zip(new, cells, strict=True) for index in group}
    shapes: list[Polygon] = []
    bands = Bands(view)
    for thing, outlines in _seen(bricks, view, range(len(bricks)) if only is None else only, studs, low):
        index = thing.brick
        if not thing.is_stud:
            shapes += _banded(bands.hidden_by(outlines, thing.box), mark)
        for outline in outlines:
            shapes += _filled(outline, shades[index], index, bricks[index].extra)
        if index in together and not thing.is_stud:
            bands.add(index, outlines, together[index])
    shapes += _banded(bands.rest(), mark)
    left, top = (low - STROKE / 2).tolist()
    return Drawing(tuple(shapes), width, height, stroke, (left, top))


def _seen(
    bricks: Sequence[PlacedBrick], view: View, only: Collection[int], studs: bool, low: Floats
) -> Iterator[tuple[Thing, list[Outline]]]:
    """What there is to paint in turn, each with what is seen of it."""
    filled = {cell for brick in bricks for cell in _cells(brick)}
    sloping = {cell for brick in bricks if brick.shape.slopes for cell in _cells(brick)}
    solid = filled - sloping if sloping else filled
    shift = STROKE / 2 - low
    for thing in things_of(bricks, filled, view, sorted(only), studs):
        outlines = outlines_of(thing, bricks[thing.brick], solid, view)
        placed = [outline._replace(points=outline.points + shift) for outline in outlines]
        yield thing, placed


def _filled(outline: Outline, shades: dict[Look | Literal["line"], RGB], index: int, extra: bool) -> Iterator[Polygon]:
    """A face with its edges, and with stripes if its brick is extra."""
    line, fill = shades["line"], shades[outline.look]
    points = _corners(outline.points)
    yield Polygon(points, fill, line if all(outline.edges) else fill, index, outline.look)
    if extra and len(points) == 4:
        for stripe in _stripes(outline.points):
            yield Polygon(stripe, line, line, index, outline.look)
    if not all(outline.edges):
        for end, is_edge in enumerate(outline.edges):
            if is_edge:
                yield Polygon((points[end - 1], points[end]), line, line, index, outline.look)


def _banded(rims: Sequence[Rim], mark: float) -> Iterator[Polygon]:
    """The bands along rims, dark and a bright line in each."""
    for colour, share in ((BAND, 1.0), (BRIGHT, 0.5)):
        for rim in rims:
            for piece in rim.pieces:
                yield Polygon(piece, colour, colour, rim.brick, "top", share * mark)


def _corners(points: Floats) -> tuple[Point, ...]:
    return tuple(map(tuple, points.tolist()))


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
        points = [(scale * x, scale * y) for x, y in shape.points]
        if len(points) == 2:
            pen.line(points, fill=number, width=max(1, round(scale * drawing.stroke * shape.stroke)))
        else:
            pen.polygon(points, fill=number, outline=number)
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
        pen = ImageDraw.Draw(canvas)
        for shape in drawing.shapes:
            points = [(left + scale * x, top + scale * y) for x, y in shape.points]
            pen.polygon(points, fill=shape.fill)
            wide = max(1, round(scale * drawing.stroke * shape.stroke))
            pen.line([*points, *points[:2]], fill=shape.outline, width=wide, joint="curve" if wide > 8 else None)
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
    alike = groupby(drawing.shapes, key=lambda shape: (shape.fill, shape.outline, shape.stroke))
    for (fill, outline, wide), shapes in alike:
        painted = f'fill="#{bytes(fill).hex()}" stroke="#{bytes(outline).hex()}"'
        painted += "" if wide == 1 else f' stroke-width="{_millimetres(wide * drawing.stroke)}"'
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


def _step_colours(bricks: Sequence[PlacedBrick]) -> list[RGB]:
    owner = {cell: index for index, brick in enumerate(bricks) for cell in _cells(brick)}
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
def tones(colour: RGB, pale: bool = False) -> dict[Look | Literal["line"], RGB]:
    """What a brick's faces and lines look like in the light."""
    shades: dict[Look | Literal["line"], RGB] = {
        "top": mix(colour, WHITE, 0.25),
        "roof": mix(colour, WHITE, 0.12),
        "front": colour,
        "side": mix(colour, BLACK, 0.28),
        "stud top": mix(colour, WHITE, 0.35),
        "stud side": mix(colour, BLACK, 0.15),
        "hollow": mix(colour, BLACK, 0.42),
        "tube": mix(colour, WHITE, 0.3),
        "bore": mix(colour, BLACK, 0.5),
        "pin": mix(colour, WHITE, 0.3),
        "line": _line(colour),
    }
    return {face: mix(tone, WHITE, 0.75) for face, tone in shades.items()} if pale else shades


def _line(colour: RGB) -> RGB:
    """A line that shows on all faces of a brick: darker than they are, or lighter where they are dark themselves."""
    side = float(light_of(mix(colour, BLACK, 0.28)) @ (0.2126, 0.7152, 0.0722))
    return mix(colour, WHITE, 0.6) if side < DARK else mix(colour, BLACK, 0.85)


def mix(one: RGB, other: RGB, share: float) -> RGB:
    """A colour that is so far on the way from one to the other."""
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(one, other, strict=True))
    return red, green, blue
