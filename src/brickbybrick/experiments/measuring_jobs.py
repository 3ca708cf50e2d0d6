"""Jobs that measure what is there: builders on a task's targets, how long validity takes, what tasks consist of."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import torch

from brickbybrick.bench.validity import bench_validity
from brickbybrick.builders import register
from brickbybrick.builders.base import Builder
from brickbybrick.builders.bayes import BayesBuilder
from brickbybrick.construction import Construction
from brickbybrick.envs.simulator import Simulator
from brickbybrick.evaluation import evaluate
from brickbybrick.experiments.job import Job, Machine, Progress, Result, Tell
from brickbybrick.learning.config import preset
from brickbybrick.learning.validation import make_validator
from brickbybrick.policies.actor_critic import ActorCritic
from brickbybrick.policies.observation import Observer
from brickbybrick.policies.threads import one_thread
from brickbybrick.policies.validation import Validation
from brickbybrick.policies.validity_network import SHIPPED, load_network
from brickbybrick.targets.catalog import Task, load_task
from brickbybrick.targets.target import Target, spread

TRAIN_TESTED = 100  # training targets that a finished agent is tested on, beside all test targets
TIMED_STEPS = 500
BuilderName = Literal["bo", "bo-kim", "greedy", "random"]


@dataclass(frozen=True, kw_only=True)
class Evaluation(Job):
    """A builder that needs no training, on a task's targets."""

    task: str
    builder: BuilderName
    targets: int | None = None
    """At most so many of each split; all test targets and 100 training targets if not given."""
    pool: int | None = None
    """Of bo-kim."""

    @property
    def name(self) -> str:
        return f"{self.task}/{self.builder}{'' if self.pool is None else f'-{self.pool}'}"

    @property
    def seconds(self) -> float:
        per_target = {"mnist": 0.2, "random": 0.4}.get(self.task.split("-")[0], 3.0) if "bo" in self.builder else 0.01
        return 200 * per_target

    def execute(self, folder: Path, machine: Machine, tell: Tell) -> Result:  # noqa: ARG002 - jobs are all called alike
        task = load_task(self.task, machine.data)
        builder = register.builder(self.builder, task.offsets, pool=self.pool)
        result = scored(builder, task, self.targets)
        if type(builder) is BayesBuilder:
            distinct = BayesBuilder(task.offsets, distinct=True)
            result["candidates_per_step"] = builder.candidates_per_step
            result["distinct"] = scored(distinct, task, self.targets)
            result["distinct"]["candidates_per_step"] = distinct.candidates_per_step
            result["views"] = _told_views(builder, task, self.targets)
        return result


def scored(builder: Builder, task: Task, most: int | None = None) -> Result:
    """How well a builder does on a task: on each test target, and on some training targets."""
    few = TRAIN_TESTED if most is None else min(most, TRAIN_TESTED)
    train, test = spread(task.train, few), spread(task.test, most or len(task.test))
    scores = evaluate(builder, [*train, *test])  # in one batch
    result: Result = {"ms_per_brick": round(scores.ms_per_brick, 4)}
    return result | {"train": scores[: len(train)].columns(), "test": scores[len(train) :].columns()}


def _told_views(builder: Builder, task: Task, most: int | None) -> dict[str, list[float]]:
    """The IoU with each volume, and the return, of what is built when nobody is told more than the views."""
    targets = spread(task.test, most or len(task.test))
    built = builder.build_all([replace(target, voxels=None) for target in targets])
    scores = [_judged(task, model, target) for model, target in zip(built, targets, strict=True)]
    return {"iou": [round(score, 5) for score, _ in scores], "return": [round(rewards, 5) for _, rewards in scores]}


def _judged(task: Task, model: Construction, target: Target) -> tuple[float, float]:
    """The IoU and the return of a model whose builder was not told the target's own volume."""
    brick, wanted = task.offsets.brick, {tuple(cell) for cell in np.argwhere(target.volume).tolist()}
    inside = [len(wanted & set(brick.cells(pose))) for pose in model.poses]  # of each brick
    filled = brick.studs * np.arange(1, len(inside) + 1)  # (brick,) cells
    scores = np.cumsum(inside) / (len(wanted) + filled - np.cumsum(inside))
    rewarded = 2 * np.array(inside[1:]) >= brick.studs
    return float(scores[-1]), float(np.diff(scores)[rewarded].sum())


@dataclass(frozen=True, kw_only=True)
class Timing(Job):
    """How long exact validity takes, against the number of bricks, and each way to keep invalid actions out."""

    repeats: int = 10
    """Of the first, whose means and deviations are told."""

    name = "validity/time"

    @property
    def seconds(self) -> float:
        return 30.0 * (self.repeats + 1)

    def execute(self, folder: Path, machine: Machine, tell: Tell) -> Result:  # noqa: ARG002
        runs = []
        for done in range(self.repeats):
            tell(Progress(done, self.repeats, "repeats"))
            runs.append(bench_validity())
        columns = {name: np.array([run[name] for run in runs]) for name in runs[0]}
        result: Result = {"figures": {name: round(float(each.mean()), 4) for name, each in columns.items()}}
        if self.repeats > 1:
            result["deviations"] = {name: round(float(each.std(ddof=1)), 4) for name, each in columns.items()}
        return result | {"ms_per_step": _ways_timed()}


def _ways_timed() -> dict[str, float]:
    """Milliseconds of a CPU to choose and place a brick of a digit, one model at a time, for each way."""
    task = load_task("mnist-0")
    torch.manual_seed(0)
    policy = ActorCritic(preset("paper", task).model(task))
    network = load_network(SHIPPED)
    sim = Simulator(task.test, task.offsets, num_envs=1)
    observer = Observer(sim, torch.device("cpu"), policy.config.frame)
    spent: dict[str, float] = {}
    for way in get_args(Validation):
        validator = make_validator(way, task.offsets, network)
        sim.seed(0)
        sim.reset()
        with torch.no_grad(), one_thread():
            for step in range(TIMED_STEPS + 1):
                if step == 1:  # the first one compiles
                    start = time.process_time()
                observer.look()
                choice, _ = validator.choose(policy, observer.observation, observer.valid, greedy=False)
                sim.step(choice.actions.numpy())
                sim.reset_finished()
        spent[way] = round(1e3 * (time.process_time() - start) / TIMED_STEPS, 3)
    return spent


@dataclass(frozen=True, kw_only=True)
class Contents(Job):
    """What a task consists of."""

    task: str

    @property
    def name(self) -> str:
        return f"{self.task}/contents"

    seconds = 2.0

    def execute(self, folder: Path, machine: Machine, tell: Tell) -> Result:  # noqa: ARG002
        return load_task(self.task, machine.data).described()
