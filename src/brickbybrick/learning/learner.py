"""What all ways of learning share: a run that tells how it goes, and that can be stopped and gone on with exactly.

A checkpoint is a safetensors file with everything that a run is: weights, what the learner remembers and random
generators as tensors, the settings and the place in the run as JSON in its header.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import torch
from torch import Tensor, nn

from brickbybrick.builders.base import EpisodeBuilder
from brickbybrick.errors import InputError
from brickbybrick.policies.files import RUN, Policy, described, named, read_tensors, steps_of, weights_of, write_tensors


class Report(NamedTuple):
    """How far a run is."""

    done: int  # of the learner's total
    figures: dict[str, float]  # what is worth writing down
    due: Literal["", "save", "test"] = ""  # what this is a good moment for; a test is followed by saving


class Learner(ABC):
    """A policy on its way to an agent. Subclasses are found in `ppo.py`, `spatial_ppo.py`, `imitation.py`,
    `teaching.py` and `volume.py`."""

    unit: ClassVar[str]  # what `total` and `done` count
    config: Any  # the run's settings, a dataclass
    policy: Policy
    total: int
    done: int = 0

    @abstractmethod
    def run(self) -> Iterator[Report]:
        """Learns to the end, from wherever it is."""

    @abstractmethod
    def builder(self) -> EpisodeBuilder:
        """The agent as it is now."""

    @property
    def name(self) -> str:
        """What its network is called in files."""
        return self.builder().name

    @abstractmethod
    def memory(self) -> dict[str, Tensor]:
        """All that the run is, but for the weights and the random numbers, as tensors that may be written to."""

    def recall(self, memory: dict[str, Tensor]) -> None:
        """Puts back what `memory` gave."""
        for name, tensor in self.memory().items():
            kept = memory.get(name)
            if kept is None or (kept.shape, kept.dtype) != (tensor.shape, tensor.dtype):
                raise InputError(f"does not fit this run: {name} is missing or of another shape")
            tensor.detach().copy_(kept)

    def settings(self) -> dict[str, Any]:
        """What decides how the run goes; one that was saved goes on only with the same."""
        return asdict(self.config)


def optimiser_memory(optimiser: torch.optim.Optimizer, network: nn.Module) -> dict[str, Tensor]:
    """Adam's memory of each parameter, as tensors that may be written to; made here if no step has been taken yet."""
    memory: dict[str, Tensor] = {}
    for name, parameter in network.named_parameters():
        if parameter not in optimiser.state:
            on_gpu = optimiser.defaults.get("capturable", False)
            optimiser.state[parameter] = {
                "step": torch.zeros((), device=parameter.device if on_gpu else "cpu"),
                "exp_avg": torch.zeros_like(parameter),
                "exp_avg_sq": torch.zeros_like(parameter),
            }
        memory |= {f"optimiser.{name}.{key}": value for key, value in optimiser.state[parameter].items()}
    return memory


def check_finite(loss: float, where: str) -> None:
    """An error where learning broke down."""
    if not math.isfinite(loss):
        raise InputError(f"learning broke down {where}: the loss is {loss}; try a lower learning rate")


def save_run(path: Path, learner: Learner) -> None:
    """Writes everything that a run needs to go on."""
    about = described(learner.name, learner.policy, learner.settings(), learner.done)
    tensors = weights_of(learner.policy) | {f"memory.{name}": value for name, value in learner.memory().items()}
    tensors["random.cpu"] = torch.get_rng_state()
    if next(learner.policy.parameters()).is_cuda:
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    write_tensors(path, RUN, about, tensors)


def load_run(path: Path, learner: Learner) -> None:
    """Puts a run where it was when it was saved; it must have been set up with the same settings."""
    tensors, about = read_tensors(path, RUN)
    saved, wanted = about.get("config"), learner.settings()
    if saved != wanted:
        known = saved if isinstance(saved, dict) else {}
        different = [name for name in wanted if known.get(name) != wanted[name]] or ["settings"]
        raise InputError(f"{path}: is of another run, with other {', '.join(different)}; give another folder")
    weights, kept = named("policy", tensors), learner.policy.state_dict()
    if "random.cpu" not in tensors or _shapes(weights) != _shapes(kept):
        raise InputError(f"{path}: the weights do not fit this run; the file is damaged")
    try:
        learner.recall(named("memory", tensors))
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    learner.policy.load_state_dict(weights)
    torch.set_rng_state(tensors["random.cpu"])
    if "random.cuda" in tensors and next(learner.policy.parameters()).is_cuda:
        torch.cuda.set_rng_state(tensors["random.cuda"])
    learner.done = steps_of(about, path)


def _shapes(tensors: dict[str, Tensor]) -> dict[str, tuple[torch.Size, torch.dtype]]:
    return {name: (value.shape, value.dtype) for name, value in tensors.items()}
