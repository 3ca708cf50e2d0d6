"""Legs: what stands side by side and is alike is built apart, by the same pictures, and set down as it is.

A leg is all that hangs together on the table by itself, up to where something joins it to the rest.
"""

from collections.abc import Iterator

from brickbybrick.handwork.copies import counterparts
from brickbybrick.handwork.cuts import Cut
from brickbybrick.handwork.pile import Pile

FEWEST = 4  # bricks of a leg that is worth pictures of its own


def legs_of(pile: Pile, whole: Cut) -> list[Cut]:
    """The legs of a whole that are like another one, each as a cut."""
    legs = [leg for leg in _standing_alone(pile, whole) if len(leg) >= FEWEST]
    return [
        Cut(frozenset(leg), whole.turned)
        for leg in legs
        if any(other is not leg and counterparts(leg, other, pile.bricks) for other in legs)
    ]


def _standing_alone(pile: Pile, whole: Cut) -> Iterator[list[int]]:
    """The bricks of each leg, from the table up."""
    side, floor = pile.side(whole.turned), pile.side(whole.turned).floor(whole.bricks)
    single = whole.bricks.difference(*(part.bricks for part in whole.parts))
    leg_of: dict[int, list[int]] = {}
    joined: set[int] = set()  # first bricks of legs that something joins to the rest
    for brick in sorted(single, key=lambda brick: (side.begins[brick], brick)):
        under = side.under[brick]
        if not under and side.begins[brick] == floor and side.can_stand[brick]:
            leg_of[brick] = [brick]
            continue
        below = {leg_of[other][0] for other in under if other in leg_of}
        if len(below) == 1 and all(other in leg_of for other in under) and below.isdisjoint(joined):
            leg = leg_of[next(iter(under))]
            leg.append(brick)
            leg_of[brick] = leg
        else:
            joined |= below
    yield from (leg for first, leg in leg_of.items() if leg[0] == first)
