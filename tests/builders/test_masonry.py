"""Laying bricks: cells covered once, pieces as studs join them, courses in eight orders."""

import itertools

import numpy as np
import pytest
from builders.yards import in_plates, pieces_by_trying, yard_of
from geometry.boxes import put
from geometry.models import at, brick

from brickbybrick.builders.mason import Work
from brickbybrick.builders.masonry import (
    JITTER,
    SHARES,
    course,
    find_pieces,
    inside_of,
    lay,
    piece_sizes,
)
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.inventory import ALL_BRICKS, WITH_PLATES, Inventory
from brickbybrick.geometry.mixed import take_brick


def test_what_is_laid_covers_what_is_wanted_once() -> None:
    rng = np.random.default_rng(1)
    wanted = rng.random((9, 7, 2)) < 0.7
    assembly, yard = yard_of(wanted)
    laid = np.empty(200, np.int64)
    count = sum(lay(yard, course(wanted, z, z), JITTER, 1.0, laid) for z in range(2))
    assert count == len(assembly)
    cells = [cell for size, pose in assembly.bricks.values() for cell in size.cells(pose)]
    assert len(cells) == len(set(cells))
    assert set(cells) == in_plates(wanted)  # 1x1 bricks fill the last gaps


def test_a_share_of_a_brick_may_be_unwanted() -> None:
    """Three cells in a row of four: whole bricks keep to them, one of which three quarters are wanted does not."""
    wanted = np.zeros((6, 6, 1), bool)
    wanted[1:4, 1:3, 0] = True
    for share in SHARES:
        assembly, yard = yard_of(wanted)
        lay(yard, course(wanted, 0, 7), 0.0, share, np.empty(200, np.int64))
        for size, pose in assembly.bricks.values():
            inside = sum(wanted[x, y, 0] for x, y in size.footprint(pose))
            assert inside >= share * size.area - 1e-9


@pytest.mark.parametrize("scan", range(8))
def test_a_course_goes_through_a_layer_from_a_corner(scan: int) -> None:
    wanted = np.random.default_rng(2).random((5, 6, 3)) < 0.6
    cells = course(wanted, 1, scan)
    assert sorted(map(tuple, cells.tolist())) == [(x, y, 1) for x, y in np.argwhere(wanted[:, :, 1]).tolist()]
    along = 0 if scan & 4 else 1  # the axis that changes last
    steps = np.diff(cells[:, along])
    assert np.all(steps >= 0) or np.all(steps <= 0)
    for line in np.unique(cells[:, along]):
        within = np.diff(cells[cells[:, along] == line, 1 - along])
        assert np.all(within > 0) or np.all(within < 0)


def test_the_eight_orders_differ() -> None:
    wanted = np.ones((4, 5, 1), bool)
    orders = [course(wanted, 0, scan).tolist() for scan in range(8)]
    assert all(one != other for one, other in itertools.combinations(orders, 2))


def test_no_more_bricks_are_laid_than_may_be() -> None:
    work = Work(np.ones((8, 8, 2), bool), ALL_BRICKS, seed=0, budget=5)
    assert work.lay_all() == 1 - 5 * 8 / 128  # of which is lacking
    assert len(work.assembly) <= 5


@pytest.mark.parametrize("seed", range(4))
def test_pieces_are_what_studs_hold_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wanted = rng.random((8, 8, 3)) < 0.5
    assembly, yard = yard_of(wanted, seed)
    laid = np.empty(200, np.int64)
    for z in range(3):
        lay(yard, course(wanted, z, seed), JITTER, 1.0, laid)
    pieces = pieces_by_trying(assembly)
    assert find_pieces(yard) == len(pieces)
    assert {
        frozenset(each for each in assembly.bricks if yard.piece[each] == yard.piece[number])
        for number in assembly.bricks
    } == pieces
    sizes = piece_sizes(yard)
    for piece in pieces:  # whole bricks inside what is wanted: as many cells as they have
        cells = sum(assembly.bricks[each][0].area for each in piece)
        assert sizes[yard.piece[min(piece)]] == cells


def test_bricks_side_by_side_are_pieces_of_their_own_until_one_lies_across() -> None:
    wanted = np.zeros((8, 4, 2), bool)
    assembly, yard = yard_of(wanted)
    for x in (0, 2, 4):
        put(assembly, brick(2, 4), at(x, 0, 0))
    assert find_pieces(yard) == 3
    across = put(assembly, brick(2, 4), at(1, 0, 1))
    assert find_pieces(yard) == 2
    take_brick(assembly.arrays, across)
    assert find_pieces(yard) == 3


def test_a_piece_counts_for_what_is_wanted_less_what_is_not() -> None:
    """A 2x4 of which six cells are wanted: six for it, two against it."""
    wanted = np.zeros((4, 4, 1), bool)
    wanted[0:2, 0:3, 0] = True
    assembly, yard = yard_of(wanted)
    number = put(assembly, brick(2, 4), at(0, 0, 0))
    find_pieces(yard)
    assert inside_of(yard, number) == (6, 8)
    assert piece_sizes(yard).tolist() == [4]


def test_a_large_plate_joins_as_many_pieces_as_it_has_studs_above_and_below() -> None:
    """A 4x8 plate between 32 bricks under it and 32 over it, none of which anything else joins."""
    wanted = np.zeros((4, 8, 7), bool)
    assembly, yard = yard_of(wanted, 0, Inventory.parse("plate 4x8,1x1"), 1)
    for x, y, z in np.ndindex(4, 8, 2):
        put(assembly, brick(1, 1), Pose(x, y, 4 * z))
    assert find_pieces(yard) == 64
    wanted[:, :, 3] = True
    lay(yard, course(wanted, 3, 0), 0.0, 1.0, np.empty(1, np.int64))
    assert find_pieces(yard) == 1


def test_bricks_begin_where_bricks_do() -> None:
    """In a solid block of plates, so that seams meet; where a block ends between two such layers, plates fill it."""
    wanted = np.ones((8, 8, 8), bool)
    assembly, yard = yard_of(wanted, 0, WITH_PLATES, 1)
    for z in range(8):
        lay(yard, course(wanted, z, z), JITTER, 1.0, np.empty(200, np.int64))
    assert in_plates(wanted, 1) == {cell for part, pose in assembly.bricks.values() for cell in part.cells(pose)}
    assert {pose.z for part, pose in assembly.bricks.values() if part.kind == "brick"} == {0, 3}
    assert {pose.z for part, pose in assembly.bricks.values() if part.kind == "plate"} == {6, 7}
