"""Graphs of bricks: every layout gives the same numbers, and a round of messages is another program's."""

import pytest
import torch
from policies.networks import VARIANTS, actions_mask, network
from policies.padded_graphs import PaddedGraphs
from torch import Tensor, nn

from brickbybrick.policies import graph_network
from brickbybrick.policies.actor_critic import Observation
from brickbybrick.policies.graph_network import (
    Aggregation,
    GraphConfig,
    GraphLayer,
    Graphs,
    Room,
    graphs_of,
)


@pytest.mark.parametrize("options", VARIANTS)
def test_all_layouts_give_the_same(
    states: tuple[Observation, Tensor], options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Packed graphs, the same with room to spare and with exactly enough, and padded ones."""
    seen, mask = states
    enough = Room(int(seen.bricks.sum()), int((seen.neighbours >= 0).sum()))
    results = []
    for room in (None, enough, Room(512, 2048), "padded"):
        if room == "padded":
            monkeypatch.setattr(graph_network.Graphs, "of", lambda *state: PaddedGraphs.of(*state[:3]))
        else:
            seen = seen._replace(room=room)
        policy = network(**options)
        actions = torch.zeros((len(seen.bricks), 2), dtype=torch.int64)
        actions[:, 1] = mask[:, 0].int().argmax(dim=1)
        judgement = policy.judge(seen, mask.logical_or(actions_mask(mask, actions)), actions)
        (judgement.log_prob.sum() + judgement.entropy.sum() + judgement.value.sum()).backward()
        gradients = torch.cat([p.grad.flatten() for p in policy.parameters() if p.grad is not None])
        results.append([*judgement, gradients / gradients.abs().max()])
    packed, *others = results
    for other in others:
        for one, same in zip(packed, other, strict=True):
            torch.testing.assert_close(one, same, rtol=1e-5, atol=1e-5)


def test_too_little_room_is_an_error_and_not_a_wrong_result(states: tuple[Observation, Tensor]) -> None:
    seen, _ = states
    with pytest.raises(RuntimeError, match="out of bounds"):
        Graphs.of(seen.nodes, seen.neighbours, seen.bricks, Room(100, 2048))


@pytest.mark.parametrize("aggregation", ["sum", "mean"])
def test_a_round_of_messages_is_pytorch_geometrics_meta_layer(
    states: tuple[Observation, Tensor], aggregation: Aggregation
) -> None:
    from torch_geometric.nn import MetaLayer
    from torch_geometric.utils import scatter

    torch.manual_seed(1)
    layer, width = GraphLayer(GraphConfig(width=16, aggregation=aggregation)), 16
    assert layer.edge is not None

    class Edge(nn.Module):
        def forward(self, source: Tensor, target: Tensor, edge: Tensor, *_: object) -> Tensor:
            weight = torch.cat(list(layer.edge.weights), dim=1)  # type: ignore[union-attr]
            return torch.relu(torch.cat([target, source, edge], dim=1) @ weight.T + layer.edge.bias)  # type: ignore[union-attr]

    class Node(nn.Module):
        def forward(self, nodes: Tensor, index: Tensor, edge: Tensor, *_: object) -> Tensor:
            total = scatter(edge, index[1], dim=0, dim_size=len(nodes), reduce=aggregation)
            weight = torch.cat(list(layer.node.weights), dim=1)
            return torch.relu(torch.cat([nodes, total], dim=1) @ weight.T + layer.node.bias)

    seen, _ = states
    graphs = graphs_of(seen.nodes, seen.neighbours, seen.bricks, aggregation)
    nodes, edges = torch.randn(len(graphs.slot), width), torch.randn(len(graphs.own), width)
    ours, our_edges = layer(graphs, nodes, edges)
    # Their source sends and their target receives; our brick looks at its neighbour.
    theirs, their_edges, _ = MetaLayer(Edge(), Node())(nodes, torch.stack([graphs.far, graphs.own]), edges)
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(our_edges, their_edges, rtol=1e-5, atol=1e-5)
