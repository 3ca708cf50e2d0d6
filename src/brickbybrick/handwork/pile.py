"""A pile of bricks as hands meet it: what lies on what, seen upright or upside down.

All that is asked of a brick when it is put on from above is told here for both ways of holding the model. Who asks need
not know which way that is: upside down, what is below in the model is above, and bricks stand on their studs.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from brickbybrick.construction import PlacedBrick
from brickbybrick.geometry.part import grams
from brickbybrick.geometry.statics import foot
from brickbybrick.judging.check import contacts

Box = tuple[int, int, int, int]  # left, front, right and back of what is seen from above


@dataclass(frozen=True)
class Side:
    """A pile from the table up, one entry a brick."""

    turned: bool  # whether it is upside down
    begins: tuple[int, ...]  # the layer that a brick begins in, counted from the table up
    ends: tuple[int, ...]  # the layer after its last
    under: tuple[frozenset[int], ...]  # the bricks below it that it is joined to
    over: tuple[frozenset[int], ...]  # the bricks above it that it is joined to
    can_stand: tuple[bool, ...]  # whether it has anything to stand on

    @cached_property
    def beside(self) -> tuple[frozenset[int], ...]:
        """All bricks that each is joined to."""
        return tuple(under | over for under, over in zip(self.under, self.over, strict=True))

    def floor(self, bricks: Iterable[int]) -> int:
        """The lowest layer of some bricks, which stands on the table."""
        return min(self.begins[brick] for brick in bricks)

    def bears(self, bricks: Iterable[int], others: Collection[int], floor: int) -> bool:
        """Whether some bricks lie on the table, which is below a layer, or on others that they are joined to."""
        return any(
            not self.under[brick].isdisjoint(others) or (self.begins[brick] == floor and self.can_stand[brick])
            for brick in bricks
        )

    def hanging(self, bricks: Collection[int]) -> set[int]:
        """Those of some bricks that would have to be pressed on from below: joined to none of them below, and not on
        the table."""
        there, floor = set(bricks), self.floor(bricks)
        return {
            brick
            for brick in there
            if not self.under[brick] & there and not (self.begins[brick] == floor and self.can_stand[brick])
        }


@dataclass(frozen=True)
class Pile:
    """The bricks of a model, which do not overlap."""

    bricks: tuple[PlacedBrick, ...]

    @cached_property
    def upright(self) -> Side:
        touching = contacts(self.bricks)
        return Side(
            turned=False,
            begins=tuple(brick.z for brick in self.bricks),
            ends=tuple(brick.top for brick in self.bricks),
            under=touching.below,
            over=touching.above,
            can_stand=self._can_stand(turned=False),
        )

    @cached_property
    def turned(self) -> Side:
        return Side(
            turned=True,
            begins=tuple(-end for end in self.upright.ends),
            ends=tuple(-begin for begin in self.upright.begins),
            under=self.upright.over,
            over=self.upright.under,
            can_stand=self._can_stand(turned=True),
        )

    def _can_stand(self, turned: bool) -> tuple[bool, ...]:
        return tuple(any(foot(brick.shape, brick.pose, turned)) for brick in self.bricks)

    def side(self, turned: bool) -> Side:
        return self.turned if turned else self.upright

    @cached_property
    def columns(self) -> dict[tuple[int, int], list[int]]:
        """The bricks in each column of studs, from the lowest up."""
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        for index in sorted(range(len(self.bricks)), key=lambda index: self.bricks[index].z):
            brick = self.bricks[index]
            for column in brick.shape.footprint(brick.pose):
                found[column].append(index)
        return dict(found)

    def box(self, bricks: Iterable[int]) -> Box:
        """Around some bricks."""
        left, front, right, back = zip(*(self._boxes[brick] for brick in bricks), strict=True)
        return min(left), min(front), max(right), max(back)

    @cached_property
    def _boxes(self) -> tuple[Box, ...]:
        ends = [brick.shape.extent(brick.d) for brick in self.bricks]
        return tuple((b.x, b.y, b.x + wide, b.y + deep) for b, (wide, deep) in zip(self.bricks, ends, strict=True))

    @cached_property
    def weights(self) -> tuple[tuple[float, tuple[float, float]], ...]:
        """What each brick weighs, in grams, and that by where its middle is."""
        found = []
        for brick in self.bricks:
            weight, (along_x, along_y) = grams(brick.shape), brick.shape.extent(brick.d)
            found.append((weight, (weight * (brick.x + along_x / 2), weight * (brick.y + along_y / 2))))
        return tuple(found)

    def piled(self, item_of: dict[int, int], turned: bool) -> dict[int, set[int]]:
        """What must be there before each item, for it to come from above: what lies under any brick of it.

        Args:
            item_of: The item that each brick belongs to; bricks of none are left out.
            turned: Whether the pile is upside down.
        """
        before: dict[int, set[int]] = {item: set() for item in item_of.values()}
        for column in self.columns.values():
            items = [item_of[brick] for brick in (reversed(column) if turned else column) if brick in item_of]
            for lower, upper in pairwise(items):
                if lower != upper:
                    before[upper].add(lower)
        return before


def joined_groups(bricks: Iterable[int], side: Side) -> list[list[int]]:
    """The groups of some bricks that hang together by studs among themselves, each sorted, the one with the first
    brick first."""
    left = set(bricks)
    groups = []
    for first in sorted(left):
        if first not in left:
            continue
        left.remove(first)
        group, waiting = [first], [first]
        while waiting:
            brick = waiting.pop()
            near = side.beside[brick] & left
            left -= near
            group += near
            waiting += near
        groups.append(sorted(group))
    return groups
