"""The bit tables: against cells, and how many bricks can touch one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.relations import pack_bits, relations, unpack_mask


def test_digits_have_at_most_four_neighbours() -> None:
    """Bricks side by side: two above and two below."""
    assembly = Assembly()
    assembly.put(Pose(0, 0, 1, 0))
    for z in (0, 2):
        for x in (-1, 1):
            assembly.put(Pose(x, 0, z, 0))
    assert len(assembly.neighbours(0)) == relations(offset_set("mnist")).neighbours == 4


@given(flags=st.lists(st.booleans(), min_size=1, max_size=200))
def test_bits_come_back(flags: list[bool]) -> None:
    words = pack_bits(np.array(flags))
    assert [bool(int(words[k // 64]) >> (k % 64) & 1) for k in range(len(flags))] == flags


@pytest.mark.parametrize("size", ["2x4", "1x2", "2x2"])
def test_an_obstacle_spares_the_joints_that_share_no_cell_with_it(size: str) -> None:
    """Every entry of the table, one layer above the pivot, against footprints."""
    brick = Size.parse(size)
    offsets = offset_set("all", brick)
    rel = relations(offsets)
    above = [k for k, offset in enumerate(offsets.offsets) if offset.dz == 1]
    reach = range(-rel.reach, rel.reach + 1)
    for pivot_d in brick.directions:
        places = {k: set(brick.footprint(offsets.place(Pose(0, 0, 0, pivot_d), k))) for k in above}
        for obstacle_d in brick.directions:
            for dx in reach:
                for dy in reach:
                    words = rel.spared[pivot_d, obstacle_d, dx + rel.reach, dy + rel.reach]
                    obstacle = set(brick.footprint(Pose(dx, dy, 1, obstacle_d)))
                    for k, place in places.items():
                        bit = int(rel.bit[k])
                        spared = bool(int(words[bit // 64]) >> (bit % 64) & 1)
                        assert spared == place.isdisjoint(obstacle)


def test_nothing_is_joined_below_the_ground() -> None:
    for ground, allowed in ((True, 46), (False, 92)):
        rel = relations(offset_set("all"), ground)
        assert unpack_mask(rel.every, rel).sum() == 92
        assert unpack_mask(rel.grounded, rel).sum() == allowed
