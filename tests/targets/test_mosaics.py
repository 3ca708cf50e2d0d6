"""Cells: half full ones are filled, thin strokes stay connected, and colours are those of the picture."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from brickbybrick.colours import lab
from brickbybrick.targets.mosaics import Samples, colours_of, fill_of

FINE = 10
Mask = npt.NDArray[np.bool_]


def by_cell(picture: Mask, fine: int = FINE) -> Mask:
    rows, columns = picture.shape[0] // fine, picture.shape[1] // fine
    return np.array([[picture[fine * r :, fine * c :][:fine, :fine] for c in range(columns)] for r in range(rows)])


def places(cells: int, fine: int = FINE) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How far down and across each sample of a square of cells is, in cells."""
    down, across = (np.indices((cells * fine, cells * fine)) + 0.5) / fine
    return down, across


def stroke(angle: float, middle: tuple[float, float], half: float, width: float, fine: int = FINE) -> Mask:
    """A straight stroke, its measures in cells, on 16 x 16 of them."""
    down, across = places(16, fine)
    x, y = across - middle[0], down - middle[1]
    along, aside = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    return by_cell((np.abs(along) < half) & (np.abs(aside) < width / 2), fine)


@given(
    angle=st.floats(0, np.pi),
    middle=st.tuples(st.floats(7, 9), st.floats(7, 9)),
    half=st.floats(3, 6),
    width=st.floats(0.45, 2.5),
)
@settings(max_examples=200, deadline=None)
def test_a_stroke_stays_in_one_piece_wherever_it_falls(
    angle: float, middle: tuple[float, float], half: float, width: float
) -> None:
    mask = stroke(angle, middle, half, width)
    filled, lost = fill_of(mask)
    assert ndimage.label(filled)[1] == 1
    assert not lost
    for axis, direction in ((1, np.cos(angle)), (0, np.sin(angle))):
        occupied = np.flatnonzero(filled.any(axis=1 - axis))
        assert len(occupied) >= 2 * half * abs(direction) - 2  # less than a cell is missing at each end
    # It does not swell: a cell that is filled has some of the stroke in it.
    assert mask[filled].any(axis=(1, 2)).all()


@pytest.mark.parametrize("width", [0.4, 0.5])
@pytest.mark.parametrize("at", np.linspace(0, 1, 11))
def test_an_upright_or_level_line_is_one_cell_wide(width: float, at: float) -> None:
    level = stroke(0.0, (8.0, 8 + at), 5.0, width)
    for line in (level, level.transpose(1, 0, 3, 2)):
        filled, _ = fill_of(line)
        assert ndimage.label(filled)[1] == 1
        assert min(np.count_nonzero(filled.any(axis=axis)) for axis in (0, 1)) == 1


def test_what_is_too_thin_is_said_to_be_lost() -> None:
    for angle in (0.2, 0.7, 1.3):
        assert fill_of(stroke(angle, (8, 8), 5.0, 0.15))[1]
    assert not fill_of(stroke(0.2, (8, 8), 5.0, 0.6))[1]


@given(
    middle=st.tuples(st.floats(7, 9), st.floats(7, 9)),
    radius=st.floats(2.5, 6),
    square=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_a_blunt_shape_is_just_the_cells_that_are_half_full(
    middle: tuple[float, float], radius: float, square: bool
) -> None:
    down, across = places(16)
    x, y = np.abs(across - middle[0]), np.abs(down - middle[1])
    mask = by_cell((np.maximum(x, y) if square else np.hypot(x, y)) < radius)
    filled, lost = fill_of(mask)
    np.testing.assert_array_equal(filled, mask.mean(axis=(2, 3)) >= 0.5)
    assert not lost


def test_a_neck_is_not_cut_and_two_things_are_not_joined() -> None:
    picture = np.zeros((60, 120), bool)
    picture[5:55, 5:45] = picture[5:55, 75:115] = True
    apart, _ = fill_of(by_cell(picture))
    assert ndimage.label(apart)[1] == 2
    picture[27:32, 45:75] = True  # half a cell wide, over the border of two rows
    joined, _ = fill_of(by_cell(picture))
    assert ndimage.label(joined)[1] == 1


def samples_of(rgb: npt.NDArray[np.uint8], mask: Mask | None = None) -> Samples:
    mask = np.ones(rgb.shape[:2], bool) if mask is None else mask
    return Samples.of(rgb, lab(rgb).astype(np.float32), mask, FINE)


def between(left: tuple[int, int, int], right: tuple[int, int, int], share: float) -> tuple[int, ...]:
    """The colour of a cell between two areas, of which the left one fills this share."""
    rgb = np.empty((9 * FINE, 9 * FINE, 3), np.uint8)
    edge = 4 * FINE + round(share * FINE)
    rgb[:, :edge], rgb[:, edge:] = left, right
    return tuple(int(value) for value in colours_of(samples_of(rgb), np.ones((9, 9), bool))[4, 4])


def test_the_colour_of_a_flat_drawing_is_one_of_its_own() -> None:
    red, blue, skin = (200, 20, 30), (20, 80, 180), (242, 194, 154)
    for one, other in ((red, blue), (blue, red), (skin, blue), (blue, skin)):
        assert between(one, other, 0.6) == one
        assert between(one, other, 0.4) == other
        assert between(one, other, 0.5) in (one, other)


def test_the_colour_of_a_photo_is_its_mean_in_linear_light() -> None:
    """Light adds up, sRGB's values do not: the mean of a fine texture is brighter than theirs."""
    one = np.ones((1, 1), bool)
    rgb = np.random.default_rng(3).normal((120, 130, 90), 6.0, (FINE, FINE, 3)).round().astype(np.uint8)
    np.testing.assert_allclose(colours_of(samples_of(rgb), one)[0, 0], (120, 130, 90), atol=2)
    rgb[::2], rgb[1::2] = 110, 130
    light = (((np.array([110, 130]) / 255 + 0.055) / 1.055) ** 2.4).mean()
    expected = 255 * (1.055 * light ** (1 / 2.4) - 0.055)
    np.testing.assert_allclose(colours_of(samples_of(rgb), one)[0, 0], expected, atol=1)


def test_the_background_is_never_mixed_in() -> None:
    """Not even where the object's edge is blurred over some samples and a cell has little of it."""
    down, across = places(4)
    share = ((across + 0.3 * down - 1.7) / 0.2).clip(0, 1)[..., None]
    rgb = (share * (200, 20, 30) + (1 - share) * 255).round().astype(np.uint8)
    samples = samples_of(rgb, share[..., 0] > 0.1)
    filled, _ = fill_of(samples.object)
    colours = colours_of(samples, filled)
    assert 4 < filled.sum() < 16
    np.testing.assert_allclose(colours[filled].astype(int), [(200, 20, 30)] * int(filled.sum()), atol=10)
    assert not colours[~filled].any()


def test_a_dark_line_in_a_drawing_does_not_become_dashes() -> None:
    for angle in (0.1, 0.4, 1.0, 1.5):
        line = stroke(angle, (8.2, 7.9), 5.0, 0.5).swapaxes(1, 2).reshape(160, 160)
        rgb = np.where(line[..., None], (20, 20, 30), (250, 210, 60)).astype(np.uint8)
        colours = colours_of(samples_of(rgb), np.ones((16, 16), bool))
        dark = colours.max(axis=2) < 80
        assert ndimage.label(dark)[1] == 1
        assert np.count_nonzero(dark) >= 8
        assert (np.abs(colours[~dark].astype(int) - (250, 210, 60)).max(axis=1) <= 2).all()
