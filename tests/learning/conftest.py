"""One thread for PyTorch, and small things to learn."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from brickbybrick.geometry.offsets import offset_set
from brickbybrick.targets.catalog import Task
from brickbybrick.targets.target import TargetSet, target_of_image


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)  # small matrices: waiting for a second one takes longer than the work


@pytest.fixture(scope="session")
def shapes(flat_targets: TargetSet) -> Task:
    return Task("shapes", offset_set("mnist"), 30, flat_targets, flat_targets)


@pytest.fixture(scope="session")
def stairs() -> Task:
    """Three bricks, each one stud further to the right: 36 ways to build, one of which is right."""
    image = np.zeros((14, 14), bool)
    for step in range(3):
        image[10 - step, 5 + step : 7 + step] = True
    target = replace(target_of_image("stairs", image), budget=3)
    return Task("stairs", offset_set("mnist"), 3, TargetSet((target,)), TargetSet((target,)))
