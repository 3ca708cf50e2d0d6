"""Jobs that end with a network: agents trained by PPO, taught by the search or by imitation, the volume behind three
views, and validity networks."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from brickbybrick.builders.register import VOLUME, belief_of_file, network_file, wanted_by
from brickbybrick.errors import InputError
from brickbybrick.experiments.job import Job, Machine, Progress, Result, Tell, set_up, write_result
from brickbybrick.experiments.measuring_jobs import scored
from brickbybrick.experiments.run import CHECKPOINT, Record, Run
from brickbybrick.experiments.trackers import tracked
from brickbybrick.geometry.voxels import Voxels
from brickbybrick.learning.config import Preset, preset, with_settings
from brickbybrick.learning.imitation import ImitationConfig, Imitator
from brickbybrick.learning.learner import Learner
from brickbybrick.learning.objects import FINE
from brickbybrick.learning.ppo import Trainer
from brickbybrick.learning.spatial_ppo import SpatialTrainer, SpatialTraining
from brickbybrick.learning.teaching import QUICK, Apprenticeship, TeachingConfig
from brickbybrick.learning.team import Team
from brickbybrick.learning.validation import make_validator
from brickbybrick.learning.validity import (
    TRAIN_SEED,
    curves,
    figures,
    held_out_data,
    logit_histograms,
    train_validity,
    training_of,
)
from brickbybrick.learning.volume import VolumeLearner, VolumeTraining, is_aside, reliability
from brickbybrick.policies.actor_critic import Frame
from brickbybrick.policies.files import load_agent, number_of_weights
from brickbybrick.policies.graph_network import VARIANTS, Aggregation, Variant
from brickbybrick.policies.spatial import SpatialPolicy
from brickbybrick.policies.validation import Validation
from brickbybrick.policies.validity_network import SHIPPED, ValidityNetwork, load_network, save_network
from brickbybrick.targets.catalog import Task, data_folder, load_task
from brickbybrick.targets.modelnet import in_finer_cells
from brickbybrick.targets.random_assembly import TRAIN, ValidityData, assembled_targets, validity_data

CURVE_POINTS = 200  # kept of a curve
EPISODES_JUDGED = 1_500  # of the training data: about as many states as the test data have
# How a B3+ is taught that sees a plane, and one that sees space, by their views. The search needs more work for a plan
# in space; what is learned from worse ones has to be unlearned. Shapes are few, so others are made of them.
TAUGHT = {
    1: TeachingConfig(width=32),
    3: TeachingConfig(width=96, rounds=3, epochs=2, work=50_000, made=2, targets=2_000),
}
TAUGHT_ON: dict[str, Any] = {"rounds": 2, "learning_rate": 3e-4}  # of one who knows something already
FRESH, FRESH_SEED = 200, 2  # random objects that no network learned from
ValidityVariant = Literal["b3", "mlp", "no-node", "no-edge", "one-pass", "near"]


@dataclass(frozen=True, kw_only=True)
class Learning(Job):
    """An agent that learns: a run on disk, tested on the way and at the end."""

    task: str
    tested: int | None = None
    """Targets of each split at most that it is tested on; in the end all unseen ones if not given."""
    tested_on_the_way: ClassVar[int] = 100
    aside: bool = False
    """Whether every fifth training target is kept aside, and the run is tested on those instead of on unseen ones."""

    @abstractmethod
    def learner(self, task: Task, machine: Machine) -> Learner:
        """The run, at its beginning."""

    @abstractmethod
    def about(self, learner: Learner, records: list[Record]) -> Result:
        """What else the result tells of a run that is done, from its log."""

    def execute(self, folder: Path, machine: Machine, tell: Tell) -> Result:
        run = self.begin(folder, machine)
        with tracked(machine.track, folder, run.learner.settings(), run.learner.done) as run.track:
            run.go_on(tell)
        tell(Progress(run.learner.total, run.learner.total, run.learner.unit, "testing"))
        return self.end(run)

    def begin(self, folder: Path, machine: Machine) -> Run:
        """The run, at its beginning or where it was left."""
        task = load_task(self.task, machine.data)
        task = task.with_some_aside() if self.aside else task
        on_the_way = min(self.tested or self.tested_on_the_way, self.tested_on_the_way)
        return Run(self.learner(task, machine), task, folder, on_the_way)

    def end(self, run: Run) -> Result:
        """What came of a run that is over."""
        result = scored(run.end(), run.task, self.tested) | self.about(run.learner, run.records)
        (run.folder / CHECKPOINT).unlink()
        return result | {"seconds": run.records[-1]["seconds"]}  # of all attempts


@dataclass(frozen=True, kw_only=True)
class Training(Learning):
    """An agent trained by PPO."""

    agent: Variant = "b3"
    validation: Validation = "exact"
    frame: Frame = "first"
    preset: Preset = "fast"
    seed: int = 0
    steps: int | None = None
    """The preset's if not given."""
    aggregation: Aggregation = "sum"
    validity: str | None = None
    """File of the network of pretrained masks; the one that comes with the package if not given."""
    settings: str = ""
    """Other numbers than the preset's, as in "gamma=0.9 learning_rate=0.001"."""

    @property
    def name(self) -> str:
        options: list[tuple[str, str]] = [(self.frame, "first"), (self.validation, "exact"), (self.aggregation, "sum")]
        changed = [option for option, usual in options if option != usual]
        changed += [self.preset] if self.preset in ("paper", "tuned") else []  # quick stands in for fast
        changed += [f"{self.steps // 1_000}k"] if self.steps and self.preset == "tuned" else []
        changed += self.settings.split()
        return f"{self.task}/{'-'.join([self.agent, *changed, str(self.seed)])}"

    @property
    def seconds(self) -> float:
        whole = 300_000 if self.task.startswith("mnist") else 500_000
        alone = 60 if self.task.startswith("mnist") else 100
        slower = 1.5 if self.validation in ("pretrained", "joint") else 1.0
        return alone * slower * (self.steps or whole) / whole

    @property
    def team(self) -> str | None:
        """All that decides the shape and the schedule, but for the digit or the category."""
        kind = self.task.partition("-")[0]
        settings = (kind, self.agent, self.frame, self.preset, self.steps, self.aggregation, self.settings)
        return "/".join(map(str, settings)) if self.validation == "exact" else None

    def learner(self, task: Task, machine: Machine) -> Trainer:
        changes: dict[str, Any] = {"seed": self.seed, "validation": self.validation, "frame": self.frame}
        changes |= {"aggregation": self.aggregation, **VARIANTS[self.agent]}
        changes |= {} if self.steps is None else {"steps": self.steps}
        config = with_settings(preset(self.preset, task, **changes), self.settings)
        network = None
        if self.validation == "pretrained":
            network = load_network(Path(self.validity) if self.validity else SHIPPED, machine.device)
        validator = make_validator(self.validation, task.offsets, network, machine.device, self.seed)
        return Trainer(config, task, validator, machine.device, machine.threads)

    def about(self, learner: Learner, records: list[Record]) -> Result:  # noqa: ARG002 - some ask one, some the other
        return {"steps": learner.config.steps}


def losses(records: list[Record]) -> list[float]:
    """Of a log, from the first test after learning began."""
    return [round(record["loss"], 5) for record in records if "loss" in record]


def train_together(jobs: Mapping[Path, Training], machine: Machine) -> None:
    """Does trainings of one team, each in its folder, as one; those that were stopped later than others wait."""
    set_up(machine)
    runs = {folder: job.begin(folder, machine) for folder, job in jobs.items()}
    for run in runs.values():
        run.begin()
    for done in sorted({run.learner.done for run in runs.values()}):
        members = [run for run in runs.values() if run.learner.done == done]
        trainers = [run.learner for run in members if isinstance(run.learner, Trainer)]  # which all of them are
        for reports in Team(trainers).run():
            for run, report in zip(members, reports, strict=True):
                run.note(report)
    for folder, run in runs.items():
        write_result(jobs[folder], folder, machine, jobs[folder].end(run))


@dataclass(frozen=True, kw_only=True)
class Teaching(Learning):
    """B3+, taught by the search."""

    tested_on_the_way: ClassVar[int] = 25  # its network takes its time on a CPU
    preset: Literal["fast", "quick"] = "fast"
    """quick: with 600 targets a round and less thought; fast: with more, and from three views with made ones too."""
    seed: int = 0
    rounds: int | None = None
    """The preset's if not given; likewise what follows."""
    epochs: int | None = None
    targets: int | None = None
    work: int | None = None
    volume: str | None = None
    """File of the network that says what to believe of three views; the one that comes with the package if not
    given."""
    start: str | None = None
    """File of a B3+ to teach on, or b3plus, which comes with the package; one that knows nothing if not given."""

    @property
    def name(self) -> str:
        return f"{self.task}/b3plus-{'on-' if self.start else ''}{self.seed}"

    @property
    def seconds(self) -> float:
        return 300.0 if self.task.startswith("mnist") else 1_000.0

    def learner(self, task: Task, machine: Machine) -> Apprenticeship:
        given = {name: getattr(self, name) for name in ("rounds", "epochs", "targets", "work")}
        changes = {name: value for name, value in given.items() if value is not None}
        start: SpatialPolicy | None = None
        usual = TAUGHT[task.views]
        config = replace(usual, **QUICK) if self.preset == "quick" else usual
        if self.start:
            shipped = network_file("b3plus", self.task, task.views) if self.start == "b3plus" else None
            known = load_agent(shipped or Path(self.start)).policy
            if not isinstance(known, SpatialPolicy):
                raise InputError(f"{self.start}: holds no B3+: give a file that b3 train --agent b3plus made")
            start = known
            config = replace(config, **TAUGHT_ON, width=start.config.width, layers=start.config.layers)
        config = replace(config, seed=self.seed, **changes)
        volume = Path(self.volume) if self.volume else VOLUME
        belief = belief_of_file(volume).on(machine.device) if task.views == 3 else None
        finer = _finer(task, machine) if config.made else {}
        return Apprenticeship(config, task, machine.device, machine.threads, belief, finer, start)

    def about(self, learner: Learner, records: list[Record]) -> Result:
        return {
            "weights": number_of_weights(learner.policy),
            "states": learner.total,
            "losses": losses(records),
        }


@dataclass(frozen=True, kw_only=True)
class Rewarded(Learning):
    """B3+'s network, trained by PPO from rewards alone."""

    seed: int = 0
    steps: int | None = None
    """As many as usual if not given."""
    volume: str | None = None
    """As for `Teaching`."""
    settings: str = ""
    """As for `Training`."""

    @property
    def name(self) -> str:
        return f"{self.task}/{'-'.join(['b3plus-ppo', *self.settings.split(), str(self.seed)])}"

    seconds = 600.0

    def learner(self, task: Task, machine: Machine) -> SpatialTrainer:
        config = with_settings(SpatialTraining(task=self.task, seed=self.seed), self.settings)
        if self.steps is not None:
            config = replace(config, steps=self.steps)
        wanted = wanted_by(Path(self.volume) if self.volume else VOLUME, task.views)
        return SpatialTrainer(config, task, machine.device, machine.threads, wanted)

    def about(self, learner: Learner, records: list[Record]) -> Result:  # noqa: ARG002
        return {"steps": learner.config.steps, "weights": number_of_weights(learner.policy)}


@dataclass(frozen=True, kw_only=True)
class Volume(Learning):
    """The volume behind three views, learned; tested as what the search believes."""

    tested_on_the_way: ClassVar[int] = 10  # a search takes its time
    task: str = "shapes"
    preset: Literal["fast", "quick"] = "fast"
    """quick: a fifth of the updates of fast."""
    seed: int = 0
    steps: int | None = None
    """The preset's if not given."""

    @property
    def name(self) -> str:
        return f"{self.task}/volume{'-quick' if self.preset == 'quick' else ''}-{self.seed}"

    seconds = 600.0

    def learner(self, task: Task, machine: Machine) -> VolumeLearner:
        config = VolumeTraining(seed=self.seed)
        usual = config.steps // (5 if self.preset == "quick" else 1)
        config = replace(config, steps=self.steps or usual)
        return VolumeLearner(config, task, machine.device, _finer(task, machine))

    def about(self, learner: Learner, records: list[Record]) -> Result:
        """Among others how far beliefs can be relied on, for each kind of targets that was kept aside."""
        assert isinstance(learner, VolumeLearner)
        made = assembled_targets(FRESH, FRESH_SEED)
        kinds = {"random": [each.target for each in made]}
        for target in learner.task.train:
            if is_aside(target):
                kinds.setdefault(target.name.split("/")[0], []).append(target)
        return {
            "weights": number_of_weights(learner.policy),
            "steps": learner.total,
            "losses": losses(records),
            "aside": {kind: reliability(learner.policy.cpu(), targets) for kind, targets in sorted(kinds.items())},
        }


def _finer(task: Task, machine: Machine) -> dict[str, Voxels]:
    """The shapes to train on in finer cells, as far as the data have those."""
    return in_finer_cells((target.name for target in task.train), data_folder(machine.data), FINE)


@dataclass(frozen=True, kw_only=True)
class Imitation(Learning):
    """The paper's supervised baseline: the sequences that random objects were put together by, learned by heart."""

    task: str = "random"
    """Sequences are known for random objects only."""
    seed: int = 0
    epochs: int | None = None
    """As many as usual if not given."""
    width: int = 192

    @property
    def name(self) -> str:
        longer = f"{self.epochs}-" if (self.epochs or 0) > ImitationConfig.epochs else ""
        return f"random/sl-{longer}{self.seed}"

    seconds = 120.0

    def __post_init__(self) -> None:
        if self.task != "random":
            raise InputError(f"sequences to imitate are known for the task random only, not for {self.task}")

    def learner(self, task: Task, machine: Machine) -> Imitator:  # noqa: ARG002 - learners are all made alike
        settings = ImitationConfig(seed=self.seed, width=self.width)
        if self.epochs is not None:
            settings = replace(settings, epochs=self.epochs)
        return Imitator(settings, assembled_targets()[:TRAIN], machine.device)

    def about(self, learner: Learner, records: list[Record]) -> Result:  # noqa: ARG002
        return {"losses": losses(records)}


@dataclass(frozen=True, kw_only=True)
class Validity(Job):
    """A validity network, trained and tested. `one-pass` is the paper's "jointly trained"."""

    variant: ValidityVariant = "b3"
    seed: int = 0
    episodes: int = 10_000
    epochs: int = 60

    @property
    def name(self) -> str:
        return f"validity/{self.variant}{f'-{self.seed}' if self.seed else ''}"

    seconds = 200.0

    def execute(self, folder: Path, machine: Machine, tell: Tell) -> Result:  # noqa: ARG002
        changes: dict[str, Any] = {"episodes": self.episodes, "epochs": self.epochs, "device": machine.device}
        config = training_of(self.variant, seed=self.seed, **changes)
        network, _ = train_validity(config)
        save_network(network, folder / "network.safetensors")
        seen = validity_data(min(self.episodes, EPISODES_JUDGED), config.bricks, seed=TRAIN_SEED)
        return {"train": _judged(network, seen), "test": _judged(network, held_out_data())}


def _judged(network: ValidityNetwork, data: ValidityData) -> Result:
    """A validity network's figures and curves, with each class as the positive one."""
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
