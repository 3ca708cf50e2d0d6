"""Graph networks over the bricks placed.

The bricks and edges of all graphs of a batch lie one after the other, so that nothing is computed for what is not
there. Recorded kernels of a GPU need shapes that do not change: they get a fixed room that is known to be enough.
"""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import torch
from torch import Tensor, nn

from brickbybrick.errors import InputError, whole_number

Messages = Literal["graph", "none"]
Aggregation = Literal["sum", "mean"]
MOST_WIDTH, MOST_ROUNDS = 4_096, 100  # of a network that can be made at all
MOST_OFFSETS = 10_000
Variant = Literal["b3", "mlp", "no-node", "no-edge"]
# The paper's network and its ablations, as changes of a GraphConfig.
VARIANTS: dict[str, dict[str, Any]] = {
    "b3": {},
    "mlp": {"messages": "none"},
    "no-node": {"node_features": False},
    "no-edge": {"edge_features": False},
}


@dataclass(frozen=True, kw_only=True)
class GraphConfig:
    """The shape of a graph network."""

    width: int = 64
    """Features of an embedding: 64 for digits, 192 elsewhere in the paper."""
    rounds: int = 3
    """Rounds of messages."""
    messages: Messages = "graph"
    """none: the paper's MLP baseline, without message passing."""
    aggregation: Aggregation = "sum"
    """sum: a brick adds its neighbours' messages up, as in the paper. mean: it takes their mean, with one from itself
    among them, as in the paper's code."""
    node_features: bool = True
    """Whether bricks tell their pose."""
    edge_features: bool = True
    """Whether contacts tell the difference of poses."""

    def __post_init__(self) -> None:
        whole_number(self.width, "the width of a graph network", 1, MOST_WIDTH)
        whole_number(self.rounds, "the rounds of a graph network", 1, MOST_ROUNDS)
        for value, kind in ((self.messages, Messages), (self.aggregation, Aggregation)):
            if value not in get_args(kind):
                raise InputError(f"{value!r} is none of {', '.join(get_args(kind))}")


class Room(NamedTuple):
    """How many bricks and edges of all graphs of a batch fixed shapes hold."""

    nodes: int
    edges: int


@dataclass(frozen=True)
class Graphs:
    """The bricks of all graphs one after the other, and the edges between them.

    There may be room for more of them than there are; what is spare counts for nothing.
    """

    nodes: Tensor  # (node, 4)
    graph: Tensor  # (node,) which graph it belongs to
    slot: Tensor  # (node,) its place among the slots of all graphs, where each has as many
    placed: Tensor | None  # (node, 1) 1 for a brick, 0 for a spare one; None if none is spare
    own: Tensor  # (edge,) the node that it belongs to
    far: Tensor  # (edge,) its neighbour
    contact: Tensor | None  # (edge, 1) likewise
    bricks: Tensor  # (graph, 1) how many there are
    shape: tuple[int, int]  # graphs, room for bricks

    @classmethod
    def of(cls, nodes: Tensor, neighbours: Tensor, bricks: Tensor, room: Room | None = None) -> "Graphs":
        """From the simulator's arrays: nodes (graph, brick, 4), neighbours (graph, brick, k) padded with -1, bricks
        (graph,). Room fixes the shapes, and must be enough; it is as much as is needed if not given."""
        graphs, most, _ = nodes.shape
        there = placed_bricks(bricks, most).flatten()
        slot, placed = _places(there, room and room.nodes)
        graph, number = slot // most, there.cumsum(0) - 1
        near = neighbours.reshape(graphs * most, -1).index_select(0, slot).long()
        joined = near >= 0 if placed is None else (near >= 0) & (placed > 0)
        edge, contact = _places(joined.flatten(), room and room.edges)
        own = edge // near.shape[1]
        other = near.flatten().index_select(0, edge).clamp(min=0)
        far = number.index_select(0, other + graph.index_select(0, own) * most).clamp(min=0)
        packed = nodes.reshape(graphs * most, 4).index_select(0, slot).float()
        return cls(packed, graph, slot, placed, own, far, contact, bricks[:, None], (graphs, most))

    def to_nodes(self, graph_values: Tensor) -> Tensor:
        """Hands a value of each graph (graph, feature) to its nodes."""
        return graph_values.index_select(0, self.graph)

    def own_end(self, node_values: Tensor) -> Tensor:
        """For each edge the value of the brick that it belongs to."""
        return node_values.index_select(0, self.own)

    def far_end(self, node_values: Tensor) -> Tensor:
        """For each edge the value of the neighbour at its other end."""
        return node_values.index_select(0, self.far)

    def sum_edges(self, edge_values: Tensor) -> Tensor:
        """Sums over each node's edges."""
        return _sums(edge_values, self.contact, self.own, len(self.slot))

    def count_edges(self) -> Tensor:
        """How many edges each node has, at least 1."""
        return self.sum_edges(self.nodes.new_ones((len(self.own), 1))).clamp(min=1)

    def mean_nodes(self, node_values: Tensor) -> Tensor:
        """The mean over each graph's nodes, as (graph, feature)."""
        return _sums(node_values, self.placed, self.graph, self.shape[0]) / self.bricks

    def pad(self, node_values: Tensor) -> Tensor:
        """Node values as (graph, brick, ...), zero where there is no brick."""
        graphs, most = self.shape
        return _sums(node_values, self.placed, self.slot, graphs * most).reshape(graphs, most, -1)


def _places(flags: Tensor, room: int | None) -> tuple[Tensor, Tensor | None]:
    """Where flags (place,) are set, in order; with room for more, also 1 where that is so and 0 for the spare rest."""
    if room is None:
        return flags.nonzero().squeeze(1), None
    every = torch.arange(max(len(flags), room + 1), device=flags.device)
    count = flags.cumsum(0)
    # Flags that are not set all go to one place past the end. Spare places are different ones: a GPU adds slowly to one
    # and the same, be it nothing.
    places = (every[: room + 1] % len(flags)).scatter(0, torch.where(flags, count - 1, room), every[: len(flags)])
    return places[:room], (every[:room] < count[-1]).float()[:, None]


def _sums(values: Tensor, counts: Tensor | None, index: Tensor, number: int) -> Tensor:
    """The sums of values (value, feature) that belong to one index, (number, feature); spare ones count for nothing."""
    total = values.new_zeros((number, values.shape[-1]))
    return total.index_add(0, index, values if counts is None else values * counts)


def placed_bricks(bricks: Tensor, room: int) -> Tensor:
    """Where there is a brick (graph, brick), from how many there are (graph,) and how many there is room for."""
    return torch.arange(room, device=bricks.device)[None, :] < bricks[:, None]


def graphs_of(
    nodes: Tensor, neighbours: Tensor, bricks: Tensor, aggregation: Aggregation, room: Room | None = None
) -> Graphs:
    """The graphs as a network reads them: where messages are averaged, every brick is its own neighbour too."""
    if aggregation == "mean":
        placed = placed_bricks(bricks, nodes.shape[1])
        own = torch.arange(nodes.shape[1], device=nodes.device, dtype=neighbours.dtype).expand_as(placed)
        neighbours = torch.cat([own.where(placed, -1)[..., None], neighbours], dim=-1)  # (graph, brick, k + 1)
        room = room and Room(room.nodes, room.edges + room.nodes)
    return Graphs.of(nodes, neighbours, bricks, room)


class SplitLinear(nn.Module):
    """A linear layer on several inputs put side by side, each of which may be at another place.

    The product with [a, b] is that with a plus that with b, so what belongs to a graph or a brick is multiplied once
    for it, before it is handed to many bricks or edges.
    """

    def __init__(self, *inputs: int, outputs: int) -> None:
        super().__init__()
        whole = nn.Linear(sum(inputs), outputs)  # initialised as one layer
        self.weights = nn.ParameterList(
            part.clone() for part in torch.split(whole.weight.detach(), list(inputs), dim=1)
        )
        self.bias = nn.Parameter(whole.bias.detach())

    def part(self, index: int, values: Tensor) -> Tensor:
        """The product with one of the inputs; the bias comes with the first."""
        return nn.functional.linear(values, self.weights[index], self.bias if index == 0 else None)


class GraphLayer(nn.Module):
    """One round: e_ij' = relu(W [v_i, v_j, e_ij]), then v_i' = relu(W [v_i, sum (or mean) of e_ij'])."""

    def __init__(self, config: GraphConfig) -> None:
        super().__init__()
        width, self.aggregation = config.width, config.aggregation
        self.edge = SplitLinear(width, width, width, outputs=width) if config.messages == "graph" else None
        inputs = [width, width] if config.messages == "graph" else [width]
        self.node = SplitLinear(*inputs, outputs=width)

    def forward(self, graphs: Graphs, nodes: Tensor, edges: Tensor | None) -> tuple[Tensor, Tensor | None]:
        if self.edge is None or edges is None:
            return torch.relu(self.node.part(0, nodes)), edges
        ends = graphs.own_end(self.edge.part(0, nodes)) + graphs.far_end(self.edge.part(1, nodes))
        edges = torch.relu(ends + self.edge.part(2, edges))
        received = graphs.sum_edges(edges)
        if self.aggregation == "mean":
            received = received / graphs.count_edges()
        return torch.relu(self.node.part(0, nodes) + self.node.part(1, received)), edges


class GraphNetwork(nn.Module):
    """A stack of rounds."""

    def __init__(self, config: GraphConfig) -> None:
        super().__init__()
        self.rounds = nn.ModuleList([GraphLayer(config) for _ in range(config.rounds)])

    def forward(self, graphs: Graphs, nodes: Tensor, edges: Tensor | None) -> Tensor:
        for layer in self.rounds:
            nodes, edges = layer(graphs, nodes, edges)
        return nodes


class GraphEmbedding(nn.Module):
    """First embeddings of bricks and contacts: v_i = MLP [v_i, z] and e_ij = MLP [e_ij, z], three layers each. z, of
    `context` features, is what is known of the whole graph."""

    def __init__(self, config: GraphConfig, context: int = 0) -> None:
        super().__init__()
        width, self.node_features, self.edge_features = config.width, config.node_features, config.edge_features
        inputs = [4, context] if context else [4]
        self.node = SplitLinear(*inputs, outputs=width)
        self.node_rest = _rest(width)
        self.edge = SplitLinear(*inputs, outputs=width) if config.messages == "graph" else None
        self.edge_rest = _rest(width) if config.messages == "graph" else None

    def forward(self, graphs: Graphs, context: Tensor | None) -> tuple[Tensor, Tensor | None]:
        poses = graphs.nodes * float(self.node_features)
        nodes = self.node.part(0, poses)
        if context is not None:
            nodes = nodes + graphs.to_nodes(self.node.part(1, context))
        if self.edge is None or self.edge_rest is None:
            return self.node_rest(nodes), None
        difference = graphs.own_end(graphs.nodes) - graphs.far_end(graphs.nodes)
        turned = difference[..., 3:].abs()  # 1 where the directions differ
        edges = self.edge.part(0, torch.cat([difference[..., :3], turned], dim=-1) * float(self.edge_features))
        if context is not None:
            edges = edges + graphs.own_end(graphs.to_nodes(self.edge.part(1, context)))
        return self.node_rest(nodes), self.edge_rest(edges)


def _rest(width: int) -> nn.Sequential:
    """What follows the first of three layers."""
    return nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
