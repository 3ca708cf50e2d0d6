"""Can a finished model be built by hand, and does it stand? A second opinion, from nothing but sets of cells.

Nothing here shares code with the rules by which agents build, so that an error in those shows up before anyone buys
bricks. The forces come from `geometry/stability.py`, the words from `verdict.py`; making a model stand is left to
`repair.py`.
"""

import heapq
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.brick import Cell, Pose
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.stability import (
    holds,
    load_factor,
    proven_load_factor,
    tipping_angle,
    where_to_hold,
)
from brickbybrick.geometry.statics import Ground
from brickbybrick.judging.verdict import Fault, Verdict, explain, is_steady, not_judged

Bricks = Sequence[PlacedBrick]
# Bricks of models up to which questions are asked, so that none takes more than a minute or so:
MOST_EXACT = 500  # what their exact load factor is,
MOST_HELD = 2_500  # whether they fall, and where a hand would have to hold them,
MOST_PROVEN = 20_000  # whether handing the load on, or springs in place of contacts, prove that they stand


class Contacts(NamedTuple):
    """Which bricks share studs; one set of indices a brick."""

    above: tuple[frozenset[int], ...]
    below: tuple[frozenset[int], ...]

    def beside(self, brick: int) -> frozenset[int]:
        """Every brick that this one is joined to."""
        return self.above[brick] | self.below[brick]


def sized(bricks: Bricks) -> list[tuple[Part, Pose]]:
    """The bricks as the forces are worked out from."""
    return [(brick.shape, brick.pose) for brick in bricks]


def filled(bricks: Bricks) -> dict[Cell, list[int]]:
    """The bricks in each cell; one, if all is well."""
    fillers: dict[Cell, list[int]] = defaultdict(list)
    for index, brick in enumerate(bricks):
        for cell in brick.cells():
            fillers[cell].append(index)
    return dict(fillers)


def contacts(bricks: Bricks) -> Contacts:
    """What each brick shares studs with, above it and below it."""
    studs, sockets = _joints(bricks)
    above: list[set[int]] = [set() for _ in bricks]
    below: list[set[int]] = [set() for _ in bricks]
    for place, lower in studs.items():
        for one, other in product(lower, sockets.get(place, ())):
            above[one].add(other)
            below[other].add(one)
    return Contacts(tuple(map(frozenset, above)), tuple(map(frozenset, below)))


def _joints(bricks: Bricks) -> tuple[dict[Cell, list[int]], dict[Cell, list[int]]]:
    """The bricks that have a stud at a place, and those that take one there: column and layer of what is above."""
    studs: dict[Cell, list[int]] = defaultdict(list)
    sockets: dict[Cell, list[int]] = defaultdict(list)
    for index, brick in enumerate(bricks):
        for x, y in brick.shape.studs(brick.pose):
            studs[x, y, brick.top].append(index)
        for x, y in brick.shape.sockets(brick.pose):
            sockets[x, y, brick.z].append(index)
    return dict(studs), dict(sockets)


def overlapping(bricks: Bricks) -> dict[int, int]:
    """Each brick that shares a cell with another, and the first such other."""
    partner: dict[int, int] = {}
    for sharing in filled(bricks).values():
        for brick in sharing[1:]:
            partner.setdefault(brick, sharing[0])
            partner.setdefault(sharing[0], brick)
    return partner


def pieces(bricks: Bricks) -> list[list[int]]:
    """The groups of bricks that hang together by studs, the largest first."""
    group = list(range(len(bricks)))  # a brick of the same group, nearer to the one that stands for all, or itself

    def leader(brick: int) -> int:
        while group[brick] != brick:
            group[brick] = group[group[brick]]
            brick = group[brick]
        return brick

    studs, sockets = _joints(bricks)
    for place, under in studs.items():
        over = sockets.get(place, ())
        # Through the first on either side, for thousands may be in one cell of a broken file.
        for one, other in [(brick, over[0]) for brick in under if over] + [(under[0], brick) for brick in over]:
            group[leader(one)] = leader(other)
    found: dict[int, list[int]] = defaultdict(list)
    for brick in range(len(bricks)):
        found[leader(brick)].append(brick)
    return sorted(found.values(), key=lambda piece: (-len(piece), piece))


def is_whole(bricks: Bricks) -> bool:
    """Whether there are bricks, none of which overlap, and all of which are joined."""
    return bool(bricks) and not overlapping(bricks) and len(pieces(bricks)) == 1


def can_follow(order: Iterable[int], touching: Contacts, there: Iterable[int] = ()) -> bool:
    """Whether a hand can put bricks on in this order, each onto what is there on one side of it; see `assembly_order`.

    If nothing is there before them, the first brick is held in the hand.
    """
    placed = set(there)
    for brick in order:
        above, below = touching.above[brick] & placed, touching.below[brick] & placed
        if (above and below) or (placed and not above and not below):
            return False
        placed.add(brick)
    return True


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

    With `from_ground` the ground counts as a brick that is there from the start, as a studded plate is. Then the bricks
    of the lowest layer are set down side by side, each before anything lies over it.
    """
    bricks = construction.bricks
    if overlapping(bricks) or len(pieces(bricks)) > 1:
        return None
    if not bricks:
        return ()
    touching = contacts(bricks)
    first = min(range(len(bricks)), key=lambda index: _place(bricks, index))
    if from_ground:
        first, touching = len(bricks), with_ground(bricks, touching)
    order = (first, *reversed(taken_off(bottom_up(bricks, touching, first), touching)))
    return order[1:] if from_ground else order


def taken_off(order: Sequence[int], touching: Contacts) -> list[int]:
    """All bricks of an order but its first, one after the other always the last that comes off."""
    place = {brick: number for number, brick in enumerate(order)}
    there = set(order)
    waiting = [-number for number in range(len(order) - 1, 0, -1)]  # the last first, as heaps go
    stuck: set[int] = set()  # those that did not come off when they were tried
    off = []
    while len(there) > 1:
        brick = order[-heapq.heappop(waiting)]
        if not comes_off(brick, there, touching):
            stuck.add(brick)
            continue
        there.remove(brick)
        off.append(brick)
        # Nothing else can have come free: what kept two parts together still does, unless this one was such a part.
        for other in touching.beside(brick) & stuck:
            stuck.remove(other)
            heapq.heappush(waiting, -place[other])
    return off


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
    return len(beside) < 2 or hang_together(beside, there, touching, without=brick)


def hang_together(bricks: Iterable[int], among: set[int], touching: Contacts, without: int | None = None) -> bool:
    """Whether bricks are joined to each other through others, not counting the one that they are to do without.

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

    def size(number: int) -> int:  # with what the next brick adds: the ground touches thousands, and is met instead
        return len(todo[number]) + (len(touching.above[todo[number][0]]) if todo[number] else 0)

    while len(todo) > 1:
        number = min(todo, key=size)
        if not todo[number]:
            return False
        for other in touching.beside(todo[number].popleft()) & among:
            if other == without:
                continue
            if other not in found:
                found[other] = number
                todo[number].append(other)
            elif (met := search(other)) != number:
                joined[met] = number
                todo[number] += todo.pop(met)
    return True


def judge(construction: Construction, placed_so: bool | None = None) -> Verdict:
    """Everything that can be said about a model before it is built.

    `placed_so` is whether a hand can put the bricks on as they were placed, where that is not one after the other.
    """
    bricks = construction.bricks
    overlap, parts = overlapping(bricks), pieces(bricks)
    sunk = [index for index, brick in enumerate(bricks) if brick.z < 0]
    surplus = [] if construction.budget is None else list(range(construction.budget, len(bricks)))
    faults = [Fault(brick, f"shares a cell with brick {other + 1}") for brick, other in sorted(overlap.items())]
    faults += [Fault(brick, "is not joined to the others") for part in parts[1:] for brick in part]
    faults += [Fault(brick, "is below the ground") for brick in sunk]
    faults += [Fault(brick, "is more than the budget allows") for brick in surplus]
    # Bricks in each other's place have no forces to speak of.
    loads = {ground: Load(False, None) if overlap else load_of(bricks, ground) for ground in Ground}
    for ground, load in loads.items():
        faults += [Fault(brick, f"needs a hand under it on a {ground.value}") for brick in load.held]
    buildable = len(parts) <= 1 and not overlap
    tips_at = tipping_angle(sized(bricks)) if bricks and buildable else None
    verdict = Verdict(
        joined=len(parts) <= 1,
        no_overlap=not overlap,
        above_ground=not sunk,
        in_budget=not surplus,
        insertable=buildable,  # `assembly_order` always finds one then, and says why
        insertable_as_placed=buildable and (as_placed(bricks) if placed_so is None else placed_so),
        stands=loads[Ground.TABLE].stands,
        stands_on_plate=loads[Ground.PLATE].stands,
        load_factor=loads[Ground.TABLE].factor,
        load_factor_on_plate=loads[Ground.PLATE].factor,
        exact_load_factors=len(bricks) <= MOST_EXACT,
        tips_at=tips_at,
        steady=is_steady(loads[Ground.TABLE].stands, tips_at),
        faults=tuple(faults),
    )
    sentences = *explain(verdict, construction, len(parts)), *not_judged(construction)
    return replace(verdict, sentences=sentences)


def as_placed(bricks: Bricks) -> bool:
    """Whether a hand can put bricks on in their own order: held in the hand, or each set onto the ground or others."""
    touching, order = contacts(bricks), range(len(bricks))
    if not bricks or can_follow(order, touching):
        return True
    return can_follow(order, with_ground(bricks, touching), there=[len(bricks)])


class Load(NamedTuple):
    """What is known of the forces in a model."""

    stands: bool | None  # None if that could not be told
    factor: float | None  # the load factor, a bound if the model is large; None if it topples
    held: tuple[int, ...] = ()  # the bricks that must be held if it falls


def load_of(bricks: Bricks, ground: Ground) -> Load:
    """The load factor of a model, a rough one if it is large, and the bricks that must be held if it falls."""
    model = sized(bricks)
    if len(bricks) > MOST_PROVEN:
        return Load(None, None)
    if len(bricks) > MOST_HELD:
        known, bound = proven_load_factor(model, ground)
        return Load(holds(bound) if known else None, bound)
    factor = load_factor(model, ground, rough=len(bricks) > MOST_EXACT)
    held = () if holds(factor) else where_to_hold(model, ground)
    return Load(holds(factor), factor, tuple(sorted({hold.brick for hold in held})))
