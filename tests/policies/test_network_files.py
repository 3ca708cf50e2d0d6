"""What an agent's file says of itself is checked before a network is made."""

import json
import struct
import time
from pathlib import Path
from typing import Any

import pytest
import torch

from brickbybrick.builders.register import WEIGHTS
from brickbybrick.errors import InputError
from brickbybrick.learning.imitation import ImitationConfig, Imitator
from brickbybrick.learning.learner import load_run, save_run
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.files import HEADER, load_agent, save_agent
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy
from brickbybrick.policies.validity_network import ValidityConfig, ValidityNetwork, load_network, save_network
from brickbybrick.targets.random_assembly import assembled_targets


def change(path: Path, *keys: str, value: Any) -> None:
    """Changes what a file's header says, and leaves its tensors."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    about = json.loads(header["__metadata__"][HEADER])
    *path_to, last = keys
    record = about
    for key in path_to:
        record = record[key]
    record[last] = value
    header["__metadata__"][HEADER] = json.dumps(about)
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data[8 + length :])


def refused(load: Any, path: Path) -> str:
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        load(path)
    assert time.process_time() - start < 5
    message = str(caught.value).replace(str(path), "")
    assert "\n" not in message
    assert len(message) < 400
    return message


def agent(path: Path) -> None:
    model = ModelConfig(views=1, offsets=6, width=8, rounds=1)
    save_agent(path, "me", ActorCritic(model), {"task": "mnist-3", "width": 8}, 7)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("model", "rounds"), 10**9),
        (("model", "rounds"), 0),
        (("model", "width"), 10**30),
        (("model", "width"), 10**400),
        (("model", "width"), -64),
        (("model", "width"), 8.0),
        (("model", "width"), True),
        (("model", "views"), -3),
        (("model", "views"), 10**9),
        (("model", "offsets"), 10**12),
        (("model", "frame"), "sky"),
        (("model", "messages"), "a" * 100_000),
        (("model", "messages"), []),
        (("model", "surprise"), 1),
        (("model",), None),
        (("model",), [1] * 100_000),
        (("steps",), "many"),
        (("steps",), -1),
        (("agent",), None),
        (("agent",), "a" * 100_000),
        (("version",), "a" * 100_000),
        (("kind",), ["agent"]),
    ],
)
def test_an_agent_that_claims_what_cannot_be(tmp_path: Path, where: tuple[str, ...], value: object) -> None:
    path = tmp_path / "agent.safetensors"
    agent(path)
    assert load_agent(path).steps == 7
    change(path, *where, value=value)
    refused(load_agent, path)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("config", "batch"), 0),
        (("config", "epochs"), 10**30),
        (("config", "learning_rate"), 10**400),
        (("config", "learning_rate"), "fast"),
        (("config", "surprise"), "a" * 100_000),
        (("config", "a" * 100_000), 1),
        (("config",), {}),
        (("config",), {str(number): number for number in range(10_000)}),
        (("config",), [1] * 100_000),
        (("steps",), "many"),
        (("steps",), -1),
    ],
)
def test_a_run_that_claims_what_cannot_be(tmp_path: Path, where: tuple[str, ...], value: object) -> None:
    """Its settings are those of the run that is to go on, or it is of another one."""
    path = tmp_path / "checkpoint.safetensors"
    learner = Imitator(ImitationConfig(epochs=1, width=8), assembled_targets(1))
    save_run(path, learner)
    load_run(path, learner)
    change(path, *where, value=value)
    refused(lambda path: load_run(path, learner), path)


@pytest.mark.parametrize("value", [None, [1] * 100_000, {"minibatches": 0}, {"learning_rate": 10**400}, "fast"])
def test_how_an_agent_was_trained_does_not_matter_to_what_it_builds(tmp_path: Path, value: object) -> None:
    """Whatever is told of it: the network is what the weights are, and the rest is a record for people."""
    path = tmp_path / "agent.safetensors"
    agent(path)
    before = load_agent(path)
    change(path, "config", value=value)
    after = load_agent(path)
    assert after.training == (value if isinstance(value, dict) else {})
    assert (after.name, after.steps, after.policy.config) == (before.name, before.steps, before.policy.config)


def test_other_networks_that_claim_what_cannot_be(tmp_path: Path) -> None:
    spatial, validity = tmp_path / "spatial", tmp_path / "validity"
    for name, value in (("views", -1), ("views", 2), ("width", 10**30), ("layers", 10**9), ("layers", 0)):
        save_agent(spatial, "b3plus", SpatialPolicy(SpatialConfig(width=4, layers=1)), {}, 0)
        assert load_agent(spatial).policy.config.width == 4
        change(spatial, "model", name, value=value)
        refused(load_agent, spatial)
    for name, value in (("rounds", 10**9), ("width", 10**30), ("offsets", 10**12), ("near_edges", 1)):
        save_network(ValidityNetwork(ValidityConfig(width=4, rounds=1)), validity)
        assert load_network(validity).config.width == 4
        change(validity, "config", name, value=value)
        refused(load_network, validity)


def test_headers_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "agent.safetensors"
    deep = b'{"__metadata__": {"brickbybrick": "' + b"[" * 100_000 + b'"}}'
    huge = b'{"__metadata__": {"brickbybrick": "' + b" " * 50_000_000 + b'"}}'
    for text in (b"", b"[]", b"[" * 100_000, b"1" * 5_000, b'{"__metadata__": 7}', deep, huge):
        path.write_bytes(struct.pack("<Q", len(text)) + text)
        refused(load_agent, path)
    for data in (b"", b"\xff" * 8, b"\xff" * 100, (WEIGHTS / "mnist-3-b3.safetensors").read_bytes()[:5_000]):
        path.write_bytes(data)
        refused(load_agent, path)


def test_weights_that_are_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "agent.safetensors"
    policy = ActorCritic(ModelConfig(views=1, offsets=6, width=8, rounds=1))
    with torch.no_grad():
        policy.pivot_head.bias.fill_(torch.nan)
    save_agent(path, "me", policy, {}, 7)
    assert "no numbers" in refused(load_agent, path)
