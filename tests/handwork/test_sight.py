"""What can be seen from a corner, and what cannot."""

from itertools import product
from math import cos, radians, tan

from handwork.hard_models import hard_models

from brickbybrick.bodies import frame_of
from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.camera import in_book
from brickbybrick.geometry.sight import Sight as DrawnSight
from brickbybrick.handwork.sight import Sight

CUBE = set(product(range(5), range(5), range(5)))


def test_the_middle_of_a_cube_is_hidden_and_its_top_is_not() -> None:
    inside = {cell for cell in CUBE if all(0 < place < 4 for place in cell)}
    sight = Sight(CUBE)
    for cell in CUBE:
        is_seen = (cell not in inside and cell[2] > 0) or (cell[2] == 0 and {cell[0], cell[1]} & {0, 4})
        assert sight.sees([cell]) == bool(is_seen)
    assert not sight.sees(inside)


def test_a_well_is_looked_into_as_deep_as_its_walls_allow() -> None:
    """From 32 degrees above the table one sees into a shaft by tan 32 degrees times the way across it, which is longest
    from 33 degrees beside an axis."""
    for wide in (1, 2, 4, 6):
        walls = {
            (x, y, z)
            for x, y, z in product(range(-1, wide + 1), range(-1, wide + 1), range(30))
            if not (0 <= x < wide and 0 <= y < wide)
        }
        seen = [z for z in range(30) if Sight(walls | {(0, 0, z)}).sees([(0, 0, z)])]
        deep = (wide - 0.5) / cos(radians(33)) * tan(radians(32)) / 0.4  # plates below the rim, from the cell's top
        assert abs(min(seen) + 1 + deep - 30) <= 1


def test_things_on_either_side_of_a_wall_are_not_seen_at_once() -> None:
    wall = set(product(range(1, 2), range(-20, 20), range(20)))
    near, far = {(0, 0, 0)}, {(2, 0, 0)}
    sight = Sight(wall | near | far)
    assert sight.sees(near)
    assert sight.sees(far)
    assert not sight.sees(near, far)
    assert sight.sees(near, {(0, 1, 0)})


def test_what_is_said_to_be_seen_is_seen_in_pictures() -> None:
    """Of finished models, by the pictures that a book has of the four sides."""
    for _, model in hard_models():
        cells: list[set[Cell]] = [set(brick.cells()) for brick in model.bricks]
        sight = Sight(set().union(*cells))
        shown = set()
        for quarters in range(4):
            view = in_book(quarters)
            drawn = DrawnSight(view, *frame_of(list(model.bricks), view))
            for brick in model.bricks:
                drawn.add(brick.shape, brick.pose)
            shown |= {brick for brick, points in enumerate(drawn.points()) if points}
        assert {brick for brick, some in enumerate(cells) if sight.sees(some)} <= shown
