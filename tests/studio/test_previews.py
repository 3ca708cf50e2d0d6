"""Small pictures of what will be built."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from brickbybrick.colours import COLOURS, palette_of
from brickbybrick.order import Order
from brickbybrick.studio.previews import ACROSS, in_space, preview
from brickbybrick.targets.inputs import wanted_picture
from brickbybrick.targets.things import drawing

PALETTE = {COLOURS[code].rgb for code in palette_of("all")}


@pytest.mark.parametrize(
    ("mosaic", "proportions", "height"), [(False, "real", 12), (False, "cubic", 10), (True, None, 10)]
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


@settings(max_examples=30, deadline=None)
@given(arrays(bool, (3, 3, 3)).filter(np.any), st.integers(0, 10_000))
def test_a_cell_that_is_seen_hides_what_is_behind_it(volume: np.ndarray, seed: int) -> None:
    """Rays from the viewer through the middle of each face that is free on the way meet its colour."""
    colours = np.random.default_rng(seed).integers(60, 200, (3, 3, 3, 3)).astype(np.uint8)
    seen = in_space(volume, colours, 1.0, 200)
    assert max(seen.size) <= 200
    opaque = np.asarray(seen)[..., 3] == 255
    assert 0.1 < opaque.mean() <= 1
    # Nothing is above and before the cell that is highest among those that are rightmost among the foremost.
    cells = np.argwhere(volume)
    x, y, z = min(cells.tolist(), key=lambda cell: (cell[1], -cell[0], -cell[2]))
    front = tuple(colours[x, y, z].tolist())
    assert front in {tuple(colour) for colour in np.asarray(seen)[opaque][:, :3].tolist()}


def test_the_largest_things_take_a_second_or_two() -> None:
    far = np.linalg.norm(np.mgrid[:96, :96, :96] - 47.5, axis=0)
    start = time.process_time()
    in_space(far < 48, np.full((96, 96, 96, 3), 128, np.uint8), 1.2)
    assert time.process_time() - start < 3
