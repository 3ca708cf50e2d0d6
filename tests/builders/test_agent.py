"""Networks that build: what they say of the next brick is what they do, and those for other joints are refused."""

import numpy as np
import pytest
from policies.begun import few, played

from brickbybrick.builders.agent import SpatialAgent
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy


def test_probabilities_are_those_of_places() -> None:
    task = few("random", 2)
    sim = played(task, bricks=3).sim
    agent = SpatialAgent(SpatialPolicy(SpatialConfig(3, width=4, layers=3)), task.offsets)
    likely, choice, value = agent.advice(sim)
    assert value is None
    assert likely.sum(axis=(1, 2)) == pytest.approx(1)
    masks = np.zeros((2, sim.max_bricks, len(task.offsets)), np.int8)
    sim.write_masks(masks)
    assert not likely[masks == 0].any()
    actions = np.zeros((2, 2), np.int64)
    agent.chooser(sim)(actions)
    for taken in (actions, choice):
        for env in range(2):
            assert likely[env, taken[env, 0], taken[env, 1]] == likely[env].max()
