"""Ways to join two bricks: how many there are, and that they mean the same from all sides."""

from collections import Counter

import pytest
from geometry.buildings import normal, quarter_turn

from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.geometry.offsets import offset_set


@pytest.mark.parametrize(
    ("size", "above"), [("2x4", 46), ("2x2", 9), ("1x2", 7), ("2x3", 31), ("1x4", 23), ("2x6", 82), ("1x1", 1)]
)
def test_offsets_above(size: str, above: int) -> None:
    offsets = offset_set("all", Size.parse(size)).offsets
    assert sum(offset.dz == 1 for offset in offsets) == above
    assert len(offsets) == 2 * above


def test_the_92_offsets() -> None:
    above = [offset for offset in offset_set("all").offsets if offset.dz == 1]
    assert Counter(offset.d for offset in above) == {0: 21, 1: 25}
    assert Counter(offset.studs for offset in above) == {1: 8, 2: 18, 3: 4, 4: 13, 6: 2, 8: 1}


def test_the_tasks_offsets() -> None:
    sets = {name: offset_set(name).offsets for name in ("mnist", "random", "modelnet")}
    assert {name: len(offsets) for name, offsets in sets.items()} == {"mnist": 6, "random": 16, "modelnet": 32}
    assert {(o.dx, o.dy, o.dz, o.d) for o in sets["mnist"]} == {(dx, 0, dz, 0) for dx in (-1, 0, 1) for dz in (-1, 1)}
    assert all(offset.studs >= 4 and offset.dz == 1 for offset in sets["random"])


@pytest.mark.parametrize("size", ["2x4", "2x2", "1x2", "2x3", "1x4", "2x6"])
def test_an_offset_means_the_same_joint_whichever_way_the_pivot_points(size: str) -> None:
    brick = Size.parse(size)
    offsets = offset_set("all", brick)
    for k, offset in enumerate(offsets.offsets):
        straight = [Pose(0, 0, 0, 0), offsets.place(Pose(0, 0, 0, 0), k)]
        shared = set(brick.footprint(straight[0])) & set(brick.footprint(straight[1]))
        assert len(shared) == offset.studs
        if len(brick.directions) == 2:
            turned = [Pose(0, 0, 0, 1), offsets.place(Pose(0, 0, 0, 1), k)]
            assert normal(turned) == quarter_turn(brick, normal(straight))
