"""From a model to how it is put together by hand.

Cuts say what is built apart; each chunk and the whole are laid from the table up, in portions; and portions that would
fall wait until something holds them. Where something falls nevertheless, other cuts are tried.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from brickbybrick.geometry.stability import Growth
from brickbybrick.geometry.statics import Ground
from brickbybrick.handwork.cuts import Cut, Cutter
from brickbybrick.handwork.pile import Pile, Side
from brickbybrick.handwork.steps import Portion, Portioner, most_of
from brickbybrick.handwork.turns import in_turn
from brickbybrick.handwork.work import Chunk, Handwork, Step
from brickbybrick.judging.check import sized

MOST_TRIALS = 10  # sets of cuts that are tried
MOST_WAITS = 6  # times that a portion is tried again after others


@dataclass(frozen=True)
class Laid:
    """A chunk's portions in the order in which they are put on, and which of them must be held."""

    portions: tuple[Portion, ...]
    held: tuple[bool, ...]


class Planner:
    """Plans of a pile, with one set of cuts after the other."""

    def __init__(self, pile: Pile) -> None:
        self.pile = pile
        self.most = most_of(len(pile.bricks))
        self.known: dict[Cut, Laid] = {}

    def plan(self) -> Handwork:
        """The best that was found."""
        refused: set[Cut] = set()
        shaky: set[int] = set()
        best: tuple[tuple[int, int], Handwork] | None = None
        for _ in range(MOST_TRIALS):
            cuts = sorted(Cutter(self.pile, refused, shaky).choose(), key=self._place)
            apart = [self._apart(cut) for cut in cuts]
            whole = self._whole(cuts)
            holds = sum(sum(laid.held) for laid in [*apart, whole])
            if best is None or (holds, len(cuts)) < best[0]:
                best = (holds, len(cuts)), _handwork(cuts, apart, whole)
            if not holds:
                break
            more, less = _faults(cuts, apart, whole)
            if more <= refused and less <= shaky:
                break
            refused |= more
            shaky |= less
        assert best is not None
        return best[1]

    def _place(self, cut: Cut) -> tuple[int, list[int]]:
        return self._joins_at(cut.bricks), sorted(cut.bricks)

    def _apart(self, cut: Cut) -> Laid:
        if cut not in self.known:
            self.known[cut] = self._laid({brick: brick for brick in cut.bricks}, cut.turned, [])
        return self.known[cut]

    def _whole(self, cuts: Sequence[Cut]) -> Laid:
        items = {brick: brick for brick in range(len(self.pile.bricks))}
        for number, cut in enumerate(cuts):
            items |= dict.fromkeys(cut.bricks, -1 - number)
        return self._laid(items, False, cuts)

    def _laid(self, items: Mapping[int, int], turned: bool, cuts: Sequence[Cut]) -> Laid:
        """How to lay items, of single bricks and of the chunks of cuts (-1 - number): with the fewest portions to hold."""
        before = self.pile.piled(dict(items), turned)
        best = None
        for mirrored in (True, False):
            portions = self._portions(before, list(items), turned, cuts, mirrored)
            laid = self._that_stand(portions, before, turned)
            if best is None or sum(laid.held) < sum(best.held):
                best = laid
            if not any(best.held):
                break
        assert best is not None
        return best

    def _portions(
        self, before: Mapping[int, set[int]], bricks: Sequence[int], turned: bool, cuts: Sequence[Cut], mirrored: bool
    ) -> list[Portion]:
        side = self.pile.side(turned)

        def rank(item: int) -> int:
            return side.begins[item] if item >= 0 else self._joins_at(cuts[-1 - item].bricks)

        order = in_turn(before, rank)
        assert order is not None, "cuts whose chunks wait for each other"
        portioner = Portioner(self.pile, side, self.most, self._middle(bricks), mirrored)
        for (_, is_brick), run in groupby(order, key=lambda item: (rank(item), item >= 0)):
            some = list(run)
            if is_brick:
                portioner.lay(some)
            else:
                portioner.put_on(some, [brick for item in some for brick in sorted(cuts[-1 - item].bricks)])
        return portioner.finish()

    def _that_stand(self, portions: Sequence[Portion], before: Mapping[int, set[int]], turned: bool) -> Laid:
        """Portions in an order in which what is there stands after each, as far as that can be had."""
        side = self.pile.side(turned)
        growth = Growth(Ground.TABLE, side.floor(brick for portion in portions for brick in portion.bricks), turned)
        left, order, held = list(portions), [], []
        there: set[int] = set()
        tried: dict[Portion, int] = {}
        while left:
            ready = [portion for portion in left if all(before[item] <= there | set(portion.items) for item in portion.items)]
            for portion in ready:
                if tried.get(portion, 0) < MOST_WAITS and (grown := growth.after(self._sized(portion))):
                    break
                tried[portion] = tried.get(portion, 0) + 1
            else:
                portion, grown = ready[0], None
            growth = grown or growth.held(self._sized(portion))
            order.append(portion)
            held.append(grown is None)
            there.update(portion.items)
            left.remove(portion)
        return Laid(tuple(order), tuple(held))

    def _sized(self, portion: Portion):
        return sized([self.pile.bricks[brick] for brick in portion.bricks])

    def _joins_at(self, bricks: Collection[int]) -> int:
        """The layer in which a chunk meets what it is put onto."""
        side = self.pile.upright
        return min((side.begins[brick] for brick in bricks if side.under[brick] - bricks), default=side.floor(bricks))

    def _middle(self, bricks: Collection[int]) -> tuple[int, int]:
        """Of the box around some bricks, in half studs."""
        placed = [self.pile.bricks[brick] for brick in bricks]
        ends = []
        for axis in (0, 1):
            low = min(brick.pose[axis] for brick in placed)
            ends.append(low + max(brick.pose[axis] + brick.shape.extent(brick.d)[axis] for brick in placed))
        return ends[0], ends[1]


def _faults(cuts: Sequence[Cut], apart: Sequence[Laid], whole: Laid) -> tuple[set[Cut], set[int]]:
    """Cuts to refuse and bricks to lay otherwise, where something falls."""
    refused = {cut for cut, laid in zip(cuts, apart, strict=True) if any(laid.held)}
    shaky: set[int] = set()
    for portion, held in zip(whole.portions, whole.held, strict=True):
        if held:
            refused |= {cuts[-1 - item] for item in portion.items if item < 0}
            shaky |= {item for item in portion.items if item >= 0}
            break  # what comes after may fall only because this did
    return refused, shaky


def _handwork(cuts: Sequence[Cut], apart: Sequence[Laid], whole: Laid) -> Handwork:
    chunks = [Chunk(_steps(laid), cut.turned) for cut, laid in zip(cuts, apart, strict=True)]
    return Handwork((*chunks, Chunk(_steps(whole))))


def _steps(laid: Laid) -> tuple[Step, ...]:
    steps = []
    for portion, held in zip(laid.portions, laid.held, strict=True):
        chunks = tuple(-1 - item for item in portion.items if item < 0)
        steps.append(Step(tuple(item for item in portion.items if item >= 0), chunks, held))
    return tuple(steps)
