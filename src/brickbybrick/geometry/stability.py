"""Will it stand? A model's load factor, and which steps of building it stand by themselves.

The linear program is the last resort: most questions are settled before by the centre of mass, by handing the load
of each brick on to the bricks that bear it, or by forces that merely are in balance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull

from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.forces import Hold, least_friction, least_hold, spring_pushes
from brickbybrick.geometry.part import Part
from brickbybrick.geometry.statics import FRICTION, LEAST_SHARE, Floats, Ground, Ints, Points, Statics

ROUNDING = 1e-7  # what the solver may be wrong by
# Degrees of lean below which a touch tips a model over. Their tangent, a twentieth, is the push at its middle that does
# so as a share of its weight: for whatever is lighter than a kilogram, less than pressing a key takes.
TOUCHED = 3.0

Model = Sequence[tuple[Part, Pose]]


def load_factor(model: Model, ground: Ground, level: int | None = None, rough: bool = False) -> float | None:
    """The friction that a model needs, as a share of what its contact points have: above 1 it falls apart.

    It is 0 where bricks only press on each other, and None where no friction is enough: the model topples.

    Args:
        model: Each part and its pose.
        ground: What it stands on.
        level: The layer that stands on the ground; the lowest one if not given.
        rough: Whether to find out no more than is known many times sooner, for large models. Where a model stands that
            is a bound that the true load factor does not exceed; where it falls it is what one turn of the contact
            points needs, and the true one is no less.
    """
    statics = Statics(model, level)
    if leans_out(statics, ground):
        return None
    worst = 0.0
    for turn in statics.turns():
        points = statics.points(ground, turn)
        factor = _rough_load_factor(statics, points) if rough else turned_load_factor(statics, points)
        if factor is None or (rough and not holds(factor)):
            return factor
        worst = max(worst, factor)
    return worst


def _rough_load_factor(statics: Statics, points: Points) -> float | None:
    """What handing the load on or springs at the contacts would need, whose forces are in balance too; exact if that is
    too much."""
    needed = _friction_needed(points, carried(statics, points, statics.weights))
    if needed > 0:
        needed = min(needed, _friction_needed(points, spring_pushes(statics, points, statics.weights)))
    return needed / FRICTION if holds(needed / FRICTION) else turned_load_factor(statics, points)


def proven_load_factor(model: Model, ground: Ground) -> tuple[bool, float | None]:
    """Whether it can be told without a linear program if a model stands, and a bound on its load factor if so.

    For models so large that the program would take minutes. The bound is None where the model topples or a brick of it
    floats; what breaks otherwise cannot be told.
    """
    statics = Statics(model)
    if leans_out(statics, ground):
        return True, None
    worst = 0.0
    for turn in statics.turns():
        points = statics.points(ground, turn)
        pushes = carried(statics, points, statics.weights)
        if pushes is None:
            return True, None
        if not holds(_friction_needed(points, pushes) / FRICTION):
            pushes = spring_pushes(statics, points, statics.weights)
        worst = max(worst, _friction_needed(points, pushes) / FRICTION)
        if not holds(worst):
            return False, None
    return True, worst


def turned_load_factor(statics: Statics, points: Points) -> float | None:
    """The load factor with the contact points in one of their turns."""
    if _friction_needed(points, carried(statics, points, statics.weights)) == 0:
        return 0.0
    forces = least_friction(statics, points)
    if forces is None:
        return None
    return forces.friction / FRICTION if forces.friction > ROUNDING else 0.0


def holds(factor: float | None) -> bool:
    """Whether a model of this load factor stands."""
    return factor is not None and factor <= 1 + ROUNDING


def stands(model: Model, ground: Ground) -> bool:
    """Whether a model stays as it is."""
    return steps_that_stand(model, [len(model)], ground) == [True]


def steps_that_stand(
    model: Model, counts: Sequence[int], ground: Ground, level: int | None = None, turned: bool = False
) -> list[bool]:
    """Whether the first `count` bricks stand, for each of `counts`; on the lowest layer of all if not told else.

    If the model is turned, it lies upside down, on a table.
    """
    growth = Growth(ground, Statics(model, level, turned).ground, turned)
    standing, built = [], 0
    for count in counts:
        more = model[built:count]
        grown = growth.after(more)
        standing.append(grown is not None)
        growth, built = grown or growth.held(more), count
    return standing


def where_to_hold(model: Model, ground: Ground) -> tuple[Hold, ...]:
    """The least that a hand must push up, and where, for a model that falls to stay; nothing for one that stands."""
    statics = Statics(model)
    for turn in statics.turns():
        points = statics.points(ground, turn)
        if _Stage().after(statics, points) is None:
            return least_hold(statics, points)
    return ()


@dataclass(frozen=True)
class Growth:
    """A model that grows, and what is known of the forces in it; it stands, or is held."""

    ground: Ground
    level: int  # the layer that stands on the ground
    turned: bool = False  # whether it lies upside down
    model: tuple[tuple[Part, Pose], ...] = ()
    stage: "_Stage" = field(default_factory=lambda: _Stage())  # of points that all their turns share

    def after(self, more: Model, exact: bool = True) -> "Growth | None":
        """With more bricks, if it then stands by itself; if this is not to be exact, if that is known soon."""
        model = (*self.model, *more)
        statics = Statics(model, self.level, self.turned)
        if leans_out(statics, self.ground) or (self.ground is Ground.TABLE and _loses_a_piece(statics)):
            return None
        stage = self.stage.after(statics, statics.points(self.ground, None), FRICTION * LEAST_SHARE, exact)
        if stage is None and not (exact and all(self._stands(statics, turn) for turn in statics.turns())):
            return None
        return replace(self, model=model, stage=stage or _Stage())

    def _stands(self, statics: Statics, turn: int) -> bool:
        return _Stage().after(statics, statics.points(self.ground, turn)) is not None

    def held(self, more: Model) -> "Growth":
        """With more bricks, held by a hand."""
        return replace(self, model=(*self.model, *more), stage=_Stage())


@dataclass(frozen=True)
class _Stage:
    """The forces in a model when it was last seen to stand.

    Forces add up. Those of an earlier stage keep its bricks at rest, so with whatever bears the new bricks on their own
    they keep all at rest: as long as no point then holds more than it can, nothing has to be solved.
    """

    bricks: int = 0
    pushes: Mapping[tuple[int, int, float, float], float] = field(default_factory=dict)  # by bricks below, above, place

    def after(
        self, statics: Statics, points: Points, friction: float = FRICTION, exact: bool = True
    ) -> "_Stage | None":
        """The next stage, the same bricks and more, if no point has to hold with more than some friction; None if it
        does not stand so, or if that takes a linear program and is not to be exact."""
        keys = list(zip(points.lower.tolist(), points.upper.tolist(), *points.place.T.tolist(), strict=True))
        before = np.array([self.pushes.get(key, 0.0) for key in keys])
        pushes = self._pushes(statics, points, before, friction, exact)
        if pushes is None:
            return None
        return _Stage(len(statics.bricks), dict(zip(keys, pushes.tolist(), strict=True)))

    def _pushes(self, statics: Statics, points: Points, before: Floats, friction: float, exact: bool) -> Floats | None:
        """Pushes that every point can bear: added to those before, else afresh, else by the linear program."""
        new = np.where(np.arange(len(statics.bricks)) < self.bricks, 0.0, statics.weights)  # (brick,)
        handed_on = carried(statics, points, new)
        if handed_on is not None and _friction_needed(points, before + handed_on) <= friction:
            return before + handed_on
        for weights, start in ((new, before), (statics.weights, 0.0)) if self.bricks else ((statics.weights, 0.0),):
            pushes = spring_pushes(statics, points, weights, start)
            if _friction_needed(points, pushes) <= friction:
                return pushes
        forces = least_friction(statics, points) if exact else None
        return forces.pushes if forces and holds(forces.friction / friction) else None


def _friction_needed(points: Points, pushes: Floats | None) -> float:
    """The most that a point must hold; more than any can where bricks float or a table would have to hold."""
    if pushes is None or np.any(pushes[~points.holds] < 0):
        return np.inf
    return max(0.0, -float(pushes.min(initial=0.0)))


def leans_out(statics: Statics, ground: Ground) -> bool:
    """Whether the ground is a table, and the centre of mass lies outside all that stands on it.

    A table only pushes up, and the bricks' own forces cancel, so that its pushes must balance the whole weight: they
    can only where the centre of mass is inside the outline around the rims of the lowest bricks.
    """
    return bool(statics.bricks) and ground is Ground.TABLE and _room_to_lean(statics) < -ROUNDING


def _room_to_lean(statics: Statics) -> float:
    """Studs from the centre of mass to the nearest side of the outline around the foot; below 0 outside of it."""
    if not statics.standing:
        return -np.inf
    return room_to_lean(statics.rims.reshape(-1, 2), statics.centre_of_mass[:2])


def room_to_lean(feet: Floats, centre: Floats) -> float:
    """Studs from a centre of mass (2,) to the nearest side of the outline around corners (corner, 2) of feet."""
    outline = ConvexHull(feet).equations  # (side, 3) normal and offset
    return -float(np.max(outline[:, :2] @ centre + outline[:, 2]))


def _loses_a_piece(statics: Statics) -> bool:
    """Whether bricks on a table that hang together by studs topple, and nothing stands beside them to lean on."""
    pieces = _pieces(statics)
    leaning = []
    for piece in pieces:
        centre = np.average(statics.centres[piece], axis=0, weights=statics.weights[piece])
        rims = statics.rims[np.isin(statics.standing, piece)]
        if not len(rims):
            return True
        if room_to_lean(rims.reshape(-1, 2), centre) < -ROUNDING:
            leaning.append(set(piece))
    return any(all((one in piece) == (other in piece) for one, other, _ in statics.sides) for piece in leaning)


def _pieces(statics: Statics) -> list[list[int]]:
    """The groups of bricks that hang together by studs."""
    lower, upper = np.array([(lower, upper) for lower, upper, *_ in statics.studs if lower >= 0]).reshape(-1, 2).T
    count = len(statics.bricks)
    joined = coo_array((np.ones(len(lower)), (lower, upper)), shape=(count, count))
    number, piece = connected_components(joined, directed=False)
    return [np.flatnonzero(piece == each).tolist() for each in range(number)]


def tipping_angle(model: Model) -> float:
    """How many degrees a table may lean, whichever way, before a model on it tips over; 0 if it topples anyway.

    The model is taken for one stiff thing that does not slide. It tips over a side of its foot when its centre of mass
    is right above that side: of a column, at the angle whose tangent is half the width by half the height.
    """
    statics = Statics(model)
    return float(np.degrees(np.arctan2(max(0.0, _room_to_lean(statics)), statics.centre_of_mass[2])))


def carried(statics: Statics, points: Points, weights: Floats) -> Floats | None:
    """Pushes (point,) that keep bricks of these weights at rest, found in one pass; None where a brick floats.

    Every brick is borne by those that `_depths` puts nearer to the ground, mostly the bricks under it. From the
    furthest on, each hands its own weight and all that was handed to it to the points where it is borne, with forces
    that vary evenly from side to side as under a foundation: with n points p of mean m and scatter S, a load W at c
    gives each point a force of W (1/n + (p - m)' S^-1 (c - m)). These add up to W, and their moment to
    W m + W (c - m) = W c, so the brick is in balance without any shear; and its bearers come later, so that nothing
    changes it any more. Together the pushes are a solution of the linear program, though perhaps not the best: what
    they need of friction is enough, and where they need none, none is needed.
    """
    bricks = len(statics.bricks)
    depth = _depths(statics, points)  # (brick + 1,)
    if np.any(depth < 0):
        return None
    from_below = depth[points.upper] > depth[points.lower]  # (point,)
    borne = np.where(from_below, points.upper, points.lower)  # (point,)
    bearer = np.where(from_below, points.lower, points.upper) % (bricks + 1)  # (point,)
    count = np.bincount(borne, minlength=bricks)  # (brick,)
    means = _sums(borne, points.place, bricks) / count[:, None]  # (brick, 2)
    away = points.place - means[borne]  # (point, 2)
    squares = (away[:, :, None] * away[:, None, :]).reshape(-1, 4)  # (point, 4)
    inverse = np.linalg.inv(_sums(borne, squares, bricks).reshape(-1, 2, 2))  # (brick, 2, 2)
    loads = np.append(weights, 0.0)  # (brick + 1,) the last is the ground's
    moments = np.append(weights[:, None] * statics.centres, [[0.0, 0.0]], axis=0)  # (brick + 1, 2)
    lifts = np.zeros(len(borne))  # (point,) how hard each borne brick is pushed or pulled up
    by_depth = np.argsort(depth[borne], kind="stable")  # (point,)
    starts = np.searchsorted(depth[borne][by_depth], np.arange(int(depth.max()) + 2))
    for far in range(int(depth.max()), 0, -1):
        here = by_depth[starts[far] : starts[far + 1]]
        brick = borne[here]
        off_centre = moments[brick] - means[brick] * loads[brick, None]  # (point, 2)
        tilt = np.einsum("pij,pj->pi", inverse[brick], off_centre)  # (point, 2)
        lifts[here] = loads[brick] / count[brick] + np.einsum("pi,pi->p", away[here], tilt)
        bearers, which = np.unique(bearer[here], return_inverse=True)  # so that a tower takes no square of its height
        loads[bearers] += np.bincount(which, lifts[here], minlength=len(bearers))
        moments[bearers] += _sums(which, lifts[here, None] * points.place[here], len(bearers))
    return np.where(from_below, lifts, -lifts)


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
    layers = statics.layers.tolist()
    waiting = [(statics.ground - 1, -1)]
    seen = {-1}
    while waiting:
        _, brick = heappop(waiting)
        depth[brick] = 1 + max((int(depth[other]) for other in touching[brick]), default=-1)
        for other in touching[brick] - seen:
            seen.add(other)
            heappush(waiting, (layers[other], other))
    return depth


def _sums(index: Ints, values: Floats, count: int) -> Floats:
    """Sums of rows that share an index."""
    columns = [np.bincount(index, column, minlength=count) for column in values.T]
    return np.stack(columns, axis=1)  # (count, columns)
