"""B3: from a target's images and the bricks placed to a pivot, an offset and a value.

The choice is made in two steps, as in the paper: a softmax over the bricks placed, then one over the offsets of the
brick chosen. Masks are given from outside; where they come from is `learning.validation`'s business.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import torch
from torch import Tensor, nn

from brickbybrick.errors import InputError, whole_number
from brickbybrick.policies.graph_network import (
    MOST_OFFSETS,
    GraphConfig,
    GraphEmbedding,
    GraphNetwork,
    Graphs,
    Room,
    graphs_of,
)

Frame = Literal["first", "image"]
VIEW_FEATURES = 64


@dataclass(frozen=True, kw_only=True)
class AgentConfig(GraphConfig):
    """The shape of an agent, whatever it builds."""

    frame: Frame = "first"
    """Where poses are counted from: "first", the first brick, as in the paper; "image", the corner of the images, so
    that the agent need not find out from the image where it began."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.frame not in get_args(Frame):
            raise InputError(f"{self.frame!r} is none of {', '.join(get_args(Frame))}")


@dataclass(frozen=True, kw_only=True)
class ModelConfig(AgentConfig):
    """The shape of an agent for a task. How many bricks it can see is no part of it."""

    views: int
    """Images of a target: 1 or 3."""
    offsets: int
    """Joints to choose from."""

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number(self.offsets, "the offsets of an agent", 1, MOST_OFFSETS)
        if self.views not in (1, 3):
            raise InputError(f"an agent of {self.views} views: they have 1 or 3")


class Observation(NamedTuple):
    """What the agent sees of a batch of states, as tensors on its device."""

    images: Tensor  # (image, view, row, column) the targets
    image: Tensor  # (state,) which of them a state builds
    nodes: Tensor  # (state, brick, 4)
    neighbours: Tensor  # (state, brick, neighbour)
    bricks: Tensor  # (state,)
    room: Room | None = None  # that is enough for the bricks and edges of all states, where shapes must not change


class Choice(NamedTuple):
    """What the agent does in a batch of states."""

    actions: Tensor  # (state, 2) pivot and offset
    log_prob: Tensor  # (state,)
    value: Tensor  # (state,)


class Judgement(NamedTuple):
    """What the agent thinks of given actions."""

    log_prob: Tensor  # (state,)
    entropy: Tensor  # (state,) of the pivot, and of the offset given the pivot
    value: Tensor  # (state,)


class TargetEncoder(nn.Module):
    """The paper's CNN. Several views go through it one by one, and their vectors are put side by side."""

    def __init__(self, views: int) -> None:
        super().__init__()
        self.features = views * VIEW_FEATURES
        first: list[nn.Module] = [nn.Conv2d(1, 32, 3, padding=1), nn.MaxPool2d(3, stride=2, padding=1), nn.ReLU()]
        for _ in range(3):
            first += [nn.Conv2d(32, 32, 3, padding=1), nn.ReLU()]
        first += [nn.Conv2d(32, 32, 3, padding=1)]
        second: list[nn.Module] = [nn.Conv2d(32, 64, 3, padding=1), nn.MaxPool2d(3, stride=2, padding=1), nn.ReLU()]
        for _ in range(4):
            second += [nn.Conv2d(64, 64, 3, padding=1), nn.ReLU()]
        # 14 x 14 pixels become 7 x 7, then 4 x 4.
        self.layers = nn.Sequential(*first, *second, nn.Flatten(), nn.Linear(64 * 4 * 4, VIEW_FEATURES))
        for layer in self.layers:
            if isinstance(layer, nn.Conv2d) and layer.bias is not None:
                # He's weights keep an image visible through ten layers; PyTorch's own fade it to a hundredth, and
                # agents then learn slowly what depends on the image.
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
                nn.init.zeros_(layer.bias)

    def forward(self, images: Tensor) -> Tensor:
        """Encodes images (graph, view, row, column) as (graph, feature)."""
        each: Tensor = self.layers(images.flatten(0, 1)[:, None].float())
        return each.reshape(images.shape[0], self.features)


class ActorCritic(nn.Module):
    """The paper's agent and its ablations."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = TargetEncoder(config.views)
        context, width = self.encoder.features, config.width
        self.embedding = GraphEmbedding(config, context)
        self.pivot_network = GraphNetwork(config)
        self.offset_network = GraphNetwork(config)
        self.pivot_head = nn.Linear(width + context, 1)
        self.offset_head = nn.Linear(width + context, config.offsets)
        self.value_head = nn.Linear(2 * width + context, 1)

    def embed(self, seen: Observation) -> tuple[Graphs, Tensor, Tensor, Tensor]:
        """The graphs, z (state, feature), and the two final embeddings of the bricks."""
        graphs = graphs_of(seen.nodes, seen.neighbours, seen.bricks, self.config.aggregation, seen.room)
        context = self.encoder(seen.images).index_select(0, seen.image)
        nodes, edges = self.embedding(graphs, context)
        return graphs, context, self.pivot_network(graphs, nodes, edges), self.offset_network(graphs, nodes, edges)

    def pivot_logits(self, graphs: Graphs, context: Tensor, for_pivot: Tensor) -> Tensor:
        """One logit for each brick, (state, brick)."""
        # z shifts all bricks of a state alike and cancels in the softmax; it is kept because the paper has it.
        weight, features = self.pivot_head.weight, for_pivot.shape[-1]
        own = nn.functional.linear(for_pivot, weight[:, :features], self.pivot_head.bias)
        return graphs.pad(own).squeeze(-1) + nn.functional.linear(context, weight[:, features:])

    def offset_logits(self, graphs: Graphs, context: Tensor, for_offset: Tensor, pivots: Tensor) -> Tensor:
        """The logits of the offsets of the pivots (state, draw), as (state, draw, offset)."""
        chosen = rows_of(graphs.pad(for_offset), pivots)  # (state, draw, feature)
        weight, features = self.offset_head.weight, for_offset.shape[-1]
        own = nn.functional.linear(chosen, weight[:, :features], self.offset_head.bias)
        return own + nn.functional.linear(context, weight[:, features:])[:, None, :]

    def value(self, graphs: Graphs, context: Tensor, for_pivot: Tensor, for_offset: Tensor) -> Tensor:
        """What the state is worth, (state,)."""
        means = [graphs.mean_nodes(for_pivot), graphs.mean_nodes(for_offset)]
        worth: Tensor = self.value_head(torch.cat([*means, context], dim=-1)).squeeze(-1)
        return worth

    def act(self, seen: Observation, mask: Tensor, greedy: bool = False) -> Choice:
        """Draws an action that the mask (state, brick, offset) allows, or takes the likeliest."""
        actions, log_prob, value = self._draws(seen, mask, 1, greedy)
        return Choice(actions[:, 0], log_prob[:, 0], value)

    def act_checked(self, seen: Observation, mask: Tensor, valid: Tensor, draws: int) -> Choice:
        """The first of some draws that is in `valid` (state, brick, offset), or the last one if none is."""
        actions, log_prob, value = self._draws(seen, mask, draws, greedy=False)
        good = rows_of(valid, actions[..., 0]).gather(2, actions[..., 1:]).squeeze(-1)  # (state, draw)
        good = torch.cat([good[:, :-1], torch.ones_like(good[:, :1])], dim=1)
        first = good.int().argmax(dim=1, keepdim=True)
        return Choice(rows_of(actions, first)[:, 0], log_prob.gather(1, first)[:, 0], value)

    def judge(self, seen: Observation, mask: Tensor, actions: Tensor) -> Judgement:
        """How likely the actions (state, 2) are, and what the states are worth."""
        graphs, context, for_pivot, for_offset = self.embed(seen)
        pivots, offsets = actions[:, :1], actions[:, 1:]
        pivot_log = masked_log_softmax(self.pivot_logits(graphs, context, for_pivot), mask.any(dim=-1))
        offset_logits = self.offset_logits(graphs, context, for_offset, pivots)
        offset_log = masked_log_softmax(offset_logits, rows_of(mask, pivots))[:, 0]
        log_prob = pivot_log.gather(1, pivots) + offset_log.gather(1, offsets)
        value = self.value(graphs, context, for_pivot, for_offset)
        return Judgement(log_prob[:, 0], entropy(pivot_log) + entropy(offset_log), value)

    def probabilities(self, seen: Observation, mask: Tensor) -> Tensor:
        """The probability of every action that the mask (state, brick, offset) allows, 0 for all others."""
        graphs, context, for_pivot, for_offset = self.embed(seen)
        pivot = masked_log_softmax(self.pivot_logits(graphs, context, for_pivot), mask.any(dim=-1)).exp()
        every = torch.arange(mask.shape[1], device=mask.device).expand(mask.shape[:2])  # (state, brick)
        offset = masked_log_softmax(self.offset_logits(graphs, context, for_offset, every), mask).exp()
        # A brick without a valid offset has no distribution; and where nothing is valid, neither have the bricks.
        return pivot.nan_to_num(0.0)[..., None] * offset.nan_to_num(0.0)

    def _draws(self, seen: Observation, mask: Tensor, draws: int, greedy: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Actions (state, draw, 2), their log probabilities (state, draw), and values (state,)."""
        graphs, context, for_pivot, for_offset = self.embed(seen)
        pivot_log = masked_log_softmax(self.pivot_logits(graphs, context, for_pivot), mask.any(dim=-1))
        pivots = pick(pivot_log[:, None, :].expand(-1, draws, -1), greedy)  # (state, draw)
        offset_logits = self.offset_logits(graphs, context, for_offset, pivots)
        offset_log = masked_log_softmax(offset_logits, rows_of(mask, pivots))
        offsets = pick(offset_log, greedy)
        log_prob = pivot_log.gather(1, pivots) + offset_log.gather(2, offsets[..., None]).squeeze(-1)
        return torch.stack([pivots, offsets], dim=-1), log_prob, self.value(graphs, context, for_pivot, for_offset)


def masked_log_softmax(logits: Tensor, mask: Tensor) -> Tensor:
    """Log probabilities (..., choice) with exactly probability 0 where the mask is False."""
    return logits.masked_fill(~mask, -torch.inf).log_softmax(dim=-1)


def pick(log_probs: Tensor, greedy: bool) -> Tensor:
    """One choice from each row of log probabilities (..., choice): the likeliest, or drawn."""
    if greedy:
        return log_probs.argmax(dim=-1)
    # The largest of p / Exp(1) falls on each choice with its probability, and never on one of probability 0.
    return (log_probs.exp() / torch.empty_like(log_probs).exponential_()).argmax(dim=-1)


def rows_of(values: Tensor, rows: Tensor) -> Tensor:
    """values[state, rows[state, k]] of values (state, row, ...), as (state, k, ...)."""
    index = rows.reshape(*rows.shape, *[1] * (values.dim() - 2)).expand(-1, -1, *values.shape[2:])
    return values.gather(1, index)


def entropy(log_probs: Tensor) -> Tensor:
    """The entropy of each row of log probabilities (state, choice), where -inf stands for probability 0."""
    finite = log_probs.masked_fill(log_probs.isneginf(), 0)  # 0 log 0 is 0
    return -(log_probs.exp() * finite).sum(dim=-1)
