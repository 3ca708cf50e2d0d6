"""Moves of LDraw, and where parts are by them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickbybrick.construction import PlacedBrick
from brickbybrick.errors import InputError
from brickbybrick.export.ldraw_places import HEIGHT, PITCH, TURNS, Move, box_of, direction_of, move_of
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.part import PARTS

numbers = st.integers(-50, 50).map(float)
moves = st.builds(Move, st.tuples(numbers, numbers, numbers), st.tuples(*[numbers] * 9))


def matrix(move: Move) -> np.ndarray:
    made = np.eye(4)
    made[:3, :3] = np.reshape(move.turn, (3, 3))
    made[:3, 3] = move.place
    return made


@given(moves, moves, st.tuples(numbers, numbers, numbers))
def test_moves_are_matrices(one: Move, other: Move, point: tuple[float, float, float]) -> None:
    assert (matrix(one.of(other)) == matrix(one) @ matrix(other)).all()
    assert one.point(point) == tuple((matrix(one) @ [*point, 1])[:3])


def test_what_is_stretched_without_end_is_too_far() -> None:
    far = Move((0, 0, 0), (4e6, 0, 0, 0, 4e6, 0, 0, 0, 4e6))
    with pytest.raises(InputError, match="too far"):
        far.of(far)


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_a_part_fills_its_box_wherever_it_is(part) -> None:  # type: ignore[no-untyped-def]
    """The box around the origin, moved as the brick is, is the box of the cells that the brick fills."""
    for d in part.directions:
        brick = PlacedBrick(str(part), 3, -2, 5, d)
        cells = np.array(list(part.cells(Pose(3, -2, 5, d))))
        low, high = cells.min(axis=0), cells.max(axis=0) + 1
        box = box_of(part).moved(move_of(brick))
        assert np.allclose(box.low, (PITCH * low[0], -HEIGHT * high[2], PITCH * low[1]))
        assert np.allclose(box.high, (PITCH * high[0], -HEIGHT * low[2], PITCH * high[1]))
        assert direction_of(part, move_of(brick).turn) == d


def test_quarter_turns_follow_each_other() -> None:
    """One turn after the other is again one of the four, and four quarters are none."""
    quarter = Move(turn=TURNS[0])
    turned, seen = Move(), []
    for _ in range(4):
        turned = quarter.of(turned)
        seen.append(TURNS.index(turned.turn))
    assert sorted(seen) == [0, 1, 2, 3]
    assert turned == Move()
