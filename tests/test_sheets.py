"""Sheets hold their pictures whole and in order; views are crisp and upright."""

import numpy as np
import pytest
from PIL import Image

from brickbybrick.errors import InputError
from brickbybrick.picture import RGB
from brickbybrick.sheets import contact_sheet, image_of_view


@pytest.mark.parametrize("size", [(141, 141), (200, 200), (333, 150), (15, 15)])
def test_a_view_is_painted_upright_in_crisp_pixels(size: tuple[int, int]) -> None:
    view = np.random.default_rng(0).random((14, 14)) < 0.4
    image = image_of_view(view, size)
    assert image.size == size
    dark = np.asarray(image.convert("L")) < 128
    assert len(image.getcolors() or []) <= 3
    cell = (min(size) - 1) // 14
    rows, columns = (((length - 14 * cell) // 2 + cell // 2 + cell * np.arange(14)) for length in (size[1], size[0]))
    np.testing.assert_array_equal(dark[np.ix_(rows, columns)], view)


def test_a_sheet_holds_its_pictures_in_rows_and_columns() -> None:
    colours: list[list[RGB | None]] = [[(200, 0, 0), (0, 200, 0), (0, 0, 200)], [(200, 200, 0), (0, 200, 200), None]]
    rows = [[Image.new("RGB", (40, 30), colour) if colour else None for colour in row] for row in colours]
    plain, labelled = contact_sheet(rows), contact_sheet(rows, ["one", "two\nlines"], ["target", "random", "greedy"])
    assert labelled.width > plain.width
    assert labelled.height > plain.height
    for sheet in (plain, labelled):
        pixels = np.asarray(sheet)
        boxes = {}
        for row, column in np.ndindex(2, 3):
            if colour := colours[row][column]:
                found = np.argwhere((pixels == colour).all(axis=2))
                assert len(found) == 40 * 30  # whole, and nothing drawn over it
                boxes[row, column] = found.min(axis=0)
        for row, column in boxes:
            assert boxes[row, column][0] == boxes[row, 0][0]
            assert boxes[row, column][1] == boxes[0, column][1]
        assert boxes[1, 0][0] >= boxes[0, 0][0] + 30
        assert boxes[0, 0][1] + 40 <= boxes[0, 1][1] <= boxes[0, 2][1] - 40


def test_a_sheet_wants_a_label_for_each_row_or_none() -> None:
    with pytest.raises(InputError, match="1 labels for 2 rows"):
        contact_sheet([[None], [None]], ["one"])
    assert contact_sheet([]).size[0] > 0


def test_a_view_needs_a_pixel_for_each_of_its_own() -> None:
    with pytest.raises(InputError, match="14x14"):
        image_of_view(np.zeros((14, 14), dtype=bool), (10, 10))
