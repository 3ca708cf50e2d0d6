"""Small pictures of what will be built."""

import numpy as np
import pytest

from brickbybrick.colours import COLOURS, palette_of
from brickbybrick.export.cells import ACROSS
from brickbybrick.order import Order
from brickbybrick.studio.previews import preview
from brickbybrick.targets.inputs import wanted_picture
from brickbybrick.targets.things import drawing

PALETTE = {COLOURS[code].rgb for code in palette_of("all")}


@pytest.mark.parametrize(
    ("mosaic", "proportions", "height"), [(False, "real", 4), (False, "cubic", 10), (True, None, 10)]
)
def test_a_picture_is_a_rectangle_for_each_cell(mosaic: bool, proportions: str | None, height: int) -> None:
    order = Order(size=20, mosaic=mosaic, proportions=proportions, background="drop")  # type: ignore[arg-type]
    wanted = wanted_picture("house", drawing("house"), order.reading)
    volume = wanted.target.volume
    front = volume[:, :, 1].T[::-1] if mosaic else volume.any(axis=1).T[::-1]  # (row, column)
    seen = np.asarray(preview(wanted.target, wanted.reading, palette_of("all"), 200))
    rows, columns = front.shape
    assert seen.shape == (rows * height, columns * 10, 4)
    cells = seen[height // 2 :: height, 5::10]
    assert np.array_equal(cells[..., 3] == 255, front)
    assert {tuple(colour) for colour in cells[front][:, :3].tolist()} <= PALETTE
    names = {name: COLOURS[code].rgb for name, code in (("red", 4), ("tan", 19), ("azure", 322))}
    assert {tuple(colour) for colour in cells[front][:, :3].tolist()} >= set(names.values())
    few = np.asarray(preview(wanted.target, wanted.reading, palette_of("black,white"), 200))
    inked = few[few[..., 3] == 255][:, :3]
    assert {tuple(colour) for colour in np.unique(inked, axis=0).tolist()} == {COLOURS[0].rgb, COLOURS[15].rgb}


def test_what_has_no_colours_is_red() -> None:
    wanted = wanted_picture("heart", drawing("cat"), Order(size=20, colour=("blue",)).reading)
    seen = np.asarray(preview(wanted.target, wanted.reading, palette_of("all")))
    assert max(seen.shape[:2]) <= ACROSS
    assert {tuple(colour) for colour in seen[seen[..., 3] == 255][:, :3].tolist()} == {COLOURS[4].rgb}
