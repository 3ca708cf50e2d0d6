"""Portions that one takes in at a glance."""

from itertools import product

import pytest
from handwork.hard_models import along_x, tower

from brickbybrick.construction import PlacedBrick
from brickbybrick.handwork.pile import Pile
from brickbybrick.handwork.steps import MOST, MOST_LARGE, Portioner, most_of


def portioner(bricks: list[PlacedBrick], most: int = MOST, mirrored: bool = True) -> Portioner:
    pile = Pile(tuple(bricks))
    ends = [brick.x + brick.shape.extent(brick.d)[0] for brick in bricks]
    back = [brick.y + brick.shape.extent(brick.d)[1] for brick in bricks]
    middle = min(b.x for b in bricks) + max(ends), min(b.y for b in bricks) + max(back)
    return Portioner(pile, pile.upright, most, middle, mirrored)


def test_large_models_have_larger_steps() -> None:
    sizes = [most_of(bricks) for bricks in (1, 100, 480, 1000, 2000, 10**6)]
    assert sizes == sorted(sizes)
    assert sizes[0] == sizes[1] == MOST
    assert sizes[-1] == MOST_LARGE


@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize("count", [1, 7, 8, 9, 16, 30])
def test_a_layer_is_cut_evenly(count: int, mirrored: bool) -> None:
    row = [along_x("2x2", 2 * place, 0, 0) for place in range(count)]
    some = portioner(row, mirrored=mirrored)
    some.lay(range(count))
    sizes = [len(portion.bricks) for portion in some.finish()]
    assert sum(sizes) == count
    assert max(sizes) <= MOST
    assert len(sizes) <= -(-count // MOST) + 1


def test_mirror_images_come_together() -> None:
    """Four legs far apart grow together."""
    corners = list(product((0, 10), (0, 6)))
    bricks = [brick for x, y in corners for brick in tower(x, y, 3)]
    some = portioner(bricks)
    for layer in range(3):
        some.lay([brick for brick in range(len(bricks)) if bricks[brick].z == 3 * layer])
    for portion in some.finish():
        places = [{(bricks[b].x, bricks[b].y) for b in portion.bricks if bricks[b].z == z} for z in (0, 3, 6)]
        assert all(len(place) in (0, 4) for place in places)


def test_small_layers_come_together_unless_one_hides_another() -> None:
    post = tower(0, 0, 3)
    some = portioner(post)
    for brick in range(3):
        some.lay([brick])
    assert [portion.bricks for portion in some.finish()] == [(0, 1, 2)]
    # A brick between four walls is seen until something covers it.
    walls = [
        *(along_x("1x6", 0, y, up) for y in (0, 5) for up in (0, 1)),
        *(PlacedBrick("1x4", x, 1, 3 * up, 0) for x in (0, 5) for up in (0, 1)),
    ]
    inside = [along_x("2x2", 2, 2, 0), along_x("plate 4x4", 1, 1, 1)]
    some = portioner([*walls, *inside], most=20)
    some.lay(range(8))
    some.lay([8])
    some.lay([9])
    assert some.finish()[-1].bricks == (9,)


def test_what_is_put_on_as_one_is_a_portion_of_its_own() -> None:
    bricks = [*tower(0, 0, 2), *tower(4, 0, 2)]
    some = portioner(bricks)
    some.lay([0])
    some.put_on([-1], [2, 3])
    some.lay([1])
    assert [(portion.items, portion.bricks) for portion in some.finish()] == [
        ((0,), (0,)),
        ((-1,), (2, 3)),
        ((1,), (1,)),
    ]
