"""Runs of seconds, and their weights."""

from dataclasses import replace

import torch
from torch import Tensor, nn

from brickbybrick.learning.config import TrainConfig, preset
from brickbybrick.targets.catalog import Task

SMALL = {"num_envs": 4, "rollout": 8, "epochs": 2, "minibatches": 2, "width": 16, "evaluations": 3}


def small(task: Task, **changes: object) -> TrainConfig:
    return replace(preset("paper", task), **{**SMALL, "steps": 256, **changes})  # type: ignore[arg-type]


def weights(network: nn.Module) -> Tensor:
    return torch.cat([parameter.detach().flatten() for parameter in network.parameters()])
