"""The pages at the end of a book that list all parts: a picture, how many, what they are called and numbered."""

from collections.abc import Sequence

from brickbybrick.export.callout import draw_part
from brickbybrick.export.parts import Needed
from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.export.stud_map import GREY
from brickbybrick.geometry.part import PARTS

PART = (128.0, 47.0)  # width and height of an entry
TITLE = 56.0  # points above the entries
PORTRAIT = 52.0


def parts_pages(body: Box, parts: Sequence[Needed]) -> list[Sequence[Needed]]:
    """The parts of each page that they need."""
    room = int(body.width // PART[0]) * int((body.height - TITLE) // PART[1])
    return [parts[start : start + room] for start in range(0, len(parts), room)]


def draw_parts(pages: Pages, body: Box, parts: Sequence[Needed], total: str) -> None:
    """One page of the list; the total is that of all pages, in words."""
    pages.text((body.left, body.top + 22), "Parts", 28, font=BOLD)
    said = f"{total}  ·  part numbers are those of LDraw, BrickLink and Rebrickable"
    pages.text((body.left, body.top + 40), said, 9, colour=GREY, most=body.width)
    columns = int(body.width // PART[0])
    width = body.width / columns
    for number, part in enumerate(parts):
        left = body.left + number % columns * width
        top = body.top + TITLE + number // columns * PART[1]
        draw_part(pages, Box(left, top + 3, PORTRAIT, PART[1] - 8), part, 9.0)
        text, most = left + PORTRAIT + 6, width - PORTRAIT - 10
        pages.text((text, top + 14), f"{part.count}x", 13, font=BOLD)
        known = PARTS.get(part.part)
        pages.text((text, top + 25), part.label, 8, most=most)
        pages.text((text, top + 34), part.colour_name, 8, most=most)
        if known is not None:
            beside = text + pages.text_width(f"{part.count}x", 13, BOLD) + 6
            pages.text((beside, top + 14), known.number, 8, colour=GREY)
