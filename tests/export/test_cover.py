"""The first page says what is built, the last shows it from both sides, and frames beside steps say what these need."""

from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from export.pdf import read, runs
from PIL import Image

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.cover import draw_callout, facts, from_behind, portrait
from brickbybrick.export.instructions import instructions
from brickbybrick.export.parts import Needed
from brickbybrick.export.sheet import Box, Pages
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.part import Part
from brickbybrick.picture import PALETTE

WALL = Construction.of_poses(BRICK_2X4, [(4 * x + 2 * (z % 2), 0, z, 1) for z in range(10) for x in range(6)])
BRIDGE = Construction.of_poses(
    BRICK_2X4, [(0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 1), (3, 0, 1, 0), (3, 0, 0, 0), (1, 0, 1, 0)]
)
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
    parts = [Needed(Part("brick", 2, 4), (4, 14, 1, 2, 0, 15, 19, 25)[kind], kind + 1) for kind in range(kinds)]
    draw_callout(pages, ROOM, parts)
    (page,) = read(pages.close()).pages
    return pages.frames[0], [text for text, _ in runs(page)]


def test_the_cover_tells_what_is_built() -> None:
    views = np.eye(14, dtype=bool)[None].repeat(3, axis=0)
    verdict = [
        "All bricks are joined.",
        "It stands on a table, and on a studded plate even better.",
    ]
    page = read(instructions(replace(WALL, target="A wall"), target=views, verdict=verdict)).pages[0]
    text = " ".join(page.extract_text().split())
    assert "A wall" in text
    assert "60 bricks" in text
    assert "26 x 2 studs, 10 bricks high" in text
    assert "20.8 x 1.6 x 9.6 cm" in text
    assert "60x" in text
    assert all(word in text for word in ("front", "side", "top", *verdict))


def test_what_has_colours_is_shown_in_them() -> None:
    """As a picture, in a PDF that is the same each time, with white where nothing is."""
    wanted = Image.new("RGBA", (80, 40), (0, 0, 0, 0))
    wanted.paste((10, 180, 60, 255), (20, 10, 60, 30))
    content = instructions(WALL, target=wanted)
    assert content == instructions(WALL, target=wanted)
    page = read(content).pages[0]
    (picture,) = page.images
    pixels = np.asarray(Image.open(BytesIO(picture.data)).convert("RGB"))
    assert pixels.shape == (40, 80, 3)
    assert pixels[0, 0].tolist() == [255, 255, 255]
    assert pixels[20, 40].tolist() == [10, 180, 60]
    assert "Target" in page.extract_text()


def test_a_long_verdict_leaves_room_for_the_model() -> None:
    verdict = [f"Brick {number} is held by nothing and will fall as soon as it is let go." for number in range(40)]
    text = read(instructions(BRIDGE, verdict=verdict)).pages[0].extract_text()
    assert "Brick 0 is" in text
    assert "more)" in text
    assert "Brick 39" not in text


def test_many_kinds_of_parts_get_a_page_of_their_own() -> None:
    kinds = [(part, colour) for part in ("2x4", "2x2", "1x1") for colour in list(PALETTE)[:12]]
    bricks = tuple(PlacedBrick(part, 4 * x, 0, 0, 0, colour) for x, (part, colour) in enumerate(kinds))
    reader = read(instructions(Construction(bricks)))
    assert "36 kinds" in reader.pages[0].extract_text()
    assert reader.pages[1].extract_text().count("1x") >= 36


def test_half_a_turn_shows_the_back_and_two_the_front() -> None:
    back = from_behind(BRIDGE)
    assert {(-1 - x, -1 - y, z) for brick in BRIDGE.bricks for x, y, z in brick.cells()} == {
        cell for brick in back.bricks for cell in brick.cells()
    }
    assert from_behind(back) == BRIDGE


def test_a_brick_is_as_large_as_the_one_in_the_shop() -> None:
    """A 2x4 brick is 16 x 32 mm wide and 9.6 mm high."""
    assert facts(Construction((PlacedBrick("2x4", 5, 5, 0, 0),))) == (
        "1 brick  ·  2 x 4 studs, 1 brick high  ·  1.6 x 3.2 x 1.0 cm wide, deep and high"
    )
    pile = Construction((PlacedBrick("2x4", 0, 0, 0, 0), PlacedBrick("plate 2x4", 0, 0, 3, 0)))
    assert "2 x 4 studs, 1 brick and 1 plate high  ·  1.6 x 3.2 x 1.3 cm" in facts(pile)


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
    long, square, small = (portrait(Part("brick", *sides), 4) for sides in ((2, 4), (2, 2), (1, 1)))
    assert long.width > square.width > small.width
    assert long.width > long.height
    assert portrait(Part("plate", 2, 4), 4).height < long.height
