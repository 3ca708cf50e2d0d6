"""What the jobs found out, read back: curves and scores over seeds."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from brickbybrick.builders.bayes import POOL
from brickbybrick.experiments.job import Job, Result, read_result
from brickbybrick.experiments.measuring_jobs import BuilderName, Evaluation
from brickbybrick.experiments.paper import Scale
from brickbybrick.experiments.run import Record, read_log

Split = Literal["train", "test"]
Figure = Literal["iou", "return", "bricks"]
NEARLY = 0.98  # of the level that a curve ends at


@dataclass(frozen=True)
class Spread:
    """A figure over seeds."""

    values: tuple[float, ...]  # one for each seed

    @property
    def mean(self) -> float:
        return float(np.mean(self.values))

    @property
    def deviation(self) -> float:
        """Between seeds; 0 for one."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else 0.0

    def __str__(self) -> str:
        return f"{self.mean:.3f}" + (f" ± {self.deviation:.3f}" if len(self.values) > 1 else "")


@dataclass(frozen=True)
class Curve:
    """A figure as training goes, over seeds."""

    steps: npt.NDArray[np.float64]  # (test,)
    values: npt.NDArray[np.float64]  # (seed, test)

    @classmethod
    def of(cls, logs: Sequence[Sequence[Record]], figure: str) -> "Curve":
        """A column of logs, where all of them have it: some may be shorter, or have no test before the beginning."""
        columns = [{record["steps"]: record[figure] for record in log if figure in record} for log in logs]
        steps = sorted(set[float].intersection(*map(set, columns)))
        return cls(np.array(steps), np.array([[column[step] for step in steps] for column in columns]))

    @property
    def level(self) -> float:
        """The mean of its last quarter."""
        return float(self.values[:, -(-3 * len(self.steps) // 4) :].mean())

    @property
    def levels_off(self) -> float:
        """The steps after which it first is nearly at that level."""
        return float(self.steps[np.argmax(self.values.mean(axis=0) >= NEARLY * self.level)])

    def at(self, most: float) -> "Spread | None":
        """Where it was at the last test within so many steps, if there was one."""
        if self.steps[0] > most:
            return None
        return Spread(tuple(self.values[:, np.flatnonzero(self.steps <= most)[-1]].tolist()))

    def passes(self, figure: float) -> float | None:
        """The steps after which it first is above a figure, if that is where it levels off."""
        return float(self.steps[np.argmax(self.values.mean(axis=0) > figure)]) if self.level > figure else None


class Results:
    """The results of a grid, from the folder of its jobs' folders."""

    def __init__(self, root: Path, scale: Scale) -> None:
        self.root, self.scale = root, scale
        self._read: dict[str, Result | None] = {}

    def of(self, job: Job) -> Result | None:
        """A job's result, if it is done."""
        if job.name not in self._read:
            self._read[job.name] = read_result(self.root / job.name)
        return self._read[job.name]

    def done(self, jobs: Iterable[Job]) -> list[Result]:
        """The results of those jobs that are done."""
        return [result for result in map(self.of, jobs) if result is not None]

    def trained(self, task: str, **options: Any) -> list[Result]:
        """The results of all seeds of a training."""
        return self.done(self.scale.seeded(task, options))

    def score(self, results: Iterable[Result], split: Split = "test", figure: Figure = "iou") -> Spread | None:
        """The mean over targets of each result."""
        values = tuple(float(np.mean(result[split][figure])) for result in results)
        return Spread(values) if values else None

    def evaluated(self, task: str, builder: BuilderName) -> list[Result]:
        """What a builder that needs no training did."""
        return self.done([Evaluation(task=task, builder=builder, **self.scale.evaluation)])

    def kim(self, task: str) -> list[Result]:
        """What Kim et al.'s BO did with the usual pool."""
        return self.done([job for size, job in self.scale.pooled(task).items() if size == POOL])

    def rewarded(self, task: str) -> list[Result]:
        """What became of B3+'s network by rewards alone."""
        return self.done([job for job in self.scale.rewards if job.task == task])

    def supervised(self) -> dict[str, list[Result]]:
        """Imitation beside reinforcement learning and BO, on random objects."""
        taught = self.done(self.scale.imitations)
        return {"SL": taught, "B3": self.trained("random"), "BO": self.evaluated("random", "bo")}

    def curve(self, task: str, figure: str, **options: Any) -> Curve | None:
        """A column of the logs, such as test_return, of a training's seeds that are done."""
        return self.curve_of(self.scale.seeded(task, options), figure)

    def curve_of(self, jobs: Iterable[Job], figure: str) -> Curve | None:
        """The same of any runs of one length."""
        logs = [read_log(self.root / job.name) for job in jobs if self.of(job)]
        if not logs:
            return None
        return Curve.of(logs, figure)

    def last(self, task: str, figure: str, at_most: float = math.inf, **options: Any) -> Spread | None:
        """Where a curve ends, or was after so many steps at most."""
        curve = self.curve(task, figure, **options)
        return curve.at(at_most) if curve else None
