"""Proximal policy optimisation, top to bottom: place bricks, find out what was good, make it likelier.

On a GPU placing a brick and making an update are each one recorded graph of kernels; on a CPU the same functions
run as they are. What is saved and logged is `learner.py`'s and the caller's business.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from brickbybrick.builders.agent import GraphAgent
from brickbybrick.envs.simulator import Simulator
from brickbybrick.learning.config import PPOConfig, TrainConfig, agent_name
from brickbybrick.learning.learner import Learner, Report, check_finite, optimiser_memory
from brickbybrick.learning.recording import Recorded
from brickbybrick.policies.actor_critic import ActorCritic, Judgement, Observation
from brickbybrick.policies.graph_network import Room
from brickbybrick.policies.observation import Observer
from brickbybrick.policies.validation import Validator
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
    value_target: Tensor  # (step, env) what the value should have been
    valid: Tensor  # (step, env, brick, offset) what was really valid

    @classmethod
    def allocate(cls, steps: int, observer: Observer) -> "Experience":
        """Room for so many steps of all that an observer sees; what is not named here is a number for each step."""
        valid, number = observer.valid, torch.zeros_like(observer.state.bricks, dtype=torch.float32)
        like = dict.fromkeys(cls._fields, number) | observer.state._asdict()
        like |= {"mask": valid, "valid": valid, "done": number.bool(), "actions": number.long()[:, None].expand(-1, 2)}
        return cls(**{name: each.new_zeros((steps, *each.shape)) for name, each in like.items()})


class Outcomes(Protocol):
    """What PPO learns from, whatever an agent sees: fields of experience, over (step, env) or (sample,)."""

    @property
    def log_prob(self) -> Tensor: ...
    @property
    def value(self) -> Tensor: ...
    @property
    def reward(self) -> Tensor: ...
    @property
    def done(self) -> Tensor: ...
    @property
    def advantage(self) -> Tensor: ...
    @property
    def value_target(self) -> Tensor: ...


class Episodes(NamedTuple):
    """The episodes that ended during an iteration."""

    ended: int
    iou: float  # mean
    episode_return: float  # mean
    bricks: float  # mean
    invalid: float  # share that ended with an invalid action


class Placed(NamedTuple):
    """What was chosen in a step of all environments."""

    actions: Tensor  # (env, 2)
    mask: Tensor  # (env, brick, offset) what could be chosen
    log_prob: Tensor  # (env,)
    value: Tensor  # (env,)
    valid: Tensor  # (env, brick, offset) what was really valid


class Losses(NamedTuple):
    """The means over the updates of an iteration."""

    policy_loss: float
    value_loss: float
    entropy: float
    gradient: float  # norm before clipping


class Trainer(Learner):
    """An agent that learns by PPO, set up from its seed. The network lives on the device, and the environments take the
    threads."""

    unit = "steps"
    policy: ActorCritic
    config: TrainConfig

    def __init__(
        self,
        config: TrainConfig,
        task: Task,
        validator: Validator,
        device: torch.device | str = "cpu",
        threads: int = 1,
    ) -> None:
        device = torch.device(device)
        torch.manual_seed(config.seed)
        self.config, self.validator, self.total = config, validator, config.iterations * config.samples
        self.sim = Simulator(task.train, task.offsets, config.num_envs, reward=config.reward, threads=threads)
        self.sim.seed(config.seed * 1_000_003)  # no two runs of neighbouring seeds share an environment
        self.sim.reset()
        self.policy = ActorCritic(config.model(task)).to(device)
        on_gpu = device.type == "cuda"
        weights = self.policy.parameters()
        self.optimiser = torch.optim.Adam(weights, config.learning_rate, fused=on_gpu, capturable=on_gpu)
        self.observer = Observer(self.sim, device, config.frame)
        self.experience = Experience.allocate(config.rollout, self.observer)
        self.chosen = torch.zeros(config.samples // config.minibatches, dtype=torch.int64, device=device)
        # Fusing small kernels into few takes a third off an update, for the better part of a minute before the first.
        self.judge = torch.compile(self.policy.judge, dynamic=False) if on_gpu else self.policy.judge
        self.place_bricks = Recorded(self._place_bricks, device)
        self.learn = Recorded(partial(learn_from, self, self.judge, self.optimiser), device, self._learned)

    def run(self) -> Iterator[Report]:
        """Trains to the end, stopping after each iteration to tell how it went."""
        while self.done < self.total:
            episodes = collect(self)
            estimate_advantages(self.experience, self._last_value(), self.config.gamma, self.config.gae_lambda)
            losses = update(self)
            seen = self.experience
            states = (part.flatten(0, 1) for part in (seen.nodes, seen.neighbours, seen.bricks, seen.valid))
            self.validator.learn(*states)
            yield self.report(episodes, losses)

    def report(self, episodes: Episodes, losses: Losses) -> Report:
        """How an iteration went that is over with this."""
        return report_of(self, episodes, losses._asdict())

    def builder(self) -> GraphAgent:
        return GraphAgent(self.policy, self.sim.offsets, agent_name(self.config), self.validator)

    def memory(self) -> dict[str, Tensor]:
        memory = optimiser_memory(self.optimiser, self.policy)
        memory |= {f"validator.{name}": value for name, value in self.validator.memory().items()}
        return memory | environments_memory(self.sim)

    @torch.no_grad()
    def _last_value(self) -> Tensor:
        self.observer.look()
        return self.place_bricks(self.observer.needed).value

    @torch.no_grad()
    def _place_bricks(self, room: Room | None) -> Placed:
        valid, observation = self.observer.valid, self.observer.views.observation(*self.observer.state, room)
        choice, mask = self.validator.choose(self.policy, observation, valid, greedy=False)
        return Placed(choice.actions, mask, choice.log_prob, choice.value, valid)

    def _learned(self) -> list[Tensor]:
        return [*self.policy.parameters(), *optimiser_memory(self.optimiser, self.policy).values()]


def report_of(learner: Learner, episodes: Episodes, losses: dict[str, float]) -> Report:
    """How an iteration of PPO went that is over with this, whatever the learner sees."""
    config = learner.config
    check_finite(sum(losses.values()), f"after {learner.done} steps")
    learner.done += config.samples
    every = max(1, config.iterations // config.evaluations)
    tested = learner.done // config.samples % every == 0 or learner.done == learner.total
    figures = {f"rollout_{name}": float(value) for name, value in episodes._asdict().items()}
    return Report(learner.done, figures | losses, "test" if tested else "")


def environments_memory(sim: Simulator) -> dict[str, Tensor]:
    """All that a simulator's episodes are, as tensors that may be written to."""
    packed, *others = sim.state
    arrays = packed._asdict() | dict(zip(sim.state._fields[1:], others, strict=True))
    # Safetensors knows no uint64: the bits travel as int64.
    whole = {name: array.view(np.int64) if array.dtype == np.uint64 else array for name, array in arrays.items()}
    return {f"environments.{name}": torch.from_numpy(array) for name, array in whole.items()}


def collect(trainer: Trainer) -> Episodes:
    """Places bricks in all environments, an iteration's worth of steps, and keeps what happened."""
    sim, observer, experience = trainer.sim, trainer.observer, trainer.experience
    state = sim.state
    ended: list[np.ndarray] = []
    for step in range(trainer.config.rollout):
        observer.look()
        placed = trainer.place_bricks(observer.needed)
        sim.step(placed.actions.cpu().numpy())
        outcome = {"reward": torch.from_numpy(state.reward), "done": torch.from_numpy(state.done)}
        for name, now in (observer.state._asdict() | placed._asdict() | outcome).items():
            getattr(experience, name)[step].copy_(now)
        ended.append(ended_episodes(sim))
        sim.reset_finished()
    return mean_of(ended)


def ended_episodes(sim: Simulator) -> np.ndarray:
    """The IoU, return, number of bricks and invalid end (4, episode) of the episodes that are over."""
    state, over = sim.state, sim.state.done
    return np.stack([state.iou[over], state.episode_return[over], state.packed.bricks[over], state.invalid[over]])


def mean_of(ended: list[np.ndarray]) -> Episodes:
    """What is told of an iteration's episodes, from those that ended in each step."""
    figures = np.concatenate(ended, axis=1)
    number = figures.shape[1]
    return Episodes(number, *(figures.mean(axis=1).tolist() if number else [0.0] * 4))


def estimate_advantages(experience: Outcomes, last_value: Tensor, gamma: float, gae_lambda: float) -> None:
    """Generalised advantage estimation: fills in how much better each action turned out than was expected, and what
    values should have been, where the states after the last step are worth `last_value` (env,)."""
    later, next_value = torch.zeros_like(last_value), last_value
    for step in reversed(range(len(experience.reward))):
        goes_on = 1.0 - experience.done[step].float()
        td_error = experience.reward[step] + gamma * next_value * goes_on - experience.value[step]
        later = td_error + gamma * gae_lambda * goes_on * later
        experience.advantage[step] = later
        next_value = experience.value[step]
    torch.add(experience.advantage, experience.value, out=experience.value_target)
    advantage = experience.advantage
    advantage.sub_(advantage.mean()).div_(advantage.std() + 1e-8)


def update(trainer: Trainer) -> Losses:
    """Goes through the experience several times in random order, learning from one part at a time."""
    config = trainer.config
    total = torch.zeros(4, device=trainer.chosen.device)
    for _ in range(config.epochs):
        order = torch.randperm(config.samples, device=trainer.chosen.device).reshape(config.minibatches, -1)
        needed = room_for(trainer.experience, order)
        for part in order:
            trainer.chosen.copy_(part)
            total += trainer.learn(needed)
    return Losses(*(total / (config.epochs * config.minibatches)).tolist())


def room_for(experience: Experience, samples: Tensor) -> Room:
    """What is enough for the bricks and edges of each minibatch of samples (minibatch, sample)."""
    edges = (experience.neighbours >= 0).sum(dim=(2, 3))
    counts = torch.stack([experience.bricks.long(), edges]).flatten(1)[:, samples]  # (2, minibatch, sample)
    return Room(*counts.sum(dim=2).amax(dim=1).tolist())


def learn_from(
    trainer: Trainer,
    judge: Callable[[Observation, Tensor, Tensor], Judgement],
    optimiser: torch.optim.Optimizer,
    room: Room | None = None,
) -> Tensor:
    """One step of an optimiser on the chosen samples, by what a policy's `judge`, compiled or not, says of them; in
    room that is enough for them where shapes must not change. Returns what `Losses` are the means of, (4,)."""
    config, some = trainer.config, samples_of(trainer.experience, trainer.chosen)
    observation = trainer.observer.views.observation(some.target, some.nodes, some.neighbours, some.bricks, room)
    loss, parts = losses_of(judge(observation, some.mask, some.actions), some, config)
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    norm = nn.utils.clip_grad_norm_(trainer.policy.parameters(), config.gradient)
    optimiser.step()
    return torch.cat([parts, norm[None]]).detach()


def samples_of(experience: Experience, chosen: Tensor) -> Experience:
    """Some samples (sample,) of an iteration."""
    return Experience(*(part.flatten(0, 1).index_select(0, chosen) for part in experience))


def losses_of(judgement: Judgement, some: Outcomes, config: PPOConfig) -> tuple[Tensor, Tensor]:
    """What is to become smaller; and the policy's loss, the value's and the entropy, (3,)."""
    ratio = (judgement.log_prob - some.log_prob).exp()
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    policy_loss = -torch.minimum(ratio * some.advantage, clipped * some.advantage).mean()
    value_loss = 0.5 * (judgement.value - some.value_target).square().mean()
    entropy = judgement.entropy.mean()
    loss = policy_loss + config.value * value_loss - config.entropy * entropy
    return loss, torch.stack([policy_loss, value_loss, entropy])
