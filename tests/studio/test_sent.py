"""What is sent, and what it is read as."""

import base64
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from studio.conversation import box, drawing, png
from targets import drawn_meshes, drawn_pictures

from brickbybrick.errors import InputError
from brickbybrick.order import Order
from brickbybrick.studio.sent import MOST_SHOWN, Sent, drawing_of, sent_drawings, sent_file
from brickbybrick.targets.inputs import Wanted, wanted_content, wanted_picture
from brickbybrick.targets.target import TargetSet

AGENTS, MASON = Order(agent="greedy"), Order(size=20)


def in_colours(pixels: np.ndarray) -> dict[str, object]:
    """A drawing (row, column, 4) in colours, as a page sends it."""
    colours = base64.b64encode(pixels.astype(np.uint8).tobytes()).decode()
    return {"width": pixels.shape[1], "height": pixels.shape[0], "colours": colours}


def test_a_drawing_keeps_its_rows_and_colours() -> None:
    ink = np.zeros((2, 3), np.uint8)
    ink[0, 2] = 200
    seen = np.asarray(drawing_of(drawing(ink)))
    assert np.array_equal(seen[..., 3], ink)
    assert not seen[..., :3].any()
    pixels = np.random.default_rng(0).integers(1, 256, (2, 3, 4))
    assert np.array_equal(np.asarray(drawing_of(in_colours(pixels))), pixels)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ([], "an object"),
        (
            {"width": 3, "height": 2, "pixels": base64.b64encode(bytes(5)).decode()},
            "3 x 2 pixels has 5 bytes: give one",
        ),
        ({"width": 3, "height": 2, "colours": base64.b64encode(bytes(6)).decode()}, "6 bytes: give four each"),
        ({"width": 3, "height": 2, "colours": "&"}, "colours are not base64"),
        ({"width": 3, "height": 2, "pixels": 7}, "0 bytes"),
        ({"width": 0, "height": 2, "pixels": ""}, "1 to 1024"),
        (in_colours(np.zeros((4, 4, 4))), "draw something"),
    ],
)
def test_what_is_no_drawing_is_told_in_one_line(value: object, why: str) -> None:
    with pytest.raises(InputError, match=why):
        drawing_of(value)


def test_a_drawing_up_to_the_border_is_not_inverted() -> None:
    """Ink everywhere is a rectangle, not paper."""
    sent = sent_drawings([drawing(np.full((100, 60), 255))])
    image = sent.read(AGENTS).target.images[0]
    assert image.sum() >= 0.9 * image.any(axis=0).sum() * image.any(axis=1).sum()
    assert 40 <= image.sum() <= 80
    wide, deep, high = sent.read(MASON).target.volume.shape
    assert (wide, high) == (12, 50)  # of plates, two fifths as high as wide
    assert sent.read(MASON).target.volume.sum() == wide * deep * high


def test_grey_ink_has_no_colour_and_coloured_ink_its_own() -> None:
    ring = np.zeros((200, 200, 4), np.uint8)
    far = np.hypot(*(np.mgrid[:200, :200] - 100))
    ring[(far < 90) & (far > 40)] = (0, 133, 43, 255)  # the hole is drawn on nothing, and stays one
    grey, green = sent_drawings([drawing(ring[..., 3])]), sent_drawings([in_colours(ring)])
    assert grey.read(MASON).target.paint is None
    target = green.read(MASON).target
    assert target.paint is not None
    assert np.array_equal(np.unique(target.paint[target.volume], axis=0), [(0, 133, 43, 255)])
    assert not target.volume[10, 0, 25]
    assert not green.read(Order(size=20, background="keep")).target.volume[10, :, 25].any()  # paper is not built
    assert not green.read(Order(size=20, mosaic=True)).target.volume[10, 10, 1]
    for order in (MASON, AGENTS):
        assert np.array_equal(grey.read(order).target.volume, green.read(order).target.volume)
    assert (grey.kind, grey.source, green.source) == ("drawing", None, None)


def test_three_drawings_are_silhouettes() -> None:
    square = drawing(box((60, 60, 240, 240)))
    sent = sent_drawings([square, square, square])
    assert sent.kind == "silhouettes"
    wide, deep, high = (np.ptp(np.argwhere(sent.read(MASON).target.volume), axis=0) + 1).tolist()
    assert (wide, deep, high) == (20, 20, 50)  # a cube, of plates that are two fifths as high as wide
    assert sent.read(AGENTS).target.volume.sum() == 14**3


def test_a_file_is_read_as_b3_build_reads_it() -> None:
    face = png(drawn_pictures.face())
    content, ending = drawn_meshes.globe()
    for name, file, kind in (("face.png", face, "picture"), (f"globe{ending}", content, "mesh")):
        sent = sent_file(name, file)
        assert (sent.kind, sent.room) == (kind, len(file))
        for order in (MASON, AGENTS, Order(size=24, proportions="cubic")):
            wanted, expected = sent.read(order), wanted_content(name, file, order.reading)
            assert np.array_equal(wanted.target.volume, expected.target.volume)
            assert (wanted.notes, wanted.reading, wanted.target.name) == (expected.notes, expected.reading, name)


def test_a_picture_is_shown_small() -> None:
    large = Image.new("RGB", (1200, 600), "orange")
    source = sent_file("large.png", png(large)).source
    assert source is not None
    shown = Image.open(BytesIO(source))
    assert shown.size == (MOST_SHOWN, MOST_SHOWN // 2)
    assert shown.getpixel((5, 5)) == (255, 165, 0)
    assert sent_file("a.off", b"").source is None


def test_examples_are_the_same_however_they_are_read(flat_targets: TargetSet) -> None:
    wanted = Wanted(flat_targets[0])
    sent = Sent("picture", "a digit", fixed=wanted)
    assert sent.read(MASON) is sent.read(AGENTS) is wanted
    assert (sent.source, sent.room) == (None, 0)


def test_agents_see_the_outline_of_what_was_drawn_on_nothing() -> None:
    picture = Image.new("RGBA", (200, 200))
    picture.paste((250, 200, 10, 255), (40, 40, 160, 160))
    picture.paste((0, 0, 0, 255), (90, 90, 110, 110))
    sent = Sent("picture", "eye", (("eye.png", png(picture)),), on_nothing=True)
    whole = Image.new("L", (200, 200))
    whole.paste(255, (40, 40, 160, 160))
    assert np.array_equal(sent.read(AGENTS).target.images, wanted_picture("eye", whole).target.images)
