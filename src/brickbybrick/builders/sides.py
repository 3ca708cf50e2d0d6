"""B3+ from both sides: it builds what it sees, and what it sees from behind, and the views choose between the models.

A network that errs does not err alike from both sides, and the model that images value more is nearly always the better
one. It looks from both sides at once, which takes less than twice as long as one look.
"""

from collections.abc import Callable, Sequence
from copy import copy, deepcopy

import numpy as np
import torch

from brickbybrick.builders.agent import SpatialAgent
from brickbybrick.builders.base import Advice, seed_of
from brickbybrick.builders.beam.planner import Estimate, PlanningBuilder, from_views, worth_of
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.brick import Pose
from brickbybrick.targets.target import Target, TargetSet

FLIPS = np.array([(False, False), (True, True)])  # (look, 2) along x and along y: as it is, and turned by half


class TwoSidedBuilder(PlanningBuilder):
    """Plans a model with an agent, from either side, and takes the one that is worth most by the estimate.

    Args: as for every `PlanningBuilder`, with an agent in place of the offsets and the limits.
    """

    def __init__(
        self, agent: SpatialAgent, seed: int = 0, *, estimate: Callable[[Target], Estimate] = from_views
    ) -> None:
        super().__init__(agent.offsets, seed, estimate=estimate)
        self.agent, self.name, self.cells = agent, agent.name, agent.cells
        self._quick = agent
        if halves_time():
            self._quick = copy(agent)
            self._quick.policy = deepcopy(agent.policy).bfloat16()
            self._quick.policy.trunk.laid_out()

    def plan(self, target: Target, begun: Sequence[Pose]) -> list[Pose]:
        there = list(begun) or [target.start]
        sim = Simulator(TargetSet((target,)), self.offsets, len(FLIPS), by_hand=len(there) > 1)
        every = np.zeros(len(FLIPS), np.int64)
        sim.reset(targets=every, seed=[seed_of(self.seed, self.seen(target))] * len(FLIPS))
        for env in range(len(FLIPS)):
            sim.place(env, there[1:])
        choose = self._quick.chooser(sim, FLIPS)
        actions = np.zeros((len(FLIPS), 2), np.int64)
        while not sim.state.done.all():
            choose(actions)
            sim.step(actions)
        estimate, packed = self.estimate(target), sim.state.packed
        models = [
            [*there, *(Pose(*pose) for pose in packed.placed[env, len(there) : packed.bricks[env], :4].tolist())]
            for env in range(len(FLIPS))
        ]
        return max(models, key=lambda model: worth_of(estimate, self.offsets.brick, model))  # of equals the first

    def advice(self, sim: Simulator) -> Advice:
        """What the agent itself thinks, at one look."""
        return self.agent.advice(sim)


def halves_time() -> bool:
    """Whether the processor multiplies numbers of half the precision, in about half the time."""
    return bool(getattr(torch.cpu, "_is_avx512_bf16_supported", bool)())
