"""Runs on disk: one file that holds everything a run is, so that a killed run goes on as if nothing had happened.

A checkpoint is a safetensors file: weights, what the learner remembers and random generators as tensors, the settings
and the place in the run as JSON in its header.
"""

from pathlib import Path

import torch
from torch import Tensor

from brickbybrick.errors import InputError
from brickbybrick.learning.learner import Learner
from brickbybrick.policies.files import RUN, described, named, read_tensors, steps_of, weights_of, write_tensors


def save_run(path: Path, learner: Learner) -> None:
    """Writes everything that a run needs to go on."""
    about = described(learner.builder().name, learner.policy, learner.settings(), learner.done)
    tensors = weights_of(learner.policy) | {f"memory.{name}": value for name, value in learner.memory().items()}
    tensors["random.cpu"] = torch.get_rng_state()
    if next(learner.policy.parameters()).is_cuda:
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    write_tensors(path, RUN, about, tensors)


def load_run(path: Path, learner: Learner) -> None:
    """Puts a run where it was when it was saved; it must have been set up with the same settings."""
    tensors, about = read_tensors(path, RUN)
    saved, wanted = about.get("config"), learner.settings()
    if not isinstance(saved, dict) or saved != wanted:
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
