"""The first page says what is built, and the one after the steps shows it from both sides."""

from dataclasses import replace
from io import BytesIO

import numpy as np
from export.pdf import read
from PIL import Image

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.cover import facts
from brickbybrick.export.instructions import instructions
from brickbybrick.geometry.brick import BRICK_2X4

WALL = Construction.of_poses(BRICK_2X4, [(4 * x + 2 * (z % 2), 0, z, 1) for z in range(10) for x in range(6)])
BRIDGE = Construction.of_poses(
    BRICK_2X4, [(0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 1), (3, 0, 1, 0), (3, 0, 0, 0), (1, 0, 1, 0)]
)


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


def test_the_last_picture_shows_the_model_from_both_sides() -> None:
    text = read(instructions(WALL)).pages[-2].extract_text()
    assert "Finished" in text
    assert "From behind" in text


def test_a_brick_is_as_large_as_the_one_in_the_shop() -> None:
    """A 2x4 brick is 16 x 32 mm wide and 9.6 mm high."""
    assert facts(Construction((PlacedBrick("2x4", 5, 5, 0, 0),))) == (
        "1 brick  ·  2 x 4 studs, 1 brick high  ·  1.6 x 3.2 x 1.0 cm wide, deep and high"
    )
    pile = Construction((PlacedBrick("2x4", 0, 0, 0, 0), PlacedBrick("plate 2x4", 0, 0, 3, 0)))
    assert "2 x 4 studs, 1 brick and 1 plate high  ·  1.6 x 3.2 x 1.3 cm" in facts(pile)
