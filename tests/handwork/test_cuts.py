"""What is built apart."""

from collections.abc import Iterator

import pytest
from handwork.hard_models import hard_models, table, tower

from brickbybrick.construction import Construction
from brickbybrick.handwork.cuts import Cut, Cutter, items_of
from brickbybrick.handwork.pile import Pile, joined_groups
from brickbybrick.handwork.turns import in_turn


def cuts_of(pile: Pile) -> Cut:
    """The whole of a pile with its chunks, all of which are taken to stand."""
    whole = Cut(frozenset(range(len(pile.bricks))), turned=False)
    parts, hanging = Cutter(pile, whole, lambda _: True).choose()
    assert not hanging
    return Cut(whole.bricks, turned=False, parts=tuple(parts))


def all_of(cut: Cut) -> Iterator[Cut]:
    yield cut
    for part in cut.parts:
        yield from all_of(part)


@pytest.mark.parametrize("model", [pytest.param(model, id=name) for name, model in hard_models()])
def test_nothing_hangs_and_everything_comes_from_above(model: Construction) -> None:
    pile = Pile(model.bricks)
    for cut in all_of(cuts_of(pile)):
        side, items = pile.side(cut.turned), items_of(cut)
        assert len(joined_groups(cut.bricks, side)) == 1
        apart = [part.bricks for part in cut.parts]
        assert all(not one & other for one in apart for other in apart if one is not other)
        assert in_turn(pile.piled(items, cut.turned), lambda _: 0) is not None
        floor = side.floor(cut.bricks)
        for item in set(items.values()):
            own = {brick for brick, its in items.items() if its == item}
            on_others = any(side.under[brick] & (cut.bricks - own) for brick in own)
            assert on_others or any(side.begins[brick] == floor and side.can_stand[brick] for brick in own)


def test_what_hangs_nowhere_is_not_cut() -> None:
    assert cuts_of(Pile(tuple(tower(0, 0, 5)))).parts == ()


def test_a_table_is_built_on_its_top() -> None:
    """Upside down nothing of it hangs, and all of it can be turned over at once."""
    pile = Pile(tuple(table()))
    assert cuts_of(pile).parts == (Cut(frozenset(range(len(pile.bricks))), turned=True),)


def test_other_cuts_are_found_where_some_do_not_stand() -> None:
    pile = Pile(tuple(table()))
    whole = Cut(frozenset(range(len(pile.bricks))), turned=False)
    first, _ = Cutter(pile, whole, lambda _: True).choose()
    other, hanging = Cutter(pile, whole, lambda _: True, refused=first).choose()
    assert not hanging
    assert not set(first) & set(other)
    assert Cutter(pile, whole, lambda _: False).choose() == ([], pile.upright.hanging(whole.bricks))
