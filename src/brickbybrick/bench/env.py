"""How many bricks a second the environments place, with uniformly random valid actions.

Episodes run to their budget, and drawing the actions and resetting to new targets are inside the clock.
"""

import time
from collections.abc import Callable

import numpy as np

from brickbybrick.bench.validity import naive_episode
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4, Pose
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.geometry.relations import relations
from brickbybrick.geometry.voxels import fill, three_views
from brickbybrick.jit import random_number, seeded
from brickbybrick.targets.catalog import Task, load_task
from brickbybrick.targets.random_assembly import validity_data
from brickbybrick.targets.target import Target, TargetSet

NUM_ENVS = 4096
REPEATS = 5  # the fastest counts: other work on the machine only ever adds time
GRID_SIDE, GRID_BRICKS, GRID_TARGETS = 32, 30, 256


def bench_env(seconds: float = 1.0, progress: Callable[[str], None] = lambda _: None) -> dict[str, float]:
    """Environment steps a second on digits and on a 32^3 grid with all offsets, and ratios to plain implementations,
    each measured for some seconds in all."""
    if not 0 < seconds < 3600:
        raise InputError(f"{seconds} seconds for a figure: give more than 0 and less than an hour")
    figures: dict[str, float] = {}
    for name, task in (("mnist", load_task("mnist-0")), ("grid32", grid_task())):
        for threads, suffix in ((1, "1_thread"), (2, "2_threads")):
            progress(f"{name}: simulator, {suffix}")
            figures[f"{name}_steps_per_s_{suffix}"] = _simulator_rate(task, threads, seconds)
            progress(f"{name}: VectorEnv, {suffix}")
            for copy, kind in ((True, "vector_env"), (False, "vector_env_views")):
                figures[f"{name}_{kind}_steps_per_s_{suffix}"] = _vector_env_rate(task, threads, seconds, copy)
        progress(f"{name}: single environment")
        figures[f"{name}_single_env_steps_per_s"] = _single_env_rate(task, seconds)
        for rule, pairwise in (("cell_by_cell", False), ("pairwise", True)):
            progress(f"{name}: plain {rule} masks")
            rate = _naive_rate(task, pairwise, seconds)
            figures[f"{name}_{rule}_steps_per_s"] = rate
            figures[f"{name}_ratio_to_{rule}"] = figures[f"{name}_steps_per_s_1_thread"] / rate
    return figures


def grid_task() -> Task:
    """Targets in a 32^3 grid: random assemblies of 30 bricks, all 92 offsets allowed."""
    models = validity_data(GRID_TARGETS, GRID_BRICKS, seed=32).packed.placed[GRID_BRICKS - 1 :: GRID_BRICKS, :, :4]
    targets = []
    for number, poses in enumerate(models.tolist()):
        moved = [Pose(x + GRID_SIDE // 2, y + GRID_SIDE // 2, z, d) for x, y, z, d in poses]
        voxels = fill(BRICK_2X4, moved, (GRID_SIDE,) * 3)
        targets.append(Target(f"grid/{number}", three_views(voxels), voxels, voxels, 0, moved[0], GRID_BRICKS))
    every = TargetSet(tuple(targets))
    return Task("grid32", offset_set("all"), GRID_BRICKS, every, every)


def _simulator_rate(task: Task, threads: int, seconds: float) -> float:
    sim = Simulator(task.train, task.offsets, NUM_ENVS, max_bricks=task.max_bricks, threads=threads)
    sim.reset()
    actions = np.zeros((NUM_ENVS, 2), np.int64)

    def step() -> int:
        sim.random_actions(actions)
        sim.step(actions)
        sim.reset_finished()
        return NUM_ENVS

    return _rate(step, seconds)


def _vector_env_rate(task: Task, threads: int, seconds: float, copy: bool) -> float:
    from brickbybrick.envs.construction_env import ConstructionVectorEnv

    envs = ConstructionVectorEnv(NUM_ENVS, task, threads=threads, copy=copy)
    envs.reset(seed=0)
    actions = np.zeros((NUM_ENVS, 2), np.int64)
    over = np.zeros(NUM_ENVS, bool)

    def step() -> int:
        nonlocal over
        envs.sim.random_actions(actions)
        resets = int(over.sum())  # in these the step only begins a new episode
        _, _, over, _, _ = envs.step(actions)
        return NUM_ENVS - resets

    return _rate(step, seconds)


def _single_env_rate(task: Task, seconds: float) -> float:
    from brickbybrick.envs.construction_env import ConstructionEnv

    env = ConstructionEnv(task)
    env.reset(seed=0)
    actions = np.zeros((1, 2), np.int64)

    def step() -> int:
        env.sim.random_actions(actions)
        if env.step(actions[0])[2]:
            env.reset()
        return 1

    return _rate(step, seconds)


def _naive_rate(task: Task, pairwise: bool, seconds: float) -> float:
    rel = relations(task.offsets)
    budgets = task.train.budgets
    generator = seeded(1, seed=0)

    def step() -> int:
        return naive_episode(rel, int(budgets[random_number(generator, 0, budgets.size)]), pairwise, generator)

    return _rate(step, seconds)


def _rate(step: Callable[[], int], seconds: float) -> float:
    """Steps a second of the fastest repeat, after some time to compile and to spread the episodes out."""
    for _ in range(64):
        step()
    best = 0.0
    for _ in range(REPEATS):
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds / REPEATS:
            steps += step()
        best = max(best, steps / spent)
    return best
