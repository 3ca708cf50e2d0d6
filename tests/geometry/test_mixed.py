"""Bricks and plates of several sizes out of a box: against sets of cells, and against what is known of one size."""

import itertools
from collections.abc import Iterable

import numpy as np
import pytest
from geometry.boxes import put, valid
from geometry.models import BRICK_2X4, at, brick
from hypothesis import given, settings
from hypothesis import strategies as st

from brickbybrick.errors import InputError
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Cell, Pose
from brickbybrick.geometry.inventory import BRICKS, WITH_PLATES, Inventory
from brickbybrick.geometry.mixed import MixedAssembly, is_free, take_brick
from brickbybrick.geometry.part import BRICK_HIGH, Part

Placement = tuple[Part, Pose]  # in plates
# Cells of the grid, the plates that a layer of it is high, and the parts to choose from.
GRIDS = [((7, 6, 4), BRICK_HIGH, BRICKS), ((7, 6, 7), 1, WITH_PLATES.parts)]


def inside(assembly: MixedAssembly) -> Iterable[Placement]:
    """Every placement that does not leave the grid."""
    wide, deep, high = assembly.arrays.owner.shape
    for part, d in assembly.kinds:
        along_x, along_y = part.extent(d)
        corners = range(wide - along_x + 1), range(deep - along_y + 1), range(high - part.height // assembly.layer + 1)
        yield from ((part, Pose(x, y, assembly.layer * z, d)) for x, y, z in itertools.product(*corners))


def shared_studs(parts: Iterable[Placement], part: Part, pose: Pose) -> int:
    """The studs that go from a part into others, and from others into it."""
    count = 0
    for other, its in parts:
        for (lower, foot), (upper, head) in itertools.permutations([(part, pose), (other, its)]):
            if foot.z + lower.height == head.z:
                count += len(set(lower.studs(foot)) & set(upper.sockets(head)))
    return count


def check(assembly: MixedAssembly) -> None:
    """Asserts that an assembly knows what sets of cells and of studs tell."""
    arrays, parts = assembly.arrays, assembly.bricks
    filled = [cell for part, pose in parts.values() for cell in part.cells(pose)]
    cells: set[Cell] = set(filled)
    assert len(cells) == len(filled)  # no two overlap
    assert not assembly.inventory.lacking(part for part, _ in parts.values())
    used = [part for part, _ in parts.values()]
    found = set()
    for part, pose in inside(assembly):
        x, y, z, d = pose
        kind, z = assembly.kinds.index((part, d)), z // assembly.layer
        studs = shared_studs(parts.values(), part, pose)
        assert arrays.studs[kind, x, y, z] == studs
        assert arrays.taken[kind, x, y, z] * assembly.layer == len(cells & set(part.cells(pose)))
        there = not assembly.inventory.lacking([*used, part])
        if there and not arrays.taken[kind, x, y, z] and (studs or (not parts and z == 0)):
            found.add((part, pose))
    assert listed(assembly) == found
    for number, (part, pose) in parts.items():
        joined = {other for other in parts if other != number and shared_studs([parts[other]], part, pose)}
        assert assembly.neighbours(number) == joined


def listed(assembly: MixedAssembly) -> set[Placement]:
    """Every placement that is valid next, as the assembly knows it."""
    found = np.argwhere(valid(assembly)).tolist()
    return {
        (assembly.kinds[kind][0], Pose(x, y, assembly.layer * z, assembly.kinds[kind][1])) for kind, x, y, z in found
    }


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_an_assembly_knows_what_brute_force_finds(data: st.DataObject) -> None:
    """Through any sequence of parts put on and taken off, with boxes that run empty on the way."""
    shape, layer, choice = data.draw(st.sampled_from(GRIDS))
    parts = data.draw(st.lists(st.sampled_from(choice), min_size=1, max_size=6, unique=True))
    counts = data.draw(st.lists(st.one_of(st.none(), st.integers(1, 3)), min_size=len(parts), max_size=len(parts)))
    assembly = MixedAssembly(shape, Inventory.of(tuple(zip(parts, counts, strict=True))), layer=layer)
    for _ in range(data.draw(st.integers(1, 12))):
        possible = sorted(listed(assembly))
        if possible and (not len(assembly) or data.draw(st.integers(0, 3))):
            put(assembly, *data.draw(st.sampled_from(possible)))
        elif len(assembly) > 1:
            take_brick(assembly.arrays, data.draw(st.sampled_from(sorted(assembly.bricks))))
        check(assembly)


def test_a_2x4_can_be_joined_to_another_in_92_ways() -> None:
    """The paper's number; the readable reference of one size agrees on it."""
    reference = Assembly()
    reference.put(Pose(5, 5, 1, 0))
    assembly = MixedAssembly((14, 14, 3), Inventory.of(((BRICK_2X4, None),)), layer=BRICK_HIGH)
    put(assembly, BRICK_2X4, at(5, 5, 1, 0))
    assert valid(assembly).sum() == reference.mask().sum() == 92


@pytest.mark.parametrize(("size", "ways"), [("1x1", 2 * 8), ("1x2", 2 * (2 * 5 + 3 * 4)), ("2x2", 2 * 3 * 5)])
@pytest.mark.parametrize("kind", ["", "plate "])
def test_small_parts_on_a_2x4(kind: str, size: str, ways: int) -> None:
    """Counted by hand: (2 + a - 1) (4 + b - 1) corners for a part of a x b studs, above and below, each direction."""
    small = Part.parse(kind + size)
    assembly = MixedAssembly((14, 14, 9), Inventory.of(((BRICK_2X4, 1), (small, None))))
    put(assembly, BRICK_2X4, at(5, 5, 1, 0))
    assert valid(assembly).sum() == ways  # and no second 2x4, for there is none


def test_a_box_runs_empty_and_fills_again() -> None:
    assembly = MixedAssembly((4, 4, 4), Inventory.parse("2x2=2"), layer=BRICK_HIGH)
    put(assembly, brick(2, 2), at(1, 1, 0))
    top = put(assembly, brick(2, 2), at(2, 2, 1))
    assert assembly.left == {brick(2, 2): 0}
    assert not valid(assembly).any()
    assert not is_free(assembly.arrays, 0, 0, 0, 2)
    take_brick(assembly.arrays, top)
    assert valid(assembly).sum() == 9
    assert not is_free(assembly.arrays, 0, 2, 0, 0)


def test_a_layer_must_divide_the_height_of_every_part() -> None:
    with pytest.raises(InputError, match="a plate 2x4 is no layers of 3 plates high: leave it out"):
        MixedAssembly((4, 4, 4), Inventory.parse("2x4,plate 2x4"), layer=BRICK_HIGH)
