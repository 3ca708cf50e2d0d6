"""Networks on disk: a safetensors file whose header says what the tensors are, so that the two stay together."""

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from brickbybrick.errors import InputError
from brickbybrick.files import write_whole

VERSION = 1
HEADER = "brickbybrick"  # the entry of the file's metadata that is ours
NUMBERS: dict[Any, tuple[type, ...]] = {int: (int,), float: (float, int), bool: (bool,)}  # the rest of settings is text

Config = TypeVar("Config")
Network = TypeVar("Network", bound=nn.Module)


def write_tensors(path: Path, kind: str, about: dict[str, Any], tensors: dict[str, Tensor]) -> None:
    """Writes tensors and what they are, whole or not at all."""
    header = {"version": VERSION, "kind": kind, **about}
    kept = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
    write_whole(path, save(kept, metadata={HEADER: json.dumps(header)}))


def read_tensors(path: Path, *kinds: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors of a file of one of some kinds, and what it says of them."""
    try:
        with safe_open(str(path), framework="pt") as file:
            about = json.loads((file.metadata() or {}).get(HEADER, "null"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dictionary
    except (OSError, SafetensorError, json.JSONDecodeError) as error:
        raise InputError(f"{path}: cannot be read, or was cut short: {_one_line(error)}") from error
    if not isinstance(about, dict) or about.get("kind") not in kinds:
        raise InputError(f"{path}: holds no {' or '.join(kinds)}")
    if about.get("version") != VERSION:
        raise InputError(f"{path}: of version {about.get('version')}; this package reads version {VERSION}")
    return tensors, about


def kind_of(path: Path) -> str | None:
    """The kind that a file says it is of; None if it is none of ours."""
    try:
        with safe_open(str(path), framework="pt") as file:
            about = json.loads((file.metadata() or {}).get(HEADER, "null"))
    except (OSError, SafetensorError, json.JSONDecodeError):
        return None
    return about.get("kind") if isinstance(about, dict) else None


def config_of(kind: type[Config], record: object, path: Path) -> Config:
    """Settings (a dataclass) from a file's header, refusing what is unknown or of another type."""
    try:
        if not isinstance(record, dict):
            raise TypeError(f"not a record: {record}")
        config = kind(**record)
        for field in fields(kind):  # type: ignore[arg-type]
            value, wanted = getattr(config, field.name), NUMBERS.get(field.type, (str,))
            if type(value) not in wanted:
                raise TypeError(f"{field.name} is {value!r}")
    except (TypeError, ValueError) as error:
        raise InputError(f"{path}: does not say what it holds: {_one_line(error)}") from error
    return config


def fitted(make: Callable[[], Network], weights: dict[str, Tensor], path: Path) -> Network:
    """The network with these weights; halved ones become whole again."""
    with torch.device("meta"):  # shapes only, so that a wrong file costs no memory
        network = make()
    weights = {name: value.float() if value.is_floating_point() else value for name, value in weights.items()}
    wanted = {name: value.shape for name, value in network.state_dict().items()}
    if wanted != {name: value.shape for name, value in weights.items()}:
        raise InputError(f"{path}: the weights do not fit the shape it names; the file is damaged")
    network.load_state_dict(weights, assign=True)
    return network.requires_grad_()


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
