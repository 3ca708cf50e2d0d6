"""Putting portions on so that what is there stands after each.

They come in their order as long as that does. One that would fall waits for others; if none can come, a portion comes
in part, or a brick together with those that prop it up. What falls nevertheless is held by a hand.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from brickbybrick.geometry.stability import Growth, Model
from brickbybrick.geometry.statics import Ground
from brickbybrick.handwork.effort import Effort
from brickbybrick.handwork.pieces import Pieces
from brickbybrick.handwork.pile import Pile
from brickbybrick.handwork.steps import Portion
from brickbybrick.handwork.turns import awaited
from brickbybrick.judging.check import sized

MOST_DOUBTFUL = 4  # portions of which no piece topples, but which are not soon known to stand;
MOST_EXACT = 1  # those of them that linear programs are solved for, if there are no others
EXACT, DOUBT = 50, 6  # times as much effort as where that is known soon: linear programs, and springs in vain
MOST_PROPPED = 24  # bricks that are tried with what may prop them up


@dataclass(frozen=True)
class Laid:
    """A chunk's portions in the order in which they are put on, and which of them must be held."""

    portions: tuple[Portion, ...]
    held: tuple[bool, ...]


class Laying:
    """A chunk that grows."""

    def __init__(
        self,
        pile: Pile,
        turned: bool,
        most: int,
        items: Mapping[int, int],
        before: Mapping[int, set[int]],
        effort: Effort,
    ) -> None:
        """
        Args:
            pile: The bricks.
            turned: Whether they lie upside down.
            most: Bricks of a portion.
            items: The item that each brick is put on with.
            before: What must be there before each item.
            effort: What is spent.
        """
        self.pile, self.most, self.before, self.effort = pile, most, before, effort
        floor = pile.side(turned).floor(items)
        self.pieces = Pieces(pile, turned, floor)
        self.growth = Growth(Ground.TABLE, floor, turned)
        self.members: dict[int, list[int]] = {}
        for brick in sorted(items):
            self.members.setdefault(items[brick], []).append(brick)
        self.after = awaited(before)
        self.there: set[int] = set()
        self.left: list[Portion] = []

    def laid(self, portions: Sequence[Portion], pressed: Collection[int], strict: bool) -> Laid:
        """All portions, as far as they can be had in such an order.

        Args:
            portions: From the table up.
            pressed: Items that can only be pressed on from below, and are held.
            strict: Whether to stop at the first portion that falls.
        """
        self.left = list(portions)
        order, held = [], []
        while self.left:
            found = self._next(set(pressed))
            portion = found or next(portion for portion in self.left if self._is_ready(portion.items))
            if found is None:
                self.growth = self.growth.held(self._sized(portion.bricks))
            self._put_on(portion)
            order.append(portion)
            held.append(found is None)
            if strict and (found is None or self.effort.is_spent):
                held[-1] = True
                break
        return Laid(tuple(order), tuple(held))

    def _next(self, pressed: set[int]) -> Portion | None:
        """What can be put on, so that all stands; None if nothing can."""
        doubtful = []
        for items in self._choices(pressed):
            bricks = tuple(self._bricks(items))
            if self.pieces.stand(bricks):
                if grown := self._grown(bricks, exact=False):
                    self.growth = grown
                    return Portion(items, bricks)
                doubtful.append(Portion(items, bricks))
                if len(doubtful) == MOST_DOUBTFUL:
                    break
        for portion in doubtful[:MOST_EXACT]:
            if grown := self._grown(portion.bricks, exact=True):
                self.growth = grown
                return portion
        return None

    def _grown(self, bricks: Sequence[int], exact: bool) -> Growth | None:
        grown = self.growth.after(self._sized(bricks), exact)
        much = EXACT if exact else DOUBT if grown is None else 1
        self.effort.spend((len(self.growth.model) + len(bricks)) * much)
        return grown

    def _choices(self, pressed: set[int]) -> Iterator[tuple[int, ...]]:
        left = [portion.items for portion in self.left if pressed.isdisjoint(portion.items)]
        for items in left:
            if self._is_ready(items):
                yield items
        for items in left:
            if some := self._that_stand(items):
                yield some
        ready = [item for items in left for item in items if self._is_ready([item])]
        for item in ready[:MOST_PROPPED]:
            if propped := self._propped(item, pressed):
                yield propped

    def _that_stand(self, items: Sequence[int]) -> tuple[int, ...]:
        """Those of a portion that stand one after the other."""
        some: list[int] = []
        for item in items:
            if self._is_ready([*some, item]) and self.pieces.stand(self._bricks([*some, item])):
                some.append(item)
        return tuple(some)

    def _propped(self, item: int, pressed: set[int]) -> tuple[int, ...]:
        """An item that falls with others that keep it from falling, each of which brings it nearer to that."""
        some, room = [item], self.pieces.room(self.members[item])
        while room < 0:
            near = {other for own in some for other in self.after[own]}
            near |= {items for portion in self.left for items in portion.items if not self.before[items] - self.there}
            near = {other for other in near - set(some) - pressed if self._is_ready([*some, other])}
            rooms = {other: self.pieces.room(self._bricks([*some, other])) for other in near}
            best = max(sorted(near), key=lambda other: rooms[other], default=None)
            if best is None or rooms[best] <= room or len(some) == self.most:
                return ()
            some.append(best)
            room = rooms[best]
        return tuple(some)

    def _put_on(self, portion: Portion) -> None:
        self.pieces.add(portion.bricks)
        self.there.update(portion.items)
        rest = [tuple(item for item in other.items if item not in self.there) for other in self.left]
        self.left = [Portion(items, tuple(self._bricks(items))) for items in rest if items]

    def _is_ready(self, items: Collection[int]) -> bool:
        """Whether all that must be there before some items is; of these, chunks are put on before bricks."""
        chunks = self.there.union(item for item in items if item < 0)
        everything = self.there.union(items)
        return all(self.before[item] <= (chunks if item < 0 else everything) for item in items)

    def _bricks(self, items: Collection[int]) -> list[int]:
        return [brick for item in items for brick in self.members[item]]

    def _sized(self, bricks: Collection[int]) -> Model:
        return sized([self.pile.bricks[brick] for brick in bricks])
