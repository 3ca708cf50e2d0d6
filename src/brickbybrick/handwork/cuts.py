"""Which bricks of a pile are built apart, so that none has to be pressed on from below.

A brick that is joined to nothing under it hangs. It need not when it comes with what it hangs from, as one chunk: built
upside down, where it lies on that, or upright, where it lies on the table. A candidate is all that can be laid from one
level on, of either side, up to another level; what hangs in it is settled. Candidates are chosen one after the other:
always one that settles much and costs little, until nothing hangs.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from brickbybrick.handwork.pile import Pile, Side, joined_groups
from brickbybrick.handwork.turns import in_turn

MOST_LEVELS = 32  # of a side from which on, or up to which, candidates are laid
MOST_ROUNDS = 40  # chunks of a model; what hangs after so many is pressed on from below
MOST_TRIED = 60  # candidates that are looked at closely before another round is given up
TURNING, TOWER, SMALL = 0.3, 0.25, 0.15  # what turning over, a further tower to stand on, and fewer bricks than FEW cost
FEW = 6
SLENDER = 2.0  # a tower is so many times as high as wide


@dataclass(frozen=True)
class Cut:
    """Bricks that are built apart."""

    bricks: frozenset[int]
    turned: bool  # whether they are built upside down


@dataclass(frozen=True)
class Candidate:
    """A cut that may be chosen."""

    cut: Cut
    settled: int  # bricks in it that would hang otherwise
    cost: float

    @property
    def rank(self) -> tuple[float, int, list[int]]:
        """The best candidate has the least."""
        return self.cost / self.settled, -self.settled, sorted(self.cut.bricks)


class Cutter:
    """Chooses chunks of a pile."""

    def __init__(self, pile: Pile, refused: Collection[Cut] = (), shaky: Collection[int] = ()) -> None:
        """
        Args:
            pile: The bricks.
            refused: Cuts that do not stand while they are built.
            shaky: Bricks that lie on others but fall with them, unless they come with something above them.
        """
        self.pile, self.refused, self.shaky = pile, set(refused), frozenset(shaky)
        self.side = pile.upright
        self.all = range(len(pile.bricks))
        self.floor = self.side.floor(self.all)
        self.chosen: list[Cut] = []
        self.loose = set(self.all)  # bricks of no chunk

    def choose(self) -> list[Cut]:
        """The chunks, as far as any help."""
        hanging = self.side.hanging(self.all) | self.shaky
        while hanging and len(self.chosen) < MOST_ROUNDS:
            found = self._best(hanging)
            if found is None:
                break
            self.chosen.append(found)
            self.loose -= found.bricks
            hanging -= found.bricks
        return self.chosen

    def _best(self, hanging: set[int]) -> Cut | None:
        candidates = sorted(self._candidates(hanging), key=lambda candidate: candidate.rank)
        for candidate in candidates[:MOST_TRIED]:
            if self._comes_from_above(candidate.cut.bricks):
                return candidate.cut
        return None

    def _candidates(self, hanging: set[int]) -> Iterator[Candidate]:
        seen: set[Cut] = set(self.refused)
        for side, level, far in self._spans(hanging):
            laid = _laid(side, self.loose, level)
            if not laid & hanging:
                continue
            for end in far:
                within = {brick for brick in laid if side.begins[brick] < end}
                for group in joined_groups(within, side.under, side.over):
                    cut = Cut(frozenset(group), side.turned)
                    settled = len(cut.bricks & hanging)
                    if settled and len(group) > 1 and cut not in seen and self._is_borne(cut.bricks):
                        seen.add(cut)
                        yield Candidate(cut, settled, self._cost(cut))

    def _spans(self, hanging: set[int]) -> Iterator[tuple[Side, int, list[int]]]:
        """Sides, levels to begin at, and levels to end before."""
        upright, turned = self.pile.upright, self.pile.turned
        levels = _spread({upright.begins[brick] for brick in hanging})
        above = _reached(hanging, upright.over)
        ends = {upright.begins[brick] for brick in above} | {max(upright.ends)}
        for level in levels:
            yield upright, level, _spread({end for end in ends if end > level})
        lowest = _spread({turned.begins[brick] + 1 for brick in hanging} | {max(turned.ends)})
        for level in _spread({turned.begins[brick] for brick in above}):
            yield turned, level, [end for end in lowest if end > level]

    def _is_borne(self, bricks: frozenset[int]) -> bool:
        """Whether a chunk lies on the table or on something that it is joined to."""
        side = self.side
        return any(
            side.under[brick] - bricks or (side.begins[brick] == self.floor and side.can_stand[brick])
            for brick in bricks
        )

    def _cost(self, cut: Cut) -> float:
        cost = 1.0 + TURNING * cut.turned + (SMALL if len(cut.bricks) < FEW else 0.0)
        return cost + TOWER * max(0, self._towers(cut.bricks) - 1)

    def _towers(self, bricks: frozenset[int]) -> int:
        """Slender things side by side that a chunk is put onto."""
        side = self.side
        first = min(side.begins[brick] for brick in bricks if side.under[brick] - bricks) if any(
            side.under[brick] - bricks for brick in bricks
        ) else self.floor
        below = [brick for brick in self.all if brick not in bricks and side.begins[brick] < first]
        towers = 0
        for group in joined_groups(below, side.under, side.over):
            if any(side.over[brick] & bricks for brick in group):
                wide = self._width(group)
                towers += (first - self.floor) * 0.4 > SLENDER * wide
        return towers

    def _width(self, group: Sequence[int]) -> int:
        placed = [self.pile.bricks[brick] for brick in group]
        spans = []
        for axis in (0, 1):
            low = min(brick.pose[axis] for brick in placed)
            high = max(brick.pose[axis] + brick.shape.extent(brick.d)[axis] for brick in placed)
            spans.append(high - low)
        return min(spans)

    def _comes_from_above(self, bricks: frozenset[int]) -> bool:
        """Whether nothing must be both below and above a chunk, straight or through others."""
        items = {brick: brick for brick in self.loose}
        for number, cut in enumerate([*self.chosen, Cut(bricks, False)]):
            items |= dict.fromkeys(cut.bricks, -1 - number)
        return in_turn(self.pile.piled(items, self.side.turned), lambda item: (item,)) is not None


def _laid(side: Side, among: set[int], level: int) -> set[int]:
    """All bricks that can be laid one on the other from those on that begin at a level."""
    first = {brick for brick in among if side.begins[brick] == level and side.can_stand[brick]}
    return _reached(first, side.over, among)


def _reached(first: Collection[int], over: Sequence[frozenset[int]], among: set[int] | None = None) -> set[int]:
    """Some bricks, and all that lie on them."""
    found, waiting = set(first), list(first)
    while waiting:
        near = over[waiting.pop()] - found
        near = near if among is None else near & among
        found |= near
        waiting += near
    return found


def _spread(levels: Collection[int]) -> list[int]:
    """Levels, or as many of them as are looked at, spread evenly."""
    every = sorted(levels)
    if len(every) <= MOST_LEVELS:
        return every
    return [every[round(number * (len(every) - 1) / (MOST_LEVELS - 1))] for number in range(MOST_LEVELS)]
