"""Runs on disk: one file that holds everything a run is, so that a killed run goes on as if nothing had happened.

A checkpoint is a safetensors file: weights, the optimiser's memory, random generators and live environments as
tensors, the settings and the place in the run as JSON in its header. An agent's file is the same without the memory.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from brickbybrick.construction import write_whole
from brickbybrick.errors import InputError
from brickbybrick.learning.config import TrainConfig
from brickbybrick.learning.ppo import Trainer
from brickbybrick.learning.validation import optimiser_memory
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig

VERSION = 1


class SavedAgent(NamedTuple):
    """An agent from a file, and how it was trained."""

    name: str  # what it signs with: b3, mlp, sl
    policy: ActorCritic
    config: TrainConfig
    steps: int


def save_agent(path: Path, name: str, policy: ActorCritic, config: TrainConfig, steps: int) -> None:
    """Writes the weights and what they are for."""
    _write(path, name, _weights(policy), policy.config, config, steps)


def save_run(path: Path, trainer: Trainer) -> None:
    """Writes everything that a run needs to go on."""
    tensors = _weights(trainer.policy) | _memory(trainer)
    _write(path, agent_name(trainer.config), tensors, trainer.policy.config, trainer.config, trainer.steps)


def load_agent(path: Path) -> SavedAgent:
    """The agent of an agent's file or of a checkpoint."""
    tensors, about = _read(path)
    try:
        policy = ActorCritic(ModelConfig(**about["model"]))
        policy.load_state_dict(_named("policy", tensors))
        return SavedAgent(str(about["agent"]), policy, TrainConfig(**about["config"]), int(about["steps"]))
    except (KeyError, TypeError, RuntimeError) as error:
        raise InputError(f"{path}: not an agent of this version: {_first_line(error)}") from error


def load_run(path: Path, trainer: Trainer) -> None:
    """Puts a run where it was when it was saved; it must have been set up with the same settings."""
    tensors, about = _read(path)
    if about["config"] != asdict(trainer.config):
        different = [key for key, value in asdict(trainer.config).items() if about["config"].get(key) != value]
        raise InputError(f"{path}: is of another run, with other {', '.join(different)}; give another folder")
    memory = _memory(trainer)
    missing = [name for name in memory if name not in tensors or tensors[name].shape != memory[name].shape]
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
    trainer.steps = int(about["steps"])


def _memory(trainer: Trainer) -> dict[str, Tensor]:
    """All of a run but the weights."""
    memory = {name: value.detach().cpu().contiguous().clone() for name, value in _learned(trainer).items()}
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
    return {f"policy.{name}": value.detach().cpu().contiguous() for name, value in policy.state_dict().items()}


def _named(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(f"{prefix}."): value for name, value in tensors.items() if name.startswith(f"{prefix}.")}


def agent_name(config: TrainConfig) -> str:
    """What an agent trained with these settings signs with."""
    return "mlp" if config.messages == "none" else "b3"


def _write(
    path: Path, name: str, tensors: dict[str, Tensor], model: ModelConfig, config: TrainConfig, steps: int
) -> None:
    about = {"version": VERSION, "agent": name, "model": asdict(model), "config": asdict(config), "steps": steps}
    write_whole(path, save(tensors, metadata={"brickbybrick": json.dumps(about)}))


def _read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    try:
        with safe_open(str(path), framework="pt") as file:
            about = json.loads((file.metadata() or {}).get("brickbybrick", "null"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dictionary
    except (OSError, SafetensorError, json.JSONDecodeError) as error:
        raise InputError(f"{path}: not a checkpoint, or cut short: {_first_line(error)}") from error
    if not isinstance(about, dict):
        raise InputError(f"{path}: not a checkpoint of this package")
    if about.get("version") != VERSION:
        raise InputError(f"{path}: of version {about.get('version')}; this package reads version {VERSION}")
    return tensors, about


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
