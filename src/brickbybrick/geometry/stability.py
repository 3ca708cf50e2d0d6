"""Will it stand? The forces between the bricks of a model, as a linear program.

The model is that of StableLego (Liu, Deng, Wang, Liu 2024), whose figures were measured on real bricks: a stud meets
the brick above it in a few points, each of which pushes as hard as it must and holds by friction up to a limit. Its
condition that a point never pushes and holds at once changes nothing and is dropped, which leaves a linear program
that HiGHS solves in a fraction of a second. Lengths are in studs, forces in weights of a 2x4 brick.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import csc_array, hstack
from scipy.spatial import ConvexHull

from brickbybrick.geometry.brick import BRICK_2X4, Cell, Pose, Size

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

HEIGHT = 9.6 / 7.8  # of a brick, in studs: 9.6 mm by a pitch of 7.8 mm, the side of a brick without its play
PLAY = 0.1 / 8.0  # how far the rim of a brick stays inside its cells: a 2x4 is 0.2 mm shorter than four pitches
GRAMS = {  # as weighed; one-wide bricks have more wall for their studs
    Size(1, 1): 0.43,
    Size(1, 2): 0.81,
    Size(1, 4): 1.57,
    Size(1, 6): 2.28,
    Size(1, 8): 3.03,
    Size(2, 2): 1.15,
    Size(2, 4): 2.16,
    Size(2, 6): 3.23,
}
FRICTION = 0.98 / (9.8 * 0.001 * GRAMS[BRICK_2X4])  # 0.98 N: what one contact point holds, in weights of a 2x4
ROUNDING = 1e-7  # relative error of the solver that is taken for nothing

# Where a stud meets the brick above it, from the stud's centre. Under a brick two or more wide it touches a tube and
# the walls, under a narrow one the four walls around it.
WIDE = np.array([(0.125, 0.125), (0.125, -0.125), (-0.25, 0.0)])
NARROW = np.array([(0.0, -0.25), (0.0, 0.25), (-0.25, 0.0), (0.25, 0.0)])
QUARTER_TURN = np.array([(0, 1), (-1, 0)])


class Ground(Enum):
    """What a model stands on."""

    TABLE = "table"  # pushes the rim of a brick up; smooth, and holds nothing back
    PLATE = "plate"  # has studs, which hold a brick as another brick would


def grams(size: Size) -> float:
    """What a brick weighs; a size that nobody weighed has its studs' share of one that somebody did."""
    per_stud = 0.27 if size.width > 1 else 0.39
    return GRAMS.get(size, per_stud * size.studs)


class Points(NamedTuple):
    """Where bricks press on what is under them; one row a point."""

    lower: Ints  # (point,) the brick below, -1 for the ground
    upper: Ints  # (point,) the brick above
    place: Floats  # (point, 2) x and y
    holds: npt.NDArray[np.bool_]  # (point,) whether friction can also hold the upper brick down here


class Hold(NamedTuple):
    """Where a hand would have to push up for a model to stay."""

    brick: int
    x: float
    y: float
    force: float  # in weights of a 2x4


@dataclass(frozen=True)
class Statics:
    """Bricks and where they touch.

    Args:
        bricks: Size and pose of each.
        level: The layer that stands on the ground; the lowest one if not given.
    """

    bricks: Sequence[tuple[Size, Pose]]
    level: int | None = None

    @cached_property
    def owner(self) -> dict[Cell, int]:
        """Which brick fills a cell."""
        return {cell: brick for brick, (size, pose) in enumerate(self.bricks) for cell in size.cells(pose)}

    @cached_property
    def ground(self) -> int:
        """The layer that stands on the ground."""
        return min((pose.z for _, pose in self.bricks), default=0) if self.level is None else self.level

    @cached_property
    def layers(self) -> Ints:
        return np.array([pose.z for _, pose in self.bricks], dtype=np.int64)  # (brick,)

    @cached_property
    def weights(self) -> Floats:
        return np.array([grams(size) / GRAMS[BRICK_2X4] for size, _ in self.bricks])  # (brick,)

    @cached_property
    def centres(self) -> Floats:
        middles: Floats = self.corners.mean(axis=1)  # (brick, 2)
        return middles

    @cached_property
    def corners(self) -> Floats:
        """The rim of each brick: any pressure along it is a sum of pushes at its corners."""
        rims = np.zeros((len(self.bricks), 4, 2))  # (brick, corner, 2)
        for brick, (size, pose) in enumerate(self.bricks):
            along_x, along_y = size.extent(pose.d)
            for corner in range(4):
                x = pose.x + (along_x - PLAY if corner & 1 else PLAY)
                y = pose.y + (along_y - PLAY if corner & 2 else PLAY)
                rims[brick, corner] = x, y
        return rims

    @cached_property
    def studs(self) -> list[tuple[int, int, int, int]]:
        """Every stud inside a brick: the brick it is on (-1 for a plate under the model), that brick, x, y."""
        joined = []
        for upper, (size, pose) in enumerate(self.bricks):
            for x, y in size.footprint(pose):
                if pose.z == self.ground:
                    joined.append((-1, upper, x, y))
                elif (x, y, pose.z - 1) in self.owner:
                    joined.append((self.owner[x, y, pose.z - 1], upper, x, y))
        return joined

    @cached_property
    def sides(self) -> list[tuple[int, int, int]]:
        """Bricks that touch side by side: one, the next one along an axis, the axis (0 for x, 1 for y)."""
        touching = set()
        for (x, y, z), brick in self.owner.items():
            for axis, beside in enumerate([(x + 1, y, z), (x, y + 1, z)]):
                other = self.owner.get(beside, brick)
                if other != brick:
                    touching.add((brick, other, axis))
        return sorted(touching)

    def points(self, ground: Ground, turn: int = 0) -> Points:
        """The contact points, with those of wide bricks turned by `turn` quarter turns."""
        wide = WIDE @ np.linalg.matrix_power(QUARTER_TURN, turn)
        lower, upper, places = [], [], []
        for below, above, x, y in self.studs:
            if below >= 0 or ground is Ground.PLATE:
                around = wide if self.bricks[above][0].width > 1 else NARROW
                places.append(around + np.array([x + 0.5, y + 0.5]))
                lower += [below] * len(around)
                upper += [above] * len(around)
        if ground is Ground.TABLE:
            for brick in np.flatnonzero(self.layers == self.ground).tolist():
                places.append(self.corners[brick])
                lower += [-1] * 4
                upper += [brick] * 4
        under = np.array(lower, dtype=np.int64)  # (point,)
        place = np.concatenate(places) if places else np.zeros((0, 2))  # (point, 2)
        return Points(under, np.array(upper, dtype=np.int64), place, (under >= 0) | (ground is Ground.PLATE))

    def turns(self) -> range:
        """The turns that matter. StableLego's three points are not the same on all sides of a stud, so that a model
        could stand or fall by the way it is turned on the table; the worst of four quarter turns cannot."""
        return range(4 if any(size.width > 1 for size, _ in self.bricks) else 1)


def load_factor(bricks: Sequence[tuple[Size, Pose]], ground: Ground, level: int | None = None) -> float | None:
    """The friction that a model needs, as a share of what its contact points have: above 1 it falls apart.

    It is 0 where bricks only press on each other, and None where no friction is enough: the model topples.
    """
    statics = Statics(bricks, level)
    if ground is Ground.TABLE and leans_out(statics):
        return None
    worst = 0.0
    for turn in statics.turns():
        points = statics.points(ground, turn)
        if carried_load(statics, points) > 0:
            factor = solved_load(statics, points)
            if factor is None:
                return None
            worst = max(worst, factor)
    return worst


def stands(bricks: Sequence[tuple[Size, Pose]], ground: Ground, level: int | None = None) -> bool:
    """Whether a model stays as it is; mostly known without solving anything."""
    statics = Statics(bricks, level)
    if ground is Ground.TABLE and leans_out(statics):
        return False
    return _turn_that_falls(statics, ground) is None


def _turn_that_falls(statics: Statics, ground: Ground) -> Points | None:
    """The contact points, turned as they hold a model least, if they do not hold it."""
    for turn in statics.turns():
        points = statics.points(ground, turn)
        if carried_load(statics, points) > 1 and not holds(solved_load(statics, points)):
            return points
    return None


def holds(factor: float | None) -> bool:
    """Whether a model of this load factor stands."""
    return factor is not None and factor <= 1 + ROUNDING


def steps_that_stand(
    bricks: Sequence[tuple[Size, Pose]], counts: Sequence[int], ground: Ground, level: int | None = None
) -> list[bool]:
    """Whether the first `count` bricks stand, for each of `counts`; on the lowest layer of all if not told else."""
    lowest = Statics(bricks, level).ground
    return [stands(bricks[:count], ground, lowest) for count in counts]


def leans_out(statics: Statics) -> bool:
    """Whether the centre of mass lies outside all that stands on the table.

    A table only pushes up, and the bricks' own forces cancel, so that its pushes must balance the whole weight: they
    can only where the centre of mass is inside the outline around the rims of the lowest bricks.
    """
    if not statics.bricks:
        return False
    standing = statics.layers == statics.ground
    if not standing.any():
        return True
    outline = ConvexHull(statics.corners[standing].reshape(-1, 2)).equations  # (side, 3) normal and offset
    centre = np.average(statics.centres, axis=0, weights=statics.weights)
    return bool(np.any(outline[:, :2] @ centre + outline[:, 2] > ROUNDING))


def carried_load(statics: Statics, points: Points) -> float:
    """A load factor that is enough, worked out in one pass: the true one is never above it, and 0 where this is 0.

    Every brick is borne by those that `_depths` puts nearer to the ground, mostly the bricks under it. From the
    furthest on, each hands its own weight and all that was handed to it to the points where it is borne, with forces
    that vary evenly from side to side as under a foundation: with n points p of mean m and scatter S, a load W at c
    gives each point a force of W (1/n + (p - m)' S^-1 (c - m)). These add up to W, and their moment to
    W m + W (c - m) = W c, so the brick is in balance without any shear; and its bearers come later, so that nothing
    changes it any more. All forces together solve the linear program for the friction that the worst point needs.
    There may be better solutions, which are left to the program; there is none where a brick floats, or where a table
    would have to hold a brick back.
    """
    bricks = len(statics.bricks)
    depth = _depths(statics, points)  # (brick + 1,)
    if np.any(depth < 0):
        return np.inf
    from_below = depth[points.upper] > depth[points.lower]  # (point,)
    borne = np.where(from_below, points.upper, points.lower)  # (point,)
    bearer = np.where(from_below, points.lower, points.upper)  # (point,)
    count = np.bincount(borne, minlength=bricks)  # (brick,)
    means = _sums(borne, points.place, bricks) / count[:, None]  # (brick, 2)
    away = points.place - means[borne]  # (point, 2)
    squares = (away[:, :, None] * away[:, None, :]).reshape(-1, 4)  # (point, 4)
    inverse = np.linalg.inv(_sums(borne, squares, bricks).reshape(-1, 2, 2))  # (brick, 2, 2)
    loads = np.append(statics.weights, 0.0)  # (brick + 1,) the last is the ground's
    moments = loads[:, None] * np.append(statics.centres, [[0.0, 0.0]], axis=0)  # (brick + 1, 2)
    need = 0.0
    for far in range(int(depth.max()), 0, -1):
        here = np.flatnonzero(depth[borne] == far)
        brick = borne[here]
        off_centre = (moments[:-1] - means * loads[:-1, None])[brick]  # (point, 2)
        tilt = np.einsum("pij,pj->pi", inverse[brick], off_centre)  # (point, 2)
        forces = loads[brick] / count[brick] + np.einsum("pi,pi->p", away[here], tilt)  # (point,) up
        pulls = np.where(from_below[here], -forces, forces)  # a brick below holds what would rise, one above what hangs
        if np.any(pulls[~points.holds[here]] > 0):
            return np.inf
        need = max(need, float(pulls.max()))
        loads += np.bincount(bearer[here] % (bricks + 1), forces, minlength=bricks + 1)
        moments += _sums(bearer[here] % (bricks + 1), forces[:, None] * points.place[here], bricks + 1)
    return need / FRICTION


def _depths(statics: Statics, points: Points) -> Ints:
    """How many bricks bear each brick, one after the other, down to the ground; -1 for one that floats.

    Bricks are reached from the ground on, always the lowest first, and borne by all that were reached before them:
    by what is under them, and by what is above them if they hang. The last entry, so that -1 finds it, is the ground.
    """
    touching: list[set[int]] = [set() for _ in range(len(statics.bricks) + 1)]
    for lower, upper in set(zip(points.lower.tolist(), points.upper.tolist(), strict=True)):
        touching[lower].add(upper)
        touching[upper].add(lower)
    depth = np.full(len(touching), -1, dtype=np.int64)  # (brick + 1,)
    waiting = [(statics.ground - 1, -1)]
    seen = {-1}
    while waiting:
        _, brick = heappop(waiting)
        depth[brick] = 1 + max((int(depth[other]) for other in touching[brick]), default=-1)
        for other in touching[brick] - seen:
            seen.add(other)
            heappush(waiting, (statics.bricks[other][1].z, other))
    return depth


def _sums(index: Ints, values: Floats, count: int) -> Floats:
    """Sums of rows that share an index."""
    columns = [np.bincount(index, column, minlength=count) for column in values.T]
    return np.stack(columns, axis=1)  # (count, columns)


def solved_load(statics: Statics, points: Points) -> float | None:
    """The load factor by the linear program.

    The force at a point is v, a push where positive, and held by friction t where negative: v >= -t. With w = v + t the
    program is: least t with B w - t B h + ... = weights, w >= 0, where h marks the points that can hold. One column
    more, and no inequality beside the bounds.
    """
    balance, free = _balance(statics, points)
    friction = -(balance[:, : len(points.upper)] @ points.holds.astype(float))  # (5 * brick,)
    matrix = hstack([balance, csc_array(friction[:, None])], format="csc")
    cost = np.append(np.zeros(balance.shape[1]), 1.0)
    solution = _solve(cost, matrix, _weight_on_rows(statics), free)
    if solution is None:
        return None
    factor = float(solution[-1]) / FRICTION
    return factor if factor > ROUNDING else 0.0


def where_to_hold(bricks: Sequence[tuple[Size, Pose]], ground: Ground, level: int | None = None) -> tuple[Hold, ...]:
    """The least that a hand must push up, and where, for a model that falls to stay; nothing for one that stands.

    Pushes act on the rims of bricks. They always suffice: a hand under every brick holds any model.
    """
    statics = Statics(bricks, level)
    points = _turn_that_falls(statics, ground)
    return () if points is None else _least_hold(statics, points)


def _least_hold(statics: Statics, points: Points) -> tuple[Hold, ...]:
    """The holds that a model needs when friction is at its limit wherever that helps."""
    balance, free = _balance(statics, points)
    bricks = np.repeat(np.arange(len(statics.bricks)), 4)  # (hold,)
    corners = statics.corners.reshape(-1, 2)  # (hold, 2)
    hands = _vertical(statics, bricks, corners, np.ones(len(bricks)))
    friction = balance[:, : len(points.upper)] @ points.holds.astype(float) * FRICTION
    cost = np.append(np.zeros(balance.shape[1]), np.ones(len(bricks)))
    solution = _solve(cost, hstack([balance, hands], format="csc"), _weight_on_rows(statics) + friction, free)
    assert solution is not None, "a hand under every brick holds any model"
    forces = solution[balance.shape[1] :]  # (hold,)
    held = np.flatnonzero(forces > 1e-5)
    return tuple(Hold(int(bricks[h]), float(corners[h, 0]), float(corners[h, 1]), float(forces[h])) for h in held)


def _weight_on_rows(statics: Statics) -> Floats:
    """What the forces on each brick must come to: its weight, and no moment."""
    wanted = np.zeros((len(statics.bricks), 5))  # (brick, row)
    wanted[:, 0] = statics.weights
    return wanted.ravel()


def _balance(statics: Statics, points: Points) -> tuple[csc_array, npt.NDArray[np.bool_]]:
    """What each force does to each brick, and which forces may have either sign.

    Five rows a brick: the force up, the moments around x and y through its centre, the forces along x and y. A twist
    around z needs no row, for studs hold it many times over. The columns are the pushes at the points, the shear
    between each joined pair along x and y, and the presses between neighbours.
    """
    count = len(points.upper)
    inside = points.lower >= 0
    up = _vertical(statics, points.upper, points.place, np.ones(count))
    down = _vertical(statics, points.lower[inside], points.place[inside], -np.ones(int(inside.sum())), inside)
    # A stud's shear acts on the lower edge of the brick above it and on the upper edge of its own. Without twist, all
    # studs of a pair do the same.
    pairs = sorted(set(zip(points.lower[points.holds].tolist(), points.upper[points.holds].tolist(), strict=True)))
    shear = [(lower, upper, axis, 1.0) for lower, upper in pairs for axis in (0, 1)]
    # Neighbours press on each other at their lower edges, where StableLego has them meet.
    press = [(one, other, axis, -1.0) for one, other, axis in statics.sides]
    columns = hstack([up + down, _horizontal(statics, shear + press)], format="csc")
    free = np.zeros(columns.shape[1], bool)
    free[count : count + len(shear)] = True
    return columns, free


def _vertical(
    statics: Statics, brick: Ints, place: Floats, sign: Floats, among: npt.NDArray[np.bool_] | None = None
) -> csc_array:
    """Columns of forces up (or down, by their sign) at places of bricks; `among` says which columns they are."""
    column = np.arange(len(brick)) if among is None else np.flatnonzero(among)
    width = len(brick) if among is None else len(among)
    arm = place - statics.centres[brick]  # (force, 2)
    values = np.concatenate([sign, sign * arm[:, 1], -sign * arm[:, 0]])
    rows = np.concatenate([5 * brick, 5 * brick + 1, 5 * brick + 2])
    return csc_array((values, (rows, np.tile(column, 3))), shape=(5 * len(statics.bricks), width))


def _horizontal(statics: Statics, forces: list[tuple[int, int, int, float]]) -> csc_array:
    """Columns of forces along an axis between two bricks: backwards on the first, forwards on the second.

    The second takes it at its lower edge, the first at its upper edge (1.0) or its lower one (-1.0).
    """
    rows, columns, values = [], [], []
    for column, (first, second, axis, edge) in enumerate(forces):
        around = -HEIGHT / 2 if axis == 0 else HEIGHT / 2  # moment of a forward force at the lower edge
        for brick, force, moment in ((second, 1.0, around), (first, -1.0, edge * around)):
            if brick >= 0:
                rows += [5 * brick + 3 + axis, 5 * brick + 2 - axis]
                columns += [column, column]
                values += [force, moment]
    return csc_array((values, (rows, columns)), shape=(5 * len(statics.bricks), len(forces)))


def _solve(cost: Floats, matrix: csc_array, wanted: Floats, free: npt.NDArray[np.bool_]) -> Floats | None:
    """The cheapest forces in balance, none below 0 but the free ones; None where there are none."""
    least = np.zeros(len(cost))
    least[: len(free)][free] = -np.inf
    bounds = np.stack([least, np.full(len(cost), np.inf)], axis=1)
    # Interior points are fast, but now and then call forces impossible that exist; the simplex method has the last
    # word.
    for method in ("highs-ipm", "highs-ds"):
        result = linprog(cost, A_eq=matrix, b_eq=wanted, bounds=bounds, method=method)  # type: ignore[call-overload]
        if result.status == 0:
            forces: Floats = result.x
            return forces
    if result.status == 2:
        return None
    raise ArithmeticError(f"the forces between {len(wanted) // 5} bricks cannot be worked out: {result.message}")
