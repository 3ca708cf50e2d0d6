"""The agent's network: masks, symmetries, and the same numbers from other programs."""

import pytest
import torch
from torch import Tensor, nn

from brickbybrick.geometry.relations import unpack_mask
from brickbybrick.policies import graph_network
from brickbybrick.policies.actor_critic import ActorCritic, ModelConfig, Sight
from brickbybrick.policies.graph_network import (
    Aggregation,
    GraphConfig,
    GraphLayer,
    PackedGraphs,
    PaddedGraphs,
    Room,
    with_loops,
)
from brickbybrick.targets.random_assembly import validity_data


@pytest.fixture(scope="module")
def states() -> tuple[Sight, Tensor]:
    """Random assemblies of 1 to 9 bricks with random pictures, and their exact masks."""
    data = validity_data(episodes=5, bricks=9, seed=3)
    packed = data.packed
    pictures = torch.rand((len(packed.bricks), 3, 14, 14), generator=torch.Generator().manual_seed(1)) > 0.5
    nodes = torch.from_numpy(packed.placed[:, :, :4].copy())
    nodes[torch.arange(9)[None, :] >= torch.from_numpy(packed.bricks)[:, None]] = 0
    sight = Sight(
        pictures,
        torch.arange(len(packed.bricks)),
        nodes,
        torch.from_numpy(packed.neighbours),
        torch.from_numpy(packed.bricks),
    )
    return sight, torch.from_numpy(unpack_mask(packed.words, data.rel))


def network(**options: object) -> ActorCritic:
    torch.manual_seed(0)
    return ActorCritic(ModelConfig(views=3, offsets=92, width=32, **options))  # type: ignore[arg-type]


VARIANTS = [{}, {"messages": "none"}, {"node_features": False}, {"edge_features": False}, {"aggregation": "mean"}]


@pytest.mark.parametrize("options", VARIANTS)
def test_all_layouts_give_the_same(
    states: tuple[Sight, Tensor], options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Packed graphs, the same with room to spare and with exactly enough, and padded ones."""
    sight, mask = states
    enough = Room(int(sight.bricks.sum()), int((sight.neighbours >= 0).sum()))
    results = []
    for room in (None, enough, Room(512, 2048), "padded"):
        if room == "padded":
            monkeypatch.setattr(graph_network.PackedGraphs, "of", lambda *state: PaddedGraphs.of(*state[:3]))
        else:
            sight = sight._replace(room=room)
        policy = network(**options)
        actions = torch.zeros((len(sight.bricks), 2), dtype=torch.int64)
        actions[:, 1] = mask[:, 0].int().argmax(dim=1)
        judgement = policy.judge(sight, mask.logical_or(actions_mask(mask, actions)), actions)
        (judgement.log_prob.sum() + judgement.entropy.sum() + judgement.value.sum()).backward()
        gradients = torch.cat([p.grad.flatten() for p in policy.parameters() if p.grad is not None])
        results.append([*judgement, gradients / gradients.abs().max()])
    packed, *others = results
    for other in others:
        for one, same in zip(packed, other, strict=True):
            torch.testing.assert_close(one, same, rtol=1e-5, atol=1e-5)


def test_too_little_room_is_an_error_and_not_a_wrong_result(states: tuple[Sight, Tensor]) -> None:
    sight, _ = states
    with pytest.raises(RuntimeError, match="out of bounds"):
        PackedGraphs.of(sight.nodes, sight.neighbours, sight.bricks, Room(100, 2048))


def actions_mask(mask: Tensor, actions: Tensor) -> Tensor:
    """The mask of the actions alone: a lone brick under a full one may have no valid offset."""
    only = torch.zeros_like(mask)
    only[torch.arange(len(actions)), actions[:, 0], actions[:, 1]] = True
    return only


def test_probabilities_are_two_masked_softmaxes(states: tuple[Sight, Tensor]) -> None:
    """Log p of every action against a brute-force computation; invalid ones have exactly probability 0."""
    sight, mask = states
    policy = network()
    bricks, offsets = mask.shape[1:]
    for state in range(0, len(mask), 3):
        pivots = torch.nonzero(mask[state].any(dim=1)).flatten()
        actions = torch.cartesian_prod(pivots, torch.arange(offsets))
        copies = Sight(sight.images, *(part[state].expand(len(actions), *part.shape[1:]) for part in sight[1:5]))
        with torch.no_grad():
            log_prob = policy.judge(copies, mask[state].expand(len(actions), -1, -1), actions).log_prob
            graphs, context, for_pivot, for_offset = policy.embed(
                Sight(sight.images, *(p[state][None] for p in sight[1:5]))
            )
            pivot_logits = policy.pivot_logits(graphs, context, for_pivot)[0].double()
            offset_logits = policy.offset_logits(graphs, context, for_offset, torch.arange(bricks)[None])[0].double()
        for (pivot, offset), found in zip(actions.tolist(), log_prob.exp().tolist(), strict=True):
            if not mask[state, pivot, offset]:
                assert found == 0
                continue
            by_hand = share(pivot_logits, mask[state].any(dim=1), pivot)
            by_hand *= share(offset_logits[pivot], mask[state, pivot], offset)
            assert found == pytest.approx(by_hand, rel=1e-4)
        assert log_prob.exp().sum().item() == pytest.approx(1, abs=1e-5)


def share(logits: Tensor, mask: Tensor, index: int) -> float:
    weights = logits.exp() * mask
    return float(weights[index] / weights.sum())


def test_draws_follow_the_probabilities_and_the_mask(states: tuple[Sight, Tensor]) -> None:
    sight, mask = states
    policy = network()
    one = Sight(sight.images, *(part[8:9] for part in sight[1:5]))
    many = Sight(one.images, *(part.expand(4000, *part.shape[1:]) for part in one[1:5]))
    torch.manual_seed(0)
    with torch.no_grad():
        choice = policy.act(many, mask[8:9].expand(4000, -1, -1))
    assert mask[8][choice.actions[:, 0], choice.actions[:, 1]].all()
    drawn = torch.bincount(choice.actions[:, 0], minlength=9) / 4000
    with torch.no_grad():
        graphs, context, for_pivot, _ = policy.embed(one)
        logits = policy.pivot_logits(graphs, context, for_pivot)
    wanted = torch.softmax(logits.masked_fill(~mask[8:9].any(-1), -torch.inf), dim=-1)[0]
    torch.testing.assert_close(drawn, wanted, rtol=0, atol=0.04)


@pytest.mark.parametrize("options", VARIANTS)
def test_renaming_the_bricks_renames_the_pivots(states: tuple[Sight, Tensor], options: dict[str, object]) -> None:
    """Any permutation that keeps the first brick permutes the pivots' logits and changes nothing else."""
    sight, _ = states
    policy = network(**options)
    order = torch.tensor([0, 4, 7, 2, 8, 1, 3, 6, 5])  # new place -> old place
    place = order.argsort()
    rows = [8, 17, 26]  # all nine bricks are placed
    neighbours = sight.neighbours[rows][:, order].long()
    renamed = torch.where(neighbours >= 0, place[neighbours.clamp(min=0)], -1).to(torch.int16)
    before = Sight(sight.images, *(part[rows] for part in sight[1:5]))
    after = before._replace(nodes=before.nodes[:, order], neighbours=renamed)
    with torch.no_grad():
        outputs = []
        for seen in (before, after):
            graphs, context, for_pivot, for_offset = policy.embed(seen)
            outputs.append(
                (
                    policy.pivot_logits(graphs, context, for_pivot),
                    policy.offset_logits(graphs, context, for_offset, torch.arange(9).expand(3, 9)),
                    policy.value(graphs, context, for_pivot, for_offset),
                )
            )
    (pivots, offsets, value), (new_pivots, new_offsets, new_value) = outputs
    torch.testing.assert_close(new_pivots, pivots[:, order], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(new_offsets, offsets[:, order], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(new_value, value, rtol=1e-4, atol=1e-5)


def test_only_node_features_know_where_the_model_is(states: tuple[Sight, Tensor]) -> None:
    sight, mask = states
    moved = sight._replace(nodes=sight.nodes + torch.tensor([5, -3, 2, 0], dtype=torch.int16))
    actions = torch.zeros((len(sight.bricks), 2), dtype=torch.int64)
    mask = mask | actions_mask(mask, actions)
    for options, changes in (({"node_features": False}, False), ({}, True)):
        policy = network(**options)
        with torch.no_grad():
            here, there = (policy.judge(seen, mask, actions) for seen in (sight, moved))
        assert (not torch.allclose(here.log_prob, there.log_prob, atol=1e-6)) == changes


def test_the_sizes_of_the_papers_agents() -> None:
    """About 0.42 million parameters for digits and 1.6 million elsewhere."""
    digits = sum(p.numel() for p in ActorCritic(ModelConfig(views=1, offsets=6, width=64)).parameters())
    others = sum(p.numel() for p in ActorCritic(ModelConfig(views=3, offsets=32, width=192)).parameters())
    assert digits == pytest.approx(0.42e6, rel=0.02)
    assert others == pytest.approx(1.6e6, rel=0.02)


@pytest.mark.parametrize("aggregation", ["sum", "mean"])
def test_a_round_of_messages_is_pytorch_geometrics_meta_layer(
    states: tuple[Sight, Tensor], aggregation: Aggregation
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

    sight, _ = states
    neighbours = with_loops(sight.neighbours, sight.bricks) if aggregation == "mean" else sight.neighbours
    graphs = PackedGraphs.of(sight.nodes, neighbours, sight.bricks)
    nodes, edges = torch.randn(len(graphs.slot), width), torch.randn(len(graphs.own), width)
    ours, our_edges = layer(graphs, nodes, edges)
    # Their source sends and their target receives; our brick looks at its neighbour.
    theirs, their_edges, _ = MetaLayer(Edge(), Node())(nodes, torch.stack([graphs.far, graphs.own]), edges)
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(our_edges, their_edges, rtol=1e-5, atol=1e-5)


@torch.no_grad()
def test_probabilities_are_those_that_actions_are_drawn_with(states: tuple[Sight, Tensor]) -> None:
    sight, mask = states
    policy = network()
    shares = policy.probabilities(sight, mask)
    possible = mask.any(dim=(1, 2))
    torch.testing.assert_close(shares.sum(dim=(1, 2)), possible.float())
    assert not shares[~mask].any()
    choice = policy.act(sight, mask)
    drawn = shares[torch.arange(len(shares)), choice.actions[:, 0], choice.actions[:, 1]]
    torch.testing.assert_close(drawn[possible].log(), choice.log_prob[possible], rtol=1e-4, atol=1e-4)
