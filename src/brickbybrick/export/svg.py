"""A drawing as SVG text, for pages and print: the painter's shapes, one polygon each, and nothing else.

Lengths are millimetres of the real bricks, so the file opens at the model's own size and scales to any other.
"""

from itertools import groupby

from brickbybrick.picture import Drawing, Polygon

PITCH_MM = 8.0  # from stud to stud


def svg(drawing: Drawing) -> str:
    """The drawing as a whole SVG file; what is behind the model is transparent."""
    width, height = _number(drawing.width), _number(drawing.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}mm" height="{height}mm" role="img">',
        f'<g stroke-width="{_number(drawing.stroke)}" stroke-linejoin="round">',
    ]
    for (fill, outline), shapes in groupby(drawing.shapes, key=lambda shape: (shape.fill, shape.outline)):
        painted = f'fill="#{bytes(fill).hex()}" stroke="#{bytes(outline).hex()}"'
        lines.append(f"<g {painted}>{''.join(map(_polygon, shapes))}</g>")
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _polygon(shape: Polygon) -> str:
    return f'<polygon points="{" ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)}"/>'


def _number(pitches: float) -> str:
    """A length in hundredths of a millimetre, without the zeros that nobody needs."""
    text = f"{pitches * PITCH_MM:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
