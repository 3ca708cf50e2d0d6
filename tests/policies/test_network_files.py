"""What an agent's file says of itself is checked before a network is made."""

import json
import struct
import time
from pathlib import Path
from typing import Any

import pytest
import torch

from brickbybrick.errors import InputError
from brickbybrick.learning.checkpoint import SHIPPED_AGENTS, load_agent, save_agent
from brickbybrick.learning.config import TrainConfig
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig
from brickbybrick.policies.files import HEADER, kind_of
from brickbybrick.policies.spatial import SpatialConfig, SpatialPolicy, load_spatial, save_spatial
from brickbybrick.policies.validity_network import ValidityConfig, ValidityNetwork, load_network, save_network


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
    save_agent(path, "me", ActorCritic(model), TrainConfig(task="mnist-3", width=8, rounds=1), 7)


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
        (("config", "minibatches"), 0),
        (("config", "num_envs"), 10**30),
        (("config", "learning_rate"), 10**400),
        (("config", "reward"), "praise"),
        (("config", "task"), 3),
        (("config",), {}),
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


def test_other_networks_that_claim_what_cannot_be(tmp_path: Path) -> None:
    spatial, validity = tmp_path / "spatial", tmp_path / "validity"
    for name, value in (("views", -1), ("views", 2), ("width", 10**30), ("layers", 10**9), ("layers", 0)):
        save_spatial(spatial, SpatialPolicy(SpatialConfig(width=4, layers=1)), {})
        assert load_spatial(spatial).config.width == 4
        change(spatial, "model", name, value=value)
        refused(load_spatial, spatial)
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
        assert kind_of(path) is None
    for data in (b"", b"\xff" * 8, b"\xff" * 100, (SHIPPED_AGENTS / "mnist-3-b3.safetensors").read_bytes()[:5_000]):
        path.write_bytes(data)
        refused(load_agent, path)


def test_weights_that_are_no_numbers(tmp_path: Path) -> None:
    path = tmp_path / "agent.safetensors"
    model, config = ModelConfig(views=1, offsets=6, width=8, rounds=1), TrainConfig(task="mnist-3", width=8, rounds=1)
    policy = ActorCritic(model)
    with torch.no_grad():
        policy.pivot_head.bias.fill_(torch.nan)
    save_agent(path, "me", policy, config, 7)
    assert "no numbers" in refused(load_agent, path)
