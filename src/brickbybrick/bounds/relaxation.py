"""How much of a target can be filled at most: a linear program, which takes seconds where a proof takes hours.

In the program bricks may be there in part. Each cell is filled at most once; there are no more bricks than the budget;
every brick but the first hangs by one joint on another, its pivot; and no more joints go through a stud than there is
of its brick. All that can be built is among what the program allows, so what it fills at most, nothing fills more than.

Poses that fill nothing of the target have no end, and few of them are of use. At first none is listed, and a brick may
hang on one of them at the price of a part of a brick; as long as some do, those around what is listed are listed too.
What the solver says is not taken on trust: any prices of the constraints prove a bound, which is worked out anew.
"""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from brickbybrick.bounds.placements import moved, moves
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.target import Target

ROUNDING = 1e-6  # of a cell: far more than sums are off by
USED = 1e-3  # of a brick: less is not worth a longer list
GROWTH = 2.0  # a longer list takes at least so many times as long
TIME_IS_UP = 1  # the status that linprog ends with


def most_filled(
    target: Target,
    offsets: OffsetSet,
    seconds: float = 60.0,
    enough: int = 0,
    tell: Callable[[int], None] = lambda _: None,
) -> int:
    """Cells of a target that no construction fills more than.

    Args:
        target: Of known volume.
        offsets: How bricks are joined.
        seconds: After which it ends with what is proven; but the first program is always solved.
        enough: A bound that is as good as any: what was built fills as many.
        tell: Told each bound that is found.
    """
    end = time.perf_counter() + seconds
    yard = _Yard(target, offsets)
    bound, allowed = most_by_volume(target, offsets), math.inf
    while bound > enough:
        begin = time.perf_counter()
        program = _Program(yard)
        proven = program.solve(allowed)
        if proven is None:
            break
        bound = min(bound, proven)
        tell(bound)
        now = time.perf_counter()
        if not program.is_open or end - now < GROWTH * (now - begin):
            break
        yard.list_around()
        allowed = end - time.perf_counter()
    return bound


def most_by_volume(target: Target, offsets: OffsetSet) -> int:
    """Cells of a target that no construction fills more than, as there are no more or the bricks have no more."""
    return min(int(target.volume.sum()), offsets.brick.studs * target.budget)


class _Yard:
    """Poses that are listed, and how bricks there are joined."""

    def __init__(self, target: Target, offsets: OffsetSet) -> None:
        self.target, self.offsets = target, offsets
        self.wanted = {(x, y, z) for x, y, z in np.argwhere(target.volume).tolist()}
        self.first = set(offsets.brick.cells(target.start))
        _, self.back = moves(offsets)
        self.number: dict[Pose, int] = {target.start: 0}
        self.pivots: list[list[Pose]] = [[]]  # of each pose, listed or not
        self._list(pose for cell in sorted(self.wanted) for pose in self._filling(*cell))

    def _filling(self, x: int, y: int, z: int) -> Iterable[Pose]:
        """All poses that fill a cell."""
        for d in self.offsets.brick.directions:
            for column, row, _ in self.offsets.brick.cells(Pose(0, 0, 0, d)):
                if not self.offsets.flat or (y - row, d) == (self.target.start.y, self.target.start.d):
                    yield Pose(x - column, y - row, z, d)

    def _is_free(self, pose: Pose) -> bool:
        return pose.z >= 0 and self.first.isdisjoint(self.offsets.brick.cells(pose))

    def _list(self, poses: Iterable[Pose]) -> None:
        for pose in poses:
            if pose not in self.number and self._is_free(pose):
                self.number[pose] = len(self.number)
                near = moved(pose, self.back)
                self.pivots.append([pivot for pivot in near if pivot == self.target.start or self._is_free(pivot)])

    def list_around(self) -> None:
        """Lists all that bricks may hang on at the poses that are listed."""
        self._list([pivot for pivots in self.pivots for pivot in pivots])

    def gain(self, pose: Pose) -> int:
        """Cells of the target that a brick fills."""
        return len(self.wanted.intersection(self.offsets.brick.cells(pose)))

    @property
    def joints(self) -> list[tuple[int, int]]:
        """All pairs of a pivot and a brick that may hang on it."""
        return [
            (self.number[pivot], number)
            for number, pivots in enumerate(self.pivots)
            for pivot in pivots
            if pivot in self.number
        ]

    @property
    def loose(self) -> list[int]:
        """Poses whose bricks may hang on one that is not listed."""
        return [number for number, pivots in enumerate(self.pivots) if any(each not in self.number for each in pivots)]

    @cached_property
    def most_joints(self) -> int:
        """Of one brick with others."""
        fewest = min(offset.studs for offset in self.offsets.offsets)
        return 2 * (self.offsets.brick.studs // fewest)


@dataclass
class _Rows:
    """Rows of a matrix, one after the other: sums that are at most, or exactly, so much."""

    columns: list[int] = field(default_factory=list)
    factors: list[float] = field(default_factory=list)
    ends: list[int] = field(default_factory=lambda: [0])  # of each row among the columns
    limits: list[float] = field(default_factory=list)

    def add(self, columns: Iterable[int], limit: float = 0.0, less: Iterable[tuple[int, float]] = ()) -> None:
        """A sum of columns, and of others with a factor, against a limit."""
        for column in columns:
            self.columns.append(column)
            self.factors.append(1.0)
        for column, factor in less:
            self.columns.append(column)
            self.factors.append(-factor)
        self.ends.append(len(self.columns))
        self.limits.append(limit)

    def matrix(self, width: int) -> csr_array:
        return csr_array((self.factors, self.columns, self.ends), shape=(len(self.limits), width))


class _Program:
    """The linear program of what is listed.

    Columns: how much of a brick there is at each pose; how much of it hangs on each pivot; for the loose ones, how much
    of it hangs on what is not listed; and last how many bricks these are.
    """

    def __init__(self, yard: _Yard) -> None:
        self.yard, self.joints, self.loose = yard, yard.joints, yard.loose
        poses, self.first_loose = len(yard.number), len(yard.number) + len(self.joints)
        self.unlisted = self.first_loose + len(self.loose)
        self.width = self.unlisted + 1
        self.gains = np.zeros(self.width)
        self.gains[:poses] = [yard.gain(pose) for pose in yard.number]
        self.most = np.ones(self.width)
        self.most[self.unlisted] = yard.target.budget
        self.least = np.zeros(self.width)
        self.least[0] = 1.0
        self.is_open = True  # whether a brick hangs on what is not listed, so that a longer list may prove more

    def solve(self, seconds: float) -> int | None:
        """The bound that it proves, or None where the time is not enough."""
        at_most, exactly = self._at_most(), self._exactly()
        upper, equal = at_most.matrix(self.width), exactly.matrix(self.width)
        limits, sums = np.array(at_most.limits), np.array(exactly.limits)
        solved = linprog(  # type: ignore[call-overload]
            -self.gains,
            A_ub=upper,
            b_ub=limits,
            A_eq=equal,
            b_eq=sums,
            bounds=np.stack([self.least, self.most], axis=1),
            method="highs-ipm",
            options={"time_limit": seconds},
        )
        if solved.status == TIME_IS_UP:
            return None
        if solved.status != 0:
            raise ArithmeticError(f"the program of {len(self.yard.number)} poses has no end: {solved.message}")
        # For any prices, at most 0 of the limits, no x that keeps them fills more than this.
        prices, values = np.minimum(solved.ineqlin.marginals, 0.0), solved.eqlin.marginals
        left = -self.gains - upper.T @ prices - equal.T @ values
        proven = -(limits @ prices + sums @ values + np.minimum(left * self.least, left * self.most).sum())
        self.is_open = bool(solved.x[self.unlisted] > USED)
        return int(np.floor(proven + ROUNDING))

    def _at_most(self) -> _Rows:
        yard, rows = self.yard, _Rows()
        brick, poses = yard.offsets.brick, list(yard.number)
        filling: dict[tuple[int, int, int], list[int]] = defaultdict(list)
        for number, pose in enumerate(poses):
            for cell in brick.cells(pose):
                filling[cell].append(number)
        for numbers in dict.fromkeys(map(tuple, filling.values())):
            rows.add(numbers, 1.0)
        rows.add([*range(len(poses)), self.unlisted], yard.target.budget)
        through: dict[tuple[int, bool, int, int], list[int]] = defaultdict(list)  # brick, whether above, stud
        for joint, (pivot, number) in enumerate(self.joints, len(poses)):
            one, other = poses[pivot], poses[number]
            for x, y in set(brick.footprint(one)).intersection(brick.footprint(other)):
                through[pivot, other.z > one.z, x, y].append(joint)
                through[number, one.z > other.z, x, y].append(joint)
        for (number, *_), joints in through.items():
            rows.add(joints, less=[(number, 1.0)])
        # One of its joints joins what is not listed to the rest.
        rows.add(range(self.first_loose, self.unlisted), less=[(self.unlisted, float(yard.most_joints - 1))])
        return rows

    def _exactly(self) -> _Rows:
        """Each brick but the first hangs on something, once."""
        hanging: list[list[int]] = [[] for _ in self.yard.number]
        for joint, (_, number) in enumerate(self.joints, len(self.yard.number)):
            hanging[number].append(joint)
        for column, number in enumerate(self.loose, self.first_loose):
            hanging[number].append(column)
        rows = _Rows()
        for number, columns in enumerate(hanging[1:], 1):
            rows.add(columns, less=[(number, 1.0)])
        return rows
