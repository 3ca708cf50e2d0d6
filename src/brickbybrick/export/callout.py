"""Parts as small portraits, and the frame beside a step that says which parts it needs and how many of each."""

from collections.abc import Collection, Sequence
from functools import cache
from itertools import groupby
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
PITCH = 5.0  # points from stud to stud
PAD, GAP = 6.0, 9.0  # points around and between parts
LINE = 7.5  # points from a line of the name to the next
ALIKE = 15.0  # by CIEDE2000: colours that are less unlike are told by their names too


class Entry(NamedTuple):
    """A part in the frame."""

    needed: Needed
    label: tuple[str, ...]  # lines: what it is, and its colour where that has to be told
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
    left, top, right = PAD, PAD - 2, 0.0
    high = [0.0, 0.0]  # points of the row's portraits, and of its texts
    for part in parts:
        drawing = portrait(part.part, part.colour)
        label = (part.label, part.colour_name) if part.colour in named else (part.label,)
        texts = [pages.text_width(f"{part.count}x", COUNT, BOLD), *(pages.text_width(line, LABEL) for line in label)]
        wide, tall = max(PITCH * drawing.width, *texts), (PITCH * drawing.height, _texts(label))
        if entries and left + wide + PAD > width:
            left, top, high = PAD, top + sum(high) + 4, [0.0, 0.0]
        entries.append(Entry(part, label, Box(left, top, wide, sum(tall))))
        high = [max(pair) for pair in zip(high, tall, strict=True)]
        right = max(right, left + wide)
        left += wide + GAP
    return entries, Box(0, 0, right + PAD, top + sum(high) + PAD - 2)


def _texts(label: Sequence[str]) -> float:
    """Points that count and name are high."""
    return COUNT + 1 + LINE * len(label)


def draw_callout(pages: Pages, place: tuple[float, float], entries: Sequence[Entry], frame: Box) -> None:
    """Draws arranged parts in their frame, whose top left corner is at a place."""
    left, top = place
    pages.rectangle(Box(left, top, frame.width, frame.height), CALLOUT, CALLOUT_EDGE, stroke=0.6, corner=4)
    for _, some in groupby(entries, key=lambda entry: entry.place.top):
        row = list(some)
        ground = top + max(entry.place.bottom - _texts(entry.label) for entry in row)  # all of a row stand on it
        for needed, label, box in row:
            drawing = portrait(needed.part, needed.colour)
            high, x = PITCH * drawing.height, left + box.left
            pages.drawing(drawing, Box(x, ground - high, PITCH * drawing.width, high))
            pages.text((x, ground + COUNT), f"{needed.count}x", COUNT, font=BOLD)
            for line, text in enumerate(label, start=1):
                pages.text((x, ground + COUNT + LINE * line), text, LABEL)
