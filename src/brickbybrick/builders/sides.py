"""B3+ from several sides: it builds what it sees, from behind and in mirrors too, and the views choose a model.

A network that errs does not err alike from all sides, and the model that images value most is nearly always the best
one. It looks from some sides at once, which takes less than twice as long as one look. Where bricks alone explain the
views two models are nearly always enough, and if neither shows the views, two more follow.
"""

from collections.abc import Callable, Sequence
from copy import copy

import numpy as np

from brickbybrick.builders.agent import SpatialAgent
from brickbybrick.builders.base import Advice, seed_of
from brickbybrick.builders.beam.planner import Estimate, PlanningBuilder, from_views, worth_of
from brickbybrick.builders.explaining import is_explained, share_wrong
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.brick import Pose
from brickbybrick.policies.quick import quick
from brickbybrick.policies.scenes import Flags
from brickbybrick.targets.target import Target, TargetSet

# (look, 2) along x and along y: as it is, turned by half, and both in a mirror.
FLIPS = np.array([(False, False), (True, True), (True, False), (False, True)])
EXPLAINED, OTHERS = (2, 2), (3,)  # looks at once, one after the other, where bricks explain the views and elsewhere


class ManySidedBuilder(PlanningBuilder):
    """Plans a model with an agent, from several sides, and takes the one that is worth most by the estimate.

    Args: as for every `PlanningBuilder`, with an agent in place of the offsets and the limits.
    """

    def __init__(
        self, agent: SpatialAgent, seed: int = 0, *, estimate: Callable[[Target], Estimate] = from_views
    ) -> None:
        super().__init__(agent.offsets, seed, estimate=estimate)
        self.agent, self.name, self.cells = agent, agent.name, agent.cells
        self._quick = copy(agent)
        self._quick.policy = quick(agent.policy)

    def plan(self, target: Target, begun: Sequence[Pose]) -> list[Pose]:
        there = list(begun) or [target.start]
        at_once = EXPLAINED if is_explained(target, self.offsets) else OTHERS
        models: list[list[Pose]] = []
        for looks in at_once:
            models += self._models(target, there, FLIPS[len(models) : len(models) + looks])
            best = self._best(target, models)
            if not share_wrong(target, best, self.offsets):
                break
        return best

    def _models(self, target: Target, there: list[Pose], flips: Flags) -> list[list[Pose]]:
        """What the agent builds on what is there, seen with each of some flips (look, 2)."""
        sim = Simulator(TargetSet((target,)), self.offsets, len(flips), by_hand=len(there) > 1)
        every = np.zeros(len(flips), np.int64)
        sim.reset(targets=every, seed=[seed_of(self.seed, self.seen(target))] * len(flips))
        for env in range(len(flips)):
            sim.place(env, there[1:])
        choose = self._quick.chooser(sim, flips)
        actions = np.zeros((len(flips), 2), np.int64)
        while not sim.state.done.all():
            choose(actions)
            sim.step(actions)
        packed = sim.state.packed
        return [
            [*there, *(Pose(*pose) for pose in packed.placed[env, len(there) : packed.bricks[env], :4].tolist())]
            for env in range(len(flips))
        ]

    def _best(self, target: Target, models: Sequence[list[Pose]]) -> list[Pose]:
        """The one that is worth most; of equals the first."""
        estimate = self.estimate(target)
        return max(models, key=lambda model: worth_of(estimate, self.offsets.brick, model))

    def advice(self, sim: Simulator) -> Advice:
        """What the agent itself thinks, at one look."""
        return self.agent.advice(sim)
