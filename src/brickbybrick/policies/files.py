"""Networks on disk: a safetensors file whose header says what the tensors are, so that the two stay together.

An agent's file holds its weights alone. A run's checkpoint holds them too, beside all that the run needs to go on, so
that either can be built with.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor, nn

from brickbybrick.construction import MOST_NAME
from brickbybrick.errors import InputError, shown, whole_number
from brickbybrick.files import opened, parsed_json, write_whole
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy
from brickbybrick.policies.volume import VolumeConfig, VolumeNetwork

VERSION = 1
HEADER = "brickbybrick"  # the entry of the file's metadata that is ours
MOST_HEADER = 1_000_000  # bytes; the largest of ours has thirty thousand
MOST_TEXT = 300  # characters of a setting
NUMBERS: dict[Any, tuple[type, ...]] = {int: (int,), float: (float, int), bool: (bool,)}  # the rest of settings is text
AGENT, RUN = "agent", "run"  # kinds of files
MOST_STEPS = 10**13
# The names of agents that look at space, and of those that search by a learned volume; all others look at the graph of
# bricks.
SPATIAL, VOLUME = "b3plus", "volume"

Policy = ActorCritic | SpatialPolicy | VolumeNetwork
Config = TypeVar("Config")
Network = TypeVar("Network", bound=nn.Module)


def write_tensors(path: Path, kind: str, about: dict[str, Any], tensors: dict[str, Tensor]) -> None:
    """Writes tensors and what they are, whole or not at all."""
    header = {"version": VERSION, "kind": kind, **about}
    kept = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
    write_whole(path, save(kept, metadata={HEADER: json.dumps(header)}))


def read_tensors(path: Path, *kinds: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors of a file of one of some kinds, and what it says of them."""
    about = _header(path)
    if about.get("kind") not in kinds:
        raise InputError(f"{path}: holds no {' or '.join(kinds)}")
    if about.get("version") != VERSION:
        raise InputError(f"{path}: of version {shown(about.get('version'))}; this package reads version {VERSION}")
    try:
        with safe_open(str(path), framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, about  # noqa: SIM118 - not a dictionary
    except Exception as error:  # damaged files make it raise many kinds
        raise InputError(f"{path}: cannot be read, or was cut short: {_one_line(error)}") from error


def _header(path: Path) -> dict[str, Any]:
    """What a file says of its tensors, found without a look at them; nothing if it is not ours."""
    with opened(path) as file:
        length = int.from_bytes(file.read(8), "little")
        text = file.read(length) if length <= MOST_HEADER else b""
    try:
        header: Any = parsed_json(text)
        about = parsed_json(header.get("__metadata__", {}).get(HEADER, "{}"))
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: cannot be read, or was cut short: it has no whole header") from error
    return about if isinstance(about, dict) else {}


def number_of_weights(network: nn.Module) -> int:
    """How many numbers a network learns."""
    return sum(weight.numel() for weight in network.parameters())


def config_of(kind: type[Config], record: object, path: Path) -> Config:
    """Settings (a dataclass) from a file's header, refusing what is unknown, of another type or out of range."""
    try:
        if not isinstance(record, dict):
            raise TypeError(f"not a record: {shown(record)}")
        types = {field.name: NUMBERS.get(field.type, (str,)) for field in fields(kind)}  # type: ignore[arg-type]
        for name, value in record.items():
            if name not in types or type(value) not in types[name] or not _is_short(value):
                raise TypeError(f"{shown(name)} is {shown(value)}")
        return kind(**record)
    except (TypeError, ValueError) as error:
        raise InputError(f"{path}: does not say what it holds: {_one_line(error)}") from error


def _is_short(value: str | float) -> bool:
    """Whether a setting is a text of some characters, or a number that a float can be."""
    return len(value) <= MOST_TEXT if isinstance(value, str) else abs(value) <= sys.float_info.max


def fitted(make: Callable[[Config], Network], config: Config, weights: dict[str, Tensor], path: Path) -> Network:
    """The network of this shape with these weights; halved ones become whole again."""
    with torch.device("meta"):  # shapes only, so that a wrong file costs no memory
        network = make(config)
    weights = {name: value.float() if value.is_floating_point() else value for name, value in weights.items()}
    wanted = {name: value.shape for name, value in network.state_dict().items()}
    if wanted != {name: value.shape for name, value in weights.items()}:
        raise InputError(f"{path}: the weights do not fit the shape it names; the file is damaged")
    if not all(value.is_floating_point() and bool(value.isfinite().all()) for value in weights.values()):
        raise InputError(f"{path}: some weights are no numbers; the file is damaged")
    network.load_state_dict(weights, assign=True)
    return network.requires_grad_()


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:MOST_TEXT] or type(error).__name__


class SavedAgent(NamedTuple):
    """An agent from a file, and how it was trained."""

    name: str  # what it signs with: b3, mlp, sl, b3plus, volume
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
        policy = fitted(SpatialPolicy, config_of(SpatialConfig, about.get("model"), path), weights, path)
    elif name == VOLUME:
        policy = fitted(VolumeNetwork, config_of(VolumeConfig, about.get("model"), path), weights, path)
    else:
        policy = fitted(ActorCritic, config_of(ModelConfig, about.get("model"), path), weights, path)
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
