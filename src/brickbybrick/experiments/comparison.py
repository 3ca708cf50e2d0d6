"""Runs beside each other: learning curves with bands, over seeds and tasks.

Runs whose settings differ in nothing but the seed and the task are one kind. What is shown of a kind is what rliable
(Agarwal et al. 2021) asks for: the interquartile mean of its runs, and a percentile bootstrap of it that draws runs
anew within each task, so that no task is drawn more often than another.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from brickbybrick.errors import InputError
from brickbybrick.experiments.figures import COLOURS, legend_below, make_panels, write_figures
from brickbybrick.experiments.results import Curve, Spread
from brickbybrick.experiments.run import CONFIG, LOG, Record, read_log
from brickbybrick.files import parsed_json, read_file

TRIMMED = 0.25  # of the runs, at each end
CONFIDENCE = 0.95
DRAWS = 10_000
MOST_SETTINGS = 1_000_000  # bytes of a config.json
OVER_ALL = "all tasks"
PANELS_IN_A_ROW = 4
Against = Literal["steps", "seconds"]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class KeptRun:
    """A run as its folder has it."""

    folder: Path
    settings: dict[str, Any]
    log: list[Record]

    @property
    def task(self) -> str:
        return Path(str(self.settings.get("task", ""))).name

    @property
    def called(self) -> str:
        """Its folder's name, without task and seed, which its kind has in common."""
        return self.folder.name.removeprefix(f"{self.task}-").removesuffix(f"-{self.settings.get('seed')}")

    @property
    def kind(self) -> dict[str, Any]:
        """Its settings without task and seed."""
        return {name: value for name, value in self.settings.items() if name not in ("task", "seed")}


@dataclass(frozen=True)
class Band:
    """A kind's runs as training goes."""

    x: Floats  # (test,) steps or seconds
    middle: Floats  # (test,) the interquartile mean
    low: Floats  # (test,) where the interval of confidence begins
    high: Floats  # (test,) and where it ends


@dataclass(frozen=True)
class Ending:
    """A figure of a kind at the last test that all of its runs have."""

    name: str
    tasks: int
    runs: int
    steps: float
    middle: float
    low: float
    high: float
    mean: float
    deviation: float  # between seeds, not between tasks


@dataclass(frozen=True)
class Kind:
    """Runs that differ in nothing but the seed and the task."""

    name: str
    runs: list[KeptRun]

    def curves(self, figure: str, task: str | None = None) -> list[Curve]:
        """A column of the logs on each task, or on one of them, at the tests that all of them have."""
        logs = {run.task: [each.log for each in self.runs if each.task == run.task] for run in self.runs}
        curves = [Curve.of(each, figure) for name, each in sorted(logs.items()) if task in (None, name)]
        common = sorted(set[float].intersection(*(set(curve.steps.tolist()) for curve in curves)))
        if not common:
            raise InputError(f"the runs of {self.name} have no test in common yet: {figure} cannot be compared")
        return [Curve(np.array(common), curve.values[:, np.isin(curve.steps, common)]) for curve in curves]

    def band(self, figure: str, against: Against = "steps", task: str | None = None) -> Band:
        """How a figure goes up or down."""
        curves = self.curves(figure, task)
        x = curves[0].steps
        if against == "seconds":
            times = self.curves("seconds", task)
            x = np.concatenate([time.values[:, np.isin(time.steps, x)] for time in times]).mean(axis=0)
        return Band(x, *interval([curve.values for curve in curves]))

    def ending(self, figure: str) -> "Ending":
        """Where a figure is at the last test that all runs have."""
        curves = self.curves(figure)
        last = [curve.values[:, -1:] for curve in curves]
        middle, low, high = (float(each[0]) for each in interval(last))
        deviation = np.sqrt(np.mean([Spread(tuple(runs.ravel())).deviation ** 2 for runs in last]))
        numbers = middle, low, high, float(np.concatenate(last).mean()), float(deviation)
        return Ending(self.name, len(curves), len(self.runs), float(curves[0].steps[-1]), *numbers)


def interval(tasks: Sequence[Floats], draws: int = DRAWS) -> tuple[Floats, Floats, Floats]:
    """The interquartile mean (test,) of runs on some tasks, each (run, test), and the ends of its interval."""
    rng = np.random.default_rng(0)  # the same runs are always drawn the same
    chosen = [rng.integers(len(runs), size=(draws, len(runs))) for runs in tasks]
    middle = interquartile_mean(np.concatenate(tasks).T)
    ends = np.empty((2, len(middle)))
    for test in range(len(middle)):
        drawn = [runs[each, test] for runs, each in zip(tasks, chosen, strict=True)]  # (draw, run) of each task
        share = np.array([1 - CONFIDENCE, 1 + CONFIDENCE]) / 2
        ends[:, test] = np.quantile(interquartile_mean(np.concatenate(drawn, axis=1)), share)
    return middle, ends[0], ends[1]


def interquartile_mean(scores: Floats) -> Floats:
    """Of the last axis: without the lowest and the highest quarter; of fewer than four the mean."""
    middle: Floats = np.asarray(stats.trim_mean(scores, TRIMMED, axis=-1))
    return middle


def find_runs(folders: Iterable[Path]) -> list[KeptRun]:
    """The runs in folders, which may be runs or hold some, each once."""
    found: dict[Path, KeptRun] = {}
    for folder in folders:
        places = sorted(path.parent for path in folder.rglob(CONFIG) if (path.parent / LOG).exists())
        if not places:
            raise InputError(f"{folder}: holds no run that was tested; give folders that b3 train wrote")
        found |= {place.resolve(): _run_in(place) for place in places}
    return list(found.values())


def _run_in(folder: Path) -> KeptRun:
    try:
        settings = parsed_json(read_file(folder / CONFIG, MOST_SETTINGS))
        log = read_log(folder)
    except ValueError as error:
        raise InputError(f"{folder}: is no run that can be read: {error}") from error
    if not isinstance(settings, dict) or not log or not all("steps" in record for record in log):
        raise InputError(f"{folder}: is no run that can be read: {CONFIG} or {LOG} is damaged")
    return KeptRun(folder, settings, log)


def kinds_of(runs: Sequence[KeptRun]) -> list[Kind]:
    """Runs by kind, in their order. Kinds are called as their folders are; those called alike tell what differs."""
    grouped: dict[str, list[KeptRun]] = {}
    for run in runs:
        grouped.setdefault(json.dumps(run.kind, sort_keys=True), []).append(run)
    names = [_in_common([run.called for run in group]) for group in grouped.values()]
    settings = [group[0].kind for group in grouped.values()]
    keys = dict.fromkeys(key for each in settings for key in each)
    differing = [key for key in keys if len({json.dumps(each.get(key)) for each in settings}) > 1]
    kinds = []
    for name, each, group in zip(names, settings, grouped.values(), strict=True):
        told = [f"{key} {each[key]}" for key in differing if key in each] if names.count(name) > 1 else []
        kinds.append(Kind(", ".join([name, *told]), group))
    return kinds


def _in_common(called: Sequence[str]) -> str:
    """What runs of one kind are called: by their first, where they were not called alike."""
    others = len(set(called)) - 1
    return f"{called[0]} and {others} more" if others else called[0]


def check_figure(runs: Sequence[KeptRun], figure: str) -> None:
    """An error where runs did not write such a figure down."""
    known = set[str].intersection(*({name for record in run.log for name in record} for run in runs))
    if figure not in known:
        choice = ", ".join(sorted(known - {"steps", "seconds"}))
        raise InputError(f"not all of these runs have a figure named {figure}: choose from {choice}")


def draw_comparison(kinds: Sequence[Kind], figure: str, against: Against, path: Path) -> None:
    """A panel for each task and, where every kind was on all of several, one for all of them first; as a PNG file."""
    tasks = sorted({run.task for kind in kinds for run in kind.runs})
    panels: list[str | None] = [*tasks]
    if len(tasks) > 1 and all({run.task for run in kind.runs} == set(tasks) for kind in kinds):
        panels.insert(0, None)
    drawing = partial(_curves, kinds, figure, against, panels)
    write_figures({path.stem: drawing}, path.parent)


def _curves(kinds: Sequence[Kind], figure: str, against: Against, shown: Sequence[str | None]) -> Figure:
    columns = min(PANELS_IN_A_ROW, len(shown))
    width, height = (5.6, 3.4) if columns == 1 else (3.0, 2.4)
    drawn, panels = make_panels(-(-len(shown) // columns), columns, width, height)
    for panel, task in zip(panels, shown, strict=False):
        _draw_panel(panel, kinds, figure, against, task)
    for place, panel in enumerate(panels):
        panel.set_visible(place < len(shown))
        if place + columns >= len(shown):
            panel.set_xlabel(against)
    for panel in panels[::columns]:
        panel.set_ylabel(said(figure))
    legend_below(drawn, panels[: len(shown)], columns)
    return drawn


def _draw_panel(panel: Axes, kinds: Sequence[Kind], figure: str, against: Against, task: str | None) -> None:
    colours = list(dict.fromkeys(COLOURS.values()))
    for place, kind in enumerate(kinds):
        if task is not None and task not in {run.task for run in kind.runs}:
            continue
        band = kind.band(figure, against, task)
        colour = colours[place % len(colours)]
        panel.plot(band.x, band.middle, color=colour, lw=1.4, label=kind.name)
        panel.fill_between(band.x, band.low, band.high, color=colour, alpha=0.18, lw=0)
    panel.set_title(OVER_ALL if task is None else task)
    panel.xaxis.set_major_formatter(lambda number, _: f"{number / 1000:g}k" if number >= 1000 else f"{number:g}")


def said(figure: str) -> str:
    """A figure of the log in words."""
    split, _, name = figure.partition("_")
    name = {"iou": "IoU", "invalid": "invalid ends"}.get(name, name.replace("_", " "))
    where = {"test": "on unseen targets", "train": "on training targets", "rollout": "while learning"}
    return f"{name} {where[split]}" if split in where else figure.replace("_", " ")
