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
    def mask(self, seen: Observation, valid: Tensor) -> Tensor:
        """Which actions may be chosen, (state, brick, offset) as those that are really valid, which not every way may
        look at."""

    def choose(self, policy: ActorCritic, seen: Observation, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        """Actions of a policy, the likeliest or drawn, and the mask that they were chosen under."""
        mask = self.mask(seen, valid)
        return policy.act(seen, mask, greedy), mask

    def learn(self, nodes: Tensor, neighbours: Tensor, bricks: Tensor, valid: Tensor) -> None:  # noqa: B027
        """Learns from the states (state, ...) that an iteration went through, for ways that learn."""

    def memory(self) -> dict[str, Tensor]:
        """What it has learned, as tensors that may be written to."""
        return {}


class Exact(Validator):
    """The mask is the truth: no action is ever invalid."""

    def mask(self, seen: Observation, valid: Tensor) -> Tensor:  # noqa: ARG002
        return valid


class Direct(Validator):
    """Direct forwarding: every offset of every brick placed may be chosen."""

    def mask(self, seen: Observation, valid: Tensor) -> Tensor:
        return placed_bricks(seen.bricks, valid.shape[1])[..., None].expand_as(valid)


class Sampling(Direct):
    """Sampling and checking: the first valid one of 15 draws, or the last draw if none is."""

    def choose(self, policy: ActorCritic, seen: Observation, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        if greedy:  # drawing again would give the same
            return super().choose(policy, seen, valid, greedy)
        mask = self.mask(seen, valid)
        return policy.act_checked(seen, mask, valid, DRAWS), mask


class Learned(Direct):
    """A network's guess: what it takes for valid may be chosen, and anything where it takes nothing for valid. It is on
    the policy's device, and the task's offsets are some of those that it judges."""

    def __init__(self, network: ValidityNetwork, offsets: OffsetSet) -> None:
        if network.config.near_edges:
            raise InputError("this validity network needs edges to near bricks, which an agent's graph has not")
        self.network = network
        self.subset = subset_of(offsets).to(next(network.parameters()).device)

    def mask(self, seen: Observation, valid: Tensor) -> Tensor:
        placed = super().mask(seen, valid)
        nodes = seen.nodes.clone()
        nodes[..., :3] -= seen.nodes[:, :1, :3]  # it learned poses relative to the first brick
        guess = self.network.mask(nodes, seen.neighbours, seen.bricks, self.subset, seen.room) & placed
        return torch.where(guess.any(dim=(1, 2), keepdim=True), guess, placed)
