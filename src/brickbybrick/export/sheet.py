"""Pages of a PDF: text, rectangles and the painter's drawings, in points from the top left corner.

Everything is lines and filled shapes in the fonts that every reader of PDF has, so files are small and sharp at
any size, and the same content gives the same bytes. What stands where is decided elsewhere.
"""

import io
import re
import unicodedata
from collections.abc import Sequence
from math import inf
from typing import Literal, NamedTuple

from PIL import Image

from brickbybrick.errors import InputError, how_to_install
from brickbybrick.picture import INK, RGB, Drawing, Point, Polygon

PAPERS: dict[str, tuple[float, float]] = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}  # width, height
ROUND = ("stud side", "stud top", "tube", "bore", "pin")
FINE = 500  # parts of a stud pitch in which corners are written

NORMAL = "Helvetica"
BOLD = "Helvetica-Bold"


class Box(NamedTuple):
    """A rectangle on a page."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def middle(self) -> Point:
        return self.left + self.width / 2, self.top + self.height / 2

    def inset(self, by: float) -> "Box":
        return Box(self.left + by, self.top + by, self.width - 2 * by, self.height - 2 * by)

    def holding(self, width: float, height: float, most: float = inf) -> "Box":
        """The largest box of these proportions in the middle of this one, up to `most` times these sides."""
        scale = min(self.width / width, self.height / height, most)
        x, y = self.middle
        return Box(x - scale * width / 2, y - scale * height / 2, scale * width, scale * height)


class Pages:
    """A PDF that is being written, and the page that is open."""

    def __init__(self, paper: str, title: str) -> None:
        try:
            from reportlab import rl_config
            from reportlab.pdfgen.canvas import Canvas
        except ImportError as error:
            raise InputError(f"building instructions need reportlab: {how_to_install('reportlab')}") from error
        if paper not in PAPERS:
            raise InputError(f"no paper {paper!r}: choose from {', '.join(PAPERS)}")
        rl_config.useA85 = 0  # bytes as they are: letters instead would take a quarter more
        self.width, self.height = PAPERS[paper]
        self._file = io.BytesIO()
        self._canvas = Canvas(self._file, (self.width, self.height), pageCompression=1, invariant=1)
        self._rounds: dict[tuple[str, int, int], str] = {}  # names of round shapes
        self._canvas.setTitle(printable(title))
        self._canvas.setCreator("brickbybrick")

    def begin_chapter(self, name: str) -> None:
        """Lists the open page under a name in the reader's table of contents."""
        key = f"page{self._canvas.getPageNumber()}"
        self._canvas.bookmarkPage(key)
        self._canvas.addOutlineEntry(printable(name), key)

    def turn(self) -> None:
        """Ends the open page and opens the next."""
        self._canvas.showPage()

    def close(self) -> bytes:
        """Ends the open page and returns the whole file."""
        self._canvas.save()
        return self._file.getvalue()

    def text_width(self, text: str, size: float, font: str = NORMAL) -> float:
        return float(self._canvas.stringWidth(printable(text), font, size))

    def text(
        self,
        place: Point,
        text: str,
        size: float,
        *,
        font: str = NORMAL,
        colour: RGB = INK,
        align: Literal["left", "middle", "right"] = "left",
        most: float = inf,
    ) -> None:
        """Writes one line on the baseline at `place`; a line longer than `most` points is set smaller, then cut."""
        text = printable(text)
        if (width := self.text_width(text, size, font)) > most:
            size = max(0.6 * size, size * most / width)
        if self.text_width(text, size, font) > most + 0.01:
            while text and self.text_width(text + "...", size, font) > most:
                text = text[:-1]
            text = text.rstrip() + "..."
        self._canvas.setFillColorRGB(*_shares(colour))
        self._canvas.setFont(font, size)
        write = {
            "left": self._canvas.drawString,
            "middle": self._canvas.drawCentredString,
            "right": self._canvas.drawRightString,
        }[align]
        write(place[0], self.height - place[1], text)

    def wrapped(self, text: str, size: float, width: float) -> list[str]:
        """The lines of a text in a column."""
        from reportlab.lib.utils import simpleSplit

        return [str(line) for line in simpleSplit(printable(text), NORMAL, size, width)]

    def rectangle(
        self,
        box: Box,
        fill: RGB | None = None,
        outline: RGB | None = None,
        *,
        stroke: float = 0.5,
        corner: float = 0,
        dash: Sequence[float] = (),
    ) -> None:
        self._style(fill, outline, stroke, dash)
        paint = {"fill": int(fill is not None), "stroke": int(outline is not None)}
        bottom = self.height - box.bottom
        if corner:
            self._canvas.roundRect(box.left, bottom, box.width, box.height, corner, **paint)
        else:
            self._canvas.rect(box.left, bottom, box.width, box.height, **paint)

    def circle(self, middle: Point, radius: float, fill: RGB, outline: RGB | None = None, stroke: float = 0.5) -> None:
        self._style(fill, outline, stroke)
        self._canvas.circle(middle[0], self.height - middle[1], radius, stroke=int(outline is not None), fill=1)

    def lines(self, ends: Sequence[tuple[float, float, float, float]], colour: RGB, stroke: float = 0.5) -> None:
        self._style(None, colour, stroke)
        self._canvas.lines([(x0, self.height - y0, x1, self.height - y1) for x0, y0, x1, y1 in ends])

    def polygon(
        self,
        points: Sequence[Point],
        fill: RGB | None = None,
        outline: RGB | None = None,
        *,
        stroke: float = 0.5,
        dash: Sequence[float] = (),
    ) -> None:
        self._style(fill, outline, stroke, dash)
        path = self._canvas.beginPath()
        path.moveTo(points[0][0], self.height - points[0][1])
        for x, y in points[1:]:
            path.lineTo(x, self.height - y)
        path.close()
        self._canvas.drawPath(path, fill=int(fill is not None), stroke=int(outline is not None))

    def drawing(self, drawing: Drawing, box: Box, most_pitch: float = inf) -> Box:
        """Puts a drawing into the middle of a box, as large as fits, and says where it came to lie.

        From stud to stud it has `most_pitch` points at most.
        """
        if not drawing.shapes:
            return box
        frame = box.holding(drawing.width, drawing.height, most_pitch)
        scale = frame.width / drawing.width / FINE
        self._canvas.saveState()
        self._canvas.transform(scale, 0, 0, -scale, frame.left, self.height - frame.top)
        self._write(drawing)
        self._canvas.restoreState()
        return frame

    def _write(self, drawing: Drawing) -> None:
        """Writes a drawing's shapes in PDF's own operators.

        Every shape is written as seen from its first corner, to which the origin moves: the faces of equal bricks then
        are the same text over and over, and compression stores them once. Studs and tubes have the most corners; they
        are written once in a file, and referred to.
        """
        lines = ["1 j 1 J []0 d"]
        fill: RGB | None = None
        outline: RGB | None = None
        stroke = 0.0
        x, y = 0, 0
        for shape in drawing.shapes:
            if shape.fill != fill:
                fill = shape.fill
                lines.append("{:g} {:g} {:g} rg".format(*_shares(fill)))
            if shape.outline != outline:
                outline = shape.outline
                lines.append("{:g} {:g} {:g} RG".format(*_shares(outline)))
            if shape.stroke != stroke:
                stroke = shape.stroke
                lines.append(f"{drawing.stroke * stroke * FINE:.0f} w")
            left, top = (round(FINE * value) for value in shape.points[0])
            lines.append(f"1 0 0 1 {left - x} {top - y} cm")
            x, y = left, top
            if shape.face in ROUND:
                name = self._round(shape)
                self._canvas.addLiteral("\n".join(lines))
                self._canvas.doForm(name)
                lines = []
            else:
                lines.append(_path(shape))
        self._canvas.addLiteral("\n".join(lines))

    def _round(self, shape: Polygon) -> str:
        """The name of a round shape, which is written when it is first needed."""
        (left, top), (right, bottom) = shape.points[0], shape.points[5]
        looks = shape.face, round(FINE * (right - left)), round(FINE * (bottom - top))  # all alike begin alike
        if looks not in self._rounds:
            self._rounds[looks] = f"r{len(self._rounds)}"
            self._canvas.beginForm(self._rounds[looks], -2 * FINE, -2 * FINE, 2 * FINE, 2 * FINE)
            self._canvas.addLiteral(_path(shape))
            self._canvas.endForm()
        return self._rounds[looks]

    def picture(self, picture: Image.Image, box: Box) -> None:
        """Puts a picture into a box, as large as fits and at its left; what is transparent stays white."""
        from reportlab.lib.utils import ImageReader

        whole = Image.new("RGB", picture.size, "white")
        whole.paste(picture, mask=picture.getchannel("A") if picture.mode == "RGBA" else None)
        frame = box.holding(*picture.size)
        place = box.left, self.height - frame.bottom
        self._canvas.drawImage(ImageReader(whole), *place, width=frame.width, height=frame.height)

    def _style(self, fill: RGB | None, outline: RGB | None, stroke: float, dash: Sequence[float] = ()) -> None:
        if fill is not None:
            self._canvas.setFillColorRGB(*_shares(fill))
        if outline is not None:
            self._canvas.setStrokeColorRGB(*_shares(outline))
            self._canvas.setLineWidth(stroke)
            self._canvas.setDash(list(dash))


def printable(text: str) -> str:
    """The text in letters that Helvetica has; others lose their accents, and what is left becomes one question mark.

    A file's name or a title in any script is welcome, and must not stop a model from being printed.
    """
    shown = ""
    for letter in unicodedata.normalize("NFC", text):
        if letter.isspace() or not letter.isprintable():
            shown += " "
        else:
            plain = letter if _in_helvetica(letter) else unicodedata.normalize("NFKD", letter)
            shown += "".join(filter(_in_helvetica, plain)) or "\0"
    return re.sub("\0+", "?", shown)


def _in_helvetica(letter: str) -> bool:
    return letter.isprintable() and letter.encode("cp1252", "ignore") != b""


def _shares(colour: RGB) -> tuple[float, float, float]:
    red, green, blue = (round(value / 255, 3) for value in colour)
    return red, green, blue


def _path(shape: Polygon) -> str:
    (left, top), *corners = shape.points
    return "0 0 m " + " ".join(f"{FINE * (x - left):.0f} {FINE * (y - top):.0f} l" for x, y in corners) + " b"
