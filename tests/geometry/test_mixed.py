"""Bricks of several sizes out of a box: against a set of cells, and against what is known of one size."""

import itertools

import numpy as np
import pytest
from geometry.boxes import put, valid
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import BRICK_2X4, Cell, Pose, Size
from brickbybrick.geometry.inventory import BRICKS, Inventory
from brickbybrick.geometry.mixed import MixedAssembly, is_free, take_brick

SHAPE = (7, 6, 4)
Bricks = list[tuple[Size, Pose]]


def brute_force(bricks: Bricks, inventory: Inventory) -> set[tuple[Size, Pose]]:
    """Every placement that is valid next, from nothing but sets of cells."""
    cells: set[Cell] = {cell for size, pose in bricks for cell in size.cells(pose)}
    used = [size for size, _ in bricks]
    valid = set()
    for size in inventory.sizes:
        if inventory.lacking([*used, size]):
            continue
        for d, x, y, z in itertools.product(size.directions, *map(range, SHAPE)):
            pose = Pose(x, y, z, d)
            own = set(size.cells(pose))
            inside = all(0 <= at < side for cell in own for at, side in zip(cell, SHAPE, strict=True))
            joined = any((cx, cy, cz + step) in cells for cx, cy, cz in own for step in (-1, 1))
            if inside and not own & cells and (joined or (not bricks and z == 0)):
                valid.add((size, pose))
    return valid


def listed(assembly: MixedAssembly) -> set[tuple[Size, Pose]]:
    found = np.argwhere(valid(assembly)).tolist()
    return {(assembly.kinds[kind][0], Pose(x, y, z, assembly.kinds[kind][1])) for kind, x, y, z in found}


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_valid_placements_are_those_of_brute_force(data: st.DataObject) -> None:
    """Through any sequence of bricks put on and taken off, with boxes that run empty on the way."""
    sizes = data.draw(st.lists(st.sampled_from(BRICKS), min_size=1, max_size=6, unique=True))
    counts = data.draw(st.lists(st.one_of(st.none(), st.integers(1, 3)), min_size=len(sizes), max_size=len(sizes)))
    inventory = Inventory(tuple(zip(sizes, counts, strict=True)))
    assembly = MixedAssembly(SHAPE, inventory)
    for _ in range(data.draw(st.integers(1, 12))):
        possible = sorted(listed(assembly))
        if possible and (not len(assembly) or data.draw(st.integers(0, 3))):
            put(assembly, *data.draw(st.sampled_from(possible)))
        elif len(assembly) > 1:
            take_brick(assembly.arrays, data.draw(st.sampled_from(sorted(assembly.bricks))))
        bricks = assembly.bricks
        assert listed(assembly) == brute_force(list(bricks.values()), inventory)
        assert not inventory.lacking(size for size, _ in bricks.values())
        owner = {cell: brick for brick, (size, pose) in bricks.items() for cell in size.cells(pose)}
        for brick, (size, pose) in bricks.items():
            around = {(x, y, z + step) for x, y, z in size.cells(pose) for step in (-1, 1)}
            assert assembly.neighbours(brick) == {owner[cell] for cell in around & owner.keys()}


def test_a_2x4_can_be_joined_to_another_in_92_ways() -> None:
    """The paper's number; the readable reference of one size agrees on it."""
    reference = Assembly()
    reference.put(Pose(5, 5, 1, 0))
    assembly = MixedAssembly((14, 14, 3), Inventory(((BRICK_2X4, None),)))
    put(assembly, BRICK_2X4, Pose(5, 5, 1, 0))
    assert valid(assembly).sum() == reference.mask().sum() == 92


@pytest.mark.parametrize(("size", "ways"), [("1x1", 2 * 8), ("1x2", 2 * (2 * 5 + 3 * 4)), ("2x2", 2 * 3 * 5)])
def test_small_bricks_on_a_2x4(size: str, ways: int) -> None:
    """Counted by hand: (2 + a - 1) (4 + b - 1) corners for a brick of a x b studs, above and below, each direction."""
    assembly = MixedAssembly((14, 14, 3), Inventory(((BRICK_2X4, 1), (Size.parse(size), None))))
    put(assembly, BRICK_2X4, Pose(5, 5, 1, 0))
    assert valid(assembly).sum() == ways  # and no second 2x4, for there is none


def test_a_box_runs_empty_and_fills_again() -> None:
    assembly = MixedAssembly((4, 4, 4), Inventory.parse("2x2=2"))
    put(assembly, Size(2, 2), Pose(1, 1, 0))
    top = put(assembly, Size(2, 2), Pose(2, 2, 1))
    assert assembly.left == {Size(2, 2): 0}
    assert not valid(assembly).any()
    assert not is_free(assembly.arrays, 0, 0, 0, 2)
    take_brick(assembly.arrays, top)
    assert valid(assembly).sum() == 9
    assert not is_free(assembly.arrays, 0, 2, 0, 0)
