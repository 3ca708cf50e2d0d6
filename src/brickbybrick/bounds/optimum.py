"""The best that can be built: what a target's offsets, first brick and budget allow, found and proven.

All bricks fill as many cells and an agent spends its whole budget, so IoU grows with the cells of the target that are
filled, and those add up brick by brick. A linear program says how many none fills more than (see `relaxation.py`); a
construction that is known often fills as many. Else CP-SAT comes from there: it is asked for a construction that fills
at least so many cells, on the poses that such a construction can have (see `placements.py`), and for less where there
is none. What is out of reach in the time given ends with a bound: no construction is better than that.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

import numpy as np

from brickbybrick.bounds.placements import Placements, moved, moves, placements
from brickbybrick.bounds.relaxation import most_by_volume, most_filled
from brickbybrick.builders.beam.planner import SearchBuilder, from_volume
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError, how_to_install
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.target import Target

# Joints up to which a tree with numbered levels is faster than cuts. Digits have 100 to 500, ModelNet's objects 40,000.
MOST_TREE_JOINTS = 5_000

# What proves a bound: that there are no more cells, or bricks; the linear program; CP-SAT.
Method = Literal["volume", "relaxation", "cp-sat"]


@dataclass(frozen=True)
class Optimum:
    """How well a target can be built by bricks that spend its whole budget."""

    iou: float  # the best known
    bound: float  # proven: nothing is better
    method: Method  # what proved it
    construction: Construction | None  # the one with that IoU; None where only figures were kept
    seconds: float  # that it took

    @property
    def proven(self) -> bool:
        """Whether nothing is better than the best known."""
        return self.iou >= self.bound

    @property
    def gap(self) -> float:
        """How much better than the best known something could be, as a share of the best known."""
        return self.bound / self.iou - 1 if self.iou else math.inf


@dataclass(frozen=True)
class Answer:
    """What came of asking for a construction that fills at least so many cells."""

    bound: int | None  # proven: none fills more; None where the time was not enough to prove anything
    poses: list[Pose] | None  # one that fills as many as asked for, the first brick first


def optimum(target: Target, offsets: OffsetSet, hints: Sequence[Construction] = (), seconds: float = 60.0) -> Optimum:
    """The best IoU that a target of known volume can be built with, or a bound on it where the time is not enough.

    Good hints, constructions of the target that others found, make it faster.
    """
    begin = time.perf_counter()
    best: list[Pose] = [target.start]
    told = SearchBuilder(offsets, estimate=from_volume, bound=lambda target: most_by_volume(target, offsets))
    for hint in (*hints, told.build(target)):
        check_build(hint.poses, target, offsets)
        best = max(best, hint.poses, key=lambda poses: filled(poses, target, offsets))
    reached = filled(best, target, offsets)
    unit = overlap_unit(target, offsets)
    bound, method = relaxed(target, offsets, reached, seconds / 2)
    step = 0  # how far below the bound to ask, doubled with each answer that there is none
    while reached < bound:
        left = begin + seconds - time.perf_counter()
        if left < seconds / 20:
            break
        asked = max(reached + 1, bound - step * unit)
        answer = ask(target, offsets, asked, left / 2)
        if answer.poses:
            best, reached = answer.poses, filled(answer.poses, target, offsets)
        if answer.bound is not None:
            bound, method = answer.bound // unit * unit, "cp-sat"
            step = 2 * step + 1
        elif step:
            step //= 2
        else:
            break
    poses = spend(best, target, offsets)
    iou = iou_of(reached, target, offsets)
    return Optimum(
        iou=iou,
        bound=iou_of(bound, target, offsets),
        method=method,
        construction=Construction.of_poses(
            offsets.brick, poses, target=target.name, builder="optimum", budget=target.budget, iou=iou
        ),
        seconds=time.perf_counter() - begin,
    )


def relaxed(target: Target, offsets: OffsetSet, reached: int, seconds: float) -> tuple[int, Method]:
    """Cells that no construction fills more than, as far as that is proven without CP-SAT, and what proves it.

    `reached` cells are known to be filled by one, so that nothing less is asked for.
    """
    unit = overlap_unit(target, offsets)
    by_volume = most_by_volume(target, offsets) // unit * unit
    bound = most_filled(target, offsets, seconds, enough=reached + unit - 1) // unit * unit
    if bound < reached:  # never, or a proof is wrong
        raise ArithmeticError(f"{target.name}: {reached} cells are filled where at most {bound} can be")
    return bound, "relaxation" if bound < by_volume else "volume"


def iou_of(overlap: int, target: Target, offsets: OffsetSet) -> float:
    """The IoU of a construction that spends the whole budget and fills `overlap` cells of the target."""
    return overlap / (int(target.volume.sum()) + offsets.brick.studs * target.budget - overlap)


def filled(poses: Sequence[Pose], target: Target, offsets: OffsetSet) -> int:
    """The cells of the target that bricks at `poses` fill."""
    wanted = {(x, y, z) for x, y, z in np.argwhere(target.volume).tolist()}
    return sum(cell in wanted for pose in poses for cell in offsets.brick.cells(pose))


def overlap_unit(target: Target, offsets: OffsetSet) -> int:
    """What all overlaps are a multiple of: the 4 cells behind a pixel, where bricks stay in the plane of a digit."""
    if target.start.d != 0 or not offsets.flat:
        return 1
    first = target.start.y
    plane = target.volume[:, max(0, first) : max(0, first + offsets.brick.length)]
    return max(1, math.gcd(*np.unique(plane.sum(axis=1)).tolist()))


def check_build(poses: Sequence[Pose], target: Target, offsets: OffsetSet) -> None:
    """Raises an error unless the bricks can be placed in this order, from the target's first brick, in its budget."""
    if not poses or poses[0] != target.start or len(poses) > target.budget:
        raise InputError(f"{target.name}: a hint must begin with the target's first brick and keep its budget")
    assembly = Assembly(offsets.brick, offsets)
    assembly.put(poses[0])
    _, back = moves(offsets)
    for pose in poses[1:]:
        if not assembly.fits(pose) or set(assembly.poses).isdisjoint(moved(pose, back)):
            raise InputError(f"{target.name}: a hint has a brick at {tuple(pose)}, where none can be joined")
        assembly.put(pose)


def spend(poses: list[Pose], target: Target, offsets: OffsetSet) -> list[Pose]:
    """The bricks, and those that are left of the budget as a tower on the highest.

    Nothing is above the highest, so there is always room. That is why asking for at most the budget asks for the same.
    """
    upwards = next(index for index, offset in enumerate(offsets.offsets) if offset.dz > 0)
    poses = list(poses)
    while len(poses) < target.budget:
        poses.append(offsets.place(max(poses, key=lambda pose: pose.z), upwards))
    return poses


def ask(target: Target, offsets: OffsetSet, least: int, seconds: float) -> Answer:
    """The best construction among those that fill at least `least` cells of the target."""
    end = time.perf_counter() + seconds
    sites = placements(target, offsets, least)
    cp = _cp_model()
    model = cp.CpModel()
    placed = [model.new_bool_var("") for _ in sites.poses]
    overlap = _pack(model, placed, sites, target, offsets)
    model.add(overlap >= least)
    model.maximize(overlap)
    tree = sum(map(len, sites.pivots)) <= MOST_TREE_JOINTS
    if tree:
        _join_by_levels(model, placed, sites, target.budget)
    solver = cp.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    while True:
        solver.parameters.max_time_in_seconds = max(0.01, end - time.perf_counter())
        status = solver.solve(model)
        if status == cp.INFEASIBLE:
            return Answer(least - 1, None)
        if status not in (cp.OPTIMAL, cp.FEASIBLE):
            return Answer(None, None)
        chosen = [index for index, each in enumerate(placed) if solver.boolean_value(each)]
        order = _joined(chosen, sites)
        if len(order) == len(chosen):
            poses = [sites.poses[index] for index in order]
            # A solver that is stopped may call 0 its bound: only a finished search proves something.
            return Answer(filled(poses, target, offsets) if status == cp.OPTIMAL else None, poses)
        if status != cp.OPTIMAL:
            return Answer(None, None)
        _cut_off(model, placed, set(chosen) - set(order), sites)


def _pack(model: Any, placed: list[Any], sites: Placements, target: Target, offsets: OffsetSet) -> Any:
    """No two bricks in one cell, no more than the budget, each but the first beside one that it can be joined to.

    Returns the cells of the target that are then filled.
    """
    cells: dict[tuple[int, int, int], list[Any]] = {}
    for pose, here in zip(sites.poses, placed, strict=True):
        for cell in offsets.brick.cells(pose):
            cells.setdefault(cell, []).append(here)
    for sharing in cells.values():
        model.add_at_most_one(sharing)
    model.add(sum(placed) <= target.budget)
    model.add(placed[0] == 1)
    for here, pivots in zip(placed[1:], sites.pivots[1:], strict=True):
        model.add_bool_or([~here, *(placed[pivot] for pivot in pivots)])
    return sum(gain * here for gain, here in zip(sites.gains, placed, strict=True))


def _join_by_levels(model: Any, placed: list[Any], sites: Placements, budget: int) -> None:
    """A tree from the first brick: each other is joined to one pivot, which has a lower level."""
    levels = [model.new_int_var(depth, budget, "") for depth in sites.depths]
    for index in range(1, len(placed)):
        joints = []
        for pivot in sites.pivots[index]:
            joint = model.new_bool_var("")
            model.add_implication(joint, placed[pivot])
            model.add(levels[index] > levels[pivot]).only_enforce_if(joint)
            joints.append(joint)
        model.add_exactly_one([~placed[index], *joints])


def _joined(chosen: list[int], sites: Placements) -> list[int]:
    """Those of the chosen that can be built from the first brick, in an order to do so."""
    order, left = [0], [index for index in chosen if index != 0]
    while True:
        there = set(order)
        more = [index for index in left if not there.isdisjoint(sites.pivots[index])]
        if not more:
            return order
        order += more
        left = [index for index in left if index not in set(more)]


def _cut_off(model: Any, placed: list[Any], loose: set[int], sites: Placements) -> None:
    """From here on, each group of bricks that hangs together but not with the first needs a brick around it."""
    beside: dict[int, set[int]] = {index: set() for index in loose}
    for index in loose:
        for pivot in loose.intersection(sites.pivots[index]):
            beside[index].add(pivot)
            beside[pivot].add(index)
    while loose:
        group, border = set[int](), {loose.pop()}
        while border:
            group |= border
            border = {other for index in border for other in beside[index]} - group
        loose -= group
        around = {pivot for index in group for pivot in sites.pivots[index]} - group
        for index in group:
            model.add_bool_or([~placed[index], *(placed[pivot] for pivot in around)])


def _cp_model() -> ModuleType:
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise InputError(f"the optimum is found by OR-Tools: {how_to_install('ortools')}") from error
    return cp_model
