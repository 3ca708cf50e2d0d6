"""A drawing as SVG text, for pages and print: the painter's shapes, one polygon each, and nothing else.

Lengths are millimetres of the real bricks, so the file opens at the model's own size and scales to any other.
"""

from collections.abc import Sequence
from itertools import groupby
from xml.sax.saxutils import escape

from brickbybrick.picture import RGB, Drawing, Point, Polygon

PITCH_MM = 8.0  # from stud to stud


def svg(drawing: Drawing, *, title: str = "", background: RGB | None = None) -> str:
    """The drawing as a whole SVG file.

    Args:
        drawing: What to write.
        title: What a reader is told who cannot see it; also shown when the pointer rests on it.
        background: A colour behind the model; None leaves it transparent.
    """
    width, height = _number(drawing.width * PITCH_MM), _number(drawing.height * PITCH_MM)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}mm" height="{height}mm" role="img">'
    ]
    if title:
        lines.append(f"<title>{escape(_printable(title))}</title>")
    if background is not None:
        lines.append(f'<rect width="100%" height="100%" fill="{_hex(background)}"/>')
    lines.append(f'<g stroke-width="{_number(drawing.stroke * PITCH_MM)}" stroke-linejoin="round">')
    for (fill, outline), shapes in groupby(drawing.shapes, key=lambda shape: (shape.fill, shape.outline)):
        lines.append(f'<g fill="{_hex(fill)}" stroke="{_hex(outline)}">{"".join(map(_polygon, shapes))}</g>')
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _polygon(shape: Polygon) -> str:
    return f'<polygon points="{_points(shape.points)}"/>'


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x * PITCH_MM)},{_number(y * PITCH_MM)}" for x, y in points)


def _number(value: float) -> str:
    """In hundredths, without the zeros that nobody needs."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _hex(colour: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _printable(text: str) -> str:
    """XML forbids control characters even when they are escaped."""
    return "".join(character if character.isprintable() else " " for character in text)
