"""The colours that bricks are made in, and how unlike two colours look."""

import numpy as np
import pytest

from brickbybrick.colours import COLOURS, COMMON, colour_code, lab, lab_in_bricks, palette_of, unlike
from brickbybrick.errors import InputError

# Pairs in CIELAB and their difference, as Sharma, Wu and Dalal published them in 2005 to test implementations.
PAIRS = np.array(
    [
        (50.0, 2.6772, -79.7751, 50.0, 0.0, -82.7485, 2.0425),
        (50.0, 3.1571, -77.2803, 50.0, 0.0, -82.7485, 2.8615),
        (50.0, 2.8361, -74.02, 50.0, 0.0, -82.7485, 3.4412),
        (50.0, -1.3802, -84.2814, 50.0, 0.0, -82.7485, 1.0),
        (50.0, -1.1848, -84.8006, 50.0, 0.0, -82.7485, 1.0),
        (50.0, -0.9009, -85.5211, 50.0, 0.0, -82.7485, 1.0),
        (50.0, 0.0, 0.0, 50.0, -1.0, 2.0, 2.3669),
        (50.0, -1.0, 2.0, 50.0, 0.0, 0.0, 2.3669),
        (50.0, 2.49, -0.001, 50.0, -2.49, 0.0009, 7.1792),
        (50.0, 2.49, -0.001, 50.0, -2.49, 0.001, 7.1792),
        (50.0, 2.49, -0.001, 50.0, -2.49, 0.0011, 7.2195),
        (50.0, 2.49, -0.001, 50.0, -2.49, 0.0012, 7.2195),
        (50.0, -0.001, 2.49, 50.0, 0.0009, -2.49, 4.8045),
        (50.0, -0.001, 2.49, 50.0, 0.001, -2.49, 4.8045),
        (50.0, -0.001, 2.49, 50.0, 0.0011, -2.49, 4.7461),
        (50.0, 2.5, 0.0, 50.0, 0.0, -2.5, 4.3065),
        (50.0, 2.5, 0.0, 73.0, 25.0, -18.0, 27.1492),
        (50.0, 2.5, 0.0, 61.0, -5.0, 29.0, 22.8977),
        (50.0, 2.5, 0.0, 56.0, -27.0, -3.0, 31.903),
        (50.0, 2.5, 0.0, 58.0, 24.0, 15.0, 19.4535),
        (50.0, 2.5, 0.0, 50.0, 3.1736, 0.5854, 1.0),
        (50.0, 2.5, 0.0, 50.0, 3.2972, 0.0, 1.0),
        (50.0, 2.5, 0.0, 50.0, 1.8634, 0.5757, 1.0),
        (50.0, 2.5, 0.0, 50.0, 3.2592, 0.335, 1.0),
        (60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644),
        (63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.263),
        (61.2901, 3.7196, -5.3901, 61.4292, 2.248, -4.962, 1.8731),
        (35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645),
        (22.7233, 20.0904, -46.694, 23.0331, 14.973, -42.5619, 2.0373),
        (36.4612, 47.858, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146),
        (90.8027, -2.0831, 1.441, 91.1528, -1.6435, 0.0447, 1.4441),
        (90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381),
        (6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377),
        (2.0776, 0.0795, -1.135, 0.9033, -0.0636, -0.5514, 0.9082),
    ]
)


def test_differences_are_the_published_ones() -> None:
    one, other, published = PAIRS[:, :3], PAIRS[:, 3:6], PAIRS[:, 6]
    np.testing.assert_allclose(unlike(one, other), published, atol=1e-4)
    np.testing.assert_allclose(unlike(other, one), published, atol=1e-4)


def test_white_black_and_red_in_lab() -> None:
    """As every table has them, for daylight."""
    known = [[100, 0, 0], [0, 0, 0], [53.24, 80.09, 67.20]]
    np.testing.assert_allclose(lab([[255, 255, 255], [0, 0, 0], [255, 0, 0]]), known, atol=0.01)


def test_nothing_is_to_be_darker_than_the_black_brick() -> None:
    """Black of a picture is as near to it as it gets; the colours of bricks stay as they are."""
    bricks = [colour.rgb for colour in COLOURS.values()]
    np.testing.assert_array_equal(lab_in_bricks(bricks), lab(bricks))
    black, brick = lab_in_bricks([0, 0, 0]), lab(COLOURS[0].rgb)
    assert unlike(black, brick) < 8 < 10 < unlike(lab([0, 0, 0]), brick)


def test_palettes() -> None:
    assert palette_of("all") == tuple(COLOURS)
    assert palette_of("common") == COMMON
    assert palette_of("white, dark-bluish-gray,4,white") == (15, 72, 4)
    with pytest.raises(InputError, match="no colour 'mauve': choose among black, "):
        palette_of("red,mauve")
    assert {colour_code(colour.name) for colour in COLOURS.values()} == set(COLOURS)
