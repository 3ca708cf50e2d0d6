"""Pictures in colour: what is drawn is what is shown, in the proportions of bricks."""

import time

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw
from scipy import ndimage
from targets.drawn_pictures import (
    BLUE,
    HAIR,
    IRIS,
    LIPS,
    PUPIL,
    RED,
    SKIN,
    YELLOW,
    as_jpeg,
    circle,
    face,
    heart,
    landscape,
    letter_i,
    letter_o,
    lit_from_a_side,
    logo,
    ring,
)

from brickbybrick.colours import lab, unlike
from brickbybrick.errors import InputError
from brickbybrick.export.cells import flat
from brickbybrick.targets.pictures import Shown, shown_picture
from brickbybrick.targets.reading import CELL_HEIGHT
from brickbybrick.targets.target import target_of_image

Mask = npt.NDArray[np.bool_]
WHOLE = "the picture has no plain background and is kept whole"


def of_colour(shown: Shown, colour: tuple[int, int, int], near: float = 8.0) -> Mask:
    """The cells that are filled with a colour."""
    return shown.filled & (unlike(lab(shown.colours), lab(colour)) < near)


def middle(cells: Mask) -> tuple[float, float]:
    """The row and column of the middle of cells, as shares of the whole."""
    rows, columns = np.nonzero(cells)
    return (rows.mean() + 0.5) / cells.shape[0], (columns.mean() + 0.5) / cells.shape[1]


def test_a_face_keeps_hair_skin_eyes_and_mouth() -> None:
    shown = shown_picture(face(), "face", 32)
    assert shown.filled.shape == (27, 27)  # 350 pixels of 400 high, 290 wide
    hair, skin, mouth = of_colour(shown, HAIR), of_colour(shown, SKIN), of_colour(shown, LIPS)
    white, pupils = of_colour(shown, IRIS), of_colour(shown, PUPIL)
    assert hair.sum() > 120
    assert skin.sum() > 200
    assert middle(hair)[0] < middle(skin)[0]
    assert ndimage.label(mouth)[1] == 1
    assert mouth.sum() >= 8
    assert middle(mouth)[0] > 0.7
    assert 0.4 < middle(mouth)[1] < 0.6
    eyes, number = ndimage.label(white | pupils)
    assert number == 2
    for eye in (1, 2):
        assert (pupils & (eyes == eye)).sum() >= 3
        assert (white & (eyes == eye)).sum() >= 8
    assert ndimage.binary_fill_holes(shown.filled).sum() == shown.filled.sum()  # the eyes are no holes
    clean = hair | skin | mouth | white | pupils
    assert (shown.filled & ~clean).sum() <= 10  # the nose, and hardly a mixture


def test_a_photo_of_a_drawing_is_shown_like_the_drawing() -> None:
    drawing, photo = shown_picture(face(), "face", 32), shown_picture(lit_from_a_side(face()), "photo", 32)
    assert abs(photo.filled.shape[1] - drawing.filled.shape[1]) <= 1
    assert of_colour(photo, (150, 30, 38), 12.0).sum() >= 6  # the mouth, in less light
    assert photo.notes == ("the background is left out",)


@pytest.mark.parametrize("size", [10, 24, 37, 48, 96])
def test_a_circle_is_a_circle_in_millimetres(size: int) -> None:
    shown = shown_picture(circle(), "circle", size)
    rows, columns = shown.filled.shape
    assert columns == size
    assert abs(rows * 9.6 - columns * 8.0) <= 9.6 / 2 + 1e-6
    y, x = np.nonzero(shown.filled)
    from_middle = np.hypot((x + 0.5 - columns / 2) * 8.0, (y + 0.5 - rows / 2) * 9.6)
    assert from_middle.max() <= size * 8.0 / 2 + 9.6 / 2
    assert shown.filled.sum() * 8.0 * 9.6 == pytest.approx(np.pi * (size * 8.0 / 2) ** 2, rel=0.05)


def preview(shown: Shown, cell: int = 10, height: float = CELL_HEIGHT) -> Image.Image:
    """What the studio shows of a picture before it is built, its cells so many pixels wide."""
    rows, columns = shown.filled.shape
    across = int(cell * max(columns, rows * height)) + 1
    return flat(shown.filled[::-1].T, shown.colours[::-1].swapaxes(0, 1), height, across)


def test_cubic_cells_are_square() -> None:
    assert shown_picture(circle(), "circle", 24, 1.0).filled.shape == (24, 24)
    assert preview(shown_picture(circle(), "circle", 24, 1.0), 5, 1.0).size == (120, 120)


def test_rows_of_plates_are_a_third_as_high_as_rows_of_bricks() -> None:
    bricks, plates = (shown_picture(circle(), "circle", 24, cell).filled for cell in (CELL_HEIGHT, CELL_HEIGHT / 3))
    assert (bricks.shape, plates.shape) == ((20, 24), (60, 24))
    assert plates.sum() / 3 == pytest.approx(bricks.sum(), rel=0.03)
    thirds = plates.reshape(20, 3, 24).sum(axis=1)
    assert (bricks == (thirds >= 2)).mean() > 0.97


def test_a_tall_picture_is_as_high_as_its_size_in_studs() -> None:
    shown = shown_picture(letter_i(), "i", 24)
    assert shown.filled.shape == (20, 5)  # 260 pixels high: 20 layers of 1.2 studs; 50 wide: 4.6 studs
    assert ndimage.label(shown.filled)[1] == 2  # the dot is apart
    assert shown.colours.max() <= 40


def test_a_landscape_is_kept_whole() -> None:
    for picture in (landscape(), landscape().convert("L")):
        shown = shown_picture(picture, "landscape", 48)
        assert shown.filled.shape == (27, 48)
        assert shown.filled.all()
        assert shown.notes == (WHOLE,)
    shown = shown_picture(landscape(), "landscape", 48)
    sun = of_colour(shown, (255, 240, 170))
    assert ndimage.label(sun)[1] == 1
    assert middle(sun) == pytest.approx((0.2, 1.1 / 1.5), abs=0.03)
    assert unlike(lab(shown.colours[0]), lab((63, 122, 201))).max() < 6


def test_a_logo_on_nothing_keeps_its_hole() -> None:
    shown = shown_picture(logo(), "logo", 24)
    holes = ndimage.binary_fill_holes(shown.filled) & ~shown.filled
    assert ndimage.label(holes)[1] == 1
    assert middle(holes) == pytest.approx((130 / 340, 0.5), abs=0.03)
    cell = 340 / 20 * 340 / 24
    assert holes.sum() * cell == pytest.approx(np.pi * 70**2, rel=0.15)
    assert (shown.filled == (of_colour(shown, BLUE) | of_colour(shown, YELLOW))).all()
    assert shown.notes == ()


@pytest.mark.parametrize("picture", [letter_o(), ring(), as_jpeg(ring(), 40), lit_from_a_side(letter_o())])
def test_an_o_and_a_ring_on_white_keep_theirs(picture: Image.Image) -> None:
    shown = shown_picture(picture, "ring", 24)
    rows, columns = shown.filled.shape
    assert not shown.filled[rows // 2, columns // 2]
    assert ndimage.label(~np.pad(shown.filled, 1))[1] == 2


def test_the_size_follows_the_detail() -> None:
    for picture in (heart(), circle(), letter_i(), letter_o(), logo(), ring()):
        assert max(studs(shown_picture(picture, "simple"))) == pytest.approx(24, abs=0.7)
    for picture in (face(), lit_from_a_side(face())):
        assert max(studs(shown_picture(picture, "face"))) == pytest.approx(32, abs=0.7)
    assert max(studs(shown_picture(landscape(), "photo"))) == 48


def studs(shown: Shown) -> tuple[float, float]:
    rows, columns = shown.filled.shape
    return rows * 1.2, columns


def test_an_icon_is_not_given_far_more_studs_than_pixels() -> None:
    pixels = np.random.default_rng(2).integers(0, 256, (16, 16, 3), dtype=np.uint8)
    assert shown_picture(Image.fromarray(pixels), "icon", background="keep").filled.shape == (20, 24)


def test_the_background_can_be_kept_and_dropped() -> None:
    kept = shown_picture(heart(), "heart", 24, background="keep")
    assert kept.filled.all()
    assert of_colour(kept, RED).sum() > 150
    assert of_colour(kept, (255, 255, 255)).sum() > 100
    dropped = shown_picture(heart(), "heart", 24, background="drop")
    assert (dropped.filled == of_colour(dropped, RED)).all()
    assert shown_picture(logo(), "logo", 24, background="keep").filled.all()
    for nothing in (landscape(), Image.new("RGB", (50, 50), "red")):
        with pytest.raises(InputError, match="no background is found around anything"):
            shown_picture(nothing, "a picture", background="drop")


def test_one_colour_is_kept_and_transparency_all_over_refused() -> None:
    shown = shown_picture(Image.new("RGB", (40, 40), "orange"), "orange")
    assert shown.filled.all()
    assert "hardly anything stands out" in shown.notes[0]
    with pytest.raises(InputError, match="transparent all over"):
        shown_picture(Image.new("RGBA", (9, 9)), "nothing")


def test_some_transparent_pixels_are_no_background() -> None:
    picture = heart().convert("RGBA")
    ImageDraw.Draw(picture).rectangle((0, 0, 9, 9), fill=(0, 0, 0, 0))  # as in the corners of a screenshot
    np.testing.assert_array_equal(
        shown_picture(picture, "heart", 24).filled, shown_picture(heart(), "heart", 24).filled
    )


def test_a_small_drawing_on_a_large_sheet_is_shown_large() -> None:
    sheet = Image.new("RGB", (4000, 3000), "white")
    sheet.paste(heart(200), (700, 1900))
    small, large = shown_picture(sheet, "sheet", 24), shown_picture(heart(), "heart", 24)
    assert small.filled.shape == large.filled.shape
    assert (small.filled ^ large.filled).sum() <= 0.05 * large.filled.sum()


def test_lines_that_are_lost_are_noted() -> None:
    picture = face()
    ImageDraw.Draw(picture).line((10, 390, 390, 360), fill="black", width=2)
    assert any("lost or broken at 16 studs" in note for note in shown_picture(picture, "face", 16).notes)
    assert not any("lost" in note for note in shown_picture(face(), "face", 32).notes)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "P", "1", "CMYK", "I;16"])
def test_every_kind_of_picture_is_shown_alike(mode: str) -> None:
    grey = letter_o()
    if mode == "I;16":
        picture = Image.fromarray(np.asarray(grey).astype(np.uint16) * 257)
    else:
        picture = grey.convert("RGB").convert(mode, dither=Image.Dither.NONE)
    shown, expected = shown_picture(picture, "o", 24), shown_picture(grey, "o", 24)
    assert (shown.filled ^ expected.filled).sum() <= (10 if mode == "1" else 2)  # it has no soft edges
    assert shown.colours.max() <= 40


def test_a_palette_with_a_transparent_colour_has_no_background() -> None:
    picture = ring().quantize(8)
    picture.info["transparency"] = picture.getpixel((0, 0))
    shown = shown_picture(picture, "ring", 24)
    assert shown.notes == ()
    assert (shown.filled == (of_colour(shown, RED) | of_colour(shown, BLUE))).all()


@pytest.mark.parametrize("size", [(1, 1), (2, 3), (500, 1), (1, 700), (3000, 2)])
def test_odd_sizes_are_shown(size: tuple[int, int]) -> None:
    shown = shown_picture(Image.new("RGB", size, "green"), "stripe", 24)
    assert shown.filled.all()
    assert max(studs(shown)) == pytest.approx(24, abs=0.6)


def test_contrast_spreads_lightness_around_its_mean() -> None:
    plain, strong, weak = (shown_picture(landscape(), "photo", 32, contrast=each) for each in (1.0, 1.5, 0.25))
    light = [lab(shown.colours)[..., 0] for shown in (plain, strong, weak)]
    assert light[1].std() > 1.2 * light[0].std()
    assert light[1].mean() == pytest.approx(light[0].mean(), abs=3)
    assert light[2].std() < 0.4 * light[0].std()


@pytest.mark.parametrize(
    ("given", "message"),
    [({"size": 3}, "a size of 3 cells"), ({"size": 97}, "4 to 96"), ({"contrast": 0.2}, "0.25 to 4.0")],
)
def test_what_makes_no_sense_is_refused(given: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        shown_picture(heart(), "heart", **given)


def test_the_preview_shows_the_cells_in_their_proportions() -> None:
    shown = shown_picture(logo(), "logo", 24)
    seen = np.asarray(preview(shown, 10))
    rows, columns = shown.filled.shape
    assert seen.shape == (12 * rows, 10 * columns, 4)
    np.testing.assert_array_equal(seen[6::12, 5::10, 3] == 255, shown.filled)
    np.testing.assert_array_equal(seen[6::12, 5::10, :3][shown.filled], shown.colours[shown.filled])


def test_what_is_shown_can_be_wanted() -> None:
    shown = shown_picture(face(), "face", 32)
    target = target_of_image("face", shown.filled, 2, shown.colours)
    assert target.volume.sum() == 2 * shown.filled.sum()


def test_a_photo_of_twelve_megapixels_takes_less_than_a_second() -> None:
    small = landscape()
    for photo in (small.resize((4000, 3000)), face().resize((3464, 3464)), logo().resize((3100, 3875))):
        start = time.process_time()
        preview(shown_picture(photo, "photo", 48))
        assert time.process_time() - start < 1.0
