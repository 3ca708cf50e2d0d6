"""The simulator's memory: plain arrays, allocated once, one row for each environment.

They are in the layout that a policy reads, so a step writes its observation and nothing is copied.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from brickbybrick.geometry.brick import Size
from brickbybrick.geometry.packed import PackedAssemblies, allocate
from brickbybrick.geometry.relations import Relations
from brickbybrick.targets.target import TargetSet


class TargetArrays(NamedTuple):
    """The targets that episodes draw from, as the compiled step reads them."""

    volumes: npt.NDArray[np.uint8]  # (target, z, y, x) the cells wanted
    filled: npt.NDArray[np.int64]  # (target,) how many cells are wanted
    starts: npt.NDArray[np.int64]  # (target, 4) pose of the first brick
    budgets: npt.NDArray[np.int64]  # (target,) bricks allowed


class EnvState(NamedTuple):
    """A batch of constructions under way."""

    packed: PackedAssemblies  # the bricks: poses, mask words, neighbour lists
    nodes: npt.NDArray[np.int16]  # (env, brick, 4) centre relative to the first brick's, and direction
    target: npt.NDArray[np.int32]  # (env,) index of the target
    budget: npt.NDArray[np.int32]  # (env,) bricks allowed in this episode
    inside: npt.NDArray[np.int32]  # (env,) cells filled that the target wants
    iou: npt.NDArray[np.float64]  # (env,) of the bricks placed with the target
    delta_iou: npt.NDArray[np.float64]  # (env,) what the last brick changed
    reward: npt.NDArray[np.float64]  # (env,) of the last action
    episode_return: npt.NDArray[np.float64]  # (env,) sum of rewards since the first brick
    done: npt.NDArray[np.bool_]  # (env,) the episode is over
    invalid: npt.NDArray[np.bool_]  # (env,) because the last action was invalid
    generator: npt.NDArray[np.uint64]  # (env,) random numbers of each environment's own


def allocate_state(size: Size, rel: Relations, num_envs: int, max_bricks: int) -> EnvState:
    """Environments that hold no brick yet and are done, so that the first thing to happen is a reset."""
    return EnvState(
        packed=allocate(size, rel, num_envs, max_bricks),
        nodes=np.zeros((num_envs, max_bricks, 4), np.int16),
        target=np.zeros(num_envs, np.int32),
        budget=np.zeros(num_envs, np.int32),
        inside=np.zeros(num_envs, np.int32),
        iou=np.zeros(num_envs),
        delta_iou=np.zeros(num_envs),
        reward=np.zeros(num_envs),
        episode_return=np.zeros(num_envs),
        done=np.ones(num_envs, np.bool_),
        invalid=np.zeros(num_envs, np.bool_),
        generator=np.zeros(num_envs, np.uint64),
    )


def target_arrays(targets: TargetSet, budget: int | None) -> TargetArrays:
    """The arrays of a set of targets; a budget of one's own replaces the targets'."""
    budgets = targets.budgets if budget is None else np.full(len(targets), budget, np.int64)
    filled = targets.volumes.sum(axis=(1, 2, 3), dtype=np.int64)
    return TargetArrays(targets.volumes, filled, targets.starts, budgets)
