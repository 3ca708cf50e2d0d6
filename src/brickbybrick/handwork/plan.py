"""From a model to how it is put together by hand.

Cuts say what is built apart; each chunk and the whole are laid from the table up, in portions; and portions that would
fall wait until something holds them. Where something falls nevertheless, other cuts are tried.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, groupby

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.stability import steps_that_stand
from brickbybrick.geometry.statics import Ground
from brickbybrick.handwork.apart import Undoing
from brickbybrick.handwork.copies import in_colour, with_copies
from brickbybrick.handwork.cuts import Cut, Cutter, items_of
from brickbybrick.handwork.effort import Effort
from brickbybrick.handwork.laying import Laid, Laying
from brickbybrick.handwork.legs import legs_of
from brickbybrick.handwork.pile import Pile, Side
from brickbybrick.handwork.steps import MOST_LARGE, Portion, Portioner, most_of
from brickbybrick.handwork.ties import Standing, Tie, ties_of
from brickbybrick.handwork.turns import in_turn
from brickbybrick.handwork.work import Chunk, Handwork, Step, in_one_go
from brickbybrick.judging.check import assembly_order, sized

Place = tuple[int, int, int, str, int]  # a brick's z, y, x, part and direction

MOST_PLANNED = 4_000  # bricks of models for which chunks are looked for and forces worked out
MOST_TRIALS = 16  # sets of cuts that are tried
LAST_RESORT = 3.0  # times the usual effort to take it apart, for without that it must be held;
LAST_LARGE = 250  # but for a larger model no more than for one of so many bricks: below a minute
MOST_ORDERS = 4  # orders in which a model is taken apart


def handwork_of(construction: Construction) -> Handwork:
    """How a model that is in one piece and does not overlap is put together by hand.

    Very large ones are laid in an order in which a hand can put on every brick, without a word on whether they stand.
    """
    bricks = construction.bricks
    if len(bricks) > MOST_PLANNED:
        return in_one_go(_cut_evenly(assembly_order(construction, from_ground=True) or ()))
    sorting = sorted(range(len(bricks)), key=lambda index: _where(bricks[index]))
    found = planned(tuple(_where(bricks[index]) for index in sorting))
    chunks = [replace(chunk, steps=tuple(_renamed(step, sorting) for step in chunk.steps)) for chunk in found.chunks]
    return in_colour(replace(found, chunks=tuple(chunks)), bricks)


@lru_cache(maxsize=8)
def planned(places: tuple[Place, ...]) -> Handwork:
    """The handwork of bricks by their places; asked for again when a model was coloured, or put into its order."""
    bricks = tuple(PlacedBrick(part, x, y, z, d) for z, y, x, part, d in places)
    return with_copies(Planner(Pile(bricks)).plan(), bricks)


def _where(brick: PlacedBrick) -> Place:
    return brick.z, brick.y, brick.x, brick.part, brick.d


def _renamed(step: Step, names: Sequence[int]) -> Step:
    return replace(step, bricks=tuple(names[brick] for brick in step.bricks))


def _cut_evenly(order: Sequence[int]) -> list[Sequence[int]]:
    return [order[first : first + MOST_LARGE] for first in range(0, len(order), MOST_LARGE)]


class Planner:
    """Plans of a pile, with one set of cuts after the other."""

    def __init__(self, pile: Pile) -> None:
        self.pile = pile
        self.most = most_of(len(pile.bricks))
        self.effort = Effort(len(pile.bricks))
        self.known: dict[Cut, Laid] = {}
        self.everything = Cut(frozenset(range(len(pile.bricks))), turned=False)

    def plan(self) -> Handwork:
        """The first plan of which everything stands, else the best that was found."""
        refused: set[Cut] = set()
        shaky: set[int] = set()
        everything = self.everything
        found: dict[Cut, int] = {}  # with how many bricks hang
        for _ in range(MOST_TRIALS):
            parts, hanging = Cutter(self.pile, everything, self._stands, refused, shaky, effort=self.effort).choose()
            cut = replace(everything, parts=tuple(sorted(parts, key=self._place)))
            found[cut] = len(hanging)
            more, less = self._that_hold(hanging, parts), set[int]()
            if more <= refused:
                whole = self._laid(cut, strict=True)
                if not any(whole.held):
                    return self._handwork(*self._on_legs(cut, whole))
                more, less = _faults(cut, whole)
            if (more <= refused and less <= shaky) or self.effort.is_spent:
                break
            refused |= more
            shaky |= less
        apart = self.taken_apart()
        if apart is not None and not apart.to_hold:
            return apart
        best = min(found, key=lambda cut: found[cut])
        plans = [self._handwork(best, self._laid(best, strict=False)), *([apart] if apart else [])]
        return min(plans, key=lambda plan: (len(plan.to_hold or ()), len(plan.chunks)))

    def taken_apart(self) -> Handwork | None:
        """A plan with the chunks that come off when the model is taken apart, if any is found: the first of which
        everything stands, else the one with the fewest bricks that are held by others.

        Where the forces say that something falls which does not topple, it is taken apart again, knowing what holds it;
        where that leads nowhere, in another order.
        """
        self.effort = Effort(min(len(self.pile.bricks), LAST_LARGE), LAST_RESORT)
        judged: dict[Cut, set[Tie]] = {}
        stands = Standing(self.pile, self.effort)
        best: tuple[int, Cut] | None = None
        for seed in range(MOST_ORDERS):
            ties: set[Tie] = set()
            for _ in range(MOST_TRIALS):
                undoing = Undoing(self.pile, self.most, self.effort, stands.when_done, ties, seed)
                cut = undoing.cut(self.everything.bricks, turned=False)
                if cut is None:
                    break
                every = [*_inside(cut), cut]
                judged |= {each: self._ties(each) for each in every if each not in judged}
                more = {tie for each in every for tie in judged[each]}
                best = min(best or (len(more), cut), (len(more), cut), key=lambda found: found[0])
                if not more:
                    return self._as_taken_apart(cut)
                ties |= more
        return self._as_taken_apart(best[1]) if best else None

    def _as_taken_apart(self, cut: Cut) -> Handwork:
        """The handwork of a cut that was taken apart."""
        for each in (*_inside(cut), cut):
            portions = self._in_order(each)
            bricks = sized([self.pile.bricks[brick] for portion in portions for brick in portion.bricks])
            counts = list(accumulate(len(portion.bricks) for portion in portions))
            floor = self.pile.side(each.turned).floor(each.bricks)
            standing = steps_that_stand(bricks, counts, Ground.TABLE, floor, each.turned)
            self.known[each] = Laid(portions, tuple(not stands for stands in standing))
        whole = self.known[cut]
        if any(whole.held):  # what falls may wait
            whole = min(whole, self._laid(cut, strict=False), key=lambda laid: sum(laid.held))
        return self._handwork(cut, whole)

    def _in_order(self, cut: Cut) -> tuple[Portion, ...]:
        """A cut as it was taken apart, backwards, in portions."""
        portions = tuple(Portion(items, self._bricks(items, cut)) for items in cut.order)
        return self._merged(Laid(portions, (False,) * len(portions)), cut).portions

    def _ties(self, cut: Cut) -> set[Tie]:
        """What holds what falls for some time while a cut is built in its order."""
        steps = [self._bricks(items, cut) for items in cut.order]
        done = set(accumulate(len(portion.bricks) for portion in self._in_order(cut)))  # bricks by then
        ends = [step for step, count in enumerate(accumulate(map(len, steps))) if count in done]
        return ties_of(self.pile, cut.turned, steps, ends, self.effort)

    def _on_legs(self, cut: Cut, whole: Laid) -> tuple[Cut, Laid]:
        """The same with legs that are alike built apart, if it then still stands."""
        legs = [leg for leg in legs_of(self.pile, cut) if self._stands(leg)]
        apart = replace(cut, parts=tuple(sorted((*cut.parts, *legs), key=self._place)))
        laid = self._laid(apart, strict=True) if legs else whole
        return (cut, whole) if any(laid.held) else (apart, laid)

    def _that_hold(self, hanging: Collection[int], parts: Collection[Cut]) -> set[Cut]:
        """The chunks that were taken without some bricks which hang from them."""
        return {part for part in parts if any(self.pile.upright.over[brick] & part.bricks for brick in hanging)}

    def _stands(self, cut: Cut) -> bool:
        """Whether a chunk stands while it is built."""
        if cut not in self.known:
            self.known[cut] = self._laid(cut, strict=True)
        return not any(self.known[cut].held)

    def _place(self, cut: Cut) -> tuple[int, list[int]]:
        return self._joins_at(cut.bricks, self.pile.upright), sorted(cut.bricks)

    def _laid(self, cut: Cut, strict: bool) -> Laid:
        """How to lay the bricks and chunks of a cut: with the fewest portions to hold.

        If it is strict, no more is laid after the first portion that falls.
        """
        items = items_of(cut)
        before = self.pile.piled(items, cut.turned)
        pressed = self._pressed_on(cut, items, before)
        best = None
        for mirrored in (True, False):
            portions = self._portions(before, cut, mirrored)
            if portions is None:
                return Laid((), (True,))
            laid = Laying(self.pile, cut.turned, self.most, items, before, self.effort).laid(portions, pressed, strict)
            if best is None or sum(laid.held) < sum(best.held):
                best = laid
            if not any(best.held):
                break
        assert best is not None
        return best if any(best.held) else self._merged(best, cut)

    def _merged(self, laid: Laid, cut: Cut) -> Laid:
        """The same with small portions that follow each other in one."""
        portioner = Portioner(self.pile, self.pile.side(cut.turned), self.most, self._middle(cut.bricks), mirrored=True)
        for portion in laid.portions:
            if portion.items == portion.bricks:
                portioner.take(portion.bricks)
            else:
                portioner.put_on(portion.items, portion.bricks)
        portions = portioner.finish()
        return Laid(tuple(portions), (False,) * len(portions))

    def _portions(self, before: Mapping[int, set[int]], cut: Cut, mirrored: bool) -> list[Portion] | None:
        """All items of a cut from the table up; None if some wait for each other."""
        side = self.pile.side(cut.turned)

        def rank(item: int) -> tuple[int, int]:
            """By layers, and in each the low ones first, which the high ones would hide."""
            if item >= 0:
                return side.begins[item], side.ends[item]
            return self._joins_at(cut.parts[-1 - item].bricks, side), 0

        order = in_turn(before, rank)
        if order is None:
            return None
        portioner = Portioner(self.pile, side, self.most, self._middle(cut.bricks), mirrored)
        for (_, is_brick), run in groupby(order, key=lambda item: (rank(item), item >= 0)):
            some = list(run)
            if is_brick:
                portioner.lay(some)
            else:
                portioner.put_on(some, self._bricks(some, cut))
        return portioner.finish()

    def _bricks(self, items: Sequence[int], cut: Cut) -> tuple[int, ...]:
        """All bricks of items of a cut."""
        every = [[item] if item >= 0 else sorted(cut.parts[-1 - item].bricks) for item in items]
        return tuple(brick for bricks in every for brick in bricks)

    def _pressed_on(self, cut: Cut, items: Mapping[int, int], before: dict[int, set[int]]) -> set[int]:
        """Items that can lie on nothing, and are pressed on from below after what holds them; `before` is told so."""
        side = self.pile.side(cut.turned)
        floor = side.floor(cut.bricks)
        members: dict[int, list[int]] = {}
        for brick, item in items.items():
            members.setdefault(item, []).append(brick)
        found = {items[brick] for brick in cut.bricks if side.begins[brick] == floor and side.can_stand[brick]}
        pressed: set[int] = set()
        waiting = list(found)
        while len(found) < len(members):
            while waiting:
                upper = {items[brick] for own in members[waiting.pop()] for brick in side.over[own] & cut.bricks}
                waiting += upper - found
                found |= upper
            hanging = [
                (items[brick], item)
                for item in found
                for own in members[item]
                for brick in side.under[own] & cut.bricks
                if items[brick] not in found
            ]
            if not hanging:  # they are not joined at all
                return pressed | (set(members) - found)
            for item, holder in sorted(hanging):
                before[item] = before[item] & found | {holder} if item not in found else before[item]
                for other in before.values():
                    other.discard(item)
                pressed.add(item)
                found.add(item)
                waiting.append(item)
        return pressed

    def _joins_at(self, bricks: Collection[int], side: Side) -> int:
        """The layer in which a chunk meets what it is put onto."""
        own = set(bricks)
        return min((side.begins[brick] for brick in bricks if side.under[brick] - own), default=side.floor(bricks))

    def _middle(self, bricks: Collection[int]) -> tuple[int, int]:
        """Of the box around some bricks, in half studs."""
        left, front, right, back = self.pile.box(bricks)
        return left + right, front + back

    def _handwork(self, cut: Cut, whole: Laid) -> Handwork:
        chunks: list[Chunk] = []

        def add(cut: Cut, laid: Laid) -> int:
            numbers = [add(part, self.known[part]) for part in cut.parts]
            chunks.append(Chunk(_steps(laid, numbers), cut.turned))
            return len(chunks) - 1

        add(cut, whole)
        return Handwork(tuple(chunks), tuple(self._reasons(cut, whole)), judged=True)

    def _reasons(self, cut: Cut, whole: Laid) -> Iterator[str]:
        """Why portions are held: what was found, one sentence each."""
        side, there = self.pile.side(cut.turned), set[int]()
        hanging, falling = 0, sum(sum(self.known[part].held) for part in _inside(cut))  # nothing hangs in chunks
        for portion, held in zip(whole.portions, whole.held, strict=True):
            there.update(portion.bricks)
            hangs = side.hanging(there) & set(portion.bricks)
            hanging += held and bool(hangs)
            falling += held and not hangs
        if hanging:
            yield f"In {_steps_in_words(hanging)} bricks hang: no chunk that was tried takes them along and stands."
        if falling:
            yield f"In {_steps_in_words(falling)} what is there would fall: no order that was tried stands."
        if whole.held and whole.held[-1] and not hanging:
            yield "It falls even when it is finished."


def _steps_in_words(count: int) -> str:
    return f"{count} steps" if count > 1 else "one step"


def _inside(cut: Cut) -> Iterator[Cut]:
    """All chunks of a cut, and theirs."""
    for part in cut.parts:
        yield from _inside(part)
        yield part


def _faults(cut: Cut, whole: Laid) -> tuple[set[Cut], set[int]]:
    """Cuts to refuse and bricks to lay otherwise, where the whole falls."""
    items = [item for portion, held in zip(whole.portions, whole.held, strict=True) if held for item in portion.items]
    return {cut.parts[-1 - item] for item in items if item < 0}, {item for item in items if item >= 0}


def _steps(laid: Laid, numbers: Sequence[int]) -> tuple[Step, ...]:
    steps = []
    for portion, held in zip(laid.portions, laid.held, strict=True):
        chunks = tuple(numbers[-1 - item] for item in portion.items if item < 0)
        steps.append(Step(tuple(item for item in portion.items if item >= 0), chunks, held))
    return tuple(steps)
