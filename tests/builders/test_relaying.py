"""Bricks laid anew: walls joined and bridged."""

import numpy as np
from builders.yards import in_plates, pieces_by_trying, yard_of
from geometry.boxes import put
from geometry.models import at, brick

from brickbybrick.builders.masonry import Yard, find_pieces
from brickbybrick.builders.relaying import bridge, join
from brickbybrick.builders.shades import no_shades
from brickbybrick.geometry.inventory import WITH_PLATES
from brickbybrick.geometry.mixed import MixedAssembly, put_brick
from brickbybrick.jit import seeded


def test_two_walls_side_by_side_are_joined_by_laying_them_anew() -> None:
    """Columns of 2x2 bricks: no stud joins one to the other, but bricks across both do, of the same cells."""
    wanted = np.zeros((8, 6, 4), bool)
    wanted[2:6, 2:4] = True
    assembly, yard = yard_of(wanted)
    for z in range(4):
        for x in (2, 4):
            put(assembly, brick(2, 2), at(x, 2, z))
    assert find_pieces(yard) == 2
    assert join(yard, 400) == 1
    assert len(pieces_by_trying(assembly)) == 1
    cells = {cell for size, pose in assembly.bricks.values() for cell in size.cells(pose)}
    assert cells == in_plates(wanted)


def test_tiles_in_line_with_their_base_are_joined_by_laying_the_base_anew() -> None:
    """Each 2x2 lies on one of its own; bricks across their seams need room that larger ones in line would take."""
    wanted = np.zeros((14, 14, 3), bool)
    wanted[3:11, 3:11, :2] = True
    assembly, yard = yard_of(wanted)
    for z in range(2):
        for x in range(3, 11, 2):
            for y in range(3, 11, 2):
                put(assembly, brick(2, 2), at(x, y, z))
    assert find_pieces(yard) == 16
    assert join(yard, 400) == 1
    assert len(pieces_by_trying(assembly)) == 1
    cells = {cell for size, pose in assembly.bricks.values() for cell in size.cells(pose)}
    assert cells == in_plates(wanted)


def test_what_lies_apart_is_bridged_where_that_gains_something() -> None:
    """Two bricks in one layer: one over both joins them, if a piece is worth more than cells that nobody wants."""
    wanted = np.zeros((12, 6, 3), bool)
    wanted[2:10, 2:4, 0] = True
    for weight, joined in ((0.1, True), (5.0, False)):
        assembly, yard = yard_of(wanted)
        main = put(assembly, brick(2, 4), at(2, 2, 0, 1))
        put(assembly, brick(2, 4), at(6, 2, 0, 1))
        find_pieces(yard)
        assert bridge(yard, main, weight) == joined
        assert len(pieces_by_trying(assembly)) == (1 if joined else 2)


def test_a_plate_beside_a_brick_is_joined_by_plates_in_the_bricks_place() -> None:
    """An arm one plate high at half the height of a pole's uppermost brick: no part that is laid touches both."""
    wanted = np.zeros((12, 7, 7), bool)
    wanted[3, 3, :6] = True
    wanted[3:9, 3, 4] = True
    assembly, shades = MixedAssembly(wanted.shape, WITH_PLATES, 60), no_shades(wanted.shape, WITH_PLATES)
    yard = Yard(assembly.arrays, wanted, np.zeros(60, np.int64), seeded(1, 0), np.array([60, 0]), shades)
    kinds = {(str(part), d): kind for kind, (part, d) in enumerate(assembly.kinds)}
    for part, d, x, z in (("1x1", 0, 3, 0), ("1x1", 0, 3, 3), ("plate 1x3", 1, 4, 4), ("plate 1x2", 1, 7, 4)):
        put_brick(assembly.arrays, kinds[part, d], x, 3, z)
    assert find_pieces(yard) == 3
    assert join(yard, 400) == 1
    assert len(pieces_by_trying(assembly)) == 1
    cells = {cell for part, pose in assembly.bricks.values() for cell in part.cells(pose)}
    assert cells == {(x, y, z) for x, y, z in np.argwhere(wanted).tolist()}
