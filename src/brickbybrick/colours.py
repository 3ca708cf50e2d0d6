"""The colours that bricks are sold in, and what each catalogue calls them.

Pictures, exported models and parts lists all take their colours from this one table, so that what is drawn is
what is ordered.
"""

from dataclasses import dataclass

from brickbybrick.errors import InputError

RGB = tuple[int, int, int]


@dataclass(frozen=True)
class Colour:
    """A colour of bricks."""

    code: int  # LDraw's code, which Rebrickable uses too
    bricklink: int  # BrickLink's id
    name: str
    hex: str  # red, green and blue as in "B40000"

    @property
    def rgb(self) -> RGB:
        red, green, blue = bytes.fromhex(self.hex)
        return red, green, blue


COLOURS = {
    colour.code: colour
    for colour in (
        Colour(0, 11, "black", "1B2A34"),
        Colour(1, 7, "blue", "1E5AA8"),
        Colour(2, 6, "green", "00852B"),
        Colour(4, 5, "red", "B40000"),
        Colour(14, 3, "yellow", "FAC80A"),
        Colour(15, 1, "white", "F4F4F4"),
        Colour(19, 2, "tan", "D7BA8C"),
        Colour(25, 4, "orange", "D67923"),
        Colour(27, 34, "lime", "A5CA18"),
        Colour(70, 88, "reddish brown", "5F3109"),
        Colour(71, 86, "light bluish grey", "969696"),
        Colour(72, 85, "dark bluish grey", "646464"),
    )
}
RED = 4


def colour_of(code: int) -> Colour:
    """The colour with an LDraw code."""
    if code not in COLOURS:
        raise InputError(f"no colour {code}: choose an LDraw code from {', '.join(map(str, COLOURS))}")
    return COLOURS[code]
