"""Bricks and poses."""

import pytest

from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4, Pose, Size


def test_the_papers_centre() -> None:
    """Direction 0 at centre (x, y) covers cells x-1..x and y-2..y+1."""
    x, y, _ = BRICK_2X4.centre(Pose(3, 5, 0, 0))
    cells = set(BRICK_2X4.footprint(Pose(3, 5, 0, 0)))
    assert cells == {(a, b) for a in (x - 1, x) for b in (y - 2, y - 1, y, y + 1)}
    x, y, _ = BRICK_2X4.centre(Pose(3, 5, 0, 1))
    assert set(BRICK_2X4.footprint(Pose(3, 5, 0, 1))) == {(a, b) for a in range(x - 2, x + 2) for b in (y - 1, y)}


def test_sizes_are_written_as_2x4() -> None:
    assert Size.parse("2x4") == BRICK_2X4
    assert str(BRICK_2X4) == "2x4"
    assert BRICK_2X4.studs == len(list(BRICK_2X4.cells(Pose(0, 0, 0, 1)))) == 8


@pytest.mark.parametrize("text", ["4x2", "0x1", "2", "axb", "2x-4", "2x4x1", ""])
def test_what_is_not_a_size(text: str) -> None:
    with pytest.raises(InputError):
        Size.parse(text)
