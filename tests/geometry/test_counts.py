"""Published counts of brick buildings, found again by enumeration with our own geometry."""

import pytest
from geometry.buildings import Building, by_bricks, quarter_turn, up_to_rotation

from brickbybrick.geometry.brick import BRICK_2X4, Size


@pytest.fixture(scope="module")
def buildings() -> list[set[Building]]:
    return by_bricks(BRICK_2X4, 4)


@pytest.mark.slow
def test_buildings_of_2x4_bricks(buildings: list[set[Building]]) -> None:
    """OEIS A112389 up to rotation; the other counts are up to translation."""
    assert [len(found) for found in buildings] == [2, 92, 6152, 477950]
    assert [len(up_to_rotation(BRICK_2X4, found)) for found in buildings] == [1, 24, 1560, 119580]


@pytest.mark.slow
def test_half_turn_symmetric_buildings(buildings: list[set[Building]]) -> None:
    """OEIS A123829."""
    counts = []
    for found in buildings:
        symmetric = {b for b in found if quarter_turn(BRICK_2X4, quarter_turn(BRICK_2X4, b)) == b}
        counts.append(len(up_to_rotation(BRICK_2X4, symmetric)))
    assert counts == [1, 2, 44, 185]


@pytest.mark.slow
def test_buildings_on_a_fixed_base(buildings: list[set[Building]]) -> None:
    """OEIS A123830: one brick is given and stays alone in the lowest layer."""
    on_a_base = [[b for b in found if [pose[2:] for pose in b if pose[2] == 0] == [(0, 0)]] for found in buildings]
    assert [len(found) for found in on_a_base[1:]] == [46, 2596, 194834]


def test_buildings_of_2x2_bricks() -> None:
    """OEIS A123818 up to rotation; the other counts are up to translation."""
    size = Size(2, 2)
    found = by_bricks(size, 5)
    assert [len(each) for each in found] == [1, 9, 113, 1631, 25607]
    assert [len(up_to_rotation(size, each)) for each in found] == [1, 3, 31, 412, 6435]
