"""What hangs together: pieces as studs join them."""

import numpy as np
import pytest
from builders.yards import pieces_by_trying, yard_of
from geometry.boxes import put

from brickbybrick.builders.masonry import JITTER, course, lay
from brickbybrick.builders.pieces import find_pieces, inside_of, piece_sizes
from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.geometry.mixed import take_brick


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
