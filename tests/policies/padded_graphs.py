"""The readable oracle of `Graphs`: every graph has room for as many bricks, and every brick for as many neighbours."""

from dataclasses import dataclass

import torch
from torch import Tensor

from brickbybrick.policies.graph_network import placed_bricks


@dataclass(frozen=True)
class PaddedGraphs:
    """Every graph has room for as many bricks and every brick for as many neighbours."""

    nodes: Tensor  # (graph, brick, 4)
    neighbours: Tensor  # (graph, brick, neighbour) place of the neighbour among all bricks of all graphs
    contact: Tensor  # (graph, brick, neighbour, 1) 1 where there is a neighbour, else 0
    placed: Tensor  # (graph, brick, 1) 1 where there is a brick, else 0

    @classmethod
    def of(cls, nodes: Tensor, neighbours: Tensor, bricks: Tensor) -> "PaddedGraphs":
        """From the simulator's arrays: nodes (graph, brick, 4), neighbours (graph, brick, k) padded with -1, bricks
        (graph,)."""
        graphs, room, _ = nodes.shape
        own = torch.arange(graphs * room, device=nodes.device).reshape(graphs, room, 1)
        first = own - own % room
        # Where there is no neighbour a brick stands for itself: gradients of nothing then do not pile up in one place.
        near = torch.where(neighbours >= 0, neighbours.long() + first, own)
        contact = (neighbours >= 0)[..., None].float()
        return cls(nodes.float(), near, contact, placed_bricks(bricks, room)[..., None].float())

    def to_nodes(self, graph_values: Tensor) -> Tensor:
        return graph_values[:, None, :]

    def own_end(self, node_values: Tensor) -> Tensor:
        return node_values[:, :, None, :]

    def far_end(self, node_values: Tensor) -> Tensor:
        graphs, room, features = node_values.shape
        values = node_values.reshape(-1, features).index_select(0, self.neighbours.flatten())
        return values.reshape(graphs, room, -1, features)

    def sum_edges(self, edge_values: Tensor) -> Tensor:
        return (edge_values * self.contact).sum(dim=2)

    def count_edges(self) -> Tensor:
        return self.contact.sum(dim=2).clamp(min=1)

    def mean_nodes(self, node_values: Tensor) -> Tensor:
        return (node_values * self.placed).sum(dim=1) / self.placed.sum(dim=1)

    def pad(self, node_values: Tensor) -> Tensor:
        return node_values * self.placed
