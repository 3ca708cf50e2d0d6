"""Colours mixed of others: only those of the palette, and as bright as what they stand for."""

import numpy as np

from brickbybrick.colours import COLOURS, COMMON
from brickbybrick.targets.mixing import mixed_colours

BLACK, WHITE = 0, 15


def light(colours: np.ndarray) -> np.ndarray:
    shares = colours / 255
    return np.where(shares > 0.04045, ((shares + 0.055) / 1.055) ** 2.4, shares / 12.92)


def test_grey_of_black_and_white_is_as_bright_as_grey() -> None:
    grey = np.full((24, 24, 3), 128, np.uint8)
    mixed = mixed_colours(grey, (BLACK, WHITE))
    assert {tuple(each) for each in mixed.reshape(-1, 3).tolist()} == {COLOURS[BLACK].rgb, COLOURS[WHITE].rgb}
    assert abs(light(mixed).mean() - light(grey).mean()) < 0.02


def test_colours_of_the_palette_stay_as_they_are() -> None:
    codes = np.random.default_rng(0).choice(COMMON, (9, 7))
    colours = np.array([[COLOURS[code].rgb for code in row] for row in codes.tolist()], np.uint8)
    np.testing.assert_array_equal(mixed_colours(colours, COMMON), colours)


def test_a_slope_of_colour_has_the_means_it_had() -> None:
    """Four by four cells at a time, away from the border, where what is off is handed on to nobody."""
    across = np.linspace(60, 200, 32)[None, :, None] * (1.0, 0.8, 0.5)
    colours = np.broadcast_to(across, (32, 32, 3)).astype(np.uint8)
    mixed = mixed_colours(colours, COMMON)
    for part in (slice(8, 16), slice(16, 24)):
        np.testing.assert_allclose(
            light(mixed[4:28, part]).mean((0, 1)), light(colours[4:28, part]).mean((0, 1)), atol=0.04
        )
