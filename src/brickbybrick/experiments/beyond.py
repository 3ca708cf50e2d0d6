"""How far beyond the paper's agents one gets: every builder on the same unseen targets, how well and how fast.

`measure_task` writes one JSON file a task and goes on where it stopped; `beyond_report.py` draws and tells from those
files alone. IoU is each target's, time is of one core, one target at a time.
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from brickbybrick.construction import Construction, write_whole
from brickbybrick.errors import InputError
from brickbybrick.experiments.gallery import agent_file
from brickbybrick.experiments.jobs import Result
from brickbybrick.experiments.paper import CATEGORIES, DIGITS
from brickbybrick.experiments.results import Results
from brickbybrick.learning.checkpoint import load_agent
from brickbybrick.learning.evaluate import Agent
from brickbybrick.policies.graph_network import Variant
from brickbybrick.search.apprentice import load_apprentice, shipped_apprentice
from brickbybrick.search.builder import Builder
from brickbybrick.search.named import named_builder
from brickbybrick.search.planner import SearchBuilder, from_views, from_volume
from brickbybrick.search.sites import UNIT
from brickbybrick.search.yardstick import best_of
from brickbybrick.targets.catalog import Task
from brickbybrick.targets.target import Target

TASKS = (*DIGITS, "random", *CATEGORIES)
WORKS = (1_000, 10_000, 100_000, 1_000_000)  # bricks that a search looks at for one target
MOST_WORK = 30_000_000  # told the volume, where no optimum is proven: the best known
SCHEMA = 1
DIGITS_KEPT = 6  # of an IoU


@dataclass(frozen=True)
class Measured:
    """What came of one builder on a task's unseen targets."""

    settings: dict[str, Any]  # what the figures depend on, besides the task
    iou: npt.NDArray[np.float64]  # (target,) the mean over seeds where there are several
    ms: float  # of one core for one target, the mean
    ms_most: float  # of the target that took longest
    worth: npt.NDArray[np.int64] | None = None  # (target,) for searches from images: what they believe they built


@dataclass(frozen=True)
class Measurements:
    """A task's file."""

    task: str
    best: npt.NDArray[np.float64]  # (target,) IoU of the best construction that the yardstick knows
    bound: npt.NDArray[np.float64]  # (target,) proven: nothing is better
    builders: dict[str, Measured]

    def save(self, path: Path) -> None:
        record = {
            "schema": SCHEMA,
            "task": self.task,
            "targets": len(self.best),
            "best": self.best.round(DIGITS_KEPT).tolist(),
            "bound": self.bound.round(DIGITS_KEPT).tolist(),
        }
        builders = ",\n".join(f'"{name}": {json.dumps(_as_record(each))}' for name, each in self.builders.items())
        write_whole(path, f'{json.dumps(record)[:-1]}, "builders": {{\n{builders}\n}}}}\n'.encode())


def load_measurements(path: Path) -> Measurements:
    """Reads a task's file."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["schema"] != SCHEMA:
            raise InputError(f"{path}: of schema {record['schema']}; this version reads schema {SCHEMA}")
        builders = {
            name: Measured(
                each["settings"],
                np.array(each["iou"]),
                float(each["ms"]),
                float(each["ms_most"]),
                np.array(each["worth"]) if "worth" in each else None,
            )
            for name, each in record["builders"].items()
        }
        return Measurements(record["task"], np.array(record["best"]), np.array(record["bound"]), builders)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: not a file of `b3 beyond`: {error}") from error


def load_all(folder: Path) -> list[Measurements]:
    """The files of a folder, in the order of the tasks."""
    return [load_measurements(folder / f"{task}.json") for task in TASKS if (folder / f"{task}.json").exists()]


def _as_record(measured: Measured) -> dict[str, Any]:
    record = {
        "settings": measured.settings,
        "ms": round(measured.ms, 3),
        "ms_most": round(measured.ms_most, 3),
        "iou": measured.iou.round(DIGITS_KEPT).tolist(),
    }
    return record if measured.worth is None else record | {"worth": measured.worth.tolist()}


@dataclass(frozen=True)
class Contender:
    """A builder that takes part."""

    name: str
    settings: dict[str, Any]
    make: Callable[[], Builder]
    of_seeds: Sequence[Sequence[float]] = ()  # (seed, target) IoU of agents trained alike; their mean is what counts
    believes: bool = False  # whether to note what it believes that its models are worth


def contenders(task: Task, results: Results, targets: Sequence[Target]) -> list[Contender]:
    """Everyone who can build some unseen targets of a task; B3+ where it comes with the package."""
    found = [Contender(name, {}, partial(_named, name, task)) for name in ("random", "greedy", "bo")]
    variants: tuple[Variant, ...] = ("mlp", "b3")
    for variant in variants:
        file = agent_file(task.name, variant, results.root)
        if file.exists():
            seeds = _seeds(results.trained(task.name, agent=variant), targets)
            settings = {"weights": _fingerprint(file), "seeds": len(seeds) or 1}
            found.append(Contender(variant, settings, partial(_agent, file, task), seeds))
    with contextlib.suppress(InputError):  # there is none for so many views
        file = shipped_apprentice(task.offsets)
        found.append(Contender("b3plus", {"weights": _fingerprint(file)}, partial(load_apprentice, file, task.offsets)))
    for work in WORKS:
        make = partial(SearchBuilder, task.offsets, work=work)
        found.append(Contender(f"search-{work}", {"work": work}, make, believes=True))
    for work in (*WORKS, *((MOST_WORK,) if task.name in CATEGORIES else ())):
        make = partial(SearchBuilder, task.offsets, work=work, estimate=from_volume)
        found.append(Contender(f"volume-{work}", {"work": work}, make))
    return found


def _seeds(trained: Sequence[Result], targets: Sequence[Target]) -> list[list[float]]:
    """The IoU (seed, target) of agents that were tested on these targets."""
    names = [target.name for target in targets]
    tested = [result["test"] for result in trained]
    return [test["iou"][: len(names)] for test in tested if test["target"][: len(names)] == names]


def _named(name: str, task: Task) -> Builder:
    builder = named_builder(name, task.offsets)
    if builder is None:
        raise InputError(f"no builder named {name!r}")
    return builder


def _agent(file: Path, task: Task) -> Builder:
    return Agent(load_agent(file).policy, task.offsets)


def _fingerprint(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def measure_task(
    task: Task,
    results: Results,
    folder: Path,
    targets: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Path:
    """Measures who has not been measured on a task, with the settings and weights that there are, and keeps the rest.

    Args:
        task: Whose unseen targets are built.
        results: The paper's runs: their agents' IoU over seeds counts, where it is there.
        folder: Of the tasks' files.
        targets: How many unseen targets at most; all if not given.
        progress: Told what is measured.
    """
    path, chosen = folder / f"{task.name}.json", task.test.targets[:targets]
    if path.exists():
        kept = load_measurements(path)
        if len(kept.best) != len(chosen):
            raise InputError(f"{path} is of {len(kept.best)} targets, not {len(chosen)}: give another folder")
    else:
        progress(f"{task.name}: optima")
        optima = [best_of(target, task.offsets) for target in chosen]
        kept = Measurements(
            task.name, np.array([best.iou for best in optima]), np.array([best.bound for best in optima]), {}
        )
    for contender in contenders(task, results, chosen):
        before = kept.builders.get(contender.name)
        if before is None or before.settings != contender.settings:
            progress(f"{task.name}: {contender.name}")
            kept = replace(kept, builders=kept.builders | {contender.name: measure(contender, chosen)})
            kept.save(path)
    return path


def measure(contender: Contender, targets: Sequence[Target]) -> Measured:
    """Builds targets one after the other, and notes how well and how fast."""
    builder = contender.make()
    builder.build(targets[0])  # compiles
    built, spent = [], []
    for target in targets:
        start = time.process_time()  # not the time of day: other work on the machine is not the builder's
        built.append(builder.build(target))
        spent.append(1e3 * (time.process_time() - start))
    ious = np.mean(contender.of_seeds, axis=0) if contender.of_seeds else np.array([each.iou for each in built])
    worth = None
    if contender.believes:
        worth = np.array([believed_worth(target, each) for target, each in zip(targets, built, strict=True)])
    return Measured(contender.settings, ious, float(np.mean(spent)), max(spent), worth)


def believed_worth(target: Target, construction: Construction) -> int:
    """What a search from images believes a model to be worth, in `UNIT`s: worked out anew, cell by cell."""
    estimate = from_views(target)
    cells = {cell for brick in construction.bricks for cell in brick.cells()}
    total = _sum_inside(estimate.cells, cells)
    for (first, second), pixels in estimate.views:
        total += _sum_inside(pixels, {(cell[first], cell[second]) for cell in cells})
    return total


def _sum_inside(worth: npt.NDArray[np.floating], places: Iterable[tuple[int, ...]]) -> int:
    """The worth of those places that are inside an array."""
    scaled = np.rint(worth * UNIT).astype(np.int64)
    return sum(
        int(scaled[place])
        for place in places
        if all(0 <= at < side for at, side in zip(place, scaled.shape, strict=True))
    )
