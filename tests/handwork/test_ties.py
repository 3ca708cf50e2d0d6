"""What holds what, by the forces."""

from handwork.hard_models import along_x, tower

from brickbybrick.handwork.effort import Effort
from brickbybrick.handwork.pile import Pile
from brickbybrick.handwork.ties import Standing, Tie, ties_of

# Two arms of 8 studs lean out over a slender post, each by one row of studs, and a beam ties them together.
POST = tower(7, 0, 2)
ARMS = [along_x("2x8", 0, 0, 2), along_x("2x8", 8, 0, 2)]
BEAM = along_x("2x8", 4, 0, 3)


def ties(ends: list[int]) -> set[Tie]:
    pile = Pile((*POST, *ARMS, BEAM))
    return ties_of(pile, False, [[0], [1], [2], [3], [4]], ends, Effort(5))


def test_what_falls_is_tied_to_the_step_with_which_it_stands() -> None:
    """One arm tears off until the other balances it."""
    assert ties([0, 1, 2, 3, 4]) == {Tie(frozenset([3]), frozenset([2]), turned=False)}


def test_only_the_ends_of_portions_have_to_stand() -> None:
    assert ties([0, 1, 3, 4]) == set()


def test_what_falls_when_it_is_done_has_no_ties() -> None:
    pile = Pile((*POST, ARMS[0]))
    assert ties_of(pile, False, [[0], [1], [2]], [0, 1, 2], Effort(3)) == set()


def test_chunks_stand_when_they_are_done_or_not() -> None:
    """An arm over a post falls alone; upside down, the post stands on it."""
    standing = Standing(Pile((*POST, *ARMS)), Effort(4))
    assert standing.when_done(frozenset(range(4)), False)
    assert not standing.when_done(frozenset(range(3)), False)
    assert standing.when_done(frozenset(range(3)), True)
