"""How large parts are that nobody here builds with, so that they can be drawn as boxes.

The table has common ones whose origin is in the middle of their top, as LDraw has it. Parts that a file draws itself
are as large as what is drawn; of all others nothing is known, and they are drawn as a brick with one stud.
"""

from brickbybrick.export.ldraw_places import HEIGHT, PITCH, Box

# Studs along Z and X, and plates that they are high, with the numbers of those that are so large.
_TABLE = """
1x1x1 4073 6141 85861 98138 2555 | 1x1x3 3062 4589 59900 87087 4070 47905 4733 6541 26604 | 1x1x9 14716
1x2x1 3794 15573 2412 | 1x2x3 2877 30136 98283 11211 3700 32000 3245 | 1x2x6 3245b 3245c | 1x2x15 2454 | 1x5x1 78329
1x3x3 4490 | 1x4x3 30414 15533 3701 3659 | 1x4x9 49311 | 1x6x3 3894 3455 | 1x6x6 3307 | 1x6x15 3754 | 1x8x3 3702
1x10x1 4477 | 1x10x3 6111 2730 | 1x12x1 60479 | 1x12x3 6112 3895 | 1x16x3 2465 3703
2x2x1 4032 87580 4150 14769 2420 | 2x2x3 3941 6143 | 2x2x6 3942 | 2x2x9 30145 | 2x4x9 30144 | 2x6x1 69729
2x10x3 3006 | 2x12x1 2445 | 2x14x1 91988 | 2x16x1 4282 | 3x3x1 11212
4x4x1 60474 1751 | 4x4x3 87081 | 4x4x6 3943 | 4x6x3 2356 | 4x10x1 3030 | 4x12x1 3029
6x6x1 3958 10202 | 6x8x1 3036 | 6x10x1 3033 | 6x12x1 3028 | 6x14x1 3456 | 6x16x1 3027 | 6x24x1 3026
8x8x1 41539 | 8x16x1 92438 90498 | 16x16x1 91405 3867 | 32x32x1 3811 | 48x48x1 4186
"""


def _sizes() -> dict[str, tuple[int, int, int]]:
    sizes = {}
    for entry in _TABLE.replace("\n", "|").split("|"):
        for number in entry.split()[1:]:
            deep, wide, high = map(int, entry.split()[0].split("x"))
            sizes[number] = (wide, deep, high)
    return sizes


SIZES = _sizes()  # studs along X and Z, plates
UNKNOWN = (1, 1, 3)


def known_box(number: str) -> Box | None:
    """The box of a part around its origin, before it is turned; None if its size is not known."""
    number = number.lower()
    size = SIZES.get(number) or SIZES.get(number.rstrip("abcdef"))
    return None if size is None else hanging(size)


def hanging(size: tuple[int, int, int]) -> Box:
    """A box that hangs from the middle of its top: studs along X and Z, plates."""
    wide, deep, high = size
    return Box((-PITCH * wide / 2, 0.0, -PITCH * deep / 2), (PITCH * wide / 2, float(HEIGHT * high), PITCH * deep / 2))
