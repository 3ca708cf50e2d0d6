"""The leaderboard: everyone on the same unseen targets, from the records of `b3 beyond` and the entries of others.

An entry is a file of models, not of figures: whoever reads it checks every brick by the task's rules and works the IoU
out anew. What a builder was told, and how long it took, is its maker's word.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from brickbybrick.builders import register
from brickbybrick.builders.base import Builder, Sees
from brickbybrick.errors import InputError, shown, whole_number
from brickbybrick.evaluation import evaluate
from brickbybrick.experiments.beyond import (
    CATEGORIES,
    DIGITS_KEPT,
    GUIDED_WORKS,
    MOST_WORK,
    TASKS,
    WORKS,
    Measurements,
    results_of_seeds,
)
from brickbybrick.experiments.beyond_report import best_known
from brickbybrick.experiments.job import read_result
from brickbybrick.experiments.learning_jobs import Volume
from brickbybrick.experiments.markdown import markdown_parts, markdown_table
from brickbybrick.experiments.paper import DIGITS
from brickbybrick.files import files_ending, parsed_json, read_file, write_whole
from brickbybrick.geometry.assembly import Assembly
from brickbybrick.geometry.brick import Pose
from brickbybrick.geometry.voxels import iou
from brickbybrick.policies.actor_critic import ActorCritic, AgentConfig, ModelConfig
from brickbybrick.policies.files import number_of_weights
from brickbybrick.targets.catalog import Task
from brickbybrick.targets.target import Target

SCHEMA = 1
MOST_BYTES = 20_000_000  # of an entry; ours have 300,000
MOST_TEXT = 300  # characters of what an entry says of itself
NEAR = 1e-5  # figures are kept with six digits

Count = Callable[[int, int], None]  # told how many of how many tasks are done
Models = list[list[list[int]]]  # (target, brick, 4) corner and direction, in the order of a task's unseen targets


@dataclass(frozen=True)
class Part:
    """What an entry built of one task."""

    ms: float  # of one core for one target, the mean
    iou: list[float]  # (target,)
    models: Models


@dataclass(frozen=True)
class Entry:
    """A builder that takes part."""

    name: str
    by: str  # who made it
    about: str  # in one sentence, or where to read on
    sees: Sees
    weights: int  # numbers that were learned
    tasks: dict[str, Part]


class Row(NamedTuple):
    """A line of the table."""

    name: str
    by: str
    sees: str
    weights: int | None  # None where the records do not say
    iou: Mapping[str, Sequence[float]]  # by task, (target,)
    ms: Mapping[str, float]


def enter(agent: str, tasks: Sequence[Task], name: str, by: str, about: str, tell: Count) -> Entry:
    """Lets a builder, which the register knows or whose file it is, build all unseen targets of some tasks."""
    builders = [register.builder(agent, task.offsets, task=task.name) for task in tasks]
    parts: dict[str, Part] = {}
    for done, (task, builder) in enumerate(zip(tasks, builders, strict=True)):
        tell(done, len(tasks))
        scores = evaluate(builder, list(task.test), alone=True)
        models = [[list(pose) for pose in built.poses] for built in scores.built]
        parts[task.name] = Part(round(float(scores.ms.mean()), 3), scores.iou.round(DIGITS_KEPT).tolist(), models)
    entry = Entry(name, by, about, builders[0].sees, max(map(_learned, builders)), parts)
    _check_form(entry)
    return entry


def _learned(builder: Builder) -> int:
    """How many numbers a builder has learned."""
    policy = getattr(builder, "policy", None)
    return 0 if policy is None else number_of_weights(policy)


def write_entry(entry: Entry, path: Path) -> None:
    write_whole(path, json.dumps({"schema": SCHEMA, **asdict(entry)}, separators=(",", ":")).encode())


def read_entry(path: Path) -> Entry:
    """An entry whose form is right; whether its models are is `check_entry`'s business."""
    try:
        record = parsed_json(read_file(path, MOST_BYTES))
        if not isinstance(record, dict) or record.pop("schema", None) != SCHEMA:
            raise InputError(f"no entry of schema {SCHEMA}: b3 leaderboard --enter makes one")
        given = record.pop("tasks", None)
        if not isinstance(given, dict) or not given or set(given) - set(TASKS):
            raise InputError(f"the tasks of an entry are some of {', '.join(TASKS)}")
        entry = Entry(tasks={task: Part(**part) for task, part in given.items()}, **record)
        _check_form(entry)
    except (InputError, ValueError, TypeError) as error:
        raise InputError(f"{path}: not an entry: {error}") from error
    return entry


def _check_form(entry: Entry) -> None:
    for name in ("name", "by", "about"):
        text = getattr(entry, name)
        if not isinstance(text, str) or len(text) > MOST_TEXT or not text.isprintable() or "|" in text:
            raise InputError(f"its {name} is {shown(text)}: give up to {MOST_TEXT} characters on one line, without |")
    if entry.sees not in get_args(Sees):
        raise InputError(f"it sees {shown(entry.sees)}: give one of {', '.join(get_args(Sees))}")
    whole_number(entry.weights, "the number of its weights", 0)
    for task, part in entry.tasks.items():
        figures = [part.ms, *part.iou] if isinstance(part.iou, list) else [None]
        if not all(isinstance(each, int | float) and 0 <= each < 1e9 for each in figures):
            raise InputError(f"{task}: its time and its IoU are numbers from 0 on")
        if not isinstance(part.models, list) or len(part.models) != len(part.iou):
            raise InputError(f"{task}: give a list of models and as many IoU")


def check_entry(entry: Entry, tasks: Iterable[Task]) -> None:
    """An error unless every model of the entry that belongs to these tasks keeps their rules and is as good as said."""
    for task in tasks:
        if part := entry.tasks.get(task.name):
            targets = list(task.test)
            if len(part.models) != len(targets):
                raise InputError(f"{entry.name}: {len(part.models)} models for the {len(targets)} of {task.name}")
            for target, model, said in zip(targets, part.models, part.iou, strict=True):
                found = checked_iou(model, target, task)
                if abs(found - said) > NEAR:
                    raise InputError(f"{entry.name}: the IoU of {target.name} is {found:.6f}, not {said:.6f}")


def checked_iou(model: Sequence[Sequence[int]], target: Target, task: Task) -> float:
    """The IoU of a model, built brick by brick as the task has it: by the readable rules, not the fast ones."""
    if not isinstance(model, list) or not 1 <= len(model) <= target.budget:
        raise InputError(f"{target.name}: a model has 1 to {target.budget} bricks")
    assembly, joints = Assembly(task.offsets.brick, task.offsets), range(len(task.offsets))
    for number, row in enumerate(model, start=1):
        if not isinstance(row, list) or len(row) != 4 or not all(type(value) is int for value in row):
            raise InputError(f"{target.name}: brick {number} is {shown(row)}: give x, y, z and a direction")
        pose = Pose(*row)
        if not assembly.poses:
            if pose != target.start:
                raise InputError(f"{target.name}: begins at {tuple(pose)} instead of {tuple(target.start)}")
        elif not any(task.offsets.place(pivot, k) == pose for pivot in assembly.poses for k in joints):
            raise InputError(f"{target.name}: no offset of the task leads to brick {number}")
        try:
            assembly.put(pose)
        except InputError as error:
            raise InputError(f"{target.name}: brick {number}: {error}") from error
    return iou(task.offsets.brick, assembly.poses, target.volume)


def rows_of_records(measured: Sequence[Measurements], runs: Path) -> list[Row]:
    """Everyone whom `b3 beyond` measured, and who else was trained in `runs`."""
    rows = []
    for name, label in OWN.items():
        there = {task.task: task.builders[name] for task in measured if name in task.builders}
        if there and name.startswith("learned"):  # one view leaves nothing to learn: there it is the search itself
            seen = name.replace("learned", "search")
            there |= {
                task.task: task.builders[seen] for task in measured if task.task in DIGITS and seen in task.builders
            }
        if there:
            ious = {task: each.iou for task, each in there.items()}
            times = {task: each.ms for task, each in there.items()}
            rows.append(Row(label, US, _sees(name), _trained_weights(runs, name), ious, times))
    for name, label in TRAINED.items():
        found = {task: _over_seeds(runs / task, name) for task in TASKS}
        if ious := {task: each for task, each in found.items() if each}:
            rows.append(Row(label, US, "images", _trained_weights(runs, name), ious, {}))
    return rows


def _sees(name: str) -> Sees:
    """What someone whom `b3 beyond` measured is told; a search has its work behind its name."""
    kind = name.partition("-")[0].replace("learned", "search")
    return "volume" if kind == "volume" else register.entries()[kind].sees


def _over_seeds(folder: Path, run: str) -> list[float]:
    """The IoU (target,) of a training on unseen targets, the mean over its seeds."""
    ious = [result["test"]["iou"] for result in results_of_seeds(folder, run)]
    return [float(each) for each in np.mean(ious, axis=0).round(DIGITS_KEPT)] if ious else []


def _trained_weights(runs: Path, run: str) -> int | None:
    """How many numbers the largest network of a run learned, by its records; 0 where nothing is learned. Who builds by
    a learned volume has that network's beside its own."""
    if run not in LEARNED:
        if run.startswith("guided"):
            return _trained_weights(runs, "b3plus")
        return _volume_weights(runs) if run.startswith("learned") else 0
    found = []
    for folder in runs.glob(f"*/{run}-0"):
        result, contents = read_result(folder), read_result(folder.parent / "contents")
        if result and "weights" in result:
            found.append(result["weights"])
        elif result and contents:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            shape = {field.name: config[field.name] for field in fields(AgentConfig) if field.name in config}
            views = 1 if folder.parent.name.startswith("mnist") else 3
            network = ActorCritic(ModelConfig(views=views, offsets=contents["offsets"], **shape))
            found.append(number_of_weights(network))
    return max(found, default=0) + (_volume_weights(runs) if run == "b3plus" else 0) or None


def _volume_weights(runs: Path) -> int:
    """The weights of the volume network, by its record."""
    result = read_result(runs / Volume().name)
    return result["weights"] if result else 0


def row_of_entry(entry: Entry) -> Row:
    ious = {task: part.iou for task, part in entry.tasks.items()}
    times = {task: part.ms for task, part in entry.tasks.items()}
    return Row(entry.name, entry.by, entry.sees, entry.weights, ious, times)


def read_entries(folder: Path) -> list[Entry]:
    return [read_entry(path) for path in files_ending(folder, {".json"})] if folder.is_dir() else []


def write_leaderboard(rows: Sequence[Row], measured: Sequence[Measurements], path: Path) -> None:
    """The table, best first; a builder's place is by its mean share over the groups, those missing counting as 0."""
    best = {task.task: best_known(task) for task in measured}
    for row in rows:
        for task, each in row.iou.items():
            if task in best:
                best[task] = np.maximum(best[task], each)
    shares = {row.name: {group: _share(row, tasks, best) for group, tasks in GROUPS.items()} for row in rows}
    ranked = sorted(rows, key=lambda row: -float(np.mean([each or 0.0 for each in shares[row.name].values()])))
    head = ["", "builder", "by", "sees", "weights"]
    head += [f"{group}: IoU, share" for group in GROUPS] + ["ms a digit", "ms an object"]
    table = []
    for place, row in enumerate(ranked, start=1):
        cells = [_cell(row, tasks, shares[row.name][group]) for group, tasks in GROUPS.items()]
        spent = [_time(row, DIGITS), _time(row, ("random", *CATEGORIES))]
        weights = "" if row.weights is None else f"{row.weights:,}"
        table.append((str(place), row.name, row.by, row.sees, weights, *cells, *spent))
    write_whole(path, (markdown_parts([ABOUT, markdown_table(head, table), HOW]) + "\n").encode())


def _share(row: Row, tasks: Sequence[str], best: Mapping[str, Any]) -> float | None:
    """What a builder reaches of the best known, the mean over tasks; None unless it built all of them."""
    if not all(task in row.iou and task in best for task in tasks):
        return None
    return float(np.mean([np.mean(np.divide(row.iou[task], best[task])) for task in tasks]))


def _cell(row: Row, tasks: Sequence[str], share: float | None) -> str:
    return "" if share is None else f"{np.mean([np.mean(row.iou[task]) for task in tasks]):.3f}, {share:.1%}"


def _time(row: Row, tasks: Sequence[str]) -> str:
    there = [row.ms[task] for task in tasks if task in row.ms]
    return f"{np.mean(there):.1f}" if there else ""


GROUPS: dict[str, tuple[str, ...]] = {
    "digits": DIGITS,
    "random": ("random",),
    **{category.removeprefix("modelnet-"): (category,) for category in CATEGORIES},
}
US = "brickbybrick"
LEARNED = ("mlp", "b3", "b3plus", "b3-image-tuned", "sighted-tuned")
TRAINED = {"b3-image-tuned": "B3, tuned", "sighted-tuned": "B3, sighted"}  # runs that `b3 beyond` leaves out
OWN = {  # by their names in the records
    "random": "random",
    "greedy": "greedy",
    "bo": "BO",
    "mlp": "MLP",
    "b3": "B3",
    "b3plus": "B3+",
    **{f"guided-{work}": f"search, guided by B3+, {work:,} states" for work in GUIDED_WORKS},
    **{f"search-{work}": f"search, {work:,} bricks looked at" for work in WORKS},
    **{f"learned-{work}": f"search, {work:,}, learned volume" for work in WORKS},
    **{f"volume-{work}": f"search, {work:,}, told the volume" for work in (*WORKS, MOST_WORK)},
}
ABOUT = (
    "# Leaderboard\n\nWritten by `b3 leaderboard` from the records in `beyond/` and the entries in `leaderboard/`. "
    "Everyone builds the same unseen targets: 1,000 digits, 200 random objects, 40 airplanes, 40 monitors and 51 "
    "tables. The IoU is the mean over targets; the share is that of the best known IoU of the same target, which on "
    "digits and random objects is the proven optimum. Times are of one core, one target at a time. B3 and MLP are "
    "means over seeds. Who sees the volume has it easier: compare like with like."
)
HOW = (
    "## How to add a row\n\nA builder that `b3 build --agent` knows, by its name, as an agent's file or as a plug-in "
    "(see ARCHITECTURE.md):\n\n    b3 leaderboard --enter AGENT --called NAME --by WHO\n\nbuilds all unseen targets, "
    "writes `leaderboard/NAME.json` and draws the table. Any other program may write such a file: for each task, "
    "`models` has a list of bricks `[x, y, z, direction]` for each target of `load_task(TASK).test`, in that order and "
    "beginning with the target's first brick. `b3 leaderboard` checks every brick of every entry by the rules of its "
    "task and works out the IoU anew; an entry that does not hold is refused in one line."
)
