"""What a training run is: one frozen record, with the paper's figures as defaults."""

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeVar, get_args

from brickbybrick.envs.simulator import Reward
from brickbybrick.errors import InputError, whole_number
from brickbybrick.policies.actor_critic import AgentConfig, ModelConfig
from brickbybrick.policies.graph_network import VARIANTS
from brickbybrick.policies.validation import Validation
from brickbybrick.targets.catalog import Task

Preset = Literal["paper", "fast", "tuned", "quick"]
# Of what is counted in a run.
MOST = {
    "steps": 10**12,
    "num_envs": 100_000,
    "rollout": 100_000,
    "epochs": 10_000,
    "minibatches": 1_000_000,
    "evaluations": 1_000_000,
}

RANGES = {
    "learning_rate": (1e-12, 1.0),
    "gamma": (0.0, 1.0),
    "gae_lambda": (0.0, 1.0),
    "clip": (1e-6, 1e6),
    "entropy": (0.0, 1e6),
    "value": (0.0, 1e6),
    "gradient": (1e-6, 1e6),
}
COMMANDED = ("seed", "steps")  # numbers that have an option of their own
Settings = TypeVar("Settings", bound="PPOConfig")


@dataclass(frozen=True, kw_only=True)
class PPOConfig:
    """How an agent is trained."""

    task: str
    """The task's name."""
    seed: int = 0
    """Random seed, of the weights, the episodes and the choices."""
    steps: int = 300_000
    """Bricks to place in all; rounded up to whole iterations."""
    num_envs: int = 8
    """Episodes side by side."""
    rollout: int = 512
    """Bricks that each of them places in an iteration."""
    epochs: int = 6
    """Times that the experience of an iteration is gone through."""
    minibatches: int = 32
    """Parts that it is split into each time."""
    learning_rate: float = 1e-4
    """Adam's."""
    gamma: float = 0.5
    """Discount of later rewards."""
    gae_lambda: float = 0.9
    """Between bootstrapped (0) and observed (1) returns."""
    clip: float = 0.2
    """How far a probability may move before its gain is no longer counted."""
    entropy: float = 0.01
    """Weight of the entropy of choices."""
    value: float = 1.0
    """Weight of the value's error."""
    gradient: float = 0.5
    """Largest norm of a gradient."""
    reward: Reward = "gated"
    """As for the environments."""
    evaluations: int = 20
    """How often the agent is tested on the way."""

    def __post_init__(self) -> None:
        for name, most in MOST.items():
            whole_number(getattr(self, name), name, 1, most)
        for name, (least, largest) in RANGES.items():
            if not least <= getattr(self, name) <= largest:
                raise InputError(f"{name} is {getattr(self, name)}: give a number from {least:g} to {largest:g}")
        if self.samples % self.minibatches:
            raise InputError(f"{self.samples} samples do not split into {self.minibatches} equal minibatches")
        one_of(self.reward, Reward)

    @property
    def samples(self) -> int:
        """Bricks placed in an iteration."""
        return self.num_envs * self.rollout

    @property
    def iterations(self) -> int:
        return -(-self.steps // self.samples)


@dataclass(frozen=True, kw_only=True)
class TrainConfig(AgentConfig, PPOConfig):
    """Everything that decides what a run learns: the agent's shape and how it is trained."""

    validation: Validation = "exact"
    """How invalid actions are kept out."""

    def __post_init__(self) -> None:
        super().__post_init__()
        PPOConfig.__post_init__(self)
        one_of(self.validation, Validation)

    def model(self, task: Task) -> ModelConfig:
        """The shape of the agent for a task."""
        shape = {field.name: getattr(self, field.name) for field in fields(AgentConfig)}
        return ModelConfig(views=task.views, offsets=len(task.offsets), **shape)


def numbers(config: type[PPOConfig]) -> dict[str, type]:
    """The numbers among a record's settings that one may change, and whether they are whole ones."""
    return {
        field.name: field.type
        for field in fields(config)
        if field.type in (int, float) and field.name not in COMMANDED and isinstance(field.type, type)
    }


def number_of(config: type[PPOConfig], name: str, text: str) -> float:
    """What a setting is to be."""
    known = numbers(config)
    if name not in known:
        raise InputError(f"no setting named {name!r}: choose from {', '.join(known)}")
    try:
        return int(text) if known[name] is int else float(text)
    except ValueError as error:
        whole = "a whole number" if known[name] is int else "a number"
        raise InputError(f"{name} is {text!r}: give {whole}") from error


def with_settings(config: Settings, given: str) -> Settings:
    """A record with settings of one's own, as in "gamma=0.9 learning_rate=0.001"."""
    pairs = [each.partition("=")[::2] for each in given.split()]
    return replace(config, **{name: number_of(type(config), name, value) for name, value in pairs})  # type: ignore[arg-type]


def one_of(value: str, kind: Any) -> None:
    """Raises an error unless a value is one of a literal type's."""
    if value not in get_args(kind):
        raise InputError(f"{value!r} is none of {', '.join(get_args(kind))}")


def agent_name(config: TrainConfig) -> str:
    """What an agent trained with these settings signs with."""
    settings = vars(config).items()
    return next((name for name, changes in VARIANTS.items() if changes and changes.items() <= settings), "b3")


def preset(name: Preset, task: Task, **changes: object) -> TrainConfig:
    """The settings of the paper for a task, or ones that reach as far sooner.

    Args:
        name: `paper`: 8 environments of 512 steps. `fast`: the same samples an iteration from 256 environments of 16
            steps, which a GPU runs in the time of a few. `tuned`: likewise, with minibatches of 32 samples instead of
            32 of them, as the text can be read too: more is learned from as many samples. `quick`: an agent that
            visibly learns within ten minutes on two cores.
        task: What is to be learned; digits take a smaller network, fewer steps and a shorter view than the rest.
        changes: Settings of one's own.
    """
    flat = task.views == 1
    config = TrainConfig(
        task=task.name, steps=300_000 if flat else 500_000, gamma=0.5 if flat else 0.75, width=64 if flat else 192
    )
    if name == "fast":
        config = replace(config, num_envs=256, rollout=16)
    elif name == "tuned":
        config = replace(config, num_envs=256, rollout=16, minibatches=config.samples // 32)
    elif name == "quick":
        config = replace(
            config, steps=100_000, num_envs=64, rollout=32, epochs=4, minibatches=8, learning_rate=5e-4, width=64
        )
    elif name != "paper":
        raise InputError(f"no preset named {name!r}: choose paper, fast, tuned or quick")
    return replace(config, **changes)  # type: ignore[arg-type]
