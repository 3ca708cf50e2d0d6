"""Colours are those of the catalogues."""

import pytest

from brickbybrick.colours import COLOURS, RED, colour_of
from brickbybrick.errors import InputError

# LDraw's code, BrickLink's id and LDraw's value, as the catalogues list them.
CATALOGUE = {
    "black": (0, 11, (0x1B, 0x2A, 0x34)),
    "blue": (1, 7, (0x1E, 0x5A, 0xA8)),
    "green": (2, 6, (0x00, 0x85, 0x2B)),
    "red": (4, 5, (0xB4, 0x00, 0x00)),
    "yellow": (14, 3, (0xFA, 0xC8, 0x0A)),
    "white": (15, 1, (0xF4, 0xF4, 0xF4)),
    "reddish brown": (70, 88, (0x5F, 0x31, 0x09)),
    "light bluish grey": (71, 86, (0x96, 0x96, 0x96)),
    "dark bluish grey": (72, 85, (0x64, 0x64, 0x64)),
}


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_colour_is_the_catalogues(name: str) -> None:
    code, bricklink, rgb = CATALOGUE[name]
    colour = colour_of(code)
    assert (colour.name, colour.bricklink, colour.rgb) == (name, bricklink, rgb)


def test_no_two_colours_are_alike() -> None:
    for part in ("bricklink", "name", "hex"):
        assert len({getattr(colour, part) for colour in COLOURS.values()}) == len(COLOURS)
    assert colour_of(RED).name == "red"


def test_an_unknown_colour_is_told_the_known_ones() -> None:
    with pytest.raises(InputError, match="no colour 3: choose an LDraw code from 0, 1, 2, 4"):
        colour_of(3)
