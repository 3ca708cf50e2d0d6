"""The readable rules, by hand."""

import pytest

from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose


def test_no_room_is_an_error() -> None:
    assembly = Assembly()
    assembly.put(Pose(0, 0, 0, 0))
    with pytest.raises(InputError, match="no room"):
        assembly.put(Pose(1, 1, 0, 1))


def test_two_bricks_can_be_joined_in_92_ways_and_in_46_on_the_ground() -> None:
    for ground, ways in ((True, 46), (False, 92)):
        assembly = Assembly(ground=ground)
        assembly.put(Pose(0, 0, 0, 0))
        assert assembly.mask().sum() == ways


def test_studs_join_and_sides_do_not() -> None:
    """Two bricks side by side, and one across both."""
    assembly = Assembly()
    for pose in (Pose(0, 0, 0, 0), Pose(2, 0, 0, 0), Pose(1, 1, 1, 0)):
        assembly.put(pose)
    assert [assembly.neighbours(brick) for brick in range(3)] == [{2}, {2}, {0, 1}]


def test_an_action_leads_where_its_offset_says() -> None:
    assembly = Assembly()
    assembly.put(Pose(3, 3, 0, 1))
    for offset in (0, 17, 45):
        pose = assembly.offsets.place(assembly.poses[0], offset)
        assert assembly.is_valid(0, offset) == assembly.fits(pose)
    assembly.place(0, 17)
    assert assembly.poses[1] == assembly.offsets.place(Pose(3, 3, 0, 1), 17)
    assert not assembly.is_valid(0, 17)  # taken
    assert not assembly.is_valid(2, 0)  # no such brick
    with pytest.raises(InputError, match="no room"):
        assembly.put(Pose(3, 3, -1, 1))
