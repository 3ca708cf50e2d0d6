"""Pages: any title is printed, no line is longer than its room, and corners are where they were put."""

from dataclasses import replace

import pytest
from export.pdf import read, runs

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.instructions import instructions
from brickbybrick.export.sheet import PAPERS, Box, Pages, printable
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.picture import draw

BRIDGE = Construction.of_poses(BRICK_2X4, [(0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 1), (3, 0, 1, 0), (3, 0, 0, 0)])


@pytest.mark.parametrize("title", ["Ünïcode “quotes” €", "日本の橋", "Łódź ☃ Ω", "a\nb\x00c", "-", "x" * 500, "🧱"])
def test_titles_of_any_kind_are_printed(title: str) -> None:
    shown = printable(title)
    assert shown.encode("cp1252")
    assert instructions(replace(BRIDGE, target=title)).startswith(b"%PDF")


def test_letters_that_helvetica_lacks_lose_their_accents_or_become_a_question_mark() -> None:
    assert printable("Übergröße, naïve, €5") == "Übergröße, naïve, €5"
    assert printable("Dvořák, Ştefan") == "Dvorák, Stefan"
    assert printable("橋 bridge ☃☃") == "? bridge ?"
    assert printable("two\nlines\x00") == "two lines "


def test_a_long_line_is_set_smaller_and_then_cut() -> None:
    pages = Pages("a4", "lines")
    for text in ("fits", "does hardly fit", "does not fit by any means, however small it is set"):
        pages.text((40, 40), text, 10, most=60)
    (page,) = read(pages.close()).pages
    (fits, hardly, cut) = runs(page)
    assert fits == ("fits", 10)
    assert hardly[0] == "does hardly fit"
    assert 6 <= hardly[1] < 10
    assert cut[0].endswith("...")
    assert cut[1] == 6
    for text, size in (fits, hardly, cut):
        assert pages.text_width(text, size) <= 61


def test_a_drawing_keeps_its_proportions_in_the_middle_of_its_box() -> None:
    pages, model = Pages("a4", "drawing"), draw(BRIDGE)
    box = Box(100, 100, 200, 50)
    placed = pages.drawing(model, box)
    assert placed.width / placed.height == pytest.approx(model.width / model.height)
    assert placed.middle == pytest.approx(box.middle)
    assert placed.height == pytest.approx(50) or placed.width == pytest.approx(200)


def test_papers_are_those_of_the_shop() -> None:
    """In points of 1/72 inch: A4 is 210 x 297 mm, letter 8.5 x 11 inches."""
    assert PAPERS["a4"] == pytest.approx((210 / 25.4 * 72, 297 / 25.4 * 72), abs=0.01)
    assert PAPERS["letter"] == (8.5 * 72, 11 * 72)
    with pytest.raises(InputError, match="no paper 'a3'"):
        Pages("a3", "")
