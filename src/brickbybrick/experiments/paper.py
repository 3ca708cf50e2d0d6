"""Every figure and table of the paper, as the jobs whose results it is drawn from."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from brickbybrick.errors import InputError
from brickbybrick.experiments.beyond import CATEGORIES
from brickbybrick.experiments.job import Job
from brickbybrick.experiments.learning_jobs import (
    Imitation,
    Rewarded,
    Teaching,
    Training,
    Validity,
    ValidityVariant,
    Volume,
)
from brickbybrick.experiments.measuring_jobs import BuilderName, Contents, Evaluation, Timing
from brickbybrick.experiments.run import AGENT
from brickbybrick.targets.catalog import GENERAL

DIGITS = tuple(f"mnist-{digit}" for digit in range(10))
WAYS = ("pretrained", "joint", "sampling", "direct")  # to keep invalid actions out, besides exact masks
# Options of trainings: B3 as it learns most within the text, with poses counted from the image and minibatches of 32
# samples; and B3 that is told what the images show around each brick.
TUNED: dict[str, Any] = {"preset": "tuned", "frame": "image"}
SIGHTED: dict[str, Any] = {"preset": "tuned", "agent": "sighted"}
VALIDITY_VARIANTS: tuple[ValidityVariant, ...] = ("mlp", "no-node", "no-edge", "one-pass", "b3", "near")


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
    pools: tuple[int, ...] = (20, 30, 50, 100, 1_000)
    """Placements that Kim et al.'s BO chooses among."""
    twice: int = 600_000
    """Steps of a digit's agent in the reading of the text that learns most; others have the paper's."""
    long: int = 2_000_000
    """Steps of those agents that are to show where learning levels off, one for each task."""
    shared: tuple[str, ...] = ("mnist",)
    """Tasks of which one such agent learns what else each digit has an agent of its own for."""
    sighted: tuple[str, ...] = (*DIGITS, "random", "modelnet-monitor")
    """Tasks of agents that are told what the images show around each brick."""
    training: dict[str, Any] = field(default_factory=dict)
    """Changes of every training job; likewise of the other kinds."""
    imitation: dict[str, Any] = field(default_factory=dict)
    evaluation: dict[str, Any] = field(default_factory=dict)
    validity: dict[str, Any] = field(default_factory=dict)
    converged: int = 400
    """Times that imitation sees everything where it is to learn all that it can."""
    rolled: tuple[str, ...] = ("mnist-0", "random")
    """Tasks shown with 8 environments of 512 steps, as the paper has them, beside the 256 of 16 of all other runs."""
    general: dict[str, int] = field(default_factory=lambda: {"mnist": 2_000_000, "objects": 1_000_000})
    """Tasks and steps of the agents that build anything."""
    taught: tuple[str, ...] = tuple(GENERAL.values())
    """Tasks of B3+."""
    teaching: dict[str, Any] = field(default_factory=dict)
    rewarded: tuple[str, ...] = (GENERAL[1],)
    """Tasks of B3+'s network trained by rewards alone."""
    rewarding: dict[str, Any] = field(default_factory=dict)
    believing: dict[str, Any] = field(default_factory=dict)
    timing: dict[str, Any] = field(default_factory=dict)

    @property
    def tasks(self) -> tuple[str, ...]:
        """All that one agent each is trained for."""
        return (*self.digits, "random", *self.categories)

    def trainings(self, tasks: Iterable[str], **options: Iterable[Any]) -> list[Job]:
        """A training of each seed on each task with each combination of the options' values."""
        combinations = [dict(zip(options, values, strict=True)) for values in product(*options.values())]
        return [job for task in tasks for combination in combinations for job in self.seeded(task, combination)]

    def seeded(self, task: str, options: dict[str, Any]) -> list[Training]:
        """A training of each seed with the same options."""
        return [Training(task=task, seed=seed, **(options | self.training)) for seed in range(self.seeds)]

    def tuned(self, task: str) -> dict[str, Any]:
        """Options of a training as B3 learns most within the text."""
        return TUNED | ({"steps": self.twice} if task in self.digits else {})

    @property
    def longest(self) -> dict[str, Any]:
        """The same until it levels off."""
        return TUNED | {"steps": self.long}

    def evaluations(self, tasks: Iterable[str]) -> list[Job]:
        """The builders that need no training on each task."""
        builders: tuple[BuilderName, ...] = ("bo", "greedy", "random")
        return [Evaluation(task=task, builder=builder, **self.evaluation) for task in tasks for builder in builders]

    def pooled(self, task: str) -> dict[int, Evaluation]:
        """Kim et al.'s BO on a task, with each size of its pool."""
        return {size: Evaluation(task=task, builder="bo-kim", pool=size, **self.evaluation) for size in self.pools}

    @property
    def imitations(self) -> list[Imitation]:
        """The paper's supervised baseline, of each seed."""
        return [Imitation(seed=seed, **self.imitation) for seed in range(self.seeds)]

    @property
    def longer_imitations(self) -> list[Imitation]:
        """The same until nothing is left to learn."""
        return [replace(job, epochs=self.converged) for job in self.imitations]

    @property
    def volume(self) -> Volume:
        """The volume behind three views."""
        return Volume(**self.believing)

    @property
    def lessons(self) -> list[Teaching]:
        """B3+, taught by the search."""
        return [Teaching(task=task, **self.teaching) for task in self.taught]

    @property
    def further_lessons(self) -> list[Teaching]:
        """The same for three views taught on, with other targets, once `lessons` are done."""
        on = [job for job in self.lessons if job.task == GENERAL[3]]
        return [replace(job, seed=1, epochs=3, start=f"results/runs/{job.name}/{AGENT}") for job in on]

    @property
    def rewards(self) -> list[Rewarded]:
        """B3+'s network trained by rewards alone, of each seed."""
        return [
            Rewarded(task=task, seed=seed, **self.rewarding) for task in self.rewarded for seed in range(self.seeds)
        ]

    @property
    def validities(self) -> dict[str, Validity]:
        """A validity network of each variant."""
        return {variant: Validity(variant=variant, **self.validity) for variant in VALIDITY_VARIANTS}

    @property
    def edges(self) -> dict[str, list[Validity]]:
        """The validity network with and without features of contacts, of each seed."""
        return {
            variant: [replace(self.validities[variant], seed=seed) for seed in range(self.seeds)]
            for variant in ("b3", "no-edge")
        }


SMOKE = Scale(
    seeds=1,
    digits=("mnist-0",),
    categories=(),
    pretrained=("mnist-0",),
    validated=("mnist-0",),
    framed=("mnist-0",),
    pools=(20,),
    sighted=("mnist-0",),
    training={"preset": "quick", "steps": 2_048, "tested": 20},
    imitation={"epochs": 1, "tested": 20},
    evaluation={"targets": 4},
    validity={"episodes": 100, "epochs": 2},
    converged=1,
    rolled=("mnist-0",),
    general={"mnist": 2_048},
    taught=("mnist-0",),
    rewarded=("mnist-0",),
    rewarding={"steps": 4_096, "tested": 10},
    believing={"task": "random", "steps": 20, "tested": 5},
    timing={"repeats": 1},
    teaching={"preset": "quick", "rounds": 2, "targets": 20, "work": 1_000, "tested": 10},
)
SCALES = {"paper": Scale(), "smoke": SMOKE}


def _curves(scale: Scale, tasks: tuple[str, ...]) -> list[Job]:
    """B3 and MLP on each task, with the builders that need no training."""
    return scale.trainings(tasks, agent=("b3", "mlp")) + scale.evaluations(tasks)


def _validation(scale: Scale) -> list[Job]:
    """Ways to keep invalid actions out."""
    shown = dict.fromkeys((*scale.pretrained, *scale.validated))
    jobs = scale.trainings(shown, validation=("exact",))
    jobs += scale.trainings(scale.pretrained, validation=("pretrained",))
    return jobs + scale.trainings(scale.validated, validation=WAYS)


def _general(scale: Scale) -> list[Job]:
    """One agent for all digits and one for all objects, which come with the package."""
    return [
        Training(task=task, frame="image", **(scale.training | {"steps": steps}))
        for task, steps in scale.general.items()
    ]


# By the names that `b3 reproduce --only` and the drawn files have: what each figure or table is drawn from.
EXHIBITS: dict[str, Callable[[Scale], list[Job]]] = {
    "tasks": lambda scale: [Contents(task=task) for task in scale.tasks],
    "mnist": lambda scale: _curves(scale, scale.digits),
    "random": lambda scale: _curves(scale, ("random",)),
    "modelnet": lambda scale: _curves(scale, scale.categories),
    "supervised": lambda scale: [*scale.imitations, *scale.trainings(["random"])],
    "ablation": lambda scale: scale.trainings(["random"], agent=("b3", "mlp", "no-node", "no-edge")),
    "validity": lambda scale: list(scale.validities.values()),
    "validation": _validation,
    "time": lambda scale: [Timing(**scale.timing)],
    "frames": lambda scale: scale.trainings(scale.framed, frame=("first", "image")),
    "edges": lambda scale: [job for jobs in scale.edges.values() for job in jobs],
    "converged": lambda scale: list(scale.longer_imitations),
    "rollouts": lambda scale: scale.trainings(scale.rolled, preset=("fast", "paper")),
    "pools": lambda scale: [job for task in scale.tasks for job in scale.pooled(task).values()],
    "tuned": lambda scale: [job for task in scale.tasks for job in scale.seeded(task, scale.tuned(task))],
    "long": lambda scale: [scale.seeded(task, scale.longest)[0] for task in scale.tasks],
    "shared": lambda scale: [job for task in scale.shared for job in scale.seeded(task, scale.longest)],
    "sighted": lambda scale: [job for task in scale.sighted for job in scale.seeded(task, SIGHTED)],
    "general": _general,
    "believed": lambda scale: [scale.volume],
    "taught": lambda scale: list(scale.lessons),
    "taught-on": lambda scale: list(scale.further_lessons),
    "rewarded": lambda scale: list(scale.rewards),
}


def jobs_of(scale: Scale, only: Iterable[str] = ()) -> list[Job]:
    """What all figures and tables, or those of some names, are drawn from, each job once."""
    for name in only:
        if name not in EXHIBITS:
            raise InputError(f"no figure or table named {name!r}: choose among {', '.join(EXHIBITS)}")
    return list(dict.fromkeys(job for name in only or EXHIBITS for job in EXHIBITS[name](scale)))
