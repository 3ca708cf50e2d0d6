"""Handwork keeps books of bricks and chunks."""

import pytest

from brickbybrick.errors import InputError
from brickbybrick.handwork.work import Chunk, Handwork, Step, in_one_go

# Two legs that are alike, and a seat that is put on both before its last brick.
STOOL = Handwork(
    (
        Chunk((Step((0,)), Step((1,)))),
        Chunk((Step((2,)), Step((3,))), copy_of=0),
        Chunk((Step((5, 4)),), turned=True),
        Chunk((Step(chunks=(0, 1)), Step((6,), (2,)))),
    )
)


def test_bricks_are_told_in_the_order_in_which_they_are_touched_and_become_part_of_a_chunk() -> None:
    STOOL.check(7)
    assert STOOL.order == [0, 1, 2, 3, 5, 4, 6]
    assert STOOL.bricks_of(2) == [5, 4]
    assert STOOL.bricks_of(3) == [0, 1, 2, 3, 5, 4, 6]
    assert [(there, new) for _, there, new in STOOL.so_far(3)] == [([], [0, 1, 2, 3]), ([0, 1, 2, 3], [5, 4, 6])]
    assert [number for number, _ in STOOL.steps] == [0, 0, 1, 1, 2, 3, 3]


def test_steps_in_one_go_are_one_chunk() -> None:
    plain = in_one_go([[1], [0, 2]])
    plain.check(3)
    assert plain.order == [1, 0, 2]
    assert plain.whole.steps == (Step((1,)), Step((0, 2)))


@pytest.mark.parametrize(
    ("chunks", "wrong"),
    [
        ((), "without steps"),
        ((Chunk((Step((0,)), Step())),), "adds nothing"),
        ((Chunk((Step((0, 0)),)),), "name every brick once"),
        ((Chunk((Step((0,)),)), Chunk((Step((1,)),))), "twice or never"),
        ((Chunk((Step((0,), (1,)),)), Chunk((Step((1,)),))), "twice or never|before it is built"),
    ],
)
def test_what_leaves_bricks_or_chunks_out_is_an_error(chunks: tuple[Chunk, ...], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        Handwork(chunks).check(2)
