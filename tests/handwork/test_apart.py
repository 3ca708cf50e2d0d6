"""Models that are taken apart from the top."""

import pytest
from handwork.hard_models import along_x, floor, hard_models, tower
from handwork.replay import wrongs

from brickbybrick.construction import Construction
from brickbybrick.handwork.apart import There, Undoing
from brickbybrick.handwork.effort import Effort
from brickbybrick.handwork.pile import Pile
from brickbybrick.handwork.plan import Planner
from brickbybrick.handwork.steps import MOST
from brickbybrick.handwork.ties import Tie


def undoing(pile: Pile, *fall: tuple[frozenset[int], bool]) -> Undoing:
    """Of a pile, some chunks of which fall."""
    return Undoing(pile, MOST, Effort(len(pile.bricks)), lambda *chunk: chunk not in fall)


def there(pile: Pile, *ties: Tie) -> There:
    every = range(len(pile.bricks))
    return There(pile, frozenset(every), False, Effort(len(pile.bricks)), ties, every)


@pytest.mark.parametrize("model", [pytest.param(model, id=name) for name, model in hard_models()])
def test_hard_models_are_put_together_as_they_were_taken_apart(model: Construction) -> None:
    handwork = Planner(Pile(model.bricks)).taken_apart()
    assert handwork is not None
    assert handwork.to_hold == []
    assert wrongs(model.bricks, handwork) == []


def test_what_hangs_comes_off_with_all_that_it_hangs_from() -> None:
    """A beam on two towers, and a brick under its middle."""
    pile = Pile((*tower(0, 0, 2), *tower(6, 0, 2), along_x("2x2", 3, 0, 1), along_x("2x8", 0, 0, 2)))
    assert there(pile).lifted([5]) == {4, 5}
    assert there(pile).lifted([3]) == {3, 4, 5}


def test_what_topples_comes_off_with_its_counterweight() -> None:
    """Two arms side by side lean out over a post, on either side."""
    pile = Pile((*tower(7, 0, 2), along_x("2x8", 0, 0, 2), along_x("2x8", 8, 0, 2)))
    assert there(pile).stands
    assert not there(Pile(pile.bricks[:-1])).stands
    assert there(pile).lifted([3]) == {2, 3}


def test_ties_tell_what_falls_without_toppling() -> None:
    pile = Pile(tuple(floor(0, 0, 0)))
    assert there(pile).lifted([7]) == {7}
    assert there(pile, Tie(frozenset([7]), frozenset([4]), turned=False)).lifted([7]) == {4, 7}


def test_chunks_that_fall_when_they_are_done_are_not_built() -> None:
    """The brick under the beam comes with it, upright or upside down, as long as both may be."""
    pile = Pile((*tower(0, 0, 2), *tower(6, 0, 2), along_x("2x2", 3, 0, 1), along_x("2x8", 0, 0, 2)))
    whole, chunk = frozenset(range(6)), frozenset([4, 5])
    (first,) = undoing(pile).cut(whole, turned=False).parts  # type: ignore[union-attr]
    assert first.bricks == chunk
    (second,) = undoing(pile, (chunk, first.turned)).cut(whole, turned=False).parts  # type: ignore[union-attr]
    assert (second.bricks, second.turned) == (chunk, not first.turned)


def test_nothing_is_found_when_the_effort_is_spent() -> None:
    effort = Effort(4)
    effort.spend(1e9)
    assert (
        Undoing(Pile(tuple(tower(0, 0, 4))), MOST, effort, lambda *_: True).cut(frozenset(range(4)), turned=False)
        is None
    )
