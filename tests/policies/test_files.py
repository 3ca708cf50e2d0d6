"""Networks on disk: tensors and what they are, together or not at all; agents come back as they were, whole or in half
the room."""

from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from torch import nn

from brickbybrick.builders.register import WEIGHTS
from brickbybrick.errors import InputError
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.files import (
    VOLUME,
    Policy,
    config_of,
    fitted,
    load_agent,
    read_tensors,
    save_agent,
    write_tensors,
)
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy

POLICIES = {
    "b3": ActorCritic(ModelConfig(views=1, offsets=6, width=8)),
    "b3plus": SpatialPolicy(SpatialConfig(1, width=4, layers=3)),
}


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
    network = fitted(
        lambda size: nn.Linear(*size), (3, 2), {name: value.half() for name, value in weights.items()}, tmp_path
    )
    assert torch.equal(network.weight, weights["weight"].half().float())
    assert network.weight.requires_grad
    for wrong in (
        {"weight": weights["weight"]},
        weights | {"more": torch.zeros(1)},
        weights | {"bias": torch.zeros(3)},
    ):
        with pytest.raises(InputError, match="the weights do not fit"):
            fitted(lambda size: nn.Linear(*size), (3, 2), wrong, tmp_path)


@pytest.mark.parametrize(("name", "policy"), POLICIES.items(), ids=POLICIES)
def test_an_agent_comes_back_from_disk(name: str, policy: Policy, tmp_path: Path) -> None:
    save_agent(tmp_path / "agent.safetensors", name, policy, {"task": "mnist", "epochs": 3}, 7)
    saved = load_agent(tmp_path / "agent.safetensors")
    assert (saved.name, saved.training, saved.steps) == (name, {"task": "mnist", "epochs": 3}, 7)
    assert type(saved.policy) is type(policy)
    assert saved.policy.config == policy.config
    for one, other in zip(policy.state_dict().values(), saved.policy.state_dict().values(), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize(("name", "policy"), POLICIES.items(), ids=POLICIES)
def test_half_the_precision_takes_half_the_room(name: str, policy: Policy, tmp_path: Path) -> None:
    """And loses no more than a half-precision number has digits for: 11 bits."""
    for half in (False, True):
        save_agent(tmp_path / f"{half}.safetensors", name, policy, {}, 0, half)
    numbers = sum(weight.numel() for weight in policy.parameters())
    whole, halved = ((tmp_path / f"{half}.safetensors").stat().st_size for half in (False, True))
    assert whole - halved == pytest.approx(2 * numbers, abs=600)  # but for the headers
    saved = load_agent(tmp_path / "True.safetensors").policy
    for one, other in zip(policy.parameters(), saved.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=2**-11, atol=2**-24)


def test_what_comes_with_the_package_says_what_it_was_trained_for() -> None:
    """A file's name is its task and its agent."""
    files = sorted(WEIGHTS.glob("*.safetensors"))
    assert files
    for path in files:
        saved = load_agent(path)
        assert path.stem == f"{saved.training['task']}-{saved.name}"
        assert saved.steps > 0
        if saved.name != VOLUME:  # which is of three views whatever it learned from
            assert saved.policy.config.views == (1 if path.stem.startswith("mnist") else 3)


def test_a_file_of_something_else_gives_one_line(tmp_path: Path) -> None:
    path = tmp_path / "agent.safetensors"
    for kind, about, says in (
        ("validity network", {}, "holds no agent or run"),
        ("agent", {"agent": "b3", "model": {"colour": 1}}, "does not say what it holds"),
        ("agent", {"agent": "b3plus", "model": {"views": 1, "width": 4, "layers": 3}}, "do not fit"),
    ):
        write_tensors(path, kind, about, {"policy.weight": torch.zeros(1)})
        with pytest.raises(InputError, match=says) as error:
            load_agent(path)
        assert "\n" not in str(error.value)
