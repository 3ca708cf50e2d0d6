"""The forces in a model at rest, as a linear program.

StableLego's condition that a point never pushes and holds at once changes nothing: push and friction enter only as
their difference. Without it the forces are the solution of a linear program, which HiGHS finds in a fraction of a
second.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import csc_array, hstack
from scipy.spatial import ConvexHull

from brickbybrick.geometry.springs import solved
from brickbybrick.geometry.statics import FRICTION, HEIGHT, Floats, Ints, Points, Statics

IMBALANCE = 1e-6  # weights of a 2x4 by which springs may miss the balance


class Forces(NamedTuple):
    """Forces that keep every brick at rest."""

    friction: float  # the most that any point holds, in weights of a 2x4
    pushes: Floats  # (point,) how hard the lower brick pushes the upper one up; below 0 where it holds it down


class Hold(NamedTuple):
    """Where a hand would have to push up for a model to stay."""

    brick: int
    x: float
    y: float
    force: float  # in weights of a 2x4


def least_friction(statics: Statics, points: Points) -> Forces | None:
    """The forces whose greatest friction is least; None if no friction is enough.

    The force at a point is v, a push where positive, and held by friction t where negative: v >= -t. With w = v + t the
    program is: least t with B w - t B h + ... = weights, w >= 0, where h marks the points that can hold. One column
    more, and no inequality beside the bounds: three times as fast as a row for each point. And w has no upper bound, so
    that between two bricks only the outermost points matter: what a point among others can push, they can.
    """
    balance, free = _balance(statics, points)
    friction = -(balance[:, : len(points.upper)] @ points.holds.astype(float))  # (5 * brick,)
    needed = np.append(outermost(points), np.ones(balance.shape[1] - len(points.upper), bool))  # (force,)
    matrix = hstack([balance[:, needed], csc_array(friction[:, None])], format="csc")
    cost = np.append(np.zeros(matrix.shape[1] - 1), 1.0)
    solution = _solve(cost, matrix, _on_rows(statics.weights), free[needed])
    if solution is None:
        return None
    most = float(solution[-1])
    pushes = np.zeros(len(points.upper))  # (point,)
    pushes[needed[: len(pushes)]] = solution[: int(needed[: len(pushes)].sum())]
    return Forces(most, pushes - most * points.holds)


def outermost(points: Points) -> npt.NDArray[np.bool_]:
    """Which points (point,) are corners of the outline around all that lie between the same two bricks."""
    between: dict[tuple[int, int], list[int]] = {}
    for point, pair in enumerate(zip(points.lower.tolist(), points.upper.tolist(), strict=True)):
        between.setdefault(pair, []).append(point)
    corners = np.zeros(len(points.upper), bool)
    places = points.place.tolist()
    for shared in between.values():
        first_x, first_y = places[shared[0]]
        shape = tuple((places[point][0] - first_x, places[point][1] - first_y) for point in shared)
        for corner in _outline(shape):
            corners[shared[corner]] = True
    return corners


@lru_cache(maxsize=10_000)
def _outline(shape: tuple[tuple[float, float], ...]) -> tuple[int, ...]:
    """The corners of the convex outline around places; most pairs of bricks meet in one of a few shapes."""
    return tuple(map(int, ConvexHull(np.array(shape)).vertices))


def spring_pushes(statics: Statics, points: Points, weights: Floats, before: Floats | float = 0.0) -> Floats | None:
    """Pushes (point,) as if every contact were a spring, added to those `before`; None if that leads nowhere.

    With v = B' y the balance B v = weights becomes one set of equations, B B' y = weights, many times faster to solve
    than a linear program. The springs are not real, but forces in balance are a proof of rest wherever they come from.
    A table cannot hold: its points that would have to are let go, and the springs solved again. The presses between
    neighbours, which can only push, take no part.
    """
    count = len(points.upper)
    balance, free = _balance(statics, points)
    springs = balance[:, : count + int(free.sum())]
    wanted = _on_rows(weights)
    acting = np.ones(springs.shape[1])
    for _ in range(4):
        stiffness = csc_array(springs.multiply(acting) @ springs.T)
        pushes = acting * (springs.T @ solved(stiffness, wanted, statics))
        if np.abs(springs @ pushes - wanted).max(initial=0.0) > IMBALANCE:
            return None
        held = (before + pushes[:count] < 0) & ~points.holds
        if not held.any():
            total: Floats = before + pushes[:count]
            return total
        acting[:count][held] = 0.0
    return None


def least_hold(statics: Statics, points: Points) -> tuple[Hold, ...]:
    """The least pushes of a hand on the rims of bricks with which a model stays, friction being what it is.

    They always suffice: a hand under every brick holds any model.
    """
    balance, free = _balance(statics, points)
    bricks = np.repeat(np.arange(len(statics.bricks)), 4)  # (hold,)
    corners = statics.corners.reshape(-1, 2)  # (hold, 2)
    hands = _vertical(statics, bricks, corners, np.ones(len(bricks)))
    friction = balance[:, : len(points.upper)] @ points.holds.astype(float) * FRICTION
    needed = np.append(outermost(points), np.ones(balance.shape[1] - len(points.upper), bool))  # (force,)
    matrix = hstack([balance[:, needed], hands], format="csc")
    cost = np.append(np.zeros(int(needed.sum())), np.ones(len(bricks)))
    solution = _solve(cost, matrix, _on_rows(statics.weights) + friction, free[needed])
    assert solution is not None, "a hand under every brick holds any model"
    forces = solution[int(needed.sum()) :]  # (hold,)
    held = np.flatnonzero(forces > 1e-5)
    return tuple(Hold(int(bricks[h]), float(corners[h, 0]), float(corners[h, 1]), float(forces[h])) for h in held)


def _on_rows(weights: Floats) -> Floats:
    """What the forces on each brick must come to, (5 * brick,): its weight, and no moment."""
    wanted = np.zeros((len(weights), 5))  # (brick, row)
    wanted[:, 0] = weights
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
    # A stud's shear acts where the brick above it begins. Without twist, all studs of a pair do the same.
    begins = statics.layers.tolist()
    pairs = sorted(set(zip(points.lower[points.holds].tolist(), points.upper[points.holds].tolist(), strict=True)))
    shear = [(lower, upper, axis, begins[upper]) for lower, upper in pairs for axis in (0, 1)]
    # Neighbours press on each other at the lower edge of where they touch, as in StableLego.
    press = [(one, other, axis, max(begins[one], begins[other])) for one, other, axis in statics.sides]
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


def _horizontal(statics: Statics, forces: list[tuple[int, int, int, int]]) -> csc_array:
    """Columns of forces along an axis, between two bricks and at the foot of a layer: backwards on the first brick,
    forwards on the second."""
    rows, columns, values = [], [], []
    middles = (statics.layers + statics.heights / 2).tolist()
    for column, (first, second, axis, layer) in enumerate(forces):
        for brick, force in ((second, 1.0), (first, -1.0)):
            if brick >= 0:
                arm = HEIGHT * (layer - middles[brick])  # over the middle of the brick
                rows += [5 * brick + 3 + axis, 5 * brick + 2 - axis]
                columns += [column, column]
                values += [force, force * (arm if axis == 0 else -arm)]
    return csc_array((values, (rows, columns)), shape=(5 * len(statics.bricks), len(forces)))


def _solve(cost: Floats, matrix: csc_array, wanted: Floats, free: npt.NDArray[np.bool_]) -> Floats | None:
    """The cheapest forces in balance, none below 0 but the free ones; None where there are none."""
    least = np.zeros(len(cost))
    least[: len(free)][free] = -np.inf
    bounds = np.stack([least, np.full(len(cost), np.inf)], axis=1)
    # Interior points are fast, but now and then call forces impossible that exist; the simplex method has the last
    # word, if it has one. Where neither has, one that leaves out no row beforehand may.
    impossible = False
    for method, presolve in (("highs-ipm", True), ("highs-ds", True), ("highs-ipm", False), ("highs-ds", False)):
        options = {"presolve": presolve}
        result = linprog(cost, A_eq=matrix, b_eq=wanted, bounds=bounds, method=method, options=options)  # type: ignore[call-overload]
        if result.status == 0:
            forces: Floats = result.x
            return forces
        impossible |= result.status == 2
        if impossible and method == "highs-ds":
            break
    if impossible:
        return None
    raise ArithmeticError(f"the forces between {len(wanted) // 5} bricks cannot be worked out: {result.message}")
