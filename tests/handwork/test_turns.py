"""Each in its turn."""

from itertools import permutations

from brickbybrick.handwork.turns import awaited, in_turn


def test_the_least_of_all_orders_is_found() -> None:
    """By looking at all orders of six things."""
    before = {0: {3}, 1: {3, 4}, 2: set[int](), 3: set[int](), 4: {2}, 5: {0, 1}}
    rank = {0: 2, 1: 0, 2: 5, 3: 5, 4: 1, 5: 0}
    allowed = [
        order
        for order in permutations(before)
        if all(before[item] <= set(order[:place]) for place, item in enumerate(order))
    ]
    assert in_turn(before, rank.__getitem__) == list(min(allowed, key=lambda order: [(rank[i], i) for i in order]))


def test_things_that_wait_for_each_other_never_come() -> None:
    assert in_turn({0: {1}, 1: {0}, 2: set()}, lambda item: item) is None
    assert in_turn({}, lambda item: item) == []


def test_who_waits_is_awaited() -> None:
    """A roof on two walls, one of which stands on a floor."""
    floor, left, right, roof = range(4)
    waits = {floor: set[int](), left: {floor}, right: set[int](), roof: {left, right}}
    assert awaited(waits) == {floor: {left}, left: {roof}, right: {roof}, roof: set()}
    assert awaited(awaited(waits)) == waits
