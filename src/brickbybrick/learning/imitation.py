"""Learning by imitation: the agent's policy taught the very sequences that random objects were put together by.

The paper's supervised baseline (Thompson et al. 2020): cross entropy on pivot and offset, no rewards, no value.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.learning.sight import Eyes, Views
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.targets.random_assembly import AssembledTarget
from brickbybrick.targets.target import TargetSet


@dataclass(frozen=True)
class ImitationConfig:
    """How a policy is taught."""

    epochs: int = 60
    """Times that every step of every sequence is seen."""
    batch: int = 256
    """Steps in an update."""
    learning_rate: float = 5e-4
    """Adam's."""
    width: int = 192
    """Features of an embedding."""
    seed: int = 0
    """Of the weights and of the order."""

    def __post_init__(self) -> None:
        if min(self.epochs, self.batch, self.width) < 1 or not self.learning_rate > 0:
            raise InputError("imitation needs at least 1 epoch, a batch of 1, a width of 1 and a learning rate above 0")


class Demonstrations(NamedTuple):
    """Every step of every sequence: what was there, what could be done, what was done."""

    target: Tensor  # (step,) which object
    nodes: Tensor  # (step, brick, 4)
    neighbours: Tensor  # (step, brick, neighbour)
    bricks: Tensor  # (step,)
    mask: Tensor  # (step, brick, offset) the valid actions
    actions: Tensor  # (step, 2) pivot and offset


def demonstrate(objects: Sequence[AssembledTarget]) -> tuple[Demonstrations, Views]:
    """Builds the objects again, brick by brick, all at once, and keeps what was seen."""
    sim = Simulator(TargetSet(tuple(each.target for each in objects)), offset_set("random"), len(objects))
    sim.reset(targets=np.arange(len(objects)))
    eyes = Eyes(sim, torch.device("cpu"), "first")
    longest = max(len(each.actions) for each in objects)
    seen: list[tuple[Tensor, ...]] = []
    for step in range(longest):
        going = [env for env, each in enumerate(objects) if step < len(each.actions)]
        actions = np.zeros((len(objects), 2), np.int64)
        actions[going] = [objects[env].actions[step] for env in going]
        eyes.look()
        now = (*eyes.state, eyes.valid, torch.from_numpy(actions))
        seen.append(tuple(part[going].clone() for part in now))
        sim.step(actions)
    steps = Demonstrations(*(torch.cat(parts) for parts in zip(*seen, strict=True)))
    return steps, eyes.views


def imitate(
    config: ImitationConfig,
    objects: Sequence[AssembledTarget],
    device: str = "cpu",
    progress: Callable[[int, float], None] = lambda _epoch, _loss: None,
) -> ActorCritic:
    """Teaches a policy to put objects together as they were.

    Args:
        config: How.
        objects: What to learn from.
        device: Where the network lives.
        progress: Told after each epoch its number and the mean cross entropy.
    """
    torch.manual_seed(config.seed)
    steps, views = demonstrate(objects)
    steps, views = Demonstrations(*(part.to(device) for part in steps)), Views(*(part.to(device) for part in views))
    shape = ModelConfig(views=views.images.shape[1], offsets=steps.mask.shape[2], width=config.width)
    policy = ActorCritic(shape).to(device)
    optimiser = torch.optim.Adam(policy.parameters(), config.learning_rate)
    for epoch in range(config.epochs):
        total = torch.zeros((), device=device)
        for chosen in torch.split(torch.randperm(len(steps.target)).to(device), config.batch):
            target, nodes, neighbours, bricks, mask, actions = (part.index_select(0, chosen) for part in steps)
            judgement = policy.judge(views.sight(target, nodes, neighbours, bricks), mask, actions)
            loss = -judgement.log_prob.mean()
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimiser.step()
            total += loss.detach() * len(chosen)
        mean = float(total) / len(steps.target)
        if not np.isfinite(mean):
            raise InputError(
                f"imitation broke down in epoch {epoch + 1}: the loss is {mean}; try a smaller learning rate"
            )
        progress(epoch + 1, mean)
    return policy
