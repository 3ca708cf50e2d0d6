"""Posts stand between two pieces that lie over each other, and cost less than what they carry."""

import numpy as np
import pytest
from builders.yards import pieces_by_trying, yard_of
from geometry.boxes import put
from geometry.models import at, brick

from brickbybrick.builders.masonry import Yard, find_pieces
from brickbybrick.builders.posts import MOST_HIGH, Pile, best_post, put_pile
from brickbybrick.geometry.inventory import Inventory
from brickbybrick.geometry.mixed import MixedAssembly, put_brick
from brickbybrick.geometry.part import BRICK_HIGH


def two_plates(gap: int, aside: int = 0) -> tuple[MixedAssembly, Yard, int]:
    """Two 2x4 bricks over each other, the upper one shifted, the one below being the main piece."""
    wanted = np.zeros((20, 8, gap + 2), bool)
    wanted[2:6, 2:4, 0] = wanted[2 + aside : 6 + aside, 2:4, gap + 1] = True
    assembly, yard = yard_of(wanted)
    main = put(assembly, brick(2, 4), at(2, 2, 0, 1))
    put(assembly, brick(2, 4), at(2 + aside, 2, gap + 1, 1))
    assert find_pieces(yard) == 2
    return assembly, yard, main


@pytest.mark.parametrize("gap", [1, 2, 3])
@pytest.mark.parametrize("upside_down", [False, True])
def test_a_post_joins_what_lies_over_another(gap: int, upside_down: bool) -> None:
    assembly, yard, main = two_plates(gap)
    post = best_post(yard, 1 - main if upside_down else main, BRICK_HIGH)
    assert post is not None
    assert (post.foot, post.top) == (1, gap)
    assert assembly.kinds[post.kind][0] == brick(1, 2)  # as thin as two studs allow
    for layer in range(post.foot, post.top + 1):
        put_brick(yard.bricks, post.kind, post.x, post.y, layer)
    assert len(pieces_by_trying(assembly)) == 1


@pytest.mark.parametrize(("gap", "aside"), [(2, 7), (2, 9), (8, 0), (MOST_HIGH // BRICK_HIGH + 1, 0)])
def test_there_is_no_post_where_it_cannot_be_or_is_not_worth_it(gap: int, aside: int) -> None:
    """Beside each other; so far apart that a post has more cells than what it carries; farther than posts are high."""
    _, yard, main = two_plates(gap, aside)
    assert best_post(yard, main, BRICK_HIGH) is None


@pytest.mark.parametrize(
    ("bricks", "layers"), [(9, [1, 2, 3, 6]), (1, [1, 2, 3, 6, 7, 8]), (0, [1, 2, 3, 4, 5, 6, 7, 8])]
)
def test_a_pile_is_of_bricks_where_they_fit_and_of_plates_between(bricks: int, layers: list[int]) -> None:
    """From the second layer of plates to the ninth; bricks begin at every third."""
    inventory = Inventory.parse(f"plate 2x2,2x2={bricks},1x1" if bricks else "plate 2x2,1x1")
    assembly, _ = yard_of(np.ones((6, 6, 10), bool), inventory=inventory, layer=1)
    kind = next(kind for kind, (part, _) in enumerate(assembly.kinds) if str(part) == "plate 2x2")
    placed = [assembly.bricks[number] for number in put_pile(assembly.arrays, Pile(0.0, kind, 4, 4, 1, 8))]
    assert [pose.z for _, pose in placed] == layers
    assert [part.height for part, _ in placed].count(3) == min(bricks, 2)
    assert sorted(cell[2] for part, pose in placed for cell in part.cells(pose)) == sorted(4 * [*range(1, 9)])


@pytest.mark.parametrize("plates", [0, 1, 2, 3, 5])
def test_a_pile_of_bricks_that_begins_between_their_layers_stays_one(plates: int) -> None:
    """Too few plates to fill the gaps, so all of it is of bricks; and never more of a part than there are."""
    inventory = Inventory.parse(f"2x2=2,plate 2x2={plates}" if plates else "2x2=2,plate 1x1")
    assembly, _ = yard_of(np.ones((4, 4, 12), bool), inventory=inventory, layer=1)
    kind = next(kind for kind, (part, _) in enumerate(assembly.kinds) if str(part) == "2x2")
    placed = [assembly.bricks[number] for number in put_pile(assembly.arrays, Pile(0.0, kind, 1, 1, 1, 6))]
    assert [pose.z for _, pose in placed] == [1, 4]
    assert sorted(cell[2] for part, pose in placed for cell in part.cells(pose)) == sorted(4 * [*range(1, 7)])
    assert min(assembly.arrays.left) >= 0
