"""Things to build for who has nothing at hand: drawings of things, animals and letters, made here of ellipses, polygons
and lines in the colours of bricks, on nothing."""

from collections.abc import Callable, Sequence
from math import cos, pi, sin
from typing import TYPE_CHECKING

from brickbybrick.colours import COLOURS, RGB, colour_code

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE = 400  # pixels of a drawing
FINER = 2  # times as large it is drawn, so that its edges are smooth

Points = Sequence[tuple[float, float]]


class Pen:
    """Draws on a sheet of 100 x 100, the origin at the top left, in colours by the names of bricks'."""

    def __init__(self) -> None:
        from PIL import Image, ImageDraw

        self._sheet = Image.new("RGBA", (SIDE * FINER, SIDE * FINER))
        self._draw = ImageDraw.Draw(self._sheet)

    def disc(self, x: float, y: float, across: float, colour: str, up: float | None = None) -> None:
        """An ellipse around a point, by its half width and its half height."""
        up = across if up is None else up
        self._draw.ellipse(self._scaled([(x - across, y - up), (x + across, y + up)]), fill=_rgb(colour))

    def shape(self, points: Points, colour: str) -> None:
        self._draw.polygon(self._scaled(points), fill=_rgb(colour))

    def box(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        self.shape([(left, top), (right, top), (right, bottom), (left, bottom)], colour)

    def line(self, points: Points, width: float, colour: str) -> None:
        """A line with round ends and corners."""
        places = self._scaled(points)
        self._draw.line(places, fill=_rgb(colour), width=round(width * SIDE * FINER / 100), joint="curve")
        for x, y in points:
            self.disc(x, y, width / 2, colour)

    def arc(self, x: float, y: float, across: float, start: float, end: float, width: float, colour: str) -> None:
        """Part of a ring, from one angle to another in degrees: 0 is right and 90 below."""
        steps = [start + (end - start) * step / 48 for step in range(49)]
        rim = [(x + across * cos(turn * pi / 180), y + across * sin(turn * pi / 180)) for turn in steps]
        self.line(rim, width, colour)

    def picture(self) -> "Image":
        from PIL import Image

        return self._sheet.resize((SIDE, SIDE), Image.Resampling.BOX)

    @staticmethod
    def _scaled(points: Points) -> list[tuple[float, float]]:
        return [(x * SIDE * FINER / 100, y * SIDE * FINER / 100) for x, y in points]


def _rgb(colour: str) -> RGB:
    return COLOURS[colour_code(colour)].rgb


def _heart(pen: Pen) -> None:
    turns = [step * pi / 60 for step in range(120)]
    pen.shape(
        [
            (
                50 + 2.75 * 16 * sin(turn) ** 3,
                46 - 2.75 * (13 * cos(turn) - 5 * cos(2 * turn) - 2 * cos(3 * turn) - cos(4 * turn)),
            )
            for turn in turns
        ],
        "red",
    )


def _star(pen: Pen) -> None:
    far = [46 if step % 2 == 0 else 20 for step in range(10)]
    pen.shape([(50 + r * sin(k * pi / 5), 52 - r * cos(k * pi / 5)) for k, r in enumerate(far)], "yellow")


def _smile(pen: Pen) -> None:
    pen.disc(50, 50, 46, "yellow")
    for x in (34, 66):
        pen.disc(x, 40, 6, "black", 9)
    pen.arc(50, 50, 25, 20, 160, 7, "black")


def _house(pen: Pen) -> None:
    pen.box(66, 12, 76, 40, "dark red")
    pen.box(16, 46, 84, 94, "tan")
    pen.shape([(4, 50), (50, 8), (96, 50)], "red")
    pen.box(42, 66, 60, 94, "reddish brown")
    pen.box(23, 58, 36, 72, "medium azure")
    pen.box(66, 58, 79, 72, "medium azure")


def _fir(pen: Pen) -> None:
    pen.box(43, 76, 57, 96, "reddish brown")
    for top, low, half in ((4, 36, 20), (22, 58, 30), (42, 80, 40)):
        pen.shape([(50, top), (50 + half, low), (50 - half, low)], "green")


def _boat(pen: Pen) -> None:
    pen.shape([(6, 70), (94, 70), (80, 92), (20, 92)], "reddish brown")
    pen.box(47, 6, 52, 72, "dark tan")
    pen.shape([(52, 8), (90, 62), (52, 62)], "red")
    pen.shape([(47, 16), (47, 62), (14, 62)], "yellow")


def _rocket(pen: Pen) -> None:
    pen.shape([(34, 76), (66, 76), (50, 99)], "orange")
    pen.shape([(30, 54), (12, 82), (34, 78)], "red")
    pen.shape([(70, 54), (88, 82), (66, 78)], "red")
    pen.box(30, 34, 70, 79, "light bluish grey")
    pen.shape([(30, 35), (50, 2), (70, 35)], "red")
    pen.disc(50, 50, 11, "dark bluish grey")
    pen.disc(50, 50, 7, "medium azure")


def _apple(pen: Pen) -> None:
    pen.line([(50, 30), (54, 8)], 6, "reddish brown")
    pen.disc(68, 17, 13, "green", 7)
    pen.disc(34, 56, 28, "red", 32)
    pen.disc(66, 56, 28, "red", 32)
    pen.disc(50, 64, 30, "red", 31)


def _cat(pen: Pen) -> None:
    for x in (-1, 1):
        pen.shape([(50 + 44 * x, 6), (50 + 44 * x, 52), (50 + 6 * x, 30)], "orange")
    pen.disc(50, 58, 44, "orange", 38)
    for x in (32, 68):
        pen.disc(x, 50, 9, "white", 10)
        pen.disc(x, 51, 5, "black", 7)
    pen.shape([(43, 64), (57, 64), (50, 72)], "pink")
    pen.line([(50, 72), (50, 78)], 3.5, "black")
    pen.arc(42, 76, 8, 10, 130, 3.5, "black")
    pen.arc(58, 76, 8, 50, 170, 3.5, "black")


def _fish(pen: Pen) -> None:
    pen.shape([(64, 50), (97, 22), (97, 78)], "orange")
    pen.shape([(34, 30), (56, 8), (64, 34)], "orange")
    pen.disc(42, 50, 38, "orange", 28)
    pen.shape([(34, 24), (46, 22), (46, 78), (34, 76)], "white")
    pen.shape([(62, 27), (70, 32), (70, 68), (62, 73)], "white")
    pen.disc(19, 44, 6, "white")
    pen.disc(18, 44, 3.5, "black")


def _duck(pen: Pen) -> None:
    pen.shape([(70, 60), (97, 42), (92, 74)], "yellow")
    pen.disc(56, 70, 38, "yellow", 25)
    pen.disc(34, 32, 22, "yellow")
    pen.shape([(16, 28), (16, 44), (0, 40), (0, 34)], "orange")
    pen.disc(30, 27, 4.5, "black")
    pen.disc(66, 66, 18, "bright light orange", 10)


def _ladybird(pen: Pen) -> None:
    for x in (-1, 1):
        pen.line([(50 + 10 * x, 22), (50 + 22 * x, 6)], 4.5, "black")
    pen.disc(50, 26, 20, "black", 17)
    pen.disc(50, 60, 38, "red", 37)
    pen.box(47.5, 24, 52.5, 97, "black")
    for x, y in ((30, 46), (70, 46), (27, 68), (73, 68), (38, 84), (62, 84)):
        pen.disc(x, y, 6, "black")


def _penguin(pen: Pen) -> None:
    pen.shape([(24, 44), (4, 70), (28, 74)], "black")
    pen.shape([(76, 44), (96, 70), (72, 74)], "black")
    pen.disc(50, 62, 32, "black", 35)
    pen.disc(50, 28, 24, "black")
    pen.disc(50, 66, 21, "white", 27)
    for x in (41, 59):
        pen.disc(x, 26, 8, "white")
        pen.disc(x, 27, 4, "black")
    pen.shape([(42, 35), (58, 35), (50, 46)], "orange")
    for x in (36, 64):
        pen.disc(x, 94, 13, "orange", 5)


def _frog(pen: Pen) -> None:
    for x in (27, 73):
        pen.disc(x, 27, 18, "bright green")
        pen.disc(x, 26, 11, "white")
        pen.disc(x, 28, 6, "black")
    pen.disc(50, 60, 46, "bright green", 35)
    pen.arc(50, 48, 30, 25, 155, 5, "dark green")


def _butterfly(pen: Pen) -> None:
    for x in (-1, 1):
        pen.disc(50 + 24 * x, 34, 23, "medium azure", 25)
        pen.disc(50 + 20 * x, 72, 18, "blue", 20)
        pen.disc(50 + 25 * x, 34, 10, "bright light yellow", 11)
        pen.disc(50 + 20 * x, 72, 7, "bright light orange", 8)
        pen.line([(50, 20), (50 + 12 * x, 4)], 4, "black")
    pen.disc(50, 54, 6, "black", 40)


def _letter(lines: Sequence[Points], arcs: Sequence[tuple[float, float, float, float, float]], colour: str) -> "Draw":
    def draw(pen: Pen) -> None:
        for points in lines:
            pen.line(points, 16, colour)
        for x, y, across, start, end in arcs:
            pen.arc(x, y, across, start, end, 16, colour)

    return draw


Draw = Callable[[Pen], None]
DRAWINGS: dict[str, Draw] = {
    "heart": _heart,
    "star": _star,
    "smile": _smile,
    "house": _house,
    "fir": _fir,
    "apple": _apple,
    "boat": _boat,
    "rocket": _rocket,
    "cat": _cat,
    "duck": _duck,
    "fish": _fish,
    "frog": _frog,
    "penguin": _penguin,
    "ladybird": _ladybird,
    "butterfly": _butterfly,
    "letter A": _letter([[(14, 90), (50, 10), (86, 90)], [(30, 62), (70, 62)]], [], "blue"),
    "letter B": _letter(
        [[(22, 10), (22, 90)], [(22, 10), (54, 10)], [(22, 48), (58, 48)], [(22, 90), (58, 90)]],
        [(54, 29, 19, -90, 90), (57, 69, 21, -90, 90)],
        "green",
    ),
    "letter C": _letter([], [(54, 50, 40, 48, 312)], "red"),
}


def drawing(name: str) -> "Image":
    """The drawing of a name of `DRAWINGS`."""
    pen = Pen()
    DRAWINGS[name](pen)
    return pen.picture()
