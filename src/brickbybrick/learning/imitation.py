"""Learning by imitation: the agent's policy taught the very sequences that random objects were put together by.

The paper's supervised baseline (Thompson et al. 2020): cross entropy on pivot and offset, no rewards, no value.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from brickbybrick.builders.agent import GraphAgent
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import offset_set
from brickbybrick.learning.learner import Learner, Report, check_finite, optimiser_memory
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.observation import Observer, Views
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
    """Random seed, of the weights and of the order."""
    evaluations: int = 20
    """How often the agent is tested on the way."""

    def __post_init__(self) -> None:
        if min(self.epochs, self.batch, self.width, self.evaluations) < 1 or not self.learning_rate > 0:
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
    observer = Observer(sim, torch.device("cpu"), "first")
    longest = max(len(each.actions) for each in objects)
    seen: list[tuple[Tensor, ...]] = []
    for step in range(longest):
        going = [env for env, each in enumerate(objects) if step < len(each.actions)]
        actions = np.zeros((len(objects), 2), np.int64)
        actions[going] = [objects[env].actions[step] for env in going]
        observer.look()
        now = (*observer.state, observer.valid, torch.from_numpy(actions))
        seen.append(tuple(part[going].clone() for part in now))
        sim.step(actions)
    steps = Demonstrations(*(torch.cat(parts) for parts in zip(*seen, strict=True)))
    return steps, observer.views


class Imitator(Learner):
    """Teaches a policy, which lives on a device, to put objects together as they were."""

    unit = "epochs"
    policy: ActorCritic

    def __init__(self, config: ImitationConfig, objects: Sequence[AssembledTarget], device: str = "cpu") -> None:
        torch.manual_seed(config.seed)
        steps, views = demonstrate(objects)
        self.config, self.total = config, config.epochs
        self.steps = Demonstrations(*(part.to(device) for part in steps))
        self.views = Views(*(part.to(device) for part in views))
        shape = ModelConfig(views=views.images.shape[1], offsets=steps.mask.shape[2], width=config.width)
        self.policy = ActorCritic(shape).to(device)
        self.optimiser = torch.optim.Adam(self.policy.parameters(), config.learning_rate)

    def run(self) -> Iterator[Report]:
        every = max(1, self.config.epochs // self.config.evaluations)
        while self.done < self.total:
            loss = self._epoch()
            self.done += 1
            check_finite(loss, f"in epoch {self.done}")
            tested = self.done % every == 0 or self.done == self.total
            yield Report(self.done, {"loss": loss}, "test" if tested else "")

    def _epoch(self) -> float:
        """Sees every step once, in random order; returns the mean cross entropy."""
        steps, device = self.steps, self.steps.target.device
        total = torch.zeros((), device=device)
        for chosen in torch.split(torch.randperm(len(steps.target)).to(device), self.config.batch):
            some = Demonstrations(*(part.index_select(0, chosen) for part in steps))
            observation = self.views.observation(some.target, some.nodes, some.neighbours, some.bricks)
            loss = -self.policy.judge(observation, some.mask, some.actions).log_prob.mean()
            self.optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
            self.optimiser.step()
            total += loss.detach() * len(chosen)
        return float(total) / len(steps.target)

    def builder(self) -> GraphAgent:
        return GraphAgent(self.policy, offset_set("random"), "sl")

    def memory(self) -> dict[str, Tensor]:
        return optimiser_memory(self.optimiser, self.policy)
