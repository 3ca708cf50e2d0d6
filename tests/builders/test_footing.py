"""A wider foot: bricks of the lowest layer, side by side, held by those above, that reach out to all sides."""

import numpy as np
import pytest
from builders.yards import yard_of
from geometry.boxes import put
from geometry.models import at, brick
from scipy.spatial import ConvexHull

from brickbybrick.builders.footing import STUDS, wider_foot


@pytest.mark.parametrize(("wide", "deep"), [(2, 2), (2, 3), (2, 4), (1, 4), (4, 2)])
@pytest.mark.parametrize("reach", [1.5, 2.3])
def test_a_foot_is_wider_than_the_tip_it_is_under(wide: int, deep: int, reach: float) -> None:
    assembly, yard = yard_of(np.zeros((14, 14, 3), bool))
    for x in range(6, 6 + wide):
        for y in range(5, 5 + deep):
            put(assembly, brick(1, 1), at(x, y, 1))
    middle = np.array([6 + wide / 2, 5 + deep / 2])
    foot = wider_foot(yard.bricks, 0, middle, reach)
    corners, cells = [], []
    for kind, x, y in foot:
        size, d = assembly.kinds[kind]
        there = list(size.footprint(at(x, y, 0, d)))
        assert sum(6 <= x < 6 + wide and 5 <= y < 5 + deep for x, y in there) >= STUDS
        cells += there
        corners += [(x + right, y + behind) for x, y in there for right in (0, 1) for behind in (0, 1)]
    assert len(set(cells)) == len(cells)
    room = -(ConvexHull(corners).equations @ [*middle, 1]).max()  # from the middle to the nearest side
    assert room > min(wide, deep) / 2
    assert room >= 0.9 * min(reach, 2)


def test_nothing_above_holds_no_foot() -> None:
    assembly, yard = yard_of(np.zeros((14, 14, 4), bool))
    put(assembly, brick(2, 4), at(5, 5, 2))
    assert wider_foot(yard.bricks, 0, np.array([6.0, 7.0]), 2.0) == []
