"""Taking a pile apart from the top, to see what of it can be built apart.

A model that is taken apart as it would be put together, backwards, loses what nothing lies on, one by one. A brick that
something hangs from, or that keeps something from toppling, cannot go alone: all that would fall without it comes off
with it, and all that lies on that. Such a chunk is taken apart by itself in the same way, upright or upside down. This
finds chunks for most that can be put together at all, but many small ones; `cuts.py` looks for natural ones first.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from brickbybrick.geometry.stability import ROUNDING
from brickbybrick.handwork.cuts import Cut
from brickbybrick.handwork.effort import Effort
from brickbybrick.handwork.pieces import Piece, Pieces
from brickbybrick.handwork.pile import Pile, joined_groups
from brickbybrick.handwork.ties import Tie
from brickbybrick.handwork.turns import awaited

MOST_DEEP = 6  # chunks in chunks
LOOK = 1 / 16  # of the effort of working out forces: to see what topples


class Undoing:
    """Takes piles apart, and remembers how."""

    def __init__(
        self,
        pile: Pile,
        most: int,
        effort: Effort,
        stands: Callable[[frozenset[int], bool], bool],
        ties: Collection[Tie] = (),
        seed: int = 0,
    ) -> None:
        """
        Args:
            pile: The bricks.
            most: Bricks that may be put on in one step.
            effort: What is spent.
            stands: Says whether a chunk, upside down or not, stands when it is done, by the forces.
            ties: What falls without other bricks though it does not topple.
            seed: Of the order in which bricks of one level are taken off; 0 for their own.
        """
        self.pile, self.most, self.effort, self.stands, self.ties = pile, most, effort, stands, ties
        count = len(pile.bricks)
        self.turns = np.random.default_rng(seed).permutation(count).tolist() if seed else list(range(count))
        self.known: dict[tuple[frozenset[int], bool], Cut | None] = {}

    def cut(self, bricks: frozenset[int], turned: bool, deep: int = 0) -> Cut | None:
        """Bricks with what of them is built apart, so that nothing hangs or topples; None if that was not found."""
        key = bricks, turned
        if key not in self.known:
            self.known[key] = None  # while it is asked for: it is no part of itself
            if deep <= MOST_DEEP and not self.effort.is_spent:
                found = self._taken_apart(bricks, turned, deep)
                self.known[key] = found if found and self.stands(bricks, turned) else None
        return self.known[key]

    def _taken_apart(self, bricks: frozenset[int], turned: bool, deep: int) -> Cut | None:
        ties = [tie for tie in self.ties if tie.turned == turned]
        there = There(self.pile, bricks, turned, self.effort, ties, self.turns)
        if not there.stands:
            return None
        lifts: list[Lift] = []
        before: list[frozenset[int]] = []  # what was left
        while there.left:
            before.append(frozenset(there.left))
            lift = self._from_top(there, deep) or self._first(there.chunks(), there, deep)
            if lift is None:
                rest = self._turned_over(before[deep > 0 :], turned, deep)  # who asks for a chunk turns it over
                if rest is None:
                    return None
                lifts, lift = lifts[: before.index(rest.bricks)], rest
            lifts.append(lift)
            there.remove(lift.bricks & there.left)
        return self._put_together(bricks, turned, lifts[::-1])

    def _put_together(self, bricks: frozenset[int], turned: bool, lifts: Sequence["Lift"]) -> Cut:
        """What was taken apart, backwards."""
        parts: list[Cut] = []
        order: list[tuple[int, ...]] = []
        side = self.pile.side(turned)
        for lift in lifts:
            if lift.cut is not None:
                parts.append(lift.cut)
                order.append((-len(parts),))
            else:
                order.append(tuple(sorted(lift.bricks, key=lambda brick: (side.begins[brick], brick))))
        return Cut(bricks, turned, tuple(parts), tuple(order))

    def _from_top(self, there: "There", deep: int) -> "Lift | None":
        """The highest brick that can come off, alone or as part of a small chunk."""
        seen: set[frozenset[int]] = set()
        for brick in there.tops:
            bricks = there.lifted([brick])
            is_small = 2 * len(bricks) <= len(there.left) + 1
            if is_small and bricks not in seen and (lift := self._first([bricks], there, deep)):
                return lift
            seen.add(bricks)
        return None

    def _first(self, choices: Iterable[frozenset[int]], there: "There", deep: int) -> "Lift | None":
        """The first of some chunks that can be built: in one step, as the rest lies, or turned over."""
        for bricks in choices:
            if self.effort.is_spent:
                return None
            if len(bricks) == 1:
                return Lift(bricks)
            if len(joined_groups(bricks, there.side)) > 1 or not there.side.bears(
                bricks, there.left - bricks, there.floor
            ):
                continue
            if len(bricks) <= self.most and there.side.hanging(there.left).isdisjoint(bricks):
                return Lift(bricks)
            for turned in (there.side.turned, not there.side.turned):
                if cut := self.cut(bricks, turned, deep + 1):
                    return Lift(bricks, cut)
        return None

    def _turned_over(self, before: Sequence[frozenset[int]], turned: bool, deep: int) -> "Lift | None":
        """What was left some time ago, built the other way round."""
        for bricks in reversed(before):
            if len(joined_groups(bricks, self.pile.upright)) == 1 and (cut := self.cut(bricks, not turned, deep + 1)):
                return Lift(bricks, cut)
        return None


@dataclass(frozen=True)
class Lift:
    """What comes off in one."""

    bricks: frozenset[int]
    cut: Cut | None = None  # how it is built; None if it is put on brick by brick, in one step


class There:
    """What is there of a pile while it is taken apart."""

    def __init__(
        self,
        pile: Pile,
        bricks: frozenset[int],
        turned: bool,
        effort: Effort,
        ties: Sequence[Tie],
        turns: Sequence[int],
    ) -> None:
        self.effort, self.ties, self.turns = effort, ties, turns
        self.left = set(bricks)
        self.side = pile.side(turned)
        self.floor = self.side.floor(bricks)
        self.pieces = Pieces(pile, turned, self.floor)
        self.of = {brick: piece for piece in self.pieces.after(bricks) for brick in piece.bricks}
        self.above = awaited(pile.piled({brick: brick for brick in bricks}, turned))

    @property
    def stands(self) -> bool:
        return all(_stands(piece) for piece in self.of.values())

    @property
    def tops(self) -> list[int]:
        """What nothing lies on, from the highest down."""
        free = [brick for brick in self.left if self.above[brick].isdisjoint(self.left)]
        return sorted(free, key=lambda brick: (-self.side.begins[brick], self.turns[brick]))

    def chunks(self) -> Iterator[frozenset[int]]:
        """All that comes off with any brick, and with all that lies from a level on, the smallest first."""
        found = {self.lifted([brick]) for brick in self.left}
        for level in {self.side.begins[brick] for brick in self.left}:
            high = [brick for brick in self.left if self.side.begins[brick] >= level]
            found |= {self.lifted(group) for group in (high, *joined_groups(high, self.side))}
        yield from sorted(found, key=lambda bricks: (len(bricks), sorted(bricks)))

    def lifted(self, bricks: Iterable[int]) -> frozenset[int]:
        """Bricks with all that lies on them, and all that would fall without them."""
        off = self._with_above(bricks)
        while fallen := self._fallen(off):
            off = self._with_above(off | fallen)
        return frozenset(off)

    def _fallen(self, off: set[int]) -> set[int]:
        """What falls without some bricks."""
        fallen = {brick for piece in self._without(off) if not _stands(piece) for brick in self._too_much(piece, off)}
        for tie in self.ties:
            if not off.isdisjoint(tie.holding):
                fallen |= (tie.held & self.left) - off
        return fallen

    def _too_much(self, piece: Piece, off: set[int]) -> Collection[int]:
        """Of a piece that falls, what must come off first: the brick that makes it topple most, if it stands on
        anything, else all of it."""
        best, room = None, piece.room
        for brick in sorted(piece.bricks) if piece.feet else ():
            if self.above[brick] & self.left <= off:
                rest = self._pieces(piece.bricks - {brick})
                least = min((other.room for other in rest if other.feet), default=inf)
                if least > room:
                    best, room = brick, least
        return piece.bricks if best is None else [best]

    def remove(self, bricks: frozenset[int]) -> None:
        pieces = self._without(bricks)
        self.left -= bricks
        for piece in pieces:
            self.of |= dict.fromkeys(piece.bricks, piece)

    def _without(self, bricks: Collection[int]) -> list[Piece]:
        """The pieces that are left of those which lose some bricks."""
        touched = {self.of[brick] for brick in bricks}
        rest = frozenset().union(*(piece.bricks for piece in touched)).difference(bricks)
        return self._pieces(rest)

    def _pieces(self, bricks: frozenset[int]) -> list[Piece]:
        self.effort.spend(len(bricks) * LOOK)
        return self.pieces.after(bricks)

    def _with_above(self, bricks: Iterable[int]) -> set[int]:
        found = set(bricks)
        waiting = list(found)
        while waiting:
            more = (self.above[waiting.pop()] & self.left) - found
            found |= more
            waiting += more
        return found


def _stands(piece: Piece) -> bool:
    return piece.room >= -ROUNDING
