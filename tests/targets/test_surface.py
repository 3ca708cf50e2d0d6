"""What a surface looks like at any point of it."""

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from brickbybrick.errors import InputError
from brickbybrick.targets import surface
from brickbybrick.targets.surface import (
    CLAMP,
    MIRROR,
    REPEAT,
    Look,
    Mesh,
    Pictures,
    Texture,
    colours_at,
    linear,
    seen,
)


def png(size: tuple[int, int], mode: str = "RGB") -> bytes:
    stored = BytesIO()
    Image.new(mode, size).save(stored, "PNG")
    return stored.getvalue()


def test_every_colour_survives_linear_light() -> None:
    levels = np.arange(256, dtype=np.uint8)
    np.testing.assert_array_equal(seen(linear(levels)), levels)
    assert linear(np.array([188], np.uint8))[0] == pytest.approx(0.5, abs=0.005)  # half the light, by sRGB


def test_between_corners_light_is_mixed() -> None:
    corners = np.array([[[1, 0, 0], [0, 1, 0], [0, 0, 1]]], np.float32)
    mesh = Mesh(np.eye(3), np.array([[0, 1, 2]]), look=Look(corners))
    shares = np.array([[1, 0, 0], [0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3]])
    assert colours_at(mesh, np.zeros(3, np.int64), shares).tolist() == [[255, 0, 0], [0, 188, 188], [156, 156, 156]]
    with pytest.raises(InputError, match="no colours"):
        colours_at(Mesh(np.eye(3), np.array([[0, 1, 2]])), np.zeros(1, np.int64), shares[:1])


@given(
    place=st.tuples(st.floats(-5, 5), st.floats(-5, 5)),
    wraps=st.tuples(*[st.sampled_from([REPEAT, CLAMP, MIRROR])] * 2),
)
def test_a_texture_goes_on_beyond_its_borders(place: tuple[float, float], wraps: tuple[int, int]) -> None:
    """Against a texture that is laid out eleven times, by copying or mirroring it or its border."""
    pixels = np.arange(4 * 3 * 3, dtype=np.uint8).reshape(4, 3, 3) * 7
    laid = pixels
    for axis, wrap in ((1, wraps[0]), (0, wraps[1])):
        copies = {
            REPEAT: [laid] * 11,
            MIRROR: [laid if number % 2 == 0 else np.flip(laid, axis) for number in range(-5, 6)],
            CLAMP: [*[np.repeat(laid.take([0], axis), laid.shape[axis], axis)] * 5, laid]
            + [np.repeat(laid.take([-1], axis), laid.shape[axis], axis)] * 5,
        }[wrap]
        laid = np.concatenate(copies, axis)
    exact = [np.float32(share) for share in place]
    across, down = (min(int((float(at) + 5) * count), 11 * count - 1) for at, count in zip(exact, (3, 4), strict=True))
    # On the border between two pixels either will do.
    if min(abs(float(at) * count - round(float(at) * count)) for at, count in zip(exact, (3, 4), strict=True)) < 1e-4:
        return
    look = Look(
        np.ones((1, 3, 3), np.float32),
        (Texture(pixels, wraps),),
        np.zeros(1, np.int16),
        np.tile(np.array(place, np.float32), (1, 3, 1)),
    )
    mesh = Mesh(np.eye(3), np.array([[0, 1, 2]]), look=look)
    found = colours_at(mesh, np.zeros(1, np.int64), np.array([[1.0, 0, 0]]))[0]
    assert found.tolist() == laid[down, across].tolist()


def test_places_that_are_no_numbers_do_no_harm() -> None:
    places = np.array([[[np.nan, np.inf], [-np.inf, 1e38], [0, 0]]], np.float32)
    look = Look(
        np.ones((1, 3, 3), np.float32), (Texture(np.zeros((2, 2, 3), np.uint8)),), np.zeros(1, np.int16), places
    )
    with np.errstate(all="ignore"):
        colours = colours_at(Mesh(np.eye(3), np.array([[0, 1, 2]]), look=look), np.zeros(1, np.int64), np.eye(3)[:1])
    assert colours.tolist() == [[0, 0, 0]]


def test_pictures_have_a_limit_together_and_are_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = Pictures()
    assert pictures.add(png((4096, 1024)), "a") == 0
    assert pictures.textures[0].pixels.shape == (512, 2048, 3)
    assert [pictures.add(png((3, 2), mode), mode) for mode in ("L", "P", "1", "RGBA", "I;16", "LA")] == [
        1,
        2,
        3,
        4,
        5,
        6,
    ]
    assert {texture.pixels.shape for texture in pictures.textures[1:]} == {(2, 3, 3)}
    assert pictures.notes() == ()
    monkeypatch.setattr(surface, "MOST_TEXTURE_PIXELS", 4096 * 1024)
    assert pictures.add(png((2, 2)), "b.png") == -1
    assert pictures.add(b"junk", "c.png") == -1
    (note,) = pictures.notes()
    assert note.startswith("it is built without a texture: b.png: one texture too many; ")
    assert note.endswith(" (and 1 more)")
