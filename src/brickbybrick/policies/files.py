"""Networks on disk: a safetensors file whose header says what the tensors are, so that the two stay together."""

import json
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor, nn

from brickbybrick.errors import InputError, shown
from brickbybrick.files import opened, parsed_json, write_whole

VERSION = 1
HEADER = "brickbybrick"  # the entry of the file's metadata that is ours
MOST_HEADER = 1_000_000  # bytes; the largest of ours has thirty thousand
MOST_TEXT = 300  # characters of a setting
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


def fitted(make: Callable[[], Network], weights: dict[str, Tensor], path: Path) -> Network:
    """The network with these weights; halved ones become whole again."""
    with torch.device("meta"):  # shapes only, so that a wrong file costs no memory
        network = make()
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
