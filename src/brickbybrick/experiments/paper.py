"""Every figure and table of the paper, as the jobs whose results it is drawn from."""

from collections.abc import Callable
from dataclasses import dataclass

from brickbybrick.errors import InputError
from brickbybrick.experiments.jobs import Imitation, Job, Search, Timing, Training, Validity

DIGITS = tuple(f"mnist-{digit}" for digit in range(10))
CATEGORIES = tuple(f"modelnet-{category}" for category in ("airplane", "monitor", "table"))
TASKS = (*DIGITS, "random", *CATEGORIES)
PRETRAINED = ("mnist-0", "random", "modelnet-airplane")  # tasks shown with a network's masks beside exact ones
VALIDATIONS = ("joint", "sampling", "direct")  # the paper's other ways, shown on two tasks
VALIDATED = ("mnist-0", "random")
SEEDS = 3


@dataclass(frozen=True)
class Exhibit:
    """A figure or a table."""

    name: str
    """As `b3 reproduce --only` has it, and of its file."""
    shows: str
    """In one line."""
    jobs: Callable[[range], list[Job]]
    """What it is drawn from, for some seeds."""


def _curves(tasks: tuple[str, ...]) -> Callable[[range], list[Job]]:
    """B3 and MLP on each task, with the builders that need no training."""

    def jobs(seeds: range) -> list[Job]:
        trained: list[Job] = [
            Training(task=task, agent=agent, seed=seed) for seed in seeds for task in tasks for agent in ("b3", "mlp")
        ]
        return trained + _searches(tasks)

    return jobs


def _searches(tasks: tuple[str, ...]) -> list[Job]:
    return [Search(task=task, builder=builder) for task in tasks for builder in ("bo", "greedy", "random")]


def _frames(seeds: range) -> list[Job]:
    return [Training(task=task, frame="image", seed=seed) for seed in seeds for task in DIGITS]


def _ablation(seeds: range) -> list[Job]:
    return [
        Training(task="random", agent=agent, seed=seed)
        for seed in seeds
        for agent in ("b3", "mlp", "no-node", "no-edge")
    ]


def _supervised(seeds: range) -> list[Job]:
    return [job for seed in seeds for job in (Imitation(seed=seed), Training(task="random", seed=seed))]


def _validation(seeds: range) -> list[Job]:
    pairs = [(task, "exact") for task in PRETRAINED] + [(task, "pretrained") for task in PRETRAINED]
    pairs += [(task, way) for task in VALIDATED for way in VALIDATIONS]
    return [Training(task=task, validation=way, seed=seed) for seed in seeds for task, way in pairs]  # type: ignore[arg-type]


def _validity(_seeds: range) -> list[Job]:
    return [Validity(variant=variant) for variant in ("b3", "mlp", "no-node", "no-edge", "one-pass", "near")]


EXHIBITS = (
    Exhibit("mnist", "return on ten digits as training goes: B3, MLP, BO", _curves(DIGITS)),
    Exhibit("frames", "digits with poses counted from the first brick, and from the image", _frames),
    Exhibit("random", "return on randomly assembled objects: B3, MLP, BO", _curves(("random",))),
    Exhibit("modelnet", "return on airplanes, monitors and tables: B3, MLP, BO", _curves(CATEGORIES)),
    Exhibit("ablation", "the graph network without its parts, on randomly assembled objects", _ablation),
    Exhibit("supervised", "imitation of sequences against reinforcement learning", _supervised),
    Exhibit("validation", "ways to keep invalid actions out", _validation),
    Exhibit("validity", "precision and recall of validity networks, their ROC and PR curves", _validity),
    Exhibit("time", "exact validity: time against bricks", lambda _seeds: [Timing()]),
)


def exhibits(only: tuple[str, ...] = ()) -> list[Exhibit]:
    """All figures and tables, or those of some names."""
    known = {exhibit.name: exhibit for exhibit in EXHIBITS}
    for name in only:
        if name not in known:
            raise InputError(f"no figure or table named {name!r}: choose among {', '.join(known)}")
    return [known[name] for name in only] or list(EXHIBITS)


def jobs_of(shown: list[Exhibit], seeds: int) -> list[Job]:
    """What some figures and tables are drawn from, each job once."""
    return list(dict.fromkeys(job for exhibit in shown for job in exhibit.jobs(range(seeds))))
