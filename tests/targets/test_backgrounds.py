"""Backgrounds: found around whatever is drawn, not in scenes, and holes only where there are any."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw, ImageFilter
from scipy import ndimage
from targets import drawn_pictures
from targets.drawn_pictures import as_jpeg, lit_from_a_side

from brickbybrick.colours import lab
from brickbybrick.targets.backgrounds import (
    Background,
    background_of,
    is_something,
    object_before,
    stands_out,
    without_specks,
)

Mask = npt.NDArray[np.bool_]
DRAWINGS = ("heart", "face", "circle", "letter_i", "letter_o", "ring")


def colours_of(picture: Image.Image) -> npt.NDArray[np.float32]:
    return lab(np.asarray(picture.convert("RGB"))).astype(np.float32)


def found(picture: Image.Image) -> tuple[Background, Mask]:
    colours = colours_of(picture)
    background = background_of(colours)
    assert background is not None
    return background, object_before(background, colours)


def drawn(picture: Image.Image, hole: bool) -> Mask:
    """Where a clean drawing on white is not white, and whatever white it encloses unless that is a hole."""
    ink = np.asarray(picture.convert("RGB")).min(axis=2) < 200
    return ink if hole else np.asarray(ndimage.binary_fill_holes(ink))


def noisy(picture: Image.Image, noise: float = 12.0) -> Image.Image:
    values = np.asarray(picture.convert("RGB")) + np.random.default_rng(1).normal(0, noise, (*picture.size[::-1], 3))
    return Image.fromarray(values.round().clip(0, 255).astype(np.uint8))


def unlike(one: Mask, other: Mask) -> float:
    """How much of either is not of both."""
    return float((one ^ other).sum() / (one | other).sum())


@pytest.mark.parametrize("name", DRAWINGS)
@pytest.mark.parametrize(
    "treated", [lambda picture: picture, noisy, lit_from_a_side, lambda picture: as_jpeg(picture, 30)]
)
def test_the_object_is_what_was_drawn(name: str, treated: Callable[[Image.Image], Image.Image]) -> None:
    """Whether the picture is clean, noisy, a photo of a sheet lit from a side, or heavily compressed."""
    picture = getattr(drawn_pictures, name)()
    background, mask = found(treated(picture))
    assert background.sure
    assert is_something(mask)
    assert stands_out(background, colours_of(treated(picture)), mask)
    assert unlike(mask, drawn(picture, hole=name in ("letter_o", "ring"))) < 0.03


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_a_landscape_has_no_background(mode: str) -> None:
    """Not in grey either, where its sky and its lake are nearly of one lightness."""
    small = drawn_pictures.landscape().convert(mode).reduce(3)
    background = background_of(colours_of(small))
    if background is not None:
        mask = object_before(background, colours_of(small))
        assert not background.sure or not stands_out(background, colours_of(small), mask)


def test_a_background_can_be_of_any_colour() -> None:
    for paper in ("black", "navy", "#e0ffe0", "orange"):
        picture = Image.new("RGB", (200, 100), paper)
        ImageDraw.Draw(picture).rectangle((60, 30, 119, 69), fill="#cc44cc")
        background, mask = found(picture)
        assert background.flat
        assert background.border == 1.0
        expected = np.zeros((100, 200), bool)
        expected[30:70, 60:120] = True
        np.testing.assert_array_equal(mask, expected)


def test_a_background_is_found_beside_a_bust_but_not_under_every_sky() -> None:
    bust = Image.new("RGB", (200, 200), "white")
    ImageDraw.Draw(bust).ellipse((70, 40, 130, 120), fill="#c08060")
    ImageDraw.Draw(bust).rectangle((0, 150, 199, 199), fill="#203060")
    assert found(bust)[0].sure
    meadow = Image.new("RGB", (300, 200), "white")
    ImageDraw.Draw(meadow).rectangle((0, 100, 299, 199), fill="#408020")
    assert not found(meadow)[0].sure


def white_inside(*boxes: tuple[int, int, int, int], colours: tuple[str, str] = ("black", "black")) -> Mask:
    """What is found of a square of 200 pixels, in two colours side by side, with white boxes in it."""
    picture = Image.new("RGB", (240, 240), "white")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((20, 20, 119, 219), fill=colours[0])
    pen.rectangle((120, 20, 219, 219), fill=colours[1])
    for box in boxes:
        pen.rectangle(box, fill="white")
    return found(picture)[1]


def test_white_inside_one_colour_is_a_hole() -> None:
    """As in a B or an 8."""
    mask = white_inside((50, 50, 89, 89), (150, 150, 189, 189))
    assert mask.sum() == 200 * 200 - 2 * 40 * 40


def test_white_inside_several_colours_is_a_hole_only_if_it_is_large() -> None:
    small, large = (50, 50, 89, 89), (50, 50, 189, 189)
    assert white_inside(small, colours=("red", "blue")).sum() == 200 * 200
    assert white_inside(large, colours=("red", "blue")).sum() == 200 * 200 - 140 * 140


def test_white_that_holds_something_is_no_hole_nor_is_any_other_white_of_that_object() -> None:
    """A line drawing of a face is not a wire: its eyes would hang in the air."""
    picture = Image.new("L", (300, 300), 255)
    pen = ImageDraw.Draw(picture)
    pen.ellipse((40, 40, 260, 260), outline=0, width=8)
    pen.ellipse((100, 110, 120, 130), fill=0)
    pen.ellipse((180, 110, 200, 130), fill=0)
    pen.ellipse((120, 170, 180, 220), outline=0, width=6)  # a mouth with nothing in it
    mask = found(picture)[1]
    np.testing.assert_array_equal(mask, drawn(picture, hole=False))


def test_off_white_inside_is_no_hole() -> None:
    picture = Image.new("RGB", (240, 240), "white")
    ImageDraw.Draw(picture).rectangle((20, 20, 219, 219), fill="black")
    ImageDraw.Draw(picture).rectangle((60, 60, 179, 179), fill="#eeeee0")
    assert found(picture)[1].sum() == 200 * 200


def test_specks_are_left_out_and_make_no_object() -> None:
    mask = np.zeros((200, 200), bool)
    mask[50:150, 50:150] = True
    dusty = mask.copy()
    dusty[10, 10] = dusty[190, 20] = True
    np.testing.assert_array_equal(without_specks(dusty), mask)
    assert is_something(mask)
    dust = np.zeros((200, 200), bool)
    dust[::8, ::8] = True
    assert not is_something(dust)
    assert not is_something(np.zeros((200, 200), bool))


def test_a_part_of_a_picture_has_the_same_object_as_the_whole() -> None:
    picture = lit_from_a_side(drawn_pictures.face())
    background, whole = found(picture)
    part = colours_of(picture.crop((40, 0, 360, 400)))
    mask = object_before(background, part, (0.1, 0.0, 0.9, 1.0))
    assert unlike(mask, whole[:, 40:360]) < 0.01


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 5), (3, 3)])
def test_the_smallest_pictures_are_of_one_colour(size: tuple[int, int]) -> None:
    _, mask = found(Image.new("RGB", size, "teal"))
    assert not mask.any()


def grey_thing(shade: float, soft: float) -> tuple[Image.Image, Mask]:
    """A red disc and beside it something grey on light paper, its edge blurred; and where the disc is."""
    cast = Image.new("L", (400, 300), 255)
    ImageDraw.Draw(cast).ellipse((130, 190, 340, 260), fill=round(255 * shade))
    cast = cast.filter(ImageFilter.GaussianBlur(soft))
    colours = np.asarray(Image.new("RGB", (400, 300), (235, 232, 225))) * (np.asarray(cast)[..., None] / 255)
    picture = Image.fromarray(colours.round().astype(np.uint8))
    ImageDraw.Draw(picture).ellipse((100, 60, 250, 240), fill=(200, 60, 40))
    colours = np.asarray(picture).astype(int)
    return picture, colours[..., 0] - colours[..., 2] > 80


@pytest.mark.parametrize(("shade", "soft"), [(0.75, 13), (0.85, 26), (0.6, 6)])
def test_a_soft_shadow_is_background(shade: float, soft: float) -> None:
    picture, disc = grey_thing(shade, soft)
    assert unlike(found(lit_from_a_side(picture))[1], disc) < 0.05


def test_something_grey_with_a_sharp_edge_is_not() -> None:
    for soft in (0, 1):
        picture, disc = grey_thing(0.7, soft)
        mask = found(picture)[1]
        assert mask[disc].mean() > 0.99
        assert mask[225, 300]
        assert mask.sum() > 1.2 * disc.sum()
