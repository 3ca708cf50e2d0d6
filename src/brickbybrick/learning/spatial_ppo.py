"""B3+'s network trained by rewards alone, with nobody to show it what is right: PPO as in `ppo.py`, over places instead
of pairs of pivot and offset. It tells whether the paper's limit is its network or its way of learning."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from brickbybrick.builders.agent import SpatialAgent
from brickbybrick.envs.simulator import Simulator
from brickbybrick.geometry.packed import action_to
from brickbybrick.learning.config import PPOConfig
from brickbybrick.learning.learner import Learner, Report, optimiser_memory
from brickbybrick.learning.ppo import (
    Episodes,
    ended_episodes,
    environments_memory,
    estimate_advantages,
    losses_of,
    mean_of,
    report_of,
)
from brickbybrick.policies.actor_critic import Judgement
from brickbybrick.policies.scenes import Scenes, Wanted, from_hull
from brickbybrick.policies.spatial import Scene, SpatialConfig, SpatialPolicy
from brickbybrick.policies.threads import one_thread
from brickbybrick.targets.catalog import Task


@dataclass(frozen=True, kw_only=True)
class SpatialTraining(PPOConfig):
    """How B3+ is trained by rewards."""

    steps: int = 500_000
    num_envs: int = 256
    rollout: int = 16
    epochs: int = 3
    learning_rate: float = 1e-3
    width: int = 32
    """Features of a cell."""
    layers: int = 6
    """Convolutions after the first."""


class Played(NamedTuple):
    """What an iteration went through; the first two axes are (step, env)."""

    target: Tensor  # (step, env) which target
    built: Tensor  # (step, env, z, y, x)
    free: Tensor  # (step, env, direction, z, y, x)
    left: Tensor  # (step, env) bricks left
    place: Tensor  # (step, env) where the next one was placed
    log_prob: Tensor  # (step, env) how likely that was
    value: Tensor  # (step, env) what was expected
    reward: Tensor  # (step, env) what was received
    done: Tensor  # (step, env) whether that ended the episode
    advantage: Tensor  # (step, env) how much better than expected it turned out
    value_target: Tensor  # (step, env) what the value should have been

    @classmethod
    def allocate(cls, steps: int, scenes: Scenes) -> "Played":
        built, free = (torch.from_numpy(part) for part in (scenes.built, scenes.free))
        number = torch.zeros(len(built))
        whole = dict.fromkeys(("target", "left", "place"), number.long())
        like = dict.fromkeys(cls._fields, number) | whole | {"built": built, "free": free, "done": number.bool()}
        return cls(**{name: each.new_zeros((steps, *each.shape)) for name, each in like.items()})


class SpatialTrainer(Learner):
    """A B3+ that learns by PPO, and a critic beside it. `wanted` is what it believes about targets."""

    unit = "steps"
    policy: SpatialPolicy
    config: SpatialTraining

    def __init__(
        self,
        config: SpatialTraining,
        task: Task,
        device: str = "cpu",
        threads: int = 1,
        wanted: Wanted = from_hull,
    ) -> None:
        torch.manual_seed(config.seed)
        self.config, self.wanted, self.total = config, wanted, config.iterations * config.samples
        self.sim = Simulator(task.train, task.offsets, config.num_envs, reward=config.reward, threads=threads)
        self.sim.seed(config.seed * 1_000_003)  # no two runs of neighbouring seeds share an environment
        self.sim.reset()
        self.scenes = Scenes(self.sim, task.views, wanted)
        self.believed = torch.from_numpy(self.scenes.wanted).to(device)  # (target, z, y, x)
        self.policy = SpatialPolicy(SpatialConfig(task.views, config.width, config.layers)).to(device)
        self.policy.trunk.laid_out()
        nn.init.zeros_(self.policy.last.weight)  # so that all places are as likely at first
        self.critic = nn.Linear(config.width, 1).to(device)
        self.both, self.device = nn.ModuleList([self.policy, self.critic]), torch.device(device)
        self.optimiser = torch.optim.Adam(self.both.parameters(), config.learning_rate)
        self.played = Played.allocate(config.rollout, self.scenes)

    def run(self) -> Iterator[Report]:
        """Trains to the end, stopping after each iteration to tell how it went."""
        config = self.config
        while self.done < self.total:
            with one_thread():
                for group in self.optimiser.param_groups:
                    group["lr"] = config.learning_rate * (1 - self.done / self.total)
                episodes = self._collect()
                estimate_advantages(self.played, self._last_value(), config.gamma, config.gae_lambda)
                losses = self._update()
            yield report_of(self, episodes, dict(zip(("policy_loss", "value_loss", "entropy"), losses, strict=True)))

    def _weighed(self, scene: Scene) -> tuple[Tensor, Tensor]:
        """The log probabilities of places (sample, place), and the reward that is still to come (sample,)."""
        with torch.autocast(self.device.type, torch.bfloat16):  # half of the time on a CPU that knows it
            features = self.policy.features(scene)
            logits = self.policy.places(features, scene.free).flatten(1)
        return logits.log_softmax(dim=1), self.critic(features.float().mean(dim=(2, 3))).squeeze(1)

    def _scene(self, target: Tensor, built: Tensor, free: Tensor, left: Tensor) -> Scene:
        """Scenes on the device."""
        target, built, free, left = (part.to(self.device) for part in (target, built, free, left))
        return Scene(self.believed.index_select(0, target), built, free, left)

    def _now(self) -> tuple[Tensor, ...]:
        """The target of each environment, and what is built, free and left."""
        _, *seen = self.scenes.look()
        return torch.from_numpy(self.sim.state.target), *seen

    @torch.no_grad()
    def _collect(self) -> Episodes:
        """Places bricks in all environments, an iteration's worth of steps, and keeps what happened."""
        sim, state = self.sim, self.sim.state
        actions = np.zeros((sim.num_envs, 2), np.int64)
        ended: list[np.ndarray] = []
        for step in range(self.config.rollout):
            seen = self._now()
            log_probs, value = self._weighed(self._scene(*seen))
            place = log_probs.exp().multinomial(1)
            for env, pose in enumerate(self.scenes.poses(place.squeeze(1).cpu().numpy())):
                actions[env] = action_to(state.packed, sim.rel, env, pose)
            sim.step(actions)
            outcome = (torch.from_numpy(state.reward), torch.from_numpy(state.done))
            happened = (*seen, place.squeeze(1), log_probs.gather(1, place).squeeze(1), value, *outcome)
            for kept, now in zip(self.played, happened, strict=False):  # the last two are worked out afterwards
                kept[step].copy_(now)
            ended.append(ended_episodes(sim))
            sim.reset_finished()
        return mean_of(ended)

    @torch.no_grad()
    def _last_value(self) -> Tensor:
        _, value = self._weighed(self._scene(*self._now()))
        return value.cpu()

    def _update(self) -> list[float]:
        """Goes through the experience several times in random order; the means of the losses and the entropy."""
        config, total = self.config, torch.zeros(3)
        for _ in range(config.epochs):
            for chosen in torch.randperm(config.samples).reshape(config.minibatches, -1):
                some = Played(*(part.flatten(0, 1).index_select(0, chosen) for part in self.played))
                log_probs, value = self._weighed(self._scene(*some[:4]))
                likely = log_probs.gather(1, some.place[:, None].to(self.device)).squeeze(1)
                spread = -(log_probs.exp() * log_probs.masked_fill(log_probs.isinf(), 0.0)).sum(dim=1)
                loss, parts = losses_of(Judgement(likely.cpu(), spread.cpu(), value.cpu()), some, config)
                self.optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(self.both.parameters(), config.gradient)
                self.optimiser.step()
                total += parts.detach()
        mean: list[float] = (total / (config.epochs * config.minibatches)).tolist()
        return mean

    def builder(self) -> SpatialAgent:
        return SpatialAgent(self.policy, self.sim.offsets, wanted=self.wanted)

    def memory(self) -> dict[str, Tensor]:
        critic = {f"critic.{name}": value for name, value in self.critic.state_dict().items()}
        return optimiser_memory(self.optimiser, self.both) | critic | environments_memory(self.sim)
