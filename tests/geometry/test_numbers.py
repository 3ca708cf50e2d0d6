"""A part is known by all of its numbers, and nothing else is taken for it."""

import pytest

from brickbybrick.geometry.numbers import numbered
from brickbybrick.geometry.part import PARTS


def test_every_part_is_known_by_the_number_that_we_write() -> None:
    for part, known in PARTS.items():
        assert numbered(known.number) == (part, False)
        assert numbered(known.number.upper()) == (part, False)
        assert numbered(f"{known.number}pr0001") == (part, True)


@pytest.mark.parametrize(
    ("number", "part"),
    [
        ("3001old", "2x4"),
        ("3001a", "2x4"),
        ("3023a", "plate 1x2"),
        ("3040", "slope 45 2x1"),
        ("3040a", "slope 45 2x1"),
        ("3068", "tile 2x2"),
        ("3069a", "tile 1x2"),
        ("3660b", "inverted slope 45 2x2"),
        ("54200a", "slope 30 1x1"),
        ("50746", "slope 30 1x1"),
        ("44237", "2x6"),
        ("30039", "tile 1x1"),
    ],
)
def test_moulds(number: str, part: str) -> None:
    found = numbered(number)
    assert found is not None
    assert (str(found.part), found.printed) == (part, False)


@pytest.mark.parametrize("number", ["", "3941", "3062b", "973p01", "30010", "300", "3001x", "3001-1", "u3001", "3794b"])
def test_other_numbers(number: str) -> None:
    assert numbered(number) is None
