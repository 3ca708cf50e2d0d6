"""Runs on disk: one file that holds everything a run is, so that a killed run goes on as if nothing had happened.

A checkpoint is a safetensors file: weights, the optimiser's memory, random generators and live environments as
tensors, the settings and the place in the run as JSON in its header. An agent's file is the same without the memory.
"""

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from brickbybrick.construction import MOST_NAME
from brickbybrick.errors import InputError, shown, whole_number
from brickbybrick.learning.config import MOST, TrainConfig
from brickbybrick.learning.ppo import Trainer
from brickbybrick.learning.validation import optimiser_memory
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.files import config_of, fitted, read_tensors, write_tensors
from brickbybrick.policies.graph_network import VARIANTS
from brickbybrick.targets.catalog import GENERAL

AGENT, RUN = "agent", "run"
SHIPPED_NAMES = ("b3", "mlp")
SHIPPED_AGENTS = Path(__file__).parent.parent / "weights" / "agents"  # come with the package


class SavedAgent(NamedTuple):
    """An agent from a file, and how it was trained."""

    name: str  # what it signs with: b3, mlp, sl
    policy: ActorCritic
    config: TrainConfig
    steps: int


def save_agent(path: Path, name: str, policy: ActorCritic, config: TrainConfig, steps: int, half: bool = False) -> None:
    """Writes the weights and what they are for; `half` of the precision takes half of the room."""
    weights = {key: value.half() if half else value for key, value in _weights(policy).items()}
    write_tensors(path, AGENT, _about(name, policy, config, steps), weights)


def agent_path(name: str, task: str, views: int) -> Path:
    """The file of a trained agent: one that comes with the package (b3, mlp), or any file.

    Args:
        name: Of the agent, or of the file.
        task: What is to be built. If none comes for it, the one for anything in as many views is taken.
        views: Of the task's targets.
    """
    if name not in SHIPPED_NAMES:
        if not Path(name).is_file():
            others = "search, guided, b3plus, b3, mlp, greedy, bo, random"
            raise InputError(f"no agent named {name!r}, and no file of that name: choose {others} or an agent's file")
        return Path(name)
    for known in (task, GENERAL[views]):
        shipped = SHIPPED_AGENTS / f"{known}-{name}.safetensors"
        if shipped.exists():
            return shipped
    known = ", ".join(sorted(path.stem for path in SHIPPED_AGENTS.glob(f"*-{name}.safetensors")))
    raise InputError(f"no agent {name} for {task} comes with the package, but {known}; or give an agent's file")


def save_run(path: Path, trainer: Trainer) -> None:
    """Writes everything that a run needs to go on."""
    about = _about(agent_name(trainer.config), trainer.policy, trainer.config, trainer.steps)
    write_tensors(path, RUN, about, _weights(trainer.policy) | _memory(trainer))


def load_agent(path: Path) -> SavedAgent:
    """The agent of an agent's file or of a checkpoint."""
    tensors, about = read_tensors(path, AGENT, RUN)
    model = config_of(ModelConfig, about.get("model"), path)
    config = config_of(TrainConfig, about.get("config"), path)
    policy = fitted(lambda: ActorCritic(model), _named("policy", tensors), path)
    return SavedAgent(_name_of(about, path), policy, config, _steps_of(about, path))


def load_run(path: Path, trainer: Trainer) -> None:
    """Puts a run where it was when it was saved; it must have been set up with the same settings."""
    tensors, about = read_tensors(path, RUN)
    saved, wanted = config_of(TrainConfig, about.get("config"), path), trainer.config
    if saved != wanted:
        different = [field.name for field in fields(saved) if getattr(saved, field.name) != getattr(wanted, field.name)]
        raise InputError(f"{path}: is of another run, with other {', '.join(different)}; give another folder")
    memory = _weights(trainer.policy) | _memory(trainer)
    missing = [name for name, value in memory.items() if _kind_of(tensors.get(name)) != _kind_of(value)]
    if missing:
        raise InputError(f"{path}: does not fit this run: {missing[0]} is missing or of another shape")
    trainer.policy.load_state_dict(_named("policy", tensors))
    for name, value in _learned(trainer).items():
        value.detach().copy_(tensors[name])
    for name, array in _environments(trainer).items():
        array[...] = tensors[name].numpy().view(array.dtype)
    torch.set_rng_state(tensors["random.cpu"])
    if "random.cuda" in tensors and trainer.chosen.is_cuda:
        torch.cuda.set_rng_state(tensors["random.cuda"])
    trainer.steps = _steps_of(about, path)


def _kind_of(value: Tensor | None) -> object:
    return None if value is None else (value.shape, value.dtype)


def _name_of(about: dict[str, Any], path: Path) -> str:
    name = about.get("agent")
    if not isinstance(name, str) or len(name) > MOST_NAME:
        raise InputError(f"{path}: the agent's name is {shown(name)}: give a text of up to {MOST_NAME} characters")
    return name


def _steps_of(about: dict[str, Any], path: Path) -> int:
    return whole_number(about.get("steps", 0), f"{path}: the number of steps", 0, MOST["steps"] * 2)


def _memory(trainer: Trainer) -> dict[str, Tensor]:
    """All of a run but the weights."""
    memory = _learned(trainer)
    # Safetensors knows no uint64: the bits travel as int64.
    for name, array in _environments(trainer).items():
        memory[name] = torch.from_numpy(array.view(np.int64) if array.dtype == np.uint64 else array).clone()
    memory["random.cpu"] = torch.get_rng_state()
    if trainer.chosen.is_cuda:
        memory["random.cuda"] = torch.cuda.get_rng_state()
    return memory


def _learned(trainer: Trainer) -> dict[str, Tensor]:
    """What the optimiser and the validator remember, as tensors that may be written to."""
    validator = {f"validator.{name}": value for name, value in trainer.validator.memory().items()}
    return optimiser_memory(trainer.optimiser, trainer.policy) | validator


def _environments(trainer: Trainer) -> dict[str, np.ndarray]:
    packed, *others = trainer.sim.state
    arrays = {**packed._asdict(), **dict(zip(trainer.sim.state._fields[1:], others, strict=True))}
    return {f"environments.{name}": array for name, array in arrays.items()}


def _weights(policy: ActorCritic) -> dict[str, Tensor]:
    return {f"policy.{name}": value for name, value in policy.state_dict().items()}


def _named(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(f"{prefix}."): value for name, value in tensors.items() if name.startswith(f"{prefix}.")}


def agent_name(config: TrainConfig) -> str:
    """What an agent trained with these settings signs with."""
    changed = [
        name
        for name, changes in VARIANTS.items()
        if changes and all(getattr(config, key) == value for key, value in changes.items())
    ]
    return changed[0] if changed else "b3"


def _about(name: str, policy: ActorCritic, config: TrainConfig, steps: int) -> dict[str, Any]:
    return {"agent": name, "model": asdict(policy.config), "config": asdict(config), "steps": steps}
