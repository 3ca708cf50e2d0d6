"""Portions in an order in which all stands."""

from handwork.hard_models import along_x, tower

from brickbybrick.construction import PlacedBrick
from brickbybrick.handwork.laying import Effort, Laid, Laying
from brickbybrick.handwork.pile import Pile
from brickbybrick.handwork.steps import Portion


def laid(bricks: list[PlacedBrick], portions: list[tuple[int, ...]], most: int = 8, strict: bool = False) -> Laid:
    pile = Pile(tuple(bricks))
    items = {brick: brick for brick in range(len(bricks))}
    laying = Laying(pile, False, most, items, pile.piled(items, turned=False), Effort(len(bricks)))
    return laying.laid([Portion(some, some) for some in portions], pressed=(), strict=strict)


def order(found: Laid) -> list[tuple[int, ...]]:
    return [portion.bricks for portion in found.portions]


# Two posts and a long arm from one to the other.
GATE = [*tower(0, 0, 2), along_x("2x8", 0, 0, 2), *tower(6, 0, 2)]


def test_what_would_fall_waits_for_what_bears_it() -> None:
    found = laid(GATE, [(0, 1), (2,), (3,), (4,)])
    assert order(found) == [(0, 1), (3,), (4,), (2,)]
    assert not any(found.held)


def test_what_stands_comes_before_the_rest_of_its_portion() -> None:
    """An arm on a post topples it, and a brick beside it does not."""
    bricks = [*tower(0, 0, 1), along_x("2x8", 0, 0, 1), along_x("2x2", 4, 2, 0), along_x("2x8", -6, 0, 2)]
    found = laid(bricks, [(0,), (1, 2), (3,)])
    assert order(found) == [(0,), (2,), (1, 3)]
    assert not any(found.held)


def test_what_holds_each_other_comes_together() -> None:
    """Two arms in balance, of which each would topple the post alone."""
    bricks = [*tower(0, 0, 1), along_x("2x8", 0, 0, 1), along_x("2x8", -6, 0, 2)]
    found = laid(bricks, [(0,), (1,), (2,)])
    assert order(found) == [(0,), (1, 2)]
    assert not any(found.held)


def test_what_falls_in_any_order_is_held() -> None:
    bricks = [*tower(0, 0, 1), along_x("2x8", 0, 0, 1), along_x("2x2", 6, 0, 2)]
    found = laid(bricks, [(0,), (1,), (2,)])
    assert order(found) == [(0,), (1,), (2,)]
    assert found.held == (False, True, True)
    assert laid(bricks, [(0,), (1,), (2,)], strict=True).held == (False, True)


def test_a_chunk_does_not_come_in_a_step_with_what_is_under_it() -> None:
    """For in a step chunks are put on before bricks; two arms in balance, of which the upper one is a chunk."""
    pile = Pile((*tower(0, 0, 1), along_x("2x8", 0, 0, 1), along_x("2x8", -6, 0, 2)))
    items = {0: 0, 1: 1, 2: -1}
    laying = Laying(pile, False, 8, items, pile.piled(items, turned=False), Effort(3))
    portions = [Portion((0,), (0,)), Portion((1,), (1,)), Portion((-1,), (2,))]
    found = laying.laid(portions, pressed=(), strict=False)
    assert [portion.items for portion in found.portions] == [(0,), (1,), (-1,)]
    assert found.held == (False, True, False)
