"""Episodes that were begun at random, and what is to be seen of them by the readable rules."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from brickbybrick.builders.base import RandomBuilder
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.policies.scenes import HEADROOM, MARGIN, Scenes
from brickbybrick.policies.spatial import LAYERS
from brickbybrick.targets.catalog import Task, load_task
from brickbybrick.targets.target import Target, TargetSet

TASKS = ("mnist-3", "random")


def few(name: str, number: int) -> Task:
    task = load_task(name)
    return replace(task, train=TargetSet(task.train.targets[:number]))


def played(task: Task, bricks: int) -> Scenes:
    """Each training target begun at random."""
    sim = RandomBuilder(task.offsets).begin(task.train.targets)
    actions = np.zeros((sim.num_envs, 2), np.int64)
    for _ in range(bricks):
        sim.random_actions(actions)
        sim.step(actions)
    return Scenes(sim, len(task.train[0].images))


def slow_scene(target: Target, poses: Sequence[Pose], offsets: OffsetSet) -> tuple[np.ndarray, np.ndarray]:
    """The cells built and the places for the next brick, cell by cell from the readable rules."""
    assembly = Assembly(BRICK_2X4, offsets)
    for pose in poses:
        assembly.put(pose)
    flat = len(target.images) == 1
    wide = target.hull.shape[0] + 2 * MARGIN
    shape = (target.hull.shape[2] + HEADROOM if flat else LAYERS, 1 if flat else wide, wide)
    first_y = target.start.y if flat else -MARGIN
    built, free = np.zeros(shape, bool), np.zeros((1 if flat else 2, *shape), bool)
    filled = {cell for pose in poses for cell in BRICK_2X4.cells(pose)}
    joined = {offsets.place(pivot, index) for pivot in poses for index in range(len(offsets))}
    for z in range(shape[0]):
        for y in range(shape[1]):
            for x in range(shape[2]):
                cell = (x - MARGIN, y + first_y, z)
                built[z, y, x] = cell in filled
                for d in range(free.shape[0]):
                    free[d, z, y, x] = Pose(*cell, d) in joined and assembly.fits(Pose(*cell, d))
    return built, free
