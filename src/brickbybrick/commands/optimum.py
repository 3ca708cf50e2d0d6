"""`b3 optimum` and `b3 ambiguity`: the best that can be built, and the best that can be known from images."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import tyro
from rich.table import Table

from brickbybrick.commands.console import CONSOLE, DataFolder, Json, counter, print_figures, some_targets
from brickbybrick.errors import InputError, whole_number

if TYPE_CHECKING:
    from brickbybrick.bounds.optimum import Optimum
    from brickbybrick.bounds.yardstick import Known
    from brickbybrick.construction import Construction
    from brickbybrick.geometry.offsets import OffsetSet
    from brickbybrick.targets.target import Target

CLOSE = 0.02  # a gap that is as good as none for most purposes


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
    tighten: bool = False
    """Search for nothing better than the best known; let the linear program tighten the bounds above it."""
    out: Path | None = None
    """File of optima to add these to, laid out as the one that comes with the package. It is written after each target;
    a run that was stopped goes on from it."""
    data: DataFolder = None
    as_json: Json = False

    def run(self) -> None:
        from brickbybrick.bounds.yardstick import keep, load_known, save_known

        if not self.seconds > 0:
            raise InputError(f"{self.seconds} seconds for an optimum: give more than 0")
        if self.anew and self.tighten:
            raise InputError("--anew forgets what --tighten goes on from: give one of them")
        task, targets = some_targets(self.task, self.data, self.split, self.targets)
        kept: Known = dict(load_known(self.out)) if self.out and self.out.exists() else {}
        known: Known = {} if self.anew else load_known() | kept
        optima: list[Optimum] = []
        found = find_optima(targets, task.offsets, seconds=self.seconds, known=known, tighten=self.tighten)
        for target, best in zip(targets, found, strict=True):
            optima.append(best)
            if self.out:
                keep(best, target, task.offsets, kept)
                save_known(kept, self.out)
        if not self.as_json:
            CONSOLE.print(table_of_optima(targets, optima))
        figures: dict[str, float] = {
            **means_of(optima),
            "proven": sum(best.proven for best in optima) / len(optima),
            "close": sum(best.gap <= CLOSE for best in optima) / len(optima),
            "targets": len(optima),
            "seconds_mean": sum(best.seconds for best in optima) / len(optima),
        }
        per_target = {
            target.name: {"iou": best.iou, "bound": best.bound, "gap": best.gap, "method": best.method}
            for target, best in zip(targets, optima, strict=True)
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
    known: "Known | None" = None,
    tighten: bool = False,
) -> "Iterator[Optimum]":
    """The optima of targets, one after the other, with a bar.

    Args:
        targets: Of known volume.
        offsets: How bricks are joined.
        hints: A construction of each target, or none at all.
        seconds: For each target.
        known: Optima that are not searched for; those that come with the package if not given.
        tighten: Whether the bounds of what is known are to be tightened.
    """
    from brickbybrick.bounds.yardstick import SECONDS, best_of, tightened

    with counter("optima") as progress:
        for done, target in enumerate(targets):
            best = best_of(target, offsets, hints[done : done + 1], seconds or SECONDS, known)
            yield tightened(best, target, offsets, seconds or SECONDS) if tighten else best
            progress(done + 1, len(targets))


def means_of(optima: "Sequence[Optimum]") -> dict[str, float]:
    return {
        "iou_mean": sum(best.iou for best in optima) / len(optima),
        "bound_mean": sum(best.bound for best in optima) / len(optima),
        "gap_mean": sum(best.gap for best in optima) / len(optima),
    }


def table_of_optima(targets: "Sequence[Target]", optima: "Sequence[Optimum]") -> Table:
    """A row for each target, and the means."""
    table = Table("target", "best known", "bound", "gap", "proven by", show_footer=True)
    for target, best in zip(targets, optima, strict=True):
        gap = "proven" if best.proven else f"{best.gap:.1%}"
        table.add_row(target.name, f"{best.iou:.3f}", f"{best.bound:.3f}", gap, best.method)
    means = means_of(optima)
    footers = ("mean", f"{means['iou_mean']:.3f}", f"{means['bound_mean']:.3f}", f"{means['gap_mean']:.1%}", "")
    for column, footer in zip(table.columns, footers, strict=True):
        column.footer = footer
    return table
