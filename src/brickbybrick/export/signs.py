"""The signs of a book: arrows, turn it, turn it over, hold it. Each has its word beside it where a builder meets it."""

from collections.abc import Sequence
from math import cos, pi, sin

from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.picture import INK, RGB, WHITE, Point

SIGN: RGB = (0, 92, 169)
ARROW: RGB = (214, 0, 28)
HOLD: RGB = (190, 30, 20)


def draw_arrow(pages: Pages, tip: Point, length: float) -> None:
    """An arrow down to a place, or up to it if its length is less than nothing."""
    x, y = tip
    half, head = 0.11 * abs(length), 0.42 * length
    points = [(x, y), (x - 2.4 * half, y - head), (x - half, y - head), (x - half, y - length)]
    points += [(2 * x - across, up) for across, up in reversed(points[1:])]
    pages.polygon(points, ARROW, WHITE, stroke=0.09 * abs(length))
    pages.polygon(points, ARROW)


def draw_turn(pages: Pages, middle: Point, radius: float) -> None:
    """Turn it on the table: two arrows around an upright axis."""
    _disc(pages, middle, radius)
    _pair(pages, middle, (0.72 * radius, 0.4 * radius), 0.17 * radius)


def draw_turn_over(pages: Pages, middle: Point, radius: float) -> None:
    """Turn it over: two arrows around a level axis, which is there too."""
    _disc(pages, middle, radius)
    x, y = middle
    pages.lines([(x - 0.8 * radius, y, x + 0.8 * radius, y)], WHITE, 0.1 * radius)
    _pair(pages, middle, (0.4 * radius, 0.72 * radius), 0.17 * radius)


def draw_hold(pages: Pages, place: Point) -> Box:
    """Hold it: what is there does not stand by itself after this step. Says where it is."""
    width = pages.text_width("hold it", 8, BOLD)
    box = Box(place[0], place[1], width + 10, 13)
    pages.rectangle(box, HOLD, corner=3)
    pages.text((box.left + 5, box.bottom - 4), "hold it", 8, font=BOLD, colour=WHITE)
    return box


def _disc(pages: Pages, middle: Point, radius: float) -> None:
    pages.circle(middle, radius, SIGN, INK, 0.04 * radius)


def _pair(pages: Pages, middle: Point, radii: tuple[float, float], band: float) -> None:
    """Two arrows that follow each other around an ellipse."""
    for start in (0.06 * pi, 1.06 * pi):
        pages.polygon(_bent_arrow(middle, radii, band, start, start + 0.62 * pi), WHITE)


def _bent_arrow(middle: Point, radii: tuple[float, float], band: float, start: float, end: float) -> Sequence[Point]:
    """An arrow along an ellipse between two angles."""

    def place(angle: float, out: float) -> Point:
        return middle[0] + (radii[0] + out) * cos(angle), middle[1] + (radii[1] + out) * sin(angle)

    angles = [start + (end - start) * step / 12 for step in range(13)]
    outer, inner = [place(angle, band / 2) for angle in angles], [place(angle, -band / 2) for angle in angles]
    head = [place(end, 1.5 * band), place(end + 0.26 * pi, 0.0), place(end, -1.5 * band)]
    return [*outer, *head, *reversed(inner)]
