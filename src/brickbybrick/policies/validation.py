"""How invalid actions are kept out: the paper's ways and the exact one, as interchangeable parts of one agent.

Each says which actions the policy may choose from. A wrong answer ends the episode, as in the paper.
"""

from abc import ABC, abstractmethod
from typing import Literal

import torch
from torch import Tensor

from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.policies.actor_critic import ActorCritic, Choice, Observation
from brickbybrick.policies.graph_network import placed_bricks
from brickbybrick.policies.validity_network import ValidityNetwork, subset_of

Validation = Literal["exact", "pretrained", "joint", "sampling", "direct"]
DRAWS = 15  # of sampling and checking


class Validator(ABC):
    """Chooses actions of a policy, keeping invalid ones out as well as it can."""

    @abstractmethod
    def choose(self, policy: ActorCritic, seen: Observation, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        """Actions, and the mask (state, brick, offset) that they were chosen under.

        Args:
            policy: Whose actions.
            seen: What it sees.
            valid: Which actions are really valid (state, brick, offset); not every way may look at it.
            greedy: Whether to take the likeliest action rather than draw one.
        """

    def learn(self, nodes: Tensor, neighbours: Tensor, bricks: Tensor, valid: Tensor) -> None:  # noqa: B027
        """Learns from the states (state, ...) that an iteration went through, for ways that learn."""

    def memory(self) -> dict[str, Tensor]:
        """What it has learned, as tensors that may be written to."""
        return {}


class Exact(Validator):
    """The mask is the truth: no action is ever invalid."""

    def choose(self, policy: ActorCritic, seen: Observation, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        return policy.act(seen, valid, greedy), valid


class Direct(Validator):
    """Direct forwarding: every offset of every brick placed may be chosen."""

    def choose(self, policy: ActorCritic, seen: Observation, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        mask = placed_mask(seen, valid)
        return policy.act(seen, mask, greedy), mask


class Sampling(Validator):
    """Sampling and checking: the first valid one of 15 draws, or the last draw if none is."""

    def choose(self, policy: ActorCritic, seen: Observation, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        mask = placed_mask(seen, valid)
        if greedy:  # drawing again would give the same
            return policy.act(seen, mask, greedy=True), mask
        return policy.act_checked(seen, mask, valid, DRAWS), mask


class Learned(Validator):
    """A network's guess: what it takes for valid may be chosen, and anything where it takes nothing for valid.

    Args:
        network: The validity network, on the policy's device.
        offsets: The task's offsets, which are some of those that the network judges.
    """

    def __init__(self, network: ValidityNetwork, offsets: OffsetSet) -> None:
        if network.config.near_edges:
            raise InputError("this validity network needs edges to near bricks, which an agent's graph has not")
        self.network = network
        self.subset = subset_of(offsets).to(next(network.parameters()).device)

    def choose(self, policy: ActorCritic, seen: Observation, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        placed = placed_mask(seen, valid)
        nodes = seen.nodes.clone()
        nodes[..., :3] -= seen.nodes[:, :1, :3]  # it learned poses relative to the first brick
        guess = self.network.mask(nodes, seen.neighbours, seen.bricks, self.subset, seen.room) & placed
        mask = torch.where(guess.any(dim=(1, 2), keepdim=True), guess, placed)
        return policy.act(seen, mask, greedy), mask


def placed_mask(seen: Observation, valid: Tensor) -> Tensor:
    """All offsets of the bricks placed, in the shape of `valid` (state, brick, offset)."""
    return placed_bricks(seen.bricks, valid.shape[1])[..., None].expand_as(valid)
