"""Ways to keep invalid actions out of an agent's choices."""

import pytest
import torch

from brickbybrick.builders.agent import GraphAgent
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.validation import Direct, Exact, Learned, Sampling
from brickbybrick.policies.validity_network import ValidityConfig, ValidityNetwork
from brickbybrick.targets.target import TargetSet

MNIST = offset_set("mnist")


def untaught() -> ActorCritic:
    torch.manual_seed(0)
    return ActorCritic(ModelConfig(views=1, offsets=6, width=16))


def test_ways_to_keep_invalid_actions_out(flat_targets: TargetSet) -> None:
    """Exact masks never fail, checking some draws fails less than not checking, and the mask is obeyed."""
    policy = untaught()
    invalid = {}
    for way in (Exact(), Sampling(), Direct()):
        agent = GraphAgent(policy, MNIST, validator=way, sampled=True, seed=1)
        invalid[type(way)] = evaluate(agent, flat_targets.targets * 20).invalid.mean()
    assert invalid[Exact] == 0
    assert invalid[Sampling] < invalid[Direct]


def test_a_networks_guess_is_the_mask(flat_targets: TargetSet) -> None:
    """A network that takes only the first joint above for valid: the agent chooses nothing else."""
    policy = untaught()
    network = ValidityNetwork(ValidityConfig(width=8))
    above = next(k for k, o in enumerate(offset_set("all").offsets) if (o.dx, o.dy, o.dz, o.d) == (0, 0, 1, 0))
    with torch.no_grad():
        network.offset_head.weight.zero_()
        network.offset_head.bias.fill_(-1)
        network.offset_head.bias[above] = 1
    bricks = GraphAgent(policy, MNIST, validator=Learned(network, MNIST)).build(flat_targets[0]).bricks
    assert {(brick.x, brick.y) for brick in bricks} == {(bricks[0].x, bricks[0].y)}  # a tower


def test_where_a_network_takes_nothing_for_valid_anything_may_be_chosen(flat_targets: TargetSet) -> None:
    """Drawn alike, that is what direct forwarding does."""
    policy = untaught()
    network = ValidityNetwork(ValidityConfig(width=8))
    with torch.no_grad():
        network.offset_head.weight.zero_()
        network.offset_head.bias.fill_(-1)
    ways = (Learned(network, MNIST), Direct())
    built = [GraphAgent(policy, MNIST, validator=way, sampled=True).build_all(flat_targets.targets) for way in ways]
    assert built[0] == built[1]


def test_a_network_of_near_bricks_does_not_see_an_agents_graph() -> None:
    with pytest.raises(InputError, match="edges to near bricks"):
        Learned(ValidityNetwork(ValidityConfig(width=8, near_edges=True)), MNIST)
