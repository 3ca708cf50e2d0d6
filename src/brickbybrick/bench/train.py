"""How long training takes: placing bricks and learning from them, beside the same as plain PyTorch runs it."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch

from brickbybrick.learning.config import preset
from brickbybrick.learning.ppo import Trainer, collect, estimate_advantages, learn_from, room_for
from brickbybrick.policies.validation import Exact
from brickbybrick.targets.catalog import Task

REPEATS = 5
UPDATES = 4  # timed together


def bench_train(task: Task, device: str) -> dict[str, float]:
    """Milliseconds of an update of 128 samples and of an iteration's rollout, with the preset `fast`."""
    torch.set_float32_matmul_precision("high")  # as in training
    config = preset("fast", task)
    if device == "cpu":  # the same samples an update, fewer of them to collect
        config = replace(config, num_envs=64, rollout=4, minibatches=2)
    trainer = Trainer(config, task, Exact(), device)
    collect(trainer)
    estimate_advantages(trainer.experience, torch.zeros_like(trainer.experience.value[0]), config.gamma, 0.9)
    trainer.chosen.copy_(torch.randperm(config.samples)[: len(trainer.chosen)])
    rollout = _milliseconds(lambda: collect(trainer), device)
    needed = room_for(trainer.experience, trainer.chosen[None])
    update = _milliseconds(lambda: trainer.learn(needed), device, UPDATES)
    optimiser = torch.optim.Adam(trainer.policy.parameters(), config.learning_rate)  # neither recorded nor fused
    eager = _milliseconds(lambda: learn_from(trainer, trainer.policy.judge, optimiser), device, UPDATES)
    iteration = rollout + update * config.epochs * config.minibatches
    return {
        "update_ms": update,
        "update_ms_eager": eager,
        "update_ratio_to_eager": eager / update,
        "rollout_ms": rollout,
        "rollout_steps": float(config.samples),
        "steps_per_s": 1e3 * config.samples / iteration,
    }


def _milliseconds(work: Callable[[], object], device: str, times: int = 1) -> float:
    """The median of some repeats, after one that compiles."""
    work()
    spent = []
    for _ in range(REPEATS):
        _wait(device)
        start = time.perf_counter()
        for _ in range(times):
            work()
        _wait(device)
        spent.append((time.perf_counter() - start) * 1e3 / times)
    return float(np.median(spent))


def _wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()
