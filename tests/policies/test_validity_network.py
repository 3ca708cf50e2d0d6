"""The validity network: its layouts agree, bricks' names do not matter, tasks find their offsets, files are checked."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from policies.padded_graphs import PaddedGraphs
from safetensors.torch import save_file
from torch import Tensor

from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import OFFSET_SETS, offset_set
from brickbybrick.learning.validity import States, states_of
from brickbybrick.policies.graph_network import Graphs
from brickbybrick.policies.validity_network import (
    ValidityConfig,
    ValidityNetwork,
    load_network,
    save_network,
    subset_of,
)
from brickbybrick.targets.random_assembly import validity_data

VARIANTS = {
    "paper": ValidityConfig(),
    "mlp": ValidityConfig(messages="none"),
    "no node": ValidityConfig(node_features=False),
    "no edge": ValidityConfig(edge_features=False),
    "near": ValidityConfig(near_edges=True),
}
variants = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS.keys())


def some_states(near_edges: bool = False) -> States:
    return states_of(validity_data(5, 12, seed=3), near_edges)


def network_of(config: ValidityConfig) -> ValidityNetwork:
    torch.manual_seed(0)
    return ValidityNetwork(config)


@variants
@torch.no_grad()
def test_both_layouts_give_the_same_logits(config: ValidityConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    states, network = some_states(config.near_edges), network_of(config)
    packed = network(*states[:3])
    monkeypatch.setattr(Graphs, "of", lambda *state: PaddedGraphs.of(*state[:3]))
    padded = network(*states[:3])
    assert [tuple(logits.shape) for logits in packed] == [(60, 12), (60, 12, 92)]
    for one, other in zip(packed, padded, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=0)
        assert not one[~states.placed()].any()  # nothing is said of bricks that are not there


@variants
@torch.no_grad()
def test_renaming_the_bricks_permutes_the_logits(config: ValidityConfig) -> None:
    states, network = some_states(config.near_edges), network_of(config)
    last = states.rows(torch.arange(11, 60, 12))  # the whole assemblies
    name = np.random.default_rng(0).permuted(np.tile(np.arange(1, 12), (5, 1)), axis=1)
    name = torch.from_numpy(np.concatenate([np.zeros((5, 1), int), name], axis=1))  # (state, brick) the new names
    pivots, offsets = network(*last[:3])
    new_pivots, new_offsets = network(*renamed(last, name)[:3])
    assert (name != torch.arange(12)).any()
    torch.testing.assert_close(new_pivots.gather(1, name), pivots, atol=1e-5, rtol=0)
    torch.testing.assert_close(new_offsets.gather(1, name[..., None].expand(-1, -1, 92)), offsets, atol=1e-5, rtol=0)


def renamed(states: States, name: Tensor) -> States:
    """The same assemblies with their bricks in another order."""
    old = name.argsort(dim=1)  # (state, brick) the old names
    nodes = states.nodes.gather(1, old[..., None].expand_as(states.nodes))
    neighbours = states.neighbours.gather(1, old[..., None].expand_as(states.neighbours)).long()
    flat = name.gather(1, neighbours.clamp(min=0).flatten(1)).reshape(neighbours.shape)
    return states._replace(nodes=nodes, neighbours=torch.where(neighbours < 0, -1, flat))


@torch.no_grad()
def test_only_the_variant_without_nodes_does_not_see_where_the_model_stands() -> None:
    states = some_states()
    moved = states._replace(nodes=states.nodes + torch.tensor([5, -3, 2, 0], dtype=torch.int16))
    for name, config in VARIANTS.items():
        network = network_of(config)
        here, there = (network(*each[:3])[1] for each in (states, moved))
        assert torch.allclose(here, there, atol=1e-5) == (name == "no node")


@pytest.mark.parametrize("name", OFFSET_SETS)
def test_a_task_finds_its_offsets_among_all(name: str) -> None:
    every, wanted = offset_set("all").offsets, offset_set(name).offsets
    assert [every[index] for index in subset_of(offset_set(name)).tolist()] == list(wanted)


@torch.no_grad()
def test_a_mask_holds_the_offsets_above_one_half() -> None:
    states, network = some_states(), network_of(ValidityConfig())
    subset = subset_of(offset_set("modelnet"))
    mask = network.mask(*states[:3], subset)
    confidence = network(*states[:3])[1].sigmoid()[..., subset]
    assert mask.shape == (60, 12, 32)
    assert mask.any()
    assert torch.equal(mask, (confidence > 0.5) & states.placed()[..., None])


@variants
@torch.no_grad()
def test_a_network_comes_back_from_its_file(config: ValidityConfig, tmp_path: Path) -> None:
    states, network = some_states(config.near_edges), network_of(config)
    save_network(network, tmp_path / "new" / "network.safetensors")
    again = load_network(tmp_path / "new" / "network.safetensors")
    assert again.config == config
    assert all(weight.requires_grad for weight in again.parameters())
    weights = network.state_dict()
    assert all(torch.equal(value, weights[name]) for name, value in again.state_dict().items())
    torch.testing.assert_close(again(*states[:3]), network(*states[:3]), atol=1e-6, rtol=0)


def test_a_bad_file_gives_one_line(tmp_path: Path) -> None:
    path = tmp_path / "network.safetensors"
    network = ValidityNetwork(ValidityConfig(width=8))
    save_network(network, path)
    whole = path.read_bytes()
    weights = {name: value.clone() for name, value in network.state_dict().items()}
    config = {"width": 8}

    def save_as(**changes: object) -> None:
        about = {"version": 1, "kind": "validity network", "config": config} | changes
        save_file(weights, path, metadata={"brickbybrick": json.dumps(about)})

    def fails(says: str) -> None:
        with pytest.raises(InputError, match=says) as error:
            load_network(path)
        assert "\n" not in str(error.value)

    for length in (0, 5, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        fails("cannot be read")
    path.write_text("not weights at all")
    fails("cannot be read")
    path.unlink()
    fails("cannot be read")
    save_file(weights, path)
    fails("holds no validity network")
    save_as(kind="agent")
    fails("holds no validity network")
    save_as(version=99)
    fails("version 99")
    for wrong in ("", [], 3, {"colour": 1}, {"width": "8"}, {"width": 8.5}, {"width": -1}, {"messages": "x"}):
        save_as(config=wrong)
        fails("does not say what it holds")
    for changes in ({"width": 16}, {"rounds": 2}, {"offsets": 6}, {"messages": "none"}, {"width": 4096}):
        save_as(config=config | changes)
        fails("do not fit")


@pytest.mark.parametrize("changes", [{"width": 0}, {"rounds": 0}, {"offsets": 0}, {"messages": "many"}])
def test_impossible_shapes_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InputError):
        ValidityConfig(**changes)  # type: ignore[arg-type]
