"""Networks on disk: tensors and what they are, together or not at all."""

from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from torch import nn

from brickbybrick.errors import InputError
from brickbybrick.policies.files import config_of, fitted, read_tensors, write_tensors


def test_tensors_of_every_kind_come_back_with_what_is_said_of_them(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    tensors = {
        "floats": torch.randn(3, 4),
        "halves": torch.randn(3).half(),
        "flags": torch.tensor([True, False]),
        "numbers": torch.arange(5),
        "bytes": torch.arange(7, dtype=torch.uint8),
        "none": torch.zeros(0, 9, dtype=torch.uint8),
        "turned": torch.arange(6).reshape(2, 3).T,  # not in a row in memory
    }
    write_tensors(path, "thing", {"colour": "red", "counts": [1, 2]}, tensors)
    again, about = read_tensors(path, "other", "thing")
    assert about == {"version": 1, "kind": "thing", "colour": "red", "counts": [1, 2]}
    assert again.keys() == tensors.keys()
    assert all(torch.equal(again[name], value) and again[name].dtype == value.dtype for name, value in tensors.items())


def test_what_is_no_file_of_ours_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not tensors")
    for name in ("text", "nothing"):
        with pytest.raises(InputError, match="cannot be read"):
            read_tensors(tmp_path / name, "thing")


@dataclass(frozen=True)
class Shape:
    width: int = 3
    rate: float = 0.5
    name: str = "a"


def test_settings_are_what_they_should_be(tmp_path: Path) -> None:
    assert config_of(Shape, {"width": 4, "rate": 1}, tmp_path) == Shape(4, 1)
    for record in (None, [], {"depth": 1}, {"width": 4.0}, {"width": True}, {"rate": "1"}, {"name": 3}):
        with pytest.raises(InputError, match="does not say what it holds") as error:
            config_of(Shape, record, tmp_path)
        assert "\n" not in str(error.value)


def test_weights_fit_the_network_or_are_refused(tmp_path: Path) -> None:
    """Halved ones become whole again, and can be trained on."""
    weights = {"weight": torch.randn(2, 3), "bias": torch.randn(2)}
    network = fitted(lambda: nn.Linear(3, 2), {name: value.half() for name, value in weights.items()}, tmp_path)
    assert torch.equal(network.weight, weights["weight"].half().float())
    assert network.weight.requires_grad
    for wrong in (
        {"weight": weights["weight"]},
        weights | {"more": torch.zeros(1)},
        weights | {"bias": torch.zeros(3)},
    ):
        with pytest.raises(InputError, match="the weights do not fit"):
            fitted(lambda: nn.Linear(3, 2), wrong, tmp_path)
