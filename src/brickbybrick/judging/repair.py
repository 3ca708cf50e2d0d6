"""Extra bricks for a model that falls, so that it stands.

Two kinds of help are tried: one brick anywhere, as a support or a counterweight, and pillars from the ground or from
the model itself up to a brick that hangs over. The forces decide, and the answer says when fewer bricks are known not
to do.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from brickbybrick.construction import Construction, PlacedBrick
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.forces import Hold
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.stability import TOUCHED, Model, stands, tipping_angle, where_to_hold
from brickbybrick.geometry.statics import Ground
from brickbybrick.judging.check import overlapping, pieces, sized

MARKED = 0.01  # the least share of the force to be held that a pillar must take over, to be worth its bricks
MOST_NAMED = 20  # bricks in a sentence
NEAREST = 25  # pillars of each length that are tried at a time
UNTIL_TOUCHED = " until it is touched (its foot is too small)"
TRIES = 1000  # models that are judged at most, with one more brick and again with pillars

Extra = list[tuple[Part, Pose]]
Left = Mapping[Part, int | None]  # how many there are of each part to add; None for as many as wanted
Pillar = tuple[tuple[Part, Pose], ...]  # bricks of one pose on top of each other, from the top down


class Repair(NamedTuple):
    """What makes a model stand."""

    extra: tuple[PlacedBrick, ...]  # bricks to add; none if it stands as it is or if nothing helps
    sentence: str


def repair(
    construction: Construction, ground: Ground = Ground.TABLE, most: int = 12, left: Left | None = None
) -> Repair:
    """The bricks to add to a model, `most` at most and out of what is left if that is told, so that it stands on a
    ground.

    One extra brick is looked for among all that can be joined to the model; where none is enough, pillars are added
    one after the other, each the shortest that makes the model stand or else the one that leaves least to be held. What
    a touch would still tip over on a table is the last choice, and is said to be so.
    Extra bricks are of the model's sizes, joined to the others and take nobody's place, so a model that could be built
    by hand still can.
    """
    bricks = construction.bricks
    if overlapping(bricks) or len(pieces(bricks)) > 1:
        return Repair((), "Bricks overlap or are not joined: extra bricks cannot mend that.")
    model = sized(bricks)
    if stands(model, ground):
        return Repair((), f"It stands as it is{'' if _steady(model, ground) else UNTIL_TOUCHED}.")
    sizes = sorted({brick.shape for brick in bricks if brick.shape.plain})
    left = dict.fromkeys(sizes) if left is None else {size: left[size] for size in sizes if left.get(size, 0) != 0}
    extra, all_tried = one_brick(model, list(left), ground) if most >= 1 else (None, True)
    if extra is None or not _steady([*model, *extra], ground):
        more = add_pillars(model, left, ground, most)
        if extra is None or (more is not None and _steady([*model, *more], ground)):
            extra = more
    if extra is None:
        held = sorted({hold.brick + 1 for hold in where_to_hold(model, ground)})
        where = f"brick{'s' if len(held) > 1 else ''} {', '.join(map(str, held[:MOST_NAMED]))}"
        where += f" and {len(held) - MOST_NAMED} more" if len(held) > MOST_NAMED else ""
        found = f"no extra bricks were found that help, at most {most}"
        return Repair((), f"It falls, and {found}: support is missing at {where}.")
    makes = "One extra brick makes" if len(extra) == 1 else f"{len(extra)} extra bricks make"
    enough = "; one is not enough" if len(extra) > 1 and all_tried else ""
    until = "" if _steady([*model, *extra], ground) else UNTIL_TOUCHED
    sentence = f"{makes} it stand{until}{enough}."
    step = 1 + max(brick.step for brick in bricks)
    placed = [PlacedBrick(str(size), *pose, bricks[-1].colour, step + k, True) for k, (size, pose) in enumerate(extra)]
    return Repair(tuple(placed), sentence)


def one_brick(model: Model, sizes: Sequence[Part], ground: Ground) -> tuple[Extra | None, bool]:
    """A brick that makes a model stand, if one is found, and whether all that can be joined to it were tried.

    One with which a touch does not tip it over is better than one with which it merely stands.
    """
    holds = where_to_hold(model, ground)
    candidates = sorted(joinable(model, sizes), key=lambda brick: _promise(brick, model, holds))
    found: Extra | None = None
    for brick in candidates[:TRIES]:
        grown = [*model, brick]
        steady = _steady(grown, ground)
        if (steady or found is None) and stands(grown, ground):
            found = [brick]
            if steady:
                break
    return found, len(candidates) <= TRIES


def _steady(model: Model, ground: Ground) -> bool:
    """Whether a touch does not tip a model over."""
    return _lean_lacking(model, ground) == 0


def _lean_lacking(model: Model, ground: Ground) -> float:
    """The share of the lean that a touch amounts to by which a model tips over too early; a studded plate holds it."""
    return 0.0 if ground is Ground.PLATE else max(0.0, 1 - tipping_angle(model) / TOUCHED)


def add_pillars(model: Model, left: Left, ground: Ground, most: int) -> Extra | None:
    """The bricks of pillars that make a model stand, if they can also when it is touched; None if none were found."""
    extra: Extra = []
    tries, holds = TRIES, where_to_hold(model, ground)
    while holds or not _steady([*model, *extra], ground):
        used = Counter(size for size, _ in extra)
        there = {size: most if count is None else count - used[size] for size, count in left.items()}
        room = {size: min(count, most - len(extra)) for size, count in there.items()}
        choice = _best_pillar([*model, *extra], room, holds, ground, tries)
        if choice is None:
            return None if holds else extra
        pillar, holds, tried = choice
        extra += pillar
        tries -= tried
    return extra


def _best_pillar(
    model: Model, room: Mapping[Part, int], holds: Sequence[Hold], ground: Ground, tries: int
) -> tuple[Pillar, tuple[Hold, ...], int] | None:
    """The shortest pillar that makes a model stand, else the one that leaves least to be held, and to tip over.

    A pillar has as many bricks of a size at most as there is room for. With it come the holds that are then needed and
    the number of pillars that were tried.
    """
    best: tuple[Pillar, tuple[Hold, ...]] | None = None
    least = (_force(holds) + _lean_lacking(model, ground)) * (1 - MARKED)
    candidates = _short_and_near(pillars(model, list(room)), holds, room)[:tries]
    for pillar in candidates:
        grown = [*model, *pillar]
        lacking = _lean_lacking(grown, ground)
        if lacking >= least:  # whatever it bears
            continue
        after = where_to_hold(grown, ground)
        lacking += _force(after)
        if lacking < least:
            best, least = (pillar, after), lacking
        if lacking == 0:
            break
    return None if best is None else (*best, len(candidates))


def _force(holds: Iterable[Hold]) -> float:
    return sum(hold.force for hold in holds)


def joinable(model: Model, parts: Sequence[Part]) -> set[tuple[Part, Pose]]:
    """Every brick of these sizes that can be joined to a model without going below its lowest layer."""
    cells = {cell for size, pose in model for cell in size.cells(pose)}
    level = min(pose.z for _, pose in model)
    over = {(x, y, pose.z + part.height) for part, pose in model for x, y in part.studs(pose)}  # where a foot may be
    under = {(x, y, pose.z) for part, pose in model for x, y in part.sockets(pose)}  # where a top may be
    found = set()
    for part in parts:
        feet = [*over, *((x, y, z - part.height) for x, y, z in under)]
        for x, y, foot in feet:
            for pose in _covering(x, y, foot, part) if foot >= level else ():
                if cells.isdisjoint(part.cells(pose)):
                    found.add((part, pose))
    return found


def _covering(x: int, y: int, z: int, part: Part) -> Iterator[Pose]:
    """Every pose of a part in a layer that covers a column."""
    for d in part.directions:
        along_x, along_y = part.extent(d)
        for from_x in range(x - along_x + 1, x + 1):
            for from_y in range(y - along_y + 1, y + 1):
                yield Pose(from_x, from_y, z, d)


def pillars(model: Model, sizes: Sequence[Part]) -> Iterator[Pillar]:
    """Every straight pillar under a brick of a model, down to the ground or to where it lands on another brick."""
    cells = {cell for size, pose in model for cell in size.cells(pose)}
    level = min(pose.z for _, pose in model)
    for size, top in sorted(joinable(model, sizes)):
        columns = list(size.footprint(top))
        if any((x, y, top.z + size.height) in cells for x, y in columns):
            foot, high = top.z, size.height
            while foot >= level + high and cells.isdisjoint(size.cells(top._replace(z=foot - high))):
                foot -= high
            if foot == level or any((x, y, foot - 1) in cells for x, y in columns):
                yield tuple((size, top._replace(z=z)) for z in range(top.z, foot - 1, -high))


def _short_and_near(found: Iterable[Pillar], holds: Sequence[Hold], room: Mapping[Part, int]) -> list[Pillar]:
    """The pillars of every length that are nearest to where a hand would hold the model, the shortest first."""
    short = [pillar for pillar in found if len(pillar) <= room[pillar[0][0]]]
    short.sort(key=lambda pillar: (len(pillar), _distance(pillar[0], holds)))
    return [pillar for _, alike in groupby(short, key=len) for pillar in islice(alike, NEAREST)]


def _promise(brick: tuple[Part, Pose], model: Model, holds: Sequence[Hold]) -> tuple[bool, float]:
    """Sorts bricks on the ground first, the nearest to a hold leading; then the others, as counterweights from afar."""
    on_ground = brick[1].z == min(pose.z for _, pose in model)
    distance = _distance(brick, holds)
    return not on_ground, distance if on_ground else -distance


def _distance(brick: tuple[Part, Pose], holds: Sequence[Hold]) -> float:
    """How far a brick's centre is from the nearest hold, seen from above."""
    size, pose = brick
    along_x, along_y = size.extent(pose.d)
    x, y = pose.x + along_x / 2, pose.y + along_y / 2
    return min((math.hypot(x - hold.x, y - hold.y) for hold in holds), default=0.0)
