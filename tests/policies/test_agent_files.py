"""Agents on disk: both kinds come back as they were, whole or in half the room."""

from pathlib import Path

import pytest
import torch

from brickbybrick.builders.register import WEIGHTS
from brickbybrick.errors import InputError
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.agent_files import Policy, load_agent, save_agent
from brickbybrick.policies.files import write_tensors
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy

POLICIES = {
    "b3": ActorCritic(ModelConfig(views=1, offsets=6, width=8)),
    "b3plus": SpatialPolicy(SpatialConfig(1, width=4, layers=3)),
}


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
