"""What lies on what, upright and upside down."""

import numpy as np
import pytest
from handwork.hard_models import along_x, frame, hard_models, table, tower

from brickbybrick.construction import PlacedBrick
from brickbybrick.handwork.pile import Pile, joined_groups

PILES = [Pile(model.bricks) for _, model in hard_models()]


def turned_over(bricks: tuple[PlacedBrick, ...]) -> list[set[tuple[int, int, int]]]:
    """The cells of plain bricks after half a turn about a line along x."""
    return [{(x, -y, -z) for x, y, z in brick.cells()} for brick in bricks]


@pytest.mark.parametrize("turned", [False, True])
def test_what_is_under_a_brick_is_what_its_cells_lie_on(turned: bool) -> None:
    for pile in PILES:
        cells = turned_over(pile.bricks) if turned else [set(brick.cells()) for brick in pile.bricks]
        side = pile.side(turned)
        low = [min(z for *_, z in some) for some in cells]
        assert [begin - min(side.begins) for begin in side.begins] == [each - min(low) for each in low]
        for one, some in enumerate(cells):
            below = {(x, y, z - 1) for x, y, z in some} - some
            assert side.under[one] == {other for other, those in enumerate(cells) if those & below}
            assert all(one in side.over[other] for other in side.under[one])


def test_what_hangs_can_lie_on_nothing() -> None:
    """Of a frame nothing does but the middle of its beam, upside down nothing but its posts' other bricks."""
    pile = Pile(tuple(frame()))
    everything = range(len(pile.bricks))
    middle = next(i for i in everything if pile.bricks[i].part == "2x8" and pile.bricks[i].x == 4)
    assert pile.upright.hanging(everything) == {middle}
    assert pile.turned.hanging(everything) == set()
    posts = [i for i in everything if pile.bricks[i].part == "2x2"]
    assert pile.upright.hanging(posts) == set()
    assert pile.turned.hanging([i for i in posts if pile.bricks[i].z != 21]) == set()


def test_bricks_lie_on_the_table_or_on_others_that_they_are_joined_to() -> None:
    """A beam on two towers, and a brick under its middle."""
    side = Pile((*tower(0, 0, 2), *tower(6, 0, 2), along_x("2x2", 3, 0, 1), along_x("2x8", 0, 0, 2))).upright
    foot, hung, beam = 0, 4, 5
    assert side.bears([foot], [], side.begins[foot])
    assert side.bears([hung, beam], [1, 3], side.begins[foot])
    assert not side.bears([hung], range(4), side.begins[foot])
    assert not side.bears([beam], [foot], side.begins[foot])


def test_a_slope_cannot_stand_on_its_back() -> None:
    pile = Pile((PlacedBrick("2x4", 0, 0, 0, 0), PlacedBrick("tile 2x2", 0, 0, 3, 0), PlacedBrick("2x2", 0, 2, 3, 0)))
    assert pile.upright.can_stand == (True, True, True)
    assert pile.turned.can_stand == (True, False, True)


@pytest.mark.parametrize("turned", [False, True])
def test_items_wait_for_all_that_is_under_them(turned: bool) -> None:
    """Whatever lies in a column below comes before, by itself or through others."""
    rng = np.random.default_rng(0)
    for pile in PILES:
        items = {brick: int(rng.integers(-4, 0)) if rng.random() < 0.3 else brick for brick in range(len(pile.bricks))}
        del items[0]
        before = pile.piled(items, turned)
        assert set(before) == set(items.values())
        for item in before:
            reached, waiting = set(before[item]), list(before[item])
            while waiting:
                new = before[waiting.pop()] - reached
                reached |= new
                waiting += new
            own = [pile.bricks[brick] for brick, its in items.items() if its == item]
            for brick, its in items.items():
                other = pile.bricks[brick]
                shared = [
                    mine
                    for mine in own
                    if set(mine.shape.footprint(mine.pose)) & set(other.shape.footprint(other.pose))
                ]
                is_under = any((other.z > mine.z) if turned else (other.z < mine.z) for mine in shared)
                if its != item and is_under:
                    assert its in reached


def test_groups_hang_together_and_not_with_each_other() -> None:
    bricks = [*table(), *tower(20, 0, 3), along_x("2x8", 30, 0, 0)]
    pile = Pile(tuple(bricks))
    groups = joined_groups(range(len(bricks)), pile.upright)
    assert [len(group) for group in groups] == [len(table()), 3, 1]
    legs = [i for i, brick in enumerate(bricks) if brick.part == "2x2" and brick.x < 20]
    assert joined_groups(legs, pile.upright) == [legs[:6], legs[6:12], legs[12:18], legs[18:]]
