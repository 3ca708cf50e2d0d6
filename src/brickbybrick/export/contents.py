"""The page that says where in a book everything is, with pictures of what is built apart, and what its signs mean."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from brickbybrick.construction import Construction
from brickbybrick.export.book import Apart
from brickbybrick.export.panel import FRAME, FRAME_EDGE
from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.export.signs import draw_arrow, draw_hold, draw_turn, draw_turn_over
from brickbybrick.export.stud_map import GREY
from brickbybrick.geometry.camera import in_book
from brickbybrick.picture import BAND, BRIGHT, draw, visible

TITLE = 44.0  # points above the entries
LINE, PICTURED = 17.0, 58.0  # points that an entry is high, without and with a picture
GUTTER = 30.0
SIGNS = 92.0  # points at the foot for the signs


class Entry(NamedTuple):
    """Something that begins on a page."""

    title: str
    page: int
    apart: Apart | None = None

    @property
    def height(self) -> float:
        return LINE if self.apart is None else PICTURED


def contents_pages(body: Box, entries: Sequence[Entry]) -> list[list[tuple[Box, Entry]]]:
    """Where each entry stands: in two columns on as many pages as that takes."""
    width = (body.width - GUTTER) / 2
    leaves: list[list[tuple[Box, Entry]]] = [[]]
    column, top = 0, TITLE
    for entry in entries:
        if top + entry.height > body.height - SIGNS:
            column, top = column + 1, TITLE
            if column == 2:
                leaves.append([])
                column = 0
        leaves[-1].append((Box(body.left + column * (width + GUTTER), body.top + top, width, entry.height), entry))
        top += entry.height
    return leaves


def draw_contents(pages: Pages, body: Box, placed: Sequence[tuple[Box, Entry]]) -> None:
    """One page of contents."""
    pages.text((body.left, body.top + 22), "Contents", 28, font=BOLD)
    for box, entry in placed:
        if entry.apart is not None:
            _draw_apart(pages, Box(box.left, box.top + 2, 70, box.height - 8), entry.apart)
        left = box.left if entry.apart is None else box.left + 80
        middle = box.middle[1] + 3
        number = str(entry.page)
        pages.text((left, middle), entry.title, 10, most=box.right - left - 30)
        pages.text((box.right, middle), number, 10, font=BOLD, align="right")
        if entry.apart is not None:
            pages.text((left, middle + 12), _told(entry.apart), 8, colour=GREY, most=box.right - left)
    _draw_signs(pages, Box(body.left, body.bottom - SIGNS + 20, body.width, SIGNS - 20))


def _told(apart: Apart) -> str:
    count = len(apart.bricks)
    times = f"{apart.times}x, " if apart.times > 1 else ""
    over = ", upside down" if apart.upside_down else ""
    return f"{times}{count} brick{'s' if count > 1 else ''}{over}"


def _draw_apart(pages: Pages, box: Box, apart: Apart) -> None:
    pages.rectangle(box, FRAME, FRAME_EDGE, stroke=0.9, corner=4)
    pages.drawing(visible(draw(Construction(apart.bricks), view=in_book(0))), box.inset(5), 9.0)


def _draw_signs(pages: Pages, box: Box) -> None:
    pages.text((box.left, box.top), "Signs", 11, font=BOLD)
    middle = box.top + 28

    def new(left: float) -> None:
        swatch = Box(left, middle - 8, 22, 16)
        pages.rectangle(swatch, None, BAND, stroke=3)
        pages.rectangle(swatch, None, BRIGHT, stroke=1.5)

    signs: Sequence[tuple[str, Callable[[float], object]]] = (
        ("new", new),
        ("goes here", lambda left: draw_arrow(pages, (left + 11, middle + 10), 22)),
        ("turn it", lambda left: draw_turn(pages, (left + 12, middle), 12)),
        ("turn it over", lambda left: draw_turn_over(pages, (left + 12, middle), 12)),
        ("built apart", lambda left: pages.rectangle(Box(left, middle - 9, 24, 18), FRAME, FRAME_EDGE, corner=3)),
        ("till it stands", lambda left: draw_hold(pages, (left - 4, middle - 6))),
    )
    width = box.width / len(signs)
    for place, (text, sign) in enumerate(signs):
        left = box.left + place * width
        sign(left)
        pages.text((left, middle + 24), text, 8)
