"""How invalid actions are kept out: the paper's ways and the exact one, as interchangeable parts of one agent.

Each says which actions the policy may choose from. A wrong answer ends the episode, as in the paper.
"""

from typing import Literal, Protocol

import torch
from torch import Tensor

from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.policies.actor_critic import ActorCritic, Choice, Sight
from brickbybrick.policies.validity_network import ValidityNetwork, subset_of

Validation = Literal["exact", "pretrained", "sampling", "direct"]
DRAWS = 15  # of sampling and checking


class Validator(Protocol):
    """Chooses actions of a policy, keeping invalid ones out as well as it can."""

    def choose(self, policy: ActorCritic, sight: Sight, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        """Actions, and the mask (state, brick, offset) that they were chosen under.

        Args:
            policy: Whose actions.
            sight: What it sees.
            valid: Which actions are really valid (state, brick, offset); not every way may look at it.
            greedy: Whether to take the likeliest action rather than draw one.
        """
        ...


class Exact:
    """The mask is the truth: no action is ever invalid."""

    def choose(self, policy: ActorCritic, sight: Sight, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        return policy.act(sight, valid, greedy), valid


class Direct:
    """Direct forwarding: every offset of every brick placed may be chosen."""

    def choose(self, policy: ActorCritic, sight: Sight, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        mask = placed_mask(sight, valid)
        return policy.act(sight, mask, greedy), mask


class Sampling:
    """Sampling and checking: the first valid one of 15 draws, or the last draw if none is."""

    def choose(self, policy: ActorCritic, sight: Sight, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        mask = placed_mask(sight, valid)
        if greedy:  # drawing again would give the same
            return policy.act(sight, mask, greedy=True), mask
        return policy.act_checked(sight, mask, valid, DRAWS), mask


class Learned:
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

    def choose(self, policy: ActorCritic, sight: Sight, valid: Tensor, greedy: bool) -> tuple[Choice, Tensor]:
        placed = placed_mask(sight, valid)
        nodes = sight.nodes.clone()
        nodes[..., :3] -= sight.nodes[:, :1, :3]  # it learned poses relative to the first brick
        guess = self.network.mask(nodes, sight.neighbours, sight.bricks, self.subset) & placed
        mask = torch.where(guess.any(dim=(1, 2), keepdim=True), guess, placed)
        return policy.act(sight, mask, greedy), mask


def placed_mask(sight: Sight, valid: Tensor) -> Tensor:
    """All offsets of the bricks placed, in the shape of `valid` (state, brick, offset)."""
    placed = torch.arange(valid.shape[1], device=valid.device)[None, :] < sight.bricks[:, None]
    return placed[..., None].expand_as(valid)


def make_validator(name: Validation, offsets: OffsetSet, network: ValidityNetwork | None = None) -> Validator:
    """The way that a name stands for; `pretrained` needs a validity network."""
    if name == "pretrained":
        if network is None:
            raise InputError("pretrained masks need a validity network: train one with `b3 validity train`")
        return Learned(network, offsets)
    ways: dict[str, type[Exact | Direct | Sampling]] = {"exact": Exact, "direct": Direct, "sampling": Sampling}
    if name not in ways:
        raise InputError(f"no validation named {name!r}: choose exact, pretrained, sampling or direct")
    return ways[name]()
