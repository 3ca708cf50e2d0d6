"""How the volume behind three views is learned: from objects whose volume is known, by cross entropy.

Only cells that the views leave open count. An object is made anew each time (`objects.py`), the right way round or in a
mirror, sometimes turned by a quarter, and most of the time with the budget that it would be built with. Some shapes are
kept aside, so that what the network believes can be compared with what is true, and choices be made, on objects that it
never saw.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from brickbybrick.builders.beam.planner import SearchBuilder
from brickbybrick.builders.belief import Belief
from brickbybrick.errors import InputError
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.learning.learner import Learner, Report, check_finite, optimiser_memory
from brickbybrick.learning.objects import (
    STRETCHED,
    WARPED,
    Objects,
    fine_cells,
    lengths_drawn,
    objects_made,
    objects_of,
)
from brickbybrick.policies.files import VOLUME
from brickbybrick.policies.volume import VolumeConfig, VolumeNetwork, believed, certain
from brickbybrick.targets.catalog import OBJECT_CATEGORIES, Task
from brickbybrick.targets.random_assembly import assembled_targets
from brickbybrick.targets.target import Target

ASIDE = 10  # one shape in so many is kept aside
RANDOM_SEED = 1  # of the random objects that are made for this; those of the task have another
WARM_UP = 60  # the learning rate rises over one part in so many of all updates
BINS = 10  # of probabilities, in which beliefs are compared with the truth


@dataclass(frozen=True)
class VolumeTraining:
    """How the volume network is trained."""

    steps: int = 15_000
    """Updates."""
    batch: int = 64
    """Objects in an update."""
    learning_rate: float = 1e-3
    """AdamW's at most; it falls to 0 along a cosine."""
    decay: float = 0.05
    """Of weights."""
    random: int = 8_000
    """Random objects that are made beside the task's own targets."""
    random_share: float = 0.12
    """Of the objects in an update."""
    favoured: float = 2.0
    """How many times as often shapes of the paper's categories are drawn as others."""
    told: float = 0.8
    """Share of objects whose budget is told."""
    turned: float = 0.25
    """Share of updates whose objects are seen from behind, and of those that are seen turned by a quarter."""
    stretched: float = STRETCHED
    """How many times as long, or as short, objects become at most; half of the time along each axis."""
    warped: float = WARPED
    """How much more some of their parts become so than others, a deviation of logarithms; half of the time too."""
    width: int = 120
    """Features of a column."""
    layers: int = 8
    """Convolutions over the plane after the first."""
    cells: int = 16
    """Features of a cell."""
    evaluations: int = 10
    """How often it is tested on the way."""
    seed: int = 0
    """Random seed, of the weights and of the draws."""

    def __post_init__(self) -> None:
        if min(self.steps, self.batch, self.evaluations) < 1 or self.random < 0 or not self.learning_rate > 0:
            raise InputError("a volume needs at least 1 update, of 1 object, 1 test and a learning rate above 0")


def is_aside(target: Target) -> bool:
    """Whether a training target is kept aside: by its name, so that it is the same in every task."""
    return zlib.crc32(target.name.encode()) % ASIDE == 0


class VolumeLearner(Learner):
    """A volume network on its way, on a device. `finer` has shapes of the task, by their names, in finer cells; the
    others are taken as they are."""

    unit = "updates"
    name = VOLUME
    policy: VolumeNetwork
    config: VolumeTraining

    def __init__(
        self, config: VolumeTraining, task: Task, device: str = "cpu", finer: Mapping[str, Voxels] | None = None
    ) -> None:
        if task.views != 3:
            raise InputError(f"{task.name} is seen in one view, which tells the volume: take a task of three views")
        torch.manual_seed(config.seed)
        self.config, self.task, self.total = config, task, config.steps
        learned = [target for target in task.train if not is_aside(target)]
        solids = [fine_cells((finer or {}).get(target.name, target.volume)) for target in learned]
        self.solids = torch.from_numpy(np.stack(solids).transpose(0, 3, 2, 1).copy()).to(device)  # (shape, z, y, x)
        favoured = tuple(f"modelnet-{category}/" for category in OBJECT_CATEGORIES)
        self.weights = torch.tensor(
            [config.favoured if target.name.startswith(favoured) else 1.0 for target in learned]
        )  # (shape,) how often it is drawn
        made = objects_of([each.target for each in assembled_targets(max(config.random, 1), RANDOM_SEED)])
        self.made = Objects(*(part.to(device) for part in made))
        self.policy = VolumeNetwork(VolumeConfig(config.width, config.layers, config.cells)).to(device)
        self.optimiser = torch.optim.AdamW(
            self.policy.parameters(), config.learning_rate, (0.9, 0.99), weight_decay=config.decay
        )

    def run(self) -> Iterator[Report]:
        every = max(1, self.total // self.config.evaluations)
        recent: list[float] = []
        while self.done < self.total:
            recent.append(self._update())
            self.done += 1
            if self.done % every and self.done != self.total:
                if self.done % 10 == 0:
                    yield Report(self.done, {"loss": float(np.mean(recent))})
                continue
            loss = float(np.mean(recent))
            check_finite(loss, f"after {self.done} updates")
            recent = []
            yield Report(self.done, {"loss": loss}, "test")

    def _update(self) -> float:
        """One step of the optimiser; the loss."""
        config, along = self.config, self.done / self.total
        rate = (
            config.learning_rate
            * min(1.0, WARM_UP * (self.done + 1) / self.total)
            * (0.5 + 0.5 * float(np.cos(np.pi * along)))
        )
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        some, told = self._drawn()
        device = some.hulls.device
        with torch.autocast(device.type, torch.bfloat16):  # half of the time on a CPU that knows it
            logits = self.policy(some.hulls, some.budgets * told)
        loss = open_entropy(logits, some).sum() / open_cells(some.hulls).sum().clamp(min=1)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.optimiser.step()
        return float(loss.detach())

    def _drawn(self) -> tuple[Objects, Tensor]:
        """Objects to learn from, and whether the budget of each is told (object,)."""
        config, device = self.config, self.solids.device
        randoms = round(config.random_share * config.batch) if config.random else 0
        chosen = torch.multinomial(self.weights, config.batch - randoms, replacement=True)
        lengths = lengths_drawn(len(chosen), config.stretched, config.warped)
        changed = objects_made(self.solids.index_select(0, chosen.to(device)), lengths.to(device))
        # Random objects are made of bricks, which have one length.
        parts = [changed, self.made.some(torch.randint(len(self.made.budgets), (randoms,)).to(device))]
        flips = torch.rand(3) < torch.tensor([0.5, config.turned, config.turned])
        some = Objects(*(torch.cat(each) for each in zip(*parts, strict=True))).seen(*flips.tolist())
        return some, (torch.rand(config.batch) < config.told).to(device)

    def builder(self) -> SearchBuilder:
        return Belief(self.policy).searching(self.task.offsets)

    def memory(self) -> dict[str, Tensor]:
        return optimiser_memory(self.optimiser, self.policy)

    def settings(self) -> dict[str, Any]:
        return {"task": self.task.name, **super().settings()}


def open_cells(hulls: Tensor) -> Tensor:
    """The cells (object, z, y, x) that views leave open: in the hull, and not certain."""
    return hulls & ~certain(hulls)


def open_entropy(logits: Tensor, objects: Objects) -> Tensor:
    """The cross entropy of each open cell (object, z, y, x), in nats; 0 elsewhere."""
    loss = binary_cross_entropy_with_logits(logits, objects.volumes.float(), reduction="none")
    return loss * open_cells(objects.hulls)


@torch.no_grad()
def reliability(network: VolumeNetwork, targets: Sequence[Target]) -> dict[str, Any]:
    """How far beliefs can be relied on: in bins of probability, how many open cells there are, what is believed of them
    on average and how many of them are filled; the entropy a cell; and the IoU of hull and belief with the volume."""
    objects = objects_of(targets)
    counts, said, true = (np.zeros(BINS) for _ in range(3))
    entropy, ious = 0.0, []
    for chosen in torch.split(torch.arange(len(targets)), 64):
        some = objects.some(chosen)
        likely, undecided = believed(network, some.hulls, some.budgets), open_cells(some.hulls)
        entropy += float(open_entropy(torch.logit(likely, 1e-6), some).sum())
        p, filled = likely[undecided].numpy(), some.volumes[undecided].numpy()
        place = np.minimum((p * BINS).astype(int), BINS - 1)
        counts += np.bincount(place, minlength=BINS)
        said += np.bincount(place, p, minlength=BINS)
        true += np.bincount(place, filled, minlength=BINS)
        for guess in (some.hulls, likely > 0.5):
            ious.append(((guess & some.volumes).sum((1, 2, 3)) / (guess | some.volumes).sum((1, 2, 3))).numpy())
    there = np.maximum(counts, 1)
    return {
        "targets": len(targets),
        "cells": counts.astype(int).tolist(),
        "believed": (said / there).round(4).tolist(),
        "filled": (true / there).round(4).tolist(),
        "entropy": round(entropy / max(1, int(counts.sum())), 4),
        "hull_iou": round(float(np.concatenate(ious[::2]).mean()), 4),
        "belief_iou": round(float(np.concatenate(ious[1::2]).mean()), 4),
    }
