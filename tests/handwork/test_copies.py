"""Chunks that are alike."""

from dataclasses import replace
from itertools import product

import pytest
from handwork.hard_models import along_x, hard_models, tower

from brickbybrick.construction import PlacedBrick
from brickbybrick.geometry.part import PARTS
from brickbybrick.handwork.copies import Move, counterparts, in_colour, move_of, moved, with_copies
from brickbybrick.handwork.work import Chunk, Handwork, Step


@pytest.mark.parametrize("turn", range(4))
def test_a_brick_moves_as_its_cells_and_studs_do(turn: int) -> None:
    """Which are turned one by one, about the corner of a cell."""
    for part, (x, y, d) in product(PARTS, ((0, 0, 0), (3, -2, 1), (-5, 7, 2), (1, 1, 3))):
        if d in part.directions:
            brick = PlacedBrick(str(part), x, y, 4, d)
            there = moved(brick, Move(turn, 5, -1, 2))
            for which in ("footprint", "studs", "sockets"):
                columns = set(getattr(part, which)(brick.pose))
                for _ in range(turn):
                    columns = {(-y - 1, x) for x, y in columns}
                assert set(getattr(part, which)(there.pose)) == {(x + 5, y - 1) for x, y in columns}
            assert (there.z, there.part) == (6, brick.part)


def test_every_model_is_found_again_after_a_move() -> None:
    for _, model in hard_models():
        count = len(model.bricks)
        for move in (Move(0, 30, 0, 3), Move(1, 0, 30, 0), Move(2, -30, 0, 0), Move(3, 7, 40, 9)):
            both = [*model.bricks, *reversed([moved(brick, move) for brick in model.bricks])]
            own = counterparts(range(count), range(count, 2 * count), both)
            assert own is not None
            cells = {cell for brick in range(count) for cell in moved(both[brick], move).cells()}
            assert {cell for brick in own.values() for cell in both[brick].cells()} == cells
            assert [both[own[brick]].part for brick in range(count)] == [brick.part for brick in model.bricks]


LEGS = [*tower(0, 0, 2), *tower(6, 4, 2), along_x("2x8", 0, 0, 2)]
TABLE = Handwork(
    (
        Chunk((Step((0,)), Step((1,)))),
        Chunk((Step((2, 3)),)),
        Chunk((Step(chunks=(0, 1)), Step((4,)))),
    )
)


def test_what_is_alike_is_built_by_the_same_steps() -> None:
    found = with_copies(TABLE, LEGS)
    assert found.chunks[1] == Chunk((Step((2,)), Step((3,))), copy_of=0)
    assert move_of(found, 1, LEGS) == Move(0, 6, 4, 0)
    assert move_of(found, 0, LEGS) is None
    assert found.whole == TABLE.whole
    found.check(len(LEGS))


def test_what_has_another_colour_or_lies_upside_down_is_no_copy() -> None:
    red = with_copies(TABLE, LEGS)
    assert in_colour(red, LEGS) == red
    blue = [replace(brick, colour=1) if number == 3 else brick for number, brick in enumerate(LEGS)]
    assert in_colour(red, blue).chunks[1] == replace(red.chunks[1], copy_of=None)
    over = replace(TABLE, chunks=(TABLE.chunks[0], replace(TABLE.chunks[1], turned=True), TABLE.whole))
    assert with_copies(over, LEGS) == over
    askew = [*LEGS[:3], replace(LEGS[3], x=7), LEGS[4]]
    assert with_copies(TABLE, askew) == TABLE
