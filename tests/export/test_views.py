"""The model is turned where that shows more, stays where nothing is gained, and comes back."""

from itertools import pairwise, product

import numpy as np
import pytest
from export.furniture import BY_HAND, TABLE

from brickbybrick.bodies import frame_of
from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.export.views import ENOUGH, cheapest, glimpses_of, views_of
from brickbybrick.geometry.camera import in_book
from brickbybrick.geometry.sight import Sight
from brickbybrick.handwork.work import in_one_go
from brickbybrick.picture import draw, visible

# A high wall, things behind it that it hides from the front, then one in front of it, and more on top.
WALL = [PlacedBrick("2x8", 0, 4, 3 * z, 1) for z in range(4)] + [PlacedBrick("plate 4x8", 0, 6, 0, 1)]
BEHIND = [PlacedBrick("1x1", x, 8, 1, 0) for x in (1, 2, 3)]
FRONT = [PlacedBrick("2x2", 2, 0, 0, 0), PlacedBrick("plate 2x8", 0, 2, 0, 1)]
TOP = [PlacedBrick("2x2", x, 4, 12 + 3 * z, 0) for z in range(3) for x in (0, 6)]
MODEL = Construction((*WALL, *BEHIND, *FRONT, *TOP))
STEPS = in_one_go([[0, 1, 2, 3], [4], [5, 6], [7], [8], [9], [10, 11], [12, 13], [14, 15]])


def test_the_model_is_turned_to_show_what_is_behind_and_back_again() -> None:
    turns = views_of(MODEL, STEPS)
    assert turns[0] == 0
    assert turns[2] != 0
    assert turns[3] == turns[2]  # not there and back at each step
    assert turns[-1] == 0
    assert sum(one != other for one, other in pairwise(turns)) == 2


def test_a_brick_that_any_side_shows_is_seen() -> None:
    """As the painter has it, which knows nothing of turns."""
    there: list[int] = []
    for glimpse, (_, step) in zip(glimpses_of(MODEL, STEPS, 0), STEPS.steps, strict=True):
        there += step.bricks
        so_far = Construction(tuple(MODEL.bricks[brick] for brick in there))
        sides = []
        for quarters in range(4):
            drawn = visible(draw(so_far, view=in_book(quarters)))
            sides.append({shape.brick for shape in drawn.shapes})
        new = set(range(len(there) - len(step.bricks), len(there)))
        assert any(new <= side for side in sides)
        assert new <= sides[glimpse.quarters]
        assert min(glimpse.shares) > ENOUGH
        assert sides[glimpse.quarters] <= glimpse.seen | {0, 1, 2, 3} & glimpse.seen


def test_shares_are_of_what_a_brick_shows_alone() -> None:
    for glimpse, (_, there, new) in zip(glimpses_of(MODEL, STEPS, 0), STEPS.so_far(0), strict=True):
        view = in_book(glimpse.quarters)
        bricks = [MODEL.bricks[brick] for brick in (*there, *new)]
        sight = Sight(view, *frame_of(bricks, view))
        for brick in reversed(bricks):  # in any order
            sight.add(brick.shape, brick.pose)
        np.testing.assert_allclose(sight.shares()[::-1][len(there) :], glimpse.shares, atol=0.08)


@pytest.mark.parametrize("seed", range(10))
def test_no_way_to_turn_is_cheaper(seed: int) -> None:
    """Of all four to the fifth."""
    costs = np.random.default_rng(seed).choice([0.0, 0.2, 0.7, 3.0, 6.0], (5, 4))

    def cost(sides: tuple[int, ...]) -> float:
        turns = sum(one != other for one, other in zip((0, *sides), sides, strict=False))
        return turns + sum(costs[step, side] for step, side in enumerate(sides))

    assert cost(tuple(cheapest(costs))) == pytest.approx(min(map(cost, product(range(4), repeat=5))))


def test_every_step_has_a_view_and_those_of_copies_are_theirs() -> None:
    turns = views_of(TABLE, BY_HAND)
    assert len(turns) == len(BY_HAND.steps)
    assert turns[:4] == [turns[0]] * 4
    assert set(turns) <= {0, 1, 2, 3}
