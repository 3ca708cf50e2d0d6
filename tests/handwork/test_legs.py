"""Legs that are alike, found on tables."""

from handwork.replay import wrongs

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.handwork.cuts import Cut
from brickbybrick.handwork.legs import legs_of
from brickbybrick.handwork.pile import Pile
from brickbybrick.handwork.plan import handwork_of

CORNERS = ((0, 0), (6, 0), (0, 6), (6, 6))


def leg(x: int, y: int, high: int) -> list[PlacedBrick]:
    return [PlacedBrick("2x2", x, y, 3 * up, 0) for up in range(high)]


def table(*high: int) -> list[PlacedBrick]:
    """Legs of so many bricks at the corners, and two layers of bricks over them."""
    legs = [brick for (x, y), bricks in zip(CORNERS, high, strict=True) for brick in leg(x, y, bricks)]
    top = 3 * max(high)
    along = [PlacedBrick("2x8", x, 0, top, 0) for x in (0, 2, 4, 6)]
    return [*legs, *along, *(PlacedBrick("2x8", 0, y, top + 3, 1) for y in (0, 2, 4, 6))]


def found(bricks: list[PlacedBrick]) -> list[list[int]]:
    everything = Cut(frozenset(range(len(bricks))), turned=False)
    return [sorted(cut.bricks) for cut in legs_of(Pile(tuple(bricks)), everything)]


def test_what_stands_alone_up_to_where_it_is_joined_is_a_leg() -> None:
    assert found(table(5, 5, 5, 5)) == [list(range(first, first + 5)) for first in (0, 5, 10, 15)]


def test_few_bricks_are_laid_in_their_place() -> None:
    assert found(table(3, 3, 3, 3)) == []


def test_a_leg_unlike_all_others_is_laid_in_its_place() -> None:
    bricks = table(4, 4, 4, 4)
    bricks[0:2] = [PlacedBrick("1x2", 0, 0, 0, 0), PlacedBrick("1x2", 1, 0, 0, 0), PlacedBrick("2x2", 0, 0, 3, 0)]
    assert found(bricks) == [list(range(first, first + 4)) for first in (5, 9, 13)]


def test_legs_are_built_once_for_all() -> None:
    bench = [*leg(0, 0, 5), *leg(6, 0, 5), PlacedBrick("2x8", 0, 0, 15, 1)]
    handwork = handwork_of(Construction(tuple(bench)))
    assert [chunk.copy_of for chunk in handwork.chunks] == [None, 0, None]
    assert set(handwork.whole.steps[0].chunks) == {0, 1}
    assert wrongs(bench, handwork) == []
