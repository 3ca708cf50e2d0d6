"""Which bricks of a pile are built apart, so that none has to be pressed on from below.

A brick that is joined to nothing under it hangs. It need not when it comes with what it hangs from, as one chunk: built
upside down, where it lies on that, or upright, where it lies on the table. A candidate is all that can be laid from one
level on, of either side, up to another level; what hangs in it is settled. Candidates are chosen one after the other:
always one that settles much and costs little, until nothing hangs. What is caught between the bricks of a chunk becomes
part of it, and where that hangs in turn, the chunk has chunks of its own.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from brickbybrick.handwork.effort import Effort
from brickbybrick.handwork.pieces import Pieces
from brickbybrick.handwork.pile import Pile, Side, joined_groups
from brickbybrick.handwork.turns import awaited

MOST_LEVELS = 32  # of a side from which on, or up to which, candidates are laid
MOST_ROUNDS = 40  # chunks of a model; what hangs after so many is pressed on from below
MOST_TRIED = 24  # candidates that are looked at closely before another round is given up
MOST_ALIKE = 3  # those among them that are laid from the same level on
MOST_DEEP = 3  # chunks in chunks
# What it costs to turn a chunk over, to put it onto one more tower, to have fewer bricks than FEW in it, and to take
# away all that another brick hangs from.
TURNING, TOWER, SMALL, ORPHAN = 0.3, 0.25, 0.15, 0.5
FEW = 6
GLANCE, LOOK = 1 / 32, 1 / 4  # of the effort of working out forces: to find a candidate, and to look closely at it
SLENDER = 2.0  # a tower is so many times as high as wide


@dataclass(frozen=True)
class Cut:
    """Bricks that are built apart."""

    bricks: frozenset[int]
    turned: bool  # whether they are built upside down
    parts: tuple["Cut", ...] = ()  # what of it is built apart before, each put on as one
    order: tuple[tuple[int, ...], ...] = ()  # items, see `items_of`, in which it does not topple; empty if not known


@dataclass(frozen=True)
class Candidate:
    """A cut that may be chosen."""

    cut: Cut
    settled: int  # bricks in it that would hang otherwise
    cost: float

    @property
    def rank(self) -> tuple[float, int, int, int, bool]:
        """The best candidate has the least."""
        return self.cost / self.settled, -self.settled, len(self.cut.bricks), min(self.cut.bricks), self.cut.turned


class Cutter:
    """Chooses chunks of a pile, or of a chunk of it."""

    def __init__(
        self,
        pile: Pile,
        whole: Cut,
        stands: Callable[[Cut], bool],
        refused: Collection[Cut] = (),
        shaky: Collection[int] = (),
        deep: int = 0,
        effort: Effort | None = None,
        rounded: dict[Cut, Cut | None] | None = None,
    ) -> None:
        """
        Args:
            pile: The bricks.
            whole: Those that are put together, and how they lie; it has no parts yet.
            stands: Says whether a chunk stands while it is built.
            refused: Cuts that do not stand where they are put on.
            shaky: Bricks that lie on others but fall with them, unless they come with something above them.
            deep: How many chunks these bricks are in.
            effort: What is spent; that of a model of these bricks if not given.
            rounded: What is known of the parts of chunks.
        """
        self.pile, self.whole, self.stands, self.refused, self.deep = pile, whole, stands, set(refused), deep
        self.shaky = frozenset(shaky)
        self.effort = effort or Effort(len(whole.bricks))
        self.rounded = {} if rounded is None else rounded
        self.side = pile.side(whole.turned)
        self.floor = self.side.floor(whole.bricks)
        self.below = pile.piled({brick: brick for brick in whole.bricks}, whole.turned)
        self.above = awaited(self.below)
        self.chosen: list[Cut] = []
        self.together = {brick: frozenset([brick]) for brick in whole.bricks}  # a brick's chunk, or the brick itself

    def choose(self) -> tuple[list[Cut], set[int]]:
        """The chunks, and what hangs nevertheless."""
        hanging = self.side.hanging(self.whole.bricks) | self.shaky
        for _ in range(MOST_ROUNDS):
            found = self._best(hanging) if hanging else None
            if found is None:
                break
            self.chosen = [cut for cut in self.chosen if not cut.bricks <= found.bricks] + [found]
            for brick in found.bricks:
                self.together[brick] = found.bricks
            hanging -= found.bricks
        return self.chosen, hanging

    def _best(self, hanging: set[int]) -> Cut | None:
        failed: Counter[tuple[bool, int]] = Counter()  # by how and from where on they are laid
        for candidate in sorted(self._candidates(hanging), key=lambda candidate: candidate.rank):
            cut = candidate.cut
            kind = cut.turned, self.pile.side(cut.turned).floor(cut.bricks)
            if failed[kind] == MOST_ALIKE:
                continue
            self.effort.spend(len(self.whole.bricks) * LOOK)
            if self.effort.is_spent:
                break
            whole = self._with_caught(cut)
            if not self._stands_when_done(whole) or not self._stands_when_put_on(whole):
                continue
            rounded = self._rounded_off(whole)
            if rounded is not None and rounded not in self.refused and self.stands(rounded):
                return rounded
            failed[kind] += 1
            if failed.total() == MOST_TRIED:
                break
        return None

    def _stands_when_done(self, cut: Cut) -> bool:
        """Whether a chunk does not topple when it is whole."""
        return Pieces(self.pile, cut.turned, self.pile.side(cut.turned).floor(cut.bricks)).stand(cut.bricks)

    def _stands_when_put_on(self, cut: Cut) -> bool:
        """Whether a chunk does not topple with all that can be laid before it, as far as that is known."""
        rest = self.whole.bricks - cut.bricks - self._met(cut.bricks, self.above)
        feet = {brick for brick in rest if self.side.begins[brick] == self.floor and self.side.can_stand[brick]}
        there = self._laid(self.side, feet, rest) & rest
        pieces = Pieces(self.pile, self.whole.turned, self.floor).after([*cut.bricks, *there])
        return all(piece.room >= 0 for piece in pieces if piece.feet and piece.bricks & cut.bricks)

    def _with_caught(self, cut: Cut) -> Cut:
        """A cut with all that is caught between its bricks."""
        caught = (self._met(cut.bricks, self.above) & self._met(cut.bricks, self.below)) - cut.bricks
        return Cut(cut.bricks | caught, cut.turned) if caught else cut

    def _rounded_off(self, cut: Cut) -> Cut | None:
        """A cut that something was caught in, with what of it is built apart; None if that fails."""
        if cut.parts or not self.pile.side(cut.turned).hanging(cut.bricks):
            return cut
        if self.deep >= MOST_DEEP or cut == self.whole:
            return None
        if cut not in self.rounded:
            parts, left = Cutter(
                self.pile, cut, self.stands, self.refused, (), self.deep + 1, self.effort, self.rounded
            ).choose()
            self.rounded[cut] = None if left else replace(cut, parts=tuple(parts))
        return self.rounded[cut]

    def _met(self, bricks: frozenset[int], near: dict[int, set[int]]) -> set[int]:
        """All that is above some bricks, or below them, through others outside of them; chunks are met whole."""
        found: set[int] = set()
        waiting = list(bricks)
        while waiting:
            for brick in near[waiting.pop()] - found:
                if brick not in found:
                    found |= self.together[brick]
                    waiting += self.together[brick] - bricks
        return found

    def _candidates(self, hanging: set[int]) -> Iterator[Candidate]:
        seen: set[Cut] = set(self.refused)
        for side, group in chain(self._levelled(hanging), self._pairs(hanging)):
            bricks = frozenset(group)
            if len(bricks) < 2 or (bricks == self.whole.bricks and side is self.side):
                continue
            cut = Cut(bricks, side.turned, tuple(part for part in self.chosen if part.bricks <= bricks))
            settled = len(bricks & hanging)
            if settled and cut not in seen and self.side.bears(bricks, self.whole.bricks - bricks, self.floor):
                self.effort.spend(len(self.whole.bricks) * GLANCE)
                seen.add(cut)
                yield Candidate(cut, settled, self._cost(cut, hanging))

    def _levelled(self, hanging: set[int]) -> Iterator[tuple[Side, Iterable[int]]]:
        """All that can be laid from one level on and up to another, of either side."""
        floors = {side.turned: self._floors(side) for side in (self.pile.upright, self.pile.turned)}
        loose = {brick for brick in self.whole.bricks if len(self.together[brick]) == 1}
        for side, level, far in self._spans(hanging):
            floor = floors[side.turned]
            first = {
                brick
                for brick in self.whole.bricks
                if side.begins[brick] == level == floor[brick] and side.can_stand[brick]
            }
            for among in (self.whole.bricks, loose) if self.chosen else (self.whole.bricks,):
                laid = self._laid(side, first & among, among)
                for end in far if laid & hanging else ():
                    for group in joined_groups({brick for brick in laid if floor[brick] < end}, side):
                        yield side, group

    def _floors(self, side: Side) -> dict[int, int]:
        """The lowest layer of what each brick comes with."""
        floors: dict[int, int] = {}
        for brick in self.whole.bricks:
            if brick not in floors:
                floors |= dict.fromkeys(self.together[brick], side.floor(self.together[brick]))
        return floors

    def _spans(self, hanging: set[int]) -> Iterator[tuple[Side, int, list[int]]]:
        """Sides, levels to begin at, and levels to end before."""
        here, there = self.side, self.pile.side(not self.side.turned)
        above = self._laid(here, hanging, self.whole.bricks)
        ends = {here.begins[brick] for brick in above} | {max(here.ends)}
        for level in _spread({here.begins[brick] for brick in hanging}):
            yield here, level, _spread({end for end in ends if end > level})
        lowest = _spread({there.begins[brick] + 1 for brick in hanging} | {max(there.ends)})
        for level in _spread({there.begins[brick] for brick in above}):
            yield there, level, [end for end in lowest if end > level]

    def _pairs(self, hanging: set[int]) -> Iterator[tuple[Side, Iterable[int]]]:
        """A brick and what hangs from it, and from that."""
        there = self.pile.side(not self.side.turned)
        for holder in {holder for brick in hanging for holder in self.side.over[brick] & self.whole.bricks}:
            if there.can_stand[holder]:
                yield there, self._laid(there, {holder}, hanging)

    def _laid(self, side: Side, first: Collection[int], among: Collection[int]) -> set[int]:
        """Some bricks, and all among others that can be laid on them one after the other; chunks come whole."""
        found = {other for brick in first for other in self.together[brick]}
        waiting = list(found)
        while waiting:
            for brick in side.over[waiting.pop()] - found:
                if brick in among and brick not in found:
                    found |= self.together[brick]
                    waiting += self.together[brick]
        return found

    def _cost(self, cut: Cut, hanging: set[int]) -> float:
        cost = 1.0 + TURNING * (cut.turned != self.side.turned) + (SMALL if len(cut.bricks) < FEW else 0.0)
        orphans = sum(self.side.over[brick] & self.whole.bricks <= cut.bricks for brick in hanging - cut.bricks)
        return cost + TOWER * max(0, self._towers(cut.bricks) - 1) + ORPHAN * orphans

    def _towers(self, bricks: frozenset[int]) -> int:
        """Slender things side by side that a chunk is put onto."""
        side, outside = self.side, self.whole.bricks - bricks
        first = min((side.begins[brick] for brick in bricks if side.under[brick] & outside), default=self.floor)
        below = [brick for brick in outside if side.begins[brick] < first]
        return sum(
            (first - self.floor) * 0.4 > SLENDER * self._width(group)
            for group in joined_groups(below, side)
            if any(side.over[brick] & bricks for brick in group)
        )

    def _width(self, group: Sequence[int]) -> int:
        left, front, right, back = self.pile.box(group)
        return min(right - left, back - front)


def items_of(cut: Cut) -> dict[int, int]:
    """The item that each brick of a cut is put on with: its own number, or -1 - number for that of a part."""
    items = {brick: brick for brick in cut.bricks}
    for number, part in enumerate(cut.parts):
        items |= dict.fromkeys(part.bricks, -1 - number)
    return items


def _spread(levels: Collection[int]) -> list[int]:
    """Levels, or as many of them as are looked at, spread evenly."""
    every = sorted(levels)
    if len(every) <= MOST_LEVELS:
        return every
    return [every[round(number * (len(every) - 1) / (MOST_LEVELS - 1))] for number in range(MOST_LEVELS)]
