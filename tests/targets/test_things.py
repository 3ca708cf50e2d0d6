"""Drawings of things to build."""

import numpy as np
import pytest
from scipy import ndimage

from brickbybrick.colours import COLOURS, MADE
from brickbybrick.targets.things import DRAWINGS, SIDE, drawing

IN_2X4 = {COLOURS[code].rgb for code in MADE["2x4"]}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_in_colours_of_bricks_on_nothing_and_in_one_piece(name: str) -> None:
    pixels = np.asarray(drawing(name))
    assert pixels.shape == (SIDE, SIDE, 4)
    solid = pixels[..., 3] == 255
    assert not pixels[[0, 0, -1, -1], [0, -1, 0, -1], 3].any()  # the corners
    assert 0.1 < solid.mean() < 0.9
    _, pieces = ndimage.label(pixels[..., 3] > 0, np.ones((3, 3)))
    assert pieces == 1
    colours, counts = np.unique(pixels[solid][:, :3], axis=0, return_counts=True)
    plain = {tuple(colour) for colour in colours[counts > 0.02 * solid.sum()].tolist()}
    assert plain
    assert plain <= IN_2X4
    rows, columns = (np.flatnonzero((pixels[..., 3] > 0).any(axis=axis)) for axis in (1, 0))
    assert max(np.ptp(rows), np.ptp(columns)) > 0.75 * SIDE
