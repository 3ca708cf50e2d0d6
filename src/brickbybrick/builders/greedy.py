"""Always the best next brick: myopic, told the exact volume, and a yardstick for agents that see images only."""

import numpy as np
import numpy.typing as npt

from brickbybrick.builders.base import Actions, Builder, Chooser, EpisodeBuilder
from brickbybrick.envs.kernels import EnvState, TargetArrays, overlap
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.packed import is_valid, joined_pose
from brickbybrick.geometry.relations import Relations
from brickbybrick.jit import compiled, random_number


class GreedyBuilder(EpisodeBuilder):
    """Places each brick where it fills most of the target, equals being drawn at random.

    All bricks fill as many cells, so the one that fills most of the target gains most IoU. Where only views are
    known, the volume is their visual hull.
    """

    name = "greedy"
    sees = "volume"

    def chooser(self, sim: Simulator) -> Chooser:
        return greedy_chooser(self, sim)


def greedy_chooser(builder: Builder, sim: Simulator) -> Chooser:
    """The greedy choice by what a builder sees; others fall back on it where they know nothing better."""
    targets = sim.target_arrays
    if builder.sees == "images":
        hulls = np.stack([target.hull for target in sim.targets]).transpose(0, 3, 2, 1)  # (target, z, y, x)
        targets = targets._replace(volumes=np.ascontiguousarray(hulls, dtype=np.uint8))

    def choose(actions: Actions) -> None:
        _most_overlap(sim.state, sim.rel, targets, actions)

    return choose


@compiled
def _most_overlap(state: EnvState, rel: Relations, targets: TargetArrays, actions: npt.NDArray[np.int64]) -> None:
    packed = state.packed
    for env in range(actions.shape[0]):
        best, equals = -1, 0
        for pivot in range(packed.bricks[env]):
            for offset in range(rel.bit.shape[0]):
                if not is_valid(packed, rel, env, pivot, offset):
                    continue
                x, y, z, d = joined_pose(packed, rel, env, pivot, offset)
                wanted = overlap(targets, rel, state.target[env], x, y, z, d)
                if wanted > best:
                    best, equals = wanted, 0
                if wanted == best:
                    equals += 1
                    if random_number(state.generator, env, equals) == 0:  # each of the equals is kept as likely
                        actions[env, 0], actions[env, 1] = pivot, offset
