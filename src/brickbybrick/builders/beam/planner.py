"""A builder that plans the whole model before it places the first brick, from the images alone unless told more.

What it is told is an estimate: how likely each cell is to be filled, and what else is worth something. By default that
comes from the visual hull; a volume that is known, or one that was learned, can take its place.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.builders.base import Actions, Chooser, EpisodeBuilder, seed_of
from brickbybrick.builders.beam.beam import Found, improve
from brickbybrick.builders.beam.sites import UNIT, Sites, View, sites_of
from brickbybrick.builders.greedy import greedy_chooser
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import Pose, Size
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.geometry.packed import action_to
from brickbybrick.geometry.voxels import fill
from brickbybrick.targets.target import Target

WORK = 300_000  # bricks to look at for one target
PIXEL = 0.25  # what it is worth to cover a pixel of a silhouette, in cells
# The axes that the front, the side and the top are seen along, and those that they show.
VIEWS = ((1, (0, 2)), (0, (1, 2)), (2, (0, 1)))


class Estimate(NamedTuple):
    """What a planner believes about a target."""

    cells: npt.NDArray[np.floating]  # (x, y, z) what it is worth to fill a cell; 1 if it is certainly wanted
    views: Sequence[View] = ()


def from_views(target: Target) -> Estimate:
    """What the views say about cells, and that every pixel of them wants a brick.

    No cell outside the hull is filled. Of the hull's cells behind one pixel at least one is, so a cell that is alone
    there is certain, and one of many is less so. What a cell is worth falls with the shortest such row that it is in,
    towards a half.
    """
    views, hull = VIEWS[: len(target.images)], target.hull
    rows = [np.broadcast_to(hull.sum(axis=axis, keepdims=True), hull.shape) for axis, _ in views]
    cells = np.where(hull, 0.5 + 0.5 / np.maximum(np.min(rows, axis=0), 1), 0.0)
    return Estimate(cells, [(shown, np.where(hull.any(axis=axis), PIXEL, 0.0)) for axis, shown in views])


def from_volume(target: Target) -> Estimate:
    """The exact volume, where it is known: a yardstick for builders that see images only."""
    return Estimate(target.volume.astype(np.float64))


def worth_of(estimate: Estimate, brick: Size, poses: Iterable[Pose]) -> float:
    """What a model is worth by an estimate: the cells that its bricks fill, and the pixels that they cover."""
    wide, deep, high = estimate.cells.shape
    filled = fill(brick, poses, (wide, deep, high))
    shown = sum(float(prizes[filled.any(axis=3 - sum(axes))].sum()) for axes, prizes in estimate.views)
    return float(estimate.cells[filled].sum()) + shown


class PlanningBuilder(EpisodeBuilder):
    """Plans a whole model, and then places it brick by brick.

    It goes on from whatever is there, and plans anew when somebody else has placed a brick. Where a plan ends before
    the budget, the last bricks are placed greedily, by what the builder sees.

    Args:
        offsets: The joints an action may choose from.
        seed: Random seed, of the choice among equals. A target is built the same alone and beside any others.
        work: What may be looked at for one target; more work never makes a model that is worth less.
        seconds: Time for one target instead, if that is over first. What comes out then depends on the machine.
        estimate: What is believed about a target, which models are worth something by.
        bound: How many cells of a target none fills more of, if that is known: for those who are told the volume, and
            who need not go on once they fill as many.
    """

    def __init__(
        self,
        offsets: OffsetSet,
        seed: int = 0,
        *,
        work: int | None = WORK,
        seconds: float | None = None,
        estimate: Callable[[Target], Estimate] = from_views,
        bound: Callable[[Target], int | None] | None = None,
    ) -> None:
        super().__init__(offsets, seed)
        if bound and estimate is not from_volume:
            raise InputError("a bound on the cells filled is for those who are told the volume: leave it out")
        if (work is None and seconds is None) or (work or 0) < 0 or (seconds or 0.0) < 0:
            raise InputError(f"a search with work {work} and {seconds} seconds: give a limit, of 0 or more")
        self.work, self.seconds, self.estimate, self.bound = work, seconds, estimate, bound
        if estimate is from_volume:
            self.sees = "volume"

    def _sites(self, target: Target, begun: Sequence[Pose]) -> Sites:
        """The sites for bricks, and what they are worth by the estimate."""
        estimate = self.estimate(target)
        return sites_of(self.offsets, estimate.cells, begun, estimate.views)

    @abstractmethod
    def plan(self, target: Target, begun: Sequence[Pose]) -> list[Pose]:
        """All bricks in an order that can be built, those that are there first."""

    def chooser(self, sim: Simulator) -> Chooser:
        plans: list[list[Pose]] = [[] for _ in range(sim.num_envs)]  # (env,) all bricks, those there first
        choose_greedily = greedy_chooser(self, sim)

        def choose(actions: Actions) -> None:
            """The next brick of each plan, which is made anew where the bricks are not those it began with."""
            choose_greedily(actions)
            packed = sim.state.packed
            for env in np.flatnonzero(~sim.state.done).tolist():
                there = [Pose(*pose) for pose in packed.placed[env, : packed.bricks[env], :4].tolist()]
                if not plans[env] or plans[env][: len(there)] != there:
                    plans[env] = self.plan(sim.targets[int(sim.state.target[env])], there)
                if len(plans[env]) > len(there):
                    actions[env] = action_to(packed, sim.rel, env, np.array(plans[env][len(there)], np.int64))

        return choose


class SearchBuilder(PlanningBuilder):
    """Plans a model by beam search (`beam.improve`), whose work is counted in bricks looked at. Its plan ends early
    where a budget is larger than the room around the target."""

    name = "search"

    def plan(self, target: Target, begun: Sequence[Pose]) -> list[Pose]:
        *_, (_, poses) = self.plans(target, begun)
        return poses

    def plans(self, target: Target, begun: Sequence[Pose] = ()) -> Iterator[tuple[Found, list[Pose]]]:
        """Better and better plans as they are found, each with all its bricks in an order that can be built. Where none
        are begun, the target's first brick is."""
        there = list(begun) or [target.start]
        sites = self._sites(target, there)
        aside = len(there) - sites.begun  # bricks too far away to matter, which use up the budget all the same
        seed, most = seed_of(self.seed, target.hull), self.bound(target) if self.bound else None
        enough = None if most is None else UNIT * most
        bricks = max(target.budget - aside, sites.begun)
        for found in improve(sites, bricks, seed, self.work, self.seconds, enough):
            added = sites.poses[found.sites[sites.begun :]].tolist()
            yield found, [*there, *(Pose(*pose) for pose in added)]
