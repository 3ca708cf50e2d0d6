"""The validity network: which bricks can be a pivot and which offsets are free, guessed from the graph alone.

It is the agent's two graph networks without a target, so one network serves every task. How it is trained and how good
it is are `learning.validity`'s business.
"""

from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from brickbybrick.errors import whole_number
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.policies.files import config_of, fitted, read_tensors, write_tensors
from brickbybrick.policies.graph_network import MOST_OFFSETS, GraphConfig, GraphEmbedding, GraphNetwork, Room, graphs_of

SHIPPED = Path(__file__).parent.parent / "weights" / "validity.safetensors"  # comes with the package
KIND = "validity network"


@dataclass(frozen=True, kw_only=True)
class ValidityConfig(GraphConfig):
    """The shape of a validity network."""

    offsets: int = 92
    """Joints it judges: all of a brick's, so that every task finds its own among them."""
    near_edges: bool = False
    """Whether bricks that are near but not joined are edges too; the paper has stud contacts alone."""

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number(self.offsets, "the offsets of a validity network", 1, MOST_OFFSETS)


class ValidityNetwork(nn.Module):
    """A confidence for each brick as a pivot and for each of its offsets, as logits."""

    def __init__(self, config: ValidityConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = GraphEmbedding(config)
        self.pivot_network = GraphNetwork(config)
        self.offset_network = GraphNetwork(config)
        self.pivot_head = nn.Linear(config.width, 1)
        self.offset_head = nn.Linear(config.width, config.offsets)

    def forward(
        self, nodes: Tensor, neighbours: Tensor, bricks: Tensor, room: Room | None = None
    ) -> tuple[Tensor, Tensor]:
        """The logits of the pivots (state, brick) and of their offsets (state, brick, offset).

        Args:
            nodes: Centres relative to the first brick's, and directions (state, brick, 4).
            neighbours: Bricks at the other ends of a brick's edges, padded with -1 (state, brick, neighbour).
            bricks: How many bricks are placed (state,); where there is none, logits are 0.
            room: Enough for all of them, where shapes must not change.
        """
        graphs = graphs_of(nodes, neighbours, bricks, self.config.aggregation, room)
        embedded, edges = self.embedding(graphs, None)
        pivots = self.pivot_head(self.pivot_network(graphs, embedded, edges))
        offsets = self.offset_head(self.offset_network(graphs, embedded, edges))
        return graphs.pad(pivots).squeeze(-1), graphs.pad(offsets)

    @torch.no_grad()
    def mask(
        self, nodes: Tensor, neighbours: Tensor, bricks: Tensor, subset: Tensor, room: Room | None = None
    ) -> Tensor:
        """The actions taken for valid, (state, brick, offset of the subset), from what `forward` takes and `subset_of`.

        A pivot counts as valid when any offset of the subset does, whatever the pivot head says: it was trained on all
        offsets, and a task has fewer.
        """
        _, offsets = self(nodes, neighbours, bricks, room)
        allowed: Tensor = offsets.index_select(-1, subset) > 0  # a logit of 0 is a confidence of 0.5
        return allowed


def subset_of(offsets: OffsetSet) -> Tensor:
    """The places of a task's offsets among all joints of the same bricks, (offset,)."""
    every = offset_set("all", offsets.brick).offsets
    return torch.tensor([every.index(offset) for offset in offsets.offsets])


def save_network(network: ValidityNetwork, path: Path) -> None:
    """Writes a network's weights and shape."""
    write_tensors(path, KIND, {"config": asdict(network.config)}, network.state_dict())


def load_network(path: Path, device: str = "cpu") -> ValidityNetwork:
    """Reads a network that `save_network` wrote."""
    weights, about = read_tensors(path, KIND)
    config = config_of(ValidityConfig, about.get("config"), path)
    return fitted(ValidityNetwork, config, weights, path).to(device)
