"""Networks that build: what they say of the next brick is what they do, and those for other joints are refused."""

import numpy as np
import pytest
import torch
from policies.begun import few, played

from brickbybrick.builders.agent import GraphAgent, SpatialAgent
from brickbybrick.builders.register import builder
from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy
from brickbybrick.targets.target import TargetSet, target_of_image


def test_probabilities_are_those_of_places() -> None:
    task = few("random", 2)
    sim = played(task, bricks=3).sim
    agent = SpatialAgent(SpatialPolicy(SpatialConfig(3, width=4, layers=3)), task.offsets)
    likely, choice, value = agent.advice(sim)
    assert value is None
    assert likely.sum(axis=(1, 2)) == pytest.approx(1)
    for env in range(2):
        bricks = int(sim.state.packed.bricks[env])
        assert not likely[env, :bricks][~sim.mask(env)].any()
        assert not likely[env, bricks:].any()
    actions = np.zeros((2, 2), np.int64)
    agent.chooser(sim)(actions)
    for taken in (actions, choice):
        for env in range(2):
            assert likely[env, taken[env, 0], taken[env, 1]] == likely[env].max()


def graph_agent(**options: object) -> GraphAgent:
    torch.manual_seed(3)
    policy = ActorCritic(ModelConfig(views=1, offsets=6, width=8))
    return GraphAgent(policy, offset_set("mnist"), **options)  # type: ignore[arg-type]


def test_a_graph_agent_does_what_it_advises(flat_targets: TargetSet) -> None:
    agent = graph_agent()
    sim = agent.begin(flat_targets.targets)
    actions = np.zeros((3, 2), np.int64)
    choose = agent.chooser(sim)
    for _ in range(5):
        likely, choice, value = agent.advice(sim)
        choose(actions)
        np.testing.assert_array_equal(actions, choice)
        assert likely.sum(axis=(1, 2)) == pytest.approx(1)
        for env in range(3):  # the likeliest pivot, and the likeliest offset of it
            assert choice[env, 0] == likely[env].sum(axis=1).argmax()
            assert choice[env, 1] == likely[env, choice[env, 0]].argmax()
        assert value is not None
        assert value.shape == (3,)
        sim.step(actions)


def test_a_targets_result_is_its_own(flat_targets: TargetSet) -> None:
    """Built alone, or with others in any order: the same."""
    spatial = SpatialAgent(SpatialPolicy(SpatialConfig(1, width=4, layers=2)), offset_set("mnist"))
    for agent in (graph_agent(), spatial):
        alone = [agent.build(target) for target in flat_targets]
        assert agent.build_all(flat_targets.targets[::-1]) == alone[::-1]


def test_draws_are_repeated_by_a_seed_and_leave_other_random_numbers_alone(flat_targets: TargetSet) -> None:
    torch.manual_seed(5)
    expected = torch.rand(1)
    made = [graph_agent(sampled=True, seed=seed) for seed in (1, 1, 2)]
    torch.manual_seed(5)
    first, again, other = (agent.build_all(flat_targets.targets) for agent in made)
    assert torch.equal(torch.rand(1), expected)
    assert first == again
    assert first != other
    assert first != graph_agent().build_all(flat_targets.targets)


def test_agents_of_other_joints_or_views_are_refused() -> None:
    flat, solid = offset_set("mnist"), offset_set("modelnet")
    for policy, offsets in (
        (ActorCritic(ModelConfig(views=1, offsets=6, width=8)), solid),
        (ActorCritic(ModelConfig(views=3, offsets=32, width=8)), flat),
        (ActorCritic(ModelConfig(views=3, offsets=16, width=8)), solid),
    ):
        with pytest.raises(InputError, match="take one that was trained for them"):
            GraphAgent(policy, offsets)
    for views, offsets in ((1, solid), (3, flat)):
        with pytest.raises(InputError, match="does not build with the offsets"):
            SpatialAgent(SpatialPolicy(SpatialConfig(views, width=4, layers=1)), offsets)


def test_b3plus_builds_what_is_larger_than_all_it_has_seen() -> None:
    """Its network knows no size: 20 pixels, and a budget that fills them."""
    agent = builder("b3plus", offset_set("mnist"))
    image = np.zeros((20, 20), bool)
    image[2:18, 6:14] = True
    built = agent.build(target_of_image("door", image))
    assert built.iou is not None
    assert built.iou > 0.8
