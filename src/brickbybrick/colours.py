"""The colours that bricks are made in, what each catalogue calls them, and how unlike two colours look.

Pictures, exported models and parts lists all take their colours from this one table, so that what is drawn is
what is ordered. Which part was made in which colour is `made.py`'s.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from brickbybrick.errors import InputError
from brickbybrick.made import MADE

RGB = tuple[int, int, int]


@dataclass(frozen=True)
class Colour:
    """A colour of bricks."""

    code: int  # LDraw's code
    bricklink: int | None  # BrickLink's id, if it has one
    name: str
    hex: str  # red, green and blue as in "B40000"
    other: int | None = None  # Rebrickable's id where it is not LDraw's code

    @property
    def rgb(self) -> RGB:
        red, green, blue = bytes.fromhex(self.hex)
        return red, green, blue

    @property
    def rebrickable(self) -> int:
        return self.code if self.other is None else self.other


COLOURS = {
    colour.code: colour
    for colour in (
        Colour(0, 11, "black", "1B2A34"),
        Colour(1, 7, "blue", "1E5AA8"),
        Colour(2, 6, "green", "00852B"),
        Colour(3, 39, "dark turquoise", "069D9F"),
        Colour(4, 5, "red", "B40000"),
        Colour(5, 47, "dark pink", "D3359D"),
        Colour(6, 8, "brown", "543324"),
        Colour(7, 9, "light grey", "8A928D"),
        Colour(8, 10, "dark grey", "545955"),
        Colour(9, 62, "light blue", "97CBD9"),
        Colour(10, 36, "bright green", "58AB41"),
        Colour(11, 40, "light turquoise", "00AAA4"),
        Colour(12, 25, "salmon", "F06D61"),
        Colour(13, 23, "pink", "F6A9BB"),
        Colour(14, 3, "yellow", "FAC80A"),
        Colour(15, 1, "white", "F4F4F4"),
        Colour(18, 33, "light yellow", "FFD67F"),
        Colour(19, 2, "tan", "D7BA8C"),
        Colour(20, 44, "light violet", "AFBED6"),
        Colour(22, 24, "purple", "671F81"),
        Colour(23, 109, "dark blue-violet", "0E3E9A"),
        Colour(25, 4, "orange", "D67923"),
        Colour(26, 71, "magenta", "901F76"),
        Colour(27, 34, "lime", "A5CA18"),
        Colour(28, 69, "dark tan", "897D62"),
        Colour(29, 104, "bright pink", "FF9ECD"),
        Colour(30, 157, "medium lavender", "A06EB9"),
        Colour(31, 154, "lavender", "CDA4DE"),
        Colour(68, 96, "very light orange", "FDC383"),
        Colour(69, 93, "light purple", "8A12A8"),
        Colour(70, 88, "reddish brown", "5F3109"),
        Colour(71, 86, "light bluish grey", "969696"),
        Colour(72, 85, "dark bluish grey", "646464"),
        Colour(73, 42, "medium blue", "7396C8"),
        Colour(74, 37, "medium green", "7FC475"),
        Colour(77, 56, "light pink", "FECCCF"),
        Colour(78, 90, "light nougat", "FFC995"),
        Colour(84, 150, "medium nougat", "AA7D55"),
        Colour(85, 89, "dark purple", "441A91"),
        Colour(86, None, "light brown", "7B5D41"),
        Colour(89, None, "royal blue", "1C58A7"),
        Colour(92, 28, "nougat", "BB805A"),
        Colour(100, 26, "light salmon", "F9B7A5"),
        Colour(110, 43, "violet", "26469A"),
        Colour(112, 73, "medium violet", "4861AC", 1001),
        Colour(115, 76, "medium lime", "B7D425"),
        Colour(118, 41, "aqua", "9CD6CC"),
        Colour(120, 35, "light lime", "DEEA92"),
        Colour(125, 32, "light orange", "F9A777"),
        Colour(151, 99, "very light bluish grey", "C8C8C8"),
        Colour(191, 110, "bright light orange", "FCAC00"),
        Colour(212, 105, "bright light blue", "9DC3F7"),
        Colour(226, 103, "bright light yellow", "FFEC6C"),
        Colour(232, 87, "sky blue", "77C9D8"),
        Colour(272, 63, "dark blue", "19325A"),
        Colour(288, 80, "dark green", "00451A"),
        Colour(308, 120, "dark brown", "352100"),
        Colour(320, 59, "dark red", "720012"),
        Colour(321, 153, "dark azure", "469BC3"),
        Colour(322, 156, "medium azure", "68C3E2"),
        Colour(323, 152, "light aqua", "D3F2EA"),
        Colour(326, 158, "yellowish green", "E2F99A", 158),
        Colour(330, 155, "olive green", "77774E", 326),
        Colour(335, 58, "sand red", "88605E"),
        Colour(351, 94, "medium dark pink", "F785B1"),
        Colour(353, 220, "coral", "FF6D77", 1050),
        Colour(366, 29, "earth orange", "D86D2C"),
        Colour(368, 236, "vibrant yellow", "EDFF21", 1062),
        Colour(371, 241, "warm tan", "CCA373", 1089),
        Colour(373, 54, "sand purple", "75657D"),
        Colour(378, 48, "sand green", "708E7C"),
        Colour(379, 55, "sand blue", "70819A"),
        Colour(462, 31, "medium orange", "F58624"),
        Colour(484, 68, "dark orange", "91501C"),
        Colour(503, 49, "very light grey", "BCB4A5"),
    )
}
# What other programs' models hold beside them, as opaque as pictures here are: LDraw's code, look and name.
_SPECIAL = """
16 7F7F7F main colour; 17 ADD9A8 light green; 21 E0FFB0 glow in the dark; 24 333333 edge colour;
32 000000 trans black; 33 0020A0 trans dark blue; 34 237841 trans green; 35 56E646 trans bright green;
36 C91A09 trans red; 37 DF6695 trans dark pink; 38 FF800D trans neon orange; 39 C1DFF0 trans very light blue;
40 635F52 trans brown; 41 559AB7 trans medium blue; 42 C0FF00 trans neon green; 43 AEE9EF trans light blue;
44 96709F trans light purple; 45 FC97AC trans pink; 46 F5CD2F trans yellow; 47 FCFCFC trans clear;
52 A5A5CB trans purple; 54 DAB000 trans neon yellow; 57 F08F1C trans orange; 60 645A4C chrome antique brass;
61 6C96BF chrome blue; 62 3CB371 chrome green; 63 AA4D8E chrome pink; 64 1B2A34 chrome black; 65 F5CD2F rubber yellow;
66 CAB000 rubber trans yellow; 67 FFFFFF rubber trans clear; 75 000000 speckle black copper;
76 635F61 speckle dark bluish grey silver; 79 FFFFFF milky white; 80 A5A9B4 metallic silver; 81 899B5F metallic green;
82 DBAC34 metallic gold; 83 1A2831 metallic black; 87 6D6E5C metallic dark grey; 114 DF6695 glitter trans dark pink;
117 FFFFFF glitter trans clear; 129 640061 glitter trans purple; 132 000000 speckle black silver;
133 000000 speckle black gold; 134 964A27 copper; 135 9CA3A8 pearl light grey; 137 5677BA metal blue;
142 DCBE61 pearl light gold; 148 575857 pearl dark grey; 150 989B99 pearl very light grey; 178 B4883E flat dark gold;
179 898788 flat silver; 183 F2F3F2 pearl white; 231 FCB76D trans bright light orange; 234 FBE890 trans fire yellow;
256 212121 rubber black; 273 0033B2 rubber blue; 284 C281A5 trans reddish lilac; 285 7DC291 trans light green;
293 6BABE4 trans light blue violet; 294 BDC6AD glow in the dark trans; 297 CC9C2B pearl gold;
302 AEE9EF glitter trans light blue; 313 54A9C8 maersk blue; 324 C40026 rubber red; 329 F5F3D7 glow in the dark white;
334 BBA53D chrome gold; 350 D06610 rubber orange; 375 C1C2C1 rubber light grey; 383 E0E0E0 chrome silver;
406 001D68 rubber dark blue; 449 81007B rubber purple; 450 B67B50 fabuland brown; 490 D7F000 rubber lime;
493 656761 magnet; 494 D0D0D0 electric contact alloy; 495 AE7A59 electric contact copper;
496 A3A2A4 rubber light bluish grey; 504 898788 rubber flat silver; 511 FAFAFA rubber white
"""
# BrickLink's numbers of those that it has.
_SPECIAL_BRICKLINK = {33: 14, 34: 20, 35: 108, 36: 17, 38: 18, 40: 13, 41: 74, 42: 16, 43: 15, 46: 19, 47: 12, 52: 51}
_SPECIAL_BRICKLINK |= {57: 98, 80: 67, 82: 65, 148: 77, 179: 95, 297: 115, 334: 21, 383: 22}
ANY = 9999  # Rebrickable's id where the colour does not matter, or is none of its own
SPECIAL = {
    int(code): Colour(int(code), _SPECIAL_BRICKLINK.get(int(code)), name, look, ANY if code in ("16", "24") else None)
    for code, look, name in (entry.split(maxsplit=2) for entry in _SPECIAL.split(";"))
}
DIRECT = (
    0x2000000  # codes from here on hold their red, green and blue; from the second number on they let light through
)
DIRECT_END = 0x4000000
LAST = 999_999_999  # code that a file may hold
UNKNOWN = "969696"  # the look of codes that nobody knows
RED = 4
# Those that all common bricks and plates were made in: whatever is built in them can be built otherwise too.
USUAL = ("2x4", "2x3", "2x2", "1x4", "1x2", "1x1")
COMMON = tuple(
    code for code in COLOURS if all(code in MADE[part] for size in USUAL for part in (size, f"plate {size}"))
)
# sRGB's light to CIE's XYZ; the sums of its rows are daylight (D65).
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def colour_of(code: int) -> Colour:
    """The colour with an LDraw code: of those that bricks are made in, or another that files hold; grey for codes that
    nobody knows."""
    if code in COLOURS:
        return COLOURS[code]
    if code in SPECIAL:
        return SPECIAL[code]
    if DIRECT <= code < DIRECT_END:
        look = f"{code & 0xFFFFFF:06X}"
        return Colour(code, None, f"#{look}", look, ANY)
    if 0 <= code <= LAST:
        return Colour(code, None, f"colour {code}", UNKNOWN, ANY)
    raise InputError(f"no colour {code}: choose an LDraw code, such as {', '.join(map(str, COMMON[:12]))}")


def is_colour(code: int) -> bool:
    """Whether it is known what an LDraw code looks like."""
    return code in COLOURS or code in SPECIAL or DIRECT <= code < DIRECT_END


def colour_code(name: str) -> int:
    """The LDraw code of a colour named by a user."""
    code = _CODES.get(_plain(name))
    if code is None:
        raise InputError(f"no colour {name!r}: choose among {', '.join(COLOURS[code].name for code in COMMON)}, ...")
    return code


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", " ").replace("gray", "grey")


_CODES = {name: code for code, colour in COLOURS.items() for name in (str(code), _plain(colour.name))}


def palette_of(text: str) -> tuple[int, ...]:
    """The codes of the colours that a user allows: `all`, `common`, or names and codes with commas between them."""
    if text == "all":
        return tuple(COLOURS)
    return COMMON if text == "common" else tuple(dict.fromkeys(map(colour_code, text.split(","))))


def lab(rgb: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Colours (..., 3) of sRGB, 0 to 255, in CIELAB under daylight (D65)."""
    xyz = light_of(rgb) @ TO_XYZ.T / TO_XYZ.sum(axis=1)
    cubic = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * (29 / 6) ** 2 / 3 + 4 / 29)
    x, y, z = np.moveaxis(cubic, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def lab_in_bricks(rgb: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The same of colours that are to be built: no brick is darker than the black one, so nothing counts as darker."""
    colours = lab(rgb)
    colours[..., 0] = np.maximum(colours[..., 0], DARKEST)
    return colours


def light_of(rgb: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """How much light the numbers of sRGB, 0 to 255, stand for, 0 to 1; light can be added and averaged."""
    values = np.asarray(rgb, np.float64) / 255
    return np.where(values > 0.04045, ((values.clip(0) + 0.055) / 1.055) ** 2.4, values / 12.92)


def seen(light: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
    """The numbers of sRGB that stand for so much light."""
    share = light.clip(0, 1)
    numbers = np.where(share > 0.0031308, 1.055 * share ** (1 / 2.4) - 0.055, 12.92 * share)
    return np.asarray(np.rint(255 * numbers), dtype=np.uint8)


LIGHT = light_of(np.arange(256)).astype(np.float32)  # of each number
DARKEST = float(lab([colour.rgb for colour in COLOURS.values()])[:, 0].min())  # in lightness, of all bricks


def unlike(one: npt.ArrayLike, other: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """How unlike colours (..., 3) of CIELAB look, by CIEDE2000: hardly anybody sees 1, everybody sees 10."""
    (light_1, a_1, b_1), (light_2, a_2, b_2) = (
        np.moveaxis(np.asarray(each, np.float64), -1, 0) for each in (one, other)
    )
    grey = 0.5 * (1 - np.sqrt(_faded((np.hypot(a_1, b_1) + np.hypot(a_2, b_2)) / 2)))
    a_1, a_2 = (1 + grey) * a_1, (1 + grey) * a_2
    chroma_1, chroma_2 = np.hypot(a_1, b_1), np.hypot(a_2, b_2)
    hue_1, hue_2 = np.degrees(np.arctan2(b_1, a_1)) % 360, np.degrees(np.arctan2(b_2, a_2)) % 360
    coloured = chroma_1 * chroma_2 > 0
    turn = np.where(coloured, (hue_2 - hue_1 + 180) % 360 - 180, 0.0)
    turn = np.where(coloured & (hue_2 - hue_1 == 180), 180.0, turn)
    light, chroma = (light_1 + light_2) / 2, (chroma_1 + chroma_2) / 2
    middle = (hue_1 + hue_2) / 2
    across = np.where(np.abs(hue_1 - hue_2) <= 180, middle, np.where(hue_1 + hue_2 < 360, middle + 180, middle - 180))
    hue = np.where(coloured, across, hue_1 + hue_2)
    weight = 1 - 0.17 * _cos(hue - 30) + 0.24 * _cos(2 * hue) + 0.32 * _cos(3 * hue + 6) - 0.20 * _cos(4 * hue - 63)
    by_light = (light_2 - light_1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    by_chroma = (chroma_2 - chroma_1) / (1 + 0.045 * chroma)
    by_hue = 2 * np.sqrt(chroma_1 * chroma_2) * np.sin(np.radians(turn) / 2) / (1 + 0.015 * chroma * weight)
    twist = -np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2)))) * 2 * np.sqrt(_faded(chroma))
    return np.asarray(np.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + twist * by_chroma * by_hue))


def _faded(chroma: Any) -> Any:
    return chroma**7 / (chroma**7 + 25.0**7)


def _cos(degrees: Any) -> Any:
    return np.cos(np.radians(degrees))
