"""Can a finished model be built by hand, and does it stand? A second opinion, from nothing but sets of cells.

Nothing here shares code with the rules by which agents build, so that an error in those shows up before anyone buys
bricks. The forces come from `geometry/stability.py`; making a model stand is left to `repair.py`.
"""

import heapq
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.brick import Cell
from brickbybrick.geometry.stability import holds, load_factor, rough_load_factor, steps_that_stand, where_to_hold
from brickbybrick.geometry.statics import Ground

Bricks = Sequence[PlacedBrick]
MOST_EXACT = 500  # bricks of models whose exact load factor is worked out, which takes seconds there


class Fault(NamedTuple):
    """A brick to paint red, and why."""

    brick: int
    reason: str


class FallingSteps(NamedTuple):
    """The building steps after which the model does not stand by itself, from 0."""

    on_table: tuple[int, ...]
    on_plate: tuple[int, ...]


@dataclass(frozen=True)
class Verdict:
    """What is to be known of a model before it is built."""

    joined: bool  # all bricks hang together by studs
    no_overlap: bool
    above_ground: bool
    in_budget: bool
    insertable: bool  # there is an order in which a hand can put on every brick
    insertable_as_placed: bool  # the order in which the bricks were placed is one
    stands: bool  # on a table
    stands_on_plate: bool
    load_factor: float | None  # friction needed by friction there is, on a table; None if it topples
    load_factor_on_plate: float | None
    exact_load_factors: bool = True  # whether they are the least friction that is enough; a bound in large models
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
    """From the first brick on, layer by layer, what hangs from a layer after all of that layer.

    A brick's turn is the highest layer that must be there for it to join the rest: its own, or one that it hangs from.
    """
    order = [first]
    turn = min(brick.z for brick in bricks)
    seen = {first}
    waiting: list[tuple[int, int, int, int, int]] = []
    while True:
        for other in touching.beside(order[-1]) - seen:
            seen.add(other)
            z, y, x, _ = _place(bricks, other)
            heapq.heappush(waiting, (max(turn, z), -z, y, x, other))
        if not waiting:
            return order
        turn, *_, brick = heapq.heappop(waiting)
        order.append(brick)


def _place(bricks: Bricks, index: int) -> tuple[int, int, int, int]:
    """Sorts bricks from the bottom up, then by rows."""
    brick = bricks[index]
    return brick.z, brick.y, brick.x, index


def comes_off(brick: int, there: set[int], touching: Contacts) -> bool:
    """Whether a brick can be pulled off up or down, and what stays hangs together."""
    if touching.above[brick] & there and touching.below[brick] & there:
        return False
    beside = touching.beside(brick) & there
    return len(beside) < 2 or hang_together(beside, there - {brick}, touching)


def hang_together(bricks: Iterable[int], among: set[int], touching: Contacts) -> bool:
    """Whether bricks are joined to each other through others.

    A search starts at each of them and the smallest goes on, until all have met or one has nowhere to go: mostly they
    meet nearby, so that it takes no longer in a large model.
    """
    found = {brick: number for number, brick in enumerate(bricks)}  # the search that found a brick
    joined = list(range(len(found)))  # the search that each has become part of, or itself
    todo = {number: deque([brick]) for brick, number in found.items()}

    def search(brick: int) -> int:
        number = found[brick]
        while joined[number] != number:
            number = joined[number]
        return number

    while len(todo) > 1:
        number = min(todo, key=lambda each: len(todo[each]))
        if not todo[number]:
            return False
        for other in touching.beside(todo[number].popleft()) & among:
            if other not in found:
                found[other] = number
                todo[number].append(other)
            elif (met := search(other)) != number:
                joined[met] = number
                todo[number] += todo.pop(met)
    return True


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


def judge(construction: Construction) -> Verdict:
    """Everything that can be said about a model before it is built."""
    bricks = construction.bricks
    overlap = overlapping(bricks)
    parts = pieces(contacts(bricks))
    sunk = [index for index, brick in enumerate(bricks) if brick.z < 0]
    surplus = [] if construction.budget is None else list(range(construction.budget, len(bricks)))
    faults = [Fault(brick, f"shares a cell with brick {other + 1}") for brick, other in sorted(overlap.items())]
    faults += [Fault(brick, "is not joined to the others") for part in parts[1:] for brick in part]
    faults += [Fault(brick, "is below the ground") for brick in sunk]
    faults += [Fault(brick, "is more than the budget allows") for brick in surplus]
    factors: dict[Ground, float | None] = dict.fromkeys(Ground)
    if not overlap:  # bricks in each other's place have no forces to speak of
        for ground in Ground:
            factors[ground], held = forces(bricks, ground)
            faults += [Fault(brick, f"needs a hand under it on a {ground.value}") for brick in held]
    buildable = len(parts) <= 1 and not overlap
    verdict = Verdict(
        joined=len(parts) <= 1,
        no_overlap=not overlap,
        above_ground=not sunk,
        in_budget=not surplus,
        insertable=assembly_order(construction) is not None,
        insertable_as_placed=buildable and not pushed_between(construction) and not out_of_reach(construction),
        stands=holds(factors[Ground.TABLE]),
        stands_on_plate=holds(factors[Ground.PLATE]),
        load_factor=factors[Ground.TABLE],
        load_factor_on_plate=factors[Ground.PLATE],
        exact_load_factors=len(bricks) <= MOST_EXACT,
        faults=tuple(faults),
    )
    return replace(verdict, sentences=tuple(explain(verdict, construction, len(parts))))


def forces(bricks: Bricks, ground: Ground) -> tuple[float | None, list[int]]:
    """The load factor of a model, a rough one if it is large, and the bricks that must be held if it falls."""
    sized = [(brick.size, brick.pose) for brick in bricks]
    factor = load_factor(sized, ground) if len(bricks) <= MOST_EXACT else rough_load_factor(sized, ground)
    held = () if holds(factor) else where_to_hold(sized, ground)
    return factor, sorted({hold.brick for hold in held})


def explain(verdict: Verdict, construction: Construction, parts: int) -> Iterator[str]:
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
    on_table, on_plate = (
        _how_it_stands(factor, verdict.exact_load_factors)
        for factor in (verdict.load_factor, verdict.load_factor_on_plate)
    )
    yield f"On a table it {on_table}; on a studded plate it {on_plate}."
    if not verdict.exact_load_factors:
        yield f"With more than {MOST_EXACT} bricks, the least friction that is enough was not worked out."


def _how_it_stands(factor: float | None, exact: bool) -> str:
    if factor is None:
        return "topples"
    if not holds(factor):
        return f"breaks, for it needs {'' if exact else 'at least '}{factor:.2f} times the friction that bricks have"
    share = f"{max(factor, 0.01):.0%}"
    needed = f"at most {share}" if not exact else f"under {share}" if factor < 0.01 else share
    return f"stands, with {needed} of the friction that bricks have"
