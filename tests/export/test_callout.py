"""The frame beside a step: as wide as its parts need, and never wider than its room."""

from typing import Any

import pytest
from export.pdf import read, runs

from brickbybrick.export.callout import draw_callout, portrait
from brickbybrick.export.parts import Part
from brickbybrick.export.sheet import Box, Pages
from brickbybrick.geometry.brick import Size

ROOM = Box(40, 40, 300, 40)


class Framed(Pages):
    """Pages that remember their rectangles."""

    def __init__(self) -> None:
        super().__init__("a4", "a step")
        self.frames: list[Box] = []

    def rectangle(self, box: Box, *style: Any, **more: Any) -> None:
        self.frames.append(box)
        super().rectangle(box, *style, **more)


def callout(kinds: int) -> tuple[Box, list[str]]:
    """The frame of so many kinds of parts, and what stands in it."""
    pages = Framed()
    parts = [Part(Size(2, 4), (4, 14, 1, 2, 0, 15, 19, 25)[kind], kind + 1) for kind in range(kinds)]
    draw_callout(pages, ROOM, parts)
    (page,) = read(pages.close()).pages
    return pages.frames[0], [text for text, _ in runs(page)]


def test_a_part_is_counted_and_named() -> None:
    _, texts = callout(2)
    assert texts == ["1x", "2x4 red", "2x", "2x4 yellow"]


def test_a_frame_grows_with_its_parts_up_to_its_room() -> None:
    widths = [callout(kinds)[0].width for kinds in (1, 2, 3, 8)]
    assert widths == sorted(widths)
    assert widths[0] < 0.5 * ROOM.width
    assert widths[-1] == pytest.approx(ROOM.width)


def test_where_there_is_no_room_for_names_the_counts_stay() -> None:
    _, texts = callout(8)
    assert texts == [f"{count}x" for count in range(1, 9)]


def test_a_portrait_lies_lengthwise() -> None:
    """As wide as it is long, whichever way its size is written."""
    assert portrait(Size(2, 4), 4).width > portrait(Size(2, 2), 4).width > portrait(Size(1, 1), 4).width
    assert portrait(Size(2, 4), 4).width > portrait(Size(2, 4), 4).height
