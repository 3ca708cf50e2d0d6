"""Agents' networks of every kind, untrained, and masks for them."""

import torch
from torch import Tensor

from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig

VARIANTS = [{}, {"messages": "none"}, {"node_features": False}, {"edge_features": False}, {"aggregation": "mean"}]


def network(**options: object) -> ActorCritic:
    torch.manual_seed(0)
    return ActorCritic(ModelConfig(views=3, offsets=92, width=32, **options))  # type: ignore[arg-type]


def actions_mask(mask: Tensor, actions: Tensor) -> Tensor:
    """The mask of the actions alone: a lone brick under a full one may have no valid offset."""
    only = torch.zeros_like(mask)
    only[torch.arange(len(actions)), actions[:, 0], actions[:, 1]] = True
    return only
