"""`b3 optimum` and `b3 ambiguity`: the best that can be built, and the best that can be known from images."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import tyro

from brickbybrick.commands.console import DataFolder, Json, counter, print_figures, some_targets
from brickbybrick.errors import InputError, whole_number

if TYPE_CHECKING:
    from brickbybrick.bounds.optimum import Optimum
    from brickbybrick.construction import Construction
    from brickbybrick.geometry.offsets import OffsetSet
    from brickbybrick.targets.target import Target


@dataclass(frozen=True)
class BestPossible:
    """Find the best IoU that a task's targets can be built with, or a proven bound on it."""

    task: tyro.conf.Positional[str]
    """mnist-0 to mnist-9, mnist, random, modelnet-airplane, ..., or a folder of pictures or meshes."""
    split: Literal["train", "test"] = "test"
    """Which targets."""
    targets: int = 100
    """How many at most, spread evenly over all."""
    seconds: float = 20.0
    """After which the search for a target's optimum ends with a bound."""
    anew: bool = False
    """Search also where the optimum comes with the package."""
    out: Path | None = None
    """File of optima to add these to, laid out as the one that comes with the package."""
    data: DataFolder = None
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.bounds.yardstick import as_known, key_of, load_known, save_known

        if not self.seconds > 0:
            raise InputError(f"{self.seconds} seconds for an optimum: give more than 0")
        task, targets = some_targets(self.task, self.data, self.split, self.targets)
        optima = find_optima(targets, task.offsets, seconds=self.seconds, anew=self.anew)
        if self.out:
            known = dict(load_known(self.out)) if self.out.exists() else {}
            for target, best in zip(targets, optima, strict=True):
                known[key_of(target, task.offsets)] = as_known(best, target, task.offsets)
            save_known(known, self.out)
        figures: dict[str, float] = {
            "iou_mean": sum(best.iou for best in optima) / len(optima),
            "bound_mean": sum(best.bound for best in optima) / len(optima),
            "proven": sum(best.proven for best in optima) / len(optima),
            "targets": len(optima),
            "seconds_mean": sum(best.seconds for best in optima) / len(optima),
        }
        per_target = {
            target.name: {"iou": best.iou, "bound": best.bound} for target, best in zip(targets, optima, strict=True)
        }
        print_figures(f"the best on {self.task}", figures, self.as_json, per_target=per_target)


@dataclass(frozen=True)
class Ambiguity:
    """Estimate what the three views of a task's targets leave open, with other volumes that have the same views."""

    task: tyro.conf.Positional[str]
    """random, modelnet-airplane, ..., or a folder of meshes."""
    split: Literal["train", "test"] = "test"
    """Which targets."""
    targets: int = 20
    """How many at most, spread evenly over all."""
    samples: int = 5
    """Volumes with the same views, for each target."""
    work: int = 300_000
    """Bricks that the search looks at for one model."""
    seed: int = 0
    """Random seed of the volumes."""
    data: DataFolder = None
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.bounds.ambiguity import ambiguity

        task, chosen = some_targets(self.task, self.data, self.split, self.targets)
        samples, work = whole_number(self.samples, "samples", 1), whole_number(self.work, "work", 0)
        with counter("targets") as progress:
            figures = ambiguity(chosen, task.offsets, samples, work, whole_number(self.seed, "seed", 0), progress)
        print_figures(f"what the views of {self.task} leave open", figures, self.as_json)


def find_optima(
    targets: "Sequence[Target]",
    offsets: "OffsetSet",
    hints: "Sequence[Construction]" = (),
    seconds: float | None = None,
    anew: bool = False,
) -> "list[Optimum]":
    """The optima of targets, with a bar; `hints` has a construction of each or none at all."""
    from brickbybrick.bounds.yardstick import SECONDS, best_of

    optima = []
    with counter("optima") as progress:
        for done, target in enumerate(targets):
            optima.append(best_of(target, offsets, hints[done : done + 1], seconds or SECONDS, anew))
            progress(done + 1, len(targets))
    return optima
