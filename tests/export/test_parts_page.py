"""The last pages list every part with its number, colour and count."""

import re

from export.pdf import read

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.instructions import instructions
from brickbybrick.picture import PALETTE


def test_all_parts_are_counted_by_number_and_colour() -> None:
    """3001 is the 2x4 brick in every catalogue, and 3023 the 1x2 plate."""
    bricks = [PlacedBrick("2x4", 4 * x, 0, 0, 0, 4) for x in range(7)]
    bricks += [PlacedBrick("plate 1x2", 4 * x, 0, 3, 0, 71) for x in range(5)]
    text = read(instructions(Construction(tuple(bricks)))).pages[-1].extract_text()
    flat = " ".join(text.split())
    assert re.search(r"7x (2x4 red 3001|3001 2x4 red)|3001", flat)
    for word in ("Parts", "12 bricks", "7x", "3001", "2x4", "red", "5x", "3023", "plate 1x2", "light bluish grey"):
        assert word in flat


def test_many_kinds_of_parts_take_more_pages() -> None:
    kinds = [(part, colour) for part in ("2x4", "2x2", "1x1") for colour in list(PALETTE)[:40]]
    bricks = tuple(
        PlacedBrick(part, 2 * (x % 12), 0, 3 * (x // 12), 0, colour) for x, (part, colour) in enumerate(kinds)
    )
    pages = [page.extract_text() for page in read(instructions(Construction(bricks))).pages]
    listed = [text for text in pages if text.startswith("Parts")]
    assert len(listed) > 1
    assert sum(text.count("1x\n") + text.count("1x ") for text in listed) >= 120
