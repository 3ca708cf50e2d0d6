"""Pictures of a target's cells."""

import time

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from brickbybrick.export.cells import ANY, in_space, picture_of_paint, picture_of_views
from brickbybrick.picture import tones
from brickbybrick.targets.target import target_of_image

GREEN = (10, 180, 60)


def test_what_is_wanted_is_shown_in_its_colours() -> None:
    """A cell of one colour beside one that any colour will do for, as light falls on all models."""
    paint = np.zeros((2, 1, 1, 4), np.uint8)
    paint[0] = (*GREEN, 255)
    seen = np.asarray(picture_of_paint(np.ones((2, 1, 1), bool), paint, 3, 200))
    found = {tuple(colour) for colour in seen[seen[..., 3] == 255][:, :3].tolist()}
    for wanted, faces in ((GREEN, ("front", "top")), (ANY, ("front", "top", "side"))):
        assert {tones(wanted)[face] for face in faces} <= found
    assert tones(GREEN)["side"] not in found  # the other cell is in front of it


def test_views_are_shown_pixel_by_pixel() -> None:
    image = np.zeros((14, 14), bool)
    image[3:9, 5] = True
    seen = np.asarray(picture_of_views(target_of_image("i", image)).convert("L"))
    dark = seen < 128
    assert dark.any()
    assert dark.sum() / dark.size < 0.1


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
