"""The validity network: which bricks can be a pivot and which offsets are free, guessed from the graph alone.

It is the agent's two graph networks without a target, so one network serves every task. How it is trained and how good
it is are `learning.validity`'s business.
"""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import get_args

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from brickbybrick.construction import write_whole
from brickbybrick.errors import InputError
from brickbybrick.geometry.offsets import OffsetSet, offset_set
from brickbybrick.policies.graph_network import GraphEmbedding, GraphNetwork, Graphs, Messages, graphs_of

SHIPPED = Path(__file__).parent.parent / "weights" / "validity.safetensors"  # comes with the package
KIND = "brickbybrick validity network"
SCHEMA = 1


@dataclass(frozen=True)
class ValidityConfig:
    """The shape of a validity network."""

    offsets: int = 92
    """Joints it judges: all of a brick's, so that every task finds its own among them."""
    width: int = 64
    """Features of an embedding."""
    rounds: int = 3
    """Rounds of messages."""
    messages: Messages = "graph"
    """"none" makes it the paper's MLP baseline: no message passing."""
    node_features: bool = True
    """Whether bricks tell their pose."""
    edge_features: bool = True
    """Whether edges tell the difference of poses."""
    near_edges: bool = False
    """Whether bricks that are near but not joined are edges too; the paper has stud contacts alone."""

    def __post_init__(self) -> None:
        if min(self.offsets, self.width, self.rounds) < 1:
            raise InputError("a validity network needs at least 1 offset, width 1 and 1 round")
        if self.messages not in get_args(Messages):
            raise InputError(f"no messages named {self.messages!r}: choose one of {', '.join(get_args(Messages))}")


class ValidityNetwork(nn.Module):
    """A confidence for each brick as a pivot and for each of its offsets, as logits."""

    def __init__(self, config: ValidityConfig) -> None:
        super().__init__()
        self.config = config
        width, messages = config.width, config.messages
        self.embedding = GraphEmbedding(0, width, config.node_features, config.edge_features, messages)
        self.pivot_network = GraphNetwork(width, config.rounds, messages)
        self.offset_network = GraphNetwork(width, config.rounds, messages)
        self.pivot_head = nn.Linear(width, 1)
        self.offset_head = nn.Linear(width, config.offsets)

    def forward(self, nodes: Tensor, neighbours: Tensor, bricks: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of the pivots (state, brick) and of their offsets (state, brick, offset).

        Args:
            nodes: Centres relative to the first brick's, and directions (state, brick, 4).
            neighbours: Bricks at the other ends of a brick's edges, padded with -1 (state, brick, neighbour).
            bricks: How many bricks are placed (state,); where there is none, logits are 0.
        """
        return self.logits(graphs_of(nodes, neighbours, bricks))

    def logits(self, graphs: Graphs) -> tuple[Tensor, Tensor]:
        """The same for graphs in either layout."""
        nodes, edges = self.embedding(graphs, None)
        pivots = self.pivot_head(self.pivot_network(graphs, nodes, edges))
        offsets = self.offset_head(self.offset_network(graphs, nodes, edges))
        return graphs.pad(pivots).squeeze(-1), graphs.pad(offsets)

    @torch.no_grad()
    def mask(self, nodes: Tensor, neighbours: Tensor, bricks: Tensor, subset: Tensor) -> Tensor:
        """The actions taken for valid, (state, brick, offset of the subset).

        A pivot counts as valid when any offset of the subset does, whatever the pivot head says: it was trained on all
        offsets, and a task has fewer.

        Args:
            nodes, neighbours, bricks: As for `forward`.
            subset: The task's offsets among all, from `subset_of`.
        """
        _, offsets = self(nodes, neighbours, bricks)
        allowed: Tensor = offsets.index_select(-1, subset) > 0  # a logit of 0 is a confidence of 0.5
        return allowed


def subset_of(offsets: OffsetSet) -> Tensor:
    """The places of a task's offsets among all joints of the same bricks, (offset,)."""
    every = offset_set("all", offsets.brick, offsets.pivot).offsets
    place = {(offset.dx, offset.dy, offset.dz, offset.d): index for index, offset in enumerate(every)}
    return torch.tensor([place[offset.dx, offset.dy, offset.dz, offset.d] for offset in offsets.offsets])


def save_network(network: ValidityNetwork, path: Path) -> None:
    """Writes weights and, in the file's header, the shape they belong to: one file, so that they stay together."""
    about = {"kind": KIND, "schema": str(SCHEMA), "config": json.dumps(asdict(network.config))}
    weights = {name: value.detach().cpu().contiguous() for name, value in network.state_dict().items()}
    write_whole(path, save(weights, metadata=about))


def load_network(path: Path, device: str = "cpu") -> ValidityNetwork:
    """Reads a network that `save_network` wrote."""
    try:
        with safe_open(path, framework="pt") as file:
            about = file.metadata() or {}
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is no dictionary
    except (OSError, SafetensorError) as error:
        raise InputError(f"cannot read the validity network {path}: {_one_line(error)}") from error
    if about.get("kind") != KIND:
        raise InputError(f"{path} holds no validity network: train one with `b3 validity train`")
    if about.get("schema") != str(SCHEMA):
        raise InputError(f"{path} is of schema {about.get('schema')}; this version reads schema {SCHEMA}")
    config = _config_of(about.get("config", ""), path)
    with torch.device("meta"):  # shapes only, so that a wrong file costs no memory
        network = ValidityNetwork(config)
    wanted = {name: (value.shape, value.dtype) for name, value in network.state_dict().items()}
    if wanted != {name: (value.shape, value.dtype) for name, value in weights.items()}:
        raise InputError(f"the weights in {path} do not fit the shape it names: the file is damaged, train anew")
    network.load_state_dict(weights, assign=True)
    return network.to(device)


def _config_of(text: str, path: Path) -> ValidityConfig:
    try:
        record = json.loads(text)
        config = ValidityConfig(**record)
    except (TypeError, ValueError) as error:
        raise InputError(f"{path} does not say which network it holds: {_one_line(error)}") from error
    if any(type(getattr(config, field.name)) is not type(field.default) for field in fields(config)):
        raise InputError(f"{path} does not say which network it holds: {text}")
    return config


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
