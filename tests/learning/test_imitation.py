"""Learning the sequences that random objects were put together by."""

import numpy as np
import pytest
import torch

from brickbybrick.errors import InputError
from brickbybrick.learning.imitation import ImitationConfig, Imitator, demonstrate
from brickbybrick.targets.random_assembly import assembled_targets


def test_demonstrations_are_the_sequences() -> None:
    objects = assembled_targets(6)
    steps, views = demonstrate(objects)
    assert len(steps.target) == sum(len(each.actions) for each in objects)
    assert len(views.images) == 6
    chosen = steps.mask[torch.arange(len(steps.actions)), steps.actions[:, 0], steps.actions[:, 1]]
    assert chosen.all()  # what was done was valid
    for number, each in enumerate(objects):
        of_this = steps.target == number
        np.testing.assert_array_equal(steps.actions[of_this], each.actions)
        assert steps.bricks[of_this].tolist() == list(range(1, len(each.actions) + 1))


def test_a_few_sequences_are_learned_by_heart() -> None:
    """Taught two objects, the policy does in each state it was shown what was done there."""
    objects = assembled_targets(2)
    config = ImitationConfig(epochs=350, batch=11, learning_rate=7e-4, width=64)
    learner = Imitator(config, objects)
    losses = [report.figures["loss"] for report in learner.run()]
    assert losses[-1] < 0.1 * losses[0]
    steps, views = demonstrate(objects)
    with torch.no_grad():
        done = learner.policy.act(views.observation(*steps[:4]), steps.mask, greedy=True).actions
    assert (done == steps.actions).all(dim=1).float().mean() > 0.9


def test_impossible_settings() -> None:
    with pytest.raises(InputError, match="at least 1 epoch"):
        ImitationConfig(epochs=0)
