"""Proximal policy optimisation, top to bottom: place bricks, find out what was good, make it likelier.

On a GPU placing a brick and making an update are each one recorded graph of kernels; on a CPU the same functions
run as they are. What is saved and logged is `checkpoint.py`'s and the caller's business.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.learning.config import TrainConfig
from brickbybrick.learning.recording import Recorded
from brickbybrick.learning.sight import Eyes, Views
from brickbybrick.learning.validation import Validator, optimiser_memory
from brickbybrick.policies.actor_critic import ActorCritic, Judgement, Sight
from brickbybrick.policies.graph_network import Room
from brickbybrick.targets.catalog import Task


class Experience(NamedTuple):
    """What an iteration went through; the first two axes are (step, env)."""

    target: Tensor  # (step, env) which target
    nodes: Tensor  # (step, env, brick, 4)
    neighbours: Tensor  # (step, env, brick, neighbour)
    bricks: Tensor  # (step, env)
    mask: Tensor  # (step, env, brick, offset) what could be chosen
    actions: Tensor  # (step, env, 2) what was chosen
    log_prob: Tensor  # (step, env) how likely that was
    value: Tensor  # (step, env) what was expected
    reward: Tensor  # (step, env) what was received
    done: Tensor  # (step, env) whether that ended the episode
    advantage: Tensor  # (step, env) how much better than expected it turned out
    outcome: Tensor  # (step, env) what the value should have been
    valid: Tensor  # (step, env, brick, offset) what was really valid

    @classmethod
    def allocate(cls, config: TrainConfig, sim: Simulator, device: torch.device) -> "Experience":
        steps, envs = config.rollout, config.num_envs
        bricks, near = sim.max_bricks, sim.rel.neighbours

        def room(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros((steps, envs, *shape), dtype=dtype, device=device)

        return cls(
            target=room(torch.int32),
            nodes=room(torch.int16, bricks, 4),
            neighbours=room(torch.int16, bricks, near),
            bricks=room(torch.int32),
            mask=room(torch.bool, bricks, len(sim.offsets)),
            actions=room(torch.int64, 2),
            **{name: room(torch.float32) for name in ("log_prob", "value", "reward", "advantage", "outcome")},
            done=room(torch.bool),
            valid=room(torch.bool, bricks, len(sim.offsets)),
        )


class Episodes(NamedTuple):
    """The episodes that ended during an iteration."""

    ended: int
    iou: float  # mean
    episode_return: float  # mean
    bricks: float  # mean
    invalid: float  # share that ended with an invalid action


class Report(NamedTuple):
    """What an iteration came to."""

    steps: int  # bricks placed since the start
    episodes: Episodes
    policy_loss: float
    value_loss: float
    entropy: float
    gradient: float  # mean norm before clipping


@dataclass
class Trainer:
    """A run under way: the agent, its optimiser, its environments."""

    config: TrainConfig
    sim: Simulator
    policy: ActorCritic
    optimiser: torch.optim.Optimizer
    experience: Experience
    eyes: Eyes
    validator: Validator
    place_bricks: Callable[[Room], tuple[Tensor, Tensor, Tensor, Tensor, Tensor]]  # of the room needed
    learn: Callable[[Room], Tensor]
    chosen: Tensor  # (sample,) the samples that `learn` learns from
    steps: int = 0

    def run(self) -> Iterator[Report]:
        """Trains to the end, stopping after each iteration to tell how it went."""
        while self.steps < self.config.steps:
            episodes = collect(self)
            estimate_advantages(self.experience, self._last_value(), self.config.gamma, self.config.gae_lambda)
            losses = update(self)
            seen = self.experience
            states = (part.flatten(0, 1) for part in (seen.nodes, seen.neighbours, seen.bricks, seen.valid))
            self.validator.learn(*states)
            self.steps += self.config.samples
            yield Report(self.steps, episodes, *losses)

    @torch.no_grad()
    def _last_value(self) -> Tensor:
        self.eyes.look()
        *_, value, _ = self.place_bricks(self.eyes.needed)
        return value


def make_trainer(
    config: TrainConfig,
    task: Task,
    validator: Validator,
    device: torch.device | str,
    threads: int = 1,
    fuse: bool = True,
) -> Trainer:
    """Sets a run up from its seed.

    Args:
        config: What to do.
        task: What to learn.
        validator: How invalid actions are kept out.
        device: Where the network lives.
        threads: For the environments.
        fuse: Whether a GPU's kernels are compiled for this network.
    """
    device = torch.device(device)
    torch.manual_seed(config.seed)
    sim = Simulator(task.train, task.offsets, config.num_envs, reward=config.reward, threads=threads)
    sim.seed(config.seed * 1_000_003)  # no two runs of neighbouring seeds share an environment
    sim.reset()
    policy = ActorCritic(config.model(task)).to(device)
    on_gpu = device.type == "cuda"
    optimiser = torch.optim.Adam(policy.parameters(), config.learning_rate, fused=on_gpu, capturable=on_gpu)
    experience = Experience.allocate(config, sim, device)
    eyes = Eyes(sim, device, config.frame)
    chosen = torch.zeros(config.samples // config.minibatches, dtype=torch.int64, device=device)

    @torch.no_grad()
    def place_bricks(room: Room | None) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        valid = eyes.valid
        choice, mask = validator.choose(policy, eyes.sight._replace(room=room), valid, greedy=False)
        return choice.actions, mask, choice.log_prob, choice.value, valid

    # Fusing small kernels into few takes a third off an update, for the better part of a minute before the first.
    judge = torch.compile(policy.judge, dynamic=False) if on_gpu and fuse else policy.judge

    def learn(room: Room | None) -> Tensor:
        return learn_from(policy, judge, optimiser, config, eyes.views, experience, chosen, room)

    def learned() -> list[Tensor]:
        return [*policy.parameters(), *optimiser_memory(optimiser, policy).values()]

    recorded = Recorded(place_bricks, device), Recorded(learn, device, learned)
    return Trainer(config, sim, policy, optimiser, experience, eyes, validator, *recorded, chosen)


def collect(trainer: Trainer) -> Episodes:
    """Places bricks in all environments, an iteration's worth of steps, and keeps what happened."""
    sim, eyes, experience = trainer.sim, trainer.eyes, trainer.experience
    state = sim.state
    ended: list[np.ndarray] = []  # each (iou, return, bricks, invalid) of the episodes that ended in a step
    for step in range(trainer.config.rollout):
        eyes.look()
        actions, mask, log_prob, value, valid = trainer.place_bricks(eyes.needed)
        sim.step(actions.cpu().numpy())
        seen = (*eyes.state, mask, actions, log_prob, value)
        for kept, now in zip(experience, seen, strict=False):
            kept[step].copy_(now)
        experience.valid[step].copy_(valid)
        experience.reward[step].copy_(torch.from_numpy(state.reward))
        experience.done[step].copy_(torch.from_numpy(state.done))
        over = state.done
        ended.append(
            np.stack([state.iou[over], state.episode_return[over], state.packed.bricks[over], state.invalid[over]])
        )
        sim.reset_finished()
    figures = np.concatenate(ended, axis=1)
    number = figures.shape[1]
    return Episodes(number, *(figures.mean(axis=1).tolist() if number else [0.0] * 4))


def estimate_advantages(experience: Experience, last_value: Tensor, gamma: float, gae_lambda: float) -> None:
    """Generalised advantage estimation: how much better each action turned out than was expected.

    Args:
        experience: Its advantage and outcome are filled in.
        last_value: (env,) what the states after the last step are worth.
        gamma: Discount of later rewards.
        gae_lambda: Discount of what is learned about them.
    """
    later, next_value = torch.zeros_like(last_value), last_value
    for step in reversed(range(len(experience.reward))):
        goes_on = 1.0 - experience.done[step].float()
        surprise = experience.reward[step] + gamma * next_value * goes_on - experience.value[step]
        later = surprise + gamma * gae_lambda * goes_on * later
        experience.advantage[step] = later
        next_value = experience.value[step]
    torch.add(experience.advantage, experience.value, out=experience.outcome)
    advantage = experience.advantage
    advantage.sub_(advantage.mean()).div_(advantage.std() + 1e-8)


def update(trainer: Trainer) -> list[float]:
    """Goes through the experience several times in random order, learning from one part at a time."""
    config = trainer.config
    total = torch.zeros(4, device=trainer.chosen.device)
    for _ in range(config.epochs):
        order = torch.randperm(config.samples, device=trainer.chosen.device).reshape(config.minibatches, -1)
        needed = room_for(trainer.experience, order)
        for part in order:
            trainer.chosen.copy_(part)
            total += trainer.learn(needed)
    losses = (total / (config.epochs * config.minibatches)).tolist()
    if not np.isfinite(losses).all():
        raise InputError(
            f"training broke down after {trainer.steps} steps: the loss is {losses[0] + losses[1]}; "
            "try a smaller learning rate. The last checkpoint is kept"
        )
    return losses


def room_for(experience: Experience, samples: Tensor) -> Room:
    """What is enough for the bricks and edges of each minibatch of samples (minibatch, sample)."""
    edges = (experience.neighbours >= 0).sum(dim=(2, 3))
    counts = torch.stack([experience.bricks.long(), edges]).flatten(1)[:, samples]  # (2, minibatch, sample)
    return Room(*counts.sum(dim=2).amax(dim=1).tolist())


def learn_from(
    policy: ActorCritic,
    judge: Callable[[Sight, Tensor, Tensor], Judgement],
    optimiser: torch.optim.Optimizer,
    config: TrainConfig,
    views: Views,
    experience: Experience,
    chosen: Tensor,
    room: Room | None = None,
) -> Tensor:
    """One step of the optimiser on some samples: `judge` is the policy's, compiled or not; `room` is enough for them.

    Returns:
        The policy's and the value's loss, the entropy and the gradient's norm, (4,).
    """
    target, nodes, neighbours, bricks, mask, actions, old_log_prob, _, _, _, advantage, outcome, _ = (
        part.flatten(0, 1).index_select(0, chosen) for part in experience
    )
    judgement = judge(views.sight(target, nodes, neighbours, bricks)._replace(room=room), mask, actions)
    ratio = (judgement.log_prob - old_log_prob).exp()
    gain = torch.minimum(ratio * advantage, ratio.clamp(1 - config.clip, 1 + config.clip) * advantage)
    policy_loss, entropy = -gain.mean(), judgement.entropy.mean()
    value_loss = 0.5 * (judgement.value - outcome).square().mean()
    loss = policy_loss + config.value * value_loss - config.entropy * entropy
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    norm = nn.utils.clip_grad_norm_(policy.parameters(), config.gradient)
    optimiser.step()
    return torch.stack([policy_loss, value_loss, entropy, norm]).detach()
