"""Published counts of brick buildings, found again by enumeration with our own geometry."""

from collections import Counter

import pytest

from brickbybrick.geometry.brick import BRICK_2X4, Pose, Size
from brickbybrick.geometry.offsets import offset_set

Building = tuple[tuple[int, int, int, int], ...]  # poses, sorted, moved to the origin


def normal(poses: list[Pose]) -> Building:
    x, y, z = (min(pose[axis] for pose in poses) for axis in range(3))
    return tuple(sorted((pose.x - x, pose.y - y, pose.z - z, pose.d) for pose in poses))


def quarter_turn(size: Size, building: Building) -> Building:
    """Cells (a, b) go to (-b-1, a)."""
    turned = []
    for x, y, z, d in building:
        _, along_y = size.extent(d)
        turned.append(Pose(-y - along_y, x, z, 1 - d if len(size.directions) == 2 else 0))
    return normal(turned)


def clash(size: Size, a: Pose, b: Pose) -> bool:
    return a.z == b.z and not set(size.footprint(a)).isdisjoint(size.footprint(b))


def larger(size: Size, buildings: set[Building]) -> set[Building]:
    """All buildings with one brick more, up to translation."""
    offsets = offset_set("all", size)
    found = set()
    for building in buildings:
        poses = [Pose(*pose) for pose in building]
        candidates = {offsets.place(pivot, k) for pivot in poses for k in range(len(offsets))}
        for new in candidates:
            if not any(clash(size, new, pose) for pose in poses):
                found.add(normal([*poses, new]))
    return found


def up_to_rotation(size: Size, buildings: set[Building]) -> set[Building]:
    kept = set()
    for building in buildings:
        turns = [building]
        for _ in range(3):
            turns.append(quarter_turn(size, turns[-1]))
        kept.add(min(turns))
    return kept


def by_bricks(size: Size, most: int) -> list[set[Building]]:
    """All buildings of 1, 2, ... bricks, up to translation."""
    found = [{((0, 0, 0, d),) for d in size.directions}]
    while len(found) < most:
        found.append(larger(size, found[-1]))
    return found


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
