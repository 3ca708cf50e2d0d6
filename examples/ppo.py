"""PPO in one file, on the compiled batch: place bricks, find out what was good, make it likelier.

Read it from top to bottom: settings, network, rollout, advantages, update, test, log. Nothing is behind it but
Gymnasium, NumPy and PyTorch. The network is smaller than B3 and sees more: each brick knows where it is in the image,
and reads what a convolution makes of the image there.

Run it with: python examples/ppo.py [--digit 3] [--seed 0], and --help for the other settings.
"""

import argparse
import time
from dataclasses import dataclass, field, fields

import gymnasium
import numpy as np
import torch
from torch import Tensor, nn

ID = "brickbybrick:brickbybrick/Mnist-v0"  # the part before the colon is imported
SIDE = 14  # of an image, in cells
State = dict[str, Tensor]  # what is seen, and the mask: (env, ...) or (sample, ...) each


def setting(default: float, meaning: str) -> float:
    """A number with what `--help` says of it."""
    return field(default=default, metadata={"help": meaning})


@dataclass(frozen=True)
class Config:
    """What decides how a run goes; PPO's numbers are those of `b3 train --preset quick`."""

    digit: int = setting(3, "which digit is built, 0 to 9")
    seed: int = setting(0, "random seed, of the weights, the episodes and the choices")
    steps: int = setting(100_000, "bricks to place in all; rounded up to whole iterations")
    num_envs: int = setting(64, "episodes side by side")
    rollout: int = setting(32, "bricks that each of them places in an iteration")
    epochs: int = setting(4, "times that the experience of an iteration is gone through")
    minibatches: int = setting(8, "parts that it is split into each time")
    learning_rate: float = setting(5e-4, "Adam's")
    gamma: float = setting(0.5, "discount of later rewards")
    gae_lambda: float = setting(0.9, "between bootstrapped (0) and observed (1) returns")
    clip: float = setting(0.2, "how far a probability may move before its gain is no longer counted")
    entropy: float = setting(0.01, "weight of the entropy of choices")
    value: float = setting(1.0, "weight of the value's error")
    gradient: float = setting(0.5, "largest norm of a gradient")
    tests: int = setting(100, "unseen digits that it is tested on, at most 100")

    @property
    def samples(self) -> int:
        """Bricks placed in an iteration."""
        return self.num_envs * self.rollout

    @property
    def iterations(self) -> int:
        return -(-self.steps // self.samples)


# ---- the network


class Agent(nn.Module):
    """From images and bricks to one logit for each (pivot, offset), and what the state is worth."""

    def __init__(self, views: int, offsets: int, width: int = 64, rounds: int = 3) -> None:
        super().__init__()
        channels = width // 2
        look = [nn.Conv2d(views, channels, 5, padding=2), nn.ReLU(), nn.Conv2d(channels, channels, 5, padding=2)]
        self.image = nn.Sequential(*look, nn.ReLU())
        self.whole = nn.Linear(channels * SIDE**2, width)
        first = nn.Linear(4 + channels + width, width)
        self.brick = nn.Sequential(first, nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.rounds = nn.ModuleList([nn.Linear(2 * width, width) for _ in range(rounds)])
        self.offset_head = nn.Linear(width, offsets)
        self.value_head = nn.Linear(2 * width, 1)

    def forward(self, state: State) -> tuple[Tensor, Tensor]:
        """Log probabilities (sample, pivot * offset), and values (sample,)."""
        most = int(state["n_bricks"].max())  # nobody looks at the room that is left
        there = (torch.arange(most) < state["n_bricks"][:, None])[..., None]  # (sample, brick, 1)
        poses = state["nodes"][:, :most].float()
        poses[..., :3] += state["start"][:, None]  # in the cells of the images, from the left, the front and the bottom
        image = self.image(state["images"].float())  # (sample, channel, row, column)
        where = torch.stack([poses[..., 0], SIDE - 0.5 - poses[..., 2]], dim=-1) / (SIDE / 2) - 1  # in the front view
        around = nn.functional.grid_sample(image, where[:, :, None], align_corners=False)[..., 0].transpose(1, 2)
        whole = torch.relu(self.whole(image.flatten(1)))  # (sample, feature)
        known = [poses / SIDE, around, whole[:, None].expand(-1, most, -1)]
        bricks = self.brick(torch.cat(known, dim=-1)) * there
        touching = torch.zeros(len(poses), most, most + 1)  # (sample, brick, brick); a neighbour of -1 is the last
        touching.scatter_(2, state["neighbours"][:, :most].long() % (most + 1), 1.0)
        for layer in self.rounds:
            received = touching[..., :most] @ bricks
            bricks = bricks + torch.relu(layer(torch.cat([bricks, received], dim=-1))) * there
        mask = state["action_mask"][:, :most].flatten(1).bool()
        logits = self.offset_head(bricks).flatten(1).masked_fill(~mask, -1e9)
        mean = bricks.sum(dim=1) / state["n_bricks"][:, None]
        return logits.log_softmax(dim=-1), self.value_head(torch.cat([mean, whole], dim=-1)).squeeze(-1)


# ---- the rollout


def seen_by(observation: dict[str, np.ndarray], info: dict[str, np.ndarray]) -> State:
    """What the batch shows as tensors, without a copy: with copy=False they are up to date after every step."""
    shown = {**observation, "action_mask": info["action_mask"]}
    return {name: torch.from_numpy(values) for name, values in shown.items()}


def pairs(actions: Tensor, offsets: int) -> np.ndarray:
    """Numbers of actions as (pivot, offset), (env, 2)."""
    return torch.stack([actions // offsets, actions % offsets], dim=-1).numpy()


class Experience:
    """What an iteration goes through, (step, env, ...), in room that is allocated once."""

    def __init__(self, config: Config, state: State) -> None:
        shape = (config.rollout, config.num_envs)
        self.state = {name: values.new_zeros((config.rollout, *values.shape)) for name, values in state.items()}
        self.action = torch.zeros(shape, dtype=torch.int64)  # pivot * offsets + offset
        self.log_prob, self.value, self.reward, self.goes_on = torch.zeros(4, *shape)


@torch.no_grad()
def collect(envs: gymnasium.vector.VectorEnv, agent: Agent, state: State, experience: Experience) -> list[float]:
    """Places bricks in all environments, and returns the IoU of the episodes that ended meanwhile."""
    ended: list[float] = []
    for step in range(len(experience.action)):
        for name, values in state.items():
            experience.state[name][step] = values
        log_probs, experience.value[step] = agent(state)
        actions = torch.multinomial(log_probs.exp(), 1)
        experience.action[step], experience.log_prob[step] = actions[:, 0], log_probs.gather(1, actions)[:, 0]
        _, reward, over, _, info = envs.step(pairs(actions[:, 0], envs.single_action_space.nvec[1]))
        experience.reward[step], experience.goes_on[step] = torch.from_numpy(reward), torch.from_numpy(~over)
        ended += info["final_info"]["iou"][over].tolist()
    return ended


# ---- the advantages, the update


def advantages(experience: Experience, last_value: Tensor, gamma: float, gae_lambda: float) -> Tensor:
    """How much better each action turned out than was expected (step, env): generalised advantage estimation."""
    estimate, later, next_value = torch.zeros_like(experience.value), torch.zeros_like(last_value), last_value
    for step in reversed(range(len(estimate))):
        goes_on = experience.goes_on[step]
        td_error = experience.reward[step] + gamma * next_value * goes_on - experience.value[step]
        estimate[step] = later = td_error + gamma * gae_lambda * goes_on * later
        next_value = experience.value[step]
    return estimate


def update(agent: Agent, optimiser: torch.optim.Optimizer, seen: Experience, advantage: Tensor, config: Config) -> None:
    """Goes through the experience several times in random order, learning from one part at a time."""
    state = {name: values.flatten(0, 1) for name, values in seen.state.items()}  # (sample, ...)
    action, old_log_prob = seen.action.flatten(), seen.log_prob.flatten()
    value_target = (advantage + seen.value).flatten()
    advantage = ((advantage - advantage.mean()) / (advantage.std() + 1e-8)).flatten()
    for _ in range(config.epochs):
        for some in torch.randperm(config.samples).chunk(config.minibatches):
            log_probs, value = agent({name: values[some] for name, values in state.items()})
            ratio = (log_probs.gather(1, action[some, None])[:, 0] - old_log_prob[some]).exp()
            clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
            policy_loss = -torch.minimum(ratio * advantage[some], clipped * advantage[some]).mean()
            value_loss = 0.5 * (value - value_target[some]).square().mean()
            entropy = -(log_probs.exp() * log_probs).sum(dim=-1).mean()
            loss = policy_loss + config.value * value_loss - config.entropy * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), config.gradient)
            optimiser.step()


# ---- the test, the log


@torch.no_grad()
def tested(agent: Agent, config: Config) -> float:
    """The mean IoU of the first unseen digits, each built once by the likeliest actions."""
    envs = gymnasium.make_vec(ID, config.tests, digit=config.digit, split="test", copy=False)
    observation, info = envs.reset(seed=0, options={"target": np.arange(config.tests)})
    state, iou, over = seen_by(observation, info), np.zeros(config.tests), np.zeros(config.tests, bool)
    while not over.all():
        actions = agent(state)[0].argmax(dim=-1)
        _, _, terminated, _, info = envs.step(pairs(actions, envs.single_action_space.nvec[1]))
        iou = np.where(terminated & ~over, info["iou"], iou)
        over |= terminated
    envs.close()
    return float(iou.mean())


def main(config: Config) -> None:
    torch.manual_seed(config.seed)
    envs = gymnasium.make_vec(ID, config.num_envs, digit=config.digit, copy=False, autoreset_mode="SameStep")
    state = seen_by(*envs.reset(seed=config.seed * 1_000_003))  # no two seeds share an environment
    agent = Agent(state["images"].shape[1], int(envs.single_action_space.nvec[1]))
    optimiser = torch.optim.Adam(agent.parameters(), config.learning_rate)
    experience = Experience(config, state)
    start = time.perf_counter()
    for iteration in range(1, config.iterations + 1):
        ended = collect(envs, agent, state, experience)
        with torch.no_grad():
            last_value = agent(state)[1]
        advantage = advantages(experience, last_value, config.gamma, config.gae_lambda)
        update(agent, optimiser, experience, advantage, config)
        rate = iteration * config.samples / (time.perf_counter() - start)
        built = f"IoU {np.mean(ended):.3f} of {len(ended)} digits" if ended else "no digit done"
        print(f"{iteration * config.samples} steps: {built}, {rate:,.0f} steps/s", flush=True)
    print(f"{config.tests} unseen digits, IoU {tested(agent, config):.3f}")
    envs.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    for each in fields(Config):
        name, meaning = f"--{each.name.replace('_', '-')}", each.metadata["help"]
        parser.add_argument(name, type=type(each.default), default=each.default, help=meaning)
    main(Config(**vars(parser.parse_args())))
