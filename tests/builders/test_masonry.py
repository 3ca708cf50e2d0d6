"""Laying bricks: cells covered once, pieces as studs join them, courses in eight orders."""

import itertools

import numpy as np
import pytest
from builders.yards import pieces_by_trying, yard_of
from geometry.boxes import put

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
from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.geometry.inventory import ALL_BRICKS
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
    assert set(cells) == {(x, y, z) for x, y, z in np.argwhere(wanted).tolist()}  # 1x1 bricks fill the last gaps


def test_a_share_of_a_brick_may_be_unwanted() -> None:
    """Three cells in a row of four: whole bricks keep to them, one of which three quarters are wanted does not."""
    wanted = np.zeros((6, 6, 1), bool)
    wanted[1:4, 1:3, 0] = True
    for share in SHARES:
        assembly, yard = yard_of(wanted)
        lay(yard, course(wanted, 0, 7), 0.0, share, np.empty(200, np.int64))
        for size, pose in assembly.bricks.values():
            inside = sum(wanted[cell] for cell in size.cells(pose))
            assert inside >= share * size.studs - 1e-9


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
    assert not work.lay_all()
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
        frozenset(each for each in assembly.bricks if yard.piece[each] == yard.piece[brick])
        for brick in assembly.bricks
    } == pieces
    sizes = piece_sizes(yard)
    for piece in pieces:  # whole bricks inside what is wanted: as many cells as they have
        cells = sum(assembly.bricks[brick][0].studs for brick in piece)
        assert sizes[yard.piece[min(piece)]] == cells


def test_bricks_side_by_side_are_pieces_of_their_own_until_one_lies_across() -> None:
    wanted = np.zeros((8, 4, 2), bool)
    assembly, yard = yard_of(wanted)
    for x in (0, 2, 4):
        put(assembly, Size(2, 4), Pose(x, 0, 0))
    assert find_pieces(yard) == 3
    across = put(assembly, Size(2, 4), Pose(1, 0, 1))
    assert find_pieces(yard) == 2
    take_brick(assembly.arrays, across)
    assert find_pieces(yard) == 3


def test_a_piece_counts_for_what_is_wanted_less_what_is_not() -> None:
    """A 2x4 of which six cells are wanted: six for it, two against it."""
    wanted = np.zeros((4, 4, 1), bool)
    wanted[0:2, 0:3, 0] = True
    assembly, yard = yard_of(wanted)
    brick = put(assembly, Size(2, 4), Pose(0, 0, 0))
    find_pieces(yard)
    assert inside_of(yard, brick) == (6, 8)
    assert piece_sizes(yard).tolist() == [4]
