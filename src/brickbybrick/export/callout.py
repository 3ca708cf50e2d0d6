"""Parts as small portraits, and the frame beside a step that says which parts it needs and how many of each."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from brickbybrick.colours import colour_of, lab, unlike
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.parts import Needed
from brickbybrick.export.sheet import BOLD, Box, Pages
from brickbybrick.geometry.camera import in_book
from brickbybrick.geometry.part import Part
from brickbybrick.picture import RGB, Drawing, draw

CALLOUT: RGB = (228, 240, 250)
CALLOUT_EDGE: RGB = (140, 175, 203)
LABEL = 6.5  # size of a part's name
COUNT = 9.5  # size of "12x"
PITCH = 6.0  # points from stud to stud
PAD, GAP = 6.0, 10.0  # points around and between parts
TEXTS = 18.0  # points that count and name are high
ALIKE = 15.0  # by CIEDE2000: colours that are less unlike are told by their names too


class Entry(NamedTuple):
    """A part in the frame."""

    needed: Needed
    label: str
    place: Box  # of portrait and texts, within the frame


@cache
def portrait(part: Part, colour: int) -> Drawing:
    """The brick alone, its long side along x."""
    d = 0 if part.slopes else part.directions[-1]
    return draw(Construction((PlacedBrick(str(part), 0, 0, 0, d, colour),)), view=in_book(0))


def draw_part(pages: Pages, box: Box, needed: Needed, pitch: float) -> None:
    """The part's portrait at the left of a box, no larger than `pitch` points a stud."""
    drawing = portrait(needed.part, needed.colour)
    width, height = min(pitch * drawing.width, box.width), min(pitch * drawing.height, box.height)
    pages.drawing(drawing, Box(box.left, box.top + (box.height - height) / 2, width, height))


def to_name(colours: Collection[int]) -> frozenset[int]:
    """Those of a model's colours that are easily taken for another of them."""
    codes = sorted(set(colours))
    shades = lab([colour_of(code).rgb for code in codes])
    near = unlike(shades[:, None], shades[None]) < ALIKE  # (colour, colour)
    return frozenset(code for code, others in zip(codes, near.sum(axis=1).tolist(), strict=True) if others > 1)


def arranged(pages: Pages, parts: Sequence[Needed], width: float, named: Collection[int]) -> tuple[list[Entry], Box]:
    """Where each part is in a frame no wider than that, in rows, and the frame; the colours to be named are told."""
    entries: list[Entry] = []
    left, top, high, right = PAD, PAD - 2, 0.0, 0.0
    for part in parts:
        drawing = portrait(part.part, part.colour)
        label = part.name if part.colour in named else str(part.part)
        texts = max(pages.text_width(label, LABEL), pages.text_width(f"{part.count}x", COUNT, BOLD))
        wide, tall = max(PITCH * drawing.width, texts), PITCH * drawing.height + TEXTS
        if entries and left + wide + PAD > width:
            left, top, high = PAD, top + high + 4, 0.0
        entries.append(Entry(part, label, Box(left, top, wide, tall)))
        high = max(high, tall)
        right = max(right, left + wide)
        left += wide + GAP
    return entries, Box(0, 0, right + PAD, top + high + PAD - 2)


def draw_callout(pages: Pages, place: tuple[float, float], entries: Sequence[Entry], frame: Box) -> None:
    """Draws arranged parts in their frame, whose top left corner is at a place."""
    left, top = place
    pages.rectangle(Box(left, top, frame.width, frame.height), CALLOUT, CALLOUT_EDGE, stroke=0.6, corner=4)
    rows: dict[float, float] = {}
    for entry in entries:
        rows[entry.place.top] = max(rows.get(entry.place.top, 0.0), entry.place.height)
    for needed, label, box in entries:
        drawing = portrait(needed.part, needed.colour)
        foot = top + box.top + rows[box.top]  # all of a row stand on one line
        high = PITCH * drawing.height
        pages.drawing(drawing, Box(left + box.left, foot - TEXTS - high, PITCH * drawing.width, high))
        pages.text((left + box.left, foot - TEXTS + 10), f"{needed.count}x", COUNT, font=BOLD)
        pages.text((left + box.left, foot - 1), label, LABEL)
