"""Teaching the validity network from random assemblies, whose exact masks are known, and measuring what it learned.

All data lives on the device and a step touches nothing else, so that on a GPU the whole update is one recorded graph of
kernels. Evaluation keeps one histogram of logits a head, from which all figures and curves follow.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from brickbybrick.errors import InputError
from brickbybrick.geometry.packed import PackedAssemblies
from brickbybrick.geometry.relations import Relations
from brickbybrick.jit import compiled
from brickbybrick.learning.learner import check_finite
from brickbybrick.learning.recording import recorded
from brickbybrick.policies.graph_network import VARIANTS, Room, placed_bricks
from brickbybrick.policies.observation import unpacked
from brickbybrick.policies.validity_network import ValidityConfig, ValidityNetwork
from brickbybrick.targets.random_assembly import ValidityData, validity_data

TRAIN_SEED, TEST_SEED = 0, 1
TEST_EPISODES, TEST_BRICKS = 1_000, 30
BINS = 2_000  # of logits, finer towards 0; the edge in the middle is the threshold
EVALUATION_BATCH = 1_024
# The paper's "jointly trained": the states of an agent's training, seen once and in order.
JOINT: dict[str, Any] = {"one_pass": True, "batch": 20, "learning_rate": 2e-3}

Record = dict[str, float]


@dataclass(frozen=True)
class ValidityTraining:
    """How a validity network is trained. The data are the same whatever the seed."""

    network: ValidityConfig = field(default_factory=ValidityConfig)
    """Shape of the network, and so its variant: MLP, no node, no edge, near edges."""
    episodes: int = 10_000
    """Random assemblies; all their stages are data."""
    bricks: int = 20
    """Bricks of each."""
    epochs: int = 60
    """Times that every state is seen."""
    batch: int = 512
    """States in an update."""
    learning_rate: float = 4e-3
    """Adam's at the start; it falls to 0 along a cosine."""
    one_pass: bool = False
    """See every state once and in order, whatever `epochs` says: as beside an agent, the paper's "jointly trained"."""
    seed: int = 0
    """Of the first weights and of the order of the states."""
    device: str = "cpu"
    """Where to train: cpu or cuda."""

    def __post_init__(self) -> None:
        if min(self.episodes, self.bricks, self.epochs, self.batch) < 1:
            raise InputError("training needs at least 1 episode, 1 brick, 1 epoch and a batch of 1")
        if not self.learning_rate > 0:
            raise InputError(f"a learning rate of {self.learning_rate}: it must be above 0")


def training_of(variant: str, **changes: Any) -> ValidityTraining:
    """How a variant is trained: b3 and its ablations, near (near bricks are edges too), one-pass (see `JOINT`)."""
    network = ValidityConfig(near_edges=variant == "near", **VARIANTS.get(variant, {}))
    return ValidityTraining(network, **(changes | (JOINT if variant == "one-pass" else {})))


class States(NamedTuple):
    """Assemblies as the network reads them, and their exact masks, on the device."""

    nodes: Tensor  # (state, brick, 4) int16
    neighbours: Tensor  # (state, brick, neighbour) int16, padded with -1
    bricks: Tensor  # (state,) int64
    words: Tensor  # (state, brick, word) int64, the bits of the mask
    bit: Tensor  # (offset,) int64, the offset's bit among the words

    def rows(self, rows: Tensor) -> "States":
        """Some of the states."""
        nodes, neighbours, bricks, words = (values.index_select(0, rows) for values in self[:4])
        return States(nodes, neighbours, bricks, words, self.bit)

    def room(self, batch: int) -> Room:
        """Enough for the bricks and edges of any so many states."""
        edges = (self.neighbours >= 0).sum(dim=(1, 2))
        return Room(*(int(counts.topk(batch).values.sum()) for counts in (self.bricks, edges)))

    def placed(self) -> Tensor:
        """Where there is a brick, (state, brick)."""
        return placed_bricks(self.bricks, self.nodes.shape[1])

    def valid(self) -> Tensor:
        """Which offsets are valid, (state, brick, offset)."""
        return unpacked(self.words, self.bit)


def states_of(data: ValidityData, near_edges: bool, device: str = "cpu") -> States:
    """Puts random assemblies on a device; with `near_edges`, bricks that are near but not joined are neighbours too."""
    packed, rel = data.packed, data.rel
    if near_edges:
        neighbours = near_neighbours(packed, rel)
    else:
        neighbours = np.ascontiguousarray(packed.neighbours[:, :, : max(1, packed.degrees.max())])
    arrays = (nodes_of(packed, rel), neighbours, packed.bricks.astype(np.int64), packed.words.view(np.int64), rel.bit)
    return States(*(torch.from_numpy(array).to(device) for array in arrays))


def nodes_of(packed: PackedAssemblies, rel: Relations) -> npt.NDArray[np.int16]:
    """The nodes (row, brick, 4) as the simulator has them: centres relative to the first brick's, and directions."""
    d = packed.placed[:, :, 3]
    nodes = packed.placed[:, :, :4].copy()
    nodes[:, :, :2] += (rel.extent // 2).astype(np.int16)[d]
    nodes[:, :, :3] -= nodes[:, :1, :3].copy()
    nodes[np.arange(d.shape[1]) >= packed.bricks[:, None]] = 0
    return nodes


def near_neighbours(packed: PackedAssemblies, rel: Relations) -> npt.NDArray[np.int16]:
    """The bricks (row, brick, neighbour) that may stand in a brick's way, ascending, then -1.

    They lie one layer above or below with their corner within reach, joined or not.
    """
    found = _write_near(packed, rel, np.empty((*packed.degrees.shape, 0), np.int16))
    near = np.full((*packed.degrees.shape, max(1, found)), -1, np.int16)
    _write_near(packed, rel, near)
    return near


@compiled
def _write_near(packed: PackedAssemblies, rel: Relations, near: npt.NDArray[np.int16]) -> int:
    """Writes what there is room for, and returns the room that would do."""
    placed, reach, most = packed.placed, rel.reach, 0
    for row in range(packed.bricks.size):
        for brick in range(packed.bricks[row]):
            x, y, z = placed[row, brick, 0], placed[row, brick, 1], placed[row, brick, 2]
            found = 0
            for other in range(packed.bricks[row]):
                if abs(placed[row, other, 2] - z) != 1:
                    continue
                if abs(placed[row, other, 0] - x) < reach and abs(placed[row, other, 1] - y) < reach:
                    if found < near.shape[2]:
                        near[row, brick, found] = other
                    found += 1
            most = max(most, found)
    return most


def train_validity(
    config: ValidityTraining, progress: Callable[[Record], None] = lambda _: None
) -> tuple[ValidityNetwork, list[Record]]:
    """Trains a network.

    Returns the network, and for each epoch, as `progress` is told when it ends, its mean losses, the learning rate that
    it ended with and its seconds.
    """
    data = validity_data(config.episodes, config.bricks, seed=TRAIN_SEED)
    _check_offsets(config.network, data)
    device = _device(config.device)
    with torch.random.fork_rng(devices=[]):  # drawn on the CPU: the same on every device, and nobody else's numbers
        torch.manual_seed(config.seed)
        network = ValidityNetwork(config.network).to(device)
    states = states_of(data, config.network.near_edges, config.device)
    count = len(states.bricks)
    batch = min(config.batch, count)
    epochs, steps = (1 if config.one_pass else config.epochs), count // batch
    rows = torch.zeros(batch, dtype=torch.long, device=device)  # (sample,) the states to learn from
    rate, losses = torch.zeros((), device=device), torch.zeros(2, device=device)  # of pivots and offsets, over an epoch
    update = _update(network, states, rows, rate, losses)
    shuffle = torch.Generator().manual_seed(config.seed)
    records: list[Record] = []
    for epoch in range(epochs):
        begin = time.perf_counter()
        order = torch.arange(count) if config.one_pass else torch.randperm(count, generator=shuffle)
        order = order.to(device)
        losses.zero_()
        for number in range(steps):
            done = (epoch * steps + number) / (epochs * steps)
            rate.fill_(config.learning_rate * (1 + math.cos(math.pi * done)) / 2)
            rows.copy_(order[number * batch : (number + 1) * batch])
            update()
        pivot_loss, offset_loss = (losses / steps).tolist()  # the only wait for the device
        check_finite(pivot_loss + offset_loss, f"in epoch {epoch + 1}")
        figures = {"pivot_loss": pivot_loss, "offset_loss": offset_loss, "learning_rate": float(rate)}
        records.append({"epoch": epoch + 1, **figures, "seconds": time.perf_counter() - begin})
        progress(records[-1])
    return network, records


def _update(network: ValidityNetwork, states: States, rows: Tensor, rate: Tensor, losses: Tensor) -> Callable[[], None]:
    """A step of the optimiser on some rows, which adds to the losses. What it reads and writes stays at one place, so
    that it can be recorded once and played again."""
    on_gpu = rows.is_cuda
    room = states.room(len(rows)) if on_gpu else None
    optimiser = torch.optim.Adam(network.parameters(), lr=rate, capturable=on_gpu, fused=on_gpu)

    def update() -> None:
        optimiser.zero_grad(set_to_none=True)
        loss = torch.stack(validity_losses(network, states.rows(rows), room))
        torch.autograd.backward(loss.sum())
        optimiser.step()
        losses.add_(loss.detach())

    step = recorded(update, rows.device)  # tried out at a learning rate of 0, which leaves the weights alone
    for moments in optimiser.state.values():
        for value in moments.values():
            value.zero_()
    return step


def _device(name: str) -> torch.device:
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise InputError(f"no device named {name!r}: choose cpu or cuda") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise InputError("no GPU is to be seen: train on the device cpu")
    return device


def _check_offsets(config: ValidityConfig, data: ValidityData) -> None:
    if len(data.offsets) != config.offsets:
        raise InputError(f"the network judges {config.offsets} offsets, the data have {len(data.offsets)}")


def validity_losses(network: ValidityNetwork, states: States, room: Room | None = None) -> tuple[Tensor, Tensor]:
    """Binary cross entropy of the pivots, and of the offsets, each the mean over what is placed."""
    valid, placed = states.valid(), states.placed().float()
    pivots, offsets = network(states.nodes, states.neighbours, states.bricks, room)
    bricks = placed.sum()
    pivot_loss = binary_cross_entropy_with_logits(pivots, valid.any(dim=-1).float(), placed, reduction="sum")
    offset_loss = binary_cross_entropy_with_logits(offsets, valid.float(), placed[..., None], reduction="sum")
    return pivot_loss / bricks, offset_loss / (bricks * valid.shape[-1])


def held_out_data(episodes: int = TEST_EPISODES) -> ValidityData:
    """The 30,000 assemblies of up to 30 bricks that every network is measured on, or those of fewer episodes."""
    return validity_data(episodes, TEST_BRICKS, seed=TEST_SEED)


class Histograms(NamedTuple):
    """How often each logit was given to what is invalid and to what is valid."""

    pivots: Tensor  # (class, bin) int64
    offsets: Tensor  # (class, bin) int64


@torch.no_grad()
def logit_histograms(network: ValidityNetwork, data: ValidityData) -> Histograms:
    """Judges all assemblies. Memory does not grow with their number, but for the assemblies themselves."""
    _check_offsets(network.config, data)
    device = str(next(network.parameters()).device)
    states = states_of(data, network.config.near_edges, device)
    count = len(states.bricks)
    counts = Histograms(*(torch.zeros(2 * BINS, dtype=torch.long, device=device) for _ in range(2)))
    for first in range(0, count, EVALUATION_BATCH):
        rows = torch.arange(first, min(first + EVALUATION_BATCH, count), device=device)
        some = states.rows(rows)
        pivots, offsets = network(some.nodes, some.neighbours, some.bricks)
        placed, valid = some.placed(), some.valid()
        counts.pivots.add_(_count(pivots[placed], valid.any(dim=-1)[placed]))
        counts.offsets.add_(_count(offsets[placed], valid[placed]))
    return Histograms(*(count.reshape(2, BINS).cpu() for count in counts))


def _count(logits: Tensor, valid: Tensor) -> Tensor:
    """Counts (class and bin,) of logits; a bin holds its upper edge, so that only a logit above 0 passes the middle."""
    half = BINS // 2
    squashed = logits / (10 + logits.abs())  # all logits in (-1, 1), 0 at 0: confidences would pile up at 0 and 1
    bins = (squashed * half).ceil().long().clamp(1 - half, half) + half - 1
    return torch.bincount((bins + BINS * valid.long()).flatten(), minlength=2 * BINS)


def evaluate_validity(network: ValidityNetwork, data: ValidityData) -> dict[str, float]:
    """Precision and recall at a confidence of 0.5, with each class as the positive one, and the share of the valid."""
    return figures(logit_histograms(network, data)) | {"states": len(data.packed.bricks)}


def figures(histograms: Histograms) -> dict[str, float]:
    """The figures of `evaluate_validity` from histograms that are there already."""
    found: dict[str, float] = {}
    for head, counts in zip(("pivot", "offset"), histograms, strict=True):
        # (class, answer), in both invalid before valid
        confusion = counts.reshape(2, 2, -1).sum(dim=-1)
        found[f"{head}s"] = int(confusion.sum())
        found[f"{head}_share_valid"] = _ratio(confusion[1], confusion)
        for index, name in enumerate(("invalid", "valid")):
            found[f"{head}_precision_{name}"] = _ratio(confusion[index, index], confusion[:, index])
            found[f"{head}_recall_{name}"] = _ratio(confusion[index, index], confusion[index])
    return found


def _ratio(part: Tensor, whole: Tensor) -> float:
    return int(part.sum()) / max(1, int(whole.sum()))


class Curves(NamedTuple):
    """ROC and PR curves of one head, from the strictest threshold to the laxest."""

    false_positive_rate: npt.NDArray[np.float64]  # (threshold,)
    true_positive_rate: npt.NDArray[np.float64]  # (threshold,) also the recall
    precision: npt.NDArray[np.float64]  # (threshold,)
    roc_area: float
    average_precision: float


def curves(counts: Tensor, positive: Literal["valid", "invalid"] = "valid") -> Curves:
    """The curves of a head's histogram (class, bin) with one class as the positive one."""
    negatives, positives = counts.flip(1).numpy() if positive == "valid" else counts.flip(0).numpy()
    true, false = (np.concatenate([[0], np.cumsum(each)]) for each in (positives, negatives))  # (threshold,)
    recall, fallout = true / max(1, true[-1]), false / max(1, false[-1])
    precision = np.divide(true, true + false, out=np.ones(len(true)), where=true + false > 0)
    area = float(np.trapezoid(recall, fallout))
    return Curves(fallout, recall, precision, area, float(np.sum(np.diff(recall) * precision[1:])))
