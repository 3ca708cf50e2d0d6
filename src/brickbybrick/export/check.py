"""Can a finished model be built by hand, and does it stand? A second opinion, from nothing but sets of cells.

Nothing here shares code with the rules by which agents build, so that an error in those shows up before anyone buys
bricks. The forces come from `geometry/stability.py`; making a model stand is left to `repair.py`.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.stability import holds, load_bound, load_factor, steps_that_stand, where_to_hold
from brickbybrick.geometry.statics import Ground

Bricks = Sequence[PlacedBrick]


class Fault(NamedTuple):
    """A brick to paint red, and why."""

    brick: int
    reason: str


class FallingSteps(NamedTuple):
    """The building steps after which the model does not stand by itself, from 0."""

    on_table: tuple[int, ...]
    on_plate: tuple[int, ...]


class Standing(NamedTuple):
    """Whether a model stands on some ground."""

    stands: bool | None  # None if that was not worked out
    load_factor: float | None  # None if it topples or is not known
    held: tuple[int, ...] = ()  # the bricks that must be held if it falls
    bound: float | None = None  # what the load factor does not exceed, where that is all that is known


@dataclass(frozen=True)
class Verdict:
    """What is to be known of a model before it is built."""

    joined: bool  # all bricks hang together by studs
    no_overlap: bool
    above_ground: bool
    in_budget: bool
    insertable: bool  # there is an order in which a hand can put on every brick
    insertable_as_placed: bool  # the order in which the bricks were placed is one
    stands: bool | None  # on a table; None if that was not worked out
    stands_on_plate: bool | None
    load_factor: float | None  # friction needed by friction there is, on a table; None if it topples or is not known
    load_factor_on_plate: float | None
    faults: tuple[Fault, ...] = ()
    sentences: tuple[str, ...] = ()

    def flat(self) -> dict[str, bool | float | None]:
        """The verdict as a `Construction` carries it; a model that topples has a load factor of null in JSON."""
        names = [field.name for field in fields(self) if field.name not in ("faults", "sentences")]
        return {name: getattr(self, name) for name in names}


class Contacts(NamedTuple):
    """Which bricks share studs; one set of indices a brick."""

    above: tuple[frozenset[int], ...]
    below: tuple[frozenset[int], ...]

    def beside(self, brick: int) -> frozenset[int]:
        """Every brick that this one is joined to."""
        return self.above[brick] | self.below[brick]


def filled(bricks: Bricks) -> dict[Cell, list[int]]:
    """The bricks in each cell; one, if all is well."""
    fillers: dict[Cell, list[int]] = defaultdict(list)
    for index, brick in enumerate(bricks):
        for cell in brick.cells():
            fillers[cell].append(index)
    return dict(fillers)


def contacts(bricks: Bricks) -> Contacts:
    """What lies directly above and below each brick."""
    fillers = filled(bricks)

    def touching(brick: PlacedBrick, step: int) -> frozenset[int]:
        return frozenset(other for x, y, z in brick.cells() for other in fillers.get((x, y, z + step), ()))

    return Contacts(tuple(touching(b, 1) for b in bricks), tuple(touching(b, -1) for b in bricks))


def overlapping(bricks: Bricks) -> dict[int, int]:
    """Each brick that shares a cell with another, and the first such other."""
    partner: dict[int, int] = {}
    for sharing in filled(bricks).values():
        for brick in sharing[1:]:
            partner.setdefault(brick, sharing[0])
            partner.setdefault(sharing[0], brick)
    return partner


def pieces(touching: Contacts) -> list[list[int]]:
    """The groups of bricks that hang together by studs, the largest first."""
    left = set(range(len(touching.above)))
    found = []
    while left:
        piece = reached(min(left), left, touching)
        left -= piece
        found.append(sorted(piece))
    return sorted(found, key=lambda piece: (-len(piece), piece))


def reached(start: int, among: set[int], touching: Contacts) -> set[int]:
    """The bricks that `start` is joined to, directly or through others."""
    seen, todo = {start}, [start]
    while todo:
        for other in touching.beside(todo.pop()):
            if other in among and other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def pushed_between(construction: Construction, order: Iterable[int] | None = None) -> tuple[int, ...]:
    """The bricks that an order, the construction's own if not given, pushes between two layers already there."""
    touching = contacts(construction.bricks)
    there: set[int] = set()
    pushed = []
    for brick in range(len(construction.bricks)) if order is None else order:
        if touching.above[brick] & there and touching.below[brick] & there:
            pushed.append(brick)
        there.add(brick)
    return tuple(pushed)


def out_of_reach(construction: Construction) -> tuple[int, ...]:
    """The bricks that join nothing when the construction's own order comes to them."""
    touching = contacts(construction.bricks)
    return tuple(
        brick for brick in range(1, len(construction.bricks)) if min(touching.beside(brick), default=brick) >= brick
    )


def assembly_order(construction: Construction, from_ground: bool = False) -> tuple[int, ...] | None:
    """An order in which every brick can be put on by hand; None if bricks overlap or are not all joined.

    The rule: a brick is pressed straight down onto bricks below it, or straight up onto bricks above it. So each brick
    after the first joins what is there; and where it joins bricks below, the layer right above it is still free, and
    the other way round. One free layer is room enough to bring it in from the side: it starts only a stud's height
    away from its place. The model may be held in the hand, so a brick that hangs is as good as one that lies.

    Such an order exists for every joined model, from any first brick. Take bricks off instead, one at a time: any that
    is not needed to keep the rest together and is free above or below. There is always one. If no brick is needed to
    keep the others together, then one of the highest and one of the lowest can go, and only one of them is the first
    brick. Otherwise some bricks are, and there are at least two parts that hang on the rest by a single brick each and
    have no such brick inside; choose one without the first brick. Its highest brick has nothing above but perhaps the
    brick it hangs on, and its lowest nothing below but perhaps that same one, which cannot be both: so one of the two
    is free, and comes off. Hence nothing ever has to be tried twice.

    Of the bricks that can come off, the last in the order of `bottom_up` goes first. So the result is that order
    itself wherever it keeps the rule, and near it elsewhere.

    Args:
        construction: The model.
        from_ground: Whether the ground counts as a brick that is there from the start, as a studded plate is. Then the
            bricks of the lowest layer are set down side by side, each before anything lies over it.
    """
    bricks = construction.bricks
    touching = contacts(bricks)
    if overlapping(bricks) or len(pieces(touching)) > 1:
        return None
    if not bricks:
        return ()
    first = min(range(len(bricks)), key=lambda index: _place(bricks, index))
    if from_ground:
        first, touching = len(bricks), with_ground(bricks, touching)
    left = bottom_up(bricks, touching, first)
    there = set(left)
    taken_off = []
    while len(left) > 1:
        off = next(brick for brick in reversed(left[1:]) if comes_off(brick, there, touching))
        left.remove(off)
        there.remove(off)
        taken_off.append(off)
    order = (first, *reversed(taken_off))
    return order[1:] if from_ground else order


def with_ground(bricks: Bricks, touching: Contacts) -> Contacts:
    """The contacts with one more brick, the ground, under all of the lowest layer."""
    level = min(brick.z for brick in bricks)
    lowest = frozenset(index for index, brick in enumerate(bricks) if brick.z == level)
    ground = frozenset([len(bricks)])
    below = [ground if index in lowest else under for index, under in enumerate(touching.below)]
    return Contacts((*touching.above, lowest), (*below, frozenset()))


def bottom_up(bricks: Bricks, touching: Contacts, first: int) -> list[int]:
    """From the first brick on, always the lowest one that joins what is there.

    So a model grows by layers, and a brick that hangs follows right after what holds it.
    """
    order = [first]
    seen = {first}
    waiting: list[tuple[int, int, int, int]] = []
    while True:
        for other in touching.beside(order[-1]) - seen:
            seen.add(other)
            heapq.heappush(waiting, _place(bricks, other))
        if not waiting:
            return order
        order.append(heapq.heappop(waiting)[-1])


def _place(bricks: Bricks, index: int) -> tuple[int, int, int, int]:
    """Sorts bricks from the bottom up, then by rows."""
    brick = bricks[index]
    return brick.z, brick.y, brick.x, index


def comes_off(brick: int, there: set[int], touching: Contacts) -> bool:
    """Whether a brick can be pulled off up or down, and what stays hangs together."""
    if touching.above[brick] & there and touching.below[brick] & there:
        return False
    beside = touching.beside(brick) & there
    return len(beside) < 2 or beside <= reached(min(beside), there - {brick}, touching)


def falling_steps(construction: Construction, steps: Sequence[Sequence[int]]) -> FallingSteps:
    """The steps after which what was built so far does not stand by itself; a step is the bricks it adds."""
    order = [brick for step in steps for brick in step]
    bricks = [(construction.bricks[brick].size, construction.bricks[brick].pose) for brick in order]
    level = min((brick.z for brick in construction.bricks), default=0)
    counts, total = [], 0
    for step in steps:
        total += len(step)
        counts.append(total)

    def falling(ground: Ground) -> tuple[int, ...]:
        standing = steps_that_stand(bricks, counts, ground, level)
        return tuple(step for step, stands in enumerate(standing) if not stands)

    return FallingSteps(falling(Ground.TABLE), falling(Ground.PLATE))


def judge(construction: Construction, most_exact: int | None = None) -> Verdict:
    """Everything that can be said about a model before it is built.

    Args:
        construction: The model.
        most_exact: For models of more bricks, how much friction they need is only bounded, which takes seconds instead
            of minutes; where that does not tell whether they stand, it stays open. All are exact if not given.
    """
    bricks = construction.bricks
    exact = most_exact is None or len(bricks) <= most_exact
    overlap = overlapping(bricks)
    parts = pieces(contacts(bricks))
    sunk = [index for index, brick in enumerate(bricks) if brick.z < 0]
    surplus = [] if construction.budget is None else list(range(construction.budget, len(bricks)))
    faults = [Fault(brick, f"shares a cell with brick {other + 1}") for brick, other in sorted(overlap.items())]
    faults += [Fault(brick, "is not joined to the others") for part in parts[1:] for brick in part]
    faults += [Fault(brick, "is below the ground") for brick in sunk]
    faults += [Fault(brick, "is more than the budget allows") for brick in surplus]
    standing = dict.fromkeys(Ground, Standing(False, None))
    if not overlap:  # bricks in each other's place have no forces to speak of
        for ground in Ground:
            standing[ground] = forces(bricks, ground) if exact else quick_forces(bricks, ground)
            faults += [Fault(brick, f"needs a hand under it on a {ground.value}") for brick in standing[ground].held]
    buildable = len(parts) <= 1 and not overlap
    verdict = Verdict(
        joined=len(parts) <= 1,
        no_overlap=not overlap,
        above_ground=not sunk,
        in_budget=not surplus,
        insertable=assembly_order(construction) is not None,
        insertable_as_placed=buildable and not pushed_between(construction) and not out_of_reach(construction),
        stands=standing[Ground.TABLE].stands,
        stands_on_plate=standing[Ground.PLATE].stands,
        load_factor=standing[Ground.TABLE].load_factor,
        load_factor_on_plate=standing[Ground.PLATE].load_factor,
        faults=tuple(faults),
    )
    return replace(verdict, sentences=tuple(explain(verdict, construction, len(parts), standing)))


def forces(bricks: Bricks, ground: Ground) -> Standing:
    """How a model stands."""
    sized = [(brick.size, brick.pose) for brick in bricks]
    factor = load_factor(sized, ground)
    held = () if holds(factor) else where_to_hold(sized, ground)
    return Standing(holds(factor), factor, tuple(sorted({hold.brick for hold in held})))


def quick_forces(bricks: Bricks, ground: Ground) -> Standing:
    """How a large model stands, as far as a bound of its load factor tells."""
    bound = load_bound([(brick.size, brick.pose) for brick in bricks], ground)
    return Standing(True if holds(bound) else False if bound is None else None, None, bound=bound)


def explain(
    verdict: Verdict, construction: Construction, parts: int, standing: Mapping[Ground, Standing]
) -> Iterator[str]:
    """The verdict in sentences: first what is wrong with the bricks, then how the model stands."""
    if not verdict.joined:
        yield f"The bricks fall into {parts} pieces that no stud joins."
    if not verdict.no_overlap:
        yield "Some bricks are in each other's place, so it makes no sense to ask whether the model stands."
        return
    if not verdict.above_ground:
        yield "Some bricks are below the ground; the lowest layer is taken for what stands on the table."
    if not verdict.in_budget:
        yield f"There are {len(construction.bricks)} bricks, and the budget is {construction.budget}."
    if verdict.insertable and not verdict.insertable_as_placed:
        yield "It can be built by hand, though not in the order in which the bricks were placed."
    on_table, on_plate = (_how_it_stands(standing[ground]) for ground in (Ground.TABLE, Ground.PLATE))
    yield f"On a table it {on_table}; on a studded plate it {on_plate}."
    if any(each.bound is not None for each in standing.values()):
        yield f"This is a quick answer for {len(construction.bricks)} bricks; b3 check takes minutes for the exact one."


def _how_it_stands(standing: Standing) -> str:
    if standing.stands is None:
        return "may stand or fall"
    if standing.bound is not None:
        return f"stands, with at most {standing.bound:.0%} of the friction that bricks have"
    factor = standing.load_factor
    if factor is None:
        return "topples"
    if not holds(factor):
        return f"breaks, for it needs {factor:.2f} times the friction that bricks have"
    return f"stands, with {factor:.0%} of the friction that bricks have"
