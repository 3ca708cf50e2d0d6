"""How invalid actions are kept out: the paper's ways and the exact one, as interchangeable parts of one agent.

Each says which actions the policy may choose from. A wrong answer ends the episode, as in the paper.
"""

from typing import Protocol

import torch
from torch import Tensor

from brickbybrick.policies.actor_critic import ActorCritic, Choice, Sight

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


def placed_mask(sight: Sight, valid: Tensor) -> Tensor:
    """All offsets of the bricks placed, in the shape of `valid` (state, brick, offset)."""
    placed = torch.arange(valid.shape[1], device=valid.device)[None, :] < sight.bricks[:, None]
    return placed[..., None].expand_as(valid)
