"""How many bricks a second the environments place, with uniformly random valid actions.

Episodes run to their budget, and drawing the actions and resetting to new targets are inside the clock.
"""

import time
from collections.abc import Callable, Sequence

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

# Environments side by side, threads, and what figures of them are called. 256 digits fit into a core's own cache.
BATCHES = ((4096, 1, "1_thread"), (4096, 2, "2_threads"), (256, 1, "256_envs"))
REPEATS = 40  # short ones, of which the fastest counts: other work on the machine only ever adds time
Step = Callable[[], int]  # takes some steps and says how many
GRID_SIDE, GRID_BRICKS, GRID_TARGETS = 32, 30, 256


def bench_env(seconds: float = 1.0, progress: Callable[[str], None] = lambda _: None) -> dict[str, float]:
    """Environment steps a second on digits and on a 32^3 grid with all offsets, and ratios to plain implementations,
    each measured for some seconds in all."""
    if not 0 < seconds < 3600:
        raise InputError(f"{seconds} seconds for a figure: give more than 0 and less than an hour")
    figures: dict[str, float] = {}
    for name, task in (("mnist", load_task("mnist-0")), ("grid32", grid_task())):
        for envs, threads, suffix in BATCHES:
            progress(f"{name}: simulator and VectorEnv, {suffix}")
            steps = [of_simulator(task, envs, threads)]
            steps += [of_vector_env(task, envs, threads, copy) for copy in (True, False)]
            bare, copies, views = rates(steps, seconds)
            figures[f"{name}_steps_per_s_{suffix}"] = bare
            figures[f"{name}_vector_env_steps_per_s_{suffix}"] = copies
            figures[f"{name}_vector_env_views_steps_per_s_{suffix}"] = views
            figures[f"{name}_ratio_to_vector_env_views_{suffix}"] = bare / views
        progress(f"{name}: single environment")
        figures[f"{name}_single_env_steps_per_s"] = _rate(of_single_env(task), seconds)
        for rule, pairwise in (("cell_by_cell", False), ("pairwise", True)):
            progress(f"{name}: plain {rule} masks")
            rate = _rate(of_plain_rules(task, pairwise), seconds)
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


def of_simulator(task: Task, envs: int, threads: int) -> Step:
    sim = Simulator(task.train, task.offsets, envs, max_bricks=task.max_bricks, threads=threads)
    sim.reset()
    actions = np.zeros((envs, 2), np.int64)

    def step() -> int:
        sim.random_actions(actions)
        sim.step(actions)
        sim.reset_finished()
        return envs

    return step


def of_vector_env(task: Task, envs: int, threads: int, copy: bool) -> Step:
    from brickbybrick.envs.construction_env import ConstructionVectorEnv

    vector = ConstructionVectorEnv(envs, task, threads=threads, copy=copy)
    vector.reset(seed=0)
    actions = np.zeros((envs, 2), np.int64)
    over = np.zeros(envs, bool)

    def step() -> int:
        nonlocal over
        vector.sim.random_actions(actions)
        resets = int(over.sum())  # in these the step only begins a new episode
        _, _, over, _, _ = vector.step(actions)
        return envs - resets

    return step


def of_single_env(task: Task) -> Step:
    from brickbybrick.envs.construction_env import ConstructionEnv

    env = ConstructionEnv(task)
    env.reset(seed=0)
    actions = np.zeros((1, 2), np.int64)

    def step() -> int:
        env.sim.random_actions(actions)
        if env.step(actions[0])[2]:
            env.reset()
        return 1

    return step


def of_plain_rules(task: Task, pairwise: bool) -> Step:
    rel = relations(task.offsets)
    budgets = task.train.budgets
    generator = seeded(1, seed=0)

    def step() -> int:
        return naive_episode(rel, int(budgets[random_number(generator, 0, budgets.size)]), pairwise, generator)

    return step


def _rate(step: Step, seconds: float) -> float:
    return rates([step], seconds)[0]


def rates(ways: Sequence[Step], seconds: float, before: int = 64) -> list[float]:
    """Steps a second of each way's fastest repeat, after some calls `before` to compile and to spread the episodes out.
    The ways take turns, so that whatever else the machine does slows all of them down."""
    for step in ways:
        for _ in range(before):
            step()
    best = [0.0] * len(ways)
    for _ in range(REPEATS):
        for way, step in enumerate(ways):
            steps, start = 0, time.perf_counter()
            while (spent := time.perf_counter() - start) < seconds / REPEATS:
                steps += step()
            best[way] = max(best[way], steps / spent)
    return best
