"""The compiled rules against the readable ones, on random assemblies of every size and offset subset."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import BRICK_2X4, Pose, Size
from brickbybrick.geometry.offsets import OFFSET_SETS, offset_set
from brickbybrick.geometry.packed import (
    PackedAssemblies,
    allocate,
    clear,
    full_mask,
    joined_pose,
    put,
    put_all,
    random_action,
)
from brickbybrick.geometry.relations import Relations, relations, unpack_mask

SIZES = ["1x1", "1x2", "1x4", "2x2", "2x3", "2x4", "2x6", "3x3"]


def agree(packed: PackedAssemblies, rel: Relations, row: int, assembly: Assembly) -> None:
    """Everything the compiled arrays say of one assembly, bit for bit."""
    bricks = len(assembly.poses)
    assert packed.bricks[row] == bricks
    assert [Pose(*pose) for pose in packed.placed[row, :bricks, :4].tolist()] == assembly.poses
    mask = assembly.mask()
    np.testing.assert_array_equal(unpack_mask(packed.words[row, :bricks], rel), mask)
    assert packed.pivots[row] == mask.any(axis=1).sum()
    assert not packed.words[row, bricks:].any()
    for brick in range(bricks):
        neighbours = packed.neighbours[row, brick]
        assert neighbours[: packed.degrees[row, brick]].tolist() == sorted(assembly.neighbours(brick))
        assert (neighbours[packed.degrees[row, brick] :] == -1).all()
    words = np.empty_like(packed.words[row, :bricks])
    full_mask(packed.placed[row, :bricks, :4].copy(), rel, words)
    np.testing.assert_array_equal(words, packed.words[row, :bricks])


@settings(max_examples=400, deadline=None)
@given(
    size=st.sampled_from(SIZES),
    name=st.sampled_from(OFFSET_SETS),
    ground=st.booleans(),
    d=st.integers(0, 1),
    bricks=st.integers(1, 24),
    room=st.sampled_from([24, 40, 200]),  # one bucket a layer, or many
    seed=st.integers(0, 2**64 - 1),
)
def test_masks_and_contacts_equal_the_cell_by_cell_ones(
    size: str, name: str, ground: bool, d: int, bricks: int, room: int, seed: int
) -> None:
    brick = Size.parse(size)
    offsets = offset_set(name, brick)
    rel = relations(offsets, ground)
    packed = allocate(brick, rel, 2, room)
    generator = np.array([0, seed], np.uint64)
    for _ in range(2):  # the second round is after a reset
        clear(packed, 1)
        assembly = Assembly(brick, offsets, ground)
        first = Pose(-3, 5, 0, d if d in brick.directions else 0)
        assembly.put(first)
        put(packed, rel, 1, *first)
        agree(packed, rel, 1, assembly)
        while len(assembly.poses) < bricks:
            pivot, offset = random_action(packed, rel, 1, generator)
            if pivot < 0:
                assert not assembly.mask().any()
                break
            assert assembly.is_valid(pivot, offset)
            assert joined_pose(packed, rel, 1, pivot, offset) == offsets.place(assembly.poses[pivot], offset)
            assembly.place(pivot, offset)
            put(packed, rel, 1, *assembly.poses[-1])
            agree(packed, rel, 1, assembly)
    assert packed.bricks[0] == 0  # the neighbour in the batch was never touched


@pytest.mark.parametrize("size", ["2x4", "2x2"])
def test_a_dense_block_leaves_nothing_to_place_inside(size: str) -> None:
    """A wall-to-wall block: every brick's mask is still the cell-by-cell one, and contacts reach their maximum."""
    brick = Size.parse(size)
    offsets = offset_set("all", brick)
    rel = relations(offsets)
    assembly = Assembly(brick, offsets)
    along_x, along_y = brick.extent(0)
    for z in range(3):
        shift = z % 2  # every other layer is shifted, so that a brick meets as many others as it can
        for i in range(5):
            for j in range(5):
                assembly.put(Pose(i * along_x + shift, j * along_y + shift, z, 0))
    packed = allocate(brick, rel, 1, 75)
    put_all(packed, rel, 0, np.array(assembly.poses, np.int16))
    agree(packed, rel, 0, assembly)
    assert packed.degrees.max() <= rel.neighbours


def test_the_bound_on_neighbours_is_reached() -> None:
    """A 2x4 brick can touch six bricks above and six below: three along each long side."""
    assembly = Assembly()
    assembly.put(Pose(0, 0, 1, 0))
    for z in (0, 2):
        for x in (-3, 1):
            for y in (-1, 1, 3):
                assembly.put(Pose(x, y, z, 1))
    rel = relations(offset_set("all"))
    assert len(assembly.neighbours(0)) == rel.neighbours == 12
    packed = allocate(BRICK_2X4, rel, 1, 13)
    put_all(packed, rel, 0, np.array(assembly.poses, np.int16))
    agree(packed, rel, 0, assembly)


@pytest.mark.parametrize("size", ["2x4", "1x2", "2x6"])
def test_two_thousand_bricks_agree_with_a_mask_from_scratch(size: str) -> None:
    """So many that bricks far apart share buckets."""
    brick = Size.parse(size)
    rel = relations(offset_set("all", brick))
    packed = allocate(brick, rel, 1, 2000)
    generator = np.array([7], np.uint64)
    put(packed, rel, 0, 0, 0, 0, 0)
    while packed.bricks[0] < 2000:
        put(packed, rel, 0, *joined_pose(packed, rel, 0, *random_action(packed, rel, 0, generator)))
    words = np.empty_like(packed.words[0])
    full_mask(packed.placed[0, :, :4].copy(), rel, words)
    np.testing.assert_array_equal(words, packed.words[0])


def test_random_actions_are_uniform() -> None:
    """Each of a lone brick's 46 joints above the ground is drawn equally often (chi-square, 45 degrees of freedom)."""
    rel = relations(offset_set("all"))
    packed = allocate(BRICK_2X4, rel, 1, 2)
    put(packed, rel, 0, 0, 0, 0, 0)
    generator = np.array([1], np.uint64)
    draws = 46_000
    counts = np.zeros(92)
    for _ in range(draws):
        counts[random_action(packed, rel, 0, generator)[1]] += 1
    assert not counts[46:].any()
    chi_square = ((counts[:46] - draws / 46) ** 2 / (draws / 46)).sum()
    assert chi_square < 90  # exceeded once in 10,000 seeds


@pytest.mark.parametrize("bricks", [0, 10**6])
def test_room_must_be_possible(bricks: int) -> None:
    with pytest.raises(InputError, match="room for"):
        allocate(BRICK_2X4, relations(offset_set("all")), 1, bricks)
