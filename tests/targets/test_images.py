"""A picture of one's own reaches the agent as MNIST's digits did."""

import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw

from brickbybrick.errors import InputError
from brickbybrick.targets.images import digit_like, halved, load_image, load_image_folder, read_picture

Grey = npt.NDArray[np.uint8]


def seven(side: int = 280, at: int = 60, ink: str = "black", paper: str = "white", mode: str = "RGB") -> Image.Image:
    """A seven, drawn with a thick pen."""
    picture = Image.new(mode, (side, side), paper)
    pen = ImageDraw.Draw(picture)
    pen.line([(at, at), (at + 100, at), (at + 40, at + 150)], fill=ink, width=20)
    return picture


def from_ink(picture: Image.Image) -> npt.NDArray[np.bool_]:
    return halved(digit_like(picture, "a picture"))


def png_header(width: int, height: int) -> bytes:
    """The beginning of a PNG file that announces a size and holds nothing."""
    chunks = b"\x89PNG\r\n\x1a\n"
    for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)), (b"IDAT", zlib.compress(b""))):
        chunks += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return chunks


def test_blocks_of_four_pixels_become_one() -> None:
    small = np.random.default_rng(1).random((7, 7)) < 0.5
    large = np.kron(small, np.ones((4, 4))).astype(np.uint8) * np.uint8(255)
    np.testing.assert_array_equal(halved(large), np.kron(small, np.ones((2, 2), bool)))


def test_grey_counts_as_ink_from_the_middle_on() -> None:
    assert not halved(np.full((28, 28), 127, np.uint8)).any()
    assert halved(np.full((28, 28), 128, np.uint8)).all()


@pytest.mark.parametrize("grey", [np.zeros((28, 28)), np.zeros((14, 14), np.uint8)])
def test_halving_takes_grey_levels_of_28_by_28_pixels_only(grey: Grey) -> None:
    with pytest.raises(InputError, match="28 x 28 grey levels 0 to 255"):
        halved(grey)


def test_the_ink_fills_twenty_pixels_around_its_centre_of_mass() -> None:
    digit = digit_like(seven(), "a picture")
    rows, columns = (np.flatnonzero(digit.any(axis=axis)) for axis in (1, 0))
    assert rows[-1] - rows[0] + 1 == 20
    assert 12 <= columns[-1] - columns[0] + 1 <= 20
    row, column = np.indices(digit.shape)
    for place in (row, column):
        assert 13.5 <= np.average(place, weights=digit) <= 14.5
    assert digit.max() == 255


def test_a_digit_in_its_frame_already_stays_as_it_is() -> None:
    digit = digit_like(seven(), "a picture")
    np.testing.assert_array_equal(digit_like(Image.fromarray(digit), "a picture"), digit)


@pytest.mark.parametrize(
    "picture",
    [
        seven(ink="white", paper="black"),
        seven(ink="red"),
        seven(ink="#f0f000"),
        seven(ink="#888888", paper="#777777").resize((280, 280)),
        seven(at=15),
        seven(at=110),
        seven(side=600),
        seven(mode="L"),
        seven(mode="1"),
        seven().quantize(4),
        seven(ink="black", paper="#00000000", mode="RGBA"),
        seven(ink="black", paper="#ffffff00", mode="RGBA"),
        Image.fromarray(np.asarray(seven(mode="L")).astype(np.uint16) * 257),
    ],
)
def test_colour_place_transparency_and_depth_do_not_matter(picture: Image.Image) -> None:
    np.testing.assert_array_equal(from_ink(picture), from_ink(seven()))


def test_large_drawings_look_like_small_ones() -> None:
    small, large = from_ink(seven()), from_ink(seven(560, 60).resize((1500, 1500), Image.Resampling.NEAREST))
    assert (small & large).sum() / (small | large).sum() > 0.9


@pytest.mark.parametrize(
    "picture", [Image.new("RGB", (40, 30), "orange"), Image.new("L", (1, 1)), Image.new("RGBA", (9, 9))]
)
def test_a_picture_of_one_colour_is_refused(picture: Image.Image) -> None:
    with pytest.raises(InputError, match="one colour"):
        digit_like(picture, "a picture")


def test_long_thin_ink_stays_in_the_frame() -> None:
    line = Image.new("L", (4000, 50), "white")
    line.putpixel((2, 25), 0)
    ImageDraw.Draw(line).line([(10, 20), (3990, 20)], fill=0, width=3)
    digit = digit_like(line, "a picture")
    assert digit.shape == (28, 28)
    assert digit.any()


@pytest.mark.parametrize("ending", ["png", "jpg", "JPEG", "bmp", "gif", "webp"])
def test_every_format_gives_the_same_image(tmp_path: Path, ending: str) -> None:
    seven().save(tmp_path / f"seven.{ending}")
    np.testing.assert_array_equal(load_image(tmp_path / f"seven.{ending}"), from_ink(seven()))


def test_photographs_are_turned_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned by a quarter
    seven().transpose(Image.Transpose.ROTATE_90).save(tmp_path / "photo.png", exif=exif)
    np.testing.assert_array_equal(load_image(tmp_path / "photo.png"), from_ink(seven()))


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    for name in ("b.png", "a.gif", "c.JPG"):
        seven().save(tmp_path / name)
    for name in ("._a.png", "notes.txt"):
        (tmp_path / name).write_text("not a picture")
    found = load_image_folder(tmp_path)
    assert [name for name, _ in found] == ["a.gif", "b.png", "c.JPG"]
    assert all(image.shape == (14, 14) and image.dtype == bool and image.any() for _, image in found)


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pictures in this folder"):
        load_image_folder(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        load_image_folder(tmp_path / "absent")


def test_a_folder_names_the_picture_that_is_wrong(tmp_path: Path) -> None:
    seven().save(tmp_path / "a.png")
    Image.new("L", (20, 20)).save(tmp_path / "b.png")
    with pytest.raises(InputError, match=r"b\.png: the picture is of one colour"):
        load_image_folder(tmp_path)


def test_strokes_that_vanish_are_refused(tmp_path: Path) -> None:
    dots = np.zeros((280, 280), np.uint8)
    dots[::93, ::93] = 255  # one pixel in each corner and some between
    dots[0] = dots[-1] = dots[:, 0] = dots[:, -1] = 0
    dots[5, 5] = dots[274, 274] = 255
    Image.fromarray(dots).save(tmp_path / "dots.png")
    with pytest.raises(InputError, match=r"dots\.png: the strokes are too thin"):
        load_image(tmp_path / "dots.png")


@pytest.mark.parametrize("size", [(8000, 7000), (100_000, 100_000), (1, 49_999_999), (49_999_999, 1), (30_001, 2)])
def test_a_huge_picture_is_refused_before_it_is_unpacked(tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "bomb.png").write_bytes(png_header(*size))
    with pytest.raises(InputError, match=r"bomb\.png: the picture has more than 50 million pixels"):
        read_picture(tmp_path / "bomb.png")


def test_damaged_files_are_refused_in_one_line(tmp_path: Path) -> None:
    seven().save(tmp_path / "whole.png")
    seven().save(tmp_path / "whole.tiff")
    whole = (tmp_path / "whole.png").read_bytes()
    damaged = {
        "empty": b"",
        "text": b"hello",
        "short": whole[: len(whole) // 2],
        "flipped": whole[:60] + bytes(255 - byte for byte in whole[60:]),
        "header": png_header(10, 10),
        "tiff": (tmp_path / "whole.tiff").read_bytes(),
    }
    for name, data in damaged.items():
        (tmp_path / f"{name}.png").write_bytes(data)
        with pytest.raises(InputError, match=rf"{name}\.png: not a whole picture") as refused:
            read_picture(tmp_path / f"{name}.png")
        assert "\n" not in str(refused.value)
    with pytest.raises(InputError, match=r"absent\.png: no such picture"):
        read_picture(tmp_path / "absent.png")


def test_without_pillow_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(InputError, match="pip install pillow"):
        halved(np.zeros((28, 28), np.uint8))
