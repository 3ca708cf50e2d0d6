"""Steps keep the order, ask for few bricks, and know from where each brick comes."""

import random

import pytest

from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.export.steps import arrivals, check_steps, flattened, grouped
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.handwork.work import Chunk, Handwork, Step

TOWER = Construction.of_poses(BRICK_2X4, [(2 * x, 0, z, 0) for z in range(6) for x in range(10)])


def ways(*poses: tuple[int, int, int, int]) -> list[str]:
    model = Construction.of_poses(BRICK_2X4, poses)
    return list(arrivals(range(len(poses)), model))


def test_bricks_on_the_ground_or_on_bricks_come_from_above() -> None:
    assert ways((0, 0, 0, 0), (9, 9, 0, 0), (1, 0, 1, 0)) == ["from above"] * 3


def test_a_brick_that_only_the_layer_above_holds_comes_from_below() -> None:
    assert ways((0, 0, 0, 0), (0, 2, 1, 0), (0, 4, 2, 0), (0, 6, 1, 0))[-1] == "from below"
    # The ground holds nothing: a brick that is pressed on from below is, also in the lowest layer.
    assert ways((0, 0, 0, 0), (1, 0, 1, 1), (3, 0, 0, 0))[-1] == "from below"


def test_a_brick_with_bricks_below_and_above_has_to_slide_in() -> None:
    assert ways((0, 0, 0, 0), (2, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 1), (2, 0, 1, 0))[-1] == "in between"


def test_a_brick_that_touches_nothing_yet_is_held_by_nothing() -> None:
    assert ways((0, 0, 0, 0), (9, 9, 1, 0)) == ["from above", "held by nothing"]


@pytest.mark.parametrize(("bricks", "most"), [(60, 8), (600, 10), (3000, 24)])
def test_steps_keep_the_order_and_ask_for_few_bricks_of_one_layer(bricks: int, most: int) -> None:
    """More in large models, which would need too many pages."""
    wall = Construction.of_poses(BRICK_2X4, [(2 * x, 0, z, 0) for z in range(6) for x in range(bricks // 6)])
    order = list(range(bricks))
    steps = grouped(order, wall)
    assert [index for step in steps for index in step] == order
    assert all(1 <= len(step) <= most for step in steps)
    assert all(len({wall.bricks[index].z for index in step}) == 1 for step in steps)
    assert len(steps[0]) == 1


def test_steps_grow_slowly_and_layers_are_cut_evenly() -> None:
    assert [len(step) for step in grouped(range(60), TOWER)] == [1, 2, 3, 4, *[5] * 10]


def test_bricks_that_hang_have_steps_of_their_own() -> None:
    poses = [(0, 0, 0, 0), (0, 0, 1, 1), (4, 0, 1, 1), (3, 0, 2, 1), (8, 0, 1, 0), (7, 0, 2, 1), (9, 2, 1, 0)]
    model = Construction.of_poses(BRICK_2X4, poses)
    found = dict(enumerate(arrivals(range(7), model)))
    for step in grouped(range(7), model):
        assert len({found[index] for index in step}) == 1


def test_any_order_can_be_cut() -> None:
    order = list(range(60))
    random.Random(0).shuffle(order)
    assert [index for step in grouped(order, TOWER) for index in step] == order


def test_every_brick_has_to_be_placed_once() -> None:
    check_steps([list(range(30)), list(range(30, 60))], TOWER)
    for wrong in ([range(59)], [[*range(60), 3]], [[*range(59), 0]], [[*range(59), 60]]):
        with pytest.raises(InputError, match="name every brick once"):
            check_steps(wrong, TOWER)
    with pytest.raises(InputError, match="without bricks"):
        check_steps([range(60), []], TOWER)


def test_without_chunks_their_steps_are_where_they_are_put_on() -> None:
    inner = Chunk((Step((4,)), Step((5, 6))))
    outer = Chunk((Step((3,)), Step((2,), (0,))))
    whole = Chunk((Step((0,)), Step(chunks=(1,)), Step((1,))))
    assert flattened(Handwork((inner, outer, whole))) == [[0], [3], [4], [5, 6], [2], [1]]
