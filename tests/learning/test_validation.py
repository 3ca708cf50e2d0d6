"""Keeping invalid actions out with a network that learns beside the agent, and all ways by their names."""

import numpy as np
import pytest
import torch
from learning.small import small

from brickbybrick.errors import InputError
from brickbybrick.learning.ppo import Trainer
from brickbybrick.learning.validation import Joint, make_validator
from brickbybrick.policies.validation import Direct, Exact, Learned, Sampling
from brickbybrick.policies.validity_network import ValidityConfig, ValidityNetwork
from brickbybrick.targets.catalog import Task


def test_a_network_beside_the_agent_learns_what_is_valid(shapes: Task) -> None:
    """After some iterations its guesses agree with the truth far better than at first."""
    validator = Joint(shapes.offsets, "cpu", seed=0)
    trainer = Trainer(small(shapes, steps=2048), shapes, validator)
    agreements = []
    for _ in trainer.run():
        seen = trainer.experience
        nodes, near, bricks, valid = (
            part.flatten(0, 1) for part in (seen.nodes, seen.neighbours, seen.bricks, seen.valid)
        )
        guess = validator.network.mask(nodes, near, bricks, validator.subset)
        placed = torch.arange(nodes.shape[1])[None, :] < bricks[:, None]
        agreements.append((guess == valid)[placed].float().mean().item())
    assert np.mean(agreements[-5:]) > np.mean(agreements[:3]) + 0.1


def test_every_way_has_a_name(shapes: Task) -> None:
    network = ValidityNetwork(ValidityConfig(width=8))
    ways = {"exact": Exact, "direct": Direct, "sampling": Sampling, "pretrained": Learned, "joint": Joint}
    for name, kind in ways.items():
        assert type(make_validator(name, shapes.offsets, network)) is kind  # type: ignore[arg-type]


def test_unknown_ways_are_refused(shapes: Task) -> None:
    with pytest.raises(InputError, match="no validation named"):
        make_validator("guessing", shapes.offsets)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="validity network"):
        make_validator("pretrained", shapes.offsets)
