"""What holds what, by the forces: bricks that do not topple, but tear off until others hold them too."""

from collections.abc import Sequence
from dataclasses import dataclass

from brickbybrick.geometry.stability import Growth
from brickbybrick.geometry.statics import Ground
from brickbybrick.handwork.effort import Effort
from brickbybrick.handwork.pile import Pile
from brickbybrick.judging.check import sized

STOOD, FELL = 6, 30  # times as much effort as usual to see that a step stands or falls, where no other will do

Steps = Sequence[Sequence[int]]  # the bricks that are put on in each


@dataclass(frozen=True)
class Tie:
    """Bricks that hold others: without the ones, the others fall."""

    holding: frozenset[int]
    held: frozenset[int]
    turned: bool  # whether all that is upside down


def ties_of(pile: Pile, turned: bool, steps: Steps, ends: Sequence[int], effort: Effort) -> set[Tie]:
    """What must hold what, so that a chunk that is built in some steps stands at the ends of its portions.

    What falls when the chunk is done nothing holds, and has no tie.

    Args:
        pile: The bricks.
        turned: Whether they lie upside down.
        steps: All of the chunk.
        ends: The steps after which it has to stand.
        effort: What is spent.
    """
    growing = _Growing(pile, effort)
    growth = Growth(Ground.TABLE, pile.side(turned).floor(brick for step in steps for brick in step), turned)
    ties, now = set[Tie](), 0
    while now < len(steps):
        end = next(end for end in ends if end >= now)
        if grown := growing.after(growth, steps[now : end + 1]):
            growth, now = grown, end + 1
            continue
        falls = next(step for step in range(now, end + 1) if not growing.after(growth, steps[now : step + 1]))
        held, grown = growing.stands_again(growth, steps[now:], end - now)
        if grown is None:
            break
        ties.add(Tie(frozenset(steps[now + held]), frozenset(steps[falls]), turned))
        growth, now = grown, now + held + 1
    return ties


class Standing:
    """Knows which chunks stand when they are done."""

    def __init__(self, pile: Pile, effort: Effort) -> None:
        self.pile, self.effort = pile, effort
        self.known: dict[tuple[frozenset[int], bool], bool] = {}

    def when_done(self, bricks: frozenset[int], turned: bool) -> bool:
        """Whether the forces in a chunk, upside down or not, let it stand."""
        if (bricks, turned) not in self.known:
            growth = Growth(Ground.TABLE, self.pile.side(turned).floor(bricks), turned)
            self.known[bricks, turned] = bool(_Growing(self.pile, self.effort).after(growth, [sorted(bricks)]))
        return self.known[bricks, turned]


@dataclass(frozen=True)
class _Growing:
    """A chunk that grows, step by step."""

    pile: Pile
    effort: Effort

    def after(self, growth: Growth, steps: Steps) -> Growth | None:
        """What is there after some steps more, if it stands."""
        more = [brick for step in steps for brick in step]
        grown = growth.after(sized([self.pile.bricks[brick] for brick in more]))
        self.effort.spend((len(growth.model) + len(more)) * (STOOD if grown else FELL))
        return grown

    def stands_again(self, growth: Growth, steps: Steps, falls: int) -> tuple[int, Growth | None]:
        """The first step after one that falls with which what is there stands, found by doubling and halving; None if
        there is none."""
        last = len(steps) - 1
        far, stands = 1, min(falls + 1, last)
        while (found := self.after(growth, steps[: stands + 1])) is None and stands < last:
            far *= 2
            falls, stands = stands, min(stands + far, last)
        while found is not None and stands - falls > 1:
            middle = (falls + stands) // 2
            if grown := self.after(growth, steps[: middle + 1]):
                stands, found = middle, grown
            else:
                falls = middle
        return stands, found
