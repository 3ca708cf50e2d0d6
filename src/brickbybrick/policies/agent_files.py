"""Agents on disk: a network, the name that it signs with, and how it was trained; B3 and B3+ alike.

An agent's file holds the weights alone. A run's checkpoint holds them too, beside all that the run needs to go on, so
that either can be built with.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from torch import Tensor

from brickbybrick.construction import MOST_NAME
from brickbybrick.errors import InputError, shown, whole_number
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.files import config_of, fitted, read_tensors, write_tensors
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy

AGENT, RUN = "agent", "run"
MOST_STEPS = 10**13
SPATIAL = "b3plus"  # the name of agents that look at space; all others look at the graph of bricks

Policy = ActorCritic | SpatialPolicy


class SavedAgent(NamedTuple):
    """An agent from a file, and how it was trained."""

    name: str  # what it signs with: b3, mlp, sl, b3plus
    policy: Policy
    training: dict[str, Any]  # the settings of its run
    steps: int  # how far it got, as its run counts


def save_agent(path: Path, name: str, policy: Policy, training: dict[str, Any], steps: int, half: bool = False) -> None:
    """Writes the weights and what they are for; `half` of the precision takes half of the room."""
    weights = {key: value.half() if half else value for key, value in weights_of(policy).items()}
    write_tensors(path, AGENT, described(name, policy, training, steps), weights)


def load_agent(path: Path) -> SavedAgent:
    """The agent of an agent's file or of a checkpoint."""
    tensors, about = read_tensors(path, AGENT, RUN)
    weights, name = named("policy", tensors), about.get("agent")
    if not isinstance(name, str) or len(name) > MOST_NAME:
        raise InputError(f"{path}: the agent's name is {shown(name)}: give a text of up to {MOST_NAME} characters")
    policy: Policy
    if name == SPATIAL:
        space = config_of(SpatialConfig, about.get("model"), path)
        policy = fitted(lambda: SpatialPolicy(space), weights, path)
    else:
        shape = config_of(ModelConfig, about.get("model"), path)
        policy = fitted(lambda: ActorCritic(shape), weights, path)
    training = about.get("config")
    return SavedAgent(name, policy, training if isinstance(training, dict) else {}, steps_of(about, path))


def steps_of(about: dict[str, Any], path: Path) -> int:
    """How far a run got, as its file says."""
    return whole_number(about.get("steps", 0), f"{path}: the number of steps", 0, MOST_STEPS)


def described(name: str, policy: Policy, training: dict[str, Any], steps: int) -> dict[str, Any]:
    """What a file says of its tensors."""
    return {"agent": name, "model": asdict(policy.config), "config": training, "steps": steps}


def weights_of(policy: Policy) -> dict[str, Tensor]:
    return {f"policy.{name}": value for name, value in policy.state_dict().items()}


def named(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors whose names begin so, without that beginning."""
    return {name.removeprefix(f"{prefix}."): value for name, value in tensors.items() if name.startswith(f"{prefix}.")}
