"""What stands on the table, piece by piece."""

import numpy as np
import pytest
from handwork.hard_models import along_x, hard_models, tower

from brickbybrick.construction import Construction
from brickbybrick.geometry.stability import tipping_angle
from brickbybrick.handwork.pieces import Pieces
from brickbybrick.handwork.pile import Pile
from brickbybrick.judging.check import pieces, sized


@pytest.mark.parametrize("model", [pytest.param(model, id=name) for name, model in hard_models()])
def test_pieces_are_those_of_the_bricks_that_are_there(model: Construction) -> None:
    """However they got there, and they topple as models of their own would."""
    rng = np.random.default_rng(2)
    pile = Pile(model.bricks)
    there = Pieces(pile, False, pile.upright.floor(range(len(model.bricks))))
    put_on: list[int] = []
    for some in np.array_split(rng.permutation(len(model.bricks)), 7):
        there.add(some.tolist())
        put_on += some.tolist()
        found = set(there.of.values())
        wanted = [{put_on[brick] for brick in piece} for piece in pieces([model.bricks[brick] for brick in put_on])]
        assert sorted(map(sorted, (piece.bricks for piece in found))) == sorted(map(sorted, wanted))
        for piece in found:
            bricks = [model.bricks[brick] for brick in piece.bricks]
            stands = min(brick.z for brick in bricks) == 0 and tipping_angle(sized(bricks)) > 0
            assert (piece.room > 0) == stands
            assert bool(there.toppling & piece.bricks) == (not stands)


def test_what_is_put_on_may_join_pieces_and_keep_them_from_toppling() -> None:
    """A long arm on a post topples it, unless it reaches another post."""
    bricks = (*tower(0, 0, 2), along_x("2x8", 0, 0, 2), *tower(6, 0, 2))
    there = Pieces(Pile(bricks), False, 0)
    there.add([0, 1])
    assert not there.stand([2])
    assert there.stand([2, 3, 4])
    there.add([3, 4])
    assert there.stand([2])
    there.add([2])
    assert len(set(there.of.values())) == 1


def test_what_floats_does_not_stand() -> None:
    bricks = (*tower(0, 0, 1), along_x("2x2", 5, 0, 1))
    there = Pieces(Pile(bricks), False, 0)
    assert there.stand([0])
    assert not there.stand([1])
    there.add([1])
    assert not there.stand([0])
