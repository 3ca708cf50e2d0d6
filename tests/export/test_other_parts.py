"""Boxes of parts that are not built with."""

import pytest

from brickbybrick.export.other_parts import SIZES, known_box
from brickbybrick.geometry.numbers import numbered


@pytest.mark.parametrize(
    ("number", "low", "high"),
    [
        ("3941", (-20, 0, -20), (20, 24, 20)),  # a round brick of 2x2 studs
        ("3062b", (-10, 0, -10), (10, 24, 10)),
        ("3036", (-80, 0, -60), (80, 8, 60)),  # a plate of 6x8, the long side along X
        ("6141", (-10, 0, -10), (10, 8, 10)),
        ("3942c", (-20, 0, -20), (20, 48, 20)),  # a cone two bricks high
        ("3811", (-320, 0, -320), (320, 8, 320)),
    ],
)
def test_sizes(number: str, low: tuple[float, ...], high: tuple[float, ...]) -> None:
    assert known_box(number) == (low, high)


def test_nothing_of_ours_is_another_part() -> None:
    assert [number for number in SIZES if numbered(number) is not None] == []
    assert known_box("3001") is None
    assert known_box("99999") is None
