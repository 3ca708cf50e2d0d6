"""Every figure and table of the paper, as the jobs whose results it is drawn from."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from brickbybrick.errors import InputError
from brickbybrick.experiments.beyond import CATEGORIES
from brickbybrick.experiments.job import Job
from brickbybrick.experiments.learning_jobs import Imitation, Teaching, Training, Validity
from brickbybrick.experiments.measuring_jobs import BuilderName, Contents, Evaluation, Timing
from brickbybrick.targets.catalog import GENERAL

DIGITS = tuple(f"mnist-{digit}" for digit in range(10))
WAYS = ("pretrained", "joint", "sampling", "direct")  # to keep invalid actions out, besides exact masks
VALIDITY_VARIANTS = ("mlp", "no-node", "no-edge", "one-pass", "b3", "near")


@dataclass(frozen=True)
class Scale:
    """How much of the paper is run, and at which cost."""

    seeds: int = 3
    digits: tuple[str, ...] = DIGITS
    categories: tuple[str, ...] = CATEGORIES
    pretrained: tuple[str, ...] = ("mnist-0", "random", "modelnet-airplane")
    """Tasks shown with a network's masks beside exact ones."""
    validated: tuple[str, ...] = ("mnist-0", "random")
    """Tasks shown with all ways to keep invalid actions out."""
    framed: tuple[str, ...] = ("mnist-0", "mnist-3")
    """Tasks shown with poses counted from the image too."""
    training: dict[str, Any] = field(default_factory=dict)
    """Changes of every training job; likewise of the other kinds."""
    imitation: dict[str, Any] = field(default_factory=dict)
    evaluation: dict[str, Any] = field(default_factory=dict)
    validity: dict[str, Any] = field(default_factory=dict)
    general: dict[str, int] = field(default_factory=lambda: {"mnist": 2_000_000, "objects": 1_000_000})
    """Tasks and steps of the agents that build anything."""
    taught: tuple[str, ...] = tuple(GENERAL.values())
    """Tasks of B3+."""
    teaching: dict[str, Any] = field(default_factory=dict)

    @property
    def tasks(self) -> tuple[str, ...]:
        """All that one agent each is trained for."""
        return (*self.digits, "random", *self.categories)

    def trainings(self, tasks: Iterable[str], **options: Iterable[Any]) -> list[Job]:
        """A training of each seed on each task with each combination of the options' values."""
        combinations = [dict(zip(options, values, strict=True)) for values in product(*options.values())]
        return [
            Training(task=task, seed=seed, **combination, **self.training)
            for seed in range(self.seeds)
            for task in tasks
            for combination in combinations
        ]

    def evaluations(self, tasks: Iterable[str]) -> list[Job]:
        """The builders that need no training on each task."""
        builders: tuple[BuilderName, ...] = ("bo", "greedy", "random")
        return [Evaluation(task=task, builder=builder, **self.evaluation) for task in tasks for builder in builders]


SMOKE = Scale(
    seeds=1,
    digits=("mnist-0",),
    categories=(),
    pretrained=("mnist-0",),
    validated=("mnist-0",),
    framed=("mnist-0",),
    training={"preset": "quick", "steps": 2_048, "tested": 20},
    imitation={"epochs": 1, "tested": 20},
    evaluation={"targets": 4},
    validity={"episodes": 100, "epochs": 2},
    general={"mnist": 2_048},
    taught=("mnist-0",),
    teaching={"preset": "quick", "rounds": 2, "targets": 20, "work": 1_000, "tested": 10},
)
SCALES = {"paper": Scale(), "smoke": SMOKE}


@dataclass(frozen=True)
class Exhibit:
    """A figure or a table."""

    name: str
    """As `b3 reproduce --only` has it, and of its file."""
    shows: str
    """In one line."""
    jobs: Callable[[Scale], list[Job]]
    """What it is drawn from."""


def _curves(tasks: Callable[[Scale], tuple[str, ...]]) -> Callable[[Scale], list[Job]]:
    """B3 and MLP on each task, with the builders that need no training."""
    return lambda scale: scale.trainings(tasks(scale), agent=("b3", "mlp")) + scale.evaluations(tasks(scale))


def _validation(scale: Scale) -> list[Job]:
    shown = dict.fromkeys((*scale.pretrained, *scale.validated))
    jobs = scale.trainings(shown, validation=("exact",))
    jobs += scale.trainings(scale.pretrained, validation=("pretrained",))
    return jobs + scale.trainings(scale.validated, validation=WAYS)


def _supervised(scale: Scale) -> list[Job]:
    taught: list[Job] = [Imitation(seed=seed, **scale.imitation) for seed in range(scale.seeds)]
    return taught + scale.trainings(["random"])


def _general(scale: Scale) -> list[Job]:
    return [
        Training(task=task, frame="image", **(scale.training | {"steps": steps}))
        for task, steps in scale.general.items()
    ]


def _taught(scale: Scale) -> list[Job]:
    return [Teaching(task=task, **scale.teaching) for task in scale.taught]


def _validity(scale: Scale) -> list[Job]:
    return [Validity(variant=variant, **scale.validity) for variant in VALIDITY_VARIANTS]  # type: ignore[arg-type]


def _tasks(scale: Scale) -> list[Job]:
    return [Contents(task=task) for task in scale.tasks]


EXHIBITS = (
    Exhibit("tasks", "what there is to build, and how it is split", _tasks),
    Exhibit("mnist", "ten digits as training goes: B3, MLP, BO", _curves(lambda scale: scale.digits)),
    Exhibit("random", "randomly assembled objects: B3, MLP, BO", _curves(lambda _: ("random",))),
    Exhibit("modelnet", "airplanes, monitors and tables: B3, MLP, BO", _curves(lambda scale: scale.categories)),
    Exhibit("supervised", "imitation of sequences against reinforcement learning", _supervised),
    Exhibit(
        "ablation",
        "the graph network without its parts, on randomly assembled objects",
        lambda scale: scale.trainings(["random"], agent=("b3", "mlp", "no-node", "no-edge")),
    ),
    Exhibit("validity", "precision and recall of validity networks, their ROC and PR curves", _validity),
    Exhibit("validation", "ways to keep invalid actions out", _validation),
    Exhibit("time", "exact validity: time against bricks", lambda _: [Timing()]),
    Exhibit(
        "frames",
        "digits with poses counted from the image, so that the agent knows where it begins",
        lambda scale: scale.trainings(scale.framed, frame=("first", "image")),
    ),
    Exhibit("general", "one agent for all digits and one for all objects, which come with the package", _general),
    Exhibit("taught", "B3+ for all digits and for all objects, which comes with the package", _taught),
)


def exhibits(only: tuple[str, ...] = ()) -> list[Exhibit]:
    """All figures and tables, or those of some names."""
    known = {exhibit.name: exhibit for exhibit in EXHIBITS}
    for name in only:
        if name not in known:
            raise InputError(f"no figure or table named {name!r}: choose among {', '.join(known)}")
    return [known[name] for name in only] or list(EXHIBITS)


def jobs_of(shown: list[Exhibit], scale: Scale) -> list[Job]:
    """What some figures and tables are drawn from, each job once."""
    return list(dict.fromkeys(job for exhibit in shown for job in exhibit.jobs(scale)))
