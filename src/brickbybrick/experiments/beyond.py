"""How far beyond the paper's agents one gets: every builder on the same unseen targets, how well and how fast.

A `Beyond` job measures one task and goes on where it stopped; `beyond_report.py` draws and tells from the jobs' results
alone. IoU is each target's, time is of one core, one target at a time.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from brickbybrick.bounds.yardstick import SHIPPED, best_of
from brickbybrick.builders import register
from brickbybrick.builders.base import Builder, EpisodeBuilder
from brickbybrick.builders.beam.planner import Estimate, SearchBuilder, from_views, from_volume
from brickbybrick.builders.beam.sites import UNIT
from brickbybrick.builders.guided import GuidedBuilder
from brickbybrick.builders.sides import EXPLAINED, OTHERS
from brickbybrick.construction import Construction
from brickbybrick.errors import InputError
from brickbybrick.evaluation import evaluate
from brickbybrick.experiments.job import RESULT, Job, Machine, Progress, Result, Tell, read_result, to_record
from brickbybrick.files import write_whole
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.offsets import OffsetSet
from brickbybrick.targets.catalog import OBJECT_CATEGORIES, Task, load_task
from brickbybrick.targets.target import Target, spread

CATEGORIES = tuple(f"modelnet-{category}" for category in OBJECT_CATEGORIES)
TASKS = (*(f"mnist-{digit}" for digit in range(10)), "random", *CATEGORIES)
AGENTS = ("mlp", "b3", "b3plus")  # networks, in the order of the report
WORKS = (1_000, 10_000, 100_000, 1_000_000)  # bricks that a search looks at for one target
GUIDED_WORKS = (50, 200)  # states that B3+ looks at for one target when it guides the search
LOOKS = [*EXPLAINED, *OTHERS]  # of B3+ from three views
MOST_WORK = 30_000_000  # told the volume, where no optimum is proven: the best known
PARTIAL = "measured.json"  # what is measured so far
DIGITS_KEPT = 6  # of an IoU


@dataclass(frozen=True)
class Measured:
    """What came of one builder on a task's unseen targets."""

    settings: dict[str, Any]  # what the figures depend on, besides the task
    ms: float  # of one core for one target, the mean
    ms_most: float  # of the target that took longest
    iou: list[float]  # (target,) the mean over seeds where there are several
    worth: list[int] | None = None  # (target,) for searches from images: what they believe they built


@dataclass(frozen=True)
class Measurements:
    """A task's measurements."""

    task: str
    best: list[float]  # (target,) IoU of the best construction that the yardstick knows
    bound: list[float]  # (target,) proven: nothing is better
    builders: dict[str, Measured]

    def record(self) -> Result:
        """As JSON has it; what is not known is left out."""
        return asdict(self, dict_factory=lambda items: {name: value for name, value in items if value is not None})

    @classmethod
    def of(cls, record: Result) -> "Measurements":
        """From what `record` gave."""
        builders = {name: Measured(**each) for name, each in record["builders"].items()}
        return cls(record["task"], record["best"], record["bound"], builders)


def load_all(folder: Path) -> list[Measurements]:
    """What was measured, in the order of the tasks."""
    found = []
    for task in TASKS:
        try:
            result = read_result(folder / task)
            found += [Measurements.of(result)] if result else []
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{folder / task / RESULT}: not a result of `b3 beyond`: {error}") from error
    return found


@dataclass(frozen=True)
class Contender:
    """A builder that takes part."""

    name: str
    settings: dict[str, Any]
    make: Callable[[], Builder]
    of_seeds: Sequence[Sequence[float]] = ()  # (seed, target) IoU of agents trained alike; their mean is what counts
    estimate: Callable[[Target], Estimate] | None = None  # what it believes about targets, if its worth is to be noted


@dataclass(frozen=True, kw_only=True)
class Beyond(Job):
    """Everyone on a task's unseen targets. Who was measured, with the settings and networks that there are, is not
    measured again."""

    task: str
    targets: int | None = None
    """At most so many, spread evenly over all; all if not given."""
    runs: str = "results/runs"
    """Folder of the paper's runs: their agents' IoU over seeds counts, where it is there."""
    networks: str = ""
    """A hash of the networks that take part, and of how long they and the searches may look."""
    optima: str = ""
    """A hash of the optima that come with the package."""

    @property
    def name(self) -> str:
        return self.task

    @property
    def seconds(self) -> float:
        return 400.0 if self.task in CATEGORIES else 60.0

    def is_done(self, folder: Path) -> bool:
        result = read_result(folder)
        return result is not None and result.get("job") == to_record(self)

    def execute(self, folder: Path, machine: Machine, tell: Tell) -> Result:
        task = load_task(self.task, machine.data)
        chosen = spread(task.test, self.targets or len(task.test))
        kept = self._kept(folder, chosen)
        tell(Progress(0, 1, "builders", f"{task.name}: optima"))
        optima = [best_of(target, task.offsets) for target in chosen]
        best, bound = np.round([(each.iou, each.bound) for each in optima], DIGITS_KEPT).T.tolist()
        kept = Measurements(task.name, best, bound, kept.builders if kept else {})
        everyone = list(contenders(task, Path(self.runs), chosen))
        for done, contender in enumerate(everyone):
            before = kept.builders.get(contender.name)
            if before is None or before.settings != contender.settings:
                tell(Progress(done, len(everyone), "builders", f"{task.name}: {contender.name}"))
                kept = replace(kept, builders=kept.builders | {contender.name: measure(contender, chosen)})
                write_whole(folder / PARTIAL, json.dumps(kept.record()).encode())
        (folder / PARTIAL).unlink(missing_ok=True)
        order = [contender.name for contender in everyone]
        return replace(kept, builders={name: kept.builders[name] for name in order}).record()

    def _kept(self, folder: Path, targets: Sequence[Target]) -> Measurements | None:
        """What was measured before on as many targets."""
        for file in (folder / PARTIAL, folder / RESULT):
            if file.exists():
                kept = Measurements.of(json.loads(file.read_text(encoding="utf-8")))
                if len(kept.best) != len(targets):
                    raise InputError(f"{file} is of {len(kept.best)} targets, not {len(targets)}: give another folder")
                return kept
        return None


def beyond_job(task: str, runs: Path, targets: int | None = None) -> Beyond:
    """A task's job, with the networks and the optima that there are now."""
    files = [file for agent in AGENTS if (file := agent_file(task, agent, runs))]
    files += [register.VOLUME] if _believes(task) else []
    parts = [*map(_fingerprint, files), repr((WORKS, GUIDED_WORKS, LOOKS))]
    networks = hashlib.sha256("".join(parts).encode()).hexdigest()[:12]
    return Beyond(task=task, targets=targets, runs=str(runs), networks=networks, optima=_fingerprint(SHIPPED))


def agent_file(task: str, agent: str, runs: Path) -> Path | None:
    """The first seed's network: where it was trained, or as it comes with the package."""
    trained = runs / task / f"{agent}-0" / "agent.safetensors"
    return trained if trained.exists() else register.network_file(agent, task, _views(task))


def _views(task: str) -> int:
    return 1 if task.startswith("mnist") else 3


def _believes(task: str) -> bool:
    """Whether there is a network that knows more about a task's targets than the images say."""
    return _views(task) == 3 and register.VOLUME.exists()


def contenders(task: Task, runs: Path, targets: Sequence[Target]) -> Iterator[Contender]:
    """Everyone who can build some unseen targets of a task; agents where they come with the package."""
    for name in ("random", "greedy", "bo"):
        yield Contender(name, {}, partial(register.builder, name, task.offsets))
    for name in AGENTS:
        if file := agent_file(task.name, name, runs):
            settings: dict[str, Any] = {"weights": _fingerprint(file)}
            seeds: list[list[float]] = []
            if name != "b3plus":
                seeds = _seeds(runs / task.name, name, targets)
                settings["seeds"] = len(seeds) or 1
            elif _believes(task.name):
                settings["volume"] = _fingerprint(register.VOLUME)
            looks = {"looks": LOOKS} if "volume" in settings else {}
            yield Contender(name, settings | looks, partial(register.builder, str(file), task.offsets), seeds)
        if name == "b3plus" and file:
            for work in GUIDED_WORKS:
                yield Contender(
                    f"guided-{work}", {**settings, "work": work}, partial(_guided, str(file), task.offsets, work)
                )
    for work in WORKS:
        make = partial(SearchBuilder, task.offsets, work=work)
        yield Contender(f"search-{work}", {"work": work}, make, estimate=from_views)
    if _believes(task.name):
        belief, volume = register.belief_of_file(register.VOLUME), _fingerprint(register.VOLUME)
        for work in WORKS:
            make = partial(belief.searching, task.offsets, work=work)
            settings = {"work": work, "volume": volume}
            yield Contender(f"learned-{work}", settings, make, estimate=belief.unless_explained(task.offsets))
    for work in (*WORKS, *((MOST_WORK,) if task.name in CATEGORIES else ())):
        make = partial(SearchBuilder, task.offsets, work=work, estimate=from_volume)
        yield Contender(f"volume-{work}", {"work": work}, make)


def _guided(file: str, offsets: OffsetSet, work: int) -> Builder:
    agent = register.builder(file, offsets)
    assert isinstance(agent, EpisodeBuilder)
    return GuidedBuilder(agent, work=work, estimate=register.usual_estimate(offsets))


def _seeds(folder: Path, agent: str, targets: Sequence[Target]) -> list[list[float]]:
    """The IoU (seed, target) of the paper's runs of an agent that were tested on these targets."""
    found = []
    for result in results_of_seeds(folder, agent):
        by_target = dict(zip(result["test"]["target"], result["test"]["iou"], strict=True))
        if all(target.name in by_target for target in targets):
            found.append([by_target[target.name] for target in targets])
    return found


def results_of_seeds(folder: Path, run: str) -> list[Result]:
    """What came of those seeds of a task's run that are done."""
    results = map(read_result, sorted(folder.glob(f"{run}-[0-9]")))
    return [result for result in results if result]


def _fingerprint(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def measure(contender: Contender, targets: Sequence[Target]) -> Measured:
    """Builds targets one after the other, and notes how well and how fast."""
    scores = evaluate(contender.make(), targets, alone=True)
    ious = np.mean(contender.of_seeds, axis=0) if contender.of_seeds else scores.iou
    pairs, believed = zip(targets, scores.built, strict=True), contender.estimate
    worth = [believed_worth(believed(target), each) for target, each in pairs] if believed else None
    ms, ms_most = round(float(scores.ms.mean()), 3), round(float(scores.ms.max()), 3)
    return Measured(contender.settings, ms, ms_most, ious.round(DIGITS_KEPT).tolist(), worth)


def believed_worth(estimate: Estimate, construction: Construction) -> int:
    """What a search from images believes a model to be worth, in `UNIT`s: worked out anew, cell by cell."""
    cells = {cell for pose in construction.poses for cell in BRICK_2X4.cells(pose)}
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
