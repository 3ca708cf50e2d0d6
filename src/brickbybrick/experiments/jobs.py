"""The kinds of work that the reproduction consists of. A job is a small record; its result is a folder of files.

Every folder ends with `result.json`, which is written last: a job that has one is done. A training job goes on from its
checkpoint where it was stopped.
"""

import json
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import torch

from brickbybrick.construction import Construction, write_whole
from brickbybrick.envs.simulator import Simulator
from brickbybrick.errors import InputError
from brickbybrick.geometry.brick import BRICK_2X4
from brickbybrick.geometry.voxels import iou
from brickbybrick.learning.config import Preset, preset
from brickbybrick.learning.evaluate import Agent, one_thread
from brickbybrick.learning.sight import Eyes
from brickbybrick.learning.validation import Validation, make_validator
from brickbybrick.policies.actor_critic import ActorCritic, Frame
from brickbybrick.policies.graph_network import VARIANTS, Variant
from brickbybrick.policies.validity_network import (
    SHIPPED,
    ValidityNetwork,
    load_network,
    save_network,
)
from brickbybrick.search.bayes import BayesBuilder
from brickbybrick.search.builder import Builder
from brickbybrick.search.named import named_builder
from brickbybrick.targets.catalog import Task, load_task
from brickbybrick.targets.random_assembly import ValidityData, validity_data
from brickbybrick.targets.target import Target, spread

TRAIN_TESTED = 100  # training targets that a finished agent is tested on, beside all test targets
CURVE_POINTS = 200  # kept of a curve
EPISODES_JUDGED = 1_500  # of the training data: about as many states as the test data have
TIMED_STEPS = 500
RESULT = "result.json"
Result = dict[str, Any]
Keep = Callable[[], None]
BuilderName = Literal["bo", "greedy", "random"]


@dataclass(frozen=True)
class Machine:
    """Where a job runs."""

    device: str = "cpu"
    """cpu or cuda."""
    threads: int = 1
    """For the environments and, on a CPU, the network."""
    data: str | None = None
    """Folder of data that does not come with the package."""


@dataclass(frozen=True, kw_only=True)
class Training:
    """An agent trained by PPO."""

    kind: ClassVar[str] = "training"
    task: str
    agent: Variant = "b3"
    validation: Validation = "exact"
    frame: Frame = "first"
    preset: Preset = "fast"
    seed: int = 0
    steps: int | None = None
    """The preset's if not given."""

    @property
    def name(self) -> str:
        options = [self.frame] * (self.frame != "first") + [self.validation] * (self.validation != "exact")
        return f"{self.task}/{'-'.join([self.agent, *options, str(self.seed)])}"

    @property
    def seconds(self) -> float:
        """About how long it takes on one GPU by itself."""
        whole = 300_000 if self.task.startswith("mnist") else 500_000
        alone = 60 if self.task.startswith("mnist") else 100
        slower = 1.5 if self.validation in ("pretrained", "joint") else 1.0
        return alone * slower * (self.steps or whole) / whole

    def execute(self, folder: Path, machine: Machine, keep: Keep) -> Result:
        from brickbybrick.learning.ppo import Report
        from brickbybrick.learning.training import Record, read_log, train

        task = load_task(self.task, machine.data)
        changes: dict[str, Any] = {"seed": self.seed, "validation": self.validation, "frame": self.frame}
        changes |= VARIANTS[self.agent] | ({} if self.steps is None else {"steps": self.steps})
        config = preset(self.preset, task, **changes)
        network = load_network(SHIPPED, machine.device) if self.validation == "pretrained" else None
        validator = make_validator(self.validation, task.offsets, network, machine.device, self.seed)

        def progress(_report: Report, record: Record | None) -> None:
            if record:
                keep()

        agent = train(config, task, validator, folder, machine.device, machine.threads, progress)
        seconds = read_log(folder / "log.jsonl")[-1]["seconds"]  # of all attempts
        result = scored(agent, task) | {"steps": config.steps, "seconds": seconds}
        (folder / "checkpoint.safetensors").unlink()
        return result


@dataclass(frozen=True, kw_only=True)
class Imitation:
    """The paper's supervised baseline: the sequences that random objects were put together by, learned by heart."""

    kind: ClassVar[str] = "imitation"
    seed: int = 0
    epochs: int | None = None
    """As many as usual if not given."""

    @property
    def name(self) -> str:
        return f"random/sl-{self.seed}"

    @property
    def seconds(self) -> float:
        return 120.0

    def execute(self, folder: Path, machine: Machine, keep: Keep) -> Result:  # noqa: ARG002 - jobs are all called alike
        from brickbybrick.learning.checkpoint import save_agent
        from brickbybrick.learning.imitation import ImitationConfig, imitate
        from brickbybrick.targets.random_assembly import TRAIN, assembled_targets

        task = load_task("random")
        settings = ImitationConfig(seed=self.seed)
        if self.epochs is not None:
            settings = replace(settings, epochs=self.epochs)
        losses: list[float] = []
        policy = imitate(
            settings, assembled_targets()[:TRAIN], machine.device, lambda _, loss: losses.append(round(loss, 5))
        )
        config = preset("paper", task, seed=self.seed, width=settings.width)
        save_agent(folder / "agent.safetensors", "sl", policy, config, steps=0)
        return scored(Agent(policy, task.offsets, "sl"), task) | {"losses": losses}


@dataclass(frozen=True, kw_only=True)
class Search:
    """A builder that needs no training, on a task's targets."""

    kind: ClassVar[str] = "search"
    task: str
    builder: BuilderName
    targets: int | None = None
    """At most so many of each split; all test targets and 100 training targets if not given."""

    @property
    def name(self) -> str:
        return f"{self.task}/{self.builder}"

    @property
    def seconds(self) -> float:
        per_target = {"mnist": 0.2, "random": 0.4}.get(self.task.split("-")[0], 3.0) if self.builder == "bo" else 0.01
        return 200 * per_target

    def execute(self, folder: Path, machine: Machine, keep: Keep) -> Result:  # noqa: ARG002
        task = load_task(self.task, machine.data)
        builder = named_builder(self.builder, task.offsets)
        if builder is None:
            raise InputError(f"no builder named {self.builder!r}: choose bo, greedy or random")
        result = scored(builder, task, self.targets)
        if isinstance(builder, BayesBuilder):
            distinct = BayesBuilder(task.offsets, distinct=True)
            result["candidates_per_step"] = builder.candidates_per_step
            result["distinct"] = scored(distinct, task, self.targets)
            result["distinct"]["candidates_per_step"] = distinct.candidates_per_step
            result["views_iou"] = _told_views(builder, _tested(task, self.targets))
        return result


@dataclass(frozen=True, kw_only=True)
class Validity:
    """A validity network, trained and tested. `one-pass` is the paper's "jointly trained"."""

    kind: ClassVar[str] = "validity"
    variant: Literal["b3", "mlp", "no-node", "no-edge", "one-pass", "near"] = "b3"
    episodes: int = 10_000
    epochs: int = 60

    @property
    def name(self) -> str:
        return f"validity/{self.variant}"

    @property
    def seconds(self) -> float:
        return 200.0

    def execute(self, folder: Path, machine: Machine, keep: Keep) -> Result:  # noqa: ARG002
        from brickbybrick.learning.validity import TRAIN_SEED, held_out_data, train_validity, training_of

        config = training_of(self.variant, episodes=self.episodes, epochs=self.epochs, device=machine.device)
        network, _ = train_validity(config)
        save_network(network, folder / "network.safetensors")
        seen = validity_data(min(self.episodes, EPISODES_JUDGED), config.bricks, seed=TRAIN_SEED)
        return {"train": _judged(network, seen), "test": _judged(network, held_out_data())}


@dataclass(frozen=True, kw_only=True)
class Timing:
    """How long exact validity takes, against the number of bricks, and each way to keep invalid actions out."""

    kind: ClassVar[str] = "timing"

    @property
    def name(self) -> str:
        return "validity/time"

    @property
    def seconds(self) -> float:
        return 60.0

    def execute(self, folder: Path, machine: Machine, keep: Keep) -> Result:  # noqa: ARG002
        from brickbybrick.bench.validity import bench_validity

        return {"figures": bench_validity(), "ms_per_step": _ways_timed()}


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What a task consists of."""

    kind: ClassVar[str] = "contents"
    task: str

    @property
    def name(self) -> str:
        return f"{self.task}/contents"

    @property
    def seconds(self) -> float:
        return 2.0

    def execute(self, folder: Path, machine: Machine, keep: Keep) -> Result:  # noqa: ARG002
        return load_task(self.task, machine.data).described()


Job = Training | Imitation | Search | Validity | Timing | Contents
KINDS: dict[str, type[Job]] = {kind.kind: kind for kind in (Training, Imitation, Search, Validity, Timing, Contents)}


def perform(job: Job, folder: Path, machine: Machine, keep: Keep = lambda: None) -> Result:
    """Does a job, or goes on with it, and writes its result.

    Args:
        job: What to do.
        folder: Where its files are.
        machine: Where it runs.
        keep: Called whenever the folder holds something to go on from.
    """
    torch.set_num_threads(machine.threads)
    torch.set_float32_matmul_precision("high")
    start = time.perf_counter()
    result = job.execute(folder, machine, keep)
    device = torch.cuda.get_device_name() if machine.device == "cuda" else platform.machine()
    about = {"job": to_record(job), "device": device, "seconds": round(time.perf_counter() - start, 1)}
    write_whole(folder / RESULT, json.dumps(about | result).encode())
    return about | result


def read_result(folder: Path) -> Result | None:
    """The result of a job that is done."""
    path = folder / RESULT
    if not path.exists():
        return None
    result: Result = json.loads(path.read_text(encoding="utf-8"))
    return result


def scored(builder: Builder, task: Task, most: int | None = None) -> Result:
    """How well a builder does on a task: on each test target, and on some training targets."""
    train = spread(task.train, TRAIN_TESTED if most is None else min(most, TRAIN_TESTED))
    test = _tested(task, most)
    start = time.perf_counter()
    built = builder.build_all([*train, *test])
    seconds = time.perf_counter() - start
    bricks = sum(len(each.bricks) - 1 for each in built)
    result: Result = {"ms_per_brick": round(1e3 * seconds / max(1, bricks), 4)}
    for split, targets, part in (("train", train, built[: len(train)]), ("test", test, built[len(train) :])):
        result[split] = _per_target(targets, part)
    return result


def _tested(task: Task, most: int | None) -> list[Target]:
    return spread(task.test, most or len(task.test))


def _per_target(targets: Sequence[Target], built: Sequence[Construction]) -> Result:
    """Columns rather than rows: shorter to write, easier to average."""
    return {
        "target": [target.name for target in targets],
        "iou": [round(each.iou or 0.0, 5) for each in built],
        "return": [round(each.episode_return or 0.0, 5) for each in built],
        "bricks": [len(each.bricks) for each in built],
        "budget": [target.budget for target in targets],
    }


def _told_views(builder: Builder, targets: Sequence[Target]) -> list[float]:
    """The IoU with each volume of what is built when nobody is told more than the views."""
    built = builder.build_all([replace(target, voxels=None) for target in targets])
    return [
        round(iou(BRICK_2X4, [brick.pose for brick in model.bricks], target.volume), 6)
        for model, target in zip(built, targets, strict=True)
    ]


def _judged(network: ValidityNetwork, data: ValidityData) -> Result:
    """A validity network's figures and curves, with each class as the positive one."""
    from brickbybrick.learning.validity import curves, figures, logit_histograms

    histograms = logit_histograms(network, data)
    result: Result = {"figures": figures(histograms), "curves": {}}
    for head, counts in histograms._asdict().items():
        for positive in ("valid", "invalid"):
            curve = curves(counts, positive)
            points = np.unique(np.linspace(0, len(curve.precision) - 1, CURVE_POINTS).astype(int))
            result["curves"][f"{head}_{positive}"] = {
                "false_positive_rate": curve.false_positive_rate[points].round(5).tolist(),
                "recall": curve.true_positive_rate[points].round(5).tolist(),
                "precision": curve.precision[points].round(5).tolist(),
                "roc_area": round(curve.roc_area, 5),
                "average_precision": round(curve.average_precision, 5),
            }
    return result


def _ways_timed() -> dict[str, float]:
    """Milliseconds of a CPU to choose and place a brick of a digit, one model at a time, for each way."""
    task = load_task("mnist-0")
    torch.manual_seed(0)
    policy = ActorCritic(preset("paper", task).model(task))
    network = load_network(SHIPPED)
    sim = Simulator(task.test, task.offsets, num_envs=1)
    eyes = Eyes(sim, torch.device("cpu"), policy.config.frame)
    spent: dict[str, float] = {}
    for way in get_args(Validation):
        validator = make_validator(way, task.offsets, network)
        sim.seed(0)
        sim.reset()
        with torch.no_grad(), one_thread():
            for step in range(TIMED_STEPS + 1):
                if step == 1:  # the first one compiles
                    start = time.process_time()
                eyes.look()
                choice, _ = validator.choose(policy, eyes.sight, eyes.valid, greedy=False)
                sim.step(choice.actions.numpy())
                sim.reset_finished()
        spent[way] = round(1e3 * (time.process_time() - start) / TIMED_STEPS, 3)
    return spent


def to_record(job: Job) -> dict[str, Any]:
    """A job as JSON has it."""
    return {"kind": job.kind, **asdict(job)}


def from_record(record: dict[str, Any]) -> Job:
    """The job of a record."""
    record = dict(record)
    kind = KINDS.get(record.pop("kind", ""))
    if kind is None:
        raise InputError("a job of no known kind")
    return kind(**record)
